//! `vdb_supertrumpf`, sheet V: the opener chooses, ties are played off (Stichrunde), the opener rotates.

use crate::action::Action;
use crate::card::{Attribute, Card, TableCard};
use crate::deck::Deck;
use crate::event::{EndReason, Event, Limit, SeatCard, SeatCards};
use crate::game::{Decision, Phase, Turn, by, left, reached};
use crate::rejection::Rejection;
use crate::seat::{Seat, SeatSet, Seats};
use crate::showing::{Stacks, best, chosen};
use crate::shuffle::Mixer;
use crate::view::{Sight, Stack, TableView};

/// The options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Rounds (each with its playoffs) that end the match; `None` never do.
    pub rounds: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Options { rounds: Some(60) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    options: Options,
    pub(crate) cards: Stacks,
    turn: Option<Seat>,
    opener: Seat,
    /// Seats that are out; in the middle of a round a seat without cards is not yet.
    out: SeatSet,
    /// The seats tied last.
    tied: SeatSet,
    /// The seats that play the pending playoff.
    playoff: Option<SeatSet>,
    /// Cards of the centre that wait since earlier rounds.
    waiting: usize,
    rounds: u32,
}

/// A round being decided: what the table will be after the events so far.
struct Round<'a> {
    table: &'a Table,
    events: Vec<Event>,
    shown: SeatCards,
    sizes: Seats<u16>,
    centre: Vec<Card>,
    taken: Option<(Seat, Vec<Card>)>,
}

impl Table {
    pub(crate) fn new(options: Options, seats: usize) -> Table {
        Table {
            options,
            cards: Stacks::new(seats),
            turn: None,
            opener: Seat(0),
            out: SeatSet::EMPTY,
            tied: SeatSet::EMPTY,
            playoff: None,
            waiting: 0,
            rounds: 0,
        }
    }

    pub(crate) fn open(&self, deck: &Deck, first: Seat) -> Decision {
        match self.cards.stacks.from(first).find(|seat| self.cards.is_in(*seat)) {
            Some(seat) => {
                let tops = self.cards.shown(self.cards.stacks.seats());
                Decision::going_on(vec![Event::TurnBegun {
                    seat,
                    phase: Phase::Choose,
                    open: None,
                    tops,
                }])
            }
            None => self.wind_up(deck, EndReason::Complete),
        }
    }

    pub(crate) fn decide(
        &self,
        deck: &Deck,
        seat: Seat,
        action: &Action,
        mixer: &mut impl Mixer,
    ) -> Result<Decision, Rejection> {
        let attribute = chosen(deck, self.turn, seat, action)?;
        if !self.cards.has_value(deck, seat, attribute) {
            return Err(Rejection::NoValue);
        }
        Ok(self.choose(deck, seat, attribute, mixer))
    }

    fn choose(&self, deck: &Deck, chooser: Seat, attribute: Attribute, mixer: &mut impl Mixer) -> Decision {
        let plays = |seat: &Seat| self.playoff.is_none_or(|playoff| playoff.has(*seat));
        let shown = self.cards.shown(self.cards.stacks.from(chooser).filter(plays));
        let best = best(deck, attribute, &shown);
        let mut round = Round::new(self, attribute, shown);
        if let Some(winner) = best.iter().next().filter(|_| best.count() == 1) {
            round.take(winner, mixer);
            return round.finish(best);
        }
        round.events.push(Event::RoundTied {
            seats: best,
            centre_size: round.centre.len() as u8,
        });
        let able: SeatSet = best.iter().filter(|seat| round.sizes[*seat] > 0).collect();
        match able.count() {
            0 => {
                round.out();
                let still_in = round.still_in();
                if let Some(last) = still_in.iter().next().filter(|_| still_in.count() == 1) {
                    round.take(last, mixer);
                }
                round.finish(best)
            }
            1 => {
                for last in able.iter() {
                    round.take(last, mixer);
                }
                round.finish(best)
            }
            _ => {
                let next = self
                    .cards
                    .stacks
                    .from(chooser)
                    .find(|seat| able.has(*seat))
                    .unwrap_or(chooser);
                round.turn(next, Phase::Playoff);
                Decision::going_on(round.events)
            }
        }
    }

    /// Most cards win. In a pending playoff the cards laid in this round count for whoever laid them; a
    /// centre that waits counts for nobody.
    pub(crate) fn wind_up(&self, _: &Deck, reason: EndReason) -> Decision {
        let mut events = Vec::new();
        Decision::note_limit(&mut events, reason);
        let mut scores = self.cards.sizes();
        for laid in self.cards.centre.iter().skip(self.waiting) {
            scores[laid.seat] += 1;
        }
        Decision::ended(events, reason, None, scores)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "events of other games do not touch this table"
    )]
    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::Dealt(deal) => self.cards.deal(deal),
            Event::CardsShown { shown, .. } => self.cards.show(shown),
            Event::RoundTied { seats, .. } => self.tied = *seats,
            Event::CardsTaken { seat, cards } => self.cards.take(*seat, cards),
            Event::SeatOut { seat } => self.out = self.out.with(*seat),
            Event::TurnBegun {
                seat,
                phase: Phase::Playoff,
                ..
            } => {
                self.turn = Some(*seat);
                self.playoff = Some(self.tied.iter().filter(|seat| self.cards.is_in(*seat)).collect());
            }
            Event::TurnBegun { seat, .. } => {
                if self.turn.is_some() {
                    self.rounds += 1;
                }
                self.turn = Some(*seat);
                self.opener = *seat;
                self.end_round();
            }
            Event::LimitReached { limit: Limit::Rounds } => self.rounds += 1,
            Event::Ended { .. } => {
                self.turn = None;
                self.end_round();
            }
            _ => {}
        }
    }

    fn end_round(&mut self) {
        self.playoff = None;
        self.waiting = self.cards.centre.len();
    }

    pub(crate) fn legal_actions(&self, deck: &Deck, seat: Seat) -> Vec<Action> {
        if self.turn != Some(seat) {
            return Vec::new();
        }
        let Some(top) = self.cards.top(seat) else {
            return Vec::new();
        };
        deck.attributes()
            .filter(|attribute| deck.rank(top, *attribute) > 0)
            .map(|attribute| Action::ChooseAttribute { attribute })
            .collect()
    }

    pub(crate) fn view(&self, sight: &Sight) -> TableView {
        TableView::VdbSupertrumpf {
            stacks: self.cards.stacks.map(|seat, stack| {
                let size = stack.len() as u8;
                match stack.front() {
                    _ if sight.limited_to().is_none() => Stack::Open(stack.iter().copied().collect()),
                    Some(top) if sight.sees_own(seat) => Stack::Top(size, *top),
                    _ => Stack::Closed(size),
                }
            }),
            centre: self.cards.centre.iter().map(|laid| laid.card).collect(),
            opener: self.opener,
            playoff: self.playoff,
            rounds_left: left(self.options.rounds, self.rounds),
        }
    }

    pub(crate) fn turn(&self) -> Option<Turn> {
        let phase = if self.playoff.is_some() {
            Phase::Playoff
        } else {
            Phase::Choose
        };
        self.turn.map(|seat| Turn { seat, phase })
    }

    pub(crate) fn is_out(&self, seat: Seat) -> bool {
        self.out.has(seat) || (self.playoff.is_none() && !self.cards.is_in(seat))
    }

    pub(crate) fn all_cards(&self, _: &Deck) -> Vec<TableCard> {
        self.cards.all_cards()
    }
}

impl<'a> Round<'a> {
    fn new(table: &'a Table, attribute: Attribute, shown: SeatCards) -> Round<'a> {
        let mut sizes = table.cards.sizes();
        for top in &shown {
            sizes[top.seat] -= 1;
        }
        let centre = table
            .cards
            .centre
            .iter()
            .chain(&shown)
            .map(|laid| laid.card)
            .collect();
        Round {
            table,
            events: vec![Event::CardsShown {
                attribute,
                shown: shown.clone(),
            }],
            shown,
            sizes,
            centre,
            taken: None,
        }
    }

    /// The whole centre, this round's cards included, goes mixed under the seat's stack.
    fn take(&mut self, seat: Seat, mixer: &mut impl Mixer) {
        let mut cards = std::mem::take(&mut self.centre);
        mixer.mix(&mut cards);
        self.sizes[seat] += cards.len() as u16;
        self.taken = Some((seat, cards.clone()));
        self.events.push(Event::CardsTaken { seat, cards });
    }

    fn still_in(&self) -> SeatSet {
        self.sizes
            .iter()
            .filter(|(_, size)| **size > 0)
            .map(|(seat, _)| seat)
            .collect()
    }

    /// The seats that ran out since the round began, clockwise from the opener; said once.
    fn out(&mut self) {
        let laid_before = self.table.cards.centre.iter().skip(self.table.waiting);
        let played: SeatSet = laid_before.chain(&self.shown).map(|laid| laid.seat).collect();
        let gone = self.table.cards.stacks.from(self.table.opener);
        let gone = gone.filter(|seat| played.has(*seat) && self.sizes[*seat] == 0);
        self.events.extend(gone.map(|seat| Event::SeatOut { seat }));
    }

    /// After the round: out, the end, the limit, or the next opener. `best` share the win if nobody is left.
    fn finish(mut self, best: SeatSet) -> Decision {
        let told = self
            .events
            .iter()
            .any(|event| matches!(event, Event::SeatOut { .. }));
        if !told {
            self.out();
        }
        let still_in = self.still_in();
        let (reason, winners) = match still_in.count() {
            0 => (EndReason::Complete, Some(best)),
            1 => (EndReason::Complete, Some(still_in)),
            _ if reached(self.table.options.rounds, self.table.rounds + 1) => (by(Limit::Rounds), None),
            _ => {
                let opener = self.table.opener;
                let next = self
                    .sizes
                    .after(opener)
                    .find(|seat| still_in.has(*seat))
                    .unwrap_or(opener);
                self.turn(next, Phase::Choose);
                return Decision::going_on(self.events);
            }
        };
        Decision::note_limit(&mut self.events, reason);
        Decision::ended(self.events, reason, winners, self.sizes)
    }

    fn turn(&mut self, seat: Seat, phase: Phase) {
        let cards = &self.table.cards;
        let taken = self
            .taken
            .as_ref()
            .map(|(winner, cards)| (*winner, cards.as_slice()));
        let tops = cards
            .stacks
            .seats()
            .filter_map(|seat| {
                let shown = self.shown.iter().any(|top| top.seat == seat);
                cards
                    .next_top(seat, shown, taken)
                    .map(|card| SeatCard { seat, card })
            })
            .collect();
        self.events.push(Event::TurnBegun {
            seat,
            phase,
            open: None,
            tops,
        });
    }
}
