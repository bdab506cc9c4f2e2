//! Sessions that ended while tokens for them still live.
//!
//! A token is checked without a query, so each instance holds the few sessions revoked since the oldest
//! living token was made. Its own it knows at once, those of other instances within a second or two.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use tokio::sync::watch;

use super::follow::STALE_AFTER_MILLIS;
use super::store;
use super::tokens::LIFETIME_SECONDS;
use crate::app::App;
use crate::http::Problem;
use crate::ids::SessionId;

/// A minute more than a token lives: clocks differ and commits take time.
const HELD_MILLIS: i64 = (LIFETIME_SECONDS as i64 + 60) * 1000;

/// The sessions revoked lately.
#[derive(Default)]
pub(crate) struct Revocations {
    state: RwLock<State>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    revoked: HashSet<SessionId>,
    /// Revoked here since the last reading began; that reading may not have seen them.
    noted: HashSet<SessionId>,
    read_at: Option<i64>,
}

impl Revocations {
    /// Notes a session that was revoked here, once that is committed.
    pub(super) fn note(&self, session_id: SessionId) {
        self.note_all([session_id]);
    }

    /// Notes several.
    pub(super) fn note_all(&self, session_ids: impl IntoIterator<Item = SessionId>) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        for session_id in session_ids {
            state.revoked.insert(session_id);
            state.noted.insert(session_id);
        }
        drop(state);
        self.changed.send_replace(());
    }

    fn replace(&self, revoked: impl IntoIterator<Item = SessionId>, read_at: i64) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let noted = std::mem::take(&mut state.noted);
        let before = std::mem::take(&mut state.revoked);
        state.revoked = revoked.into_iter().chain(noted).collect();
        state.read_at = Some(read_at);
        let has_grown = !state.revoked.is_subset(&before);
        drop(state);
        if has_grown {
            self.changed.send_replace(());
        }
    }

    /// Tells whenever more sessions are known to be revoked.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Whether a session is known to be revoked.
    pub(crate) fn has(&self, session_id: SessionId) -> bool {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.revoked.contains(&session_id)
    }

    /// What memory says; `None` when it is too old to tell.
    fn known(&self, session_id: SessionId, now: i64) -> Option<bool> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if state.revoked.contains(&session_id) {
            return Some(true);
        }
        let is_fresh = state
            .read_at
            .is_some_and(|read_at| now.saturating_sub(read_at) <= STALE_AFTER_MILLIS);
        is_fresh.then_some(false)
    }
}

/// Whether a session was revoked. Whatever outlives a request, a stream say, asks again from time to time.
pub(crate) async fn is_revoked(app: &App, session_id: SessionId) -> Result<bool, Problem> {
    match app.revocations.known(session_id, app.now_millis()) {
        Some(revoked) => Ok(revoked),
        None => Ok(!store::is_live(app.db.read(), session_id).await?),
    }
}

/// Reads what was revoked elsewhere.
pub(super) async fn read(app: &App, now: i64) {
    match store::revoked_since(app.db.read(), now - HELD_MILLIS).await {
        Ok(revoked) => app.revocations.replace(revoked, now),
        Err(error) => tracing::warn!(%error, "revoked sessions were not read"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Revocations, STALE_AFTER_MILLIS};
    use crate::clock::{ManualClock, SeededRandomness};
    use crate::ids::SessionId;

    #[test]
    fn memory_answers_while_it_is_fresh_and_forgets_no_own_revocation() {
        let clock = ManualClock::at(0);
        let randomness = SeededRandomness::new(1);
        let [here, elsewhere, living] = std::array::from_fn(|_| SessionId::new(&clock, &randomness));
        let revocations = Revocations::default();
        assert_eq!(revocations.known(living, 0), None);
        revocations.note(here);
        assert_eq!(revocations.known(here, 0), Some(true));
        revocations.replace([elsewhere], 1_000);
        for (session, revoked) in [(here, true), (elsewhere, true), (living, false)] {
            assert_eq!(revocations.known(session, 1_000), Some(revoked));
        }
        assert_eq!(revocations.known(living, 1_001 + STALE_AFTER_MILLIS), None);
        assert_eq!(
            revocations.known(elsewhere, 1_001 + STALE_AFTER_MILLIS),
            Some(true)
        );
    }
}
