//! Nothing panics: whatever events a bad log holds, they can be taken in, shown, and played on from.

#[path = "support/played.rs"]
mod played;
#[path = "support/setups.rs"]
mod setups;

use played::{Opening, Played, terms};
use proptest::prelude::*;
use quartett_engine::card::{Side, TableCard};
use quartett_engine::deck::built_in;
use quartett_engine::{
    Action, Attribute, Board, BotLevel, Card, Cards, Deal, EndReason, Event, Face, Group, Holder, Limit,
    Phase, Purpose, Seat, SeatCard, SeatSet, Seats, Seed, Standing, Viewer, bot, notation,
};
use setups::setups;

/// Draws whatever comes.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// A small number, sometimes one far off.
    fn byte(&mut self, usual: usize) -> u8 {
        let bound = if self.below(8) == 0 { 256 } else { usual };
        u8::try_from(self.below(bound)).expect("a byte")
    }

    fn seat(&mut self) -> Seat {
        Seat(self.byte(4))
    }

    fn card(&mut self) -> Card {
        Card(self.byte(16))
    }

    fn cards(&mut self) -> Cards {
        if self.below(6) == 0 {
            return Cards::Size(self.byte(20));
        }
        let count = self.below(9);
        Cards::Open((0..count).map(|_| self.card()).collect())
    }

    fn piles(&mut self) -> Seats<Cards> {
        let count = self.below(7);
        Seats::build(count, |_| self.cards())
    }

    fn seat_card(&mut self) -> SeatCard {
        SeatCard {
            seat: self.seat(),
            card: self.card(),
        }
    }

    fn table_card(&mut self) -> TableCard {
        let side = if self.below(2) == 0 {
            Side::Card
        } else {
            Side::Plan
        };
        TableCard {
            card: self.card(),
            side,
        }
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    fn event(&mut self) -> Event {
        let seat = self.seat();
        match self.below(25) {
            0 => Event::Dealt(Deal::Hands(self.piles())),
            1 => Event::Dealt(Deal::Stacks {
                stacks: self.piles(),
                aside: self.cards(),
            }),
            2 => {
                let count = self.below(30);
                Event::Dealt(Deal::Table(Board::Open(
                    (0..count).map(|_| self.table_card()).collect(),
                )))
            }
            3 => Event::CardAsked {
                seat,
                asked: self.seat(),
                card: self.card(),
            },
            4 => Event::AskAnswered {
                has_card: self.below(2) == 0,
            },
            5 => Event::DuelFought {
                asker: self.seat_card(),
                asked: self.seat_card(),
                attribute: Attribute(self.byte(4)),
                winner: (self.below(3) > 0).then(|| self.seat()),
            },
            6 => Event::CardGiven {
                from: seat,
                to: self.seat(),
                card: self.card(),
            },
            7 => Event::QuartetLaid {
                seat,
                group: Group(self.byte(6)),
            },
            8 | 9 => Event::CardsShown {
                attribute: Attribute(self.byte(4)),
                shown: (0..self.below(5)).map(|_| self.seat_card()).collect(),
            },
            10 => Event::CardsTaken {
                seat,
                cards: (0..self.below(9)).map(|_| self.card()).collect(),
            },
            11 => Event::RoundTied {
                seats: (0..self.below(4)).map(|_| self.seat()).collect::<SeatSet>(),
                centre_size: self.byte(9),
            },
            12 => Event::SeatOut { seat },
            13..=15 => Event::TurnBegun {
                seat,
                phase: self.one_of(&[
                    Phase::Ask,
                    Phase::Duel,
                    Phase::Choose,
                    Phase::ChooseBlind,
                    Phase::Playoff,
                    Phase::FlipFirst,
                    Phase::FlipSecond,
                ]),
                open: (self.below(2) == 0).then(|| self.card()),
                tops: (0..self.below(4)).map(|_| self.seat_card()).collect(),
            },
            16 | 17 => Event::CardFlipped {
                seat,
                place: self.byte(30),
                face: Face::Open(self.table_card()),
            },
            18 => Event::PairTaken {
                seat,
                card: self.card(),
            },
            19 => Event::CardsClosed {
                places: [self.byte(30), self.byte(30)],
            },
            20 => Event::LimitReached {
                limit: self.one_of(&[Limit::Rounds, Limit::Time, Limit::Stall, Limit::Idle]),
            },
            21 => Event::DeadlinePassed { seat },
            22 => Event::SeatAway { seat },
            23 => Event::SeatReturned { seat },
            _ => match self.below(12) {
                0 => Event::Ended {
                    reason: EndReason::Complete,
                    standings: Seats::build(self.below(7), |_| Standing { score: 1, rank: 1 }),
                    seed: None,
                },
                1 => Event::SeatLeft { seat },
                _ => Event::SeatResigned { seat },
            },
        }
    }

    fn action(&mut self) -> Action {
        match self.below(5) {
            0 => Action::AskCard {
                seat: self.byte(4),
                card: self.card(),
            },
            1 => Action::FightDuel {
                card: self.card(),
                attribute: Attribute(self.byte(4)),
            },
            2 => Action::LayQuartet {
                group: Group(self.byte(6)),
            },
            3 => Action::ChooseAttribute {
                attribute: Attribute(self.byte(4)),
            },
            _ => Action::FlipCard { place: self.byte(30) },
        }
    }
}

/// Everything that can be asked of a match.
fn ask_everything(played: &Played, chance: &mut Chance) {
    let now = &played.now;
    for viewer in (0..8).chain([255]).map(|seat| Viewer::Seat(Seat(seat))) {
        let _ = now.view(viewer);
    }
    let _ = now.view(Viewer::Everything);
    let (seat, action) = (chance.seat(), chance.action());
    let _ = played.decide(seat, &action);
    let _ = now.resign(seat);
    let _ = now.return_to(seat);
    let _ = now.bot_of(seat);
    let _ = now.miss_deadline();
    let _ = now.waits_for();
    let _ = now.time_up();
    let _ = now.all_cards();
    if let Some(turn) = now.turn() {
        let legal = now.legal_actions(turn.seat);
        for action in legal.iter().take(20) {
            let _ = played.decide(turn.seat, action);
        }
        for level in [BotLevel::Easy, BotLevel::Medium, BotLevel::Hard] {
            let _ = bot::choose(now, turn.seat, level, &mut played.stream(Purpose::Bot));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_log_panics((setup, seats) in setups(), seed in any::<[u8; 32]>(), choices in any::<u64>()) {
        let deck = &built_in()[3];
        let seed = Seed(seed);
        let holders = vec![Holder::Player; usize::from(seats)];
        let terms = terms(setup, deck, seats, &seed);
        let mut played = Played::begin(terms, deck, &holders, &seed, Opening::default());
        let mut chance = Chance(choices);
        for _ in 0..40 {
            let events: Vec<Event> = (0..=chance.below(3)).map(|_| chance.event()).collect();
            for event in &events {
                let _ = notation::line(event, deck).to_string();
                let sight = played.now.sight(Viewer::Seat(chance.seat()));
                let _ = event.seen_by(&sight, 3);
            }
            played.take_in(events);
            ask_everything(&played, &mut chance);
        }
        prop_assert_eq!(played.log.len(), 42);
    }
}
