//! Matches that waited too long.

use quartett_engine::{CancelReason, Event, Status};

use super::{store, waiting_millis};
use crate::app::App;
use crate::http::Problem;
use crate::ids::MatchId;
use crate::play::{Change, Draft, Table, refresh};
use crate::wire::By;

/// Whether a match still waits for players.
pub(crate) enum Waiting {
    /// It does, at most until then.
    Until(i64),
    /// It started, ended or was cancelled.
    Over,
}

/// Cancels a match that has waited too long.
pub(crate) async fn expire_if_due(app: &App, id: MatchId) -> Result<Waiting, Problem> {
    // Nearly every match that is looked at has started: that is seen without holding its head.
    let mut held = app.tables.hold(id).await?;
    let table = refresh(app, &mut held, id).await?;
    if let Some(waiting) = table.map_or(Some(Waiting::Over), |table| waiting(app, table)) {
        return Ok(waiting);
    }
    drop(held);
    let Some(mut change) = Change::begin(app, id).await? else {
        return Ok(Waiting::Over);
    };
    if let Some(waiting) = waiting(app, &change.table) {
        change.leave().await?;
        return Ok(waiting);
    }
    change.record(Draft {
        by: By::Clock,
        seat: None,
        action: None,
        events: vec![Event::Cancelled {
            reason: CancelReason::Expired,
            seed: None,
        }],
    })?;
    store::note_lobby(&change.transaction, &change.table).await?;
    change.commit(app).await?;
    Ok(Waiting::Over)
}

/// Whether the match waits; `None` if it has done so too long.
fn waiting(app: &App, table: &Table) -> Option<Waiting> {
    if table.state.status() != Status::Waiting {
        return Some(Waiting::Over);
    }
    let until = table.created_at + waiting_millis(app);
    (app.now_millis() < until).then_some(Waiting::Until(until))
}
