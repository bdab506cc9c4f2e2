//! What other instances change about people, read every second.

use super::{profile_changes, revocations};
use crate::app::App;

/// How often it is read.
const POLL_MILLIS: i64 = 1_000;

/// When the last reading is older than this, memory no longer says that nothing has changed, and the database is
/// asked.
pub(super) const STALE_AFTER_MILLIS: i64 = 5_000;

/// Follows the sessions that end and the profiles that change as long as the service runs.
pub(crate) async fn follow_changes(app: App) {
    loop {
        let now = app.now_millis();
        revocations::read(&app, now).await;
        profile_changes::read(&app, now).await;
        let next = app.clock.sleep_until(now + POLL_MILLIS);
        futures_util::future::select(std::pin::pin!(app.shutdown.begun()), next).await;
        if app.shutdown.has_begun() {
            return;
        }
    }
}
