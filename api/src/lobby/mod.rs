//! Finding a match: games, decks, matches, seats, invites.

pub(crate) mod catalogue;

use utoipa_actix_web::service_config::ServiceConfig;

/// The operations of this slice, below `/v1`.
pub(crate) const fn configure(_: &mut ServiceConfig<'_>) {}
