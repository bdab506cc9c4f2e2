//! Two instances over one database. Only Postgres can be shared, so these do nothing on a file.

use std::time::{Duration, SystemTime};

use futures_util::future::join_all;
use quartett_api::{Application, Code, Parts, keys};
use reqwest::{Client, Method};

use crate::support::{BEGINNING_MILLIS, Home, Player, Service, json, nothing, problem};

#[expect(clippy::disallowed_methods, reason = "measures how long the machine takes")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// Both on the same clock, if the database can be shared.
async fn two() -> Option<[Service; 2]> {
    let here = Service::start(&[("RATE_LIMITS", "off")]).await;
    if !here.home.is_shared() {
        here.stop().await;
        return None;
    }
    let there = Service::start_in(&here.home, here.clock.clone(), &[("RATE_LIMITS", "off")]).await;
    Some([here, there])
}

#[tokio::test]
async fn tokens_of_one_are_good_at_the_other_also_after_a_new_key() {
    let Some([here, there]) = two().await else { return };
    let ann = here.guest("Ann").await;
    assert_eq!(there.call(&ann, Method::GET, "/v1/me").await.status(), 200);
    // An operator makes a new key beside both: who takes it up first signs with it, and the other believes it.
    let parts = Parts {
        clock: std::sync::Arc::new(here.clock.clone()),
        ..Parts::real()
    };
    here.clock.advance(5_000);
    let kid = keys::rotate(&here.home.config(&[]), &parts, false).await.unwrap();
    here.clock.advance(60_000);
    let mut answers = 0;
    while !here
        .get("/.well-known/jwks.json")
        .await
        .text()
        .await
        .unwrap()
        .contains(&kid)
    {
        answers += 1;
        assert!(answers < 5_000, "the new key was never taken up");
    }
    let next: Player = json(here.refresh(&ann.refresh).await, 200).await.into();
    for service in [&here, &there] {
        for player in [&ann, &next] {
            assert_eq!(service.call(player, Method::GET, "/v1/me").await.status(), 200);
        }
    }
    here.stop().await;
    there.stop().await;
}

#[tokio::test]
async fn refreshing_at_both_at_once_gives_one_successor() {
    let Some([here, there]) = two().await else { return };
    let ann = here.guest("Ann").await;
    let tries = (0..12).map(|number| {
        let service = if number % 2 == 0 { &here } else { &there };
        service.refresh(&ann.refresh)
    });
    let mut successors = Vec::new();
    for answer in join_all(tries).await {
        let pair: Player = json(answer, 200).await.into();
        successors.push(pair.refresh);
    }
    successors.dedup();
    assert_eq!(successors.len(), 1);
    here.stop().await;
    there.stop().await;
}

/// On the machine's clock, as it is in production.
#[tokio::test]
async fn what_ends_at_one_is_refused_at_the_other_within_two_seconds() {
    let home = Home::new().await;
    if !home.is_shared() {
        return;
    }
    let mut running = Vec::new();
    let mut urls = Vec::new();
    for _ in 0..2 {
        let application = Application::build(home.config(&[("RATE_LIMITS", "off")]), Parts::real())
            .await
            .unwrap();
        urls.push(application.url().to_owned());
        running.push((application.shutdown(), tokio::spawn(application.run())));
    }
    let client = Client::new();
    let call = async |url: &str, method: Method, path: &str, token: &str| {
        let request = client.request(method, format!("{url}{path}"));
        request.bearer_auth(token).send().await.unwrap()
    };
    let mut slowest = Duration::ZERO;
    for (method, path, status) in [
        (Method::POST, "/v1/auth/logout", 204),
        (Method::DELETE, "/v1/me", 204),
        (Method::POST, "/v1/auth/logout", 204),
    ] {
        let request = client.post(format!("{}/v1/auth/guest", urls[0])).body("{}");
        let request = request.header("content-type", "application/json");
        let player: Player = json(request.send().await.unwrap(), 201).await.into();
        assert_eq!(
            call(&urls[1], Method::GET, "/v1/me", &player.access)
                .await
                .status(),
            200
        );
        let ended = call(&urls[0], method, path, &player.access).await;
        assert_eq!(ended.status(), status);
        let began = now();
        let here = call(&urls[0], Method::GET, "/v1/me", &player.access).await;
        problem(here, Code::SessionRevoked).await;
        while call(&urls[1], Method::GET, "/v1/me/blocks", &player.access)
            .await
            .status()
            == 200
        {
            tokio::task::yield_now().await;
        }
        let took = now().duration_since(began).unwrap_or_default();
        slowest = slowest.max(took);
    }
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    for (shutdown, task) in running {
        shutdown.begin();
        task.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn another_password_at_one_ends_the_devices_at_the_other() {
    let Some([here, there]) = two().await else { return };
    let first = here.registered("Ann_K", "twelve grey geese").await;
    let body = serde_json::json!({"username": "ann_k", "password": "twelve grey geese"});
    let second: Player = json(there.post("/v1/auth/login", &body).await, 200).await.into();
    let change = serde_json::json!({
        "current_password": "twelve grey geese",
        "new_password": "nine green herons",
    });
    nothing(
        there
            .send(&second, Method::POST, "/v1/auth/password", &change)
            .await,
    )
    .await;
    problem(
        there.call(&first, Method::GET, "/v1/me").await,
        Code::SessionRevoked,
    )
    .await;
    problem(here.refresh(&first.refresh).await, Code::RefreshTokenInvalid).await;
    here.clock.advance(1_000);
    let mut answers = 0;
    while here.call(&first, Method::GET, "/v1/me").await.status() == 200 {
        answers += 1;
        assert!(answers < 5_000, "the feed never told");
    }
    assert!(quartett_api::clock::Clock::now_millis(&here.clock) <= BEGINNING_MILLIS + 2_000);
    here.stop().await;
    there.stop().await;
}
