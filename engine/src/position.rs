//! Positions set up by hand, for worked cases: a match that begins in the middle.

use crate::card::{Card, Group};
use crate::deck::Deck;
use crate::event::{DeadlinePolicy, Deal, Event, RulesVersion, StarterRule, Terms};
use crate::game::{Game, GameSetup};
use crate::match_state::Match;
use crate::seat::Seat;
use crate::shuffle::Commitment;
use crate::view::Status;
use std::sync::Arc;

/// What lies where when play begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Hands, stacks (the top first) or the table.
    pub deal: Deal,
    /// Groups laid before, per seat.
    pub laid: Vec<(Seat, Group)>,
    /// Pairs taken before, per seat.
    pub taken: Vec<(Seat, Card)>,
    /// The active seat.
    pub turn: Seat,
}

impl Match {
    /// A running match in this position, and what setting it up leads to: quartets laid and the first turn.
    /// The deck need not fit the game.
    pub fn from_position(
        setup: GameSetup,
        deck: Arc<Deck>,
        seats: u8,
        position: &Position,
    ) -> (Match, Vec<Event>) {
        let terms = Terms {
            match_id: [0; 16],
            game: setup,
            deck_id: deck.document().deck_id.clone(),
            deck_hash: *deck.hash(),
            seats,
            starter: StarterRule::Host,
            starter_seat: None,
            turn_seconds: 86_400,
            deadline_policy: DeadlinePolicy::BotPlays,
            time_limit_seconds: None,
            rules: RulesVersion::CURRENT,
            seed_commitment: Commitment([0; 32]),
        };
        let mut set_up = Match::new(terms, deck);
        set_up.status = Status::Active;
        match &mut set_up.game {
            Game::DuelQuartett(table) => position
                .laid
                .iter()
                .for_each(|(s, g)| table.hands.lay_before(*s, *g)),
            Game::VdbQuartett(table) => position
                .laid
                .iter()
                .for_each(|(s, g)| table.hands.lay_before(*s, *g)),
            Game::Pairs(table) => position
                .taken
                .iter()
                .for_each(|(seat, card)| table.take_before(*seat, *card)),
            Game::Supertrump(_) | Game::VdbSupertrumpf(_) => {}
        }
        set_up.apply(&Event::Dealt(position.deal.clone()));
        let events = set_up.settle(set_up.game.open(&set_up.deck, position.turn));
        set_up.apply_entry(&events);
        (set_up, events)
    }
}
