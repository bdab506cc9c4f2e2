//! What happened, and who may see it.
//!
//! Events are facts in the past tense: a fold of them is the state, and every consequence (a turn that
//! passes, a quartet laid, a match that ends) and every random outcome is an event of its own.

use crate::card::{Attribute, Card, Group, Side, TableCard};
use crate::game::{GameSetup, Phase};
use crate::seat::{SEATS_MAX, Seat, SeatSet, Seats};
use crate::shuffle::{Commitment, Seed};
use crate::view::Sight;
use arrayvec::ArrayVec;

/// Which rules a match is played by; pinned when it is created, so that a later fix of play does not change
/// how an older match replays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulesVersion(pub u16);

impl RulesVersion {
    /// The rules new matches are created under.
    pub const CURRENT: RulesVersion = RulesVersion(1);
}

/// How a bot plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BotLevel {
    /// Plays legally and little more.
    Easy,
    /// Remembers the recent past.
    Medium,
    /// Remembers and weighs everything its seat saw.
    Hard,
}

/// Who takes a seat before the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A player.
    Player,
    /// A bot.
    Bot(BotLevel),
}

/// How the starter is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StarterRule {
    /// Drawn.
    #[default]
    Random,
    /// The host.
    Host,
    /// The biggest answer to the sheet's question; drawn among equal or without answers.
    Question,
}

/// What a missed deadline does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeadlinePolicy {
    /// A medium bot plays on until the turn leaves the seat.
    #[default]
    BotPlays,
    /// The seat resigns.
    Forfeit,
}

/// What is agreed when a match is created and never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The 16 raw bytes of the match id.
    pub match_id: [u8; 16],
    /// The game and its options, all resolved.
    pub game: GameSetup,
    /// The deck's id.
    pub deck_id: String,
    /// SHA-256 of the deck document.
    pub deck_hash: [u8; 32],
    /// How many seats.
    pub seats: u8,
    /// How the starter is found.
    pub starter: StarterRule,
    /// Who starts, where that is settled beforehand: a rematch moves the starter one seat on.
    pub starter_seat: Option<Seat>,
    /// Time for one turn, in seconds.
    pub turn_seconds: u32,
    /// What a missed deadline does.
    pub deadline_policy: DeadlinePolicy,
    /// Time for the whole match from its start, in seconds.
    pub time_limit_seconds: Option<u32>,
    /// The rules it is played by.
    pub rules: RulesVersion,
    /// What binds the seed before anyone joins.
    pub seed_commitment: Commitment,
}

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
