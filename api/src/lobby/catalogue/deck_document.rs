//! The form of a deck that is hashed, as the published document tells it.
//!
//! Its bytes come from the engine, so nothing is ever built from these types.

#![expect(dead_code, reason = "they describe bytes that are served as they are")]

use utoipa::ToSchema;

use super::deck::{CardFact, CardPlan, DeckAttribute, DeckCredit, DeckGroup, LevelValue};
use crate::http::Text;

/// A deck in the form that is hashed: a `Deck` without what the service adds to it. In the answer the members
/// stand in the order, and the bytes in the form, of RFC 8785.
#[derive(ToSchema)]
pub(super) struct DeckDocument {
    /// Its id.
    #[schema(max_length = 32, examples("demo"))]
    deck_id: String,
    /// Its title.
    title: Text,
    /// What it shows, and how far its figures can be trusted.
    description: Text,
    /// What is compared, in the order printed on the cards.
    #[schema(max_items = 12)]
    attributes: Vec<DeckAttribute>,
    /// The cards that belong together.
    #[schema(max_items = 16)]
    groups: Vec<DeckGroup>,
    /// The cards; their order is the input of every shuffle.
    #[schema(max_items = 64)]
    cards: Vec<DocumentCard>,
    /// What the figures were taken from; absent if nothing is said.
    #[schema(max_items = 1024)]
    credits: Option<Vec<DeckCredit>>,
}

/// A card, without the marks it bears among the others.
#[derive(ToSchema)]
pub(super) struct DocumentCard {
    /// Its number: cards are called by it.
    #[schema(max_length = 32, examples("A1"))]
    number: String,
    /// The group it belongs to, if any.
    #[schema(max_length = 32, examples("A"))]
    group: Option<String>,
    /// What it shows.
    name: Text,
    /// Its values; one that is absent loses to any other.
    #[schema(max_items = 12)]
    values: Vec<DocumentValue>,
    /// What else is printed on it. Never compared.
    #[schema(max_items = 64)]
    facts: Option<Vec<CardFact>>,
    /// Its plan card: the second card with the same number.
    plan: Option<CardPlan>,
}

/// A value of a card, without its mark.
#[derive(ToSchema)]
pub(super) struct DocumentValue {
    /// The attribute.
    #[schema(max_length = 32, examples("diameter"))]
    attribute: String,
    /// An exact decimal; of a profile the value of the marked level.
    #[schema(
        max_length = 32,
        pattern = "^-?[0-9]{1,12}([.][0-9]{1,6})?$",
        examples("142800")
    )]
    value: String,
    /// The values of a profile's levels.
    #[schema(max_items = 16)]
    levels: Option<Vec<LevelValue>>,
    /// The marked level of a profile.
    #[schema(max_length = 32, examples("shared"))]
    marked: Option<String>,
}
