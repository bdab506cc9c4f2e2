//! Coming back after having been away.

use actix_web::{HttpResponse, post, web};

use super::presence::{Presence, change};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{IdempotencyKey, IdempotencyKeyHeader, Problem, problems};
use crate::ids::MatchId;
use crate::wire::ActionResult;

problems! { ReturnToMatchProblems: MatchNotStarted, MatchOver, SeatResigned, OutcomeUnknown, MatchFrozen }

/// Return to a match
///
/// The caller takes the seat back from the bot that held it. A turn of that seat that is pending is the
/// caller's own again, with its whole time. Whoever was not away gets the match as it is, without entries.
#[utoipa::path(
    operation_id = "returnToMatch",
    tag = "play",
    params(
        ("match_id" = MatchId, Path, description = "The match."),
        IdempotencyKeyHeader,
    ),
    responses(
        (status = 200, description = "The return and what followed.", body = ActionResult),
        ReturnToMatchProblems,
    ),
)]
#[post("/matches/{match_id}/return")]
pub(super) async fn return_to_match(
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
        Presence::Returns,
    );
    Ok(HttpResponse::Ok().json(app.carry_through(work).await?))
}
