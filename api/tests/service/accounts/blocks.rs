//! Blocking, and taking it back.

use quartett_api::Code;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Player, Service, json, nothing, problem};

async fn blocked(service: &Service, player: &Player) -> Value {
    json(service.call(player, Method::GET, "/v1/me/blocks").await, 200).await["items"].clone()
}

#[tokio::test]
async fn players_are_blocked_and_unblocked() {
    let service = Service::start(&[]).await;
    let ann = service.guest("Ann").await;
    let bob = service.guest("Bob").await;
    let path = |id: &str| format!("/v1/me/blocks/{id}");
    assert_eq!(blocked(&service, &ann).await, json!([]));
    nothing(service.call(&ann, Method::PUT, &path(&bob.id)).await).await;
    service.clock.advance(1_000);
    nothing(service.call(&ann, Method::PUT, &path(&bob.id)).await).await;
    assert_eq!(
        blocked(&service, &ann).await,
        json!([{
            "player": {"player_id": bob.id, "display_name": "Bob", "kind": "guest",
                       "created_at": "2026-07-01T12:00:00.000Z"},
            "created_at": "2026-07-01T12:00:00.000Z",
        }])
    );
    // Whom it is about learns nothing.
    assert_eq!(blocked(&service, &bob).await, json!([]));

    problem(
        service.call(&ann, Method::PUT, &path(&ann.id)).await,
        Code::CannotBlockYourself,
    )
    .await;
    for id in ["018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10", "bob"] {
        problem(service.call(&ann, Method::PUT, &path(id)).await, Code::NotFound).await;
    }
    nothing(service.call(&ann, Method::DELETE, &path(&bob.id)).await).await;
    nothing(service.call(&ann, Method::DELETE, &path(&bob.id)).await).await;
    assert_eq!(blocked(&service, &ann).await, json!([]));
    service.stop().await;
}

#[tokio::test]
async fn a_long_list_of_blocks_comes_in_pages() {
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let ann = service.guest("Ann").await;
    let mut expected = Vec::new();
    for number in 10..15 {
        let other = service.guest(&format!("Other {number}")).await;
        let path = format!("/v1/me/blocks/{}", other.id);
        nothing(service.call(&ann, Method::PUT, &path).await).await;
        expected.push(other.id);
    }
    let mut found = Vec::new();
    let mut path = "/v1/me/blocks?limit=2".to_owned();
    loop {
        let page = json(service.call(&ann, Method::GET, &path).await, 200).await;
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= 2);
        let ids = items
            .iter()
            .map(|item| item["player"]["player_id"].as_str().unwrap());
        found.extend(ids.map(str::to_owned));
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/v1/me/blocks?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    service.stop().await;
}
