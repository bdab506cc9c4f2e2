//! `supertrump`, sheet A: the active seat's open top card against all others; after a tie blind.

use crate::action::Action;
use crate::card::{Attribute, Card, TableCard};
use crate::deck::Deck;
use crate::event::{Cards, EndReason, Event, Limit};
use crate::game::{Decision, Phase, Turn, by, left, reached, turn};
use crate::rejection::Rejection;
use crate::seat::{Seat, SeatSet};
use crate::showing::{Stacks, best, chosen};
use crate::shuffle::Mixer;
use crate::view::{Sight, Stack, TableView};
use arrayvec::ArrayVec;

/// How won cards go under the winner's stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WonOrder {
    /// Mixed, else every stack could be reconstructed after one pass.
    #[default]
    Shuffled,
    /// Centre (oldest first), the winner's card, then clockwise from the winner.
    Fixed,
}

/// What ends the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// One seat holds all cards in play.
    #[default]
    AllCards,
    /// The first seat is out; most cards win.
    FirstOut,
}

/// The options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How won cards go under.
    pub won_order: WonOrder,
    /// Rounds that end the match; `None` never do.
    pub rounds: Option<u32>,
    /// What ends the match.
    pub end: End,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            won_order: WonOrder::Shuffled,
            rounds: Some(200),
            end: End::AllCards,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    options: Options,
    pub(crate) cards: Stacks,
    turn: Option<Seat>,
    blind: bool,
    rounds: u32,
}

impl Table {
    pub(crate) fn new(options: Options, seats: usize) -> Table {
        Table {
            options,
            cards: Stacks::new(seats),
            turn: None,
            blind: false,
            rounds: 0,
        }
    }

    pub(crate) fn open(&self, _: &Deck, first: Seat) -> Decision {
        match self.cards.stacks.from(first).find(|seat| self.cards.is_in(*seat)) {
            Some(seat) => Decision::going_on(vec![turn_showing(seat, self.cards.top(seat))]),
            None => self.wind_up_with(Vec::new(), EndReason::Complete),
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
        if !self.blind && !self.cards.has_value(deck, seat, attribute) {
            return Err(Rejection::NoValue);
        }
        Ok(self.choose(deck, seat, attribute, mixer))
    }

    fn choose(&self, deck: &Deck, chooser: Seat, attribute: Attribute, mixer: &mut impl Mixer) -> Decision {
        let shown = self.cards.shown(self.cards.stacks.from(chooser));
        let best = best(deck, attribute, &shown);
        let mut events = vec![Event::CardsShown {
            attribute,
            shown: shown.clone(),
        }];
        let mut sizes = self
            .cards
            .sizes()
            .map(|seat, size| size - u16::from(self.cards.is_in(seat)));
        let mut centre: Vec<Card> = self.cards.centre.iter().map(|laid| laid.card).collect();

        let winner = best.iter().next().filter(|_| best.count() == 1);
        match winner {
            Some(winner) => {
                centre.extend(
                    self.cards
                        .stacks
                        .from(winner)
                        .filter_map(|seat| self.cards.top(seat)),
                );
                sizes[winner] += centre.len() as u16;
                events.push(self.taken(winner, std::mem::take(&mut centre), mixer));
            }
            None => {
                centre.extend(shown.iter().map(|top| top.card));
                events.push(Event::RoundTied {
                    seats: best,
                    centre_size: centre.len() as u8,
                });
            }
        }
        let gone = shown.iter().filter(|top| sizes[top.seat] == 0);
        events.extend(gone.map(|top| Event::SeatOut { seat: top.seat }));

        let still_in: SeatSet = sizes
            .iter()
            .filter(|(_, size)| **size > 0)
            .map(|(seat, _)| seat)
            .collect();
        if still_in.count() < 2 {
            if let Some(last) = still_in.iter().next().filter(|_| winner.is_none()) {
                sizes[last] += centre.len() as u16;
                events.push(self.taken(last, centre, mixer));
            }
            let winners = if still_in.is_empty() { best } else { still_in };
            return Decision::ended(events, EndReason::Complete, Some(winners), sizes);
        }
        if self.options.end == End::FirstOut && shown.iter().any(|top| sizes[top.seat] == 0) {
            return Decision::ended(events, EndReason::Complete, None, sizes);
        }
        if reached(self.options.rounds, self.rounds + 1) {
            Decision::note_limit(&mut events, by(Limit::Rounds));
            return Decision::ended(events, by(Limit::Rounds), None, sizes);
        }
        let next = match winner {
            Some(winner) => turn_showing(winner, self.next_top(winner, &events)),
            None => {
                let next = self
                    .cards
                    .stacks
                    .after(chooser)
                    .find(|seat| sizes[*seat] > 0)
                    .unwrap_or(chooser);
                turn(next, Phase::ChooseBlind)
            }
        };
        events.push(next);
        Decision::going_on(events)
    }

    fn taken(&self, seat: Seat, mut cards: Vec<Card>, mixer: &mut impl Mixer) -> Event {
        if self.options.won_order == WonOrder::Shuffled {
            mixer.mix(&mut cards);
        }
        Event::CardsTaken { seat, cards }
    }

    /// The winner's top card after it took what `events` say.
    #[expect(clippy::wildcard_enum_match_arm, reason = "one kind of event is looked for")]
    fn next_top(&self, winner: Seat, events: &[Event]) -> Option<Card> {
        let taken = events.iter().find_map(|event| match event {
            Event::CardsTaken { seat, cards } => Some((*seat, cards.as_slice())),
            _ => None,
        });
        self.cards.next_top(winner, true, taken)
    }

    pub(crate) fn wind_up(&self, _: &Deck, reason: EndReason) -> Decision {
        self.wind_up_with(Vec::new(), reason)
    }

    /// Most stack cards win; the centre counts for nobody.
    fn wind_up_with(&self, mut events: Vec<Event>, reason: EndReason) -> Decision {
        Decision::note_limit(&mut events, reason);
        Decision::ended(events, reason, None, self.cards.sizes())
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "events of other games do not touch this table"
    )]
    pub(crate) fn apply(&mut self, event: &Event) {
        match event {
            Event::Dealt(deal) => self.cards.deal(deal),
            Event::CardsShown { shown, .. } => {
                self.cards.show(shown);
                self.rounds += 1;
            }
            Event::CardsTaken { seat, cards } => self.cards.take(*seat, cards),
            Event::TurnBegun { seat, phase, .. } => {
                self.turn = Some(*seat);
                self.blind = *phase == Phase::ChooseBlind;
            }
            Event::Ended { .. } => self.turn = None,
            _ => {}
        }
    }

    pub(crate) fn legal_actions(&self, deck: &Deck, seat: Seat) -> Vec<Action> {
        if self.turn != Some(seat) {
            return Vec::new();
        }
        let Some(top) = self.cards.top(seat) else {
            return Vec::new();
        };
        deck.attributes()
            .filter(|attribute| self.blind || deck.rank(top, *attribute) > 0)
            .map(|attribute| Action::ChooseAttribute { attribute })
            .collect()
    }

    pub(crate) fn view(&self, sight: &Sight) -> TableView {
        let all = sight.limited_to().is_none();
        TableView::Supertrump {
            stacks: self.cards.stacks.map(|seat, stack| {
                let size = stack.len() as u8;
                match stack.front() {
                    _ if all => Stack::Open(stack.iter().copied().collect()),
                    Some(top) if self.turn == Some(seat) && !self.blind => Stack::Top(size, *top),
                    _ => Stack::Closed(size),
                }
            }),
            centre: self.cards.centre.iter().map(|laid| laid.card).collect(),
            blind: self.blind,
            rounds_left: left(self.options.rounds, self.rounds),
            aside: if all {
                Cards::Open(self.cards.aside.clone())
            } else {
                Cards::Size(self.cards.aside.len() as u8)
            },
        }
    }

    pub(crate) fn turn(&self) -> Option<Turn> {
        let phase = if self.blind {
            Phase::ChooseBlind
        } else {
            Phase::Choose
        };
        self.turn.map(|seat| Turn { seat, phase })
    }

    pub(crate) fn is_out(&self, seat: Seat) -> bool {
        !self.cards.is_in(seat)
    }

    pub(crate) fn all_cards(&self, _: &Deck) -> Vec<TableCard> {
        self.cards.all_cards()
    }
}

/// The chooser's top card lies open.
fn turn_showing(seat: Seat, open: Option<Card>) -> Event {
    Event::TurnBegun {
        seat,
        phase: Phase::Choose,
        open,
        tops: ArrayVec::new(),
    }
}
