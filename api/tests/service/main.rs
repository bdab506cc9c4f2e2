//! The service from its front door: what every request meets, accounts, the catalogue, and the published document.

#![expect(
    clippy::unwrap_used,
    reason = "a test that unwraps says what it expects by failing there"
)]

mod accounts;
mod catalogue;
mod document;
mod edge;
mod support;
mod wire;
