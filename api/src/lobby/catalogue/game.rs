//! A game as clients offer it.

use quartett_engine::GameKind;
use serde::Serialize;
use utoipa::ToSchema;

use super::options::{GameOption, options};
use super::words;
use crate::http::Text;
use crate::wire::GameName;

/// A game that can be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct Game {
    /// Its id.
    pub(super) game: GameName,
    /// Its name.
    title: Text,
    /// The rules, for players. Plain text; an empty line stands between paragraphs, and each begins with a word
    /// or a few that say what it is about.
    rules_text: Text,
    /// The fewest seats it can be played with.
    #[schema(minimum = 1, maximum = 8, examples(2))]
    seats_min: u8,
    /// The most seats it can be played with.
    #[schema(minimum = 1, maximum = 8, examples(6))]
    seats_max: u8,
    /// What can be set when a match is created.
    #[schema(max_items = 16)]
    pub(super) options: Vec<GameOption>,
    /// Asked of everybody who takes a seat, if the match is to be started by whoever gives the biggest number.
    /// Absent in games that do not start so.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening_question: Option<Text>,
}

impl From<GameKind> for Game {
    fn from(game: GameKind) -> Self {
        let seats = game.seats();
        Self {
            game: GameName(game),
            title: words::title(game),
            rules_text: words::rules_text(game),
            seats_min: *seats.start(),
            seats_max: *seats.end(),
            options: options(game),
            opening_question: words::opening_question(game),
        }
    }
}
