//! What everybody may know of a player.

use actix_web::{HttpRequest, HttpResponse, get, web};

use super::caller::Caller;
use super::player::Player;
use super::store;
use crate::app::App;
use crate::http::{Etag, Problem, tagged};
use crate::ids::PlayerId;

/// Show a player
///
/// The public profile of any player. There is none of a player who was erased.
#[utoipa::path(
    operation_id = "getPlayer",
    tag = "accounts",
    params(("player_id" = PlayerId, Path, description = "Which player.")),
    responses((status = 200, description = "The player's public profile.", body = Player)),
)]
#[get("/players/{player_id}")]
pub(super) async fn get_player(
    app: web::Data<App>,
    request: HttpRequest,
    _: Caller,
    path: web::Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    let player = store::public_player(app.db.read(), path.into_inner())
        .await?
        .ok_or_else(Problem::not_found)?;
    let body = serde_json::to_vec(&player).map_err(Problem::internal)?;
    Ok(tagged(&request, &Etag::over([body.as_slice()]), &player))
}
