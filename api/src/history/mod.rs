//! What happened in a match, and proof of it.

mod list_history;
mod part;
mod replay_match;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use part::{hold, part};

/// The operations of this slice, below `/v1`.
pub(crate) fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(list_history::list_history)
        .service(replay_match::replay_match);
}
