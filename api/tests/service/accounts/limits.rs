//! How much one address and one account may ask for.

use quartett_api::Code;
use reqwest::{Method, Response};
use serde_json::json;

use crate::support::{Service, json, problem};

const PROXIED: [(&str, &str); 1] = [("TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8")];

/// Makes a guest from what is said to be an address; 201, or 429.
async fn guest_from(service: &Service, forwarded: &str) -> Response {
    let request = service.request(Method::POST, "/v1/auth/guest").json(&json!({}));
    request.header("x-forwarded-for", forwarded).send().await.unwrap()
}

/// How many guests an address can make before it is slowed.
async fn quota_of(service: &Service, forwarded: impl Fn(usize) -> String) -> usize {
    for made in 0..100 {
        let answer = guest_from(service, &forwarded(made)).await;
        if answer.status() == 429 {
            return made;
        }
        assert_eq!(answer.status(), 201);
    }
    panic!("no limit in sight")
}

#[tokio::test]
async fn answers_tell_how_much_is_left() {
    let service = Service::start(&[]).await;
    let answer = service.post("/v1/auth/guest", &json!({})).await;
    assert_eq!(answer.headers()["ratelimit-policy"], "\"credentials\";q=40;w=60");
    assert_eq!(answer.headers()["ratelimit"], "\"credentials\";r=39;t=2");
    let answer = service.get("/openapi.json").await;
    assert_eq!(answer.headers()["ratelimit-policy"], "\"address\";q=1200;w=60");
    let probe = service.get("/healthz").await;
    assert!(!probe.headers().contains_key("ratelimit"));

    assert_eq!(quota_of(&service, |_| String::new()).await, 39);
    let refused = service.post("/v1/auth/guest", &json!({})).await;
    assert_eq!(refused.headers()["ratelimit"], "\"credentials\";r=0;t=60");
    assert_eq!(refused.headers()["retry-after"], "2");
    let told = problem(refused, Code::RateLimited).await;
    assert_eq!(told["retry_after_seconds"], 2);
    // Written otherwise, the path is counted all the same.
    let request = service.request(Method::POST, "/v1/auth/%67uest").json(&json!({}));
    problem(request.send().await.unwrap(), Code::RateLimited).await;
    // What needs no guessing is not held up by it.
    assert_eq!(service.get("/openapi.json").await.status(), 200);
    service.stop().await;

    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let answer = service.post("/v1/auth/guest", &json!({})).await;
    assert!(!answer.headers().contains_key("ratelimit"));
    service.stop().await;
}

#[tokio::test]
async fn nobody_invents_an_address() {
    let service = Service::start(&[]).await;
    // Without a proxy that is trusted, the header means nothing.
    assert_eq!(quota_of(&service, |n| format!("198.51.100.{n}")).await, 40);
    service.stop().await;

    let service = Service::start(&PROXIED).await;
    // What stands left of the last address that is no proxy was written by the client.
    assert_eq!(
        quota_of(&service, |n| format!("192.0.2.{n}, 198.51.100.7, 10.0.0.2")).await,
        40
    );
    assert_eq!(guest_from(&service, "198.51.100.8").await.status(), 201);
    assert_eq!(guest_from(&service, "198.51.100.7").await.status(), 429);
    service.stop().await;
}

#[tokio::test]
async fn an_ipv6_network_counts_as_one_address() {
    let service = Service::start(&PROXIED).await;
    assert_eq!(quota_of(&service, |n| format!("2001:db8:1:2:{n}::{n}")).await, 40);
    assert_eq!(guest_from(&service, "2001:db8:1:3::1").await.status(), 201);
    // IPv4 written as IPv6 is IPv4.
    assert_eq!(
        quota_of(&service, |n| format!("::ffff:203.0.113.{}", n % 2)).await,
        80
    );
    service.stop().await;
}

/// Tries to sign in from what is said to be an address.
async fn login(service: &Service, address: &str, username: &str, password: &str) -> Response {
    let body = json!({"username": username, "password": password});
    let request = service.request(Method::POST, "/v1/auth/login").json(&body);
    request.header("x-forwarded-for", address).send().await.unwrap()
}

/// How many of a thousand wrong passwords are compared.
async fn compared(service: &Service, address: impl Fn(usize) -> String, username: &str) -> usize {
    let mut compared = 0;
    for number in 0..1000 {
        let answer = login(service, &address(number), username, "wrong wrong").await;
        match answer.status().as_u16() {
            401 => compared += 1,
            429 => {}
            other => panic!("{other}"),
        }
    }
    compared
}

#[tokio::test]
async fn tries_at_one_account_are_slowed_and_the_owner_elsewhere_signs_in() {
    let service = Service::start(&PROXIED).await;
    let ann = service.registered("Ann_K", "twelve grey geese").await;
    service.registered("Bob_K", "nine green herons").await;
    // However many addresses one network has.
    let from_one_network = |number: usize| format!("198.51.100.{}", number % 250);
    for username in ["ann_k", "nobody"] {
        assert_eq!(
            compared(&service, from_one_network, username).await,
            20,
            "{username}"
        );
    }
    assert_eq!(
        compared(&service, |number| format!("2001:db8:1:{number:x}::1"), "ann_k").await,
        20
    );
    json(
        login(&service, "198.51.100.7", "bob_k", "nine green herons").await,
        200,
    )
    .await;
    // The owner is not locked out by it, at home or on another device.
    assert_eq!(service.call(&ann, Method::GET, "/v1/me").await.status(), 200);
    json(
        login(&service, "203.0.113.9", "Ann_K", "twelve grey geese").await,
        200,
    )
    .await;
    // Who sits in the same network waits shortly.
    let refused = login(&service, "198.51.100.251", "Ann_K", "twelve grey geese").await;
    assert_eq!(refused.headers()["ratelimit-policy"], "\"username\";q=20;w=120");
    let wait: i64 = refused.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(wait <= 7);
    service.clock.advance(wait * 1000);
    json(
        login(&service, "198.51.100.251", "Ann_K", "twelve grey geese").await,
        200,
    )
    .await;
    service.stop().await;
}

#[tokio::test]
async fn tries_at_one_account_are_slowed_from_wherever() {
    let service = Service::start(&PROXIED).await;
    service.registered("Ann_K", "twelve grey geese").await;
    let from_everywhere = |number: usize| format!("192.0.{}.{}", number % 250, number % 7);
    assert_eq!(compared(&service, from_everywhere, "ann_k").await, 100);
    let refused = login(&service, "203.0.113.9", "Ann_K", "twelve grey geese").await;
    assert_eq!(
        refused.headers()["ratelimit-policy"],
        "\"username-anywhere\";q=100;w=120"
    );
    service.clock.advance(2_000);
    json(
        login(&service, "203.0.113.9", "Ann_K", "twelve grey geese").await,
        200,
    )
    .await;
    service.stop().await;
}

#[tokio::test]
async fn an_account_is_counted_from_wherever() {
    let service = Service::start(&PROXIED).await;
    let ann = service.guest("Ann").await;
    let mut answered = 0;
    let refused = loop {
        let request = service.request(Method::GET, "/v1/me").bearer_auth(&ann.access);
        let address = format!("198.51.100.{}", answered % 250);
        let answer = request.header("x-forwarded-for", address).send().await.unwrap();
        if answer.status() != 200 {
            break answer;
        }
        answered += 1;
    };
    assert_eq!(answered, 600);
    assert_eq!(refused.headers()["ratelimit-policy"], "\"account\";q=600;w=60");
    problem(refused, Code::RateLimited).await;
    service.stop().await;
}

#[tokio::test]
async fn many_devices_behind_one_address_can_refresh() {
    let service = Service::start(&[]).await;
    let mut token = service.guest("Ann").await.refresh;
    for _ in 0..100 {
        let pair = json(service.refresh(&token).await, 200).await;
        token = pair["refresh_token"].as_str().unwrap().to_owned();
    }
    service.stop().await;
}
