//! A database of its own for every test, on either backend.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use sea_orm::{ConnectOptions, ConnectionTrait};
use tempfile::TempDir;
use tokio::sync::Mutex;

use crate::postgres::Server;

/// An empty database that nobody else uses, removed when it is dropped.
pub struct Database(Kind);

enum Kind {
    Sqlite(TempDir),
    Postgres(OnServer),
    /// On a server that is the test's business, by its URL.
    Elsewhere(String),
}

impl Database {
    /// A file in a folder of its own.
    #[must_use]
    pub fn sqlite() -> Self {
        Self(Kind::Sqlite(
            tempfile::tempdir().expect("a temporary folder can be made"),
        ))
    }

    /// A database on the Postgres server of this process; `None` if there is none to be had.
    pub async fn postgres() -> Option<Self> {
        let server = Server::of_this_process().await?;
        let template = template(server).await;
        let mut database = OnServer::create(server, &format!("TEMPLATE {}", template.name)).await;
        database._template = Some(template);
        Some(Self(Kind::Postgres(database)))
    }

    /// The one on a server that goes with it.
    pub(crate) const fn elsewhere(url: String) -> Self {
        Self(Kind::Elsewhere(url))
    }

    /// Another one of the same kind.
    pub async fn another(&self) -> Self {
        match &self.0 {
            Kind::Sqlite(_) => Self::sqlite(),
            Kind::Postgres(_) => Self::postgres().await.expect("there was a server before"),
            Kind::Elsewhere(_) => panic!("a server of a test's own has one database"),
        }
    }

    /// What a service is told to find it.
    #[must_use]
    pub fn url(&self) -> String {
        match &self.0 {
            Kind::Sqlite(folder) => format!("sqlite://{}/q.db", folder.path().display()),
            Kind::Postgres(database) => database.server.url(&database.name),
            Kind::Elsewhere(url) => url.clone(),
        }
    }

    /// Runs a statement in it, past every service.
    pub async fn run(&self, statement: &str) {
        let run = async {
            let mut options = ConnectOptions::new(self.url());
            options.max_connections(1).sqlx_logging(false);
            let connection = sea_orm::Database::connect(options).await?;
            connection.execute_unprepared(statement).await?;
            connection.close().await
        };
        run.await.expect("the statement can be run");
    }

    /// Whether several services may share it.
    #[must_use]
    pub const fn is_postgres(&self) -> bool {
        matches!(self.0, Kind::Postgres(_) | Kind::Elsewhere(_))
    }
}

/// A database on a server.
struct OnServer {
    server: &'static Server,
    name: String,
    /// What it was copied from: kept for the next test as long as this one runs.
    _template: Option<Arc<OnServer>>,
}

impl OnServer {
    async fn create(server: &'static Server, options: &str) -> Self {
        static NAMES: AtomicU64 = AtomicU64::new(0);
        // Several test processes may share a server.
        let process = std::process::id();
        let number = NAMES.fetch_add(1, Ordering::Relaxed);
        let name = format!("quartett_test_{process}_{number}");
        server
            .administer(&format!("CREATE DATABASE {name} {options}"))
            .await
            .expect("a database can be made");
        Self {
            server,
            name,
            _template: None,
        }
    }
}

impl Drop for OnServer {
    fn drop(&mut self) {
        let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let server = self.server;
        // The runtime of the test may be going down already, so the farewell has one of its own.
        let farewell = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime can be made");
            runtime.block_on(server.administer(&statement))
        });
        // A database that stays is litter, not a failed test.
        let _ = farewell.join();
    }
}

/// A migrated database to copy, kept while any copy is in use.
async fn template(server: &'static Server) -> Arc<OnServer> {
    static TEMPLATE: Mutex<Weak<OnServer>> = Mutex::const_new(Weak::new());
    let mut kept = TEMPLATE.lock().await;
    if let Some(template) = kept.upgrade() {
        return template;
    }
    let template = OnServer::create(server, "").await;
    let mut options = ConnectOptions::new(server.url(&template.name));
    options.max_connections(1).sqlx_logging(false);
    let connection = sea_orm::Database::connect(options)
        .await
        .expect("the template can be opened");
    quartett_migrations::migrate(&connection)
        .await
        .expect("the template can be migrated");
    connection.close().await.expect("the template can be closed");
    let template = Arc::new(template);
    *kept = Arc::downgrade(&template);
    template
}
