//! Games and decks over HTTP: everything a client needs to explain a game and to show a deck.

mod decks;
mod games;
mod promised;

use crate::support::{Service, json};
use promised::{Promised, contains};
use reqwest::{Method, StatusCode};
use serde_json::Value;

impl Service {
    /// The body of a successful answer, which is of the form that the document promises for `operation`.
    pub(crate) async fn read(&self, path: &str, operation: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.headers()["content-type"], "application/json", "{path}");
        let body = json(response, 200).await;
        Promised::by_the_document().check(operation, &body);
        body
    }

    /// Checks that a client which has the answer already is told so.
    pub(crate) async fn told_only_once(&self, path: &str) {
        let first = self.get(path).await;
        assert_eq!(first.headers()["cache-control"], "private, no-cache");
        let again = self.request(Method::GET, path);
        let again = again.header("if-none-match", &first.headers()["etag"]);
        let again = again.send().await.unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
        assert_eq!(again.headers()["etag"], first.headers()["etag"]);
        assert!(again.bytes().await.unwrap().is_empty());
    }
}

/// The member `name` of every item, as text.
pub(crate) fn each<'a>(items: &'a Value, name: &str) -> Vec<&'a str> {
    let items = items.as_array().unwrap().iter();
    items.map(|item| item[name].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_examples_of_the_document_are_parts_of_real_answers() {
    let service = Service::start(&[]).await;
    let promised = Promised::by_the_document();
    let hash = promised.operation("getDeckByHash")["parameters"][0]["example"].clone();
    for (operation, path) in [
        ("listGames", "/v1/games".to_owned()),
        ("listDecks", "/v1/decks".to_owned()),
        ("getDeck", "/v1/decks/demo".to_owned()),
        (
            "getDeckByHash",
            format!("/v1/decks/by-hash/{}", hash.as_str().unwrap()),
        ),
    ] {
        let example = &promised.answer(operation)["example"];
        promised.check(operation, example);
        let answer = service.read(&path, operation).await;
        assert!(contains(&answer, example), "{operation}");
    }
    service.stop().await;
}
