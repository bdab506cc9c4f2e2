//! What is played: decks, and each match as a narrow head beside a log that only grows.
//!
//! Every key of the append begins with the match id, and nothing in it refers to people: the tables can be
//! spread over machines by match id, and erasing a person leaves every log intact.

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
    "CREATE TABLE decks (
        hash {bytes} PRIMARY KEY,
        deck_id text NOT NULL,
        document {bytes} NOT NULL,
        created_at {bigint} NOT NULL
    ) {strict}",
    "CREATE INDEX decks_deck_id_idx ON decks (deck_id, created_at)",
    // The compare-and-set head. status: 0 waiting, 1 active, 2 ended, 3 cancelled, 4 frozen. `turn` is the seat
    // whose player must act, `phase` what it must do; `warn_at` when four fifths of its time are over.
    // No index besides the key: what every action changes then stays a heap-only update.
    "CREATE TABLE matches (
        id {uuid} PRIMARY KEY,
        status {smallint} NOT NULL,
        version {bigint} NOT NULL,
        head_hash {bytes} NOT NULL,
        turn {smallint},
        phase {smallint},
        warn_at {bigint},
        deadline_at {bigint},
        result text,
        updated_at {bigint} NOT NULL
    ) {hot}",
    // What never changes after the start, off the hot row. visibility: 0 open, 1 invite. `free_seats` is 0 from
    // the start on. One creator's key makes one match.
    "CREATE TABLE match_setups (
        match_id {uuid} PRIMARY KEY,
        game text NOT NULL,
        deck_id text NOT NULL,
        deck_hash {bytes} NOT NULL,
        rules_version {int} NOT NULL,
        seats {smallint} NOT NULL,
        free_seats {smallint} NOT NULL,
        visibility {smallint} NOT NULL,
        host_id {uuid},
        creator_id {uuid} NOT NULL,
        create_key {bytes} NOT NULL,
        create_fingerprint {bytes} NOT NULL,
        invite_code text,
        invite_expires_at {bigint},
        created_at {bigint} NOT NULL,
        auto_start {smallint} NOT NULL,
        rematch_of {uuid},
        CONSTRAINT match_setups_rematch_of_key UNIQUE (rematch_of),
        CONSTRAINT match_setups_invite_code_key UNIQUE (invite_code),
        CONSTRAINT match_setups_creator_key UNIQUE (creator_id, create_key)
    ) {strict}",
    // The lobby lists what waits openly, however many matches have been played.
    "CREATE INDEX match_setups_host_id_idx ON match_setups (host_id)",
    "CREATE INDEX match_setups_lobby_idx ON match_setups (created_at, match_id)
     WHERE visibility = 0 AND free_seats > 0",
    // The log: rows are only ever inserted. `append_first` and `append_last` frame the append a row came
    // in with, so that a retried request finds everything its first try stored.
    "CREATE TABLE match_entries (
        match_id {uuid} NOT NULL,
        version {bigint} NOT NULL,
        payload {bytes} NOT NULL,
        action_key {bytes},
        fingerprint {bytes},
        append_first {bigint} NOT NULL,
        append_last {bigint} NOT NULL,
        prev_hash {bytes} NOT NULL,
        hash {bytes} NOT NULL,
        CONSTRAINT match_entries_pkey PRIMARY KEY (match_id, version)
    ) {strict}",
    // The key stands first: on a fresh, still empty table a plan that begins with the match id may be kept
    // as a sequential scan. Entries without a key do not collide, a null equals nothing.
    "CREATE UNIQUE INDEX match_entries_action_key ON match_entries (action_key, match_id)",
    // Always at or before the match's next due time; the sweeper looks here, actions never do.
    "CREATE TABLE match_wakes (
        match_id {uuid} PRIMARY KEY,
        wake_at {bigint} NOT NULL
    ) {strict}",
    "CREATE INDEX match_wakes_wake_at_idx ON match_wakes (wake_at)",
    // kind: 1 player, 2 bot. Mutable, so that a person can be unlinked. `is_over` tells the matches a player
    // still has from those that were played, however many.
    "CREATE TABLE match_seats (
        match_id {uuid} NOT NULL,
        seat {smallint} NOT NULL,
        player_id {uuid},
        kind {smallint} NOT NULL,
        bot_level {smallint},
        opening_answer {bigint},
        joined_at {bigint},
        is_over {smallint} NOT NULL DEFAULT 0,
        CONSTRAINT match_seats_pkey PRIMARY KEY (match_id, seat),
        CONSTRAINT match_seats_player_key UNIQUE (match_id, player_id)
    ) {strict}",
    "CREATE INDEX match_seats_player_id_idx ON match_seats (player_id, match_id)",
    "CREATE INDEX match_seats_running_idx ON match_seats (player_id, match_id) WHERE is_over = 0",
    // The deal's seed, sealed; the statement that ends the match removes the row.
    "CREATE TABLE match_secrets (
        match_id {uuid} PRIMARY KEY,
        sealed_seed {bytes} NOT NULL
    ) {strict}",
    // status: 0 waiting, 1 matched, 2 cancelled, 3 expired. One open ticket per player and game.
    "CREATE TABLE tickets (
        id {uuid} PRIMARY KEY,
        player_id {uuid} NOT NULL,
        game text NOT NULL,
        seats_min {smallint} NOT NULL,
        seats_max {smallint} NOT NULL,
        fill_at {bigint},
        status {smallint} NOT NULL,
        match_id {uuid},
        created_at {bigint} NOT NULL,
        expires_at {bigint} NOT NULL
    ) {strict}",
    "CREATE UNIQUE INDEX tickets_open_key ON tickets (player_id, game) WHERE status = 0",
    "CREATE INDEX tickets_waiting_idx ON tickets (game, created_at, id) WHERE status = 0",
    "CREATE INDEX tickets_player_id_idx ON tickets (player_id, game, created_at)",
];
