//! What a deck file says, field by field.

use serde::{Deserialize, Serialize};

/// A text for people, in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// English.
    pub en: String,
    /// German.
    pub de: String,
}

/// Which end of an attribute wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The higher value wins.
    Higher,
    /// The lower value wins.
    Lower,
}

/// What an attribute's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttributeKind {
    /// One number.
    Number,
    /// Several labelled levels, of which one is marked; only the marked one counts.
    Profile,
}

/// A deck file: the unit that is hashed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeckDocument {
    /// The deck's id.
    pub deck_id: String,
    /// Its title.
    pub title: Text,
    /// What it shows, and how far its figures can be trusted.
    pub description: Text,
    /// What is compared, in the order printed on the cards.
    pub attributes: Vec<AttributeDocument>,
    /// The quartets.
    pub groups: Vec<GroupDocument>,
    /// The cards; their order is the input of every shuffle.
    pub cards: Vec<CardDocument>,
    /// Sources by title.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credits: Vec<Credit>,
}

/// A comparable value printed on each card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeDocument {
    /// Its id.
    pub attribute: String,
    /// Its label.
    pub label: Text,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Text>,
    /// The unit of all its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Text>,
    /// Which end wins.
    pub direction: Direction,
    /// What its values are.
    pub kind: AttributeKind,
    /// How many decimals its values show.
    pub decimals: u8,
    /// Whether the values are a judgement of the deck's makers rather than a measurement.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub editorial: bool,
    /// The levels of a profile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Level>,
}

/// One labelled level of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Its id.
    pub level: String,
    /// Its label.
    pub label: Text,
}

/// The cards that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupDocument {
    /// Its id.
    pub group: String,
    /// Its label.
    pub label: Text,
    /// The numbers of its cards.
    pub cards: Vec<String>,
}

/// One card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardDocument {
    /// Its number.
    pub number: String,
    /// The group it belongs to, if the deck has groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// What it shows.
    pub name: Text,
    /// Its values; one that is absent is missing.
    pub values: Vec<ValueDocument>,
    /// What else is printed on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// Its plan card, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
}

/// A value of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueDocument {
    /// The attribute.
    pub attribute: String,
    /// An exact decimal; of a profile the value of the marked level.
    pub value: String,
    /// The values of a profile's levels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelValue>,
    /// The marked level of a profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked: Option<String>,
}

/// The value of one level of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelValue {
    /// The level.
    pub level: String,
    /// An exact decimal.
    pub value: String,
}

/// A fact printed on a card; never compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// What it is about.
    pub label: Text,
    /// What it says.
    pub text: Text,
}

/// The second card with the same number (Pairs).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What the plan shows.
    pub caption: Text,
}

/// A source, by title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credit {
    /// The title of the source.
    pub title: String,
    /// The numbers of the cards it was used for.
    pub cards: Vec<String>,
}

impl ValueDocument {
    /// Whether the value has exactly the levels its attribute declares, in that order, and shows the marked
    /// one's value; a number has neither levels nor a mark.
    pub(super) fn has_levels_of(&self, attribute: &AttributeDocument) -> bool {
        match attribute.kind {
            AttributeKind::Number => self.levels.is_empty() && self.marked.is_none(),
            AttributeKind::Profile => {
                let same = self
                    .levels
                    .iter()
                    .map(|level| &level.level)
                    .eq(attribute.levels.iter().map(|l| &l.level));
                let marked = self
                    .levels
                    .iter()
                    .find(|level| Some(&level.level) == self.marked.as_ref());
                same && marked.is_some_and(|level| level.value == self.value)
            }
        }
    }
}
