//! Black-box tests of Quartett over HTTP, on Postgres and SQLite.
//!
//! What the tests stand on:
//!
//! - [`Database`]: an empty one per test; [`both!`] runs a test on either backend
//! - [`Service`]: the whole application with a clock and randomness that the test steers
//! - [`Client`] and [`Player`]: who calls; every answer is held against the published document
//! - [`scripted`]: players that know nothing but the contract
//!
//! A test shares nothing with another one, does not sleep and does not try again. For what the service does by
//! itself it waits by long polls ([`Player::news`]).
//!
//! `TEST_DATABASE_URL` names a Postgres server to use. Without it a private server is started from
//! `/usr/lib/postgresql`; where there is none the tests run on SQLite alone and say so, or fail if
//! `REQUIRE_POSTGRES=1`.

mod answer;
pub mod at_once;
mod both;
mod cards;
mod client;
pub mod contract;
pub mod cpu_time;
mod database;
pub mod deals;
pub mod driving;
mod environment;
mod fairness;
pub mod finished;
mod operations;
pub mod outages;
mod patience;
pub mod plays;
mod postgres;
pub mod process;
mod schema;
pub mod scripted;
pub mod seeking;
mod service;
pub mod setups;
pub mod simulation;
pub mod stored;
mod streams;
pub mod tables;
mod ticking;
mod wiretap;
pub mod worlds;

pub use answer::{Answer, millis, version_of};
pub use client::{Client, Player, Request, fresh_key};
pub use database::Database;
pub use environment::{simulated_matches, simulation_seed};
pub use postgres::{OwnServer, program, report};
pub use service::{Instances, Service, Setup, Surface};
pub use streams::{Block, EventStream};
pub use tables::Table;
pub use ticking::Ticking;
pub use wiretap::Wiretap;
