//! Taking a seat in a match that waits.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::entropy::Entropy;
use super::seating::{self, Newcomer};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, IdempotencyKey, IdempotencyKeyHeader, Problem, RawBody, problems};
use crate::ids::MatchId;
use crate::play::Change;
use crate::wire::{MatchView, Visibility};

/// What a player brings along to a seat.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TakeSeat {
    /// The answer to the opening question, if the match asks it.
    #[schema(minimum = 0)]
    opening_answer: Option<u64>,
    /// What the player adds to the randomness of the deal, so that nobody could have prepared it.
    entropy: Option<Entropy>,
}

impl TakeSeat {
    /// For this player.
    pub(super) fn of(self, caller: Caller) -> Result<Newcomer, Problem> {
        let Self {
            opening_answer,
            entropy,
        } = self;
        Ok(Newcomer {
            player: caller.player_id,
            opening_answer: opening_answer.map(super::opening_answer).transpose()?,
            entropy,
        })
    }
}

problems! { JoinMatchProblems: MatchFull, MatchOver, TooManyMatches, MatchFrozen }

/// Take a seat in an open match
///
/// Takes the first free seat. Whoever has a seat already keeps it: joining twice is the same join. A match
/// that is full starts by itself, unless its host wanted to start it.
#[utoipa::path(
    operation_id = "joinMatch",
    tag = "lobby",
    params(
        ("match_id" = MatchId, Path, description = "The match."),
        IdempotencyKeyHeader,
    ),
    request_body(content = TakeSeat, example = json!({"opening_answer": 120, "entropy": "b7Kq2xW9"})),
    responses((status = 200, description = "The match with the caller in it.", body = MatchView), JoinMatchProblems),
)]
#[post("/matches/{match_id}/seats")]
pub(super) async fn join_match(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
    key: IdempotencyKey,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let taking: Result<TakeSeat, Problem> = body.parse_or_default();
    let id = match_id.into_inner();
    let view = app
        .carry_through(join((**app).clone(), id, caller, taking, key))
        .await?;
    Ok(HttpResponse::Ok().json(view))
}

async fn join(
    app: App,
    id: MatchId,
    caller: Caller,
    taking: Result<TakeSeat, Problem>,
    key: IdempotencyKey,
) -> Result<MatchView, Problem> {
    let change = Change::begin(&app, id).await?.ok_or_else(Problem::not_found)?;
    let table = &change.table;
    // A match that was open is no secret: whoever comes too late is told so.
    let came_late = table.invitation.visibility == Visibility::Open && table.state.turn().is_some();
    let may_join = if came_late {
        table.may_be_met_by(&change.transaction, caller.player_id).await?
    } else {
        table.is_visible_to(&change.transaction, caller.player_id).await?
    };
    if !may_join {
        return Err(Problem::not_found());
    }
    let newcomer = taking?.of(caller)?;
    key.optional()?;
    if came_late && change.table.seat_of(caller.player_id).is_none() {
        return Err(Code::MatchFull.into());
    }
    seating::sit_down(&app, change, newcomer).await
}
