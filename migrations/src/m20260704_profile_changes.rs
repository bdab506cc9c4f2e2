//! When a profile changed last, so that instances that hold names in memory can follow.

use sea_orm_migration::prelude::*;

/// See the module.
#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        crate::schema::run(manager, STATEMENTS).await
    }
}

const STATEMENTS: &[&str] = &[
    // Absent until the first change; erasing is one.
    "ALTER TABLE players ADD COLUMN profile_changed_at {bigint}",
    // Every instance asks for the last minute of it every second.
    "CREATE INDEX players_profile_changed_at_idx ON players (profile_changed_at)
     WHERE profile_changed_at IS NOT NULL",
];
