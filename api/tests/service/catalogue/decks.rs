//! The decks: listed, shown, and by the hash of their bytes.

use super::each;
use crate::support::{Service, problem};
use quartett_api::Code;
use quartett_engine::GameKind;
use quartett_engine::deck::built_in;
use serde_json::json;
use sha2::{Digest, Sha256};

#[tokio::test]
async fn decks_are_listed_page_by_page_with_the_games_they_fit() {
    let service = Service::start(&[]).await;
    let decks = service.read("/v1/decks", "listDecks").await;
    let ids = ["wohnbau", "sportwaffen", "demo", "ties"];
    assert_eq!(each(&decks["items"], "deck_id"), ids);
    assert!(decks.get("next_cursor").is_none());
    for (deck, listed) in built_in().iter().zip(decks["items"].as_array().unwrap()) {
        assert_eq!(listed["hash"], hex::encode(deck.hash()));
        assert_eq!(listed["card_count"], deck.size());
        let fitting = GameKind::ALL.into_iter().filter(|game| deck.fits(*game).is_ok());
        assert_eq!(
            each(&listed["games"], "game"),
            fitting.map(GameKind::id).collect::<Vec<_>>()
        );
    }

    let mut paged = Vec::new();
    let mut path = "/v1/decks?limit=3".to_owned();
    loop {
        let page = service.read(&path, "listDecks").await;
        paged.extend(page["items"].as_array().unwrap().clone());
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        path = format!("/v1/decks?limit=3&cursor={cursor}");
    }
    assert_eq!(json!(paged), decks["items"]);
    problem(service.get("/v1/decks?limit=0").await, Code::InvalidQuery).await;
    problem(service.get("/v1/decks?cursor=x").await, Code::InvalidCursor).await;
    // A cursor that names a deck nobody offers.
    problem(
        service.get("/v1/decks?cursor=Im5vbmUi").await,
        Code::InvalidCursor,
    )
    .await;
    service.told_only_once("/v1/decks").await;
    service.stop().await;
}

#[tokio::test]
async fn a_deck_is_its_document_with_hash_and_marks_and_the_hash_is_that_of_the_bytes() {
    let service = Service::start(&[]).await;
    for deck in built_in() {
        let id = &deck.document().deck_id;
        let mut shown = service.read(&format!("/v1/decks/{id}"), "getDeck").await;
        let hash = shown["hash"].as_str().unwrap().to_owned();

        let path = format!("/v1/decks/by-hash/{hash}");
        let exact = service.get(&path).await;
        assert_eq!(
            exact.headers()["cache-control"],
            "public, max-age=31536000, immutable"
        );
        let bytes = exact.bytes().await.unwrap();
        assert_eq!(hex::encode(Sha256::digest(&bytes)), hash, "{id}");
        let document = service.read(&path, "getDeckByHash").await;

        // The marks and the hash are all that the service adds, and an empty list of sources.
        let mut marks = 0;
        for card in shown["cards"].as_array_mut().unwrap() {
            for value in card["values"].as_array_mut().unwrap() {
                let value = value.as_object_mut().unwrap();
                marks += usize::from(value.remove("supertrumpf") == Some(json!(true)));
            }
        }
        assert!(
            marks >= deck.document().attributes.len(),
            "{id}: one in each attribute"
        );
        let shown = shown.as_object_mut().unwrap();
        shown.remove("hash");
        if shown["credits"] == json!([]) {
            shown.remove("credits");
        }
        assert_eq!(&json!(shown), &document, "{id}");
    }
    service.told_only_once("/v1/decks/wohnbau").await;
    service.stop().await;
}

#[tokio::test]
async fn marks_stand_on_the_best_values() {
    let service = Service::start(&[]).await;
    let deck = service.read("/v1/decks/wohnbau", "getDeck").await;
    let values_of = |attribute: &str| -> Vec<(i64, bool)> {
        let cards = deck["cards"].as_array().unwrap().iter();
        let values = cards.flat_map(|card| card["values"].as_array().unwrap());
        let of = values.filter(|value| value["attribute"] == attribute);
        of.map(|value| {
            let number = value["value"].as_str().unwrap().parse().unwrap();
            (number, value["supertrumpf"].as_bool().unwrap())
        })
        .collect()
    };
    for (attribute, best) in [
        (
            "dwellings",
            values_of("dwellings").into_iter().map(|of| of.0).max(),
        ),
        ("year", values_of("year").into_iter().map(|of| of.0).min()),
    ] {
        for (value, marked) in values_of(attribute) {
            assert_eq!(marked, Some(value) == best, "{attribute} {value}");
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn what_is_no_deck_is_not_found() {
    let service = Service::start(&[]).await;
    let hash = hex::encode(built_in()[0].hash());
    for path in [
        "/v1/decks/none",
        "/v1/decks/WOHNBAU",
        "/v1/decks/by-hash",
        "/v1/decks/by-hash/demo",
        &format!("/v1/decks/by-hash/{}", hash.to_uppercase()),
        &format!("/v1/decks/by-hash/{}", "0".repeat(64)),
    ] {
        problem(service.get(path).await, Code::NotFound).await;
    }
    service.stop().await;
}
