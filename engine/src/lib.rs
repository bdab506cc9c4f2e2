//! Five card games of the Quartett family, without any IO: decks, rules, shuffle, notation and views.
//!
//! A match is a log of accepted actions; its state is a fold of the events they led to. [`Match::decide`]
//! reads a state and says what an action leads to, [`Match::apply_entry`] takes it in and decides nothing,
//! [`Match::view`] is the only way out to a player.
//!
//! ```
//! use quartett_engine::*;
//!
//! let deck = deck::built_in()[2].clone();
//! let seed = Seed([1; 32]);
//! let terms = Terms {
//!     match_id: [0; 16],
//!     game: GameSetup::default_for(GameKind::Supertrump, 2),
//!     deck_id: deck.document().deck_id.clone(),
//!     deck_hash: *deck.hash(),
//!     seats: 2,
//!     starter: StarterRule::Random,
//!     starter_seat: None,
//!     turn_seconds: 86_400,
//!     deadline_policy: DeadlinePolicy::BotPlays,
//!     time_limit_seconds: None,
//!     rules: RulesVersion::CURRENT,
//!     seed_commitment: seed.commitment(&[0; 16]),
//! };
//! let created = vec![
//!     Event::Created(Box::new(terms.clone())),
//!     Event::SeatTaken { seat: Seat(0), holder: Holder::Player, entropy: None },
//!     Event::SeatTaken { seat: Seat(1), holder: Holder::Player, entropy: None },
//! ];
//! let mut played = Match::new(terms, deck.clone());
//! let mut log = vec![Entry { version: 1, events: created.clone() }];
//! played.apply_entry(&created);
//! let started = played.start(&seed, None, &[], None)?;
//! let key = played.deal_key(&seed, None);
//! played.apply_entry(&started);
//! log.push(Entry { version: 2, events: started });
//! while let Some(turn) = played.turn() {
//!     let action = played.legal_actions(turn.seat)[0];
//!     let version = played.version() + 1;
//!     let events = played.decide(turn.seat, &action, &mut key.stream(Purpose::Mix, version))?;
//!     played.apply_entry(&events);
//!     log.push(Entry { version, events });
//! }
//! assert_eq!(played.status(), Status::Ended);
//! assert_eq!(Match::replay(deck, &log)?, played);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![expect(
    clippy::cast_possible_truncation,
    reason = "a deck has at most 64 cards: every count and place fits a byte"
)]

mod absence;
mod action;
mod asking;
pub mod bot;
pub mod card;
pub mod chain;
pub mod deck;
pub mod duel_quartett;
mod event;
mod game;
mod lobby;
mod match_state;
pub mod notation;
pub mod pairs;
mod position;
mod rejection;
mod replay;
mod seat;
mod showing;
mod shuffle;
pub mod supertrump;
pub mod vdb_quartett;
pub mod vdb_supertrumpf;
pub mod view;

pub use absence::AbsenceRefusal;
pub use action::Action;
pub use card::{Attribute, Card, Group};
pub use deck::Deck;
pub use event::{
    Audience, Board, BotLevel, CancelReason, Cards, DeadlinePolicy, Deal, EndReason, Event, Face, Holder,
    Limit, RulesVersion, SeatCard, SeatCards, Standing, StarterRule, Terms,
};
pub use game::{GameKind, GameSetup, Phase, Turn};
pub use lobby::LobbyRefusal;
pub use match_state::Match;
pub use position::Position;
pub use rejection::Rejection;
pub use replay::{Entry, ReplayError, ReplayFault};
pub use seat::{SEATS_MAX, Seat, SeatSet, Seats};
pub use shuffle::{Commitment, DealKey, InOrder, Mixer, Purpose, Seed, Stream};
pub use view::{Sight, Status, View, Viewer};
