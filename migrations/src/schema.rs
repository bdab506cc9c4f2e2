//! Statements written once for both databases.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

/// Runs `statements` one after the other in the dialect of the database.
///
/// Each may use `{uuid}`, `{bytes}`, `{bigint}`, `{int}` and `{smallint}` for a column's type, `{strict}` behind a
/// table (SQLite then checks types as Postgres always does) and `{hot}` behind a table whose rows are
/// updated all the time.
///
/// # Errors
///
/// When the database refuses one of them.
pub async fn run(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    let postgres = manager.get_database_backend() == DbBackend::Postgres;
    for statement in statements {
        manager
            .get_connection()
            .execute_unprepared(&in_dialect(statement, postgres))
            .await?;
    }
    Ok(())
}

/// Spells the placeholders of [`run`] for one database.
fn in_dialect(statement: &str, postgres: bool) -> String {
    const SPELLINGS: [(&str, &str, &str); 7] = [
        ("{uuid}", "uuid", "BLOB"),
        ("{bytes}", "bytea", "BLOB"),
        ("{bigint}", "bigint", "INTEGER"),
        ("{int}", "integer", "INTEGER"),
        ("{smallint}", "smallint", "INTEGER"),
        ("{strict}", "", "STRICT"),
        ("{hot}", "WITH (fillfactor = 80)", "STRICT"),
    ];
    SPELLINGS.iter().fold(
        statement.to_owned(),
        |text, (placeholder, on_postgres, on_sqlite)| {
            text.replace(placeholder, if postgres { on_postgres } else { on_sqlite })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::in_dialect;

    #[test]
    fn one_statement_is_spelled_for_each_database() {
        let statement = "CREATE TABLE t (id {uuid} PRIMARY KEY, at {bigint}) {hot}";
        assert_eq!(
            in_dialect(statement, true),
            "CREATE TABLE t (id uuid PRIMARY KEY, at bigint) WITH (fillfactor = 80)"
        );
        assert_eq!(
            in_dialect(statement, false),
            "CREATE TABLE t (id BLOB PRIMARY KEY, at INTEGER) STRICT"
        );
    }
}
