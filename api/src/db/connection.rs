//! Connections on which nothing takes for ever.
//!
//! The server ends a statement that takes too long by itself. But a server that hangs, or a network that swallows
//! what is sent, ends nothing: so every call has a limit here as well.

use std::future::Future;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::prelude::async_trait::async_trait;
use sea_orm::sqlx::Error as SqlxError;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult,
    RuntimeErr, Statement, TransactionOptions, TransactionTrait,
};

use super::failure::is_read_only;
use super::trust::Trust;

/// How long a request waits for a free connection before it is told to come back later.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(4);

/// After this the database ends a statement, or stops waiting for a lock, and nothing of it is stored.
pub(super) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(4);

/// Longer than getting a connection and a statement on it may take together: nobody on the other side answers.
pub(super) const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// A pool of connections.
#[derive(Clone)]
pub(crate) struct Connection {
    pool: DatabaseConnection,
    trust: Arc<Trust>,
}

/// Statements that are stored together or not at all. Dropped, none of them is.
pub(crate) struct Transaction {
    open: DatabaseTransaction,
    trust: Arc<Trust>,
}

impl Connection {
    pub(super) const fn new(pool: DatabaseConnection, trust: Arc<Trust>) -> Self {
        Self { pool, trust }
    }

    pub(super) async fn begin(&self, options: TransactionOptions) -> Result<Transaction, DbErr> {
        let open = limited(&self.trust, self.pool.begin_with_options(options)).await?;
        Ok(Transaction {
            open,
            trust: self.trust.clone(),
        })
    }

    pub(super) const fn pool(&self) -> &DatabaseConnection {
        &self.pool
    }
}

impl Transaction {
    /// Stores what was written.
    pub(crate) async fn commit(self) -> Result<(), DbErr> {
        limited(&self.trust, self.open.commit()).await
    }

    /// Forgets what was written.
    pub(crate) async fn rollback(self) -> Result<(), DbErr> {
        limited(&self.trust, self.open.rollback()).await
    }
}

/// What `call` answers, if it does so in time.
async fn limited<T>(trust: &Trust, call: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
    match tokio::time::timeout(CALL_TIMEOUT, call).await {
        Ok(outcome) => outcome.inspect_err(|error| {
            // After a failover the connections of before lead to a server that takes no writes any more.
            if is_read_only(error) {
                trust.lose();
            }
        }),
        Err(_) => {
            trust.lose();
            let late = SqlxError::Io(ErrorKind::TimedOut.into());
            Err(DbErr::Exec(RuntimeErr::SqlxError(late.into())))
        }
    }
}

#[async_trait]
impl ConnectionTrait for Connection {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        limited(&self.trust, self.pool.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, text: &str) -> Result<ExecResult, DbErr> {
        limited(&self.trust, self.pool.execute_unprepared(text)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        limited(&self.trust, self.pool.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        limited(&self.trust, self.pool.query_all_raw(statement)).await
    }
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        self.open.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        limited(&self.trust, self.open.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, text: &str) -> Result<ExecResult, DbErr> {
        limited(&self.trust, self.open.execute_unprepared(text)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        limited(&self.trust, self.open.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        limited(&self.trust, self.open.query_all_raw(statement)).await
    }
}
