//! Actions on the wire.

use quartett_engine::{Action, Deck};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::keyed_union::keyed_union;

/// Ask another seat for a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct AskCard {
    /// The seat that is asked.
    #[schema(examples(1))]
    seat: u8,
    /// The number of the card asked for.
    #[schema(max_length = 32, examples("W07"))]
    card: String,
}

/// Fight the duel for the card that was not denied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct FightDuel {
    /// The number of an own card of the same group.
    #[schema(max_length = 32, examples("W05"))]
    card: String,
    /// The attribute that is compared.
    #[schema(max_length = 32, examples("floors"))]
    attribute: String,
}

/// Lay a whole group down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct LayQuartet {
    /// The group.
    #[schema(max_length = 32, examples("W"))]
    group: String,
}

/// Choose what is compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct ChooseAttribute {
    /// The attribute.
    #[schema(max_length = 32, examples("floors"))]
    attribute: String,
}

/// Turn a closed card of the table face up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct FlipCard {
    /// The place, from 1.
    #[schema(examples(17))]
    place: u8,
}

keyed_union! {
    /// What a seat may ask for.
    pub(crate) enum GameAction read as KeyedGameAction {
        /// Ask another seat for a card (`duel_quartett`, `vdb_quartett`).
        ask_card => AskCard(AskCard),
        /// Fight the pending duel (`duel_quartett`).
        fight_duel => FightDuel(FightDuel),
        /// Lay a whole group down (`duel_quartett` with manual laying).
        lay_quartet => LayQuartet(LayQuartet),
        /// Choose what is compared (`supertrump`, `vdb_supertrumpf`).
        choose_attribute => ChooseAttribute(ChooseAttribute),
        /// Turn a closed card face up (`pairs`).
        flip_card => FlipCard(FlipCard),
    }
}

impl GameAction {
    /// The action in the names of `deck`.
    pub(crate) fn of(action: &Action, deck: &Deck) -> Self {
        match action {
            Action::AskCard { seat, card } => Self::AskCard(AskCard {
                seat: *seat,
                card: deck.number(*card).to_owned(),
            }),
            Action::FightDuel { card, attribute } => Self::FightDuel(FightDuel {
                card: deck.number(*card).to_owned(),
                attribute: deck.attribute_id(*attribute).to_owned(),
            }),
            Action::LayQuartet { group } => Self::LayQuartet(LayQuartet {
                group: deck.group_id(*group).to_owned(),
            }),
            Action::ChooseAttribute { attribute } => Self::ChooseAttribute(ChooseAttribute {
                attribute: deck.attribute_id(*attribute).to_owned(),
            }),
            Action::FlipCard { place } => Self::FlipCard(FlipCard { place: *place }),
        }
    }

    /// The action for the engine; names that `deck` does not have become unknown ones, which the rules refuse.
    pub(crate) fn to_engine(&self, deck: &Deck) -> Action {
        match self {
            Self::AskCard(AskCard { seat, card }) => Action::AskCard {
                seat: *seat,
                card: deck.card(card),
            },
            Self::FightDuel(FightDuel { card, attribute }) => Action::FightDuel {
                card: deck.card(card),
                attribute: deck.attribute(attribute),
            },
            Self::LayQuartet(LayQuartet { group }) => Action::LayQuartet {
                group: deck.group(group),
            },
            Self::ChooseAttribute(ChooseAttribute { attribute }) => Action::ChooseAttribute {
                attribute: deck.attribute(attribute),
            },
            Self::FlipCard(FlipCard { place }) => Action::FlipCard { place: *place },
        }
    }

    /// Whether it is taken at any version up to the current one: laying can race with nothing.
    pub(crate) fn is_taken_at_any_version(&self) -> bool {
        match self {
            Self::LayQuartet(_) => true,
            Self::AskCard(_) | Self::FightDuel(_) | Self::ChooseAttribute(_) | Self::FlipCard(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, GameAction};
    use quartett_engine::deck::built_in;
    use serde_json::json;

    fn read(value: serde_json::Value) -> Result<GameAction, String> {
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    #[test]
    fn every_action_comes_back_as_it_went() {
        let deck = &built_in()[0];
        let card = deck.cards().next_back().unwrap();
        let (attribute, group) = (deck.attributes().next().unwrap(), deck.groups().next().unwrap());
        for action in [
            Action::AskCard { seat: 255, card },
            Action::FightDuel { card, attribute },
            Action::LayQuartet { group },
            Action::ChooseAttribute { attribute },
            Action::FlipCard { place: 48 },
        ] {
            let written = serde_json::to_value(GameAction::of(&action, deck)).unwrap();
            assert_eq!(read(written).unwrap().to_engine(deck), action);
        }
    }

    #[test]
    fn three_misfits_are_three_errors_and_unknown_members_are_none() {
        assert!(
            read(json!({"type": "steal"}))
                .unwrap_err()
                .starts_with("unknown type `steal`")
        );
        let missing = read(json!({"type": "flip_card"})).unwrap_err();
        assert!(
            missing.contains("`flip_card` that `type` names is missing"),
            "{missing}"
        );
        let foreign = json!({"type": "flip_card", "flip_card": {"place": 1}, "lay_quartet": {"group": "W"}});
        assert!(
            read(foreign)
                .unwrap_err()
                .contains("`lay_quartet` does not belong")
        );
        let with_more = json!({"type": "flip_card", "flip_card": {"place": 1, "hint": 2}, "future": {}});
        assert!(read(with_more).is_ok());
    }
}
