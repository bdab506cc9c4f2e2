//! What the document promises of every operation.

mod caching;
mod catalogue;
mod coverage;
mod negotiation;
mod problems;
