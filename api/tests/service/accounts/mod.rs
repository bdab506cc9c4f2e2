//! Accounts over HTTP: every operation, and every way to misuse one.

mod blocks;
mod browsers;
mod erasure;
mod keys;
mod limits;
mod passwords;
mod profile;
mod refresh;
mod secrets;
mod sessions;
mod tokens;
mod two_instances;
mod walk;
