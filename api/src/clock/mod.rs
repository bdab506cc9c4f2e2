//! Time and randomness as parameters.
//!
//! Nothing in the service looks at the machine's clock or draws a random byte by itself: both come through
//! [`Clock`] and [`Randomness`], so that tests move time and repeat what happened. `.clippy.toml` forbids
//! the shortcuts.

mod manual;
mod randomness;
mod sweeper;
mod system;

use futures_util::future::BoxFuture;
use uuid::Uuid;

pub use manual::ManualClock;
pub use randomness::{Randomness, SeededRandomness, SystemRandomness};
pub(crate) use sweeper::sweep;
pub use system::SystemClock;

/// Tells the time and waits for it.
pub trait Clock: Send + Sync + 'static {
    /// The time now, in milliseconds since 1970 UTC.
    fn now_millis(&self) -> i64;

    /// Completes when the clock shows `at_millis` or later; at once if it already does.
    fn sleep_until(&self, at_millis: i64) -> BoxFuture<'static, ()>;
}

/// A new UUIDv7: it sorts by the time it was made, and cannot be guessed.
pub fn new_uuid(clock: &dyn Clock, randomness: &dyn Randomness) -> Uuid {
    let mut random = [0; 10];
    randomness.fill(&mut random);
    let millis = u64::try_from(clock.now_millis()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::{ManualClock, SeededRandomness, new_uuid};

    #[test]
    fn ids_sort_by_time_and_repeat_with_the_same_parameters() {
        let clock = ManualClock::at(1_700_000_000_000);
        let first = new_uuid(&clock, &SeededRandomness::new(7));
        assert_eq!(first, new_uuid(&clock, &SeededRandomness::new(7)));
        assert_ne!(first, new_uuid(&clock, &SeededRandomness::new(8)));
        clock.advance(1);
        assert!(first < new_uuid(&clock, &SeededRandomness::new(7)));
        assert_eq!(first.get_version_num(), 7);
    }
}
