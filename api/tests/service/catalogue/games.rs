//! The games.

use super::each;
use crate::support::Service;
use quartett_engine::{GameKind, GameSetup};
use serde_json::Value;

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
    let service = Service::start(&[]).await;
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
    let service = Service::start(&[]).await;
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
