//! A long poll tells nothing to somebody who may not be told any more: it ends with the session, and with the token.

use std::sync::Arc;
use std::time::Duration;

use quartett_api::parts::Failpoints;
use quartett_tests::setups::small_match;
use quartett_tests::{Answer, Database, Player, Service, Setup, Table, both};
use reqwest::Method;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

both!(
    a_long_poll_ends_with_the_session,
    a_long_poll_ends_with_the_session_at_another_instance,
    a_long_poll_ends_with_the_token,
    news_after_the_end_of_a_session_are_not_told,
    very_many_long_polls_of_one_session_are_refused,
);

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// So long a token is good.
const TOKEN_MILLIS: i64 = 15 * 60_000;

/// Where long polls begin to wait.
#[derive(Clone)]
struct Gate {
    arrived: Arc<Semaphore>,
    let_through: Arc<Semaphore>,
}

impl Gate {
    /// Long polls pass as long as there are permits.
    fn letting_through(permits: usize) -> Self {
        Self {
            arrived: Arc::new(Semaphore::new(0)),
            let_through: Arc::new(Semaphore::new(permits)),
        }
    }

    fn setup(&self) -> Setup {
        let gate = self.clone();
        let failpoints = Failpoints::reacting(move |reached| {
            let gate = gate.clone();
            Box::pin(async move {
                if reached == "long_poll_waits" {
                    gate.arrived.add_permits(1);
                    take(&gate.let_through, 1).await;
                }
            })
        });
        Setup {
            failpoints,
            ..Setup::default()
        }
    }

    /// Completes when so many wait.
    async fn arrived(&self, polls: u32) {
        take(&self.arrived, polls).await;
    }
}

async fn take(semaphore: &Semaphore, permits: u32) {
    let taken = semaphore.acquire_many(permits).await;
    taken.expect("a gate is never closed").forget();
}

/// Polls a match and the list of matches, which have nothing new; each poll goes on by itself.
async fn poll_both(player: &Player, match_id: &str) -> Vec<JoinHandle<Answer>> {
    let list = player.my_matches("").await.expect(200);
    let tag = list.header("etag").expect("a list has a tag").to_owned();
    let version = player.view(match_id).await.expect(200).number("/version");
    let (of_match, of_list) = (player.clone(), player.clone());
    let match_id = match_id.to_owned();
    vec![
        tokio::spawn(async move { of_match.long_poll(&match_id, version, 25).await }),
        tokio::spawn(async move {
            let list = of_list.request(Method::GET, "/v1/me/matches?wait=25");
            list.header("if-none-match", &tag).send().await
        }),
    ]
}

async fn all_end_with(polls: Vec<JoinHandle<Answer>>, code: &str) {
    for poll in polls {
        let ended = tokio::time::timeout(PATIENCE, poll).await;
        let ended = ended.expect("the poll ends").expect("polling does not panic");
        ended.problem(401, code);
    }
}

async fn sign_out(player: &Player) {
    player.post("/v1/auth/logout", &json!({})).await.expect(204);
}

async fn a_long_poll_ends_with_the_session(database: Database) {
    let gate = Gate::letting_through(4);
    let service = Service::start_with(&database, gate.setup()).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let [ann, bob] = [&table.players[0], &table.players[1]];
    let of_ann = poll_both(ann, &table.match_id).await;
    let mut of_bob = poll_both(bob, &table.match_id).await;
    gate.arrived(4).await;
    sign_out(ann).await;
    // Without any time passing.
    all_end_with(of_ann, "session_revoked").await;
    // Others wait on.
    service.clock().advance(25_000);
    let listed = of_bob.pop().expect("two polls").await.expect("an answer");
    listed.expect(304);
    let polled = of_bob.pop().expect("two polls").await.expect("an answer");
    assert!(polled.expect(200).array("/entries").is_empty());
    service.stop().await;
}

async fn a_long_poll_ends_with_the_session_at_another_instance(database: Database) {
    let gate = Gate::letting_through(2);
    let here = Service::start_with(&database, gate.setup()).await;
    if !database.is_postgres() {
        return here.stop().await;
    }
    let there = here.another(&database).await;
    let table = Table::new(&here, &small_match(), &[]).await;
    let ann = &table.players[0];
    let polls = poll_both(&ann.moved_to(there.url()), &table.match_id).await;
    gate.arrived(2).await;
    sign_out(ann).await;
    here.clock().advance(2_000);
    all_end_with(polls, "session_revoked").await;
    here.stop().await;
    there.stop().await;
}

async fn a_long_poll_ends_with_the_token(database: Database) {
    let gate = Gate::letting_through(2);
    let service = Service::start_with(&database, gate.setup()).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    service.clock().advance(TOKEN_MILLIS - 10_000);
    let polls = poll_both(&table.players[1], &table.match_id).await;
    gate.arrived(2).await;
    service.clock().advance(10_000);
    all_end_with(polls, "token_expired").await;
    service.stop().await;
}

async fn news_after_the_end_of_a_session_are_not_told(database: Database) {
    let gate = Gate::letting_through(0);
    let service = Service::start_with(&database, gate.setup()).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    // The one who waits is not the one who acts.
    let bob = &table.players[1];
    let polls = poll_both(bob, &table.match_id).await;
    gate.arrived(2).await;
    sign_out(bob).await;
    table.act().await;
    // Both have happened before the polls begin to wait.
    gate.let_through.add_permits(2);
    all_end_with(polls, "session_revoked").await;
    service.stop().await;
}

async fn very_many_long_polls_of_one_session_are_refused(database: Database) {
    let gate = Gate::letting_through(32);
    let service = Service::start_with(&database, gate.setup()).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let ann = &table.players[0];
    let mut open = Vec::new();
    for _ in 0..16 {
        open.extend(poll_both(ann, &table.match_id).await);
    }
    gate.arrived(32).await;
    for path in ["/v1/me/stream", "/v1/me/matches?wait=1"] {
        ann.get(path).await.problem(429, "rate_limited");
    }
    let history = ann.long_poll(&table.match_id, 1, 1).await;
    history.problem(429, "rate_limited");
    // What does not wait is answered, and the others play on.
    ann.view(&table.match_id).await.expect(200);
    sign_out(ann).await;
    all_end_with(open, "session_revoked").await;
    service.stop().await;
}
