//! Long runs of bot turns: what does not fit into one append follows in further ones, also after a crash.

use super::act::{Stored, store_turn};
use super::append::Base;
use super::store;
use super::table::Table;
use super::tables::refresh;
use crate::app::App;
use crate::http::Problem;
use crate::ids::MatchId;

/// Notes that bots are to move after the next append, so that the sweeper resumes them if this process ends.
pub(super) async fn will_go_on(app: &App, id: MatchId) -> Result<(), Problem> {
    store::wake_at(app.db.write(), id, app.now_millis()).await?;
    Ok(())
}

/// Lets the bots of a match play on in the background, if some are to move.
pub(crate) fn play_on_behind(app: &App, table: &Table) {
    if table.bot_to_move().is_none() {
        return;
    }
    let id = table.id;
    let app = app.clone();
    let runtime = app.runtime.clone();
    runtime.spawn(async move {
        if let Err(problem) = play_on(&app, id).await {
            // The sweeper tries again.
            tracing::warn!(match_id = %id, %problem, cause = problem.logged_cause(), "bots stand still");
        }
    });
}

/// Plays every bot turn that is pending, append by append.
pub(crate) async fn play_on(app: &App, id: MatchId) -> Result<(), Problem> {
    let mut held = app.tables.hold(id).await?;
    loop {
        if refresh(app, &mut held, id)
            .await?
            .is_none_or(|table| table.bot_to_move().is_none())
        {
            return Ok(());
        }
        let Some(mut table) = held.take() else {
            return Ok(());
        };
        let base = Base::of(&table);
        let mut entries = Vec::new();
        table.play_bots(&mut entries, app.now_millis())?;
        match Box::pin(store_turn(app, &mut held, base, table, entries, None)).await? {
            // Somebody else was faster, or it is stored: in either case look again.
            Stored::Now(_) | Stored::NotHere => {}
        }
    }
}
