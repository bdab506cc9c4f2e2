//! Names, profiles, and guests who become registered.

use quartett_api::Code;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Player, Service, json, nothing, problem};

const PASSWORD: &str = "twelve grey geese";

#[tokio::test]
async fn a_profile_is_changed_and_seen_by_others() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let bob = service.guest("Bob").await;
    let change = async |body: Value| service.send(&ann, Method::PATCH, "/v1/me", &body).await;

    let me = json(change(json!({"display_name": "Zoe\u{308} K"})).await, 200).await;
    assert_eq!(
        (&me["display_name"], &me["locale"]),
        (&json!("Zo\u{eb} K"), &json!("en"))
    );
    let me = json(change(json!({"locale": "de-CH"})).await, 200).await;
    assert_eq!(
        (&me["display_name"], &me["locale"]),
        (&json!("Zo\u{eb} K"), &json!("de-CH"))
    );
    assert_eq!(json(change(json!({})).await, 200).await, me);

    let path = format!("/v1/players/{}", ann.id);
    let seen = json(service.call(&bob, Method::GET, &path).await, 200).await;
    assert_eq!(
        seen,
        json!({"player_id": ann.id, "display_name": "Zo\u{eb} K", "kind": "guest",
               "created_at": "2026-07-01T12:00:00.000Z"})
    );
    for id in ["018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10", "me"] {
        let answer = service
            .call(&bob, Method::GET, &format!("/v1/players/{id}"))
            .await;
        problem(answer, Code::NotFound).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn nothing_else_of_a_profile_can_be_changed() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    for member in [
        "kind",
        "player_id",
        "username",
        "created_at",
        "password_hash",
        "revision",
    ] {
        let answer = service
            .send(&ann, Method::PATCH, "/v1/me", &json!({member: "registered"}))
            .await;
        let told = problem(answer, Code::InvalidBody).await;
        assert_eq!(told["errors"][0]["pointer"], format!("/{member}"));
        let answer = service
            .post("/v1/auth/guest", &json!({member: "registered"}))
            .await;
        problem(answer, Code::InvalidBody).await;
        let mut body = json!({"username": "somebody", "password": PASSWORD});
        if body.get(member).is_none() {
            body[member] = json!("registered");
            problem(service.post("/v1/auth/register", &body).await, Code::InvalidBody).await;
            let answer = service.send(&ann, Method::POST, "/v1/me/upgrade", &body).await;
            problem(answer, Code::InvalidBody).await;
        }
    }
    let me = json(service.call(&ann, Method::GET, "/v1/me").await, 200).await;
    assert_eq!(me["kind"], "guest");
    service.stop().await;
}

#[tokio::test]
async fn names_that_deceive_are_refused() {
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    for name in [
        "A",
        " Ann",
        "Ann ",
        "A  B",
        "A\tB",
        "Ann\u{200b}",
        "\u{202e}nnA",
        "\u{2066}Ann",
        "Ann\u{a0}",
        "\u{3000}Ann",
        "A\u{ad}nn",
        "\u{3164}\u{3164}",
        "e\u{301}",
        &"a".repeat(31),
        &"\u{fb2c}".repeat(11),
    ] {
        let answer = service
            .post("/v1/auth/guest", &json!({"display_name": name}))
            .await;
        assert_eq!(answer.status(), 400, "{name:?}");
        let told = problem(answer, Code::InvalidBody).await;
        assert_eq!(told["errors"][0]["pointer"], "/display_name", "{name:?}");
    }
    for name in ["Li", "Åsa Ö.", "李 小龍", "Ann 🎴", &"a".repeat(30), "O'Neil-Żak"] {
        let pair = json(
            service
                .post("/v1/auth/guest", &json!({"display_name": name}))
                .await,
            201,
        )
        .await;
        assert_eq!(pair["player"]["display_name"], name);
    }
    service.stop().await;
}

#[tokio::test]
async fn a_username_is_unique_whatever_its_case() {
    let service = Service::start(&[]).await;
    service.registered("Ann_K", PASSWORD).await;
    let again = json!({"username": "aNN_k", "password": PASSWORD});
    problem(
        service.post("/v1/auth/register", &again).await,
        Code::UsernameTaken,
    )
    .await;
    let guest = service.guest("Gus").await;
    let answer = service.send(&guest, Method::POST, "/v1/me/upgrade", &again).await;
    problem(answer, Code::UsernameTaken).await;
    for wrong in ["ab", "ann k", "Änn", "ann\u{0}", "аnn", &"a".repeat(31)] {
        let body = json!({"username": wrong, "password": PASSWORD});
        problem(service.post("/v1/auth/register", &body).await, Code::InvalidBody).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn two_who_want_one_username_at_once_get_it_once() {
    let service = Service::start(&[]).await;
    let body = json!({"username": "ann_k", "password": PASSWORD});
    let tries = (0..4).map(|_| service.post("/v1/auth/register", &body));
    let mut statuses: Vec<u16> = futures_util::future::join_all(tries)
        .await
        .iter()
        .map(|answer| answer.status().as_u16())
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409]);
    service.stop().await;
}

#[tokio::test]
async fn a_guest_becomes_registered_and_stays_the_same_player() {
    let service = Service::start(&[]).await;
    let guest = service.guest("Gus").await;
    let body = json!({"username": "Gus_1", "password": PASSWORD});
    let upgrade = async |player: &Player, body: &Value| {
        service.send(player, Method::POST, "/v1/me/upgrade", body).await
    };
    let common = json!({"username": "Gus_1", "password": "gus_1gus_1"});
    problem(upgrade(&guest, &common).await, Code::PasswordCommon).await;

    let pair = json(upgrade(&guest, &body).await, 200).await;
    assert_eq!(pair["player"]["player_id"], guest.id);
    assert_eq!(pair["player"]["kind"], "registered");
    assert_eq!(pair["player"]["username"], "Gus_1");
    assert_eq!(pair["player"]["display_name"], "Gus");
    let upgraded: Player = pair.into();
    // The same session goes on.
    let listed = json(
        service.call(&upgraded, Method::GET, "/v1/auth/sessions").await,
        200,
    )
    .await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    assert_eq!(service.call(&guest, Method::GET, "/v1/me").await.status(), 200);

    // A lost answer is asked for again; other credentials do not replace the first.
    json(upgrade(&guest, &body).await, 200).await;
    let other = json!({"username": "Gus_2", "password": PASSWORD});
    problem(upgrade(&guest, &other).await, Code::AlreadyRegistered).await;
    let other = json!({"username": "gus_1", "password": "nine green herons"});
    problem(upgrade(&guest, &other).await, Code::AlreadyRegistered).await;
    json(service.post("/v1/auth/login", &body).await, 200).await;
    service.stop().await;
}

#[tokio::test]
async fn an_upgrade_whose_answer_is_lost_signs_nobody_out() {
    let service = Service::start(&[]).await;
    let guest = service.guest("Gus").await;
    let body = json!({"username": "Gus_1", "password": PASSWORD});
    json(
        service.send(&guest, Method::POST, "/v1/me/upgrade", &body).await,
        200,
    )
    .await;
    service.clock.advance(3 * 24 * 3_600_000);
    let next: Player = json(service.refresh(&guest.refresh).await, 200).await.into();
    service.clock.advance(3 * 24 * 3_600_000);
    json(service.refresh(&next.refresh).await, 200).await;
    service.stop().await;
}

#[tokio::test]
async fn a_refresh_token_from_before_an_upgrade_is_spent_once_the_new_one_is_used() {
    let service = Service::start(&[]).await;
    let guest = service.guest("Gus").await;
    let body = json!({"username": "Gus_1", "password": PASSWORD});
    let upgrade = service.send(&guest, Method::POST, "/v1/me/upgrade", &body).await;
    let upgraded: Player = json(upgrade, 200).await.into();
    let next: Player = json(service.refresh(&upgraded.refresh).await, 200).await.into();
    service.clock.advance(60_000);
    problem(service.refresh(&guest.refresh).await, Code::RefreshTokenReused).await;
    problem(service.refresh(&next.refresh).await, Code::RefreshTokenInvalid).await;
    service.stop().await;
}

#[tokio::test]
async fn an_etag_saves_sending_an_account_again() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let first = service.call(&ann, Method::GET, "/v1/me").await;
    let etag = first.headers()["etag"].clone();
    let again = async || {
        let request = service.request(Method::GET, "/v1/me").bearer_auth(&ann.access);
        request
            .header("if-none-match", &etag)
            .send()
            .await
            .unwrap()
            .status()
    };
    assert_eq!(again().await, 304);
    let body = json!({"display_name": "Anna"});
    json(service.send(&ann, Method::PATCH, "/v1/me", &body).await, 200).await;
    assert_eq!(again().await, 200);
    nothing(service.call(&ann, Method::POST, "/v1/auth/logout").await).await;
    assert_eq!(again().await, 401);
    service.stop().await;
}
