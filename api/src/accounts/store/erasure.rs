//! Everything held about a player: to hand it over, and to remove it.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};

use super::blocks::{BlockRow, blocks};
use super::sessions::{IdRow, SessionRow};
use crate::db::{Transaction, sql};
use crate::ids::{MatchId, PlayerId, SessionId, TicketId};

/// Every session of the player that is still held, ended ones too.
pub(crate) async fn every_session(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
) -> Result<Vec<SessionRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id, device_name, created_at, last_seen_at, expires_at, revoked_at FROM sessions
         WHERE player_id = $1 ORDER BY id DESC",
        [player_id.as_uuid().into()],
    );
    SessionRow::find_by_statement(statement).all(connection).await
}

/// Every block of the player.
pub(crate) async fn every_block(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
) -> Result<Vec<BlockRow>, DbErr> {
    blocks(connection, player_id, None, i64::MAX).await
}

/// A match in which the player holds a seat.
#[derive(Debug, FromQueryResult)]
pub(crate) struct MatchRow {
    pub(crate) match_id: MatchId,
}

/// Every match in which the player holds or held a seat, the newest first.
pub(crate) async fn matches_of(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
) -> Result<Vec<MatchRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT match_id FROM match_seats WHERE player_id = $1 ORDER BY match_id DESC",
        [player_id.as_uuid().into()],
    );
    MatchRow::find_by_statement(statement).all(connection).await
}

/// A search for opponents.
#[derive(Debug, FromQueryResult)]
pub(crate) struct TicketRow {
    pub(crate) id: TicketId,
    pub(crate) game: String,
    pub(crate) match_id: Option<MatchId>,
    pub(crate) created_at: i64,
}

/// Every ticket of the player, the newest first.
pub(crate) async fn tickets_of(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
) -> Result<Vec<TicketRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id, game, match_id, created_at FROM tickets WHERE player_id = $1 ORDER BY created_at DESC, id DESC",
        [player_id.as_uuid().into()],
    );
    TicketRow::find_by_statement(statement).all(connection).await
}

/// Removes the person from the account and ends its sessions, which are told. What stays says that the id was
/// used, and nothing about whom. `None` if that was done before.
pub(crate) async fn erase(
    transaction: &Transaction,
    player_id: PlayerId,
    now: i64,
) -> Result<Option<Vec<SessionId>>, DbErr> {
    let id = || player_id.as_uuid().into();
    // The player first: signing in takes the same lock, so no session is begun behind our back.
    let player = sql(
        transaction,
        "UPDATE players SET kind = 0, username = NULL, username_shown = NULL, display_name = '', locale = '',
             password_hash = NULL, revision = revision + 1, erased_at = $2,
             profile_changed_at = $2
         WHERE id = $1 AND erased_at IS NULL",
        [id(), now.into()],
    );
    if transaction.execute_raw(player).await?.rows_affected() == 0 {
        return Ok(None);
    }
    let tokens = sql(
        transaction,
        "DELETE FROM refresh_tokens WHERE session_id IN (SELECT id FROM sessions WHERE player_id = $1)",
        [id()],
    );
    transaction.execute_raw(tokens).await?;
    // Emptied and not deleted: other instances learn from these rows that the sessions have ended. They are
    // swept with all other ended sessions.
    let sessions = sql(
        transaction,
        "UPDATE sessions SET device_name = NULL, salt = $3, revoked_at = COALESCE(revoked_at, $2)
         WHERE player_id = $1 RETURNING id",
        [id(), now.into(), Vec::<u8>::new().into()],
    );
    let ended = IdRow::find_by_statement(sessions).all(transaction).await?;
    let blocks = sql(
        transaction,
        "DELETE FROM blocks WHERE player_id = $1 OR blocked_id = $1",
        [id()],
    );
    transaction.execute_raw(blocks).await?;
    Ok(Some(ended.into_iter().map(|row| row.id).collect()))
}
