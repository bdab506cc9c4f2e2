//! One line of text per event, as a chess move has: golden files, command line and records use it.

use crate::card::{Card, Side, TableCard};
use crate::deck::Deck;
use crate::event::{Board, BotLevel, Cards, Deal, Event, Face, Holder, Limit, SeatCard};
use crate::game::Phase;
use crate::seat::{Seat, Seats};
use std::fmt::{self, Display, Formatter};

impl BotLevel {
    /// The stable id.
    pub fn id(self) -> &'static str {
        match self {
            BotLevel::Easy => "easy",
            BotLevel::Medium => "medium",
            BotLevel::Hard => "hard",
        }
    }
}

/// The line of an event; print it with `{}`. What the event does not show is left out.
pub fn line<'a>(event: &'a Event, deck: &'a Deck) -> Line<'a> {
    Line { event, deck }
}

/// An event ready to be written as its line.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    event: &'a Event,
    deck: &'a Deck,
}

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let number = |card: &Card| self.deck.number(*card);
        match self.event {
            Event::Created(terms) => write!(
                f,
                "match {} {} {}",
                terms.game.kind().id(),
                terms.deck_id,
                terms.seats
            ),
            Event::SeatTaken {
                seat,
                holder: Holder::Player,
                ..
            } => write!(f, "join {}", seat.letter()),
            Event::SeatTaken {
                seat,
                holder: Holder::Bot(level),
                ..
            } => {
                write!(f, "join {} bot {}", seat.letter(), level.id())
            }
            Event::SeatLeft { seat } => write!(f, "leave {}", seat.letter()),
            Event::Started { starter, .. } => write!(f, "start {}", starter.letter()),
            Event::Dealt(deal) => dealt(f, deal),
            Event::CardAsked { seat, asked, card } => {
                write!(f, "ask {}>{} {}", seat.letter(), asked.letter(), number(card))
            }
            Event::AskAnswered { has_card } => f.write_str(if *has_card { "yes" } else { "no" }),
            Event::DuelFought {
                asker,
                asked,
                attribute,
                winner,
            } => {
                let attribute = self.deck.attribute_id(*attribute);
                write!(
                    f,
                    "duel {} v {} {attribute} ",
                    number(&asker.card),
                    number(&asked.card)
                )?;
                match winner {
                    Some(winner) => write!(f, "win {}", winner.letter()),
                    None => f.write_str("tie"),
                }
            }
            Event::CardGiven { from, to, card } => {
                write!(f, "give {}>{} {}", from.letter(), to.letter(), number(card))
            }
            Event::QuartetLaid { seat, group } => {
                write!(f, "lay {} {}", seat.letter(), self.deck.group_id(*group))
            }
            Event::CardsShown { attribute, shown } => {
                write!(f, "{}:", self.deck.attribute_id(*attribute))?;
                shown
                    .iter()
                    .try_for_each(|SeatCard { seat, card }| write!(f, " {}={}", seat.letter(), number(card)))
            }
            Event::CardsTaken { seat, cards } => write!(f, "take {} {}", seat.letter(), cards.len()),
            Event::RoundTied { seats, centre_size } => {
                write!(f, "tie {} pot {centre_size}", joined(seats.iter()))
            }
            Event::SeatOut { seat } => write!(f, "out {}", seat.letter()),
            Event::TurnBegun {
                seat,
                phase,
                open,
                tops: _,
            } => {
                write!(f, "turn {}", seat.letter())?;
                match (phase, open) {
                    (Phase::Choose, Some(card)) => write!(f, " shows {}", number(card)),
                    (Phase::Choose, None) => f.write_str(" open"),
                    (Phase::ChooseBlind, _) => f.write_str(" blind"),
                    (Phase::Playoff, _) => f.write_str(" stich"),
                    (Phase::Ask | Phase::Duel | Phase::FlipFirst | Phase::FlipSecond, _) => Ok(()),
                }
            }
            Event::CardFlipped { seat, place, face } => {
                write!(f, "flip {} {place}", seat.letter())?;
                match face {
                    Face::Open(TableCard {
                        card,
                        side: Side::Card,
                    }) => write!(f, " q:{}", number(card)),
                    Face::Open(TableCard {
                        card,
                        side: Side::Plan,
                    }) => write!(f, " p:{}", number(card)),
                    Face::Forgotten => Ok(()),
                }
            }
            Event::PairTaken { seat, card } => write!(f, "pair {} {}", seat.letter(), number(card)),
            Event::CardsClosed {
                places: [first, second],
            } => write!(f, "back {first} {second}"),
            Event::LimitReached { limit } => f.write_str(match limit {
                Limit::Rounds => "cap",
                Limit::Time => "timeup",
                Limit::Stall | Limit::Idle => "stalemate",
            }),
            Event::DeadlinePassed { seat } => write!(f, "late {}", seat.letter()),
            Event::SeatAway { seat } => write!(f, "away {}", seat.letter()),
            Event::SeatReturned { seat } => write!(f, "return {}", seat.letter()),
            Event::SeatResigned { seat } => write!(f, "resign {}", seat.letter()),
            Event::Ended { standings, .. } => {
                f.write_str("over")?;
                for (seat, standing) in standings.iter() {
                    write!(f, " {}={}", seat.letter(), standing.score)?;
                }
                let best = standings
                    .iter()
                    .filter(|(_, standing)| standing.rank == 1)
                    .map(|(seat, _)| seat);
                write!(f, " win {}", joined(best))
            }
            Event::Cancelled { .. } => f.write_str("cancel"),
        }
    }
}

fn dealt(f: &mut Formatter<'_>, deal: &Deal) -> fmt::Result {
    f.write_str("deal")?;
    let sizes = |f: &mut Formatter<'_>, piles: &Seats<Cards>| {
        piles
            .iter()
            .try_for_each(|(_, pile)| write!(f, " {}", pile.count()))
    };
    match deal {
        Deal::Hands(hands) => sizes(f, hands),
        Deal::Stacks { stacks, aside } => {
            sizes(f, stacks)?;
            if aside.count() > 0 {
                write!(f, " aside {}", aside.count())
            } else {
                Ok(())
            }
        }
        Deal::Table(Board::Open(cards)) => write!(f, " {}", cards.len()),
        Deal::Table(Board::Size(places)) => write!(f, " {places}"),
    }
}

fn joined(seats: impl Iterator<Item = Seat>) -> String {
    seats
        .map(|seat| seat.letter().to_string())
        .collect::<Vec<_>>()
        .join("+")
}
