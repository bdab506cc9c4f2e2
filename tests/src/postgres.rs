//! A Postgres server for the tests of this process: the one that is named, or a private one.

mod own;
mod private;

use std::io::Write;
use std::path::Path;

use sea_orm::{ConnectOptions, ConnectionTrait, DbErr};
use tokio::sync::OnceCell;

use crate::environment;
use private::{Private, programs};

pub use own::OwnServer;
pub use private::program;

/// A server that databases are made on.
pub(crate) struct Server {
    /// The URL of a database, with `{}` where its name stands.
    url: String,
    /// The database that is connected to for making others.
    maintenance: String,
    /// Lasts as long as this process.
    _private: Option<Private>,
}

static SERVER: OnceCell<Option<Server>> = OnceCell::const_new();

impl Server {
    /// The server of this process, started when it is first asked for; `None` if there is none to be had.
    pub(crate) async fn of_this_process() -> Option<&'static Server> {
        SERVER.get_or_init(Server::find).await.as_ref()
    }

    async fn find() -> Option<Server> {
        let server = match environment::test_database_url() {
            Some(url) => Some(Server::named(&url)),
            None => programs().map(|programs| Server::private(&programs)),
        };
        match &server {
            Some(server) => {
                let version = server.version().await;
                report(&format!(
                    "Postgres {version}: these tests run on it and on SQLite"
                ));
            }
            None => {
                assert!(
                    !environment::requires_postgres(),
                    "REQUIRE_POSTGRES is set, but there is no Postgres server program below \
                     /usr/lib/postgresql and no TEST_DATABASE_URL"
                );
                report("no Postgres server program and no TEST_DATABASE_URL: these tests run on SQLite ONLY");
            }
        }
        server
    }

    /// A server that runs already.
    fn named(url: &str) -> Server {
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let (server, maintenance) = address
            .rsplit_once('/')
            .filter(|(server, _)| server.contains("://") && !server.ends_with('/'))
            .unwrap_or((address, "postgres"));
        let query = if query.is_empty() {
            String::new()
        } else {
            format!("?{query}")
        };
        Server {
            url: format!("{server}/{{}}{query}"),
            maintenance: maintenance.to_owned(),
            _private: None,
        }
    }

    /// A server of this process's own.
    fn private(programs: &Path) -> Server {
        let server = Private::start(programs, private::FAST);
        Server {
            url: server.url(),
            maintenance: "postgres".to_owned(),
            _private: Some(server),
        }
    }

    /// The URL of a database on this server.
    pub(crate) fn url(&self, database: &str) -> String {
        self.url.replace("{}", database)
    }

    /// Runs one statement that makes or removes databases.
    pub(crate) async fn administer(&self, statement: &str) -> Result<(), DbErr> {
        let connection = sea_orm::Database::connect(self.maintenance()).await?;
        let outcome = connection.execute_unprepared(statement).await;
        connection.close().await?;
        outcome.map(drop)
    }

    fn maintenance(&self) -> ConnectOptions {
        let mut options = ConnectOptions::new(self.url(&self.maintenance));
        options.max_connections(1).sqlx_logging(false);
        options
    }

    async fn version(&self) -> String {
        let version = async {
            let connection = sea_orm::Database::connect(self.maintenance()).await?;
            let statement =
                sea_orm::Statement::from_string(connection.get_database_backend(), "SHOW server_version");
            let row = connection.query_one_raw(statement).await?;
            connection.close().await?;
            row.map_or(Ok(String::new()), |row| row.try_get_by_index(0))
        };
        version.await.expect("the Postgres server can be reached")
    }
}

/// Past the test runner, which keeps what tests print to itself.
/// Writes a line to the output of the tests.
pub fn report(line: &str) {
    // A closed output hears nothing, and that is no fault of a test.
    let _ = writeln!(std::io::stdout(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::Server;

    #[test]
    fn a_named_server_gets_databases_beside_the_named_one() {
        let server = Server::named("postgres://me:secret@db.example:5433/work?sslmode=disable");
        assert_eq!(
            server.url("t"),
            "postgres://me:secret@db.example:5433/t?sslmode=disable"
        );
        assert_eq!(server.maintenance, "work");
        let server = Server::named("postgres://db.example");
        assert_eq!(server.url("t"), "postgres://db.example/t");
        assert_eq!(server.maintenance, "postgres");
    }
}
