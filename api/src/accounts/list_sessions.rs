//! Where the caller is signed in.

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::caller::Caller;
use super::store::{self, SessionRow};
use crate::app::App;
use crate::http::{Page, Problem, RawQuery, Timestamp};
use crate::ids::SessionId;

/// The devices on which a player is signed in.
#[derive(Serialize, ToSchema)]
pub(super) struct Sessions {
    /// The latest sign-in first.
    #[schema(max_items = 100)]
    items: Vec<Session>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A signed-in device.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Session {
    /// Names the session.
    session_id: SessionId,
    /// What the player calls the device, if a name was given at the sign-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("Ann's phone"))]
    device_name: Option<String>,
    /// When the device signed in.
    created_at: Timestamp,
    /// When the device last got tokens; it may have used them for a quarter of an hour since.
    last_seen_at: Timestamp,
    /// When the session ends if the device is not seen again.
    expires_at: Timestamp,
    /// When the session was ended. Only an export shows such sessions.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<Timestamp>,
    /// Whether it is the session that asks.
    current: bool,
}

impl Session {
    /// `row`, as it looks from the session `current`.
    pub(super) fn seen_from(current: SessionId, row: SessionRow) -> Self {
        let SessionRow {
            id,
            device_name,
            created_at,
            last_seen_at,
            expires_at,
            revoked_at,
        } = row;
        Self {
            session_id: id,
            device_name,
            created_at: Timestamp(created_at),
            last_seen_at: Timestamp(last_seen_at),
            expires_at: Timestamp(expires_at),
            ended_at: revoked_at.map(Timestamp),
            current: id == current,
        }
    }
}

/// List the caller's sessions
///
/// The devices on which the caller is signed in, the latest sign-in first.
#[utoipa::path(
    operation_id = "listSessions",
    tag = "accounts",
    params(Page),
    responses((status = 200, description = "The sessions that can go on.", body = Sessions)),
)]
#[get("/auth/sessions")]
pub(super) async fn list_sessions(
    app: web::Data<App>,
    caller: Caller,
    query: RawQuery,
) -> Result<HttpResponse, Problem> {
    let page: Page = query.parse()?;
    let rows = store::live_sessions(
        app.db.read(),
        caller.player_id,
        app.now_millis(),
        page.position()?,
        page.rows(),
    )
    .await?;
    let (rows, next_cursor) = page.cut(rows, |row| row.id)?;
    let items = rows
        .into_iter()
        .map(|row| Session::seen_from(caller.session_id, row))
        .collect();
    Ok(HttpResponse::Ok().json(Sessions { items, next_cursor }))
}
