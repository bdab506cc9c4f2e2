//! Signed-in devices.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};
use uuid::Uuid;

use crate::accounts::names::DeviceName;
use crate::db::{Transaction, sql};
use crate::ids::{PlayerId, SessionId};

/// What a new session brings.
pub(crate) struct NewSession<'a> {
    pub(crate) id: SessionId,
    pub(crate) player_id: PlayerId,
    pub(crate) device_name: Option<&'a DeviceName>,
    pub(crate) salt: &'a [u8],
    pub(crate) created_at: i64,
    pub(crate) expires_at: i64,
}

/// Stores a new session.
pub(crate) async fn insert_session(transaction: &Transaction, session: &NewSession<'_>) -> Result<(), DbErr> {
    let NewSession {
        id,
        player_id,
        device_name,
        salt,
        created_at,
        expires_at,
    } = session;
    let statement = sql(
        transaction,
        "INSERT INTO sessions (id, player_id, device_name, salt, created_at, last_seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $5, $6)",
        [
            id.as_uuid().into(),
            player_id.as_uuid().into(),
            device_name.map(|name| name.as_str().to_owned()).into(),
            salt.to_vec().into(),
            (*created_at).into(),
            (*expires_at).into(),
        ],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// Notes that a session was used.
pub(crate) async fn touch_session(
    transaction: &Transaction,
    session_id: SessionId,
    now: i64,
    expires_at: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        transaction,
        "UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE id = $1",
        [session_id.as_uuid().into(), now.into(), expires_at.into()],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// Ends a session; ending it again changes nothing.
pub(crate) async fn revoke_session(
    connection: &impl ConnectionTrait,
    session_id: SessionId,
    now: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        connection,
        "UPDATE sessions SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL",
        [session_id.as_uuid().into(), now.into()],
    );
    connection.execute_raw(statement).await.map(|_| ())
}

/// Ends a session of this player; ending it again changes nothing. `false` if the player has no such session.
pub(crate) async fn revoke_own(
    transaction: &Transaction,
    player_id: PlayerId,
    session_id: SessionId,
    now: i64,
) -> Result<bool, DbErr> {
    let statement = sql(
        transaction,
        "UPDATE sessions SET revoked_at = COALESCE(revoked_at, $3) WHERE id = $1 AND player_id = $2",
        [
            session_id.as_uuid().into(),
            player_id.as_uuid().into(),
            now.into(),
        ],
    );
    Ok(transaction.execute_raw(statement).await?.rows_affected() == 1)
}

/// Ends every session of the player but one, and tells which.
pub(crate) async fn revoke_others(
    transaction: &Transaction,
    player_id: PlayerId,
    kept: SessionId,
    now: i64,
) -> Result<Vec<SessionId>, DbErr> {
    let statement = sql(
        transaction,
        "UPDATE sessions SET revoked_at = $3 WHERE player_id = $1 AND id <> $2 AND revoked_at IS NULL
         RETURNING id",
        [player_id.as_uuid().into(), kept.as_uuid().into(), now.into()],
    );
    let rows = IdRow::find_by_statement(statement).all(transaction).await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

/// A session as its player sees it.
#[derive(Debug, FromQueryResult)]
pub(crate) struct SessionRow {
    pub(crate) id: SessionId,
    pub(crate) device_name: Option<String>,
    pub(crate) created_at: i64,
    pub(crate) last_seen_at: i64,
    pub(crate) expires_at: i64,
    pub(crate) revoked_at: Option<i64>,
}

/// The player's sessions that can still go on, the newest first, behind the session `after`.
pub(crate) async fn live_sessions(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
    now: i64,
    after: Option<SessionId>,
    rows: i64,
) -> Result<Vec<SessionRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id, device_name, created_at, last_seen_at, expires_at, revoked_at FROM sessions
         WHERE player_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND id < $3
         ORDER BY id DESC LIMIT $4",
        [
            player_id.as_uuid().into(),
            now.into(),
            after.map_or(Uuid::max(), SessionId::as_uuid).into(),
            rows.into(),
        ],
    );
    SessionRow::find_by_statement(statement).all(connection).await
}

/// Forgets sessions that ended before `before`, with their refresh tokens.
pub(crate) async fn sweep(transaction: &Transaction, before: i64) -> Result<(), DbErr> {
    for text in [
        "DELETE FROM refresh_tokens WHERE session_id IN
             (SELECT id FROM sessions WHERE revoked_at < $1 OR expires_at < $1)",
        "DELETE FROM sessions WHERE revoked_at < $1 OR expires_at < $1",
    ] {
        transaction
            .execute_raw(sql(transaction, text, [before.into()]))
            .await?;
    }
    Ok(())
}

#[derive(Debug, FromQueryResult)]
pub(super) struct IdRow {
    pub(super) id: SessionId,
}

/// Whether a session has not been revoked.
pub(crate) async fn is_live(connection: &impl ConnectionTrait, session_id: SessionId) -> Result<bool, DbErr> {
    let statement = sql(
        connection,
        "SELECT id FROM sessions WHERE id = $1 AND revoked_at IS NULL",
        [session_id.as_uuid().into()],
    );
    Ok(IdRow::find_by_statement(statement)
        .one(connection)
        .await?
        .is_some())
}

/// The sessions revoked at or after `since`.
pub(crate) async fn revoked_since(
    connection: &impl ConnectionTrait,
    since: i64,
) -> Result<Vec<SessionId>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id FROM sessions WHERE revoked_at IS NOT NULL AND revoked_at >= $1",
        [since.into()],
    );
    let rows = IdRow::find_by_statement(statement).all(connection).await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}
