//! A clock that tests move by hand.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use super::Clock;

/// A clock that stands still until it is moved; whoever sleeps on it wakes when its time has come.
///
/// Clones show the same time.
#[derive(Debug, Clone)]
pub struct ManualClock {
    now: watch::Sender<i64>,
}

impl ManualClock {
    /// A clock that shows `millis` since 1970 UTC.
    #[must_use]
    pub fn at(millis: i64) -> Self {
        Self {
            now: watch::Sender::new(millis),
        }
    }

    /// Moves the clock forward.
    pub fn advance(&self, millis: i64) {
        self.now.send_modify(|now| *now = now.saturating_add(millis));
    }

    /// Sets the clock, also backwards.
    pub fn set(&self, millis: i64) {
        self.now.send_replace(millis);
    }

    /// How many sleepers wait for this clock: a test may wait until somebody does.
    #[must_use]
    pub fn sleepers(&self) -> usize {
        self.now.receiver_count()
    }
}

impl Clock for ManualClock {
    fn now_millis(&self) -> i64 {
        *self.now.borrow()
    }

    fn sleep_until(&self, at_millis: i64) -> BoxFuture<'static, ()> {
        let mut now = self.now.subscribe();
        async move {
            // A clock that is gone will never show the time; its sleepers sleep on.
            if now.wait_for(|now| *now >= at_millis).await.is_err() {
                std::future::pending::<()>().await;
            }
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, ManualClock};
    use futures_util::FutureExt;

    #[tokio::test]
    async fn a_sleeper_wakes_when_time_is_moved_and_not_before() {
        let clock = ManualClock::at(1_000);
        let mut sleeper = clock.sleep_until(2_000);
        assert!((&mut sleeper).now_or_never().is_none());
        clock.advance(999);
        assert!((&mut sleeper).now_or_never().is_none());
        clock.advance(1);
        sleeper.await;
        clock.sleep_until(1_500).await;
    }
}
