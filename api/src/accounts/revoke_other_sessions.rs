//! Signing all other devices out.

use actix_web::{HttpResponse, delete, web};

use super::caller::Caller;
use super::store;
use crate::app::App;
use crate::http::Problem;

/// End the caller's other sessions
///
/// Signs every device out but the one that asks.
#[utoipa::path(
    operation_id = "revokeOtherSessions",
    tag = "accounts",
    responses((status = 204, description = "Only this device is signed in.")),
)]
#[delete("/auth/sessions")]
pub(super) async fn revoke_other_sessions(
    app: web::Data<App>,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let shared = (**app).clone();
    app.carry_through(async move {
        let transaction = shared.db.transaction().await?;
        let now = shared.now_millis();
        let ended = store::revoke_others(&transaction, caller.player_id, caller.session_id, now).await?;
        transaction.commit().await?;
        shared.revocations.note_all(ended);
        Ok(())
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
