//! The database: Postgres, or an embedded SQLite file, behind one set of methods.
//!
//! Statements are written once with `$1`, `$2`, …, which both understand. What differs stays here and in
//! the one place that appends to a match.
//!
//! # How to write to it
//!
//! Take a [`Database::transaction`] for everything that writes more than one row, and run it inside
//! [`App::carry_through`](crate::App::carry_through), so that a client that hangs up cannot drop it
//! half-way. On SQLite it begins as `IMMEDIATE` on the only writing connection: writers queue.

mod connection;
mod failure;
mod notices;
mod postgres;
mod sqlite;
mod trust;

use sea_orm::{
    ConnectionTrait, DbBackend, DbErr, SqliteTransactionMode, Statement, TransactionOptions, Value,
};

use crate::config::{Config, DatabaseLocation};

pub(crate) use connection::{Connection, Transaction};
pub(crate) use failure::{Failure, violates};
pub(crate) use notices::{Heard, Listener, Notifier};
pub(crate) use sqlite::beside;

/// An open database.
#[derive(Clone)]
pub(crate) struct Database {
    reading: Connection,
    writing: Connection,
    backend: DbBackend,
    /// Keeps other processes off the file; gone with this process, however it ends.
    file_lock: Option<std::sync::Arc<sqlite::FileLock>>,
}

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has the file open.
    #[error("{path} is in use by another process: an embedded database serves one instance")]
    InUse {
        /// The database file.
        path: String,
    },
    /// The file or the one beside it cannot be made or read.
    #[error("cannot use {path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The database refuses, or cannot be reached.
    #[error("cannot open the database: {0}")]
    Database(#[from] DbErr),
}

impl Database {
    /// Opens the configured database and brings its schema up to date.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when it cannot be reached, is in use, or refuses the migration.
    pub(crate) async fn open(config: &Config) -> Result<Self, OpenError> {
        match &config.database {
            DatabaseLocation::Postgres(url) => postgres::open(url, config.pool_size).await,
            DatabaseLocation::Sqlite(path) => sqlite::open(path, config.pool_size).await,
        }
    }

    /// For reading.
    pub(crate) const fn read(&self) -> &Connection {
        &self.reading
    }

    /// For single statements that write.
    pub(crate) const fn write(&self) -> &Connection {
        &self.writing
    }

    /// Whether it is Postgres, and so may be shared with other instances.
    pub(crate) fn is_postgres(&self) -> bool {
        self.backend == DbBackend::Postgres
    }

    /// Begins to write; what is not committed is rolled back.
    pub(crate) async fn transaction(&self) -> Result<Transaction, DbErr> {
        let options = TransactionOptions {
            sqlite_transaction_mode: (!self.is_postgres()).then_some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        self.writing.begin(options).await
    }

    /// Takes a lock that other instances respect until `transaction` ends; SQLite has only one writer.
    pub(crate) async fn lock(&self, transaction: &Transaction, name: i64) -> Result<(), DbErr> {
        if self.is_postgres() {
            let statement = sql(transaction, "SELECT pg_advisory_xact_lock($1)", [name.into()]);
            transaction.query_one_raw(statement).await?;
        }
        Ok(())
    }

    /// Whether it answers.
    pub(crate) async fn ping(&self) -> Result<(), DbErr> {
        self.reading
            .query_one_raw(sql(&self.reading, "SELECT 1", []))
            .await
            .map(|_| ())
    }

    /// Closes every connection.
    pub(crate) async fn close(&self) {
        for connection in [&self.reading, &self.writing] {
            if let Err(error) = connection.pool().close_by_ref().await {
                tracing::warn!(%error, "closing the database");
            }
        }
        if let Some(lock) = &self.file_lock {
            lock.release();
        }
    }
}

/// A statement with its values, in the words of both databases.
pub(crate) fn sql<const N: usize>(
    connection: &impl ConnectionTrait,
    text: &str,
    values: [Value; N],
) -> Statement {
    Statement::from_sql_and_values(connection.get_database_backend(), text, values)
}
