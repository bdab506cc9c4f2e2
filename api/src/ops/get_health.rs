//! Whether the process runs.

use actix_web::{HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;

/// How the service is.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// `ok` when it runs, `ready` when it can take requests. More may come.
    #[schema(extensions(("x-extensible-enum" = json!(["ok", "ready"]))), examples("ok"))]
    pub(super) status: &'static str,
}

/// Say whether the process runs
///
/// Answers as long as the process runs, whatever its database does. For restarting it.
#[utoipa::path(
    operation_id = "getHealth",
    tag = "service",
    security(()),
    responses((status = 200, description = "It runs.", body = Health)),
)]
#[get("/healthz")]
pub(super) async fn get_health() -> HttpResponse {
    HttpResponse::Ok().json(Health { status: "ok" })
}
