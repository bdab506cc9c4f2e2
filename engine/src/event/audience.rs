//! Who may see what of an event.

use super::{Board, Deal, Event, Face};
use crate::seat::Seat;
use crate::view::Sight;

/// Who may see an event of a running match. After the end everything is open to whoever may see the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// All of it, everyone.
    Everyone,
    /// Each seat the cards dealt to its own hand; sizes of all others.
    OwnHand,
    /// Sizes only: nobody knows the order of a stack, the cards aside or the table.
    Sizes,
    /// Each seat its own top card.
    OwnTop,
    /// Everyone which cards, nobody their order.
    Unordered,
    /// Everyone at once; later as far as the option `memory` shows earlier flips.
    Flip,
}

impl Event {
    /// Who may see this event while the match runs. A new event does not compile until someone says so here.
    pub fn audience(&self) -> Audience {
        match self {
            Event::Dealt(Deal::Hands(_)) => Audience::OwnHand,
            Event::Dealt(Deal::Stacks { .. } | Deal::Table(_)) => Audience::Sizes,
            Event::TurnBegun { .. } => Audience::OwnTop,
            Event::CardsTaken { .. } => Audience::Unordered,
            Event::CardFlipped { .. } => Audience::Flip,
            Event::Created(_)
            | Event::SeatTaken { .. }
            | Event::SeatLeft { .. }
            | Event::Started { .. }
            | Event::CardAsked { .. }
            | Event::AskAnswered { .. }
            | Event::DuelFought { .. }
            | Event::CardGiven { .. }
            | Event::QuartetLaid { .. }
            | Event::CardsShown { .. }
            | Event::RoundTied { .. }
            | Event::SeatOut { .. }
            | Event::PairTaken { .. }
            | Event::CardsClosed { .. }
            | Event::LimitReached { .. }
            | Event::DeadlinePassed { .. }
            | Event::SeatAway { .. }
            | Event::SeatReturned { .. }
            | Event::SeatResigned { .. }
            | Event::Ended { .. }
            | Event::Cancelled { .. } => Audience::Everyone,
        }
    }

    /// The event as `sight` may see it; `version` is the entry it stands in.
    #[must_use]
    pub fn seen_by(&self, sight: &Sight, version: u64) -> Event {
        let Some(viewer) = sight.limited_to() else {
            return self.clone();
        };
        let mut seen = self.clone();
        match self.audience() {
            Audience::Everyone => {}
            Audience::OwnHand | Audience::Sizes => {
                if let Event::Dealt(deal) = &mut seen {
                    deal.redact(viewer);
                }
            }
            Audience::OwnTop => {
                if let Event::TurnBegun { tops, .. } = &mut seen {
                    tops.retain(|top| top.seat == viewer);
                }
            }
            Audience::Unordered => {
                if let Event::CardsTaken { cards, .. } = &mut seen {
                    cards.sort_unstable();
                }
            }
            Audience::Flip => {
                if let Event::CardFlipped { face, .. } = &mut seen
                    && !sight.shows_flip_of(version)
                {
                    *face = Face::Forgotten;
                }
            }
        }
        seen
    }
}

impl Deal {
    /// Leaves the viewer's own hand and the sizes of everything else.
    fn redact(&mut self, viewer: Seat) {
        match self {
            Deal::Hands(hands) => {
                *hands = hands.map(|seat, hand| {
                    if seat == viewer {
                        hand.clone()
                    } else {
                        hand.counted()
                    }
                });
            }
            Deal::Stacks { stacks, aside } => {
                *stacks = stacks.map(|_, stack| stack.counted());
                *aside = aside.counted();
            }
            Deal::Table(board) => {
                if let Board::Open(cards) = board {
                    *board = Board::Size(cards.len() as u8);
                }
            }
        }
    }
}
