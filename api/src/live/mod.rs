//! Telling watchers what has just happened.

mod hub;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use hub::Hub;

/// The operations of this slice, below `/v1`.
pub(crate) const fn configure(_: &mut ServiceConfig<'_>) {}
