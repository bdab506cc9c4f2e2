//! Quartett: an event-sourced match service for card games of the Quartett family.
//!
//! [`Application`] is the whole service: `main` and every test start the same thing, tests with other
//! [`Parts`]. Behind it lie slices, one folder each, in which one operation is one file:
//!
//! - `accounts`: who plays; tokens and keys
//! - `lobby`: games, decks, finding and starting matches
//! - `play`: the cached match and the one write that appends to it
//! - `history`: what happened, and proof of it
//! - `live`: telling watchers
//! - `http`, `db`, `clock`, `ops`: what the slices stand on. How to add an operation is told in `http`.

mod accounts;
mod app;
mod application;
pub mod clock;
pub mod config;
mod db;
pub mod demo;
mod history;
mod http;
pub mod ids;
mod live;
mod lobby;
mod ops;
pub mod parts;
mod play;
mod seal;
mod wire;

pub use accounts::{KeyCommandError, KeyError, Resealed};
/// What an operator does with the keys.
pub mod keys {
    pub use crate::accounts::{list, reseal, rotate};
}

pub use app::App;
pub use application::{Application, BuildError};
pub use config::Config;
pub use db::OpenError;
pub use http::openapi;
pub use http::{Code, Problem, Timestamp};
pub use ops::{Shutdown, logging};
pub use parts::Parts;
pub use seal::{Seal, SealBroken, SealKeyFileError};
