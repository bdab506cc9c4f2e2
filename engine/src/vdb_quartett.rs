//! `vdb_quartett`, sheet V: classic Quartett. Ask and be given; a miss hands the turn to the asked seat.

use crate::action::Action;
use crate::asking::{Hands, Recall};
use crate::card::{Card, TableCard};
use crate::deck::Deck;
use crate::event::{EndReason, Event};
use crate::game::{Decision, Phase, Turn, left, reached, turn};
use crate::rejection::Rejection;
use crate::seat::Seat;
use crate::shuffle::Mixer;
use crate::view::{Sight, TableView};

/// The options. The guard never ends a match; it makes every match end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Misses in a row that switch the guard on; `None` never do.
    pub guard_misses: Option<u32>,
    /// Asks altogether that switch the guard on at the next miss; `None` never do.
    pub guard_asks: Option<u32>,
}

impl Options {
    /// The defaults for a number of seats.
    pub fn default_for(seats: u8) -> Options {
        Options {
            guard_misses: Some(3 * u32::from(seats)),
            guard_asks: Some(150),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    options: Options,
    pub(crate) hands: Hands,
    turn: Option<Seat>,
    /// The last ask: who, whom, for what.
    ask: Option<(Seat, Seat, Card)>,
    /// Misses in a row.
    misses: u32,
    /// Asks altogether.
    asks: u32,
    guard_on: bool,
    pub(crate) recall: Recall,
}

impl Table {
    pub(crate) fn new(options: Options, seats: usize) -> Table {
        Table {
            options,
            hands: Hands::new(seats),
            turn: None,
            ask: None,
            misses: 0,
            asks: 0,
            guard_on: false,
            recall: Recall::new(seats),
        }
    }

    pub(crate) fn open(&self, deck: &Deck, first: Seat) -> Decision {
        let mut events = Vec::new();
        let mut hands = self.hands.clone();
        hands.lay_all(deck, self.hands.hands.from(first), &mut events);
        // No miss has switched the guard on yet.
        self.carry_on(deck, &hands, |_, _| false, events, first)
    }

    pub(crate) fn decide(
        &self,
        deck: &Deck,
        seat: Seat,
        action: &Action,
        _: &mut impl Mixer,
    ) -> Result<Decision, Rejection> {
        let (asked, card) = match *action {
            Action::AskCard { seat, card } => (seat, card),
            Action::FightDuel { .. }
            | Action::LayQuartet { .. }
            | Action::ChooseAttribute { .. }
            | Action::FlipCard { .. } => return Err(Rejection::ActionNotInThisGame),
        };
        if self.turn != Some(seat) {
            return Err(Rejection::NotYourTurn);
        }
        let asked = self.hands.check_ask(deck, seat, asked, card)?;
        if self.guard_on && is_hopeless(&self.recall, asked, card) {
            return Err(Rejection::HopelessAsk);
        }
        Ok(self.ask(deck, seat, asked, card))
    }

    fn ask(&self, deck: &Deck, asker: Seat, asked: Seat, card: Card) -> Decision {
        let mut events = Vec::with_capacity(6);
        events.push(Event::CardAsked {
            seat: asker,
            asked,
            card,
        });
        if !self.hands.hands[asked].has(card) {
            events.push(Event::AskAnswered { has_card: false });
            let guard_on = self.guard_on
                || reached(self.options.guard_misses, self.misses + 1)
                || reached(self.options.guard_asks, self.asks + 1);
            // What this no adds is not in the table's memory yet.
            let news = |to: Seat, of: Card| to == asked && of == card;
            let hopeless = |to, of| guard_on && (news(to, of) || is_hopeless(&self.recall, to, of));
            return self.carry_on(deck, &self.hands, hopeless, events, asked);
        }
        events.push(Event::CardGiven {
            from: asked,
            to: asker,
            card,
        });
        let mut hands = self.hands.clone();
        hands.move_card(card, asker);
        hands.lay_all(deck, std::iter::once(asker), &mut events);
        let emptied = self
            .hands
            .hands
            .seats()
            .filter(|seat| self.hands.is_in(*seat) && !hands.is_in(*seat));
        events.extend(emptied.map(|seat| Event::SeatOut { seat }));
        // The table's memory does not know of this move yet, and need not: an asker who cannot go on holds all
        // there is of its groups or has laid them, so that nobody else can ask for the card given.
        let hopeless = |to, of| self.guard_on && is_hopeless(&self.recall, to, of);
        self.carry_on(deck, &hands, hopeless, events, asker)
    }

    /// The end, or the turn of the first able seat clockwise from `next`; `hopeless` are the asks the guard
    /// refuses from now on.
    fn carry_on(
        &self,
        deck: &Deck,
        hands: &Hands,
        hopeless: impl Fn(Seat, Card) -> bool,
        mut events: Vec<Event>,
        next: Seat,
    ) -> Decision {
        let able = |seat: &Seat| {
            hands
                .asks(deck, *seat)
                .any(|(asked, card)| !hopeless(asked, card))
        };
        if !hands.all_whole(deck)
            && let Some(seat) = hands.hands.from(next).find(able)
        {
            events.push(turn(seat, Phase::Ask));
            return Decision::going_on(events);
        }
        Decision::ended(events, EndReason::Complete, None, hands.scores())
    }

    pub(crate) fn wind_up(&self, _: &Deck, reason: EndReason) -> Decision {
        let mut events = Vec::new();
        Decision::note_limit(&mut events, reason);
        Decision::ended(events, reason, None, self.hands.scores())
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "events of other games do not touch this table"
    )]
    pub(crate) fn apply(&mut self, deck: &Deck, event: &Event) {
        match event {
            Event::Dealt(deal) => self.hands.deal(deck, deal),
            Event::CardAsked { seat, asked, card } => {
                self.ask = Some((*seat, *asked, *card));
                self.asks += 1;
                self.recall.asked(deck, *seat, *card);
            }
            Event::AskAnswered { has_card: false } => {
                self.misses += 1;
                self.guard_on |= reached(self.options.guard_misses, self.misses)
                    || reached(self.options.guard_asks, self.asks);
                if let Some((asker, asked, card)) = self.ask {
                    self.recall.denied(asker, asked, card);
                }
            }
            Event::CardGiven { from, to, card } => {
                self.misses = 0;
                self.hands.move_card(*card, *to);
                self.recall.moved(deck, *card, *from, *to);
            }
            Event::QuartetLaid { seat, group } => {
                self.hands.lay(deck, *seat, *group);
                self.recall.laid(deck, *seat, *group);
            }
            Event::TurnBegun { seat, .. } => self.turn = Some(*seat),
            Event::Ended { .. } => self.turn = None,
            _ => {}
        }
    }

    pub(crate) fn legal_actions(&self, deck: &Deck, seat: Seat) -> Vec<Action> {
        if self.turn != Some(seat) {
            return Vec::new();
        }
        let asks = self.hands.asks(deck, seat);
        Hands::ask_actions(
            asks.filter(|(asked, card)| !self.guard_on || !is_hopeless(&self.recall, *asked, *card)),
        )
    }

    pub(crate) fn view(&self, sight: &Sight) -> TableView {
        let to_guard = |limit, used| left(limit, used).filter(|_| !self.guard_on);
        TableView::VdbQuartett {
            hands: self.hands.view(sight),
            quartets: self.hands.laid.clone(),
            guard_on: self.guard_on,
            misses_to_guard: to_guard(self.options.guard_misses, self.misses),
            asks_to_guard: to_guard(self.options.guard_asks, self.asks),
        }
    }

    pub(crate) fn turn(&self) -> Option<Turn> {
        self.turn.map(|seat| Turn {
            seat,
            phase: Phase::Ask,
        })
    }

    /// A seat emptied by laying at the start is out too, without an event of its own.
    pub(crate) fn is_out(&self, seat: Seat) -> bool {
        !self.hands.is_in(seat)
    }

    pub(crate) fn all_cards(&self, deck: &Deck) -> Vec<TableCard> {
        self.hands.all_cards(deck)
    }
}

/// Whether everyone knows that the asked seat does not hold the card: it moved openly and went elsewhere last,
/// or it never moved and that seat has said no to it. Nothing else is inferred.
fn is_hopeless(recall: &Recall, asked: Seat, card: Card) -> bool {
    if recall.moved.has(card) {
        !recall.held[asked].has(card)
    } else {
        recall.denied[asked].has(card)
    }
}
