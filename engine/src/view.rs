//! What a viewer may see: the only way out to a player, for answers, streams, history, replay and bots alike.

use crate::action::Action;
use crate::card::{Card, CardSet, GroupSet, TableCard};
use crate::event::{BotLevel, Cards, EndReason, Standing};
use crate::game::{Phase, Turn};
use crate::seat::{Seat, SeatSet, Seats};

/// Who looks at a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// The holder of a seat.
    Seat(Seat),
    /// Someone without a seat: sees what lies open to all.
    Outsider,
    /// Whoever may see everything: anyone allowed to see a match once it has ended.
    Everything,
}

/// How far a viewer sees into a match at its present version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    limited_to: Option<Seat>,
    flips_from: u64,
}

impl Sight {
    /// Sees everything.
    pub const EVERYTHING: Sight = Sight {
        limited_to: None,
        flips_from: 0,
    };

    /// Sees what lies open to all: a seat that no ring has owns nothing.
    pub const OUTSIDE: Sight = Sight {
        limited_to: Some(Seat(u8::MAX)),
        flips_from: u64::MAX,
    };

    /// Sees what a seat sees; flips of entries before `flips_from` are forgotten.
    pub(crate) fn of_seat(seat: Seat, flips_from: u64) -> Sight {
        Sight {
            limited_to: Some(seat),
            flips_from,
        }
    }

    /// The seat whose eyes these are; `None` sees everything.
    pub fn limited_to(&self) -> Option<Seat> {
        self.limited_to
    }

    /// Whether these eyes may see what this seat alone may see.
    pub fn sees_own(&self, seat: Seat) -> bool {
        self.limited_to.is_none_or(|own| own == seat)
    }

    /// Whether flips of the entry `version` still show their card.
    pub fn shows_flip_of(&self, version: u64) -> bool {
        version >= self.flips_from
    }
}

/// Where a match stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Waiting for players.
    Waiting,
    /// Running.
    Active,
    /// Ended; everything is open.
    Ended,
    /// Cancelled before its start.
    Cancelled,
}

/// Who holds a seat at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatHolder {
    /// Nobody yet.
    Open,
    /// A player, perhaps represented by a bot while away or after resigning.
    Player,
    /// A bot since before the start.
    Bot(BotLevel),
}

/// A seat as everyone sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatView {
    /// Who holds it.
    pub holder: SeatHolder,
    /// Out of the game: no cards left.
    pub out: bool,
    /// Its player resigned.
    pub resigned: bool,
    /// A bot plays until its player returns.
    pub away: bool,
}

/// A finished match's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchResult {
    /// Why it ended.
    pub reason: EndReason,
    /// Per seat.
    pub standings: Seats<Standing>,
}

/// A match as one viewer sees it at one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The version seen.
    pub version: u64,
    /// Where the match stands.
    pub status: Status,
    /// Every seat.
    pub seats: Seats<SeatView>,
    /// Whose move it is.
    pub turn: Option<Turn>,
    /// What lies on the table.
    pub table: TableView,
    /// What the viewer may do now, complete.
    pub legal_actions: Vec<Action>,
    /// The result, after the end.
    pub result: Option<MatchResult>,
}

/// A hand: the cards for those who may see them, else only how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// The cards, in deck order.
    Own(CardSet),
    /// Only their number.
    Size(u8),
}

impl Hand {
    /// How many cards.
    pub fn size(&self) -> usize {
        match self {
            Hand::Own(cards) => cards.count(),
            Hand::Size(size) => usize::from(*size),
        }
    }
}

/// A stack: its size, and as much of it as the viewer may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stack {
    /// Only its size.
    Closed(u8),
    /// Its size and its top card.
    Top(u8, Card),
    /// All of it, the top first.
    Open(Vec<Card>),
}

/// A place of the Pairs table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceView {
    /// A closed card.
    Closed,
    /// A card seen by the viewer.
    Open(TableCard),
    /// Its pair was taken.
    Taken,
}

/// A flip, as far as the viewer is shown earlier flips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlipView {
    /// Who flipped.
    pub seat: Seat,
    /// Where.
    pub place: u8,
    /// What was seen.
    pub card: TableCard,
}

/// A card whose duel is pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingDuel {
    /// Who must fight.
    pub asker: Seat,
    /// Who holds the card.
    pub asked: Seat,
    /// The card asked for.
    pub card: Card,
}

/// What lies on the table, per game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableView {
    /// `duel_quartett`.
    DuelQuartett {
        /// Hands.
        hands: Seats<Hand>,
        /// Laid quartets.
        quartets: Seats<GroupSet>,
        /// The pending duel.
        duel: Option<PendingDuel>,
        /// Asks left before the stall limit.
        asks_left: Option<u32>,
    },
    /// `supertrump`.
    Supertrump {
        /// Stacks; the active seat's top card is open.
        stacks: Seats<Stack>,
        /// Cards between the players, the oldest first.
        centre: Vec<Card>,
        /// Whether the choice is made before anyone sees the next card.
        blind: bool,
        /// Rounds left.
        rounds_left: Option<u32>,
        /// Cards set aside, unseen till the end.
        aside: Cards,
    },
    /// `pairs`.
    Pairs {
        /// The table, from place 1.
        places: Vec<PlaceView>,
        /// Numbers of the pairs each seat took, in that order.
        pairs: Seats<Vec<Card>>,
        /// Earlier flips that the viewer is shown, the oldest first.
        recent_flips: Vec<FlipView>,
        /// Misses left before the idle limit.
        misses_left: Option<u32>,
    },
    /// `vdb_supertrumpf`.
    VdbSupertrumpf {
        /// Stacks; each seat sees its own top card.
        stacks: Seats<Stack>,
        /// Cards between the players, the oldest first.
        centre: Vec<Card>,
        /// Who opened this round.
        opener: Seat,
        /// Who plays the playoff, if one is pending.
        playoff: Option<SeatSet>,
        /// Rounds left.
        rounds_left: Option<u32>,
    },
    /// `vdb_quartett`.
    VdbQuartett {
        /// Hands.
        hands: Seats<Hand>,
        /// Laid quartets.
        quartets: Seats<GroupSet>,
        /// Whether hopeless asks are refused.
        guard_on: bool,
        /// Misses in a row until the guard switches on.
        misses_to_guard: Option<u32>,
        /// Asks until the guard switches on at the next miss.
        asks_to_guard: Option<u32>,
    },
}

impl View {
    /// The phase of the pending move.
    pub fn phase(&self) -> Option<Phase> {
        self.turn.map(|turn| turn.phase)
    }
}
