//! Opening Postgres.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::{Connection as _, Error as SqlxError, PgConnection};
use sea_orm::{ConnectOptions, DbBackend};

use super::connection::{ACQUIRE_TIMEOUT, Connection, STATEMENT_TIMEOUT};
use super::trust::Trust;
use super::{Database, OpenError};

/// A connection unused for this long is pinged before it is handed out, so that a database that restarted
/// is not met with an error. Asking every time would double the round trips of a busy service.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

/// A ping without an answer for this long has none.
const PING_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) async fn open(url: &str, pool_size: u32) -> Result<Database, OpenError> {
    migrate(url).await?;
    let trust = Arc::new(Trust::default());
    let (taken, returned) = (trust.clone(), trust.clone());
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(pool_size)
        .min_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .set_application_name("quartett")
        .statement_timeout(STATEMENT_TIMEOUT)
        // Statements carry values that do not belong in a log.
        .sqlx_logging(false)
        .record_stmt_in_spans(false)
        .map_sqlx_postgres_opts(|options| options.statement_cache_capacity(256))
        .map_sqlx_postgres_before_acquire(move |connection, standing| {
            let trust = taken.clone();
            Box::pin(async move {
                if standing.idle_for >= PING_AFTER_IDLE {
                    ping(connection, &trust).await?;
                }
                trusted(&trust, standing.age)
            })
        })
        .map_sqlx_postgres_pool_opts(move |options| {
            let trust = returned.clone();
            // The pool pings what comes back, without a limit: it must not wait for one that leads nowhere.
            options
                .test_before_acquire(false)
                .after_release(move |_, standing| {
                    let kept = trusted(&trust, standing.age);
                    Box::pin(std::future::ready(kept))
                })
        });
    let connection = Connection::new(sea_orm::Database::connect(options).await?, trust);
    Ok(Database {
        reading: connection.clone(),
        writing: connection,
        backend: DbBackend::Postgres,
        file_lock: None,
    })
}

/// Brings the schema up to date, on a connection of its own: that may take longer than any statement of a request.
async fn migrate(url: &str) -> Result<(), OpenError> {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .set_application_name("quartett migrations")
        .sqlx_logging(false)
        .record_stmt_in_spans(false);
    let connection = sea_orm::Database::connect(options).await?;
    let outcome = quartett_migrations::migrate(&connection).await;
    connection.close().await?;
    Ok(outcome?)
}

/// An error, and not `false`, for what is not to be used: then it is dropped and not politely closed, which would
/// wait for the other side.
fn trusted(trust: &Trust, age: Duration) -> Result<bool, SqlxError> {
    if trust.holds(age) {
        Ok(true)
    } else {
        Err(SqlxError::Io(ErrorKind::ConnectionAborted.into()))
    }
}

async fn ping(connection: &mut PgConnection, trust: &Trust) -> Result<(), SqlxError> {
    match tokio::time::timeout(PING_TIMEOUT, connection.ping()).await {
        Ok(outcome) => outcome,
        Err(_) => {
            trust.lose();
            Err(SqlxError::Io(ErrorKind::TimedOut.into()))
        }
    }
}
