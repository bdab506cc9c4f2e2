//! Giving up.

use actix_web::{HttpResponse, post, web};

use super::presence::{Presence, change};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{IdempotencyKey, IdempotencyKeyHeader, Problem, problems};
use crate::ids::MatchId;
use crate::wire::ActionResult;

problems! { ResignMatchProblems: MatchNotStarted, MatchOver, OutcomeUnknown, MatchFrozen }

/// Resign a match
///
/// The caller gives up and comes last; a bot holds the seat to the end, and the match ends if too few are
/// left. Resigning again gives the match as it is, without entries.
#[utoipa::path(
    operation_id = "resignMatch",
    tag = "play",
    params(
        ("match_id" = MatchId, Path, description = "The match."),
        IdempotencyKeyHeader,
    ),
    responses(
        (status = 200, description = "The resignation and what followed.", body = ActionResult),
        ResignMatchProblems,
    ),
)]
#[post("/matches/{match_id}/resignation")]
pub(super) async fn resign_match(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
    key: IdempotencyKey,
) -> Result<HttpResponse, Problem> {
    key.optional()?;
    let work = change(
        (**app).clone(),
        match_id.into_inner(),
        caller.player_id,
        Presence::Resigns,
    );
    Ok(HttpResponse::Ok().json(app.carry_through(work).await?))
}
