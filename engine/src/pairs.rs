//! `pairs`, sheet A: open two places a turn, find card and plan card of one number.

use crate::action::Action;
use crate::card::{Card, Side, TableCard};
use crate::deck::Deck;
use crate::event::{Board, Deal, EndReason, Event, Face, Limit};
use crate::game::{Decision, Phase, Turn, by, left, reached, turn};
use crate::rejection::Rejection;
use crate::seat::{Seat, Seats};
use crate::shuffle::Mixer;
use crate::view::{FlipView, PlaceView, Sight, TableView};
use std::collections::VecDeque;

/// What is shown of earlier flips while the match runs. A courtesy to the game: a live watcher can write
/// things down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Memory {
    /// The flips since the seat's own last turn, until its turn ends.
    #[default]
    SinceLastTurn,
    /// All flips.
    FullLog,
}

/// The options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// What is shown of earlier flips.
    pub memory: Memory,
    /// Misses of known places in a row that end the match; `None` never do.
    pub idle: Option<u32>,
}

impl Options {
    /// The defaults for a number of seats.
    pub fn default_for(seats: u8) -> Options {
        Options {
            memory: Memory::SinceLastTurn,
            idle: Some(12 * u32::from(seats)),
        }
    }
}

/// The most flips a view lists; older ones stand in the history. More than can happen between two turns of one
/// seat on the largest table.
pub const RECENT_FLIPS_MAX: usize = 256;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    options: Options,
    /// From place 1.
    board: Vec<TableCard>,
    taken: Vec<bool>,
    /// Per place when it was last opened, counted in flips from 1; 0 if never.
    opened: Vec<u32>,
    flips: u32,
    recent: VecDeque<(u64, FlipView)>,
    /// The place open by this turn's first flip.
    open: Option<u8>,
    /// Whether this turn opened a place for the first time.
    fresh: bool,
    /// Misses of known places in a row.
    idle: u32,
    turn: Option<Seat>,
    /// Per seat the entry in which its last turn ended.
    turn_ended_at: Seats<u64>,
    pairs: Seats<Vec<Card>>,
}

impl Table {
    pub(crate) fn new(options: Options, seats: usize) -> Table {
        Table {
            options,
            board: Vec::new(),
            taken: Vec::new(),
            opened: Vec::new(),
            flips: 0,
            recent: VecDeque::new(),
            open: None,
            fresh: false,
            idle: 0,
            turn: None,
            turn_ended_at: Seats::build(seats, |_| 0),
            pairs: Seats::build(seats, |_| Vec::new()),
        }
    }

    /// Puts pairs in front of a seat before play, in a position set up by hand.
    pub(crate) fn take_before(&mut self, seat: Seat, card: Card) {
        if let Some(pairs) = self.pairs.get_mut(seat) {
            pairs.push(card);
        }
    }

    pub(crate) fn open(&self, deck: &Deck, first: Seat) -> Decision {
        if self.board.is_empty() {
            return self.wind_up(deck, EndReason::Complete);
        }
        Decision::going_on(vec![turn(first, Phase::FlipFirst)])
    }

    pub(crate) fn decide(
        &self,
        _: &Deck,
        seat: Seat,
        action: &Action,
        _: &mut impl Mixer,
    ) -> Result<Decision, Rejection> {
        let place = match *action {
            Action::FlipCard { place } => place,
            Action::AskCard { .. }
            | Action::FightDuel { .. }
            | Action::LayQuartet { .. }
            | Action::ChooseAttribute { .. } => return Err(Rejection::ActionNotInThisGame),
        };
        if self.turn != Some(seat) {
            return Err(Rejection::NotYourTurn);
        }
        let Some(card) = self.card_at(place) else {
            return Err(Rejection::UnknownPlace);
        };
        if self.is_taken(place) {
            return Err(Rejection::PlaceEmpty);
        }
        if self.open == Some(place) {
            return Err(Rejection::PlaceAlreadyOpen);
        }
        Ok(self.flip(seat, place, card))
    }

    fn flip(&self, seat: Seat, place: u8, card: TableCard) -> Decision {
        let mut events = Vec::with_capacity(4);
        events.push(Event::CardFlipped {
            seat,
            place,
            face: Face::Open(card),
        });
        let Some((first_place, first)) = self.open.and_then(|open| Some((open, self.card_at(open)?))) else {
            return Decision::going_on(events);
        };
        if first.card == card.card {
            events.push(Event::PairTaken {
                seat,
                card: card.card,
            });
            if self.taken.iter().filter(|taken| !**taken).count() > 2 {
                events.push(turn(seat, Phase::FlipFirst));
                return Decision::going_on(events);
            }
            let mut scores = self.scores();
            scores[seat] += 1;
            return Decision::ended(events, EndReason::Complete, None, scores);
        }
        events.push(Event::CardsClosed {
            places: [first_place, place],
        });
        let fresh = self.fresh || self.opened_at(place) == 0;
        if !fresh && reached(self.options.idle, self.idle + 1) {
            return self.end(events, by(Limit::Idle));
        }
        events.push(turn(
            self.pairs.after(seat).next().unwrap_or(seat),
            Phase::FlipFirst,
        ));
        Decision::going_on(events)
    }

    pub(crate) fn wind_up(&self, _: &Deck, reason: EndReason) -> Decision {
        self.end(Vec::new(), reason)
    }

    fn end(&self, mut events: Vec<Event>, reason: EndReason) -> Decision {
        Decision::note_limit(&mut events, reason);
        Decision::ended(events, reason, None, self.scores())
    }

    fn scores(&self) -> Seats<u16> {
        self.pairs.map(|_, pairs| pairs.len() as u16)
    }

    fn card_at(&self, place: u8) -> Option<TableCard> {
        self.board.get(usize::from(place).checked_sub(1)?).copied()
    }

    fn is_taken(&self, place: u8) -> bool {
        usize::from(place)
            .checked_sub(1)
            .and_then(|index| self.taken.get(index))
            .copied()
            .unwrap_or(false)
    }

    fn opened_at(&self, place: u8) -> u32 {
        usize::from(place)
            .checked_sub(1)
            .and_then(|index| self.opened.get(index))
            .copied()
            .unwrap_or(0)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "events of other games do not touch this table"
    )]
    pub(crate) fn apply(&mut self, event: &Event, version: u64) {
        match event {
            Event::Dealt(Deal::Table(Board::Open(board))) => {
                self.board.clone_from(board);
                self.taken = vec![false; board.len()];
                self.opened = vec![0; board.len()];
            }
            Event::CardFlipped { seat, place, .. } => self.flipped(*seat, *place, version),
            Event::PairTaken { seat, card } => {
                for (place, taken) in self.board.iter().zip(&mut self.taken) {
                    *taken |= place.card == *card;
                }
                if let Some(pairs) = self.pairs.get_mut(*seat) {
                    pairs.push(*card);
                }
                self.open = None;
                self.idle = 0;
            }
            Event::CardsClosed { .. } => {
                self.open = None;
                self.idle += u32::from(!self.fresh);
            }
            Event::TurnBegun { seat, .. } => {
                if let Some(before) = self.turn.replace(*seat)
                    && before != *seat
                    && let Some(ended_at) = self.turn_ended_at.get_mut(before)
                {
                    *ended_at = version;
                }
            }
            Event::Ended { .. } => self.turn = None,
            _ => {}
        }
    }

    fn flipped(&mut self, seat: Seat, place: u8, version: u64) {
        let Some(card) = self.card_at(place) else { return };
        self.flips += 1;
        let first_time = self.opened_at(place) == 0;
        self.opened[usize::from(place) - 1] = self.flips;
        if first_time {
            self.idle = 0;
        }
        if self.open.is_none() {
            self.open = Some(place);
            self.fresh = first_time;
        } else {
            self.fresh |= first_time;
        }
        if self.recent.len() == RECENT_FLIPS_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back((version, FlipView { seat, place, card }));
    }

    pub(crate) fn legal_actions(&self, _: &Deck, seat: Seat) -> Vec<Action> {
        if self.turn != Some(seat) {
            return Vec::new();
        }
        self.places()
            .filter(|place| !self.is_taken(*place) && self.open != Some(*place))
            .map(|place| Action::FlipCard { place })
            .collect()
    }

    fn places(&self) -> impl Iterator<Item = u8> + use<> {
        1..=self.board.len() as u8
    }

    /// The first entry whose flips a seat is still shown. The flips of the entry that ended its last turn are
    /// among them, or it would never have seen its own second card.
    pub(crate) fn flips_from(&self, seat: Seat) -> u64 {
        match self.options.memory {
            Memory::FullLog => 0,
            Memory::SinceLastTurn => self.turn_ended_at.get(seat).copied().unwrap_or(0),
        }
    }

    /// What a watcher who noted every flip knows: per place, from place 1, the card and when it was last
    /// opened (in flips from 1); `None` for places never opened and places taken.
    pub(crate) fn noted(&self) -> Vec<Option<(TableCard, u32)>> {
        self.places()
            .map(|place| {
                let opened = self.opened_at(place);
                self.card_at(place)
                    .filter(|_| opened > 0 && !self.is_taken(place))
                    .map(|card| (card, opened))
            })
            .collect()
    }

    pub(crate) fn view(&self, sight: &Sight) -> TableView {
        let all = sight.limited_to().is_none();
        // Seen from later, the first of two flips is a flip like any other.
        let shows_open = self
            .recent
            .back()
            .is_some_and(|(version, _)| sight.shows_flip_of(*version));
        TableView::Pairs {
            places: self
                .places()
                .map(|place| match self.card_at(place) {
                    _ if self.is_taken(place) => PlaceView::Taken,
                    Some(card) if all || (self.open == Some(place) && shows_open) => PlaceView::Open(card),
                    _ => PlaceView::Closed,
                })
                .collect(),
            pairs: self.pairs.clone(),
            recent_flips: self
                .recent
                .iter()
                .filter(|(version, _)| sight.shows_flip_of(*version))
                .map(|(_, flip)| *flip)
                .collect(),
            misses_left: left(self.options.idle, self.idle),
        }
    }

    pub(crate) fn turn(&self) -> Option<Turn> {
        let phase = if self.open.is_some() {
            Phase::FlipSecond
        } else {
            Phase::FlipFirst
        };
        self.turn.map(|seat| Turn { seat, phase })
    }

    /// Nobody is ever out of Pairs.
    pub(crate) fn is_out(&self, _: Seat) -> bool {
        false
    }

    pub(crate) fn all_cards(&self, _: &Deck) -> Vec<TableCard> {
        let closed = self
            .board
            .iter()
            .zip(&self.taken)
            .filter(|(_, taken)| !**taken)
            .map(|(card, _)| *card);
        let pairs = self.pairs.iter().flat_map(|(_, pairs)| pairs.iter());
        let pairs =
            pairs.flat_map(|card| [Side::Card, Side::Plan].map(|side| TableCard { card: *card, side }));
        closed.chain(pairs).collect()
    }
}
