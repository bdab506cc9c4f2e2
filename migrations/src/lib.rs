//! The schema of Quartett on both of its databases, Postgres and SQLite.
//!
//! One statement list serves both: [`schema`] spells the few column types that differ. All times are
//! unix milliseconds in a `bigint`, so that one integer means the same everywhere and orders as time does;
//! ids are uuids, and whatever is hashed or sealed is bytes.
//!
//! Migrations only go forward: a released one is never edited, a mistake is mended by the next one.
//!
//! # How to add a migration
//!
//! Add a file `m<date>_<what_it_does>.rs` beside the others, implement `MigrationTrait` with a list of
//! statements given to [`schema::run`], and append it to [`Migrator::migrations`].

mod m20260701_accounts;
mod m20260702_matches;
mod m20260703_blocks;
mod m20260704_profile_changes;
pub mod schema;

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, TransactionTrait};

/// Every migration in its order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20260701_accounts::Migration),
            Box::new(m20260702_matches::Migration),
            Box::new(m20260703_blocks::Migration),
            Box::new(m20260704_profile_changes::Migration),
        ]
    }
}

/// Names the lock under which instances that start together take turns: "quartett" as a number.
const MIGRATION_LOCK: i64 = 0x0071_7561_7274_6574;

/// Brings the database to the newest schema, or leaves it as it was.
///
/// All of it is one transaction. On Postgres it holds an advisory lock, so instances may start at the same
/// moment: the first migrates, the others find nothing left to do.
///
/// # Errors
///
/// When the database cannot be reached or refuses a statement.
pub async fn migrate(connection: &DatabaseConnection) -> Result<(), DbErr> {
    let transaction = connection.begin().await?;
    if transaction.get_database_backend() == DbBackend::Postgres {
        transaction
            // A migration takes as long as it takes, and so does waiting for another instance's.
            .execute_unprepared(&format!(
                "SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"
            ))
            .await?;
    }
    Migrator::up(&transaction, None).await?;
    transaction.commit().await
}
