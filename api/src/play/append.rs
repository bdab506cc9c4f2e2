//! The one write that adds to a match: it succeeds on exactly the head it was made for, or not at all.
//!
//! On Postgres it is one statement and one round trip; on SQLite one `IMMEDIATE` transaction on the only
//! writing connection. Transactions that also touch other tables use [`write`] for their entries.

use quartett_engine::{Phase, Status};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use sha2::{Digest, Sha256};

use super::table::{NewEntry, Table};
use crate::db::{Database, Transaction, sql, violates};
use crate::ids::MatchId;
use crate::wire::MatchResult;

/// The key of an action: a hash of seat, operation and the client's key, so that no client's text stays in
/// the log and nobody can use another's key.
pub(crate) type ActionKey = [u8; 16];

/// What identifies a request that may be sent again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Intent {
    pub(crate) key: ActionKey,
    /// Of what was asked for, so that a key is not used for two things.
    pub(crate) fingerprint: [u8; 32],
}

impl Intent {
    /// The intent that a client's key names: `scope` is the seat of a match, `asked` what was asked for.
    pub(crate) fn new(scope: u8, operation: &str, key: &str, asked: &[u8]) -> Self {
        let digest = Sha256::new()
            .chain_update([scope])
            .chain_update(operation)
            .chain_update([0])
            .chain_update(key)
            .finalize();
        let mut action_key = [0; 16];
        action_key.copy_from_slice(&digest[..16]);
        Self {
            key: action_key,
            fingerprint: Sha256::digest(asked).into(),
        }
    }
}

/// The head an append was made for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Base {
    version: u64,
    head_hash: [u8; 32],
    status: Status,
}

impl Base {
    /// The present head of a table.
    pub(crate) fn of(table: &Table) -> Self {
        Self {
            version: table.version(),
            head_hash: table.head_hash,
            status: table.state.status(),
        }
    }
}

/// What came of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Appended {
    /// All entries are stored.
    Stored,
    /// The match is no longer at that head; nothing was stored.
    Conflict,
    /// The key was used before; nothing was stored.
    KeyUsed,
}

/// What a match's status is called in the database.
pub(crate) const fn status_number(status: Status) -> i16 {
    match status {
        Status::Waiting => 0,
        Status::Active => 1,
        Status::Ended => 2,
        Status::Cancelled => 3,
    }
}

/// What a phase is called in the database.
pub(crate) const fn phase_number(phase: Phase) -> i16 {
    match phase {
        Phase::Ask => 0,
        Phase::Duel => 1,
        Phase::Choose => 2,
        Phase::ChooseBlind => 3,
        Phase::Playoff => 4,
        Phase::FlipFirst => 5,
        Phase::FlipSecond => 6,
    }
}

/// What is called `number` in the database.
pub(crate) fn phase_numbered(number: i16) -> Option<Phase> {
    const ALL: [Phase; 7] = [
        Phase::Ask,
        Phase::Duel,
        Phase::Choose,
        Phase::ChooseBlind,
        Phase::Playoff,
        Phase::FlipFirst,
        Phase::FlipSecond,
    ];
    ALL.into_iter().find(|phase| phase_number(*phase) == number)
}

/// The result as the head keeps it.
pub(crate) fn result_text(table: &Table) -> Result<Option<String>, DbErr> {
    MatchResult::of(&table.state)
        .map(|result| serde_json::to_string(&result))
        .transpose()
        .map_err(|error| DbErr::Custom(error.to_string()))
}

/// A version as the database counts.
pub(crate) fn number(version: u64) -> i64 {
    i64::try_from(version).unwrap_or(i64::MAX)
}

/// Stores entries that were made for `base` and led to `table`.
pub(crate) async fn append(
    db: &Database,
    base: &Base,
    table: &Table,
    entries: &[NewEntry],
    intent: Option<&Intent>,
) -> Result<Appended, DbErr> {
    let outcome = if db.is_postgres() {
        let connection = db.write();
        let statement = one_statement(connection, base, table, entries, intent)?;
        connection.query_one_raw(statement).await.map(|stored| {
            if stored.is_some() {
                Appended::Stored
            } else {
                Appended::Conflict
            }
        })
    } else {
        let transaction = db.transaction().await?;
        match write(&transaction, base, table, entries, intent).await {
            Ok(Appended::Stored) => transaction.commit().await.map(|()| Appended::Stored),
            Ok(other) => transaction.rollback().await.map(|()| other),
            Err(error) => Err(error),
        }
    };
    match outcome {
        Err(error) if violates(&error, "match_entries_action_key", "match_entries.match_id") => {
            Ok(Appended::KeyUsed)
        }
        // Two appends for one head cannot both pass the compare-and-set, but the loser may find the row first.
        Err(error) if violates(&error, "match_entries_pkey", "match_entries.version") => {
            Ok(Appended::Conflict)
        }
        other => other,
    }
}

/// The columns of the head after the append, then those it must have before.
fn head_values(base: &Base, table: &Table) -> Result<[Value; 13], DbErr> {
    let awaited = table.awaited();
    Ok([
        table.id.as_uuid().into(),
        status_number(table.state.status()).into(),
        number(table.version()).into(),
        table.head_hash.to_vec().into(),
        awaited.map(|turn| i16::from(turn.seat.0)).into(),
        awaited.map(|turn| phase_number(turn.phase)).into(),
        table.warn_at().into(),
        table.deadline_at().into(),
        result_text(table)?.into(),
        table.last_at().into(),
        number(base.version).into(),
        base.head_hash.to_vec().into(),
        status_number(base.status).into(),
    ])
}

const UPDATE_HEAD: &str = "UPDATE matches
    SET status = $2, version = $3, head_hash = $4, turn = $5, phase = $6, warn_at = $7, deadline_at = $8,
        result = $9, updated_at = $10
    WHERE id = $1 AND version = $11 AND head_hash = $12 AND status = $13";

const COLUMNS: &str =
    "match_id, version, payload, action_key, fingerprint, append_first, append_last, prev_hash, hash";

/// Per entry: version, payload, key, fingerprint, previous hash, hash. The key stands with the first one.
fn entry_values(entries: &[NewEntry], intent: Option<&Intent>) -> Vec<[Value; 6]> {
    let mut intent = intent;
    let values = entries.iter().map(|entry| {
        let intent = intent.take();
        [
            number(entry.recorded.version).into(),
            entry.payload.clone().into(),
            intent.map(|intent| intent.key.to_vec()).into(),
            intent.map(|intent| intent.fingerprint.to_vec()).into(),
            entry.prev_hash.to_vec().into(),
            entry.recorded.hash.to_vec().into(),
        ]
    });
    values.collect()
}

/// The compare-and-set of the head, the entries from it, and the end of the secret if the match ended.
fn one_statement(
    connection: &impl ConnectionTrait,
    base: &Base,
    table: &Table,
    entries: &[NewEntry],
    intent: Option<&Intent>,
) -> Result<Statement, DbErr> {
    let mut values = head_values(base, table)?.to_vec();
    let (first, last) = frame(entries);
    values.extend([first.into(), last.into()]);
    let mut rows = Vec::with_capacity(entries.len());
    for entry in entry_values(entries, intent) {
        let n = values.len();
        rows.push(format!(
            "(${}::bigint, ${}::bytea, ${}::bytea, ${}::bytea, ${}::bytea, ${}::bytea)",
            n + 1,
            n + 2,
            n + 3,
            n + 4,
            n + 5,
            n + 6
        ));
        values.extend(entry);
    }
    let secret = if is_over(table) {
        ", revealed AS (DELETE FROM match_secrets USING head WHERE match_id = head.id),
           over AS (UPDATE match_seats SET is_over = 1 FROM head WHERE match_id = head.id)"
    } else {
        ""
    };
    let text = format!(
        "WITH head AS ({UPDATE_HEAD} RETURNING id){secret}
         INSERT INTO match_entries ({COLUMNS})
         SELECT head.id, e.version, e.payload, e.action_key, e.fingerprint, $14, $15, e.prev_hash, e.hash
         FROM head, (VALUES {}) AS e (version, payload, action_key, fingerprint, prev_hash, hash)
         RETURNING version",
        rows.join(", ")
    );
    Ok(Statement::from_sql_and_values(
        connection.get_database_backend(),
        text,
        values,
    ))
}

/// The first and last version of an append.
fn frame(entries: &[NewEntry]) -> (i64, i64) {
    let version = |entry: Option<&NewEntry>| entry.map_or(0, |entry| number(entry.recorded.version));
    (version(entries.first()), version(entries.last()))
}

/// The same in a transaction of the caller's, statement by statement.
pub(crate) async fn write(
    transaction: &Transaction,
    base: &Base,
    table: &Table,
    entries: &[NewEntry],
    intent: Option<&Intent>,
) -> Result<Appended, DbErr> {
    let moved = sql(transaction, UPDATE_HEAD, head_values(base, table)?);
    if transaction.execute_raw(moved).await?.rows_affected() != 1 {
        return Ok(Appended::Conflict);
    }
    insert(transaction, table.id, entries, intent).await?;
    close_if_over(transaction, table).await?;
    Ok(Appended::Stored)
}

/// The end of the secret, and of the match for its players, if the match is over.
pub(crate) async fn close_if_over(transaction: &Transaction, table: &Table) -> Result<(), DbErr> {
    if !is_over(table) {
        return Ok(());
    }
    for text in [
        "DELETE FROM match_secrets WHERE match_id = $1",
        "UPDATE match_seats SET is_over = 1 WHERE match_id = $1",
    ] {
        let statement = sql(transaction, text, [table.id.as_uuid().into()]);
        transaction.execute_raw(statement).await?;
    }
    Ok(())
}

/// Whether nothing will happen in the match any more.
fn is_over(table: &Table) -> bool {
    match table.state.status() {
        Status::Ended | Status::Cancelled => true,
        Status::Waiting | Status::Active => false,
    }
}

/// Inserts entries; the head is the caller's business.
pub(crate) async fn insert(
    transaction: &Transaction,
    id: MatchId,
    entries: &[NewEntry],
    intent: Option<&Intent>,
) -> Result<(), DbErr> {
    let (first, last) = frame(entries);
    let text = format!("INSERT INTO match_entries ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)");
    for [version, payload, key, fingerprint, prev_hash, hash] in entry_values(entries, intent) {
        let values = [
            id.as_uuid().into(),
            version,
            payload,
            key,
            fingerprint,
            first.into(),
            last.into(),
            prev_hash,
            hash,
        ];
        transaction.execute_raw(sql(transaction, &text, values)).await?;
    }
    Ok(())
}
