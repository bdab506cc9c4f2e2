//! Who plays: players, their devices and refresh tokens, and the keys that sign for the service.

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
    // kind: 0 guest, 1 registered. `username` is case-folded and decides uniqueness, `username_shown` is as
    // typed. `revision` grows with every change of the profile, so that cached answers notice.
    "CREATE TABLE players (
        id {uuid} PRIMARY KEY,
        kind {smallint} NOT NULL,
        username text,
        username_shown text,
        display_name text NOT NULL,
        locale text NOT NULL,
        password_hash text,
        revision {bigint} NOT NULL,
        created_at {bigint} NOT NULL,
        erased_at {bigint},
        departed_at {bigint},
        CONSTRAINT players_username_key UNIQUE (username)
    ) {strict}",
    // Who was erased and may still be named by matches.
    "CREATE INDEX players_departing_idx ON players (id) WHERE erased_at IS NOT NULL AND departed_at IS NULL",
    // `salt` derives the successor of each refresh token, so a lost answer can be given again.
    "CREATE TABLE sessions (
        id {uuid} PRIMARY KEY,
        player_id {uuid} NOT NULL,
        device_name text,
        salt {bytes} NOT NULL,
        created_at {bigint} NOT NULL,
        last_seen_at {bigint} NOT NULL,
        expires_at {bigint} NOT NULL,
        revoked_at {bigint}
    ) {strict}",
    "CREATE INDEX sessions_player_id_idx ON sessions (player_id)",
    // Every instance asks for the newly revoked ones each second; the others do not weigh on that index.
    "CREATE INDEX sessions_revoked_at_idx ON sessions (revoked_at) WHERE revoked_at IS NOT NULL",
    // `successor_used_at`: when the token that replaced this one was first used. Until then, and for a
    // minute after, a spent token still answers with the same successor.
    "CREATE TABLE refresh_tokens (
        hash {bytes} PRIMARY KEY,
        session_id {uuid} NOT NULL,
        generation {bigint} NOT NULL,
        issued_at {bigint} NOT NULL,
        spent_at {bigint},
        successor_used_at {bigint}
    ) {strict}",
    "CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id, generation)",
    // purpose: `access` signs tokens, `record` signs the heads of ended matches. `id` is the `kid`.
    "CREATE TABLE keys (
        id text PRIMARY KEY,
        purpose text NOT NULL,
        public_key {bytes} NOT NULL,
        sealed_private {bytes} NOT NULL,
        created_at {bigint} NOT NULL,
        retired_at {bigint}
    ) {strict}",
];
