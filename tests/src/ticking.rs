//! Letting a steered clock run.

use std::time::Duration;

use quartett_api::clock::ManualClock;
use tokio::task::JoinHandle;

/// A clock is moved this often.
const STEP_MILLIS: u32 = 5;

/// A clock that runs by itself until this is dropped.
pub struct Ticking(JoinHandle<()>);

impl Ticking {
    /// Lets `clock` run `times` as fast as time goes.
    #[must_use]
    pub fn new(clock: &ManualClock, times: u32) -> Self {
        let clock = clock.clone();
        Self(tokio::spawn(async move {
            let mut steps = tokio::time::interval(Duration::from_millis(STEP_MILLIS.into()));
            loop {
                steps.tick().await;
                clock.advance(i64::from(STEP_MILLIS * times));
            }
        }))
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.abort();
    }
}
