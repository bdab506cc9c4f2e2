//! Not wanting to meet somebody.

use actix_web::{HttpResponse, put, web};

use super::caller::Caller;
use super::store;
use crate::app::App;
use crate::http::{Code, Problem, problems};
use crate::ids::PlayerId;

problems! { BlockPlayerProblems: CannotBlockYourself }

/// Block a player
///
/// From now on the two do not meet, whoever of them tries. Matches that already run go on. Blocking twice is the
/// same as once.
#[utoipa::path(
    operation_id = "blockPlayer",
    tag = "accounts",
    params(("player_id" = PlayerId, Path, description = "Whom to block.")),
    responses((status = 204, description = "The player is blocked."), BlockPlayerProblems),
)]
#[put("/me/blocks/{player_id}")]
pub(super) async fn block_player(
    app: web::Data<App>,
    caller: Caller,
    path: web::Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    let blocked_id = path.into_inner();
    if !store::exists(app.db.read(), blocked_id).await? {
        return Err(Problem::not_found());
    }
    if blocked_id == caller.player_id {
        return Err(Code::CannotBlockYourself.into());
    }
    let shared = (**app).clone();
    app.carry_through(async move {
        let now = shared.now_millis();
        store::block(shared.db.write(), caller.player_id, blocked_id, now).await?;
        Ok(())
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
