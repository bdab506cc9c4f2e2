//! Leaving for good.

use actix_web::{HttpResponse, delete, web};

use super::caller::Caller;
use super::store;
use crate::app::App;
use crate::http::{Code, Problem};
use crate::lobby;

/// Erase the caller
///
/// Removes the person at once and for good: the name, what it signs in with, every session, and its blocks. Waiting
/// matches are left, running ones go on with a bot. Matches that were played stay verifiable; they name seats,
/// never people.
#[utoipa::path(
    operation_id = "eraseMe",
    tag = "accounts",
    responses((status = 204, description = "There is no such player any more.")),
)]
#[delete("/me")]
pub(super) async fn erase_me(app: web::Data<App>, caller: Caller) -> Result<HttpResponse, Problem> {
    let shared = (**app).clone();
    app.carry_through(async move {
        let transaction = shared.db.transaction().await?;
        let ended = store::erase(&transaction, caller.player_id, shared.now_millis())
            .await?
            .ok_or(Code::SessionRevoked)?;
        transaction.commit().await?;
        shared.revocations.note_all(ended);
        shared.profile_changes.note(caller.player_id);
        // Only now: whoever took a seat at the same moment has it by now, and leaves it here.
        if let Err(problem) = lobby::depart(&shared, caller.player_id).await {
            // The person is gone from every answer already; the sweeper goes on with the seats.
            tracing::warn!(%problem, cause = problem.logged_cause(), "a departure was broken off");
        }
        Ok(())
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
