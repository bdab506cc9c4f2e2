//! Taking everything along, and leaving for good.

use futures_util::future::join;
use quartett_api::Code;
use reqwest::Method;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::{Value, json};

use crate::support::{Player, Service, json, nothing, problem};

const PASSWORD: &str = "twelve grey geese";

async fn take_seat(connection: &DatabaseConnection, match_id: uuid::Uuid, player: &Player) {
    let statement = Statement::from_sql_and_values(
        connection.get_database_backend(),
        "INSERT INTO match_seats (match_id, seat, player_id, kind) VALUES ($1, 0, $2, 1)",
        [match_id.into(), uuid::Uuid::parse_str(&player.id).unwrap().into()],
    );
    connection.execute_raw(statement).await.unwrap();
}

async fn count(connection: &DatabaseConnection, query: &str) -> i64 {
    let statement = Statement::from_string(connection.get_database_backend(), query);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

async fn export(service: &Service, player: &Player) -> Value {
    json(service.call(player, Method::GET, "/v1/me/export").await, 200).await
}

#[tokio::test]
async fn an_export_holds_everything_about_the_caller_and_nothing_of_others() {
    let service = Service::start(&[]).await;
    let ann = service.registered("Ann_K", PASSWORD).await;
    let body = json!({"username": "ann_k", "password": PASSWORD, "device_name": "an old phone"});
    let old: Player = json(service.post("/v1/auth/login", &body).await, 200)
        .await
        .into();
    nothing(service.call(&old, Method::POST, "/v1/auth/logout").await).await;
    let bob = service.guest("Bob").await;
    let cat = service.guest("Cat").await;
    nothing(
        service
            .call(&ann, Method::PUT, &format!("/v1/me/blocks/{}", bob.id))
            .await,
    )
    .await;
    nothing(
        service
            .call(&cat, Method::PUT, &format!("/v1/me/blocks/{}", ann.id))
            .await,
    )
    .await;
    let connection = service.home.connect().await;
    let [first, second, foreign] = [1, 2, 3].map(uuid::Uuid::from_u128);
    take_seat(&connection, first, &ann).await;
    take_seat(&connection, second, &ann).await;
    take_seat(&connection, foreign, &bob).await;

    let export = export(&service, &ann).await;
    assert_eq!(export["exported_at"], "2026-07-01T12:00:00.000Z");
    assert_eq!(export["player"]["username"], "Ann_K");
    let sessions = export["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    let ended = sessions
        .iter()
        .find(|session| session.get("ended_at").is_some())
        .unwrap();
    assert_eq!(
        (&ended["device_name"], &ended["current"]),
        (&json!("an old phone"), &json!(false))
    );
    assert_eq!(export["blocks"][0]["player"]["player_id"], bob.id);
    assert_eq!(export["blocks"].as_array().unwrap().len(), 1);
    assert_eq!(
        export["matches"],
        json!([
            {"match_id": second, "link": format!("/v1/matches/{second}")},
            {"match_id": first, "link": format!("/v1/matches/{first}")},
        ])
    );
    // Who blocks the caller, and what only proves who is who, are not told.
    let text = export.to_string();
    for hidden in [
        cat.id.as_str(),
        "argon2",
        "hash",
        &ann.refresh,
        &foreign.to_string(),
    ] {
        assert!(!text.contains(hidden), "{hidden}");
    }
    service.stop().await;
}

#[tokio::test]
async fn whoever_leaves_is_gone_at_once_and_everywhere() {
    let service = Service::start(&[]).await;
    let ann = service.registered("Ann_K", PASSWORD).await;
    let body = json!({"username": "ann_k", "password": PASSWORD, "device_name": "Ann's own phone"});
    let phone: Player = json(service.post("/v1/auth/login", &body).await, 200)
        .await
        .into();
    let bob = service.guest("Bob").await;
    let block = |id: &str| format!("/v1/me/blocks/{id}");
    nothing(service.call(&ann, Method::PUT, &block(&bob.id)).await).await;
    nothing(service.call(&bob, Method::PUT, &block(&ann.id)).await).await;

    let ticket = json!({"game": "pairs", "seats": 2});
    let ticket = service
        .send(&ann, Method::POST, "/v1/matchmaking/tickets", &ticket)
        .await;
    let ticket = json(ticket, 201).await;
    let held = export(&service, &ann).await["tickets"].clone();
    assert_eq!(held[0]["ticket_id"], ticket["ticket_id"]);

    nothing(service.call(&phone, Method::DELETE, "/v1/me").await).await;
    for player in [&phone, &ann] {
        for (method, path) in [
            (Method::GET, "/v1/me"),
            (Method::DELETE, "/v1/me"),
            (Method::GET, "/v1/me/export"),
        ] {
            problem(service.call(player, method, path).await, Code::SessionRevoked).await;
        }
        problem(service.refresh(&player.refresh).await, Code::RefreshTokenInvalid).await;
    }
    let credentials = json!({"username": "ann_k", "password": PASSWORD});
    problem(
        service.post("/v1/auth/login", &credentials).await,
        Code::CredentialsInvalid,
    )
    .await;
    let profile = service
        .call(&bob, Method::GET, &format!("/v1/players/{}", ann.id))
        .await;
    problem(profile, Code::NotFound).await;
    assert_eq!(export(&service, &bob).await["blocks"], json!([]));
    problem(
        service.call(&bob, Method::PUT, &block(&ann.id)).await,
        Code::NotFound,
    )
    .await;

    let connection = service.home.connect().await;
    for (query, expected) in [
        (
            "SELECT COUNT(*) FROM players WHERE erased_at IS NOT NULL AND display_name = '' AND locale = ''",
            1,
        ),
        (
            "SELECT COUNT(*) FROM players WHERE lower(username) LIKE '%ann%' OR lower(username_shown) LIKE '%ann%'",
            0,
        ),
        (
            "SELECT COUNT(*) FROM players WHERE lower(display_name) LIKE '%ann%'",
            0,
        ),
        ("SELECT COUNT(*) FROM players WHERE password_hash IS NOT NULL", 0),
        ("SELECT COUNT(*) FROM sessions WHERE device_name LIKE '%Ann%'", 0),
        (
            "SELECT COUNT(*) FROM sessions WHERE length(salt) = 0 AND revoked_at IS NOT NULL",
            2,
        ),
        ("SELECT COUNT(*) FROM refresh_tokens", 1),
        ("SELECT COUNT(*) FROM blocks", 0),
        ("SELECT COUNT(*) FROM tickets", 0),
    ] {
        assert_eq!(count(&connection, query).await, expected, "{query}");
    }
    // The name is free for somebody else, who is somebody else.
    let next = service.registered("ann_k", "nine green herons").await;
    assert_ne!(next.id, ann.id);
    service.stop().await;
}

#[tokio::test]
async fn a_guest_can_leave_too() {
    let service = Service::start(&[]).await;
    let gus = service.guest("Gus").await;
    nothing(service.call(&gus, Method::DELETE, "/v1/me").await).await;
    problem(service.refresh(&gus.refresh).await, Code::RefreshTokenInvalid).await;
    let connection = service.home.connect().await;
    assert_eq!(
        count(
            &connection,
            "SELECT COUNT(*) FROM players WHERE display_name <> ''"
        )
        .await,
        0
    );
    service.stop().await;
}

#[tokio::test]
async fn signing_in_at_the_moment_of_leaving_leaves_no_session() {
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let connection = service.home.connect().await;
    for number in 0..5 {
        let name = format!("player{number}");
        let ann = service.registered(&name, PASSWORD).await;
        let body = json!({"username": name, "password": PASSWORD});
        let (login, erased) = join(
            service.post("/v1/auth/login", &body),
            service.call(&ann, Method::DELETE, "/v1/me"),
        )
        .await;
        nothing(erased).await;
        if login.status() == 200 {
            let late: Player = json(login, 200).await.into();
            problem(
                service.call(&late, Method::GET, "/v1/me").await,
                Code::SessionRevoked,
            )
            .await;
        } else {
            problem(login, Code::CredentialsInvalid).await;
        }
        let query = "SELECT COUNT(*) FROM sessions WHERE revoked_at IS NULL";
        assert_eq!(count(&connection, query).await, 0);
    }
    service.stop().await;
}

/// A match of two players that has begun, seen by the one who stays.
#[tokio::test]
async fn the_name_is_gone_from_matches_too() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann Wiesengrund").await;
    let bob = service.guest("Bob").await;
    let create = async |key: &str| {
        let setup = json!({"game": {"type": "pairs"}, "deck_id": "demo", "seats": 2, "visibility": "open"});
        let created = service.create_match(&ann, key, &setup).await;
        created["match_id"].as_str().unwrap().to_owned()
    };
    let running = create("running-running-").await;
    let waiting = create("waiting-waiting-").await;
    let seats = format!("/v1/matches/{running}/seats");
    let view = json(service.send(&bob, Method::POST, &seats, &json!({})).await, 200).await;
    assert_eq!(view["seats"][0]["player"]["display_name"], "Ann Wiesengrund");

    nothing(service.call(&ann, Method::DELETE, "/v1/me").await).await;
    let view = json(
        service
            .call(&bob, Method::GET, &format!("/v1/matches/{running}"))
            .await,
        200,
    )
    .await;
    assert!(view["seats"][0].get("player").is_none(), "{view}");
    for path in [
        format!("/v1/matches/{running}"),
        format!("/v1/matches/{running}/history"),
        format!("/v1/matches/{running}/replay/{}", view["version"]),
        format!("/v1/matches/{waiting}"),
        "/v1/matches".to_owned(),
        "/v1/me/export".to_owned(),
    ] {
        let text = service.call(&bob, Method::GET, &path).await.text().await.unwrap();
        assert!(
            !text.contains("Wiesengrund") && !text.contains(&ann.id),
            "{path}: {text}"
        );
    }
    service.stop().await;
}
