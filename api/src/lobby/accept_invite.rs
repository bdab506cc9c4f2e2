//! Taking a seat by an invite.

use actix_web::{HttpResponse, post, web};

use super::get_invite;
use super::invite_code::InviteCode;
use super::join_match::TakeSeat;
use super::seating;
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, IdempotencyKey, IdempotencyKeyHeader, Problem, RawBody, problems};
use crate::play::Change;
use crate::wire::MatchView;
use quartett_engine::Status;

problems! { AcceptInviteProblems: InviteExpired, MatchFull, TooManyMatches, MatchFrozen }

/// Accept an invite
///
/// Takes the first free seat of the match that the code leads to. Whoever has a seat already keeps it:
/// accepting twice is the same acceptance.
#[utoipa::path(
    operation_id = "acceptInvite",
    tag = "lobby",
    params(
        ("code" = String, Path, description = "The code; blanks, hyphens and lower case do not matter."),
        IdempotencyKeyHeader,
    ),
    request_body(content = TakeSeat, example = json!({"opening_answer": 120, "entropy": "b7Kq2xW9"})),
    responses((status = 200, description = "The match with the caller in it.", body = MatchView), AcceptInviteProblems),
)]
#[post("/invites/{code}/acceptance")]
pub(super) async fn accept_invite(
    app: web::Data<App>,
    caller: Caller,
    code: web::Path<String>,
    key: IdempotencyKey,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let code = InviteCode::parse(&code).ok_or_else(Problem::not_found)?;
    let taking: Result<TakeSeat, Problem> = body.parse_or_default();
    let view = app
        .carry_through(accept((**app).clone(), code, caller, taking, key))
        .await?;
    Ok(HttpResponse::Ok().json(view))
}

async fn accept(
    app: App,
    code: InviteCode,
    caller: Caller,
    taking: Result<TakeSeat, Problem>,
    key: IdempotencyKey,
) -> Result<MatchView, Problem> {
    let (id, _) = get_invite::good(&app, &code).await?;
    let change = Change::begin(&app, id).await?.ok_or_else(Problem::not_found)?;
    // Between looking the code up and holding the match, its host may have made a new one.
    if change.table.invitation.invite_code.as_deref() != Some(code.as_str()) {
        return Err(Problem::not_found());
    }
    if !change
        .table
        .may_be_met_by(&change.transaction, caller.player_id)
        .await?
    {
        return Err(Problem::not_found());
    }
    let newcomer = taking?.of(caller)?;
    key.optional()?;
    let is_over = matches!(change.table.state.status(), Status::Ended | Status::Cancelled);
    if is_over && change.table.seat_of(caller.player_id).is_none() {
        return Err(Code::InviteExpired.into());
    }
    seating::sit_down(&app, change, newcomer).await
}
