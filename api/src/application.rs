//! Building and running the service.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use actix_web::{App as ActixApp, HttpServer, dev::Server, middleware::from_fn, web};
use tokio::task::JoinSet;
use utoipa_actix_web::AppExt;

use crate::accounts::{self, KeyError, PasswordHashing, ProfileChanges, Revocations, Tokens};
use crate::app::App;
use crate::clock;
use crate::clock::Randomness;
use crate::config::{Config, DatabaseLocation};
use crate::db::{self, Database, OpenError};
use crate::http::{self, Published, RateLimits};
use crate::live::{self, Hub};
use crate::lobby::catalogue::DeckShelf;
use crate::ops::Shutdown;
use crate::parts::Parts;
use crate::play::Tables;
use crate::seal::{self, Seal, SealKeyFileError};

/// How long requests under way may take once the service is told to stop.
const SHUTDOWN_SECONDS: u64 = 10;

/// The service, built and listening, ready to [`run`](Application::run).
pub struct Application {
    server: Server,
    app: App,
    address: SocketAddr,
    url: String,
}

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The file with the seal key cannot be used.
    #[error(transparent)]
    SealKeyFile(#[from] SealKeyFileError),
    /// The signing keys cannot be used.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// The decks cannot be stored.
    #[error("cannot store the decks: {0}")]
    Decks(sea_orm::DbErr),
    /// No seal key was configured for Postgres.
    #[error("SEAL_KEY is required with Postgres")]
    SealKeyMissing,
    /// The address cannot be listened on.
    #[error("cannot listen on {listen}: {source}")]
    Listen {
        /// The configured address.
        listen: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
}

impl Application {
    /// Opens the database, prepares the keys and takes the port; nothing is answered before
    /// [`run`](Application::run).
    ///
    /// # Errors
    ///
    /// [`BuildError`] with what stands in the way.
    pub async fn build(config: Config, parts: Parts) -> Result<Self, BuildError> {
        let Parts {
            clock,
            randomness,
            failpoints,
            planted_leak,
            fixed_deal,
        } = parts;
        let db = Database::open(&config).await?;
        let seal = Arc::new(open_seal(&config, &db, &*randomness).await?);
        let tokens = Tokens::open(&db, &seal, clock.clone(), randomness.clone(), config.issuer()).await?;
        let decks = DeckShelf::open(&db, &*clock).await.map_err(BuildError::Decks)?;
        let listening = |source| BuildError::Listen {
            listen: config.listen,
            source,
        };
        let listener = TcpListener::bind(config.listen).map_err(listening)?;
        let address = listener.local_addr().map_err(listening)?;
        let workers = config.workers;
        let app = App {
            passwords: Arc::new(PasswordHashing::new(
                config.password_cost,
                clock.clone(),
                randomness.clone(),
            )),
            rate_limits: Arc::new(RateLimits::new(config.rate_limits)),
            decks: Arc::new(decks),
            tables: Arc::new(Tables::new()),
            pairing_turns: Arc::default(),
            hub: Arc::new(Hub::new(db.is_postgres())),
            published: Arc::new(Published::new()),
            revocations: Arc::new(Revocations::default()),
            profile_changes: Arc::new(ProfileChanges::default()),
            tokens: Arc::new(tokens),
            config: Arc::new(config),
            clock,
            randomness,
            db,
            seal,
            failpoints,
            planted_leak,
            fixed_deal,
            shutdown: Shutdown::new(),
            runtime: tokio::runtime::Handle::current(),
        };
        let shared = web::Data::new(app.clone());
        let server = HttpServer::new(move || {
            ActixApp::new()
                .app_data(shared.clone())
                .app_data(http::path_config())
                .into_utoipa_app()
                .configure(http::routes)
                .into_app()
                .configure(http::pages)
                .default_service(web::to(http::unrouted))
                // Answers are not compressed. A view shows one's own hand beside the names that opponents choose:
                // who chooses a name and sees how long the encrypted answers become could guess at the hand. And
                // it gains little: a view has 1 to 10 KB, of which one packet or two would be saved; only long
                // histories and the documents, which are read seldom, become five to ten times smaller.
                .wrap(from_fn(http::edge))
        })
        .workers(workers)
        .disable_signals()
        // What cannot be read as the head of a request comes to nothing that is ours: actix closes the connection
        // with a bare 400, 408 or 431 and has no hook for a body. From the head on, every error is a problem.
        // Who hangs up wants no answer: a stream or a long poll ends then, not with the next thing it has to say.
        .h1_allow_half_closed(false)
        .shutdown_timeout(SHUTDOWN_SECONDS)
        .listen(listener)
        .map_err(|source| BuildError::Listen {
            listen: address,
            source,
        })?
        .run();
        Ok(Self {
            server,
            app,
            address,
            url: format!("http://{address}"),
        })
    }

    /// Brings the configured database's schema up to date and does nothing else.
    ///
    /// # Errors
    ///
    /// [`BuildError`] when the database cannot be used.
    pub async fn migrate(config: &Config) -> Result<(), BuildError> {
        Database::open(config).await?.close().await;
        Ok(())
    }

    /// The port that is listened on.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// Where the service listens. Clients from elsewhere may reach it under another URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops the service from elsewhere, by a clone.
    #[must_use]
    pub fn shutdown(&self) -> Shutdown {
        self.app.shutdown.clone()
    }

    /// Answers requests until [`Shutdown::begin`] is called, then lets those under way finish.
    ///
    /// # Errors
    ///
    /// When the server breaks.
    pub async fn run(self) -> std::io::Result<()> {
        let Self {
            server,
            app,
            address: _,
            url: _,
        } = self;
        let mut tasks = JoinSet::new();
        background(&app, &mut tasks);
        let handle = server.handle();
        let shutdown = app.shutdown.clone();
        tasks.spawn(async move {
            shutdown.begun().await;
            handle.stop(true).await;
        });
        let outcome = server.await;
        app.shutdown.begin();
        tasks.shutdown().await;
        app.db.close().await;
        outcome
    }
}

/// The seal with the configured key, or with the one in the file beside an embedded database.
pub(crate) async fn open_seal(
    config: &Config,
    db: &Database,
    randomness: &dyn Randomness,
) -> Result<Seal, BuildError> {
    let key = match (&config.seal_key, &config.database) {
        (Some(key), _) => key.clone(),
        (None, DatabaseLocation::Postgres(_)) => return Err(BuildError::SealKeyMissing),
        (None, DatabaseLocation::Sqlite(path)) => {
            let anything_sealed = accounts::any_keys(db).await?;
            seal::key_from_file(&db::beside(path, "seal-key"), randomness, anything_sealed)?
        }
    };
    Ok(Seal::new(&key))
}

/// What goes on beside the requests. Each task ends by itself when the shutdown has begun.
fn background(app: &App, tasks: &mut JoinSet<()>) {
    tasks.spawn(accounts::follow_changes(app.clone()));
    tasks.spawn(accounts::rotate_keys(app.clone()));
    tasks.spawn(clock::sweep(app.clone()));
    tasks.spawn(accounts::sweep_sessions(app.clone()));
    live::follow(app, tasks);
}
