//! Why a document is not a deck, and why a deck does not do for a game.

use super::NAME_BYTES_MAX;
use super::value::ValueError;

/// Why a document is not a deck.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeckError {
    /// The text is not a deck document.
    #[error("not a deck document: {0}")]
    Malformed(String),
    /// Too many cards, groups or attributes, or no card at all.
    #[error("a deck has 1 to {max} {what}, not {count}")]
    Count {
        /// What was counted.
        what: &'static str,
        /// The most allowed.
        max: usize,
        /// How many there are.
        count: usize,
    },
    /// Two cards, groups or attributes with one name.
    #[error("{what} {name:?} stands there twice")]
    Twice {
        /// What kind of thing.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A name that is empty, too long or not plain.
    #[error("{0:?} is not a name: 1 to {NAME_BYTES_MAX} of A-Z a-z 0-9 _ - .")]
    Name(String),
    /// A card or a value names what the deck does not have.
    #[error("card {card:?} names {name:?}, which the deck does not have")]
    Unknown {
        /// The card.
        card: String,
        /// The unknown group, attribute or level.
        name: String,
    },
    /// A group's list of cards and the cards' own groups differ.
    #[error("group {0:?} and its cards do not agree")]
    GroupMismatch(String),
    /// A value is no exact decimal, or has more decimals than its attribute.
    #[error("card {card:?}, attribute {attribute:?}: {error}")]
    Value {
        /// The card.
        card: String,
        /// The attribute.
        attribute: String,
        /// What is wrong.
        error: ValueError,
    },
    /// A profile whose lower level would win; of profiles the higher one always does.
    #[error("attribute {0:?} is a profile: the higher level wins")]
    ProfileDirection(String),
    /// A profile value without levels or marked level, or another value with them.
    #[error(
        "card {card:?}: {attribute:?} does not have the levels of its kind, or its value is not the marked one"
    )]
    Levels {
        /// The card.
        card: String,
        /// The attribute.
        attribute: String,
    },
}

/// Why a game cannot be played with a deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeckUnfit {
    /// The game asks for groups and some group does not have four cards.
    #[error("the game needs groups of exactly four cards")]
    GroupsOfFour,
    /// The game compares values and some card has none.
    #[error("the game needs a value on every card")]
    Values,
    /// The game needs pairs and some card has no plan card.
    #[error("the game needs a plan card for every card")]
    PlanCards,
}
