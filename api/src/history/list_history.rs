//! Reading the log of a match.

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::part::{hold, part};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Limit, NO_STORE, Problem, RawQuery, Wait, problems};
use crate::ids::MatchId;
use crate::live::Listening;
use crate::wire::LogEntry;

/// Which part of the log.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListHistory {
    /// The version the caller has: entries after it. From the beginning if absent.
    #[serde(default)]
    #[param(value_type = Option<u64>)]
    after: u64,
    /// How many entries at most; 100 if absent.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500)]
    limit: Limit<500, 100>,
    /// How many seconds to wait for an entry if there is none yet.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 0, maximum = 25, default = 0)]
    wait: Wait,
}

/// A part of a match's log.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct History {
    /// The match.
    match_id: MatchId,
    /// The version of the match: its last entry, in this part or after it.
    version: u64,
    /// The entries, in their order.
    #[schema(max_items = 500)]
    entries: Vec<LogEntry>,
    /// Whether the log goes on behind this part.
    has_more: bool,
}

problems! { ListHistoryProblems: VersionAhead, MatchFrozen }

/// Read the log of a match
///
/// The entries after a version, as the caller may see them now: the same numbers for everyone, and what the
/// caller may not see is left out. With `wait` the answer comes as soon as there is an entry, or without one when
/// the time is over: ask again then. A wait ends with 401 when the session is revoked or the token expires.
#[utoipa::path(
    operation_id = "listHistory",
    tag = "history",
    params(("match_id" = MatchId, Path, description = "The match."), ListHistory),
    responses((status = 200, description = "A part of the log.", body = History), ListHistoryProblems),
)]
#[get("/matches/{match_id}/history")]
pub(super) async fn list_history(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
    query: RawQuery,
) -> Result<HttpResponse, Problem> {
    let id = match_id.into_inner();
    let query = query.parse::<ListHistory>();
    // Watched before it is read: what is added in between is told.
    let waits = query.as_ref().is_ok_and(|query| query.wait.0 > 0);
    let mut watch = waits.then(|| app.hub.watch_match(id));
    let mut held = hold(&app, id, caller.player_id).await?;
    let ListHistory { after, limit, wait } = query?;
    let until = app.now_millis() + wait.millis();
    let mut listening = waits.then(|| Listening::begin(&app, caller)).transpose()?;
    let part = loop {
        let part = part(&app, &mut held, caller.player_id, after, limit.0).await?;
        drop(held);
        let waiting = listening.as_mut().zip(watch.as_mut());
        let Some((listening, watch)) = waiting.filter(|_| part.entries.is_empty()) else {
            break part;
        };
        if !listening.wait_for(watch.later_than(after), until).await? {
            break part;
        }
        held = hold(&app, id, caller.player_id).await?;
    };
    let history = History {
        match_id: id,
        version: part.version,
        has_more: part.last < part.version,
        entries: part.entries,
    };
    Ok(HttpResponse::Ok().insert_header(NO_STORE).json(history))
}
