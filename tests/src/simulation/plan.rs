//! What is played: drawn from a seed.

use serde_json::{Value, json};

use crate::scripted::Dice;
use crate::setups::GAMES;

/// Body of a `createMatch`, and how many players besides the host it needs.
pub(super) struct Plan {
    pub(super) setup: Value,
    pub(super) others: usize,
    /// One in so many players does not come.
    pub(super) absent_in: usize,
}

/// Draws a match: any game with few cards and low limits, any seats, times and policies. Between two and
/// `players` people play.
pub(super) fn draw(dice: &mut Dice, players: usize) -> Plan {
    let game = *dice.pick(&GAMES);
    let deck = *dice.pick(&["demo", "ties", "wohnbau"]);
    let (least, most) = match game {
        "vdb_supertrumpf" => (2, 4),
        "vdb_quartett" => (3, 4),
        _ => (2, 6),
    };
    let seats = least + dice.below(most - least + 1);
    // Mostly people, sometimes one alone against bots.
    let people = match dice.below(6) {
        0 => 1,
        1 | 2 => 1 + dice.below(seats.min(players)),
        _ => seats.min(players),
    };
    let options = match game {
        "duel_quartett" => json!({"lay": dice.pick(&["auto", "manual"]), "stall": 4 + dice.below(20)}),
        "supertrump" => json!({
            "won_order": dice.pick(&["shuffled", "fixed"]),
            "end": dice.pick(&["all_cards", "first_out"]),
            "rounds": 1 + dice.below(30),
        }),
        "pairs" => json!({"memory": dice.pick(&["since_last_turn", "full_log"]), "idle": 1 + dice.below(6)}),
        "vdb_supertrumpf" => json!({"rounds": 1 + dice.below(30)}),
        _ => json!({"guard_misses": 1 + dice.below(4), "guard_asks": 5 + dice.below(40)}),
    };
    let asks_question = !game.starts_with("vdb_");
    let starter = match dice.below(3) {
        0 => "host",
        1 if asks_question => "question",
        _ => "random",
    };
    let turn_seconds = *dice.pick(&[60, 60, 3_600, 86_400]);
    let bots: Vec<Value> = (people..seats)
        .map(|_| json!({"level": dice.pick(&["easy", "medium", "hard"])}))
        .collect();
    let mut setup = json!({
        "game": {"type": game, game: options},
        "deck_id": deck,
        "seats": seats,
        "visibility": dice.pick(&["open", "invite"]),
        "starter": starter,
        "turn_seconds": turn_seconds,
        "deadline_policy": dice.pick(&["bot_plays", "bot_plays", "bot_plays", "forfeit"]),
        "auto_start": dice.below(3) > 0,
    });
    if !bots.is_empty() {
        setup["bots"] = json!(bots);
    }
    if dice.below(4) == 0 {
        setup["time_limit_seconds"] = json!(turn_seconds * (10 + dice.below(20)));
    }
    if starter == "question" {
        setup["opening_answer"] = json!(dice.below(3));
    }
    Plan {
        setup,
        others: people - 1,
        // When the time of a long turn passes, everybody else's passes as well.
        absent_in: if turn_seconds == 60 { 4 } else { 16 },
    }
}
