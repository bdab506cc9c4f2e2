//! Seats have no rank: turned clockwise by some places, a match is the same match, up to what the rules list by
//! seat.

#[path = "support/played.rs"]
mod played;
#[path = "support/setups.rs"]
mod setups;

use played::{Opening, Played, terms};
use proptest::prelude::*;
use quartett_engine::deck::built_in;
use quartett_engine::{
    Action, Cards, Deal, Event, GameKind, GameSetup, Holder, Seat, SeatCards, SeatSet, Seats, Seed,
    StarterRule,
};
use setups::setups;

/// The ring turned clockwise.
#[derive(Clone, Copy)]
struct Turned {
    by: u8,
    seats: u8,
}

impl Turned {
    fn seat(self, seat: Seat) -> Seat {
        Seat((seat.0 + self.by) % self.seats)
    }

    fn back(self, seat: Seat) -> Seat {
        Seat((seat.0 + self.seats - self.by) % self.seats)
    }

    fn ring<T: Clone>(self, ring: &Seats<T>) -> Seats<T> {
        Seats::build(ring.count(), |seat| ring[self.back(seat)].clone())
    }

    fn set(self, set: SeatSet) -> SeatSet {
        set.iter().map(|seat| self.seat(seat)).collect()
    }

    fn cards(self, cards: &SeatCards) -> SeatCards {
        let mut turned = cards.clone();
        for card in &mut turned {
            card.seat = self.seat(card.seat);
        }
        turned
    }

    fn action(self, action: Action) -> Action {
        match action {
            Action::AskCard { seat, card } => Action::AskCard {
                seat: self.seat(Seat(seat)).0,
                card,
            },
            Action::FightDuel { .. }
            | Action::LayQuartet { .. }
            | Action::ChooseAttribute { .. }
            | Action::FlipCard { .. } => action,
        }
    }

    fn event(self, event: &Event) -> Event {
        let mut turned = event.clone();
        match &mut turned {
            Event::Started { starter: seat, .. }
            | Event::SeatTaken { seat, .. }
            | Event::SeatLeft { seat }
            | Event::QuartetLaid { seat, .. }
            | Event::CardsTaken { seat, .. }
            | Event::SeatOut { seat }
            | Event::CardFlipped { seat, .. }
            | Event::PairTaken { seat, .. }
            | Event::DeadlinePassed { seat }
            | Event::SeatAway { seat }
            | Event::SeatReturned { seat }
            | Event::SeatResigned { seat } => *seat = self.seat(*seat),
            Event::CardAsked { seat, asked, .. }
            | Event::CardGiven {
                from: seat,
                to: asked,
                ..
            } => {
                *seat = self.seat(*seat);
                *asked = self.seat(*asked);
            }
            Event::DuelFought {
                asker, asked, winner, ..
            } => {
                asker.seat = self.seat(asker.seat);
                asked.seat = self.seat(asked.seat);
                *winner = winner.map(|winner| self.seat(winner));
            }
            Event::Dealt(Deal::Hands(piles) | Deal::Stacks { stacks: piles, .. }) => {
                let dealt: &Seats<Cards> = piles;
                *piles = self.ring(dealt);
            }
            Event::CardsShown { shown, .. } => *shown = self.cards(shown),
            Event::RoundTied { seats, .. } => *seats = self.set(*seats),
            Event::TurnBegun { seat, tops, .. } => {
                *seat = self.seat(*seat);
                *tops = self.cards(tops);
                tops.sort_unstable_by_key(|top| top.seat);
            }
            Event::Ended { standings, .. } => *standings = self.ring(standings),
            Event::Created(_)
            | Event::Dealt(Deal::Table(_))
            | Event::AskAnswered { .. }
            | Event::CardsClosed { .. }
            | Event::LimitReached { .. }
            | Event::Cancelled { .. } => {}
        }
        turned
    }

    /// The events as they stand in the turned match: where the rules list by seat, in the order of its seats.
    fn events(self, game: GameKind, events: &[Event]) -> Vec<Event> {
        let mut turned: Vec<Event> = events.iter().map(|event| self.event(event)).collect();
        let ends = matches!(events.last(), Some(Event::Ended { .. }));
        let by_seat = |event: &Event| {
            if let Event::SeatOut { seat } = event
                && game == GameKind::VdbQuartett
            {
                Some(*seat)
            } else if let Event::QuartetLaid { seat, .. } = event
                && game == GameKind::DuelQuartett
                && ends
            {
                Some(*seat)
            } else {
                None
            }
        };
        for run in turned.chunk_by_mut(|one, next| by_seat(one).is_some() && by_seat(next).is_some()) {
            run.sort_by_key(|event| by_seat(event));
        }
        turned
    }
}

fn begin(setup: GameSetup, seats: u8, starter: Seat, seed: &Seed) -> Played {
    let deck = &built_in()[3];
    let mut terms = terms(setup, deck, seats, seed);
    terms.starter = StarterRule::Question;
    let holders = vec![Holder::Player; usize::from(seats)];
    let mut answers = vec![None; usize::from(seats)];
    answers[starter.index()] = Some(1);
    let opening = Opening {
        answers: &answers,
        order: None,
    };
    Played::begin(terms, deck, &holders, seed, opening)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_match_turned_clockwise_is_the_same_match(
        (setup, seats) in setups(), by in 1..6_u8, seed in any::<[u8; 32]>(), choices in any::<u64>(),
    ) {
        prop_assume!(by < seats);
        let (game, turned, seed) = (setup.kind(), Turned { by, seats }, Seed(seed));
        let mut one = begin(setup, seats, Seat(0), &seed);
        let mut other = begin(setup, seats, turned.seat(Seat(0)), &seed);
        let started = |played: &Played| played.log[1].events.clone();
        prop_assert_eq!(turned.events(game, &started(&one)), started(&other));
        let mut choice = choices;
        while let Some(turn) = one.now.turn() {
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let legal = one.now.legal_actions(turn.seat);
            let mut mapped: Vec<Action> = legal.iter().map(|action| turned.action(*action)).collect();
            let mut others = other.now.legal_actions(turned.seat(turn.seat));
            prop_assert_eq!(mapped.len(), others.len());
            mapped.retain(|action| !others.contains(action));
            prop_assert!(mapped.is_empty());
            let draw = (choice >> 33) as usize;
            let (events, expected) = match draw % 64 {
                0 => (one.now.time_up(), other.now.time_up()),
                1 => {
                    let seat = Seat(u8::try_from(draw / 64 % usize::from(seats)).expect("six at most"));
                    match (one.now.resign(seat), other.now.resign(turned.seat(seat))) {
                        (Ok(events), Ok(expected)) => (events, expected),
                        (one, other) => {
                            prop_assert_eq!(one, other);
                            continue;
                        }
                    }
                }
                _ => {
                    let action = legal[draw / 64 % legal.len()];
                    others.clear();
                    let events = one.decide(turn.seat, &action).expect("legal");
                    let expected = other.decide(turned.seat(turn.seat), &turned.action(action));
                    (events, expected.expect("legal there too"))
                }
            };
            prop_assert_eq!(turned.events(game, &events), expected.clone());
            one.take_in(events);
            other.take_in(expected);
        }
        prop_assert!(other.now.turn().is_none());
    }
}
