//! Several instances over one Postgres: what happens on one reaches the watchers of the other, whatever becomes of
//! the notices between them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quartett_api::parts::Failpoints;
use quartett_tests::setups::small_match;
use quartett_tests::{Database, EventStream, Player, Service, Setup, Table, fresh_key};
use serde_json::Value;

/// More than the least time between two notices.
const NOTICES_MILLIS: i64 = 30;

/// How often everything that is watched is looked at.
const LOOK_MILLIS: i64 = 1_000;

/// Two instances; a table at one, and one of its players watching at the other.
struct Two {
    here: Service,
    there: Service,
    table: Table,
    version: i64,
    of_match: EventStream,
    of_player: EventStream,
}

impl Two {
    async fn new(database: &Database, failpoints: Failpoints) -> Self {
        let here = Setup {
            failpoints,
            ..Setup::default()
        };
        let here = Service::start_with(database, here).await;
        let there = Setup {
            seed: 2,
            ..Setup::default()
        };
        let there = Service::start_with(database, there).await;
        let table = Table::new(&here, &small_match(), &[]).await;
        let version = table.view(0).await["version"].as_i64().expect("a version");
        let watcher = table.players[0].moved_to(there.url());
        let mut of_match = watcher.stream(&table.match_id, 0).await;
        of_match.events_up_to(version).await;
        let mut of_player = watcher.my_stream().await;
        of_player.event().await;
        Self {
            here,
            there,
            table,
            version,
            of_match,
            of_player,
        }
    }

    /// Acts at the first instance.
    async fn act(&mut self) {
        self.version = act(&self.table).await;
        self.here.clock().advance(NOTICES_MILLIS);
    }

    /// Asserts that what happened comes next at the second, once.
    async fn arrives(&mut self) {
        let mut told: Vec<Option<i64>> = Vec::new();
        for event in self.of_match.events_up_to(self.version).await {
            told.push(event.id);
        }
        assert_eq!(told, [Some(self.version)]);
        let view = self.table.view(0).await;
        let hint = self.of_player.event().await;
        assert_eq!(hint.event.as_deref(), Some("hint"), "{hint:?}");
        let hint = hint.json();
        assert_eq!(hint["match_id"], self.table.match_id.as_str());
        assert_eq!(hint["version"], self.version);
        assert_eq!(hint["my_turn"], view["turn"]["seat"] == 0, "{view}");
    }

    async fn stop(self) {
        self.here.stop().await;
        self.there.stop().await;
    }
}

/// The seat to move does the first it can do; the version after it.
async fn act(table: &Table) -> i64 {
    let (seat, view) = table.to_move().await;
    let version = view["version"].as_i64().expect("a version");
    let player: &Player = &table.players[seat];
    let action: &Value = &view["legal_actions"][0];
    let acted = player.act(&table.match_id, action, version, &fresh_key()).await;
    acted.expect(200).number("/version")
}

/// Whoever comes to a failpoint of this name stays there while the switch is on.
fn held(name: &'static str) -> (Failpoints, Arc<AtomicBool>) {
    let switch = Arc::new(AtomicBool::new(false));
    let is_on = switch.clone();
    let failpoints = Failpoints::reacting(move |reached| {
        let stays = reached == name && is_on.load(Ordering::Relaxed);
        Box::pin(async move {
            if stays {
                std::future::pending::<()>().await;
            }
        })
    });
    (failpoints, switch)
}

/// Nothing moves the clock of the second instance, so nothing but notices can tell it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_carry_what_happens_to_other_instances() {
    let Some(database) = Database::postgres().await else {
        return;
    };
    let mut two = Two::new(&database, Failpoints::none()).await;
    for _ in 0..5 {
        two.act().await;
        two.arrives().await;
    }
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_no_notice_tells_is_found_within_a_second() {
    let Some(database) = Database::postgres().await else {
        return;
    };
    let (failpoints, lost) = held("before_notices");
    let mut two = Two::new(&database, failpoints).await;
    lost.store(true, Ordering::Relaxed);
    for _ in 0..3 {
        two.act().await;
        two.there.clock().advance(LOOK_MILLIS);
        two.arrives().await;
    }
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listener_that_lost_its_connection_listens_again_and_looks() {
    let Some(database) = Database::postgres().await else {
        return;
    };
    let mut two = Two::new(&database, Failpoints::none()).await;
    for _ in 0..3 {
        database
            .run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND application_name = 'quartett listener'",
            )
            .await;
        two.act().await;
        two.arrives().await;
        two.act().await;
        two.arrives().await;
    }
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_poll_wakes_for_what_happens_elsewhere() {
    let Some(database) = Database::postgres().await else {
        return;
    };
    let two = Two::new(&database, Failpoints::none()).await;
    let watcher = two.table.players[1].moved_to(two.there.url());
    let tag = watcher.my_matches("").await.expect(200);
    let tag = tag.header("etag").expect("a list has a tag").to_owned();
    let list = watcher
        .request(reqwest::Method::GET, "/v1/me/matches?wait=25")
        .header("if-none-match", &tag);
    let (polled, listed, version) = tokio::join!(
        watcher.long_poll(&two.table.match_id, two.version, 25),
        list.send(),
        async {
            let version = act(&two.table).await;
            two.here.clock().advance(NOTICES_MILLIS);
            version
        },
    );
    assert_eq!(polled.expect(200).array("/entries")[0]["version"], version);
    assert_eq!(listed.expect(200).array("/items")[0]["version"], version);
    two.stop().await;
}

/// The second instance knows within two seconds that a session was revoked at the first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_revoked_elsewhere_ends_its_streams() {
    let Some(database) = Database::postgres().await else {
        return;
    };
    let two = Two::new(&database, Failpoints::none()).await;
    let logout = two.table.players[0]
        .post("/v1/auth/logout", &serde_json::json!({}))
        .await;
    logout.expect(204);
    two.there.clock().advance(1_000);
    for stream in [two.of_match, two.of_player] {
        let rest = stream.rest().await;
        assert!(rest.last().is_some_and(|last| last.retry.is_some()), "{rest:?}");
    }
    two.here.stop().await;
    two.there.stop().await;
}
