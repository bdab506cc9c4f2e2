//! Notices between instances over one Postgres, each way on a connection of its own, so that they stand
//! behind nothing and nothing stands behind them.

use std::str::FromStr;
use std::sync::Arc;

use sea_orm::sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sea_orm::sqlx::{self};
use sea_orm::{ConnectOptions, ConnectionTrait, DbBackend, DbErr, Statement, Value};

use super::connection::{ACQUIRE_TIMEOUT, Connection, STATEMENT_TIMEOUT};
use super::trust::Trust;

/// The channel of all notices; a notice stays within its database.
const CHANNEL: &str = "quartett_live";

/// Sends notices. One that could not is of no more use: its connection may lead nowhere.
pub(crate) struct Notifier {
    connection: Connection,
}

impl Notifier {
    /// Connects to the Postgres at `url`.
    pub(crate) async fn open(url: &str) -> Result<Self, DbErr> {
        let mut options = ConnectOptions::new(url);
        options
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .statement_timeout(STATEMENT_TIMEOUT)
            .set_application_name("quartett notices")
            .sqlx_logging(false)
            .record_stmt_in_spans(false);
        let connection = sea_orm::Database::connect(options).await?;
        Ok(Self {
            connection: Connection::new(connection, Arc::new(Trust::default())),
        })
    }

    /// Sends these, all in one statement.
    pub(crate) async fn send(&self, payloads: &[String]) -> Result<(), DbErr> {
        if payloads.is_empty() {
            return Ok(());
        }
        let calls: Vec<String> = (1..=payloads.len())
            .map(|number| format!("pg_notify('{CHANNEL}', ${number})"))
            .collect();
        let values: Vec<Value> = payloads.iter().map(|payload| payload.as_str().into()).collect();
        let text = format!("SELECT {}", calls.join(", "));
        let statement = Statement::from_sql_and_values(DbBackend::Postgres, text, values);
        self.connection.query_one_raw(statement).await.map(|_| ())
    }
}

/// What a listener has heard.
#[derive(Debug)]
pub(crate) enum Heard {
    /// A notice.
    Notice(String),
    /// It listens again after the connection was lost, and with it perhaps notices.
    Reconnected,
}

/// Hears notices.
pub(crate) struct Listener {
    listener: PgListener,
}

impl Listener {
    /// Connects to the Postgres at `url` and listens.
    pub(crate) async fn open(url: &str) -> Result<Self, sqlx::Error> {
        let options = PgConnectOptions::from_str(url)?.application_name("quartett listener");
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .max_lifetime(None)
            .idle_timeout(None)
            .connect_with(options)
            .await?;
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.listen(CHANNEL).await?;
        Ok(Self { listener })
    }

    /// The next notice.
    pub(crate) async fn next(&mut self) -> Result<Heard, sqlx::Error> {
        let heard = self.listener.try_recv().await?;
        Ok(heard.map_or(Heard::Reconnected, |notice| {
            Heard::Notice(notice.payload().to_owned())
        }))
    }
}
