//! Telling watchers that a match went on.

use utoipa_actix_web::service_config::ServiceConfig;

/// The operations of this slice, below `/v1`.
pub(crate) const fn configure(_: &mut ServiceConfig<'_>) {}
