//! The match as it was.

use actix_web::{HttpResponse, get, web};
use quartett_engine::{Seat, Status, Viewer};
use serde::Deserialize;

use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, NO_STORE, Problem, RawQuery, problems};
use crate::ids::MatchId;
use crate::play::show::Onlooker;
use crate::play::{Past, number, refresh};
use crate::wire::MatchView;

/// Whose eyes.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ReplayMatch {
    /// The seat whose eyes to look through: while the match runs the caller's own. After the end any, and
    /// without it everything is open.
    #[param(maximum = 5)]
    seat: Option<u8>,
}

problems! { ReplayMatchProblems: InvalidVersion, NotYourSeat, VersionAhead, MatchFrozen }

/// See a match as it was
///
/// The match after the entry `version`. While the match runs, from the caller's own seat and as far as the
/// caller may see it now; after the end through any seat's eyes as they saw then, or with everything open.
#[utoipa::path(
    operation_id = "replayMatch",
    tag = "history",
    params(
        ("match_id" = MatchId, Path, description = "The match."),
        ("version" = u64, Path, description = "The version, from 1.", minimum = 1),
        ReplayMatch,
    ),
    responses((status = 200, description = "The match at that version.", body = MatchView), ReplayMatchProblems),
)]
#[get("/matches/{match_id}/replay/{version}")]
pub(super) async fn replay_match(
    app: web::Data<App>,
    caller: Caller,
    path: web::Path<(MatchId, String)>,
    query: RawQuery,
) -> Result<HttpResponse, Problem> {
    let (id, version) = path.into_inner();
    let mut held = app.tables.hold(id).await?;
    let table = refresh(&app, &mut held, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    table.must_be_visible_to(app.db.read(), caller.player_id).await?;
    let version: u64 = version
        .parse()
        .ok()
        .filter(|version| *version > 0)
        .ok_or(Code::InvalidVersion)?;
    let ReplayMatch { seat } = query.parse()?;
    if seat.is_some_and(|seat| !table.players.has(Seat(seat))) {
        return Err(Problem::new(Code::InvalidQuery).at(
            "/seat",
            "invalid_value",
            "the match has no such seat",
        ));
    }
    let onlooker = Onlooker::of(table, caller.player_id, app.planted_leak);
    let is_over = matches!(table.state.status(), Status::Ended | Status::Cancelled);
    if !is_over && seat.is_some() && seat != onlooker.seat.map(|own| own.0) {
        return Err(Code::NotYourSeat.into());
    }
    if version > table.version() {
        return Err(Problem::new(Code::VersionAhead).current_version(number(table.version())));
    }
    let past = Past::read(&app, table, number(version)).await?;
    let onlooker = match seat {
        _ if !is_over => onlooker,
        Some(seat) => onlooker.through(past.state(), Viewer::Seat(Seat(seat))),
        None => onlooker.through(past.state(), Viewer::Everything),
    };
    let view = past.view(table, &onlooker);
    drop(held);
    Ok(HttpResponse::Ok().insert_header(NO_STORE).json(view))
}
