//! Signed-in devices: listing them, and ending them at once.

use quartett_api::Code;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::{Player, Service, json, nothing, problem};

const PASSWORD: &str = "twelve grey geese";

async fn sign_in(service: &Service, device: &str) -> Player {
    let body = json!({"username": "ann_k", "password": PASSWORD, "device_name": device});
    json(service.post("/v1/auth/login", &body).await, 200)
        .await
        .into()
}

async fn sessions(service: &Service, player: &Player, query: &str) -> Value {
    let path = format!("/v1/auth/sessions{query}");
    json(service.call(player, Method::GET, &path).await, 200).await
}

async fn is_signed_in(service: &Service, player: &Player) -> bool {
    let answer = service.call(player, Method::GET, "/v1/me").await;
    if answer.status() == 200 {
        return true;
    }
    problem(answer, Code::SessionRevoked).await;
    problem(service.refresh(&player.refresh).await, Code::RefreshTokenInvalid).await;
    false
}

#[tokio::test]
async fn devices_are_listed_and_one_of_them_is_ended() {
    let service = Service::start(&[]).await;
    let first = service.registered("Ann_K", PASSWORD).await;
    service.clock.advance(60_000);
    let phone = sign_in(&service, "phone").await;
    service.clock.advance(60_000);
    let refreshed: Player = json(service.refresh(&phone.refresh).await, 200).await.into();

    let listed = sessions(&service, &refreshed, "").await;
    let items = listed["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    assert!(listed.get("next_cursor").is_none());
    assert_eq!(items[0]["device_name"], "phone");
    assert_eq!(items[0]["current"], true);
    assert_eq!(items[0]["created_at"], "2026-07-01T12:01:00.000Z");
    assert_eq!(items[0]["last_seen_at"], "2026-07-01T12:02:00.000Z");
    assert_eq!(items[1]["current"], false);
    assert!(items[1].get("device_name").is_none() && items[1].get("ended_at").is_none());

    let page = sessions(&service, &first, "?limit=1").await;
    assert_eq!(page["items"][0]["session_id"], items[0]["session_id"]);
    let cursor = page["next_cursor"].as_str().unwrap();
    let page = sessions(&service, &first, &format!("?limit=1&cursor={cursor}")).await;
    assert_eq!(page["items"][0]["session_id"], items[1]["session_id"]);
    assert!(page.get("next_cursor").is_none());
    let nonsense = service
        .call(&first, Method::GET, "/v1/auth/sessions?cursor=nonsense")
        .await;
    problem(nonsense, Code::InvalidCursor).await;

    let path = format!("/v1/auth/sessions/{}", items[0]["session_id"].as_str().unwrap());
    nothing(service.call(&first, Method::DELETE, &path).await).await;
    nothing(service.call(&first, Method::DELETE, &path).await).await;
    assert!(!is_signed_in(&service, &refreshed).await);
    assert!(is_signed_in(&service, &first).await);
    assert_eq!(
        sessions(&service, &first, "").await["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    service.stop().await;
}

#[tokio::test]
async fn nobody_ends_the_session_of_another() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let bob = service.guest("Bob").await;
    let listed = sessions(&service, &ann, "").await;
    let session_id = listed["items"][0]["session_id"].as_str().unwrap();
    for id in [session_id, "018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10", "me", "%00"] {
        let path = format!("/v1/auth/sessions/{id}");
        problem(service.call(&bob, Method::DELETE, &path).await, Code::NotFound).await;
    }
    assert!(is_signed_in(&service, &ann).await);
    // One's own may be the one that asks.
    let path = format!("/v1/auth/sessions/{session_id}");
    nothing(service.call(&ann, Method::DELETE, &path).await).await;
    assert!(!is_signed_in(&service, &ann).await);
    service.stop().await;
}

#[tokio::test]
async fn the_other_devices_are_ended_together() {
    let service = Service::start(&[]).await;
    let first = service.registered("Ann_K", PASSWORD).await;
    let phone = sign_in(&service, "phone").await;
    let tablet = sign_in(&service, "tablet").await;
    let bob = service.guest("Bob").await;
    nothing(service.call(&phone, Method::DELETE, "/v1/auth/sessions").await).await;
    assert!(!is_signed_in(&service, &first).await && !is_signed_in(&service, &tablet).await);
    assert!(is_signed_in(&service, &phone).await && is_signed_in(&service, &bob).await);
    service.stop().await;
}

#[tokio::test]
async fn another_password_ends_the_other_devices() {
    let service = Service::start(&[]).await;
    let first = service.registered("Ann_K", PASSWORD).await;
    let phone = sign_in(&service, "phone").await;
    let change = async |player: &Player, current: &str, new: &str| {
        let body = json!({"current_password": current, "new_password": new});
        service
            .send(player, Method::POST, "/v1/auth/password", &body)
            .await
    };
    problem(
        change(&phone, "twelve gray geese", "nine green herons").await,
        Code::PasswordWrong,
    )
    .await;
    problem(change(&phone, PASSWORD, "password1").await, Code::PasswordCommon).await;
    problem(change(&phone, PASSWORD, "ann_k123").await, Code::PasswordCommon).await;
    problem(change(&phone, PASSWORD, "short").await, Code::InvalidBody).await;
    assert!(is_signed_in(&service, &first).await);

    nothing(change(&phone, PASSWORD, "nine green herons").await).await;
    assert!(is_signed_in(&service, &phone).await);
    assert!(!is_signed_in(&service, &first).await);
    let login = async |password: &str| {
        let body = json!({"username": "ANN_K", "password": password});
        service.post("/v1/auth/login", &body).await
    };
    problem(login(PASSWORD).await, Code::CredentialsInvalid).await;
    json(login("nine green herons").await, 200).await;

    let guest = service.guest("Gus").await;
    problem(
        change(&guest, PASSWORD, "nine green herons").await,
        Code::GuestHasNoPassword,
    )
    .await;
    service.stop().await;
}

#[tokio::test]
async fn signing_out_works_with_an_expired_token_and_twice() {
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let ann = service.guest("Ann").await;
    service.clock.advance(16 * 60_000);
    nothing(service.call(&ann, Method::POST, "/v1/auth/logout").await).await;
    nothing(service.call(&ann, Method::POST, "/v1/auth/logout").await).await;
    problem(service.refresh(&ann.refresh).await, Code::RefreshTokenInvalid).await;

    // So long ago that even the key of its access token is gone.
    let cat = service.guest("Cat").await;
    service.clock.advance(32 * 24 * 3_600_000);
    until_keys_are_new(&service).await;
    let body = json!({"refresh_token": cat.refresh});
    nothing(service.send(&cat, Method::POST, "/v1/auth/logout", &body).await).await;
    problem(service.refresh(&cat.refresh).await, Code::RefreshTokenInvalid).await;
    problem(
        service.call(&cat, Method::POST, "/v1/auth/logout").await,
        Code::TokenInvalid,
    )
    .await;

    let bob = service.guest("Bob").await;
    let body = json!({"refresh_token": bob.refresh});
    nothing(service.post("/v1/auth/logout", &body).await).await;
    assert!(!is_signed_in(&service, &bob).await);
    nothing(
        service
            .post("/v1/auth/logout", &json!({"refresh_token": "unheard of"}))
            .await,
    )
    .await;
    problem(
        service.post("/v1/auth/logout", &json!({})).await,
        Code::Unauthenticated,
    )
    .await;
    service.stop().await;
}

/// Waits until a key was made for the moved clock, and moves it until the old one is dropped.
async fn until_keys_are_new(service: &Service) {
    let published = async || json(service.get("/.well-known/jwks.json").await, 200).await["keys"].clone();
    for count in [2, 1] {
        let mut tries = 0;
        while published().await.as_array().unwrap().len() != count {
            tries += 1;
            assert!(tries < 1_000, "never {count} keys");
        }
        service.clock.advance(31 * 60_000);
    }
}

/// What another instance does is seen by its row alone.
#[tokio::test]
async fn a_session_that_was_ended_elsewhere_is_refused_within_two_seconds() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    assert!(is_signed_in(&service, &ann).await);
    let elsewhere = service.home.connect().await;
    let statement = Statement::from_sql_and_values(
        elsewhere.get_database_backend(),
        "UPDATE sessions SET revoked_at = $1",
        [quartett_api::clock::Clock::now_millis(&service.clock).into()],
    );
    elsewhere.execute_raw(statement).await.unwrap();
    elsewhere.close().await.unwrap();
    // The clock is moved by less than two seconds in all; the rest is the machine's time for one query.
    service.clock.advance(1_000);
    let mut tries = 0;
    while is_signed_in_by_token(&service, &ann).await {
        tries += 1;
        assert!(tries < 500, "the feed never told");
        tokio::task::yield_now().await;
    }
    service.stop().await;
}

async fn is_signed_in_by_token(service: &Service, player: &Player) -> bool {
    service.call(player, Method::GET, "/v1/me").await.status() == 200
}

/// When nothing was read for five seconds, memory is not believed: the database is asked.
#[tokio::test]
async fn ended_sessions_are_forgotten_and_stay_refused() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    nothing(service.call(&ann, Method::POST, "/v1/auth/logout").await).await;
    let connection = service.home.connect().await;
    let held = async || {
        let count = Statement::from_string(
            connection.get_database_backend(),
            "SELECT (SELECT COUNT(*) FROM sessions) + (SELECT COUNT(*) FROM refresh_tokens) AS held",
        );
        let row = connection.query_one_raw(count).await.unwrap().unwrap();
        row.try_get::<i64>("", "held").unwrap()
    };
    assert_eq!(held().await, 2);
    service.clock.advance(26 * 3_600_000);
    let mut tries = 0;
    while held().await > 0 {
        tries += 1;
        assert!(tries < 5_000, "ended sessions are held for ever");
        tokio::task::yield_now().await;
    }
    problem(service.refresh(&ann.refresh).await, Code::RefreshTokenInvalid).await;
    service.stop().await;
}
