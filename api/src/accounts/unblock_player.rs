//! Taking a block back.

use actix_web::{HttpResponse, delete, web};

use super::caller::Caller;
use super::store;
use crate::app::App;
use crate::http::Problem;
use crate::ids::PlayerId;

/// Take a block back
///
/// The two may meet again, unless the other one blocks the caller. Without a block nothing changes.
#[utoipa::path(
    operation_id = "unblockPlayer",
    tag = "accounts",
    params(("player_id" = PlayerId, Path, description = "Whom to block no longer.")),
    responses((status = 204, description = "The player is not blocked.")),
)]
#[delete("/me/blocks/{player_id}")]
pub(super) async fn unblock_player(
    app: web::Data<App>,
    caller: Caller,
    path: web::Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    let blocked_id = path.into_inner();
    let shared = (**app).clone();
    app.carry_through(async move {
        store::unblock(shared.db.write(), caller.player_id, blocked_id).await?;
        Ok(())
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
