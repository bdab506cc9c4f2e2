//! What has happened, in the few words that other instances are told.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::ids::{MatchId, PlayerId};
use crate::play::Table;
use quartett_engine::Status;

/// Postgres carries less than 8000 bytes in one notice.
const PAYLOAD_BYTES_MAX: usize = 7_900;

/// So many matches wait for being told of. More than that, and the others are told to look for themselves.
const PENDING_MAX: usize = 10_000;

/// That a match has a new head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub(super) struct News {
    pub(super) match_id: MatchId,
    pub(super) version: u64,
    pub(super) is_over: bool,
    /// Who holds a seat.
    pub(super) players: Vec<PlayerId>,
    /// Whose move is waited for.
    pub(super) awaited: Option<PlayerId>,
}

/// Without names, to be short.
#[derive(Serialize, Deserialize)]
struct Written(MatchId, u64, bool, Vec<PlayerId>, Option<PlayerId>);

impl From<Written> for News {
    fn from(Written(match_id, version, is_over, players, awaited): Written) -> Self {
        Self {
            match_id,
            version,
            is_over,
            players,
            awaited,
        }
    }
}

impl From<News> for Written {
    fn from(news: News) -> Self {
        let News {
            match_id,
            version,
            is_over,
            players,
            awaited,
        } = news;
        Self(match_id, version, is_over, players, awaited)
    }
}

impl News {
    /// The head of a table.
    pub(super) fn of(table: &Table) -> Self {
        let held = table.players.iter();
        let awaited = table.awaited().and_then(|turn| table.players.get(turn.seat));
        Self {
            match_id: table.id,
            version: table.version(),
            is_over: matches!(table.state.status(), Status::Ended | Status::Cancelled),
            players: held
                .filter_map(|(_, player)| player.as_ref())
                .map(|player| player.player_id)
                .collect(),
            awaited: awaited.and_then(Option::as_ref).map(|player| player.player_id),
        }
    }
}

/// What other instances are to be told: of each match the newest, and a bounded number of them.
pub(super) struct Outbox {
    pending: Mutex<Pending>,
    filled: Notify,
}

#[derive(Default)]
struct Pending {
    news: HashMap<MatchId, News>,
    /// Something could not be kept or was not sent.
    has_lost_some: bool,
}

impl Outbox {
    pub(super) fn new() -> Self {
        Self {
            pending: Mutex::default(),
            filled: Notify::new(),
        }
    }

    /// Puts news in. Never waits.
    pub(super) fn put(&self, news: News) {
        let mut pending = self.lock();
        if pending.news.len() < PENDING_MAX {
            pending.news.insert(news.match_id, news);
        } else {
            pending.has_lost_some = true;
        }
        drop(pending);
        self.filled.notify_one();
    }

    /// Notes that something taken out was not sent.
    pub(super) fn lost_some(&self) {
        self.lock().has_lost_some = true;
        self.filled.notify_one();
    }

    /// Completes when something is in it.
    pub(super) async fn filled(&self) {
        self.filled.notified().await;
    }

    /// Takes everything out, as payloads of notices.
    pub(super) fn take(&self) -> Vec<String> {
        let Pending { news, has_lost_some } = std::mem::take(&mut *self.lock());
        let mut payloads = Vec::new();
        if has_lost_some {
            payloads.push(LOOK.to_owned());
        }
        let mut payload = String::new();
        for news in news.into_values() {
            // A news item is made of ids and numbers: it can be written, and it is short.
            let Ok(item) = serde_json::to_string(&news) else {
                continue;
            };
            if payload.len() + item.len() + 2 > PAYLOAD_BYTES_MAX {
                payloads.push(closed(payload));
                payload = String::new();
            }
            payload.push(if payload.is_empty() { '[' } else { ',' });
            payload.push_str(&item);
        }
        if !payload.is_empty() {
            payloads.push(closed(payload));
        }
        payloads
    }

    /// Nothing in here can panic half-way.
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the others to look for themselves.
const LOOK: &str = "[]";

fn closed(mut payload: String) -> String {
    payload.push(']');
    payload
}

/// What a notice tells; `None` if it tells to look for oneself, or cannot be understood.
pub(super) fn read(payload: &str) -> Option<Vec<News>> {
    let news: Vec<News> = serde_json::from_str(payload).ok()?;
    (!news.is_empty()).then_some(news)
}

#[cfg(test)]
mod tests {
    use super::{News, Outbox, PAYLOAD_BYTES_MAX, PENDING_MAX, read};
    use crate::ids::{MatchId, PlayerId};
    use uuid::Uuid;

    fn news(number: usize, version: u64) -> News {
        let player = |seat: u128| PlayerId::from(Uuid::from_u128(seat));
        News {
            match_id: MatchId::from(Uuid::from_u128(number as u128)),
            version,
            is_over: false,
            players: (0..6).map(player).collect(),
            awaited: Some(player(3)),
        }
    }

    #[test]
    fn what_is_put_in_comes_out_once_in_short_payloads() {
        let outbox = Outbox::new();
        for number in 0..100 {
            outbox.put(news(number, 1));
        }
        outbox.put(news(7, 2));
        let payloads = outbox.take();
        assert!(payloads.len() > 1);
        assert!(payloads.iter().all(|payload| payload.len() <= PAYLOAD_BYTES_MAX));
        let mut told: Vec<News> = payloads
            .iter()
            .flat_map(|payload| read(payload).unwrap())
            .collect();
        told.sort_by_key(|news| news.match_id);
        let expected: Vec<News> = (0..100)
            .map(|number| news(number, if number == 7 { 2 } else { 1 }))
            .collect();
        assert_eq!(told, expected);
        assert!(outbox.take().is_empty());
    }

    #[test]
    fn too_much_says_look_for_yourselves() {
        let outbox = Outbox::new();
        for number in 0..=PENDING_MAX {
            outbox.put(news(number, 1));
        }
        let payloads = outbox.take();
        assert_eq!(read(&payloads[0]), None);
        assert_eq!(
            payloads
                .iter()
                .filter_map(|payload| read(payload))
                .flatten()
                .count(),
            PENDING_MAX
        );
        for unknown in ["", "{}", "[[1]]"] {
            assert_eq!(read(unknown), None);
        }
    }
}
