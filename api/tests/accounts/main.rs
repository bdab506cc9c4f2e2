//! Accounts over HTTP: every operation, and every way to misuse one.

#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps says what it expects by failing there"
)]

#[path = "../support/mod.rs"]
mod support;

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
