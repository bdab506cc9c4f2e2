//! Starting a match that waits for its host.

use actix_web::{HttpResponse, post, web};
use quartett_engine::{BotLevel, Event, Holder, Status};
use serde::Deserialize;
use utoipa::ToSchema;

use super::entropy::Entropy;
use super::{seating, store};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, IdempotencyKey, IdempotencyKeyHeader, Problem, RawBody, problems};
use crate::ids::{MatchId, PlayerId};
use crate::play::{Change, Draft, filled};
use crate::wire::{BotLevelName, By, MatchView};

/// How to start.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StartMatch {
    /// What the host adds to the randomness of the deal, so that nobody could have prepared it.
    entropy: Option<Entropy>,
    /// Bots of this level take the seats that are free; without it free seats are a conflict.
    fill_with_bots: Option<BotLevelName>,
}

problems! { StartMatchProblems: NotHost, SeatsFree, MatchOver, MatchFrozen }

/// Start a match
///
/// The host deals. A match that has started stays started: asking again gives the match as it is.
#[utoipa::path(
    operation_id = "startMatch",
    tag = "lobby",
    params(
        ("match_id" = MatchId, Path, description = "The match."),
        IdempotencyKeyHeader,
    ),
    request_body(content = StartMatch, example = json!({"entropy": "b7Kq2xW9", "fill_with_bots": "medium"})),
    responses((status = 200, description = "The match, dealt.", body = MatchView), StartMatchProblems),
)]
#[post("/matches/{match_id}/start")]
pub(super) async fn start_match(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
    key: IdempotencyKey,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let how: Result<StartMatch, Problem> = body.parse_or_default();
    let id = match_id.into_inner();
    let view = app
        .carry_through(start((**app).clone(), id, caller.player_id, how, key))
        .await?;
    Ok(HttpResponse::Ok().json(view))
}

async fn start(
    app: App,
    id: MatchId,
    player: PlayerId,
    how: Result<StartMatch, Problem>,
    key: IdempotencyKey,
) -> Result<MatchView, Problem> {
    let mut change = Change::begin(&app, id).await?.ok_or_else(Problem::not_found)?;
    change
        .table
        .must_be_visible_to(&change.transaction, player)
        .await?;
    let StartMatch {
        entropy,
        fill_with_bots,
    } = how?;
    key.optional()?;
    let is_host = change.table.seat_of(player) == Some(change.table.state.host());
    match change.table.state.status() {
        Status::Waiting => {}
        Status::Active if is_host => {
            let mut held = change.leave().await?;
            return seating::view_for(&app, filled(&mut held)?, player).await;
        }
        Status::Active => return Err(Code::NotHost.into()),
        Status::Ended | Status::Cancelled => return Err(Code::MatchOver.into()),
    }
    if !is_host {
        return Err(Code::NotHost.into());
    }
    if let Some(level) = fill_with_bots {
        fill(&mut change, level.0).await?;
    }
    seating::start(&app, &mut change, By::Player, entropy).await?;
    seating::finish(&app, change, player).await
}

/// Seats bots wherever nobody sits; one entry for all of them.
async fn fill(change: &mut Change, level: BotLevel) -> Result<(), Problem> {
    let free = change.table.free_seats();
    if free.is_empty() {
        return Ok(());
    }
    for seat in &free {
        store::insert_bot_seat(&change.transaction, change.table.id, *seat, level, change.now).await?;
    }
    let taken = |seat| Event::SeatTaken {
        seat,
        holder: Holder::Bot(level),
        entropy: None,
    };
    change.record(Draft {
        by: By::Player,
        seat: Some(change.table.state.host()),
        action: None,
        events: free.into_iter().map(taken).collect(),
    })
}
