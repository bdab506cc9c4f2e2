//! Acts when a match's time has come, whether anybody is there or not.
//!
//! Every instance sweeps. What is due is claimed by moving its wake a little on, so that two instances do not
//! do the same work; should both all the same, or should one die over it, the append lets only one act and
//! the wake comes round again.

use futures_util::future::{Either, join3, select};
use futures_util::{StreamExt, stream};

use crate::app::App;
use crate::http::{Code, Problem};
use crate::ids::MatchId;
use crate::play::{look_after, store};
use crate::{lobby, ops::Shutdown};

/// How often an instance looks for what is due.
const SWEEP_MILLIS: i64 = 1_000;

/// How long a claimed match is left to whoever claimed it.
const CLAIM_MILLIS: i64 = 10_000;

/// How many matches are claimed at once.
const CLAIM_MAX: i64 = 50;

/// How many of them are looked after at the same time.
const AT_ONCE: usize = 4;

/// How long a frozen match is left alone.
const FROZEN_MILLIS: i64 = 3_600_000;

/// Does what falls due beside the requests until the shutdown begins: each at its own pace, so that what takes
/// long holds up nothing else.
pub(crate) async fn sweep(app: App) {
    join3(
        Box::pin(every_second(&app, || sweep_once(&app))),
        Box::pin(every_second(&app, || {
            lobby::matchmaking::pair_whoever_waits(&app)
        })),
        Box::pin(every_second(&app, || lobby::go_on_departing(&app))),
    )
    .await;
}

async fn every_second<W: Future<Output = Result<(), Problem>>>(app: &App, work: impl Fn() -> W) {
    loop {
        // The nap counts from before the work: a clock that moves meanwhile is not overlooked.
        let began_millis = app.now_millis();
        if let Err(problem) = work().await {
            tracing::warn!(%problem, cause = problem.logged_cause(), "the sweeper could not look");
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
        let due = store::claim_due(app.db.write(), now, now + CLAIM_MILLIS, CLAIM_MAX).await?;
        if due.is_empty() || app.shutdown.has_begun() {
            return Ok(());
        }
        stream::iter(due)
            .for_each_concurrent(AT_ONCE, |id| look_at(app, id, now))
            .await;
    }
}

/// Looks after a match that was claimed at `now`.
async fn look_at(app: &App, id: MatchId, now: i64) {
    let next = match wake_of(app, id).await {
        Ok(next) => next,
        // Nothing is due in it until somebody has looked at it.
        Err(problem) if problem.code() == Code::MatchFrozen => Some(now + FROZEN_MILLIS),
        // Claimed for a while: it comes round again, and the others are not held up.
        Err(problem) => {
            tracing::warn!(match_id = %id, %problem, cause = problem.logged_cause(), "not looked after");
            return;
        }
    };
    if let Err(error) = store::move_wake(app.db.write(), id, now + CLAIM_MILLIS, next).await {
        tracing::warn!(match_id = %id, %error, "the next look was not noted");
    }
}

/// Looks after one match, and tells when to look again.
async fn wake_of(app: &App, id: MatchId) -> Result<Option<i64>, Problem> {
    match lobby::expire_if_due(app, id).await? {
        lobby::Waiting::Until(at) => Ok(Some(at)),
        lobby::Waiting::Over => look_after(app, id).await,
    }
}
