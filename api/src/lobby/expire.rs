//! Matches that waited too long.

use quartett_engine::{CancelReason, Event, Status};

use super::{store, waiting_millis};
use crate::app::App;
use crate::http::Problem;
use crate::ids::MatchId;
use crate::play::{Change, Draft};
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
    let Some(mut change) = Change::begin(app, id).await? else {
        return Ok(Waiting::Over);
    };
    let waits_until = change.table.created_at + waiting_millis(app);
    let is_waiting = change.table.state.status() == Status::Waiting;
    if !is_waiting || change.now < waits_until {
        change.leave().await?;
        return Ok(if is_waiting {
            Waiting::Until(waits_until)
        } else {
            Waiting::Over
        });
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
