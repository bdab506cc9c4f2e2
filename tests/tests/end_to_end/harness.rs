//! The harness itself, with what needs no match.

use quartett_api::clock::ManualClock;
use quartett_tests::process::Process;
use quartett_tests::{Client, Database, Service, Setup, both};
use serde_json::json;

both!(
    players_and_strangers_are_told_apart,
    a_restart_keeps_what_was_stored,
    databases_are_not_shared,
    several_services_share_one_postgres,
    a_killed_process_leaves_what_it_stored,
    the_same_randomness_gives_the_same_answers,
);

async fn players_and_strangers_are_told_apart(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let me = ann.get("/v1/me").await.expect(200);
    assert_eq!(me.body["player_id"], ann.id.as_str());
    assert_eq!(me.body["display_name"], "Ann");
    let stranger = service.anonymous();
    stranger.get("/v1/me").await.problem(401, "unauthenticated");
    stranger
        .with_token("not.a.token")
        .get("/v1/me")
        .await
        .problem(401, "token_invalid");
    stranger.get("/healthz").await.expect(200);
    let exercised: Vec<String> = service.exercised().into_iter().collect();
    assert_eq!(exercised, ["createGuest", "getHealth", "getMe"]);
    service.stop().await;
}

async fn a_restart_keeps_what_was_stored(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let service = service.restart(&database).await;
    let ann = ann.moved_to(service.url());
    let me = ann.get("/v1/me").await.expect(200);
    assert_eq!(me.body["player_id"], ann.id.as_str());
    assert_ne!(service.player("Bob").await.id, ann.id);
    service.stop().await;
}

async fn databases_are_not_shared(database: Database) {
    let other = database.another().await;
    let one = Service::start(&database).await;
    let two = Service::start_with(
        &other,
        Setup {
            seed: 2,
            ..Setup::default()
        },
    )
    .await;
    let credentials = json!({"username": "Ann_K", "password": "twelve grey geese"});
    for service in [&one, &two] {
        let registered = service.anonymous().post("/v1/auth/register", &credentials).await;
        registered.expect(201);
    }
    let again = one.anonymous().post("/v1/auth/register", &credentials).await;
    again.problem(409, "username_taken");
    one.stop().await;
    two.stop().await;
}

async fn several_services_share_one_postgres(database: Database) {
    if !database.is_postgres() {
        return;
    }
    let one = Service::start(&database).await;
    let two = Service::start_with(
        &database,
        Setup {
            seed: 2,
            clock: one.clock().clone(),
            ..Setup::default()
        },
    )
    .await;
    let ann = one.player("Ann").await.moved_to(two.url());
    ann.get("/v1/me").await.expect(200);
    one.stop().await;
    two.stop().await;
}

async fn a_killed_process_leaves_what_it_stored(database: Database) {
    let mut process = Process::start(&database).await;
    let pair = Client::of(process.url())
        .post("/v1/auth/guest", &json!({"display_name": "Ann"}))
        .await
        .expect(201);
    process.hold_at("nowhere").await;
    let url = process.url().to_owned();
    process.kill();
    let health = Client::of(&url)
        .request(reqwest::Method::GET, "/healthz")
        .try_send()
        .await;
    assert!(health.is_err(), "it is gone");
    let process = Process::start(&database).await;
    let ann = Client::of(process.url()).signed_in(&pair.body);
    ann.get("/v1/me").await.expect(200);
}

async fn the_same_randomness_gives_the_same_answers(database: Database) {
    let other = database.another().await;
    let mut bodies = Vec::new();
    for database in [&database, &other] {
        let clock = ManualClock::at(1_800_000_000_000);
        let service = Service::start_with(
            database,
            Setup {
                clock,
                ..Setup::default()
            },
        )
        .await;
        let ann = service.player("Ann").await;
        bodies.push((ann.id.clone(), ann.get("/v1/me").await.expect(200).text));
        service.stop().await;
    }
    assert_eq!(bodies[0], bodies[1]);
}
