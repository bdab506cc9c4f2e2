//! What the clock brings about in a running match: missed deadlines, the time limit, the end of a long rest.
//!
//! It goes through the same append as an action, with the version it was judged at, so that two instances, or
//! a deadline and the action it waits for, cannot both act.

use quartett_engine::{EndReason, Event, Seat, Status};

use super::act::{Stored, append_turn};
use super::table::{Draft, Table};
use super::tables::{HeldTable, refresh};
use crate::app::App;
use crate::http::Problem;
use crate::ids::MatchId;
use crate::wire::By;

/// After resting this long, a match ends as abandoned.
const REST_MILLIS: i64 = 14 * 24 * 3600 * 1000;

/// What is due in a match at `now`, if something is.
fn due(table: &Table, now: i64) -> Option<Draft> {
    let has_come = |at: Option<i64>| at.is_some_and(|at| at <= now);
    let (seat, events): (Option<Seat>, Vec<Event>) = if has_come(table.time_limit_at()) {
        (None, table.state.time_up())
    } else if has_come(rest_ends_at(table)) {
        (None, table.state.end(EndReason::Abandoned))
    } else if has_come(table.deadline_at()) {
        (table.state.waits_for(), table.state.miss_deadline().ok()?)
    } else {
        return None;
    };
    (!events.is_empty()).then_some(Draft {
        by: By::Clock,
        seat,
        action: None,
        events,
    })
}

fn rest_ends_at(table: &Table) -> Option<i64> {
    table.resting_since.map(|since| since + REST_MILLIS)
}

/// Whether the clock must act before anybody else may.
pub(super) fn is_due(table: &Table, now: i64) -> bool {
    due(table, now).is_some()
}

/// Does everything that is due. Leaves the place empty if somebody else was faster.
pub(super) async fn settle(app: &App, held: &mut HeldTable) -> Result<(), Problem> {
    while let Some(draft) = held.as_ref().and_then(|table| due(table, app.now_millis())) {
        match append_turn(app, held, draft, None).await? {
            Stored::Now(_) => {}
            Stored::NotHere => return Ok(()),
        }
    }
    Ok(())
}

/// Does everything that is due in a running match, pending bot turns included, and tells when to look again:
/// never, if it is over.
pub(crate) async fn look_after(app: &App, id: MatchId) -> Result<Option<i64>, Problem> {
    loop {
        super::bots::play_on(app, id).await?;
        let mut held = app.tables.hold(id).await?;
        if refresh(app, &mut held, id).await?.is_none() {
            return Ok(None);
        }
        settle(app, &mut held).await?;
        match held.as_ref() {
            Some(table) if table.bot_to_move().is_none() => return Ok(next_due_at(table)),
            // More bot turns than one append holds, or somebody else acted: look again.
            Some(_) | None => {}
        }
    }
}

/// When the clock next has something to do in a running match.
fn next_due_at(table: &Table) -> Option<i64> {
    match table.state.status() {
        Status::Active => [table.deadline_at(), table.time_limit_at(), rest_ends_at(table)]
            .into_iter()
            .flatten()
            .min(),
        Status::Waiting | Status::Ended | Status::Cancelled => None,
    }
}
