//! Bodies of `createMatch`.

use serde_json::{Value, json};

/// The five games.
pub const GAMES: [&str; 5] = [
    "duel_quartett",
    "supertrump",
    "pairs",
    "vdb_supertrumpf",
    "vdb_quartett",
];

/// An open match that the host begins, with the default options.
#[must_use]
pub fn open_match(game: &str, deck_id: &str, seats: usize) -> Value {
    let mut setup = json!({
        "game": {"type": game},
        "deck_id": deck_id,
        "seats": seats,
        "visibility": "open",
        "starter": "host",
    });
    setup["game"][game] = json!({});
    setup
}

/// The same with options of the game.
#[must_use]
pub fn with_options(mut setup: Value, options: &Value) -> Value {
    let game = setup["game"]["type"]
        .as_str()
        .expect("a setup names its game")
        .to_owned();
    setup["game"][game] = options.clone();
    setup
}

/// The same with other settings beside the game.
#[must_use]
pub fn with(mut setup: Value, settings: &Value) -> Value {
    let settings = settings.as_object().expect("settings are an object");
    for (name, value) in settings {
        setup[name] = value.clone();
    }
    setup
}

/// Time for one turn where it is [`timed`].
pub const TURN_MILLIS: i64 = 60_000;

/// The same with a minute for each turn.
#[must_use]
pub fn timed(setup: Value) -> Value {
    with(setup, &json!({"turn_seconds": TURN_MILLIS / 1000}))
}

/// The smallest match that two people can play, with a choice on every turn.
#[must_use]
pub fn small_match() -> Value {
    open_match("vdb_supertrumpf", "demo", 2)
}
