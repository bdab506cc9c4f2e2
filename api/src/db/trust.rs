//! Which connections of a pool may still be used.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// When everything refuses, connections are replaced at most this often.
const LEAST_BETWEEN: Duration = Duration::from_secs(1);

/// When the connections of a pool were last found to lead nowhere, or to a server that takes no writes any more:
/// one is enough to doubt all that were made before, and no number of tries would find that out for them all.
#[derive(Debug, Default)]
pub(super) struct Trust {
    lost_at: Mutex<Option<Instant>>,
}

impl Trust {
    /// Doubts every connection that was made before.
    pub(super) fn lose(&self) {
        self.lose_at(Instant::now());
    }

    /// Whether a connection of this age may be used.
    pub(super) fn holds(&self, age: Duration) -> bool {
        self.holds_at(Instant::now(), age)
    }

    fn lose_at(&self, now: Instant) {
        let mut lost_at = self.lost_at.lock().unwrap_or_else(PoisonError::into_inner);
        if lost_at.is_none_or(|at| now.duration_since(at) >= LEAST_BETWEEN) {
            *lost_at = Some(now);
        }
    }

    fn holds_at(&self, now: Instant, age: Duration) -> bool {
        let lost_at = *self.lost_at.lock().unwrap_or_else(PoisonError::into_inner);
        lost_at.is_none_or(|at| age < now.duration_since(at))
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST_BETWEEN, Trust};
    use std::time::Duration;
    use tokio::time::Instant;

    #[test]
    fn what_was_made_before_a_loss_is_not_used_again() {
        let trust = Trust::default();
        let lost = Instant::now();
        let later = lost + Duration::from_millis(500);
        assert!(trust.holds_at(lost, Duration::from_secs(3600)));
        trust.lose_at(lost);
        assert!(!trust.holds_at(later, Duration::from_millis(500)));
        assert!(trust.holds_at(later, Duration::from_millis(499)));
        trust.lose_at(later);
        assert!(
            trust.holds_at(later, Duration::from_millis(499)),
            "not twice in a second"
        );
        trust.lose_at(lost + LEAST_BETWEEN);
        assert!(!trust.holds_at(lost + LEAST_BETWEEN, Duration::from_millis(499)));
    }
}
