//! Opening Postgres.

use std::time::Duration;

use sea_orm::{ConnectOptions, DbBackend};

use super::{Database, OpenError};

/// How long a request waits for a free connection before it is told to come back later.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(4);

/// A connection unused for this long is pinged before it is handed out, so that a database that restarted
/// is not met with an error. Asking every time would double the round trips of a busy service.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

pub(super) async fn open(url: &str, pool_size: u32) -> Result<Database, OpenError> {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(pool_size)
        .min_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire_if_idle_for(PING_AFTER_IDLE)
        .set_application_name("quartett")
        .statement_timeout(Duration::from_secs(20))
        // Statements carry values that do not belong in a log.
        .sqlx_logging(false)
        .record_stmt_in_spans(false)
        .map_sqlx_postgres_opts(|options| options.statement_cache_capacity(256));
    let connection = sea_orm::Database::connect(options).await?;
    Ok(Database {
        reading: connection.clone(),
        writing: connection,
        backend: DbBackend::Postgres,
        file_lock: None,
    })
}
