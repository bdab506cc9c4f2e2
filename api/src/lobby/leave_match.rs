//! Giving a seat back before the start.

use actix_web::{HttpResponse, delete, web};
use quartett_engine::{CancelReason, Event, Seat, Status};

use super::{seating, store};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, Problem, problems};
use crate::ids::{MatchId, PlayerId};
use crate::play::{Change, Draft};
use crate::wire::By;

problems! { LeaveMatchProblems: NotSeated, MatchStarted, MatchOver, MatchFrozen }

/// Leave a match before its start
///
/// Gives the caller's seat back. When the host leaves, the next seat is host; when the last player leaves,
/// the match is cancelled. A match that has started is resigned instead.
#[utoipa::path(
    operation_id = "leaveMatch",
    tag = "lobby",
    params(("match_id" = MatchId, Path, description = "The match.")),
    responses((status = 204, description = "The seat is free."), LeaveMatchProblems),
)]
#[delete("/matches/{match_id}/seats/me")]
pub(super) async fn leave_match(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let id = match_id.into_inner();
    app.carry_through(leave((**app).clone(), id, caller.player_id))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn leave(app: App, id: MatchId, player: PlayerId) -> Result<(), Problem> {
    let change = Change::begin(&app, id).await?.ok_or_else(Problem::not_found)?;
    change
        .table
        .must_be_visible_to(&change.transaction, player)
        .await?;
    match change.table.state.status() {
        Status::Waiting => {}
        Status::Active => return Err(Code::MatchStarted.into()),
        Status::Ended | Status::Cancelled => return Err(Code::MatchOver.into()),
    }
    let seat = change.table.seat_of(player).ok_or(Code::NotSeated)?;
    leave_seat(&app, change, player, seat).await
}

/// Gives a seat back, and cancels the match if no player is left.
pub(super) async fn leave_seat(
    app: &App,
    mut change: Change,
    player: PlayerId,
    seat: Seat,
) -> Result<(), Problem> {
    let id = change.table.id;
    let mut events = change.table.state.leave_seat(seat).map_err(seating::refused)?;
    let others = change
        .table
        .players
        .iter()
        .filter(|(other, player)| *other != seat && player.is_some());
    if others.count() == 0 {
        events.push(Event::Cancelled {
            reason: CancelReason::HostCancelled,
            seed: None,
        });
    }
    store::delete_seat(&change.transaction, id, seat).await?;
    change.record(Draft {
        by: By::Player,
        seat: Some(seat),
        action: None,
        events,
    })?;
    if let Some(place) = change.table.players.get_mut(seat) {
        *place = None;
    }
    seating::finish(app, change, player).await.map(|_| ())
}
