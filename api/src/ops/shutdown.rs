//! Stopping without breaking anything off.

use tokio::sync::watch;

/// Says when the service is to stop; clones say the same.
#[derive(Debug, Clone)]
pub struct Shutdown {
    begun: watch::Sender<bool>,
}

impl Shutdown {
    pub(crate) fn new() -> Self {
        Self {
            begun: watch::Sender::new(false),
        }
    }

    /// Begins to stop: no new connection is taken, streams and long polls end, requests under way finish.
    pub fn begin(&self) {
        self.begun.send_replace(true);
    }

    /// Whether it has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        *self.begun.borrow()
    }

    /// Completes when it has begun; at once if it already has. Whatever waits long also waits for this.
    pub async fn begun(&self) {
        // `self` holds the sender, so this waits until it is told and cannot fail before.
        let _ = self.begun.subscribe().wait_for(|begun| *begun).await;
    }

    /// Begins when the system asks for it: SIGTERM or SIGINT.
    pub async fn begin_on_signal(&self) {
        asked_to_stop().await;
        tracing::info!("stopping");
        self.begin();
    }
}

#[cfg(unix)]
async fn asked_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            futures_util::future::select(Box::pin(terminate.recv()), Box::pin(tokio::signal::ctrl_c())).await;
        }
        Err(error) => {
            tracing::warn!(%error, "SIGTERM is not listened for");
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

#[cfg(not(unix))]
async fn asked_to_stop() {
    let _ = tokio::signal::ctrl_c().await;
}
