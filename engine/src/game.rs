//! The five games behind one door: setup, decide, apply, legal actions, view.

use crate::action::Action;
use crate::card::{Card, TableCard};
use crate::deck::Deck;
use crate::event::{Board, Cards, Deal, EndReason, Event, Limit, SeatCards};
use crate::rejection::Rejection;
use crate::seat::{Seat, SeatSet, Seats};
use crate::shuffle::Mixer;
use crate::view::{Sight, TableView};
use crate::{duel_quartett, pairs, supertrump, vdb_quartett, vdb_supertrumpf};
use std::ops::RangeInclusive;

/// Which of the five games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameKind {
    /// Sheet A: ask for a card, then fight for it.
    DuelQuartett,
    /// Sheet A: top cards compared, one open.
    Supertrump,
    /// Sheet A: find card and plan card.
    Pairs,
    /// Sheet V: top cards compared, playoffs.
    VdbSupertrumpf,
    /// Sheet V: ask for cards, lay groups.
    VdbQuartett,
}

impl GameKind {
    /// All five.
    pub const ALL: [GameKind; 5] = [
        GameKind::DuelQuartett,
        GameKind::Supertrump,
        GameKind::Pairs,
        GameKind::VdbSupertrumpf,
        GameKind::VdbQuartett,
    ];

    /// The stable id.
    pub fn id(self) -> &'static str {
        match self {
            GameKind::DuelQuartett => "duel_quartett",
            GameKind::Supertrump => "supertrump",
            GameKind::Pairs => "pairs",
            GameKind::VdbSupertrumpf => "vdb_supertrumpf",
            GameKind::VdbQuartett => "vdb_quartett",
        }
    }

    /// The game with this id.
    pub fn from_id(id: &str) -> Option<GameKind> {
        GameKind::ALL.into_iter().find(|game| game.id() == id)
    }

    /// How many seats the game has.
    pub fn seats(self) -> RangeInclusive<u8> {
        match self {
            GameKind::DuelQuartett | GameKind::Supertrump | GameKind::Pairs => 2..=6,
            GameKind::VdbSupertrumpf => 2..=4,
            GameKind::VdbQuartett => 3..=4,
        }
    }

    /// Whether the game's sheet finds the starter by a question.
    pub fn has_opening_question(self) -> bool {
        match self {
            GameKind::DuelQuartett | GameKind::Supertrump | GameKind::Pairs => true,
            GameKind::VdbSupertrumpf | GameKind::VdbQuartett => false,
        }
    }
}

/// A game with its options, every default resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameSetup {
    /// `duel_quartett`.
    DuelQuartett(duel_quartett::Options),
    /// `supertrump`.
    Supertrump(supertrump::Options),
    /// `pairs`.
    Pairs(pairs::Options),
    /// `vdb_supertrumpf`.
    VdbSupertrumpf(vdb_supertrumpf::Options),
    /// `vdb_quartett`.
    VdbQuartett(vdb_quartett::Options),
}

impl GameSetup {
    /// The game with the defaults for a number of seats.
    pub fn default_for(game: GameKind, seats: u8) -> GameSetup {
        match game {
            GameKind::DuelQuartett => GameSetup::DuelQuartett(duel_quartett::Options::default_for(seats)),
            GameKind::Supertrump => GameSetup::Supertrump(supertrump::Options::default()),
            GameKind::Pairs => GameSetup::Pairs(pairs::Options::default_for(seats)),
            GameKind::VdbSupertrumpf => GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options::default()),
            GameKind::VdbQuartett => GameSetup::VdbQuartett(vdb_quartett::Options::default_for(seats)),
        }
    }

    /// Which game.
    pub fn kind(&self) -> GameKind {
        match self {
            GameSetup::DuelQuartett(_) => GameKind::DuelQuartett,
            GameSetup::Supertrump(_) => GameKind::Supertrump,
            GameSetup::Pairs(_) => GameKind::Pairs,
            GameSetup::VdbSupertrumpf(_) => GameKind::VdbSupertrumpf,
            GameSetup::VdbQuartett(_) => GameKind::VdbQuartett,
        }
    }
}

/// What the seat to move must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Ask for a card.
    Ask,
    /// Fight the pending duel.
    Duel,
    /// Choose an attribute, seeing its top card.
    Choose,
    /// Choose an attribute before anyone sees the next card.
    ChooseBlind,
    /// Choose an attribute in a playoff.
    Playoff,
    /// Open a first card.
    FlipFirst,
    /// Open a second card.
    FlipSecond,
}

/// Whose move it is and what it must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Whose.
    pub seat: Seat,
    /// What.
    pub phase: Phase,
}

/// What the rules make of an action.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Decision {
    /// What happened, in order; the end of the match is added by its caller.
    pub(crate) events: Vec<Event>,
    /// How the match ended, if it did.
    pub(crate) ending: Option<Ending>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) reason: EndReason,
    /// The seats that the end rule names; else the best score wins.
    pub(crate) winners: Option<SeatSet>,
    pub(crate) scores: Seats<u16>,
}

impl Decision {
    /// The match goes on.
    pub(crate) fn going_on(events: Vec<Event>) -> Decision {
        Decision { events, ending: None }
    }

    /// The match is over; unless the end rule names `winners`, the best score wins.
    pub(crate) fn ended(
        events: Vec<Event>,
        reason: EndReason,
        winners: Option<SeatSet>,
        scores: Seats<u16>,
    ) -> Decision {
        Decision {
            events,
            ending: Some(Ending {
                reason,
                winners,
                scores,
            }),
        }
    }

    /// Adds the line of a limit, if it was one that ended the match; natural ends print none.
    pub(crate) fn note_limit(events: &mut Vec<Event>, reason: EndReason) {
        match reason {
            EndReason::Limit(limit) => events.push(Event::LimitReached { limit }),
            EndReason::Complete | EndReason::Abandoned | EndReason::TooFewPlayers => {}
        }
    }
}

/// One game being played: its whole state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Game {
    DuelQuartett(duel_quartett::Table),
    Supertrump(supertrump::Table),
    Pairs(pairs::Table),
    VdbSupertrumpf(vdb_supertrumpf::Table),
    VdbQuartett(vdb_quartett::Table),
}

/// Says the same to whichever game it is.
macro_rules! each {
    ($game:expr, $table:ident => $what:expr) => {
        match $game {
            Game::DuelQuartett($table) => $what,
            Game::Supertrump($table) => $what,
            Game::Pairs($table) => $what,
            Game::VdbSupertrumpf($table) => $what,
            Game::VdbQuartett($table) => $what,
        }
    };
}

impl Game {
    /// The game before anything is dealt.
    pub(crate) fn new(setup: &GameSetup, seats: usize) -> Game {
        match setup {
            GameSetup::DuelQuartett(options) => {
                Game::DuelQuartett(duel_quartett::Table::new(*options, seats))
            }
            GameSetup::Supertrump(options) => Game::Supertrump(supertrump::Table::new(*options, seats)),
            GameSetup::Pairs(options) => Game::Pairs(pairs::Table::new(*options, seats)),
            GameSetup::VdbSupertrumpf(options) => {
                Game::VdbSupertrumpf(vdb_supertrumpf::Table::new(*options, seats))
            }
            GameSetup::VdbQuartett(options) => Game::VdbQuartett(vdb_quartett::Table::new(*options, seats)),
        }
    }

    pub(crate) fn kind(&self) -> GameKind {
        match self {
            Game::DuelQuartett(_) => GameKind::DuelQuartett,
            Game::Supertrump(_) => GameKind::Supertrump,
            Game::Pairs(_) => GameKind::Pairs,
            Game::VdbSupertrumpf(_) => GameKind::VdbSupertrumpf,
            Game::VdbQuartett(_) => GameKind::VdbQuartett,
        }
    }

    /// What happens between the deal and the first move; `first` is the starter.
    pub(crate) fn open(&self, deck: &Deck, first: Seat) -> Decision {
        each!(self, table => table.open(deck, first))
    }

    /// What an action of a seat leads to. Reads only. The match is known to run.
    pub(crate) fn decide(
        &self,
        deck: &Deck,
        seat: Seat,
        action: &Action,
        mixer: &mut impl Mixer,
    ) -> Result<Decision, Rejection> {
        each!(self, table => table.decide(deck, seat, action, mixer))
    }

    /// Ends the game as it stands: by the time limit, or because too few are left.
    pub(crate) fn wind_up(&self, deck: &Deck, reason: EndReason) -> Decision {
        each!(self, table => table.wind_up(deck, reason))
    }

    /// Takes in what happened in the entry `version`. Total: it decides nothing and never fails.
    pub(crate) fn apply(&mut self, deck: &Deck, event: &Event, version: u64) {
        match self {
            Game::Pairs(table) => table.apply(event, version),
            Game::DuelQuartett(table) => table.apply(deck, event),
            Game::Supertrump(table) => table.apply(event),
            Game::VdbSupertrumpf(table) => table.apply(event),
            Game::VdbQuartett(table) => table.apply(deck, event),
        }
    }

    /// Everything `decide` would accept from this seat now.
    pub(crate) fn legal_actions(&self, deck: &Deck, seat: Seat) -> Vec<Action> {
        each!(self, table => table.legal_actions(deck, seat))
    }

    pub(crate) fn view(&self, sight: &Sight) -> TableView {
        each!(self, table => table.view(sight))
    }

    pub(crate) fn turn(&self) -> Option<Turn> {
        each!(self, table => table.turn())
    }

    /// Whether a seat is out.
    pub(crate) fn is_out(&self, seat: Seat) -> bool {
        each!(self, table => table.is_out(seat))
    }

    /// Every card's whereabouts, for the law that cards are conserved: sorted.
    pub(crate) fn all_cards(&self, deck: &Deck) -> Vec<TableCard> {
        let mut cards = each!(self, table => table.all_cards(deck));
        cards.sort_unstable();
        cards
    }

    /// The deal that a starter's shuffle gives: `shuffled` is the deck (for Pairs with its plan cards) in
    /// shuffled order, index 0 dealt first, to `starter`.
    pub(crate) fn deal(&self, shuffled: &[TableCard], seats: usize, starter: Seat) -> Deal {
        match self.kind() {
            GameKind::Pairs => Deal::Table(Board::Open(shuffled.to_vec())),
            GameKind::DuelQuartett | GameKind::VdbQuartett => Deal::Hands(dealt(shuffled, seats, starter)),
            GameKind::VdbSupertrumpf => Deal::Stacks {
                stacks: dealt(shuffled, seats, starter),
                aside: Cards::Open(Vec::new()),
            },
            GameKind::Supertrump => {
                let even = shuffled.len() - shuffled.len() % seats;
                Deal::Stacks {
                    stacks: dealt(&shuffled[..even], seats, starter),
                    aside: Cards::Open(shuffled[even..].iter().map(|card| card.card).collect()),
                }
            }
        }
    }
}

/// One card at a time clockwise from the starter.
fn dealt(shuffled: &[TableCard], seats: usize, starter: Seat) -> Seats<Cards> {
    Seats::build(seats, |seat| {
        let first = (seat.index() + seats - starter.index()) % seats;
        Cards::Open(
            shuffled
                .iter()
                .skip(first)
                .step_by(seats)
                .map(|card| card.card)
                .collect::<Vec<Card>>(),
        )
    })
}

/// A turn begins in which no card is shown.
pub(crate) fn turn(seat: Seat, phase: Phase) -> Event {
    Event::TurnBegun {
        seat,
        phase,
        open: None,
        tops: SeatCards::new(),
    }
}

/// What is left of a limit.
pub(crate) fn left(limit: Option<u32>, used: u32) -> Option<u32> {
    limit.map(|limit| limit.saturating_sub(used))
}

/// Whether a limit is reached; a limit that is absent never is.
pub(crate) fn reached(limit: Option<u32>, used: u32) -> bool {
    limit.is_some_and(|limit| used >= limit)
}

/// The end by a limit.
pub(crate) const fn by(limit: Limit) -> EndReason {
    EndReason::Limit(limit)
}
