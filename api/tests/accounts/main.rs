//! Accounts over HTTP: every operation, and every way to misuse one.

#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps says what it expects by failing there"
)]

#[path = "../support/mod.rs"]
mod support;

mod blocks;
mod keys;
mod profile;
mod refresh;
mod sessions;
mod tokens;
