//! What a seat may ask for.

use crate::card::{Attribute, Card, Group};

/// An action as a seat asks for it. It may name what does not exist (a seat or place beyond the table,
/// `Card::UNKNOWN`): the rules refuse it with a code, they never panic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Ask another seat for a card (`duel_quartett`, `vdb_quartett`).
    AskCard {
        /// The asked seat.
        seat: u8,
        /// The card asked for.
        card: Card,
    },
    /// Fight the duel for the card that was not denied (`duel_quartett`).
    FightDuel {
        /// An own card of the same group.
        card: Card,
        /// What is compared.
        attribute: Attribute,
    },
    /// Lay a whole group down (`duel_quartett` with manual laying).
    LayQuartet {
        /// The group, whole in the own hand.
        group: Group,
    },
    /// Choose what is compared this round (`supertrump`, `vdb_supertrumpf`).
    ChooseAttribute {
        /// What is compared.
        attribute: Attribute,
    },
    /// Turn a closed card of the table face up (`pairs`).
    FlipCard {
        /// The place, from 1.
        place: u8,
    },
}
