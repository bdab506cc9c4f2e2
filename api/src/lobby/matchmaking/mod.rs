//! Finding opponents: tickets, and the matches made of them.

mod cancel_ticket;
mod create_ticket;
mod get_ticket;
mod pairing;
mod store;
mod ticket;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use pairing::{PairingTurns, pair_whoever_waits};

/// The operations of matchmaking, below `/v1`.
pub(crate) fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(create_ticket::create_ticket)
        .service(get_ticket::get_ticket)
        .service(cancel_ticket::cancel_ticket);
}
