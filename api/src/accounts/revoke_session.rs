//! Signing another device out.

use actix_web::{HttpResponse, delete, web};

use super::caller::Caller;
use super::store;
use crate::app::App;
use crate::http::Problem;
use crate::ids::SessionId;

/// End a session of the caller
///
/// Signs one device out; it may be the one that asks. Ending a session again is the same as once.
#[utoipa::path(
    operation_id = "revokeSession",
    tag = "accounts",
    params(("session_id" = SessionId, Path, description = "Which session.")),
    responses((status = 204, description = "The device is signed out.")),
)]
#[delete("/auth/sessions/{session_id}")]
pub(super) async fn revoke_session(
    app: web::Data<App>,
    caller: Caller,
    path: web::Path<SessionId>,
) -> Result<HttpResponse, Problem> {
    let session_id = path.into_inner();
    let shared = (**app).clone();
    app.carry_through(async move {
        let transaction = shared.db.transaction().await?;
        let now = shared.now_millis();
        let found = store::revoke_own(&transaction, caller.player_id, session_id, now).await?;
        transaction.commit().await?;
        if !found {
            return Err(Problem::not_found());
        }
        shared.revocations.note(session_id);
        Ok(())
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
