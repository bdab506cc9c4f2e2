//! Acts when a match's time has come, whether anybody is there or not.
//!
//! Every instance sweeps. What is due is claimed by moving its wake a little on, so that two instances do not
//! do the same work; should both all the same, or should one die over it, the append lets only one act and
//! the wake comes round again.

use futures_util::future::{Either, select};

use crate::app::App;
use crate::http::Problem;
use crate::ids::MatchId;
use crate::play::{look_after, store};
use crate::{lobby, ops::Shutdown};

/// How often an instance looks for what is due.
const SWEEP_MILLIS: i64 = 1_000;

/// How long a claimed match is left to whoever claimed it.
const CLAIM_MILLIS: i64 = 10_000;

/// How many matches are claimed at once.
const CLAIM_MAX: i64 = 50;

/// Sweeps until the shutdown begins.
pub(crate) async fn sweep(app: App) {
    loop {
        // The nap counts from before the work: a clock that moves meanwhile is not overlooked.
        let began_millis = app.now_millis();
        for outcome in [
            sweep_once(&app).await,
            lobby::matchmaking::pair_whoever_waits(&app).await,
            lobby::go_on_departing(&app).await,
        ] {
            if let Err(problem) = outcome {
                tracing::warn!(%problem, cause = problem.logged_cause(), "the sweeper could not look");
            }
        }
        let nap = app.clock.sleep_until(began_millis + SWEEP_MILLIS);
        if is_over(&app.shutdown, nap).await {
            return;
        }
    }
}

/// Waits for the nap to end; `true` if the shutdown began first.
async fn is_over(shutdown: &Shutdown, nap: futures_util::future::BoxFuture<'static, ()>) -> bool {
    match select(Box::pin(shutdown.begun()), nap).await {
        Either::Left(_) => true,
        Either::Right(_) => false,
    }
}

/// Does everything that is due now.
async fn sweep_once(app: &App) -> Result<(), Problem> {
    loop {
        let now = app.now_millis();
        let claimed_until = now + CLAIM_MILLIS;
        let due = store::claim_due(app.db.write(), now, claimed_until, CLAIM_MAX).await?;
        if due.is_empty() || app.shutdown.has_begun() {
            return Ok(());
        }
        for id in due {
            match wake_of(app, id).await {
                Ok(next) => store::move_wake(app.db.write(), id, claimed_until, next).await?,
                // Claimed until then: it comes round again, and the others are not held up.
                Err(problem) => {
                    tracing::warn!(match_id = %id, %problem, cause = problem.logged_cause(), "not looked after");
                }
            }
        }
    }
}

/// Looks after one match, and tells when to look again.
async fn wake_of(app: &App, id: MatchId) -> Result<Option<i64>, Problem> {
    match lobby::expire_if_due(app, id).await? {
        lobby::Waiting::Until(at) => Ok(Some(at)),
        lobby::Waiting::Over => look_after(app, id).await,
    }
}
