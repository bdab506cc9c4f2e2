//! Reading server-sent events.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// An open stream of events.
pub struct EventStream {
    response: reqwest::Response,
    received: Vec<u8>,
    what: String,
}

/// One block of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// `id:`
    pub id: Option<i64>,
    /// `event:`
    pub event: Option<String>,
    /// `data:` as it came.
    pub data: Option<String>,
    /// `retry:`
    pub retry: Option<u64>,
    /// What stands behind a colon at the beginning of a line.
    pub comment: Option<String>,
}

impl Block {
    fn read(text: &str) -> Self {
        let mut block = Self::default();
        for line in text.trim_end_matches('\n').lines() {
            let (name, value) = line
                .split_once(':')
                .unwrap_or_else(|| panic!("no colon in {line:?} of {text:?}"));
            let value = value.strip_prefix(' ').unwrap_or(value);
            let number = || value.parse().expect("a number");
            match name {
                "" => block.comment = Some(value.to_owned()),
                "id" => block.id = Some(value.parse().expect("an id is a version")),
                "event" => block.event = Some(value.to_owned()),
                "data" => block.data = Some(value.to_owned()),
                "retry" => block.retry = Some(number()),
                other => panic!("a stream has no field {other}"),
            }
        }
        block
    }

    /// `data:` as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let data = self.data.as_deref().expect("an event has data");
        serde_json::from_str(data).expect("data is JSON")
    }
}

impl EventStream {
    /// Takes a response over that was accepted.
    pub(crate) fn new(response: reqwest::Response, what: &str) -> Self {
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        assert_eq!(response.status().as_u16(), 200, "{what}");
        assert_eq!(header("content-type"), Some("text/event-stream"), "{what}");
        assert_eq!(header("cache-control"), Some("no-store"), "{what}");
        assert_eq!(header("x-accel-buffering"), Some("no"), "{what}");
        Self {
            response,
            received: Vec::new(),
            what: what.to_owned(),
        }
    }

    /// The headers of the answer.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// The next block; `None` at the end.
    pub async fn block(&mut self) -> Option<Block> {
        let text = tokio::time::timeout(PATIENCE, self.text()).await;
        text.unwrap_or_else(|_| panic!("{}: nothing comes", self.what))
            .map(|text| Block::read(&text))
    }

    /// The next block, however long it takes.
    pub async fn block_whenever(&mut self) -> Option<Block> {
        self.text().await.map(|text| Block::read(&text))
    }

    /// The next event, past everything else.
    pub async fn event(&mut self) -> Block {
        loop {
            let block = self.block().await;
            let block = block.unwrap_or_else(|| panic!("{}: it ended", self.what));
            if block.data.is_some() {
                return block;
            }
        }
    }

    /// The next events, up to the one with this id.
    pub async fn events_up_to(&mut self, id: i64) -> Vec<Block> {
        let mut events = Vec::new();
        while events.last().is_none_or(|last: &Block| last.id < Some(id)) {
            events.push(self.event().await);
        }
        events
    }

    /// Everything up to the end.
    pub async fn rest(mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        while let Some(block) = self.block().await {
            blocks.push(block);
        }
        blocks
    }

    async fn text(&mut self) -> Option<String> {
        loop {
            let end = self.received.windows(2).position(|pair| pair == b"\n\n");
            if let Some(end) = end {
                let rest = self.received.split_off(end + 2);
                let block = std::mem::replace(&mut self.received, rest);
                return Some(String::from_utf8(block).expect("a stream is UTF-8"));
            }
            let piece = self.response.chunk().await;
            match piece.unwrap_or_else(|error| panic!("{}: broken off: {error:?}", self.what)) {
                Some(piece) => self.received.extend_from_slice(&piece),
                None => {
                    assert!(self.received.is_empty(), "{}: ends within a block", self.what);
                    return None;
                }
            }
        }
    }
}
