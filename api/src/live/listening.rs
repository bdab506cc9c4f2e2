//! The right of a caller to go on listening: streams and long polls ask the same.

use actix_web::web;

use super::registry::Watch;
use crate::accounts::{Caller, is_revoked};
use crate::app::App;
use crate::http::{Code, Problem};
use crate::ids::SessionId;

/// So many streams and long polls of one session may be open at the same time.
const LISTENING_PER_SESSION_MAX: usize = 32;

/// A caller who listens longer than it takes to answer. Begun before anything is read for it.
pub(crate) struct Listening {
    app: web::Data<App>,
    caller: Caller,
    has_ended: Watch<SessionId, bool>,
}

impl Listening {
    /// For a stream or a long poll of the caller's.
    ///
    /// # Errors
    ///
    /// `rate_limited` if the session has very many open.
    pub(crate) fn begin(app: &web::Data<App>, caller: Caller) -> Result<Self, Problem> {
        if app.hub.sessions.watchers(caller.session_id) >= LISTENING_PER_SESSION_MAX {
            return Err(Problem::new(Code::RateLimited)
                .detail(format!(
                    "A session may have {LISTENING_PER_SESSION_MAX} streams and long polls open: close some first."
                ))
                .retry_after_seconds(15));
        }
        Ok(Self {
            app: app.clone(),
            caller,
            has_ended: app.hub.sessions.watch(caller.session_id),
        })
    }

    pub(super) fn app(&self) -> &App {
        &self.app
    }

    /// When the caller's token is no longer good.
    pub(super) fn expires_at(&self) -> i64 {
        self.caller.expires_at
    }

    /// Why the caller is told nothing more from now on, if it is so.
    pub(super) async fn end(&self) -> Option<End> {
        if self.app.shutdown.has_begun() {
            return Some(End::Stopping);
        }
        if self.app.now_millis() >= self.caller.expires_at {
            return Some(End::Expired);
        }
        match is_revoked(&self.app, self.caller.session_id).await {
            Ok(false) => None,
            Ok(true) => Some(End::Revoked),
            Err(problem) => Some(End::Broken(problem)),
        }
    }

    /// Completes when there may be an end. Whatever it was that ended before this was begun, only
    /// [`end`](Self::end) tells.
    pub(super) async fn may_end(&mut self) {
        let Self {
            app,
            caller,
            has_ended,
        } = self;
        tokio::select! {
            () = has_ended.wait_for(|has_ended| *has_ended) => {}
            () = app.shutdown.begun() => {}
            () = app.clock.sleep_until(caller.expires_at) => {}
        }
    }

    /// Waits for `news`, but not longer than `until` and not when the service stops; whether it came.
    ///
    /// # Errors
    ///
    /// As any request would be answered from now on, once the session has ended or the token has expired: nothing
    /// that happened since is told.
    pub(crate) async fn wait_for(
        &mut self,
        news: impl Future<Output = ()>,
        until: i64,
    ) -> Result<bool, Problem> {
        self.confirm().await?;
        let app = self.app.clone();
        app.failpoints.hit("long_poll_waits").await;
        let has_come = tokio::select! {
            () = news => true,
            () = self.may_end() => false,
            () = app.clock.sleep_until(until) => false,
        };
        self.confirm().await?;
        Ok(has_come)
    }

    async fn confirm(&self) -> Result<(), Problem> {
        match self.end().await {
            None | Some(End::Stopping) => Ok(()),
            Some(End::Expired) => Err(Code::TokenExpired.into()),
            Some(End::Revoked) => Err(Code::SessionRevoked.into()),
            Some(End::Broken(problem)) => Err(problem),
        }
    }
}

/// Why listening ends.
pub(super) enum End {
    Stopping,
    Expired,
    Revoked,
    Broken(Problem),
}
