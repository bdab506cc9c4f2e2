//! What happened, and who may see it.
//!
//! Events are facts in the past tense: a fold of them is the state, and every consequence (a turn that
//! passes, a quartet laid, a match that ends) and every random outcome is an event of its own.

mod audience;
mod terms;

pub use audience::Audience;
pub use terms::{BotLevel, DeadlinePolicy, Holder, RulesVersion, StarterRule, Terms};

use crate::card::{Attribute, Card, Group, Side, TableCard};
use crate::game::Phase;
use crate::seat::{SEATS_MAX, Seat, SeatSet, Seats};
use crate::shuffle::Seed;
use arrayvec::ArrayVec;

/// Cards somewhere: which they are, or only how many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cards {
    /// The cards; of a stack, the top first.
    Open(Vec<Card>),
    /// Only their number.
    Size(u8),
}

impl Cards {
    /// How many cards.
    pub fn count(&self) -> usize {
        match self {
            Cards::Open(cards) => cards.len(),
            Cards::Size(count) => usize::from(*count),
        }
    }

    /// The same cards, only counted.
    #[must_use]
    pub fn counted(&self) -> Cards {
        Cards::Size(self.count() as u8)
    }
}

/// What was dealt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deal {
    /// A hand per seat.
    Hands(Seats<Cards>),
    /// A stack per seat, and what was set aside.
    Stacks {
        /// Per seat, the top first.
        stacks: Seats<Cards>,
        /// Unseen till the end.
        aside: Cards,
    },
    /// The Pairs table.
    Table(Board),
}

/// The cards of the Pairs table, from place 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Board {
    /// Which card lies where.
    Open(Vec<TableCard>),
    /// Only how many places.
    Size(u8),
}

/// The card turned up at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// The card seen.
    Open(TableCard),
    /// A card seen then and no longer shown.
    Forgotten,
}

/// A card and the seat it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatCard {
    /// Whose card.
    pub seat: Seat,
    /// The card.
    pub card: Card,
}

/// Cards, one or none per seat.
pub type SeatCards = ArrayVec<SeatCard, SEATS_MAX>;

/// Which limit ended a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Rounds played.
    Rounds,
    /// Time of the match.
    Time,
    /// Asks without a new whole group.
    Stall,
    /// Misses without a pair or a new place.
    Idle,
}

/// Why a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// By the game's own end.
    Complete,
    /// A limit was reached.
    Limit(Limit),
    /// Every remaining player stayed away.
    Abandoned,
    /// Too few are left who have not resigned.
    TooFewPlayers,
}

/// Why a match was cancelled before its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CancelReason {
    /// The host, or the last player to leave.
    HostCancelled,
    /// It waited too long.
    Expired,
}

/// A seat's place in the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Quartets, cards or pairs.
    pub score: u16,
    /// 1 is the best; equal results share a rank.
    pub rank: u8,
}

/// Something that happened in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The match was created.
    Created(Box<Terms>),
    /// A seat was taken.
    SeatTaken {
        /// Which.
        seat: Seat,
        /// By whom.
        holder: Holder,
        /// What its player adds to the deal's randomness.
        entropy: Option<String>,
    },
    /// A seat was left before the start.
    SeatLeft {
        /// Which.
        seat: Seat,
    },
    /// The match began.
    Started {
        /// Who moves first and is dealt to first.
        starter: Seat,
        /// What the host adds to the deal's randomness.
        entropy: Option<String>,
    },
    /// The cards were dealt.
    Dealt(Deal),
    /// A seat asked another for a card.
    CardAsked {
        /// Who asked.
        seat: Seat,
        /// Who was asked.
        asked: Seat,
        /// For which card.
        card: Card,
    },
    /// The asked seat's answer, given by the service.
    AskAnswered {
        /// Whether it holds the card.
        has_card: bool,
    },
    /// A duel was fought; both cards are shown.
    DuelFought {
        /// The asker's card.
        asker: SeatCard,
        /// The asked card.
        asked: SeatCard,
        /// What was compared.
        attribute: Attribute,
        /// Who takes both; nobody if they are equal.
        winner: Option<Seat>,
    },
    /// A card was handed over openly.
    CardGiven {
        /// By whom.
        from: Seat,
        /// To whom.
        to: Seat,
        /// Which.
        card: Card,
    },
    /// A whole group was laid down.
    QuartetLaid {
        /// In front of which seat.
        seat: Seat,
        /// Which group.
        group: Group,
    },
    /// Top cards were shown and compared, clockwise from the chooser.
    CardsShown {
        /// What was compared.
        attribute: Attribute,
        /// Who showed what.
        shown: SeatCards,
    },
    /// A seat took the shown cards and the centre under its stack.
    CardsTaken {
        /// Who.
        seat: Seat,
        /// In the order in which they now lie; seen by players in deck order while the match runs.
        cards: Vec<Card>,
    },
    /// Several were best; the shown cards went to the centre.
    RoundTied {
        /// Who were best.
        seats: SeatSet,
        /// Cards now in the centre.
        centre_size: u8,
    },
    /// A seat is out.
    SeatOut {
        /// Which.
        seat: Seat,
    },
    /// A seat is to move.
    TurnBegun {
        /// Which.
        seat: Seat,
        /// What it must do.
        phase: Phase,
        /// `supertrump`: its open top card.
        open: Option<Card>,
        /// `vdb_supertrumpf`: the top cards; each seat sees its own.
        tops: SeatCards,
    },
    /// A card of the table was turned up.
    CardFlipped {
        /// By whom.
        seat: Seat,
        /// Where, from 1.
        place: u8,
        /// What was seen.
        face: Face,
    },
    /// A pair was found and taken.
    PairTaken {
        /// By whom.
        seat: Seat,
        /// The number of both cards.
        card: Card,
    },
    /// Two cards that are no pair were closed again.
    CardsClosed {
        /// Their places, in the order of flipping.
        places: [u8; 2],
    },
    /// A limit ended the match.
    LimitReached {
        /// Which.
        limit: Limit,
    },
    /// The seat to move let its time pass.
    DeadlinePassed {
        /// Which.
        seat: Seat,
    },
    /// A bot holds the seat until its player returns.
    SeatAway {
        /// Which.
        seat: Seat,
    },
    /// The player of a seat is back.
    SeatReturned {
        /// Which.
        seat: Seat,
    },
    /// The player of a seat gave up; a bot holds it to the end.
    SeatResigned {
        /// Which.
        seat: Seat,
    },
    /// The match ended.
    Ended {
        /// Why.
        reason: EndReason,
        /// Per seat.
        standings: Seats<Standing>,
        /// The seed of the deal, revealed; absent only in positions set up by hand.
        seed: Option<Seed>,
    },
    /// The match was cancelled before its start.
    Cancelled {
        /// Why.
        reason: CancelReason,
        /// The seed, revealed.
        seed: Option<Seed>,
    },
}

impl Event {
    /// Whether every seat the event names is one of the first `count`, the ring it is about to be applied to.
    pub(crate) fn fits_ring(&self, count: usize) -> bool {
        let fits = |seat: &Seat| seat.index() < count;
        let all_fit = |cards: &SeatCards| cards.iter().all(|card| fits(&card.seat));
        match self {
            Event::SeatTaken { seat, .. }
            | Event::SeatLeft { seat }
            | Event::Started { starter: seat, .. }
            | Event::QuartetLaid { seat, .. }
            | Event::CardsTaken { seat, .. }
            | Event::SeatOut { seat }
            | Event::CardFlipped { seat, .. }
            | Event::PairTaken { seat, .. }
            | Event::DeadlinePassed { seat }
            | Event::SeatAway { seat }
            | Event::SeatReturned { seat }
            | Event::SeatResigned { seat } => fits(seat),
            Event::CardAsked { seat, asked, .. } => fits(seat) && fits(asked),
            Event::CardGiven { from, to, .. } => fits(from) && fits(to),
            Event::DuelFought {
                asker, asked, winner, ..
            } => fits(&asker.seat) && fits(&asked.seat) && winner.as_ref().is_none_or(fits),
            Event::CardsShown { shown, .. } => all_fit(shown),
            Event::RoundTied { seats, .. } => seats.iter().all(|seat| fits(&seat)),
            Event::TurnBegun { seat, tops, .. } => fits(seat) && all_fit(tops),
            Event::Dealt(Deal::Hands(piles) | Deal::Stacks { stacks: piles, .. }) => piles.count() == count,
            Event::Ended { standings, .. } => standings.count() == count,
            Event::Created(_)
            | Event::Dealt(Deal::Table(_))
            | Event::AskAnswered { .. }
            | Event::CardsClosed { .. }
            | Event::LimitReached { .. }
            | Event::Cancelled { .. } => true,
        }
    }
}

impl TableCard {
    /// The card itself, not its plan.
    pub fn card(card: Card) -> Self {
        TableCard {
            card,
            side: Side::Card,
        }
    }

    /// The plan card of a number.
    pub fn plan(card: Card) -> Self {
        TableCard {
            card,
            side: Side::Plan,
        }
    }
}
