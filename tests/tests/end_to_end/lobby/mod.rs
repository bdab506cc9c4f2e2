//! Finding and starting matches, also when everybody wants to at the same moment.

mod creating;
mod edges;
mod expiry;
mod hosting;
mod invites;
mod matchmaking;
mod matchmaking_races;
mod seats;
