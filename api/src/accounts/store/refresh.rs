//! Refresh tokens, as their hashes.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};
use uuid::Uuid;

use super::sessions::IdRow;
use crate::db::{Transaction, sql};
use crate::ids::SessionId;

/// Stores a refresh token; storing the same one again changes nothing.
pub(crate) async fn insert_refresh_token(
    transaction: &Transaction,
    hash: &[u8],
    session_id: SessionId,
    generation: i64,
    issued_at: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        transaction,
        "INSERT INTO refresh_tokens (hash, session_id, generation, issued_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (hash) DO NOTHING",
        [
            hash.to_vec().into(),
            session_id.as_uuid().into(),
            generation.into(),
            issued_at.into(),
        ],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// A refresh token with its session.
#[derive(Debug, FromQueryResult)]
pub(crate) struct RefreshRow {
    pub(crate) session_id: Uuid,
    pub(crate) player_id: Uuid,
    pub(crate) salt: Vec<u8>,
    pub(crate) generation: i64,
    pub(crate) spent_at: Option<i64>,
    pub(crate) successor_used_at: Option<i64>,
    pub(crate) expires_at: i64,
    pub(crate) revoked_at: Option<i64>,
}

/// The refresh token with this hash. On Postgres its session is locked: two refreshes take turns.
pub(crate) async fn refresh_token(
    transaction: &Transaction,
    hash: &[u8],
) -> Result<Option<RefreshRow>, DbErr> {
    const QUERY: &str =
        "SELECT t.session_id, s.player_id, s.salt, t.generation, t.spent_at, t.successor_used_at,
             s.expires_at, s.revoked_at
         FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
         WHERE t.hash = $1";
    let on_postgres = transaction.get_database_backend() == sea_orm::DbBackend::Postgres;
    // Locked first and read afterwards: what was read while waiting for a lock would be old.
    if on_postgres {
        let lock = sql(
            transaction,
            "SELECT s.id FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.hash = $1 FOR UPDATE OF s",
            [hash.to_vec().into()],
        );
        transaction.query_one_raw(lock).await?;
    }
    RefreshRow::find_by_statement(sql(transaction, QUERY, [hash.to_vec().into()]))
        .one(transaction)
        .await
}

/// Marks a refresh token as spent and its predecessor's successor as used.
pub(crate) async fn spend(
    transaction: &Transaction,
    hash: &[u8],
    session_id: SessionId,
    generation: i64,
    now: i64,
) -> Result<(), DbErr> {
    let spent = sql(
        transaction,
        "UPDATE refresh_tokens SET spent_at = $2 WHERE hash = $1 AND spent_at IS NULL",
        [hash.to_vec().into(), now.into()],
    );
    transaction.execute_raw(spent).await?;
    let used = sql(
        transaction,
        "UPDATE refresh_tokens SET successor_used_at = $3
         WHERE session_id = $1 AND generation = $2 AND successor_used_at IS NULL",
        [session_id.as_uuid().into(), (generation - 1).into(), now.into()],
    );
    transaction.execute_raw(used).await.map(|_| ())
}

/// The number of the newest refresh token of a session that has not ended. On Postgres the session is locked.
pub(crate) async fn last_generation(
    transaction: &Transaction,
    session_id: SessionId,
) -> Result<Option<i64>, DbErr> {
    let of_session = || [session_id.as_uuid().into()];
    if transaction.get_database_backend() == sea_orm::DbBackend::Postgres {
        let lock = sql(
            transaction,
            "SELECT id FROM sessions WHERE id = $1 FOR UPDATE",
            of_session(),
        );
        transaction.query_one_raw(lock).await?;
    }
    let statement = sql(
        transaction,
        "SELECT MAX(t.generation) AS generation FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
         WHERE s.id = $1 AND s.revoked_at IS NULL",
        of_session(),
    );
    let row = transaction.query_one_raw(statement).await?;
    row.map_or(Ok(None), |row| row.try_get("", "generation"))
}

/// Forgets tokens of a session that were spent before `before`: they are refused as unknown from now on.
pub(crate) async fn forget_spent(
    transaction: &Transaction,
    session_id: SessionId,
    before: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        transaction,
        "DELETE FROM refresh_tokens WHERE session_id = $1 AND spent_at < $2 AND successor_used_at < $2",
        [session_id.as_uuid().into(), before.into()],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// The session a refresh token belongs to.
pub(crate) async fn session_of_token(
    connection: &impl ConnectionTrait,
    hash: &[u8],
) -> Result<Option<SessionId>, DbErr> {
    let statement = sql(
        connection,
        "SELECT session_id AS id FROM refresh_tokens WHERE hash = $1",
        [hash.to_vec().into()],
    );
    Ok(IdRow::find_by_statement(statement)
        .one(connection)
        .await?
        .map(|row| row.id))
}
