//! A database that is not what it was: an old dump under a running service, connections that are cut.

use quartett_tests::setups::{open_match, small_match, with_options};
use quartett_tests::{Database, Service, Table, both, finished, fresh_key};
use serde_json::json;

both!(
    an_old_dump_under_a_running_service_freezes_the_match,
    an_entry_that_is_gone_freezes_the_match,
);

/// Sets every match back by one entry, as restoring an old dump would.
const LOSE_THE_LAST_ENTRY: [&str; 2] = [
    "DELETE FROM match_entries WHERE version = (SELECT version FROM matches WHERE id = match_id)",
    "UPDATE matches SET version = version - 1,
         head_hash = (SELECT hash FROM match_entries e WHERE e.match_id = matches.id AND e.version = matches.version - 1)",
];

async fn an_old_dump_under_a_running_service_freezes_the_match(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    table.act().await;
    let (seat, view) = table.to_move().await;
    for statement in LOSE_THE_LAST_ENTRY {
        database.run(statement).await;
    }
    // The first look finds out; from then on nothing is shown or taken, here and after a restart.
    let player = &table.players[seat];
    player.view(&table.match_id).await.problem(503, "match_frozen");
    table.act_on(seat, &view).await.problem(503, "match_frozen");
    let service = service.restart(&database).await;
    let table = table.moved_to(service.url());
    for player in table.everyone() {
        let answer = player.view(&table.match_id).await;
        assert!(answer.header("retry-after").is_some());
        answer.problem(503, "match_frozen");
    }
    // Other matches go on.
    let other = Table::of(table.players.clone(), &small_match(), &[]).await;
    other.act().await;
    service.stop().await;
}

async fn an_entry_that_is_gone_freezes_the_match(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    table.act().await;
    let service = service.restart(&database).await;
    let table = table.moved_to(service.url());
    database.run("DELETE FROM match_entries WHERE version = 3").await;
    table.players[0]
        .view(&table.match_id)
        .await
        .problem(503, "match_frozen");
    service.stop().await;
}

/// Whoever was cut off sends the action again under its key until it is answered: each counts once.
async fn actions_through_cut_connections_count_once(database: Database) {
    let service = Service::start(&database).await;
    let setup = open_match("vdb_supertrumpf", "sportwaffen", 2);
    let table = Table::new(&service, &with_options(setup, &json!({"rounds": 1000})), &[]).await;
    let mut taken = Vec::new();
    for _ in 0..10 {
        let (seat, view) = table.to_move().await;
        let (player, key) = (table.players[seat].clone(), fresh_key());
        let (action, version) = (view["legal_actions"][0].clone(), view["version"].clone());
        let version = version.as_i64().expect("a version");
        let cut = database.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
        let sent = player.act(&table.match_id, &action, version, &key);
        let ((), mut answer) = tokio::join!(cut, sent);
        while answer.status != 200 {
            assert_eq!(answer.status, 503, "{}", answer.text);
            assert!(answer.header("retry-after").is_some());
            answer = player.act(&table.match_id, &action, version, &key).await;
        }
        assert_eq!(answer.number("/version"), version + 1);
        taken.push(action);
        // Reading meets cut connections too, until all of them have been replaced.
        while player.view(&table.match_id).await.status != 200 {}
    }
    let view = table.view(0).await;
    let entries = table.players[0].history(&table.match_id, 0).await;
    finished::check_log(&entries, view["version"].as_i64().expect("a version"));
    let stored: Vec<_> = entries.iter().filter_map(|entry| entry.get("action")).collect();
    assert_eq!(stored, taken.iter().collect::<Vec<_>>(), "each once, in order");
    service.stop().await;
}

mod postgres_alone {
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn actions_through_cut_connections_count_once() {
        if let Some(database) = quartett_tests::Database::postgres().await {
            super::actions_through_cut_connections_count_once(database).await;
        }
    }
}
