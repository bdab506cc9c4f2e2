//! A new code for a match by invite.

use actix_web::{HttpResponse, post, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::INVITE_GOOD_FOR_MILLIS;
use super::invite_code::InviteCode;
use super::store;
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, IdempotencyKey, IdempotencyKeyHeader, Problem, Timestamp, created, problems};
use crate::ids::{MatchId, PlayerId};
use crate::play::Change;
use crate::wire::Visibility;
use quartett_engine::Status;

/// The way into a match by invite.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Invite {
    /// The code: eight digits and letters that nobody mistakes for one another.
    #[schema(max_length = 8, examples("K7MWX2PQ"))]
    code: String,
    /// A link to send to others.
    #[schema(format = "uri-reference", examples("/invite/K7MWX2PQ"))]
    url: String,
    /// When it stops being good.
    expires_at: Timestamp,
}

problems! { CreateInviteProblems: NotHost, InviteNotPossible, MatchStarted, MatchOver, MatchFrozen }

/// Make a new invite code
///
/// The host gets a new code for a match by invite; the old one is void from now on.
#[utoipa::path(
    operation_id = "createInvite",
    tag = "lobby",
    params(
        ("match_id" = MatchId, Path, description = "The match."),
        IdempotencyKeyHeader,
    ),
    responses(
        (status = 200, description = "The new code; the old one is void.", body = Invite),
        (status = 201, description = "The code.", body = Invite),
        CreateInviteProblems,
    ),
)]
#[post("/matches/{match_id}/invite")]
pub(super) async fn create_invite(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
    key: IdempotencyKey,
) -> Result<HttpResponse, Problem> {
    key.optional()?;
    let id = match_id.into_inner();
    let code = InviteCode::draw(&app);
    let expires_at = app.now_millis() + INVITE_GOOD_FOR_MILLIS;
    let work = set(
        (**app).clone(),
        id,
        caller.player_id,
        Some((code.clone(), expires_at)),
    );
    let had_one = app.carry_through(work).await?;
    let base = app.config.public_url.as_deref().unwrap_or_default();
    let invite = Invite {
        code: code.as_str().to_owned(),
        url: format!("{base}/invite/{}", code.as_str()),
        expires_at: Timestamp(expires_at),
    };
    Ok(if had_one {
        HttpResponse::Ok().json(invite)
    } else {
        created(&format!("/v1/invites/{}", code.as_str()), &invite)
    })
}

/// Gives a match another code, or none. Tells whether it had one.
pub(super) async fn set(
    app: App,
    id: MatchId,
    player: PlayerId,
    invite: Option<(InviteCode, i64)>,
) -> Result<bool, Problem> {
    let change = Change::begin(&app, id).await?.ok_or_else(Problem::not_found)?;
    let table = &change.table;
    table.must_be_visible_to(&change.transaction, player).await?;
    match table.state.status() {
        Status::Waiting => {}
        Status::Active => return Err(Code::MatchStarted.into()),
        Status::Ended | Status::Cancelled => return Err(Code::MatchOver.into()),
    }
    if table.seat_of(player) != Some(table.state.host()) {
        return Err(Code::NotHost.into());
    }
    if table.invitation.visibility != Visibility::Invite {
        return Err(Code::InviteNotPossible.into());
    }
    let had_one = table.invitation.invite_code.is_some();
    let stored = invite
        .as_ref()
        .map(|(code, expires_at)| (code.as_str(), *expires_at));
    store::set_invite(&change.transaction, id, stored).await?;
    change.commit_beside(&app).await?;
    Ok(had_one)
}
