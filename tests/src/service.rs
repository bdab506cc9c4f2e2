//! The service under test.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use quartett_api::clock::{Clock, ManualClock, SeededRandomness};
use quartett_api::parts::{Failpoints, FixedDeal, PlantedLeak};
use quartett_api::{Application, Config, Parts, Shutdown};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::{Client, Database, Player};

/// 2026-07-01, noon.
const BEGINNING_MILLIS: i64 = 1_782_907_200_000;

/// Seals seeds and keys of every test's database.
const SEAL_KEY: &str = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";

/// What is steered in a service.
#[derive(Clone)]
pub struct Setup {
    /// Stands still until the test moves it.
    pub clock: ManualClock,
    /// Of all its randomness: the same seed and the same requests give the same answers.
    pub seed: u64,
    /// Stops or delays it at named places.
    pub failpoints: Failpoints,
    /// Where it shows a hidden card on purpose.
    pub leak: Option<Surface>,
    /// The order of the cards of every deal.
    pub deal: Option<Vec<String>>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            clock: ManualClock::at(BEGINNING_MILLIS),
            seed: 1,
            failpoints: Failpoints::none(),
            leak: None,
            deal: None,
        }
    }
}

/// Where a player sees something of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Surface {
    /// The view, apart from its legal actions.
    View,
    /// The entries with their events.
    History,
    /// What the player may do.
    LegalActions,
    /// Why an action is refused.
    Error,
}

impl Surface {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::View, Self::History, Self::LegalActions, Self::Error];

    const fn planted(self) -> PlantedLeak {
        match self {
            Self::View => PlantedLeak::View,
            Self::History => PlantedLeak::History,
            Self::LegalActions => PlantedLeak::LegalActions,
            Self::Error => PlantedLeak::Error,
        }
    }
}

/// Operations that were answered with success, by their ids.
pub(crate) type Exercised = Arc<Mutex<BTreeSet<String>>>;

/// A running service.
pub struct Service {
    url: String,
    shutdown: Shutdown,
    running: JoinHandle<std::io::Result<()>>,
    setup: Setup,
    exercised: Exercised,
}

impl Service {
    /// Starts on `database` with everything steered and nothing leaking.
    pub async fn start(database: &Database) -> Self {
        Self::start_with(database, Setup::default()).await
    }

    /// Starts on `database` with this setup. Several may run on one Postgres database, each with a seed of its
    /// own: two with the same one would give the same ids.
    pub async fn start_with(database: &Database, setup: Setup) -> Self {
        let variables = [
            ("DATABASE_URL", database.url()),
            ("LISTEN", "127.0.0.1:0".to_owned()),
            ("SEAL_KEY", SEAL_KEY.to_owned()),
            ("RATE_LIMITS", "off".to_owned()),
        ];
        let mut config = Config::read(|name| {
            let mut variables = variables.iter();
            variables
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.clone())
        })
        .expect("the settings of a test can be read");
        config.workers = 2;
        let parts = Parts {
            clock: Arc::new(setup.clock.clone()),
            randomness: Arc::new(SeededRandomness::new(setup.seed)),
            failpoints: setup.failpoints.clone(),
            planted_leak: setup.leak.map(Surface::planted),
            fixed_deal: setup.deal.clone().map(|cards| FixedDeal { cards }),
        };
        let application = Application::build(config, parts)
            .await
            .expect("the service starts");
        Self {
            url: application.url().to_owned(),
            shutdown: application.shutdown(),
            running: tokio::spawn(application.run()),
            setup,
            exercised: Exercised::default(),
        }
    }

    /// Tells it to stop, and does not wait.
    pub fn begin_to_stop(&self) {
        self.shutdown.begin();
    }

    /// Another instance on the same database, by the same clock.
    pub async fn another(&self, database: &Database) -> Self {
        let setup = Setup {
            seed: self.setup.seed + 500,
            ..self.setup.clone()
        };
        Self::start_with(database, setup).await
    }

    /// Stops and waits until the database is closed.
    pub async fn stop(self) {
        self.shutdown.begin();
        self.running
            .await
            .expect("the service does not panic")
            .expect("the service ends well");
    }

    /// Stops, and starts again on the same database. Players must be [moved](Player::moved_to).
    pub async fn restart(self, database: &Database) -> Self {
        let setup = Setup {
            seed: self.setup.seed + 1000,
            ..self.setup.clone()
        };
        self.stop().await;
        Self::start_with(database, setup).await
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The clock it goes by.
    #[must_use]
    pub const fn clock(&self) -> &ManualClock {
        &self.setup.clock
    }

    /// What its clock shows, in milliseconds since 1970.
    #[must_use]
    pub fn now_millis(&self) -> i64 {
        self.setup.clock.now_millis()
    }

    /// Somebody who is not signed in.
    #[must_use]
    pub fn anonymous(&self) -> Client {
        Client::new(&self.url, self.exercised.clone())
    }

    /// A new guest of this name.
    pub async fn player(&self, display_name: &str) -> Player {
        let pair = self
            .anonymous()
            .post("/v1/auth/guest", &json!({ "display_name": display_name }))
            .await
            .expect(201);
        self.anonymous().signed_in(&pair.body)
    }

    /// The ids of the operations that were answered with success so far.
    #[must_use]
    pub fn exercised(&self) -> BTreeSet<String> {
        self.exercised
            .lock()
            .expect("nobody panics while noting an operation")
            .clone()
    }
}

/// Two instances on one database; where it cannot be shared, one that stands for both.
pub struct Instances {
    one: Service,
    beside: Option<Service>,
}

impl Instances {
    /// Starts them.
    pub async fn start(database: &Database) -> Self {
        let one = Service::start(database).await;
        let beside = if database.is_postgres() {
            Some(one.another(database).await)
        } else {
            None
        };
        Self { one, beside }
    }

    /// The first.
    #[must_use]
    pub const fn one(&self) -> &Service {
        &self.one
    }

    /// The second.
    #[must_use]
    pub fn other(&self) -> &Service {
        self.beside.as_ref().unwrap_or(&self.one)
    }

    /// Stops both.
    pub async fn stop(self) {
        self.one.stop().await;
        if let Some(beside) = self.beside {
            beside.stop().await;
        }
    }
}
