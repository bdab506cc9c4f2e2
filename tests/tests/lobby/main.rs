//! Finding and starting matches, also when everybody wants to at the same moment.

mod creating;
mod expiry;
mod hosting;
mod invites;
mod seats;
