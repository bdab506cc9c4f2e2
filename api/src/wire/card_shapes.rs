//! Small shapes that events and tables share.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::names::SideName;

/// A seat's hand or stack: its size, and the cards for those who may see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Pile {
    /// Whose.
    #[schema(maximum = 5)]
    pub(crate) seat: u8,
    /// How many cards.
    #[schema(maximum = 64)]
    pub(crate) size: u8,
    /// The numbers of the cards, of a stack the top first; absent where the viewer may not see them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 64)]
    pub(crate) cards: Option<Vec<String>>,
}

/// A card and the seat it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct SeatCard {
    /// Whose card.
    #[schema(maximum = 5)]
    pub(crate) seat: u8,
    /// Its number.
    #[schema(examples("W07"))]
    pub(crate) card: String,
}

/// A card that was shown, with the value that was compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ShownCard {
    /// Whose card.
    #[schema(maximum = 5)]
    pub(crate) seat: u8,
    /// Its number.
    #[schema(examples("W07"))]
    pub(crate) card: String,
    /// Its value in the attribute, an exact decimal; absent if the card has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(examples("12.5"))]
    pub(crate) value: Option<String>,
}

/// A card of the Pairs table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct TableCard {
    /// The number that card and plan card share.
    #[schema(examples("W1"))]
    pub(crate) number: String,
    /// Which of the two it is.
    pub(crate) side: SideName,
}
