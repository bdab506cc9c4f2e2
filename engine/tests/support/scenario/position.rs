//! The exact position that a case starts from.

use super::decks::{SmallDeck, board_deck, earlier_pair, small_deck};
use super::options::setup;
use super::{Case, Score};
use quartett_engine::card::TableCard;
use quartett_engine::{Board, Cards, Deal, Deck, Event, GameSetup, Match, Position, Seat, Seats};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Case {
    /// The match at the position of the case, and what setting it up said.
    pub(super) fn set_up(&self, decks: &BTreeMap<String, SmallDeck>) -> Result<(Match, Vec<Event>), String> {
        let document = match &self.deck {
            Some(name) => small_deck(
                name,
                decks
                    .get(name)
                    .ok_or_else(|| format!("there is no deck {name:?}"))?,
            ),
            None => board_deck(&self.board, &self.score)?,
        };
        let deck = Arc::new(Deck::new(document).map_err(|error| error.to_string())?);
        let seat = |name: &String| {
            let index = self.seats.iter().position(|seat| seat == name);
            index
                .map(|index| Seat(index as u8))
                .ok_or_else(|| format!("there is no seat {name:?}"))
        };
        let card = |number: &String| {
            let card = deck.card(number);
            if deck.has_card(card) {
                Ok(card)
            } else {
                Err(format!("there is no card {number:?}"))
            }
        };
        let piles = |of: &BTreeMap<String, Vec<String>>| -> Result<Seats<Cards>, String> {
            let mut piles = Seats::build(self.seats.len(), |_| Cards::Open(Vec::new()));
            for (name, numbers) in of {
                piles[seat(name)?] = Cards::Open(numbers.iter().map(card).collect::<Result<_, _>>()?);
            }
            Ok(piles)
        };
        let setup = setup(&self.mode, &self.options)?;
        let deal = match setup {
            GameSetup::DuelQuartett(_) | GameSetup::VdbQuartett(_) => Deal::Hands(piles(&self.hands)?),
            GameSetup::Supertrump(_) | GameSetup::VdbSupertrumpf(_) => Deal::Stacks {
                stacks: piles(&self.stacks)?,
                aside: Cards::Open(Vec::new()),
            },
            GameSetup::Pairs(_) => {
                let place = |text: &String| match text.split_once(':') {
                    Some(("q", number)) => card(&number.to_owned()).map(TableCard::card),
                    Some(("p", number)) => card(&number.to_owned()).map(TableCard::plan),
                    _ => Err(format!("{text:?} is no place")),
                };
                Deal::Table(Board::Open(
                    self.board.iter().map(place).collect::<Result<_, _>>()?,
                ))
            }
        };
        let mut position = Position {
            deal,
            laid: Vec::new(),
            taken: Vec::new(),
            turn: seat(&self.turn)?,
        };
        for (name, groups) in &self.laid {
            for group in groups {
                position.laid.push((seat(name)?, deck.group(group)));
            }
        }
        for (name, score) in &self.score {
            match score {
                Score::Count(count) => {
                    let earlier = (0..*count).map(|n| deck.card(&earlier_pair(name, n)));
                    let seat = seat(name)?;
                    position.taken.extend(earlier.map(|card| (seat, card)));
                }
                Score::Which(names) => {
                    for won in names {
                        match setup {
                            GameSetup::Pairs(_) => position.taken.push((seat(name)?, card(won)?)),
                            GameSetup::DuelQuartett(_)
                            | GameSetup::VdbQuartett(_)
                            | GameSetup::Supertrump(_)
                            | GameSetup::VdbSupertrumpf(_) => {
                                position.laid.push((seat(name)?, deck.group(won)))
                            }
                        }
                    }
                }
            }
        }
        Ok(Match::from_position(
            setup,
            deck,
            u8::try_from(self.seats.len()).map_err(|error| error.to_string())?,
            &position,
        ))
    }
}
