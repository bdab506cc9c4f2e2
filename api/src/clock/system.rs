//! The machine's clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::Clock;

/// A sleeper looks at the clock at least this often, so that a corrected clock or a suspended machine does
/// not make it late by more than this.
const LONGEST_NAP_MILLIS: i64 = 10_000;

/// The machine's clock: the only reader of real time.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everything else takes"
    )]
    fn now_millis(&self) -> i64 {
        let since_1970 = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or(Duration::ZERO);
        i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everything else takes"
    )]
    fn sleep_until(&self, at_millis: i64) -> BoxFuture<'static, ()> {
        async move {
            loop {
                let left_millis = at_millis.saturating_sub(SystemClock.now_millis());
                let Ok(nap_millis @ 1..) = u64::try_from(left_millis.min(LONGEST_NAP_MILLIS)) else {
                    return;
                };
                tokio::time::sleep(Duration::from_millis(nap_millis)).await;
            }
        }
        .boxed()
    }
}
