//! Calling a match off before its start.

use actix_web::{HttpResponse, delete, web};
use quartett_engine::{CancelReason, Event, Status};

use super::seating;
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, Problem, problems};
use crate::ids::{MatchId, PlayerId};
use crate::play::{Change, Draft};
use crate::wire::By;

problems! { CancelMatchProblems: NotHost, MatchStarted, MatchOver, MatchFrozen }

/// Cancel a match before its start
///
/// The host calls the match off; its seed is revealed. Cancelling it again changes nothing.
#[utoipa::path(
    operation_id = "cancelMatch",
    tag = "lobby",
    params(("match_id" = MatchId, Path, description = "The match.")),
    responses((status = 204, description = "The match is cancelled."), CancelMatchProblems),
)]
#[delete("/matches/{match_id}")]
pub(super) async fn cancel_match(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let id = match_id.into_inner();
    app.carry_through(cancel((**app).clone(), id, caller.player_id))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn cancel(app: App, id: MatchId, player: PlayerId) -> Result<(), Problem> {
    let mut change = Change::begin(&app, id).await?.ok_or_else(Problem::not_found)?;
    change
        .table
        .must_be_visible_to(&change.transaction, player)
        .await?;
    let host = change.table.state.host();
    let is_host = change.table.seat_of(player) == Some(host);
    match change.table.state.status() {
        Status::Waiting => {}
        Status::Active => return Err(Code::MatchStarted.into()),
        Status::Cancelled if is_host => return Ok(()),
        Status::Ended | Status::Cancelled => return Err(Code::MatchOver.into()),
    }
    if !is_host {
        return Err(Code::NotHost.into());
    }
    change.record(Draft {
        by: By::Player,
        seat: Some(host),
        action: None,
        events: vec![Event::Cancelled {
            reason: CancelReason::HostCancelled,
            seed: None,
        }],
    })?;
    seating::finish(&app, change, player).await.map(|_| ())
}
