//! Clients that hang up in the middle of a request, and a service that stops in the middle of one.

use std::sync::Arc;

use quartett_api::parts::Failpoints;
use quartett_tests::setups::{open_match, small_match, with_options};
use quartett_tests::{Database, Service, Setup, Table, at_once, both, finished, fresh_key, later};
use serde_json::json;
use tokio::sync::Notify;

both!(
    clients_that_hang_up_leave_nothing_behind,
    an_action_under_way_is_completed_when_the_service_stops,
);

/// How many hang up: far more than there are connections to a database.
const HANG_UPS: usize = 120;

async fn clients_that_hang_up_leave_nothing_behind(database: Database) {
    let service = Service::start(&database).await;
    let setup = open_match("vdb_supertrumpf", "sportwaffen", 2);
    let setup = with_options(setup, &json!({"rounds": 1000}));
    let table = Table::new(&service, &setup, &[]).await;
    let mut cut_short = 0;
    for number in 0..HANG_UPS {
        let (seat, view) = table.to_move().await;
        let version = view["version"].as_i64().expect("a version");
        let player = &table.players[seat];
        let action = &view["legal_actions"][0];
        let sent = tokio::spawn(
            player
                .act_request(&table.match_id, action, version, &fresh_key())
                .try_send(),
        );
        // Some hang up before anything is sent, some while it is judged or stored.
        for _ in 0..number * 3 {
            tokio::task::yield_now().await;
        }
        sent.abort();
        cut_short += usize::from(sent.await.is_err_and(|error| error.is_cancelled()));
    }
    assert!(cut_short > HANG_UPS / 4, "{cut_short} were cut short");
    // Every connection is whole: as many at once as there were hang-ups are answered.
    let match_id = &table.match_id;
    let asked = table.players.iter().cycle().take(HANG_UPS);
    for view in at_once::all(asked.map(|player| later!(player.view(match_id)))).await {
        view.expect(200);
    }
    let (seat, view) = table.to_move().await;
    let version = view["version"].as_i64().expect("a version");
    let action = &view["legal_actions"][0];
    let acted = table.players[seat]
        .act(&table.match_id, action, version, &fresh_key())
        .await;
    let acted = acted.expect(200);
    let entries = table.players[0].history(&table.match_id, 0).await;
    finished::check_log(&entries, acted.number("/version"));
    service.stop().await;
}

async fn an_action_under_way_is_completed_when_the_service_stops(database: Database) {
    let (reached, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (here, there) = (reached.clone(), release.clone());
    let failpoints = Failpoints::reacting(move |name| {
        let (here, there) = (here.clone(), there.clone());
        Box::pin(async move {
            if name == "before_append" {
                here.notify_one();
                there.notified().await;
            }
        })
    });
    let setup = Setup {
        failpoints,
        ..Setup::default()
    };
    let service = Service::start_with(&database, setup).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let (acted, ()) = tokio::join!(table.act(), async {
        reached.notified().await;
        service.begin_to_stop();
        // Long after what only waits would have been given up.
        service.clock().advance(5_000);
        release.notify_one();
    });
    let version = acted.number("/version");
    service.stop().await;
    let service = Service::start(&database).await;
    let table = table.moved_to(service.url());
    assert_eq!(table.view(0).await["version"], version);
    service.stop().await;
}
