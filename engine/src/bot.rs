//! Bots in three levels for each game. A bot sees what its seat sees and what anyone at the table could have
//! noted, nothing else; its choices are drawn from the match's own stream, so a match with bots replays.

mod asking;
mod pairs;
mod showing;

use crate::action::Action;
use crate::asking::Recall;
use crate::card::{Attribute, Card, CardSet, TableCard};
use crate::deck::Deck;
use crate::event::BotLevel;
use crate::game::Game;
use crate::match_state::Match;
use crate::seat::Seat;
use crate::showing::Whereabouts;
use crate::shuffle::Stream;
use crate::view::{TableView, View, Viewer};

/// What a bot knows when it moves: its seat's view, and what everyone could have noted.
struct Knowledge<'a> {
    deck: &'a Deck,
    seat: Seat,
    view: View,
    notes: Notes<'a>,
}

/// What anyone who watched from the start could have noted.
enum Notes<'a> {
    Asks(&'a Recall),
    Stacks(&'a Whereabouts),
    /// Per place the card seen there and when, in flips from 1.
    Table(Vec<Option<(TableCard, u32)>>),
}

/// The action a bot of this level takes for a seat that is to move; `None` if the seat has nothing to do.
pub fn choose(played: &Match, seat: Seat, level: BotLevel, stream: &mut Stream) -> Option<Action> {
    let notes = match &played.game {
        Game::DuelQuartett(table) => Notes::Asks(&table.recall),
        Game::VdbQuartett(table) => Notes::Asks(&table.recall),
        Game::Supertrump(table) => Notes::Stacks(&table.cards.whereabouts),
        Game::VdbSupertrumpf(table) => Notes::Stacks(&table.cards.whereabouts),
        Game::Pairs(table) => Notes::Table(table.noted()),
    };
    let view = played.view(Viewer::Seat(seat));
    let knowledge = Knowledge {
        deck: played.deck(),
        seat,
        view,
        notes,
    };
    knowledge.choose(level, stream)
}

impl Knowledge<'_> {
    fn choose(&self, level: BotLevel, stream: &mut Stream) -> Option<Action> {
        let chosen = match &self.notes {
            Notes::Asks(recall) => asking::choose(self, recall, level, stream),
            Notes::Stacks(whereabouts) => showing::choose(self, whereabouts, level, stream),
            Notes::Table(noted) => pairs::choose(self, noted, level, stream),
        };
        chosen
            .filter(|action| self.legal().contains(action))
            .or_else(|| stream.pick(self.legal()))
    }

    fn legal(&self) -> &[Action] {
        &self.view.legal_actions
    }

    /// The cards of the own hand, in the games that have hands.
    fn own_hand(&self) -> CardSet {
        match &self.view.table {
            TableView::DuelQuartett { hands, .. } | TableView::VdbQuartett { hands, .. } => {
                match hands[self.seat] {
                    crate::view::Hand::Own(cards) => cards,
                    crate::view::Hand::Size(_) => CardSet::EMPTY,
                }
            }
            TableView::Supertrump { .. } | TableView::VdbSupertrumpf { .. } | TableView::Pairs { .. } => {
                CardSet::EMPTY
            }
        }
    }
}

/// How a card fares in an attribute against one drawn evenly from `others`: a win counts 1, a tie one half.
fn win_share(deck: &Deck, card: Card, attribute: Attribute, others: impl Iterator<Item = Card>) -> f64 {
    let own = deck.rank(card, attribute);
    let (mut points, mut count) = (0.0, 0.0);
    for other in others.filter(|other| *other != card) {
        count += 1.0;
        points += match own.cmp(&deck.rank(other, attribute)) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
    }
    if count > 0.0 { points / count } else { 0.5 }
}

/// The best of several by worth; an even draw among equals.
fn best_of<T: Copy>(options: impl Iterator<Item = (T, f64)>, stream: &mut Stream) -> Option<T> {
    let options: Vec<(T, f64)> = options.collect();
    let best = options
        .iter()
        .map(|(_, worth)| *worth)
        .fold(f64::NEG_INFINITY, f64::max);
    let equals: Vec<T> = options
        .iter()
        .filter(|(_, worth)| best - *worth < 1e-9)
        .map(|(option, _)| *option)
        .collect();
    stream.pick(&equals)
}
