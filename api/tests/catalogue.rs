//! Games and decks over HTTP: everything a client needs to explain a game and to show a deck.

#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps says what it expects by failing there"
)]

use std::sync::Arc;

use quartett_api::clock::{ManualClock, SeededRandomness};
use quartett_api::{Application, Code, Config, Parts, Shutdown, openapi};
use quartett_engine::deck::built_in;
use quartett_engine::{GameKind, GameSetup};
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A service of its own for one test, on a file that goes with it.
struct Service {
    url: String,
    client: Client,
    shutdown: Shutdown,
    running: tokio::task::JoinHandle<std::io::Result<()>>,
    _folder: tempfile::TempDir,
}

impl Service {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite://{}/q.db", folder.path().display());
        let mut config = Config::read(|name| match name {
            "DATABASE_URL" => Some(database.clone()),
            "LISTEN" => Some("127.0.0.1:0".to_owned()),
            _ => None,
        })
        .unwrap();
        config.workers = 1;
        let parts = Parts {
            clock: Arc::new(ManualClock::at(1_782_907_200_000)),
            randomness: Arc::new(SeededRandomness::new(1)),
            ..Parts::real()
        };
        let application = Application::build(config, parts).await.unwrap();
        Self {
            url: application.url().to_owned(),
            client: Client::new(),
            shutdown: application.shutdown(),
            running: tokio::spawn(application.run()),
            _folder: folder,
        }
    }

    async fn get(&self, path: &str) -> Response {
        let request = self.client.get(format!("{}{path}", self.url));
        request.send().await.unwrap()
    }

    /// The body of a successful answer, which is of the form that the document promises for `operation`.
    async fn read(&self, path: &str, operation: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(response.headers()["content-type"], "application/json");
        let body = response.json().await.unwrap();
        Promised::by_the_document().check(operation, &body);
        body
    }

    /// Checks that a client which has the answer already is told so.
    async fn told_only_once(&self, path: &str) {
        let first = self.get(path).await;
        assert_eq!(first.headers()["cache-control"], "private, no-cache");
        let again = self.client.get(format!("{}{path}", self.url));
        let again = again.header("if-none-match", &first.headers()["etag"]);
        let again = again.send().await.unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
        assert_eq!(again.headers()["etag"], first.headers()["etag"]);
        assert!(again.bytes().await.unwrap().is_empty());
    }

    async fn refused(&self, path: &str, code: Code) {
        let response = self.get(path).await;
        assert_eq!(response.status().as_u16(), code.status().as_u16(), "{path}");
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["code"], code.name(), "{path}");
    }

    async fn stop(self) {
        self.shutdown.begin();
        self.running.await.unwrap().unwrap();
    }
}

/// The published document, as what an answer is measured by.
struct Promised(Value);

impl Promised {
    fn by_the_document() -> Self {
        Self(openapi::document())
    }

    fn operation(&self, id: &str) -> &Value {
        let paths = self.0["paths"].as_object().unwrap();
        let mut operations = paths.values().flat_map(|item| item.as_object().unwrap().values());
        operations
            .find(|operation| operation["operationId"] == id)
            .unwrap()
    }

    fn answer(&self, id: &str) -> &Value {
        &self.operation(id)["responses"]["200"]["content"]["application/json"]
    }

    fn check(&self, operation: &str, body: &Value) {
        let mut faults = Vec::new();
        self.compare(&self.answer(operation)["schema"], body, operation, &mut faults);
        assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    }

    /// Not even a member more than promised: what is not documented is not sent.
    fn compare(&self, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.strip_prefix("#/components/schemas/").unwrap();
            return self.compare(&self.0["components"]["schemas"][name], value, place, faults);
        }
        let mut check = |holds: bool, rule: &str| {
            if !holds {
                faults.push(format!("{place}: {rule} {value}"));
            }
        };
        for names in ["enum", "x-extensible-enum"] {
            if let Some(known) = schema[names].as_array() {
                check(known.contains(value), "is a known name, not");
            }
        }
        match (schema["type"].as_str().unwrap(), value) {
            ("object", Value::Object(members)) => {
                let known = schema["properties"].as_object().unwrap();
                for name in schema["required"].as_array().into_iter().flatten() {
                    check(
                        members.contains_key(name.as_str().unwrap()),
                        &format!("has {name}, unlike"),
                    );
                }
                for (name, member) in members {
                    let place = format!("{place}.{name}");
                    match known.get(name) {
                        Some(schema) => self.compare(schema, member, &place, faults),
                        None => faults.push(format!("{place} is not documented")),
                    }
                }
            }
            ("array", Value::Array(items)) => {
                let most = schema["maxItems"].as_u64().unwrap();
                check(items.len() as u64 <= most, "is not so long:");
                for (index, item) in items.iter().enumerate() {
                    self.compare(&schema["items"], item, &format!("{place}/{index}"), faults);
                }
            }
            ("string", Value::String(text)) => {
                let most = schema["maxLength"].as_u64().unwrap_or(u64::MAX);
                check(
                    text.chars().count() as u64 <= most && !text.is_empty(),
                    "is not so long, nor empty:",
                );
            }
            ("integer", Value::Number(number)) => {
                let number = number.as_i64();
                check(
                    number >= schema["minimum"].as_i64() && number <= schema["maximum"].as_i64(),
                    "lies within bounds, not",
                );
            }
            ("boolean", Value::Bool(_)) => {}
            (kind, _) => check(false, &format!("is of the type {kind}, not")),
        }
    }
}

/// Whether `part` stands in `whole`: an object may have members more, a list items more.
fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(name, member)| whole.get(name).is_some_and(|own| contains(own, member))),
        (Value::Array(whole), Value::Array(part)) => part.iter().all(|item| whole.contains(item)),
        (whole, part) => whole == part,
    }
}

/// The member `name` of every item, as text.
fn each<'a>(items: &'a Value, name: &str) -> Vec<&'a str> {
    let items = items.as_array().unwrap().iter();
    items.map(|item| item[name].as_str().unwrap()).collect()
}

/// What is listed of a game.
fn game<'a>(games: &'a Value, id: &str) -> &'a Value {
    let mut items = games["items"].as_array().unwrap().iter();
    items.find(|game| game["game"] == id).unwrap()
}

/// What is listed of an option.
fn option<'a>(game: &'a Value, name: &str) -> &'a Value {
    let mut options = game["options"].as_array().unwrap().iter();
    options.find(|option| option["option"] == name).unwrap()
}

#[tokio::test]
async fn the_five_games_are_told_with_their_seats_options_and_rules() {
    let service = Service::start().await;
    let games = service.read("/v1/games", "listGames").await;
    assert_eq!(each(&games["items"], "game"), GameKind::ALL.map(GameKind::id));
    for kind in GameKind::ALL {
        let game = game(&games, kind.id());
        assert_eq!(game["seats_min"], *kind.seats().start());
        assert_eq!(game["seats_max"], *kind.seats().end());
        assert_eq!(
            game.get("opening_question").is_some(),
            kind.has_opening_question()
        );
        for language in ["en", "de"] {
            let rules = game["rules_text"][language].as_str().unwrap();
            assert!(rules.split("\n\n").count() > 8, "{} {language}", kind.id());
            assert!(!game["title"][language].as_str().unwrap().is_empty());
        }
        assert_ne!(game["rules_text"]["en"], game["rules_text"]["de"]);
    }
    let questions: Vec<&str> = GameKind::ALL
        .iter()
        .filter_map(|kind| game(&games, kind.id())["opening_question"]["en"].as_str())
        .collect();
    assert_eq!(questions.len(), 3);
    for (question, about) in questions.iter().zip(["city", "floors", "station"]) {
        assert!(question.contains(about), "{question}");
    }
    service.told_only_once("/v1/games").await;
    service.stop().await;
}

/// The options of a setup as the engine has them, by its own `Debug`: what is listed must not go its own way.
fn engine_options(setup: &GameSetup) -> Vec<(String, String)> {
    let text = format!("{setup:?}");
    let inner = text.split_once(" { ").unwrap().1.split_once(" }").unwrap().0;
    let members = inner.split(", ").map(|member| {
        let (name, value) = member.split_once(": ").unwrap();
        let number = value
            .strip_prefix("Some(")
            .and_then(|rest| rest.strip_suffix(')'));
        let mut snake = String::new();
        for character in number.unwrap_or(value).chars() {
            if character.is_ascii_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.push(character.to_ascii_lowercase());
        }
        (name.to_owned(), snake)
    });
    members.collect()
}

#[tokio::test]
async fn every_option_is_listed_with_the_default_the_engine_gives_it() {
    let service = Service::start().await;
    let games = service.read("/v1/games", "listGames").await;
    let mut compared = 0;
    for kind in GameKind::ALL {
        let game = game(&games, kind.id());
        for seats in kind.seats() {
            let engine = engine_options(&GameSetup::default_for(kind, seats));
            let names: Vec<&str> = engine.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(each(&game["options"], "option"), names, "{}", kind.id());
            for (name, default) in engine {
                let option = option(game, &name);
                let by_seats = option["defaults_by_seats"].as_array();
                let listed = by_seats.map_or(&option["default"], |defaults| {
                    let mut defaults = defaults.iter();
                    &defaults.find(|at| at["seats"] == seats).unwrap()["default"]
                });
                assert_eq!(listed, &default, "{} {name} at {seats} seats", kind.id());
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 5 * 2 + 5 * 3 + 5 * 2 + 3 + 2 * 2);
    service.stop().await;
}

#[tokio::test]
async fn decks_are_listed_page_by_page_with_the_games_they_fit() {
    let service = Service::start().await;
    let decks = service.read("/v1/decks", "listDecks").await;
    let ids = ["wohnbau", "sportwaffen", "demo", "ties"];
    assert_eq!(each(&decks["items"], "deck_id"), ids);
    assert!(decks.get("next_cursor").is_none());
    for (deck, listed) in built_in().iter().zip(decks["items"].as_array().unwrap()) {
        assert_eq!(listed["hash"], hex(deck.hash()));
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
    service.refused("/v1/decks?limit=0", Code::InvalidQuery).await;
    service.refused("/v1/decks?cursor=x", Code::InvalidCursor).await;
    // A cursor that names a deck nobody offers.
    service
        .refused("/v1/decks?cursor=Im5vbmUi", Code::InvalidCursor)
        .await;
    service.told_only_once("/v1/decks").await;
    service.stop().await;
}

fn hex(hash: &[u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_deck_is_its_document_with_hash_and_marks_and_the_hash_is_that_of_the_bytes() {
    let service = Service::start().await;
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
        assert_eq!(hex(&Sha256::digest(&bytes).into()), hash, "{id}");
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
    let service = Service::start().await;
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
    let service = Service::start().await;
    let hash = hex(built_in()[0].hash());
    for path in [
        "/v1/decks/none",
        "/v1/decks/WOHNBAU",
        "/v1/decks/by-hash",
        "/v1/decks/by-hash/demo",
        &format!("/v1/decks/by-hash/{}", hash.to_uppercase()),
        &format!("/v1/decks/by-hash/{}", "0".repeat(64)),
    ] {
        service.refused(path, Code::NotFound).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn the_examples_of_the_document_are_parts_of_real_answers() {
    let service = Service::start().await;
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
