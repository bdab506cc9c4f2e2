//! Opening the embedded database: one file, one process.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs4::FileExt;
use sea_orm::sqlx::Connection as _;
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sea_orm::{ConnectOptions, DbBackend};

use super::connection::{ACQUIRE_TIMEOUT, Connection, STATEMENT_TIMEOUT};
use super::trust::Trust;
use super::{Database, OpenError};

/// Held while the database is open. The system drops it with the process, also after `kill -9`.
pub(super) struct FileLock {
    file: File,
}

impl FileLock {
    fn take(database: &Path) -> Result<Self, OpenError> {
        // A file of its own: SQLite locks ranges of the database file itself and would drop ours.
        let path = beside(database, "lock");
        let file = private_file(&path)?;
        match FileExt::try_lock(&file) {
            Ok(()) => Ok(Self { file }),
            Err(_) => Err(OpenError::InUse {
                path: database.display().to_string(),
            }),
        }
    }

    /// Lets others in, once the database is closed: whoever still holds a handle of it cannot use it any more.
    pub(super) fn release(&self) {
        if let Err(error) = FileExt::unlock(&self.file) {
            tracing::warn!(%error, "unlocking the database file");
        }
    }
}

/// The path of a companion of the database file.
pub(crate) fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(".");
    path.push(ending);
    path.into()
}

/// Opens a file for reading and writing; a new one can be read by its owner alone.
fn private_file(path: &Path) -> Result<File, OpenError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|source| OpenError::File {
        path: path.display().to_string(),
        source,
    })
}

pub(super) async fn open(path: &Path, readers: u32) -> Result<Database, OpenError> {
    let lock = FileLock::take(path)?;
    // Made here and not by SQLite, so that nobody else may read it. Its companions inherit the mode.
    drop(private_file(path)?);
    // The writer first: it turns the journal into a write-ahead log, which readers then find.
    let writing = sea_orm::Database::connect(options(path, 1, false)).await?;
    quartett_migrations::migrate(&writing).await?;
    let reading = sea_orm::Database::connect(options(path, readers, true)).await?;
    // A file does not lead elsewhere: nothing here asks whether its connections may be trusted.
    let trust = Arc::new(Trust::default());
    Ok(Database {
        reading: Connection::new(reading, trust.clone()),
        writing: Connection::new(writing, trust),
        backend: DbBackend::Sqlite,
        file_lock: Some(Arc::new(lock)),
    })
}

fn options(path: &Path, connections: u32, reading: bool) -> ConnectOptions {
    let file = path.to_owned();
    // The URL only chooses the driver: the path is set below, so that no character in it is special.
    let mut options = ConnectOptions::new("sqlite://");
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        // When a commit fails, the database ends the transaction and the driver goes on counting it: everything
        // after that would be part of a transaction that nobody commits. Such a connection is replaced.
        .map_sqlx_sqlite_before_acquire(|connection, _| {
            let is_whole = !connection.is_in_transaction();
            Box::pin(std::future::ready(Ok(is_whole)))
        })
        .sqlx_logging(false)
        .record_stmt_in_spans(false)
        .map_sqlx_sqlite_opts(move |_: SqliteConnectOptions| {
            SqliteConnectOptions::new()
                .filename(&file)
                .journal_mode(SqliteJournalMode::Wal)
                // An acknowledged action survives a power cut.
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                .busy_timeout(STATEMENT_TIMEOUT)
                .statement_cache_capacity(256)
                // A reader that tries to write is a bug; it must not take the writer's lock.
                .pragma("query_only", if reading { "ON" } else { "OFF" })
        });
    options
}

#[cfg(test)]
mod tests {
    use super::open;
    use crate::db::{OpenError, sql};
    use sea_orm::ConnectionTrait;

    #[tokio::test]
    async fn a_second_opener_is_refused_and_readers_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("odd name?#%.db");
        let database = open(&path, 2).await.unwrap();
        assert!(matches!(open(&path, 2).await, Err(OpenError::InUse { .. })));
        let create = "CREATE TABLE t (n INTEGER)";
        assert!(
            database
                .read()
                .execute_raw(sql(database.read(), create, []))
                .await
                .is_err()
        );
        database
            .write()
            .execute_raw(sql(database.write(), create, []))
            .await
            .unwrap();
        // A handle that outlives the closing, as one in a task that ends late, keeps nobody out.
        let late = database.clone();
        database.close().await;
        open(&path, 2).await.unwrap();
        drop(late);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn only_the_owner_may_read_the_files() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let database = open(&folder.path().join("m.db"), 2).await.unwrap();
        database
            .write()
            .execute_unprepared("CREATE TABLE t (n INTEGER)")
            .await
            .unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{:?} is open to others", entry.file_name());
        }
    }
}
