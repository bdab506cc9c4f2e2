//! Refresh tokens: nobody is signed out by a bad connection, and a thief is.

use futures_util::future::join_all;
use quartett_api::Code;
use reqwest::Method;

use crate::support::{Player, Service, json, problem};

const DAY: i64 = 24 * 3_600_000;

async fn next(service: &Service, token: &str) -> Player {
    json(service.refresh(token).await, 200).await.into()
}

#[tokio::test]
async fn requests_that_refresh_at_once_get_the_same_successor() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let answers = join_all((0..8).map(|_| service.refresh(&ann.refresh))).await;
    let mut successors = Vec::new();
    for answer in answers {
        let pair: Player = json(answer, 200).await.into();
        let me = service.call(&pair, Method::GET, "/v1/me").await;
        assert_eq!(me.status(), 200);
        successors.push(pair.refresh);
    }
    successors.dedup();
    assert_eq!(successors.len(), 1);
    assert_ne!(successors[0], ann.refresh);
    // And the session goes on from there, whichever answer the app kept.
    let later = join_all((0..4).map(|_| service.refresh(&successors[0]))).await;
    for answer in later {
        json(answer, 200).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn a_lost_answer_is_given_again_days_later() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    // The phone is suspended in the middle of a refresh: the answer never arrives.
    let lost = next(&service, &ann.refresh).await;
    service.clock.advance(3 * DAY);
    let again = next(&service, &ann.refresh).await;
    assert_eq!(again.refresh, lost.refresh);
    assert_ne!(again.access, lost.access);
    assert_eq!(service.call(&again, Method::GET, "/v1/me").await.status(), 200);
    // The same once more, and only then is the successor used.
    service.clock.advance(3 * DAY);
    assert_eq!(next(&service, &ann.refresh).await.refresh, lost.refresh);
    next(&service, &lost.refresh).await;
    // An answer that was overtaken: for a minute the spent token still answers.
    service.clock.advance(59_999);
    assert_eq!(next(&service, &ann.refresh).await.refresh, lost.refresh);
    service.stop().await;
}

#[tokio::test]
async fn a_reuse_ends_the_session_at_once_and_no_other() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let bob = service.guest("Bob").await;
    let second = next(&service, &ann.refresh).await;
    let third = next(&service, &second.refresh).await;
    service.clock.advance(60_000);
    problem(service.refresh(&ann.refresh).await, Code::RefreshTokenReused).await;
    // The thief's and the owner's tokens are worth nothing any more, whoever is who.
    problem(
        service.call(&third, Method::GET, "/v1/me").await,
        Code::SessionRevoked,
    )
    .await;
    for token in [&ann.refresh, &second.refresh, &third.refresh] {
        problem(service.refresh(token).await, Code::RefreshTokenInvalid).await;
    }
    assert_eq!(service.call(&bob, Method::GET, "/v1/me").await.status(), 200);
    next(&service, &bob.refresh).await;
    service.stop().await;
}

#[tokio::test]
async fn a_token_of_two_generations_ago_is_a_reuse_too() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let mut token = ann.refresh.clone();
    for _ in 0..5 {
        service.clock.advance(DAY);
        token = next(&service, &token).await.refresh;
    }
    problem(service.refresh(&ann.refresh).await, Code::RefreshTokenReused).await;
    problem(service.refresh(&token).await, Code::RefreshTokenInvalid).await;
    service.stop().await;
}

#[tokio::test]
async fn a_guest_comes_back_after_months_but_not_after_half_a_year() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let bob = service.guest("Bob").await;
    let mut token = ann.refresh;
    for _ in 0..4 {
        service.clock.advance(170 * DAY);
        token = next(&service, &token).await.refresh;
    }
    problem(service.refresh(&bob.refresh).await, Code::RefreshTokenInvalid).await;
    service.clock.advance(180 * DAY);
    problem(service.refresh(&token).await, Code::RefreshTokenInvalid).await;
    service.stop().await;
}

#[tokio::test]
async fn only_the_hash_of_a_refresh_token_is_kept() {
    use base64::Engine;
    use sea_orm::{ConnectionTrait, Statement};
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let raw = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(&ann.refresh)
        .unwrap();
    assert_eq!(raw.len(), 32);
    let connection = service.home.connect().await;
    let statement = Statement::from_string(
        connection.get_database_backend(),
        "SELECT hash FROM refresh_tokens",
    );
    let rows = connection.query_all_raw(statement).await.unwrap();
    assert_eq!(rows.len(), 1);
    assert_ne!(rows[0].try_get::<Vec<u8>>("", "hash").unwrap(), raw);
    service.stop().await;
}

/// Hanging up in the middle leaves no transaction open and loses no session.
#[tokio::test]
async fn clients_that_hang_up_leave_everything_whole() {
    use std::io::Write;
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let ann = service.guest("Ann").await;
    let address = service.url.strip_prefix("http://").unwrap();
    let body = format!(r#"{{"refresh_token":"{}"}}"#, ann.refresh);
    for _ in 0..50 {
        let mut connection = std::net::TcpStream::connect(address).unwrap();
        let request = format!(
            "POST /v1/auth/refresh HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        connection.write_all(request.as_bytes()).unwrap();
        connection.shutdown(std::net::Shutdown::Both).unwrap();
        tokio::task::yield_now().await;
    }
    let second = next(&service, &ann.refresh).await;
    let third = next(&service, &second.refresh).await;
    assert_eq!(service.call(&third, Method::GET, "/v1/me").await.status(), 200);
    service.guest("Bob").await;
    service.stop().await;
}
