//! Web frontends on other origins, and headers that make browsers careful.

use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::Service;

const OURS: [(&str, &str); 2] = [
    ("CORS_ORIGINS", "https://play.example, http://localhost:5173"),
    ("PUBLIC_URL", "https://api.play.example"),
];

async fn answer(
    service: &Service,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
) -> (StatusCode, HeaderMap) {
    let mut request = service.request(method, path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.unwrap();
    (response.status(), response.headers().clone())
}

#[tokio::test]
async fn only_the_configured_origins_may_read_answers() {
    let service = Service::start(&OURS).await;
    for origin in ["https://play.example", "http://localhost:5173"] {
        for path in ["/v1/me", "/nothing/here", "/openapi.json"] {
            let (_, headers) = answer(&service, Method::GET, path, &[("origin", origin)]).await;
            assert_eq!(headers["access-control-allow-origin"], origin, "{path}");
            assert!(headers["vary"].to_str().unwrap().contains("origin"));
            let exposed = headers["access-control-expose-headers"].to_str().unwrap();
            for name in [
                "etag",
                "location",
                "retry-after",
                "ratelimit",
                "date",
                "x-request-id",
            ] {
                assert!(exposed.contains(name), "{name} is not exposed");
            }
            assert!(!headers.contains_key("access-control-allow-credentials"));
        }
    }
    for origin in [
        "https://play.example.evil.example",
        "https://evil-play.example",
        "https://play.example:8443",
        "http://play.example",
        "https://play.example/",
        "null",
        "*",
        "",
    ] {
        let (_, headers) = answer(&service, Method::GET, "/v1/me", &[("origin", origin)]).await;
        assert!(!headers.contains_key("access-control-allow-origin"), "{origin}");
        assert!(
            headers["vary"].to_str().unwrap().contains("origin"),
            "a cache would mix origins up"
        );
        let asked = [("origin", origin), ("access-control-request-method", "GET")];
        let (status, headers) = answer(&service, Method::OPTIONS, "/v1/me", &asked).await;
        assert_eq!(status, 405);
        assert!(!headers.contains_key("access-control-allow-methods"), "{origin}");
    }
    let asked = [
        ("origin", "https://play.example"),
        ("access-control-request-method", "PUT"),
        ("access-control-request-headers", "authorization, idempotency-key"),
    ];
    let (status, headers) = answer(&service, Method::OPTIONS, "/v1/me/blocks/x", &asked).await;
    assert_eq!(status, 204);
    assert_eq!(headers["access-control-allow-origin"], "https://play.example");
    assert!(
        headers["access-control-allow-methods"]
            .to_str()
            .unwrap()
            .contains("PUT")
    );
    let allowed = headers["access-control-allow-headers"].to_str().unwrap();
    for name in [
        "authorization",
        "content-type",
        "idempotency-key",
        "if-none-match",
        "last-event-id",
    ] {
        assert!(allowed.contains(name), "{name} is not allowed");
    }
    service.stop().await;
}

#[tokio::test]
async fn without_configuration_no_origin_may() {
    let service = Service::start(&[]).await;
    for origin in ["https://play.example", "null", "http://127.0.0.1"] {
        let (_, headers) = answer(&service, Method::GET, "/v1/me", &[("origin", origin)]).await;
        assert!(!headers.contains_key("access-control-allow-origin"));
        assert!(!headers.contains_key("vary"));
    }
    service.stop().await;
}

#[tokio::test]
async fn every_answer_makes_browsers_careful() {
    let service = Service::start(&OURS).await;
    let pair = service.post("/v1/auth/guest", &json!({})).await;
    let mut answers = vec![pair.headers().clone()];
    for path in [
        "/v1/me",
        "/nothing/here",
        "/openapi.json",
        "/docs",
        "/healthz",
        "/.well-known/jwks.json",
    ] {
        answers.push(answer(&service, Method::GET, path, &[]).await.1);
    }
    answers.push(
        answer(
            &service,
            Method::POST,
            "/v1/auth/login",
            &[("content-length", "0")],
        )
        .await
        .1,
    );
    for headers in &answers {
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["referrer-policy"], "no-referrer");
        assert_eq!(headers["x-frame-options"], "DENY");
        assert_eq!(headers["strict-transport-security"], "max-age=31536000");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(headers.contains_key("cache-control"));
        assert!(!headers.contains_key("server") && !headers.contains_key("x-powered-by"));
        assert!(!headers.contains_key("set-cookie"));
    }
    // Tokens are kept by nobody on the way.
    assert_eq!(answers[0]["cache-control"], "no-store");
    service.stop().await;

    let service = Service::start(&[]).await;
    let (_, headers) = answer(&service, Method::GET, "/v1/me", &[]).await;
    assert!(
        !headers.contains_key("strict-transport-security"),
        "not without TLS"
    );
    service.stop().await;
}
