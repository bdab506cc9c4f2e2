//! Reading the log of a match.

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, Limit, NO_STORE, Problem, RawQuery, problems};
use crate::ids::MatchId;
use crate::play::show::{self, Onlooker};
use crate::play::{Recorded, number, read, refresh, store};
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
/// caller may not see is left out.
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
    let mut held = app.tables.hold(id).await;
    let table = refresh(&app, &mut held, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    if !table.is_visible_to(caller.player_id) {
        return Err(Problem::not_found());
    }
    let ListHistory { after, limit } = query.parse()?;
    let version = table.version();
    if after > version {
        return Err(Problem::new(Code::VersionAhead).current_version(number(version)));
    }
    let onlooker = Onlooker::of(table, caller.player_id, app.planted_leak);
    let rows = store::entries(
        app.db.read(),
        id,
        number(after),
        number(version),
        i64::from(limit.0),
    )
    .await?;
    let recorded: Vec<Recorded> = rows
        .iter()
        .map(|row| read(row, id, table.deck()))
        .collect::<Result<_, _>>()?;
    let last = recorded.last().map_or(after, |last| last.version);
    let history = History {
        match_id: id,
        version,
        entries: show::entries(table, &onlooker, &recorded),
        has_more: last < version,
    };
    drop(held);
    Ok(HttpResponse::Ok().insert_header(NO_STORE).json(history))
}
