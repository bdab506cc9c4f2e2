//! What went wrong in the database, sorted by what may be done about it.

use sea_orm::sqlx::Error as SqlxError;
use sea_orm::{DbErr, RuntimeErr};

/// How Postgres says that it takes no writes.
const READ_ONLY_SQLSTATE: &str = "25006";

/// Failures by what the caller may do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Nothing was stored, and trying again may succeed: a deadlock, a serialisation conflict.
    RolledBack,
    /// Nothing was stored, and trying again gives the same: a bug, or a constraint that holds.
    Deterministic,
    /// The connection was lost on the way: it may or may not have been stored. Look before deciding.
    Unknown,
    /// Nothing was stored: no connection could be had, or the database takes no writes now.
    Unavailable,
}

impl Failure {
    /// Sorts an error.
    pub(crate) fn of(error: &DbErr) -> Self {
        // No connection could be made, for whatever reason: so nothing was sent.
        if matches!(error, DbErr::ConnectionAcquire(_) | DbErr::Conn(_)) {
            return Self::Unavailable;
        }
        sqlx_error(error).map_or(Self::Deterministic, Self::of_sqlx)
    }

    fn of_sqlx(error: &SqlxError) -> Self {
        if matches!(error, SqlxError::PoolTimedOut | SqlxError::PoolClosed) {
            return Self::Unavailable;
        }
        if matches!(
            error,
            SqlxError::Io(_) | SqlxError::Tls(_) | SqlxError::Protocol(_) | SqlxError::WorkerCrashed
        ) {
            return Self::Unknown;
        }
        let code = error.as_database_error().and_then(|error| error.code());
        code.map_or(Self::Deterministic, |code| Self::of_code(&code))
    }

    /// A code of Postgres has five characters, a code of SQLite is a shorter number.
    fn of_code(code: &str) -> Self {
        if code.len() == 5 {
            Self::of_sqlstate(code)
        } else {
            Self::of_sqlite(code)
        }
    }

    fn of_sqlstate(code: &str) -> Self {
        match (code, &code[..2]) {
            // Shut down in the middle, or "completion unknown": the commit may have been made.
            ("40003" | "57P01" | "57P02" | "57P05", _) | (_, "08") => Self::Unknown,
            ("55P03", _) | (_, "40") => Self::RolledBack,
            // Timed out, starting up, read-only, out of something, or the system beneath it fails.
            ("57014" | "57P03" | READ_ONLY_SQLSTATE, _) | (_, "53" | "58") => Self::Unavailable,
            _ => Self::Deterministic,
        }
    }

    fn of_sqlite(code: &str) -> Self {
        const BUSY: u32 = 5;
        const LOCKED: u32 = 6;
        const READ_ONLY: u32 = 8;
        const IO: u32 = 10;
        const FULL: u32 = 13;
        const CANNOT_OPEN: u32 = 14;
        // The lowest byte is the kind, what stands above tells details.
        match code.parse::<u32>().map(|code| code & 0xff) {
            // Busy even after waiting for it: another process writes, and may do so for long.
            Ok(BUSY | LOCKED | READ_ONLY | FULL | CANNOT_OPEN) => Self::Unavailable,
            Ok(IO) => Self::Unknown,
            Ok(_) | Err(_) => Self::Deterministic,
        }
    }
}

/// Whether the server takes no writes: it stands by for another, or was told so.
pub(super) fn is_read_only(error: &DbErr) -> bool {
    let code = sqlx_error(error)
        .and_then(SqlxError::as_database_error)
        .and_then(|error| error.code());
    code.is_some_and(|code| code == READ_ONLY_SQLSTATE)
}

/// The driver's error inside, if there is one.
fn sqlx_error(error: &DbErr) -> Option<&SqlxError> {
    if let DbErr::Conn(RuntimeErr::SqlxError(error))
    | DbErr::Exec(RuntimeErr::SqlxError(error))
    | DbErr::Query(RuntimeErr::SqlxError(error)) = error
    {
        return Some(error);
    }
    None
}

/// Whether `error` says that the unique constraint called `name` would be broken.
///
/// SQLite names columns, not constraints, so `columns` tells how it would say it: `table.column`.
pub(crate) fn violates(error: &DbErr, name: &str, columns: &str) -> bool {
    let Some(error) = sqlx_error(error).and_then(SqlxError::as_database_error) else {
        return false;
    };
    error.is_unique_violation()
        && error
            .constraint()
            .map_or_else(|| error.message().ends_with(columns), |broken| broken == name)
}

#[cfg(test)]
mod tests {
    use super::Failure;

    #[test]
    fn codes_of_both_databases_are_sorted() {
        for (code, expected) in [
            ("40001", Failure::RolledBack),
            ("40P01", Failure::RolledBack),
            ("55P03", Failure::RolledBack),
            ("57014", Failure::Unavailable),
            ("57P01", Failure::Unknown),
            ("57P03", Failure::Unavailable),
            ("08006", Failure::Unknown),
            ("53300", Failure::Unavailable),
            ("25006", Failure::Unavailable),
            ("23505", Failure::Deterministic),
            ("42P01", Failure::Deterministic),
            ("58030", Failure::Unavailable),
            ("5", Failure::Unavailable),
            ("517", Failure::Unavailable),
            ("2067", Failure::Deterministic),
            ("13", Failure::Unavailable),
            ("778", Failure::Unknown),
        ] {
            assert_eq!(Failure::of_code(code), expected, "{code}");
        }
    }
}
