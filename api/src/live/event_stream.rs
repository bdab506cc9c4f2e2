//! Server-sent events: the frame around everything that is told as it happens.
//!
//! A stream is pulled: its next piece is made when the connection can take it, from the log as it is then. A
//! slow reader keeps a number and no list, and holds nobody up. It ends by itself, with a `retry:`, when the
//! token expires, the session is revoked or the service stops.

use std::collections::BTreeMap;
use std::convert::Infallible;

use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::{RefOr, Response, ResponseBuilder};

use super::listening::{End, Listening};
use crate::app::App;
use crate::http::{NO_STORE, Problem};

/// The media type of streams.
const EVENT_STREAM: &str = "text/event-stream";

/// Something is sent at least this often, so that nobody on the way takes the connection for dead, and so that
/// a dead one is found.
const COMMENT_EVERY_MILLIS: i64 = 15_000;

/// When a client is to come back after its stream broke off.
const RETRY_MILLIS: u32 = 2_000;

/// When the service stops, its clients come back spread over so much more.
const RETRY_SPREAD_MILLIS: u32 = 2_048;

/// What a stream tells.
pub(super) trait Told: 'static {
    /// The events that are due now.
    async fn due(&mut self) -> Result<Due, Problem>;

    /// Completes when there may be others.
    async fn news(&mut self);
}

/// Events that are due.
pub(super) struct Due {
    /// None, or some in a row.
    pub(super) events: String,
    /// Whether these are all: then nothing is asked for before there is news.
    pub(super) is_all: bool,
}

/// One event.
pub(super) fn event(id: Option<u64>, name: &str, data: &impl Serialize) -> Result<String, Problem> {
    // JSON is written in one line, so it is one `data:`.
    let data = serde_json::to_string(data).map_err(Problem::internal)?;
    let id = id.map_or_else(String::new, |id| format!("id: {id}\n"));
    Ok(format!("{id}event: {name}\ndata: {data}\n\n"))
}

impl End {
    /// The last thing that is sent. For the reader of a log; a client goes by `retry:`.
    fn farewell(&self, app: &App) -> String {
        let (why, later) = match self {
            Self::Stopping => {
                let [low, high] = app.random::<2>();
                let spread = u32::from(u16::from_be_bytes([low, high])) % RETRY_SPREAD_MILLIS;
                ("the service stops", spread)
            }
            Self::Expired => ("the token has expired", 0),
            Self::Revoked => ("the session has ended", 0),
            Self::Broken(problem) => {
                tracing::debug!(%problem, cause = problem.logged_cause(), "a stream ends");
                ("ask again", 0)
            }
        };
        format!(": {why}\nretry: {}\n\n", RETRY_MILLIS + later)
    }
}

/// The answer that tells what `told` tells as long as the caller may listen.
pub(super) fn answer(listening: Listening, told: impl Told) -> HttpResponse {
    let stream = EventStream {
        comment_at: listening.app().now_millis() + COMMENT_EVERY_MILLIS,
        listening,
        told,
        stage: Stage::Opening,
        may_be_due: true,
    };
    let pieces = futures_util::stream::unfold(stream, EventStream::next);
    HttpResponse::Ok()
        .content_type(EVENT_STREAM)
        .insert_header(NO_STORE)
        // A proxy that gathers an answer before it passes it on would tell everything late.
        .insert_header(("X-Accel-Buffering", "no"))
        // Over is over: a client that comes back connects anew, and a service that stops waits for nobody.
        .force_close()
        .streaming(pieces)
}

struct EventStream<T> {
    listening: Listening,
    told: T,
    stage: Stage,
    /// Whether it is worth asking what is due.
    may_be_due: bool,
    comment_at: i64,
}

enum Stage {
    Opening,
    Telling,
    Over,
}

impl<T: Told> EventStream<T> {
    /// The next piece and the rest.
    async fn next(mut self) -> Option<(Result<web::Bytes, Infallible>, Self)> {
        let piece = match self.stage {
            Stage::Opening => {
                self.stage = Stage::Telling;
                format!("retry: {RETRY_MILLIS}\n\n")
            }
            Stage::Telling => match self.due().await {
                Ok(piece) => piece,
                Err(end) => {
                    self.stage = Stage::Over;
                    end.farewell(self.listening.app())
                }
            },
            Stage::Over => return None,
        };
        Some((Ok(piece.into()), self))
    }

    /// Waits for what is due.
    async fn due(&mut self) -> Result<String, End> {
        loop {
            // What reads is large and short-lived: in boxes, so that thousands of streams that wait do not hold
            // room for it.
            if let Some(end) = Box::pin(self.listening.end()).await {
                return Err(end);
            }
            if self.may_be_due {
                let Due { events, is_all } = Box::pin(self.told.due()).await.map_err(End::Broken)?;
                self.may_be_due = !is_all;
                if !events.is_empty() {
                    self.comment_at = self.listening.app().now_millis() + COMMENT_EVERY_MILLIS;
                    return Ok(events);
                }
            }
            let comment_due = self.listening.app().clock.sleep_until(self.comment_at);
            tokio::select! {
                () = self.told.news() => self.may_be_due = true,
                () = self.listening.may_end() => {}
                () = comment_due => {}
            }
            let now = self.listening.app().now_millis();
            if now >= self.comment_at && now < self.listening.expires_at() {
                self.comment_at = now + COMMENT_EVERY_MILLIS;
                return Ok(":\n\n".to_owned());
            }
        }
    }
}

/// How a stream stands in the document: with words and an example, since the media type has no schema.
pub(super) fn documented(description: &str, example: &'static str) -> BTreeMap<String, RefOr<Response>> {
    let content = ContentBuilder::new().example(Some(example.into())).build();
    let response = ResponseBuilder::new()
        .description(description)
        .content(EVENT_STREAM, content)
        .build();
    BTreeMap::from([("200".to_owned(), response.into())])
}
