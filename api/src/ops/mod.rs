//! Running the service: health, readiness, logs, and stopping.

mod get_health;
mod get_readiness;
pub mod logging;
mod shutdown;

use utoipa_actix_web::service_config::ServiceConfig;

pub use shutdown::Shutdown;

/// The operations of this slice, at the root.
pub(crate) fn configure(cfg: &mut ServiceConfig) {
    cfg.service(get_health::get_health)
        .service(get_readiness::get_readiness);
}
