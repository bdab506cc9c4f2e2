//! Passwords: hashed at the configured cost, compared in the same time, and never at the expense of those who play.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::future::join_all;
use quartett_api::Code;
use quartett_api::clock::ManualClock;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::{BEGINNING_MILLIS, Home, Player, Process, Service, json, problem};

const PASSWORD: &str = "twelve grey geese";

async fn stored_hash(home: &Home) -> String {
    let connection = home.connect().await;
    let statement = Statement::from_string(
        connection.get_database_backend(),
        "SELECT password_hash FROM players WHERE password_hash IS NOT NULL",
    );
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    let hash = row.try_get("", "password_hash").unwrap();
    connection.close().await.unwrap();
    hash
}

async fn login(service: &Service, username: &str, password: &str) -> reqwest::Response {
    let body = json!({"username": username, "password": password});
    service.post("/v1/auth/login", &body).await
}

#[expect(clippy::disallowed_methods, reason = "measures how long the machine takes")]
fn now() -> SystemTime {
    SystemTime::now()
}

fn since(began: SystemTime) -> Duration {
    now().duration_since(began).unwrap_or_default()
}

#[tokio::test]
async fn a_password_is_hashed_anew_when_the_cost_was_changed() {
    let service = Service::start(&[]).await;
    service.registered("Ann_K", PASSWORD).await;
    let (home, clock) = (service.home.clone(), service.clock.clone());
    service.stop().await;
    let first = stored_hash(&home).await;
    assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");

    let dearer = [("PASSWORD_PASSES", "3"), ("PASSWORD_MEMORY_KIB", "20000")];
    let service = Service::start_in(&home, clock.clone(), &dearer).await;
    problem(
        login(&service, "Ann_K", "twelve gray geese").await,
        Code::CredentialsInvalid,
    )
    .await;
    assert_eq!(stored_hash(&home).await, first);
    // Two at once: each replaces what the other compared with, and neither is refused for it.
    for answer in join_all([
        login(&service, "Ann_K", PASSWORD),
        login(&service, "ann_k", PASSWORD),
    ])
    .await
    {
        json(answer, 200).await;
    }
    let second = stored_hash(&home).await;
    assert!(second.starts_with("$argon2id$v=19$m=20000,t=3,p=1$"), "{second}");
    json(login(&service, "Ann_K", PASSWORD).await, 200).await;
    assert_eq!(stored_hash(&home).await, second, "hashed anew only once");
    service.stop().await;

    // And back, down to the least.
    let service = Service::start_in(&home, ManualClock::at(BEGINNING_MILLIS), &[]).await;
    json(login(&service, "Ann_K", PASSWORD).await, 200).await;
    assert!(stored_hash(&home).await.contains("m=19456,t=2,p=1"));
    service.stop().await;
}

/// It is the processor that is asked, not the clock: a machine that does other things at the moment takes longer,
/// but does not compute more.
#[tokio::test]
async fn an_unknown_name_and_a_wrong_password_look_the_same_and_cost_the_same() {
    const TRIES: usize = 25;
    /// Medians may differ by so much. Without the comparison with a decoy one of them would be near zero.
    const BOUND: f64 = 0.25;
    let home = Arc::new(Home::new().await);
    let mut process = Process::start(&home, &[("RATE_LIMITS", "off")]);
    let credentials = |username: &str, password: &str| json!({"username": username, "password": password});
    let ann = credentials("Ann_K", PASSWORD);
    json(process.post("/v1/auth/register", &ann).await, 201).await;
    let guest = json!({"display_name": "Gus"});
    json(process.post("/v1/auth/guest", &guest).await, 201).await;
    let login = async |name: &str| {
        process
            .post("/v1/auth/login", &credentials(name, "no such password"))
            .await
    };
    let mut told = Vec::new();
    for name in ["Ann_K", "nobody", "Gus"] {
        let mut body = problem(login(name).await, Code::CredentialsInvalid).await;
        body.as_object_mut().unwrap().remove("request_id");
        told.push(body);
    }
    assert!(told.windows(2).all(|pair| pair[0] == pair[1]));

    let mut costs = [Vec::new(), Vec::new()];
    for number in 0..TRIES {
        for (which, name) in [(0, "Ann_K".to_owned()), (1, format!("nobody{number}"))] {
            let before = process.processor_time();
            assert_eq!(login(&name).await.status(), 401);
            costs[which].push(process.processor_time().saturating_sub(before));
        }
    }
    let [known, unknown] = costs.map(|mut costs| {
        costs.sort_unstable();
        costs[TRIES / 2].as_secs_f64()
    });
    let difference = (known - unknown).abs() / known.max(unknown);
    assert!(difference <= BOUND, "{known} s and {unknown} s of the processor");
    process.kill();
}

/// A match of one against a bot, which goes on for hundreds of actions.
async fn new_match(service: &Service, player: &Player, number: usize) -> Value {
    let body = json!({
        "game": {"type": "vdb_supertrumpf", "vdb_supertrumpf": {"rounds": 1000}}, "deck_id": "sportwaffen",
        "seats": 2, "bots": [{"level": "easy"}], "visibility": "invite",
    });
    let request = service
        .request(Method::POST, "/v1/matches")
        .bearer_auth(&player.access)
        .header("idempotency-key", format!("flooded-match-{number:05}"))
        .json(&body);
    json(request.send().await.unwrap(), 201).await
}

#[expect(
    clippy::print_stdout,
    reason = "the figure is worth knowing where the test is run by hand"
)]
#[tokio::test]
async fn a_flood_of_sign_ins_does_not_stop_those_who_play() {
    // As many more than are compared or queue at once: half of the processors compare, 32 queue for each.
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let flood_size = (processors / 2).max(1) * 33 + 100;
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let ann = service.guest("Ann").await;
    let mut view = new_match(&service, &ann, 0).await;
    let requests: Vec<_> = (0..flood_size)
        .map(|number| {
            let body = json!({"username": format!("nobody{number}"), "password": PASSWORD});
            let request = service.request(Method::POST, "/v1/auth/login").json(&body);
            async move {
                let answer = request.send().await.unwrap();
                let retry_after = answer.headers().get("retry-after").cloned();
                (answer.status().as_u16(), retry_after)
            }
        })
        .collect();
    let flood = tokio::spawn(join_all(requests));
    let mut times = Vec::new();
    while !flood.is_finished() {
        if view["status"] != "active" {
            view = new_match(&service, &ann, times.len()).await;
        }
        let path = format!("/v1/matches/{}/actions", view["match_id"].as_str().unwrap());
        let action = json!({"action": view["legal_actions"][0], "expected_version": view["version"]});
        let request = service
            .request(Method::POST, &path)
            .bearer_auth(&ann.access)
            .header("idempotency-key", format!("flooded-action-{:05}", times.len()))
            .json(&action);
        let began = now();
        let answer = request.send().await.unwrap();
        times.push(since(began));
        view = json(answer, 200).await["view"].take();
    }
    times.sort_unstable();
    let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{} actions during the flood: median {median:?}, slowest {slowest:?}",
        times.len()
    );
    assert!(
        median < Duration::from_secs(1),
        "median {median:?} of {}",
        times.len()
    );
    assert!(
        slowest < Duration::from_secs(5),
        "slowest {slowest:?} of {}",
        times.len()
    );

    let mut compared = 0;
    for answer in flood.await.unwrap() {
        match answer {
            (401, None) => compared += 1,
            (503, Some(seconds)) => assert_eq!(seconds, "5"),
            other => panic!("{other:?}"),
        }
    }
    // Some got their turn; the queue is bounded, so not all of them did.
    assert!((1..flood_size).contains(&compared), "{compared} were compared");
    service.stop().await;
}

#[tokio::test]
async fn common_passwords_are_refused_everywhere() {
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let guest = service.guest("Gus").await;
    for password in [
        "password",
        "Password1",
        "12345678",
        "qwertyuiop",
        "iloveyou1",
        "aaaaaaaaaa",
        "Ann_K2026",
    ] {
        let body = json!({"username": "Ann_K", "password": password});
        problem(
            service.post("/v1/auth/register", &body).await,
            Code::PasswordCommon,
        )
        .await;
        let answer = service.send(&guest, Method::POST, "/v1/me/upgrade", &body).await;
        problem(answer, Code::PasswordCommon).await;
    }
    // No rules of composition: a sentence, one kind of character, any script.
    for (number, password) in [
        "twelve grey geese",
        "kzrtqvmxplw",
        "ключ под ковриком",
        "🎴🌊🐢🔑🧂🪁🎷🥝",
    ]
    .into_iter()
    .enumerate()
    {
        service.registered(&format!("player{number}"), password).await;
    }
    // The longest, and what guessing takes longest to look at.
    for (number, password) in [
        "aA1!".repeat(32),
        "p4ssw0rd".repeat(16),
        "20012002".repeat(16),
        "4@8({[<369&#6!1|".repeat(8),
    ]
    .iter()
    .enumerate()
    {
        let began = now();
        let body = json!({"username": format!("long{number}"), "password": password});
        let status = service.post("/v1/auth/register", &body).await.status().as_u16();
        assert!(matches!(status, 201 | 422));
        assert!(
            since(began) < Duration::from_secs(3),
            "{password} took {:?}",
            since(began)
        );
    }
    service.stop().await;
}
