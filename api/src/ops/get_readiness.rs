//! Whether the service can take requests.

use actix_web::{HttpResponse, get, web};

use super::get_health::Health;
use crate::app::App;
use crate::http::{Code, Problem};

/// Say whether requests can be taken
///
/// Answers 503 while the database cannot be reached and while the service is stopping. For sending it requests
/// or not.
#[utoipa::path(
    operation_id = "getReadiness",
    tag = "service",
    security(()),
    responses((status = 200, description = "Requests can be taken.", body = Health)),
)]
#[get("/readyz")]
pub(super) async fn get_readiness(app: web::Data<App>) -> Result<HttpResponse, Problem> {
    if app.shutdown.has_begun() {
        return Err(Code::Unavailable.into());
    }
    app.db
        .ping()
        .await
        .map_err(|error| Problem::new(Code::Unavailable).cause(error))?;
    Ok(HttpResponse::Ok().json(Health { status: "ready" }))
}
