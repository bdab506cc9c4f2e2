//! A clock that tests move by hand.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

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
    /// Until when somebody sleeps, and how many.
    sleepers: watch::Sender<BTreeMap<i64, usize>>,
}

impl ManualClock {
    /// A clock that shows `millis` since 1970 UTC.
    #[must_use]
    pub fn at(millis: i64) -> Self {
        Self {
            now: watch::Sender::new(millis),
            sleepers: watch::Sender::default(),
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

    /// Whether somebody sleeps until just then.
    #[must_use]
    pub fn is_slept_until(&self, at_millis: i64) -> bool {
        self.sleepers.borrow().contains_key(&at_millis)
    }

    /// Completes when somebody sleeps until just then: before that, moving the clock would come too early.
    pub async fn slept_until(&self, at_millis: i64) {
        let mut sleepers = self.sleepers.subscribe();
        // The sender is this clock's own, so it is there.
        let _ = sleepers
            .wait_for(|sleepers| sleepers.contains_key(&at_millis))
            .await;
    }
}

/// Somebody sleeps as long as this is there.
struct Sleeper {
    sleepers: watch::Sender<BTreeMap<i64, usize>>,
    until: i64,
}

impl Sleeper {
    fn new(clock: &ManualClock, until: i64) -> Self {
        let sleepers = clock.sleepers.clone();
        sleepers.send_modify(|sleepers| *sleepers.entry(until).or_default() += 1);
        Self { sleepers, until }
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        self.sleepers.send_modify(|sleepers| {
            if let Entry::Occupied(mut count) = sleepers.entry(self.until) {
                *count.get_mut() -= 1;
                if *count.get() == 0 {
                    count.remove();
                }
            }
        });
    }
}

impl Clock for ManualClock {
    fn now_millis(&self) -> i64 {
        *self.now.borrow()
    }

    fn sleep_until(&self, at_millis: i64) -> BoxFuture<'static, ()> {
        let mut now = self.now.subscribe();
        let sleeper = Sleeper::new(self, at_millis);
        async move {
            let _sleeper = sleeper;
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
