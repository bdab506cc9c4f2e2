//! Players whose name others hold in memory, and who have another by now.
//!
//! Answers to actions name the players of a match without asking the database for them each time. So each
//! instance knows whose profile changed: at its own hands at once, elsewhere within a second or two.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use super::follow::STALE_AFTER_MILLIS;
use super::store::{self, ChangeRow};
use crate::app::App;
use crate::ids::PlayerId;

/// Each reading begins so long before the last one: clocks differ and commits take time.
const OVERLAP_MILLIS: i64 = 60_000;

/// So many changes are held; then all are forgotten, and whatever was read before counts as outdated.
const HELD_MAX: usize = 100_000;

/// A point in the order in which this instance learned of changes. What was read as of one is outdated by what
/// is learned after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct AsOf(u64);

/// The profiles that changed since this instance began.
#[derive(Debug, Default)]
pub(crate) struct ProfileChanges {
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    learned: HashMap<PlayerId, Learned>,
    now: AsOf,
    /// What was read before this may be outdated by changes that are no longer held.
    forgotten: AsOf,
    read_at: Option<i64>,
}

#[derive(Debug, Clone, Copy)]
struct Learned {
    as_of: AsOf,
    /// What was stored with the change; absent for one that was made here and not yet read back.
    changed_at: Option<i64>,
}

impl State {
    fn learn(&mut self, player: PlayerId, changed_at: Option<i64>) {
        self.now.0 += 1;
        let as_of = self.now;
        if self.learned.len() >= HELD_MAX {
            self.learned.clear();
            self.forgotten = as_of;
        }
        self.learned.insert(player, Learned { as_of, changed_at });
    }
}

impl ProfileChanges {
    /// Notes a profile that was changed here, once that is committed.
    pub(super) fn note(&self, player: PlayerId) {
        self.write(|state| state.learn(player, None));
    }

    /// Takes in what was read at `read_at`. Readings overlap: what is known of one is not learned again.
    fn take_in(&self, changes: &[ChangeRow], read_at: i64) {
        self.write(|state| {
            for change in changes {
                let changed_at = Some(change.profile_changed_at);
                let known = state.learned.get(&change.player_id);
                if known.is_none_or(|known| known.changed_at != changed_at) {
                    state.learn(change.player_id, changed_at);
                }
            }
            state.read_at = Some(read_at);
        });
    }

    /// As of when profiles are that are read from now on.
    pub(crate) fn as_of_now(&self) -> AsOf {
        self.read(|state| state.now)
    }

    /// Whether one of these players may have another profile than the one read `as_of` then.
    pub(crate) fn may_outdate(
        &self,
        as_of: AsOf,
        mut players: impl Iterator<Item = PlayerId>,
        now: i64,
    ) -> bool {
        self.read(|state| {
            let is_fresh = state
                .read_at
                .is_some_and(|read_at| now.saturating_sub(read_at) <= STALE_AFTER_MILLIS);
            let changed = |player| {
                state
                    .learned
                    .get(&player)
                    .is_some_and(|known| known.as_of > as_of)
            };
            !is_fresh || state.forgotten > as_of || players.any(changed)
        })
    }

    fn read<T>(&self, what: impl FnOnce(&State) -> T) -> T {
        what(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write(&self, what: impl FnOnce(&mut State)) {
        what(&mut self.state.write().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Reads whose profiles were changed elsewhere since the last reading.
pub(super) async fn read(app: &App, now: i64) {
    let last = app.profile_changes.read(|state| state.read_at).unwrap_or(now);
    match store::profiles_changed_since(app.db.read(), last - OVERLAP_MILLIS).await {
        Ok(changes) => app.profile_changes.take_in(&changes, now),
        Err(error) => tracing::warn!(%error, "changed profiles were not read"),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{ChangeRow, HELD_MAX, ProfileChanges, STALE_AFTER_MILLIS};
    use crate::ids::PlayerId;

    fn player(number: usize) -> PlayerId {
        PlayerId::from(Uuid::from_u128(number as u128))
    }

    fn change(number: usize, profile_changed_at: i64) -> ChangeRow {
        ChangeRow {
            player_id: player(number),
            profile_changed_at,
        }
    }

    #[test]
    fn a_change_outdates_what_was_read_before_it_and_only_of_that_player() {
        let changes = ProfileChanges::default();
        let may_outdate = |as_of, number| changes.may_outdate(as_of, [player(number)].into_iter(), 1_000);
        let before = changes.as_of_now();
        assert!(may_outdate(before, 1), "nothing was read yet");
        changes.take_in(&[], 1_000);
        assert!(!may_outdate(before, 1));
        changes.note(player(1));
        assert!(may_outdate(before, 1));
        assert!(!may_outdate(before, 2));
        let after = changes.as_of_now();
        assert!(!may_outdate(after, 1));
        changes.take_in(&[change(2, 990)], 1_000);
        assert!(may_outdate(after, 2));
        let later = changes.as_of_now();
        changes.take_in(&[change(2, 990)], 1_000);
        assert!(!may_outdate(later, 2), "the same change again");
        changes.take_in(&[change(2, 991)], 1_000);
        assert!(may_outdate(later, 2));
    }

    #[test]
    fn memory_that_is_old_or_full_says_nothing() {
        let changes = ProfileChanges::default();
        changes.take_in(&[], 1_000);
        let before = changes.as_of_now();
        let may_outdate = |as_of, now| changes.may_outdate(as_of, [player(0)].into_iter(), now);
        assert!(!may_outdate(before, 1_000 + STALE_AFTER_MILLIS));
        assert!(may_outdate(before, 1_001 + STALE_AFTER_MILLIS));
        for number in 1..=HELD_MAX {
            changes.note(player(number));
        }
        assert!(!may_outdate(before, 1_000));
        changes.note(player(HELD_MAX + 1));
        assert!(may_outdate(before, 1_000), "some are forgotten");
        assert!(!may_outdate(changes.as_of_now(), 1_000));
    }
}
