//! What tests share in which the database fails: requests that are answered in bounded time all the same, actions
//! that are sent until they are taken, and watchers who miss nothing.

use std::time::Duration;

use serde_json::Value;

use crate::{Answer, EventStream, Player, Service, Table, finished, fresh_key};

/// Whatever the database does, a request is answered in this time: the limits of the service, and some seconds for
/// a machine that does other things as well.
const ANSWER_MOST: Duration = Duration::from_secs(20);

/// A database that is well again is found in this time.
const RECOVERY_MOST: Duration = Duration::from_secs(30);

/// What it says when it cannot reach its database or does not know what that did.
const REFUSALS: [&str; 2] = ["unavailable", "outcome_unknown"];

/// The outcome, which comes in bounded time.
pub async fn in_time<T>(outcome: impl Future<Output = T>) -> T {
    let outcome = tokio::time::timeout(ANSWER_MOST, outcome).await;
    outcome.unwrap_or_else(|_| panic!("no answer within {ANSWER_MOST:?}"))
}

/// Asserts that a code tells to send the same again later.
#[track_caller]
pub fn check_refusal(code: &str) {
    assert!(REFUSALS.contains(&code), "{code}");
}

/// Asserts that an answer tells to send the same again later.
#[track_caller]
pub fn refused(answer: Answer) {
    let answer = answer.expect(503);
    check_refusal(&answer.text_at("/code"));
}

/// Asks again and again until the answer is another than to come back later.
pub async fn once_available<A: Future<Output = Answer>>(ask: impl Fn() -> A) -> Answer {
    let asking = async {
        loop {
            let answer = in_time(ask()).await;
            if answer.status != 503 {
                return answer;
            }
            check_refusal(&answer.text_at("/code"));
            tokio::task::yield_now().await;
        }
    };
    once_recovered(Box::pin(asking)).await
}

/// The outcome, which comes once the database is well again, or the fault has been met.
pub async fn once_recovered<T>(outcome: impl Future<Output = T>) -> T {
    let outcome = tokio::time::timeout(RECOVERY_MOST, outcome).await;
    outcome.unwrap_or_else(|_| panic!("the service has not recovered within {RECOVERY_MOST:?}"))
}

/// An action under a key of its own, to be sent as often as it takes.
#[derive(Clone)]
pub struct Attempt {
    player: Player,
    match_id: String,
    action: Value,
    version: i64,
    key: String,
}

impl Attempt {
    /// The first that is possible at a table.
    pub async fn at(table: &Table) -> Self {
        let (seat, view) = table.to_move().await;
        Self {
            player: table.players[seat].clone(),
            match_id: table.match_id.clone(),
            action: view["legal_actions"][0].clone(),
            version: view["version"].as_i64().expect("a version"),
            key: fresh_key(),
        }
    }

    /// Sends it.
    pub async fn send(&self) -> Answer {
        let sent = self
            .player
            .act(&self.match_id, &self.action, self.version, &self.key);
        in_time(sent).await
    }

    /// Sends it until it is taken; what is asked for counts once, however often that was.
    pub async fn taken(&self) -> Answer {
        let answer = once_available(|| self.send()).await.expect(200);
        assert_eq!(answer.number("/version"), self.version + 1);
        let again = once_available(|| self.send()).await.expect(200);
        assert!(again.is_replayed());
        let log = self.player.history(&self.match_id, 0).await;
        finished::check_log(&log, self.version + 1);
        assert_eq!(log[log.len() - 1]["action"], self.action);
        answer
    }
}

/// Somebody who follows a match by a stream, and comes back where it ends.
pub struct Watcher {
    player: Player,
    match_id: String,
    seen: i64,
    stream: EventStream,
}

impl Watcher {
    /// The player of the first seat, at another instance.
    pub async fn of(table: &Table, there: &Service) -> Self {
        let player = table.players[0].moved_to(there.url());
        let stream = player.stream(&table.match_id, 0).await;
        Self {
            stream,
            player,
            match_id: table.match_id.clone(),
            seen: 0,
        }
    }

    /// Waits until it has seen the entries up to this one, each once and in its order.
    pub async fn sees(&mut self, version: i64) {
        while self.seen < version {
            match self.stream.block().await {
                Some(block) => {
                    if let Some(id) = block.id {
                        assert_eq!(id, self.seen + 1);
                        self.seen = id;
                    }
                }
                None => self.stream = self.player.stream(&self.match_id, self.seen).await,
            }
        }
    }

    /// Asserts that an action at `here` arrives within a second of the clock, by the stream and by a long poll.
    pub async fn hears_within_a_second(&mut self, table: &Table, here: &Service) {
        let attempt = Attempt::at(table).await;
        let (version, player, match_id) = (attempt.version, self.player.clone(), self.match_id.clone());
        self.sees(version).await;
        let polled = player.long_poll(&match_id, version, 25);
        let (polled, ()) = tokio::join!(in_time(polled), async {
            attempt.send().await.expect(200);
            here.clock().advance(1_000);
        });
        assert_eq!(polled.expect(200).array("/entries")[0]["version"], version + 1);
        self.sees(version + 1).await;
    }
}
