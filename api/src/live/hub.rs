//! Who waits for news of which match.

use crate::play::Table;

/// The watchers of this instance.
pub(crate) struct Hub;

impl Hub {
    /// Nobody watches yet.
    pub(crate) const fn new() -> Self {
        Self
    }

    /// Tells that a match has new entries, after they were committed. Never waits.
    #[expect(clippy::unused_self, reason = "there are no watchers yet")]
    pub(crate) const fn committed(&self, _: &Table) {}
}
