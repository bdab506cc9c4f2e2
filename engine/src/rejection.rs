//! Every reason to refuse an action, with its stable code.

macro_rules! rejections {
    ($($(#[$doc:meta])* $name:ident => $code:literal),* $(,)?) => {
        /// Why the rules refuse an action. A refused action changes nothing.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
        pub enum Rejection {
            $($(#[$doc])* #[error($code)] $name),*
        }

        impl Rejection {
            /// Every rejection, in the order of `rules.md`.
            pub const ALL: &[Rejection] = &[$(Rejection::$name),*];

            /// The stable code, as frontends see it.
            pub fn code(self) -> &'static str {
                match self { $(Rejection::$name => $code),* }
            }
        }
    };
}

rejections! {
    /// Another seat is to move.
    NotYourTurn => "not_your_turn",
    /// The seat must do something else first.
    WrongPhase => "wrong_phase",
    /// The match has ended.
    MatchOver => "match_over",
    /// There is no such seat.
    UnknownSeat => "unknown_seat",
    /// The deck has no such card.
    UnknownCard => "unknown_card",
    /// The deck has no such attribute.
    UnknownAttribute => "unknown_attribute",
    /// The deck has no such group.
    UnknownGroup => "unknown_group",
    /// The table has no such place.
    UnknownPlace => "unknown_place",
    /// One asks others.
    CannotAskYourself => "cannot_ask_yourself",
    /// One asks for what one lacks.
    CardInOwnHand => "card_in_own_hand",
    /// One asks for a group one holds a card of.
    NoCardOfGroup => "no_card_of_group",
    /// The asked seat has no cards.
    TargetOut => "target_out",
    /// The duel is fought with a card of the asked card's group.
    WrongGroup => "wrong_group",
    /// The seat does not hold the card.
    NotYourCard => "not_your_card",
    /// The hand does not hold the whole group.
    IncompleteQuartet => "incomplete_quartet",
    /// The seat's own visible card has no value there.
    NoValue => "no_value",
    /// Everybody knows that the asked seat does not hold the card.
    HopelessAsk => "hopeless_ask",
    /// The place was opened by this turn's first flip.
    PlaceAlreadyOpen => "place_already_open",
    /// The pair of this place was taken.
    PlaceEmpty => "place_empty",
    /// Another game has this action.
    ActionNotInThisGame => "action_not_in_this_game",
}
