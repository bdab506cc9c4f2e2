//! What every handler and every background task shares.

use std::future::Future;
use std::sync::Arc;

use crate::accounts::{PasswordHashing, ProfileChanges, Revocations, Tokens};
use crate::clock::{Clock, Randomness};
use crate::config::Config;
use crate::db::Database;
use crate::http::{Published, RateLimits};
use crate::live::Hub;
use crate::lobby::catalogue::DeckShelf;
use crate::lobby::matchmaking::PairingTurns;
use crate::ops::Shutdown;
use crate::parts::{Failpoints, FixedDeal, PlantedLeak};
use crate::play::Tables;
use crate::seal::Seal;
use crate::{http::Code, http::Problem};

/// The running service as its handlers see it. Clones are cheap and share everything.
///
/// A slice that needs state of its own adds a field here and fills it in [`Application::build`].
///
/// [`Application::build`]: crate::Application::build
#[derive(Clone)]
pub struct App {
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) randomness: Arc<dyn Randomness>,
    pub(crate) db: Database,
    pub(crate) seal: Arc<Seal>,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) revocations: Arc<Revocations>,
    pub(crate) profile_changes: Arc<ProfileChanges>,
    pub(crate) passwords: Arc<PasswordHashing>,
    pub(crate) rate_limits: Arc<RateLimits>,
    pub(crate) decks: Arc<DeckShelf>,
    pub(crate) tables: Arc<Tables>,
    pub(crate) pairing_turns: Arc<PairingTurns>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) published: Arc<Published>,
    pub(crate) failpoints: Failpoints,
    pub(crate) planted_leak: Option<PlantedLeak>,
    pub(crate) fixed_deal: Option<FixedDeal>,
    pub(crate) shutdown: Shutdown,
    pub(crate) runtime: tokio::runtime::Handle,
}

impl App {
    /// The time now.
    pub(crate) fn now_millis(&self) -> i64 {
        self.clock.now_millis()
    }

    /// `N` random bytes.
    pub(crate) fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.randomness.fill(&mut bytes);
        bytes
    }

    /// Carries `work` through to its end even if the client hangs up.
    ///
    /// A handler is dropped with its connection. What writes must not be: dropped between two statements it
    /// would leave a transaction open on a pooled connection, and dropped after a commit it would tell nobody.
    pub(crate) async fn carry_through<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Problem>> + Send + 'static,
    ) -> Result<T, Problem> {
        match self.runtime.spawn(work).await {
            Ok(outcome) => outcome,
            Err(failure) => Err(Problem::new(Code::Internal).cause(failure)),
        }
    }
}
