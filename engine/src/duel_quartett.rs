//! `duel_quartett`, sheet A: ask for a card; if it is there, fight a duel for it; lay quartets.

use crate::action::Action;
use crate::asking::{Hands, Recall};
use crate::card::{Card, CardSet, TableCard};
use crate::deck::Deck;
use crate::event::{EndReason, Event, Limit, SeatCard};
use crate::game::{Decision, Phase, Turn, by, left, reached, turn};
use crate::rejection::Rejection;
use crate::seat::Seat;
use crate::shuffle::Mixer;
use crate::view::{PendingDuel, Sight, TableView};

/// When whole groups are laid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lay {
    /// At once, by the service.
    #[default]
    Auto,
    /// When their holder wants, at any time.
    Manual,
}

/// The options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// When whole groups are laid.
    pub lay: Lay,
    /// Asks without a new whole group that end the match; `None` never does.
    pub stall: Option<u32>,
}

impl Options {
    /// The defaults for a number of seats.
    pub fn default_for(seats: u8) -> Options {
        Options {
            lay: Lay::Auto,
            stall: Some(12 * u32::from(seats)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    options: Options,
    pub(crate) hands: Hands,
    turn: Option<Seat>,
    /// The last ask; pending while `fighting`.
    ask: Option<PendingDuel>,
    fighting: bool,
    /// Asks settled since a hand last became whole of a group.
    asks: u32,
    pub(crate) recall: Recall,
}

impl Table {
    pub(crate) fn new(options: Options, seats: usize) -> Table {
        Table {
            options,
            hands: Hands::new(seats),
            turn: None,
            ask: None,
            fighting: false,
            asks: 0,
            recall: Recall::new(seats),
        }
    }

    pub(crate) fn open(&self, deck: &Deck, first: Seat) -> Decision {
        let mut events = Vec::new();
        let mut hands = self.hands.clone();
        if self.options.lay == Lay::Auto {
            hands.lay_all(deck, self.hands.hands.from(first), &mut events);
        }
        self.carry_on(deck, hands, events, first, 0)
    }

    pub(crate) fn decide(
        &self,
        deck: &Deck,
        seat: Seat,
        action: &Action,
        _: &mut impl Mixer,
    ) -> Result<Decision, Rejection> {
        match *action {
            Action::AskCard { seat: asked, card } => {
                self.check_turn(seat, Phase::Ask)?;
                let asked = self.hands.check_ask(deck, seat, asked, card)?;
                Ok(self.ask(deck, seat, asked, card))
            }
            Action::FightDuel { card, attribute } => {
                self.check_turn(seat, Phase::Duel)?;
                let Some(duel) = self.duel() else {
                    return Err(Rejection::WrongPhase);
                };
                if !self.hands.hands[seat].has(card) {
                    return Err(Rejection::NotYourCard);
                }
                if deck.group_of(card) != deck.group_of(duel.card) {
                    return Err(Rejection::WrongGroup);
                }
                if !deck.has_attribute(attribute) {
                    return Err(Rejection::UnknownAttribute);
                }
                if deck.rank(card, attribute) == 0 {
                    return Err(Rejection::NoValue);
                }
                Ok(self.fight(deck, duel, card, attribute))
            }
            Action::LayQuartet { group } => {
                if !deck.has_group(group) {
                    return Err(Rejection::UnknownGroup);
                }
                if !self.hands.whole_in(deck, seat).has(group) {
                    return Err(Rejection::IncompleteQuartet);
                }
                Ok(Decision::going_on(vec![Event::QuartetLaid { seat, group }]))
            }
            Action::ChooseAttribute { .. } | Action::FlipCard { .. } => Err(Rejection::ActionNotInThisGame),
        }
    }

    fn check_turn(&self, seat: Seat, phase: Phase) -> Result<(), Rejection> {
        match self.turn() {
            Some(turn) if turn.seat != seat => Err(Rejection::NotYourTurn),
            Some(turn) if turn.phase == phase => Ok(()),
            _ => Err(Rejection::WrongPhase),
        }
    }

    fn ask(&self, deck: &Deck, asker: Seat, asked: Seat, card: Card) -> Decision {
        let has_card = self.hands.hands[asked].has(card);
        let mut events = Vec::with_capacity(4);
        events.push(Event::CardAsked {
            seat: asker,
            asked,
            card,
        });
        events.push(Event::AskAnswered { has_card });
        if has_card {
            return Decision::going_on(events);
        }
        let next = self.next_of(asker);
        self.carry_on(deck, self.hands.clone(), events, next, self.asks + 1)
    }

    fn fight(
        &self,
        deck: &Deck,
        duel: PendingDuel,
        card: Card,
        attribute: crate::card::Attribute,
    ) -> Decision {
        let (own, other) = (deck.rank(card, attribute), deck.rank(duel.card, attribute));
        let winner = match own.cmp(&other) {
            std::cmp::Ordering::Greater => Some(duel.asker),
            std::cmp::Ordering::Less => Some(duel.asked),
            std::cmp::Ordering::Equal => None,
        };
        let mut events = Vec::with_capacity(4);
        events.push(Event::DuelFought {
            asker: SeatCard {
                seat: duel.asker,
                card,
            },
            asked: SeatCard {
                seat: duel.asked,
                card: duel.card,
            },
            attribute,
            winner,
        });
        let mut hands = self.hands.clone();
        let Some(winner) = winner else {
            return self.carry_on(deck, hands, events, self.next_of(duel.asker), self.asks + 1);
        };
        hands.move_card(card, winner);
        hands.move_card(duel.card, winner);
        let whole = hands.whole_in(deck, winner).has(deck.group_of(card));
        if self.options.lay == Lay::Auto {
            hands.lay_all(deck, std::iter::once(winner), &mut events);
        }
        self.carry_on(deck, hands, events, winner, if whole { 0 } else { self.asks + 1 })
    }

    /// The end, the stall limit, or the turn of the first able seat clockwise from `next`.
    fn carry_on(&self, deck: &Deck, hands: Hands, mut events: Vec<Event>, next: Seat, asks: u32) -> Decision {
        let reason = if hands.all_whole(deck) {
            EndReason::Complete
        } else if reached(self.options.stall, asks) {
            by(Limit::Stall)
        } else {
            match hands.hands.from(next).find(|seat| can_ask(deck, &hands, *seat)) {
                Some(seat) => {
                    events.push(turn(seat, Phase::Ask));
                    return Decision::going_on(events);
                }
                // Only in positions set up by hand: nobody can ask for anything.
                None => EndReason::Complete,
            }
        };
        end(deck, hands, events, reason)
    }

    pub(crate) fn wind_up(&self, deck: &Deck, reason: EndReason) -> Decision {
        end(deck, self.hands.clone(), Vec::new(), reason)
    }

    fn next_of(&self, seat: Seat) -> Seat {
        self.hands.hands.after(seat).next().unwrap_or(seat)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "events of other games do not touch this table"
    )]
    pub(crate) fn apply(&mut self, deck: &Deck, event: &Event) {
        match event {
            Event::Dealt(deal) => self.hands.deal(deck, deal),
            Event::CardAsked { seat, asked, card } => {
                self.ask = Some(PendingDuel {
                    asker: *seat,
                    asked: *asked,
                    card: *card,
                });
                self.recall.asked(deck, *seat, *card);
            }
            Event::AskAnswered { has_card } => {
                let Some(ask) = self.ask else { return };
                if *has_card {
                    self.fighting = true;
                    self.recall.located(ask.card, ask.asked);
                } else {
                    self.asks += 1;
                    self.recall.denied(ask.asker, ask.asked, ask.card);
                }
            }
            Event::DuelFought {
                asker,
                asked,
                attribute,
                winner,
            } => {
                self.fighting = false;
                self.recall.shown.insert(asker.card);
                self.recall.shown.insert(asked.card);
                self.asks += 1;
                match winner {
                    None => {
                        self.recall.located(asker.card, asker.seat);
                        self.recall.located(asked.card, asked.seat);
                    }
                    Some(winner) => {
                        for fought in [asker, asked] {
                            self.hands.move_card(fought.card, *winner);
                            self.recall.moved(deck, fought.card, fought.seat, *winner);
                        }
                        let group = deck.group_of(asker.card);
                        if self.hands.whole_in(deck, *winner).has(group) {
                            self.asks = 0;
                        }
                    }
                }
                if *winner != Some(asker.seat) {
                    self.recall.duel_failed(asker.card, asked.card, *attribute);
                }
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
        let mut actions = match self.turn() {
            Some(turn) if turn.seat == seat => match self.duel() {
                None => Hands::ask_actions(self.hands.asks(deck, seat)),
                Some(duel) => self
                    .fighters(deck, duel)
                    .iter()
                    .flat_map(|card| deck.attributes().map(move |attribute| (card, attribute)))
                    .filter(|(card, attribute)| deck.rank(*card, *attribute) > 0)
                    .map(|(card, attribute)| Action::FightDuel { card, attribute })
                    .collect(),
            },
            Some(_) => Vec::new(),
            None => return Vec::new(),
        };
        if self.options.lay == Lay::Manual {
            actions.extend(
                self.hands
                    .whole_in(deck, seat)
                    .iter()
                    .map(|group| Action::LayQuartet { group }),
            );
        }
        actions
    }

    /// The asker's cards of the asked card's group.
    fn fighters(&self, deck: &Deck, duel: PendingDuel) -> CardSet {
        self.hands.hands[duel.asker].both(deck.cards_of(deck.group_of(duel.card)))
    }

    /// The pending duel.
    pub(crate) fn duel(&self) -> Option<PendingDuel> {
        self.ask.filter(|_| self.fighting)
    }

    pub(crate) fn view(&self, sight: &Sight) -> TableView {
        TableView::DuelQuartett {
            hands: self.hands.view(sight),
            quartets: self.hands.laid.clone(),
            duel: self.duel(),
            asks_left: left(self.options.stall, self.asks),
        }
    }

    pub(crate) fn turn(&self) -> Option<Turn> {
        let phase = if self.fighting { Phase::Duel } else { Phase::Ask };
        self.turn.map(|seat| Turn { seat, phase })
    }

    pub(crate) fn is_out(&self, seat: Seat) -> bool {
        !self.hands.is_in(seat)
    }

    pub(crate) fn all_cards(&self, deck: &Deck) -> Vec<TableCard> {
        self.hands.all_cards(deck)
    }
}

/// The end: what is whole and not laid yet is laid by the service and counts.
fn end(deck: &Deck, mut hands: Hands, mut events: Vec<Event>, reason: EndReason) -> Decision {
    Decision::note_limit(&mut events, reason);
    let seats = hands.hands.seats();
    hands.lay_all(deck, seats, &mut events);
    Decision::ended(events, reason, None, hands.scores())
}

/// Whether a seat has something to ask and somebody to ask: a hand of whole groups only does not.
fn can_ask(deck: &Deck, hands: &Hands, seat: Seat) -> bool {
    hands.asks(deck, seat).next().is_some()
}
