//! The embedded database cannot write: its disk is full, or somebody else holds its file.

use quartett_tests::outages::{Attempt, in_time, refused};
use quartett_tests::process::Process;
use quartett_tests::setups::small_match;
use quartett_tests::{Client, Database, Player, Service, Table, stored};
use sea_orm::ConnectionTrait;
use serde_json::json;

/// How many want to write at once.
const CROWD: usize = 12;

/// How often the disk runs full.
const FILLED: usize = 3;

async fn guest(client: &Client) -> Player {
    let body = json!({"display_name": "Guest"});
    let pair = client.post("/v1/auth/guest", &body).await.expect(201);
    client.signed_in(&pair.body)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_takes_nothing_and_loses_nothing() {
    let database = Database::sqlite();
    let process = Process::start_on_small_disk(&database).await;
    let client = Client::of(process.url());
    let players = vec![guest(&client).await, guest(&client).await];
    let table = Table::of(players, &small_match(), &[]).await;
    for _ in 0..FILLED {
        let attempt = Attempt::at(&table).await;
        process.fill_disk();
        for _ in 0..2 {
            refused(attempt.send().await);
            refused(in_time(client.post("/v1/auth/guest", &json!({"display_name": "Late"}))).await);
            refused(in_time(table.players[0].create_match(&small_match())).await);
            table.view(0).await;
        }
        process.free_disk();
        attempt.taken().await;
        let player = guest(&client).await;
        player.create_match(&small_match()).await.expect(201);
    }
    // What was acknowledged is in the file, and not only in the mind of the service.
    let before = stored::check(&database).await;
    assert_eq!(before.len(), 1 + FILLED, "the matches that were acknowledged");
    process.kill();
    let process = Process::start(&database).await;
    let table = table.moved_to(process.url());
    assert_eq!(table.view(0).await["version"], before[&table.match_id]);
    assert_eq!(stored::check(&database).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_somebody_else_writes_is_waited_for_and_given_up_on() {
    let database = Database::sqlite();
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let attempt = Attempt::at(&table).await;
    let beside = database.connect().await;
    beside
        .execute_unprepared("BEGIN IMMEDIATE")
        .await
        .expect("the file can be held");
    let first = tokio::spawn({
        let attempt = attempt.clone();
        async move { attempt.send().await }
    });
    for path in ["/healthz", "/readyz", "/v1/games"] {
        service.anonymous().get(path).await.expect(200);
        assert!(!first.is_finished(), "{path} waits for no writer");
    }
    let first = first.await.expect("an answer");
    first.problem(503, "unavailable");
    let crowd: Vec<_> = (0..CROWD)
        .map(|_| {
            let player = table.players[0].clone();
            tokio::spawn(async move { in_time(player.create_match(&small_match())).await })
        })
        .collect();
    for answer in crowd {
        refused(answer.await.expect("an answer"));
    }
    // Reading never waits for a writer.
    table.view(1).await;
    beside
        .execute_unprepared("ROLLBACK")
        .await
        .expect("the file can be let go");
    assert!(!attempt.taken().await.is_replayed(), "nothing was stored before");
    beside.close().await.expect("the connection can be closed");
    service.stop().await;
}
