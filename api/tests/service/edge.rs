//! What every request meets, whatever it asks for: one form for all errors, and headers that keep it safe.

use crate::support::{Service, problem};
use quartett_api::{Application, Code, Config, Parts};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

#[tokio::test]
async fn every_error_is_a_problem() {
    let service = Service::start(&[]).await;
    problem(service.get("/nothing/here").await, Code::NotFound).await;
    problem(service.get("/v1").await, Code::NotFound).await;
    problem(service.get("/problems/unheard_of").await, Code::NotFound).await;
    problem(service.get("/v1/me").await, Code::Unauthenticated).await;
    let wrong_method = service
        .request(Method::DELETE, "/openapi.json")
        .send()
        .await
        .unwrap();
    assert_eq!(wrong_method.headers()["allow"], "GET, HEAD");
    problem(wrong_method, Code::MethodNotAllowed).await;
    let wrong_method = service.get("/v1/auth/guest").await;
    assert_eq!(wrong_method.headers()["allow"], "POST");
    problem(wrong_method, Code::MethodNotAllowed).await;

    let post = || service.request(Method::POST, "/v1/auth/guest");
    problem(
        post().body("{}").send().await.unwrap(),
        Code::UnsupportedMediaType,
    )
    .await;
    let json = || post().header("content-type", "application/json");
    problem(json().body("{").send().await.unwrap(), Code::InvalidBody).await;
    problem(json().body("\u{0}").send().await.unwrap(), Code::InvalidBody).await;
    problem(
        json().body(vec![b' '; 64 * 1024 + 1]).send().await.unwrap(),
        Code::BodyTooLarge,
    )
    .await;
    let body = problem(
        json().body(r#"{"display_name":null}"#).send().await.unwrap(),
        Code::InvalidBody,
    )
    .await;
    assert_eq!(body["errors"][0]["pointer"], "/display_name");
    service.stop().await;
}

#[tokio::test]
async fn a_request_id_is_never_taken_from_the_client() {
    let service = Service::start(&[]).await;
    let ours = "mine-mine-mine-mine";
    let response = service
        .request(Method::GET, "/healthz")
        .header("x-request-id", ours)
        .send()
        .await
        .unwrap();
    assert_ne!(response.headers()["x-request-id"], ours);
    service.stop().await;
}

#[tokio::test]
async fn what_can_be_read_can_be_asked_about() {
    let service = Service::start(&[]).await;
    let head = service
        .request(Method::HEAD, "/openapi.json")
        .send()
        .await
        .unwrap();
    assert_eq!(head.status(), StatusCode::OK);
    let etag = head.headers()["etag"].clone();
    assert!(head.bytes().await.unwrap().is_empty());
    let known = service
        .request(Method::GET, "/openapi.json")
        .header("if-none-match", etag)
        .send()
        .await
        .unwrap();
    assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
    service.stop().await;
}

#[tokio::test]
async fn an_address_that_asks_too_much_is_slowed_and_told_how_long() {
    let service = Service::start(&[]).await;
    let mut answers = 0;
    let refused = loop {
        let response = service.post("/v1/auth/guest", &json!({})).await;
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            break response;
        }
        assert_eq!(response.status(), StatusCode::CREATED);
        assert!(response.headers().contains_key("ratelimit"));
        assert!(response.headers().contains_key("ratelimit-policy"));
        answers += 1;
        assert!(answers < 1000, "no limit in sight");
    };
    let wait_seconds: i64 = refused.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    problem(refused, Code::RateLimited).await;
    service.clock.advance(wait_seconds * 1000);
    assert_eq!(
        service.post("/v1/auth/guest", &json!({})).await.status(),
        StatusCode::CREATED
    );
    service.stop().await;
}

#[tokio::test]
async fn only_named_origins_may_read_answers() {
    let service = Service::start(&[("CORS_ORIGINS", "https://play.example")]).await;
    let from = |origin: &'static str| service.request(Method::GET, "/v1/me").header("origin", origin);
    let named = from("https://play.example").send().await.unwrap();
    assert_eq!(
        named.headers()["access-control-allow-origin"],
        "https://play.example"
    );
    let other = from("https://evil.example").send().await.unwrap();
    assert!(!other.headers().contains_key("access-control-allow-origin"));
    let preflight = service
        .request(Method::OPTIONS, "/v1/me")
        .header("origin", "https://play.example")
        .header("access-control-request-method", "GET")
        .send()
        .await
        .unwrap();
    assert_eq!(preflight.status(), StatusCode::NO_CONTENT);
    assert!(preflight.headers().contains_key("access-control-allow-headers"));
    service.stop().await;
}

#[tokio::test]
async fn a_token_lives_fifteen_minutes_and_ends_with_its_session() {
    let service = Service::start(&[]).await;
    let pair: Value = service
        .post("/v1/auth/guest", &json!({"display_name": "Ann"}))
        .await
        .json()
        .await
        .unwrap();
    let token = pair["access_token"].as_str().unwrap();
    let me = || service.request(Method::GET, "/v1/me").bearer_auth(token).send();
    let answer = me().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["created_at"], "2026-07-01T12:00:00.000Z");
    assert_eq!(answer, pair["player"]);

    service.clock.advance(15 * 60 * 1000);
    problem(me().await.unwrap(), Code::TokenExpired).await;
    let next: Value = service
        .post(
            "/v1/auth/refresh",
            &json!({"refresh_token": pair["refresh_token"]}),
        )
        .await
        .json()
        .await
        .unwrap();
    let token = next["access_token"].as_str().unwrap();
    let signed_out = service
        .request(Method::POST, "/v1/auth/logout")
        .bearer_auth(token)
        .send()
        .await
        .unwrap();
    assert_eq!(signed_out.status(), StatusCode::NO_CONTENT);
    let after = service
        .request(Method::GET, "/v1/me")
        .bearer_auth(token)
        .send()
        .await
        .unwrap();
    problem(after, Code::SessionRevoked).await;
    let gone = service
        .post(
            "/v1/auth/refresh",
            &json!({"refresh_token": next["refresh_token"]}),
        )
        .await;
    problem(gone, Code::RefreshTokenInvalid).await;
    service.stop().await;
}

#[tokio::test]
async fn a_stolen_refresh_token_ends_the_session() {
    let service = Service::start(&[]).await;
    let refresh = async |token: &Value| {
        service
            .post("/v1/auth/refresh", &json!({"refresh_token": token}))
            .await
    };
    let first: Value = service
        .post("/v1/auth/guest", &json!({}))
        .await
        .json()
        .await
        .unwrap();
    let second: Value = refresh(&first["refresh_token"]).await.json().await.unwrap();
    service.clock.advance(3 * 24 * 3_600_000);
    let again: Value = refresh(&first["refresh_token"]).await.json().await.unwrap();
    assert_eq!(
        again["refresh_token"], second["refresh_token"],
        "a lost answer is given again, days later"
    );
    let third: Value = refresh(&second["refresh_token"]).await.json().await.unwrap();
    service.clock.advance(60_000);
    problem(refresh(&first["refresh_token"]).await, Code::RefreshTokenReused).await;
    problem(refresh(&third["refresh_token"]).await, Code::RefreshTokenInvalid).await;
    service.stop().await;
}

#[tokio::test]
async fn a_seal_key_that_does_not_open_the_keys_stops_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q.db");
    let database = format!("sqlite://{}", path.display());
    let start = async || {
        let config = Config::read(|name| match name {
            "DATABASE_URL" => Some(database.clone()),
            "LISTEN" => Some("127.0.0.1:0".to_owned()),
            _ => None,
        });
        Application::build(config.unwrap(), Parts::real())
            .await
            .map(drop)
            .map_err(|error| error.to_string())
    };
    start().await.unwrap();
    let key_file = folder.path().join("q.db.seal-key");
    let key = std::fs::read_to_string(&key_file).unwrap();
    std::fs::write(&key_file, "ab".repeat(32)).unwrap();
    assert!(start().await.unwrap_err().contains("cannot open signing key"));
    std::fs::remove_file(&key_file).unwrap();
    assert!(start().await.unwrap_err().contains("is missing"));
    assert!(!key_file.exists(), "no new key was made");
    std::fs::write(&key_file, key).unwrap();
    start().await.unwrap();
}
