//! Who does not want to meet whom.

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
    "CREATE TABLE blocks (
        player_id {uuid} NOT NULL,
        blocked_id {uuid} NOT NULL,
        created_at {bigint} NOT NULL,
        CONSTRAINT blocks_pkey PRIMARY KEY (player_id, blocked_id)
    ) {strict}",
    // A block counts in both directions, so it is looked up from both sides.
    "CREATE INDEX blocks_blocked_id_idx ON blocks (blocked_id, player_id)",
];
