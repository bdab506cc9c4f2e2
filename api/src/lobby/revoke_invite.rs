//! Taking an invite back.

use actix_web::{HttpResponse, delete, web};

use super::create_invite;
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Problem, problems};
use crate::ids::MatchId;

problems! { RevokeInviteProblems: NotHost, InviteNotPossible, MatchStarted, MatchOver, MatchFrozen }

/// Revoke the invite code
///
/// From now on the match has no code, until its host makes a new one. Revoking again changes nothing.
#[utoipa::path(
    operation_id = "revokeInvite",
    tag = "lobby",
    params(("match_id" = MatchId, Path, description = "The match.")),
    responses((status = 204, description = "The code is void."), RevokeInviteProblems),
)]
#[delete("/matches/{match_id}/invite")]
pub(super) async fn revoke_invite(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let id = match_id.into_inner();
    app.carry_through(create_invite::set((**app).clone(), id, caller.player_id, None))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
