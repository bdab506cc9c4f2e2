//! Every route of the service, composed of what the slices register.

use actix_web::{HttpRequest, HttpResponse, web};
use utoipa_actix_web::scope;
use utoipa_actix_web::service_config::ServiceConfig;

use super::problem::Problem;
use crate::app::App;
use crate::{accounts, history, live, lobby, ops, play};

/// Registers every documented operation: for the service, and for the document itself.
pub(crate) fn routes(cfg: &mut ServiceConfig<'_>) {
    cfg.service(scope("/v1").configure(|v1| {
        accounts::configure(v1);
        lobby::configure(v1);
        play::configure(v1);
        history::configure(v1);
        live::configure(v1);
    }));
    accounts::configure_root(cfg);
    ops::configure(cfg);
}

/// A path with something that is no id names nothing.
pub(crate) fn path_config() -> web::PathConfig {
    web::PathConfig::default().error_handler(|error, _| Problem::not_found().cause(error).into())
}

/// What no route takes: an unknown path, or a known one with another method.
pub(crate) async fn unrouted(app: web::Data<App>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    Err(app.published.methods.refusal(&request))
}
