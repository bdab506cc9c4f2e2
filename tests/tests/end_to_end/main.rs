//! The service over HTTP, on Postgres and on SQLite. One program: thirty that are linked one by one take longer
//! than what they test, and fill a disk.

mod contract;
mod faults;
mod harness;
mod live;
mod lobby;
mod play;
mod players;
mod simulations;
