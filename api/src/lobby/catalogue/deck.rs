//! A deck as clients show it.

use quartett_engine::deck::{self, AttributeKind, Direction};
use quartett_engine::{Card, Deck as EngineDeck};
use serde::Serialize;
use utoipa::ToSchema;

use super::deck_hash::DeckHash;
use crate::http::Text;

/// A deck: what is compared, what belongs together, and the cards.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Deck {
    /// Its id.
    #[schema(max_length = 32, examples("demo"))]
    deck_id: String,
    /// Names exactly this content; a match keeps the content it began with.
    hash: DeckHash,
    /// Its title.
    title: Text,
    /// What it shows, and how far its figures can be trusted.
    description: Text,
    /// What is compared, in the order printed on the cards.
    #[schema(max_items = 12)]
    attributes: Vec<DeckAttribute>,
    /// The cards that belong together.
    #[schema(max_items = 16)]
    pub(super) groups: Vec<DeckGroup>,
    /// The cards.
    #[schema(max_items = 64)]
    pub(super) cards: Vec<DeckCard>,
    /// What the figures were taken from.
    #[schema(max_items = 1024)]
    credits: Vec<DeckCredit>,
}

/// A value printed on each card, for comparing.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DeckAttribute {
    /// Its id.
    #[schema(max_length = 32, examples("diameter"))]
    attribute: String,
    /// What it is called.
    label: Text,
    /// What it means.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<Text>,
    /// The unit of all its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<Text>,
    /// Which end wins: the arrow on the card.
    direction: WinningDirection,
    /// `number`: one number. `profile`: several levels, of which the marked one counts. More may come.
    #[schema(extensions(("x-extensible-enum" = json!(["number", "profile"]))), examples("number"))]
    kind: &'static str,
    /// How many decimals its values show at most.
    #[schema(minimum = 0, maximum = 6, examples(0))]
    decimals: u8,
    /// True for what is a judgement of the deck's makers rather than a measurement; else absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    editorial: bool,
    /// The levels of a profile, in the order printed on the cards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, max_items = 16)]
    levels: Vec<AttributeLevel>,
}

/// Which end of an attribute wins.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum WinningDirection {
    /// The higher value wins.
    Higher,
    /// The lower value wins.
    Lower,
}

/// A labelled level of a profile.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AttributeLevel {
    /// Its id.
    #[schema(max_length = 32, examples("shared"))]
    level: String,
    /// What it is called.
    label: Text,
}

/// Cards that belong together.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DeckGroup {
    /// Its id.
    #[schema(max_length = 32, examples("A"))]
    group: String,
    /// What it is called.
    label: Text,
    /// The numbers of its cards.
    #[schema(max_items = 64)]
    cards: Vec<String>,
}

/// A card.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DeckCard {
    /// Its number: cards are called by it.
    #[schema(max_length = 32, examples("A1"))]
    number: String,
    /// The group it belongs to, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 32, examples("A"))]
    group: Option<String>,
    /// What it shows.
    name: Text,
    /// Its values; one that is absent loses to any other.
    #[schema(max_items = 12)]
    values: Vec<CardValue>,
    /// What else is printed on it. Never compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, max_items = 64)]
    facts: Vec<CardFact>,
    /// Its plan card: the second card with the same number.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<CardPlan>,
}

/// A value of a card.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CardValue {
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, max_items = 16)]
    levels: Vec<LevelValue>,
    /// The marked level of a profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 32, examples("shared"))]
    marked: Option<String>,
    /// Whether no card of the deck is better in this attribute. A mark to show; it changes nothing in play.
    supertrumpf: bool,
}

/// The value of one level of a profile.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LevelValue {
    /// The level.
    #[schema(max_length = 32, examples("shared"))]
    level: String,
    /// An exact decimal.
    #[schema(max_length = 32, examples("4"))]
    value: String,
}

/// A fact printed on a card.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CardFact {
    /// What it is about.
    label: Text,
    /// What it says.
    text: Text,
}

/// The second card with the same number.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CardPlan {
    /// What the plan shows.
    caption: Text,
}

/// A source, by its title.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DeckCredit {
    /// The title of the source.
    #[schema(examples("Catalogue of invented planets"))]
    title: String,
    /// The numbers of the cards it was used for.
    #[schema(max_items = 64)]
    cards: Vec<String>,
}

impl From<&EngineDeck> for Deck {
    fn from(deck: &EngineDeck) -> Self {
        let deck::DeckDocument {
            deck_id,
            title,
            description,
            attributes,
            groups,
            cards,
            credits,
        } = deck.document();
        Self {
            deck_id: deck_id.clone(),
            hash: DeckHash(*deck.hash()),
            title: title.into(),
            description: description.into(),
            attributes: attributes.iter().map(Into::into).collect(),
            groups: groups.iter().map(Into::into).collect(),
            cards: deck
                .cards()
                .zip(cards)
                .map(|(place, card)| shown(deck, place, card))
                .collect(),
            credits: credits.iter().map(Into::into).collect(),
        }
    }
}

impl From<&deck::AttributeDocument> for DeckAttribute {
    fn from(attribute: &deck::AttributeDocument) -> Self {
        let deck::AttributeDocument {
            attribute,
            label,
            hint,
            unit,
            direction,
            kind,
            decimals,
            editorial,
            levels,
        } = attribute;
        Self {
            attribute: attribute.clone(),
            label: label.into(),
            hint: hint.as_ref().map(Into::into),
            unit: unit.as_ref().map(Into::into),
            direction: match direction {
                Direction::Higher => WinningDirection::Higher,
                Direction::Lower => WinningDirection::Lower,
            },
            kind: match kind {
                AttributeKind::Number => "number",
                AttributeKind::Profile => "profile",
            },
            decimals: *decimals,
            editorial: *editorial,
            levels: levels
                .iter()
                .map(|deck::Level { level, label }| AttributeLevel {
                    level: level.clone(),
                    label: label.into(),
                })
                .collect(),
        }
    }
}

impl From<&deck::GroupDocument> for DeckGroup {
    fn from(group: &deck::GroupDocument) -> Self {
        let deck::GroupDocument { group, label, cards } = group;
        Self {
            group: group.clone(),
            label: label.into(),
            cards: cards.clone(),
        }
    }
}

impl From<&deck::Credit> for DeckCredit {
    fn from(credit: &deck::Credit) -> Self {
        let deck::Credit { title, cards } = credit;
        Self {
            title: title.clone(),
            cards: cards.clone(),
        }
    }
}

/// A card with the marks it bears in this deck.
fn shown(of: &EngineDeck, place: Card, card: &deck::CardDocument) -> DeckCard {
    let deck::CardDocument {
        number,
        group,
        name,
        values,
        facts,
        plan,
    } = card;
    DeckCard {
        number: number.clone(),
        group: group.clone(),
        name: name.into(),
        values: values
            .iter()
            .map(|printed| {
                let deck::ValueDocument {
                    attribute,
                    value,
                    levels,
                    marked,
                } = printed;
                CardValue {
                    attribute: attribute.clone(),
                    value: value.clone(),
                    levels: levels
                        .iter()
                        .map(|deck::LevelValue { level, value }| LevelValue {
                            level: level.clone(),
                            value: value.clone(),
                        })
                        .collect(),
                    marked: marked.clone(),
                    supertrumpf: of.bears_mark(place, of.attribute(attribute)),
                }
            })
            .collect(),
        facts: facts
            .iter()
            .map(|deck::Fact { label, text }| CardFact {
                label: label.into(),
                text: text.into(),
            })
            .collect(),
        plan: plan.as_ref().map(|deck::Plan { caption }| CardPlan {
            caption: caption.into(),
        }),
    }
}
