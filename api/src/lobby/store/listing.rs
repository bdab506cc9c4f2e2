//! The lobby as it is listed.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};
use uuid::Uuid;

use crate::db::sql;
use crate::ids::PlayerId;

/// A match in the lobby.
#[derive(Debug, FromQueryResult)]
pub(in crate::lobby) struct OpenMatchRow {
    pub(in crate::lobby) match_id: Uuid,
    pub(in crate::lobby) host_id: Uuid,
    pub(in crate::lobby) host_name: String,
    pub(in crate::lobby) free_seats: i16,
    pub(in crate::lobby) created_at: i64,
    /// The stored first entry, which tells the terms.
    pub(in crate::lobby) payload: Vec<u8>,
}

/// Where a page of the lobby begins: behind this match.
pub(in crate::lobby) type LobbyPosition = (i64, Uuid);

/// What a page of the lobby is made of.
pub(in crate::lobby) struct LobbyPage {
    pub(in crate::lobby) game: Option<&'static str>,
    pub(in crate::lobby) deck_id: Option<String>,
    pub(in crate::lobby) after: Option<LobbyPosition>,
    pub(in crate::lobby) limit: u32,
    /// Who looks: matches with somebody blocked in either direction are left out.
    pub(in crate::lobby) viewer: PlayerId,
}

/// Open matches with free seats, the oldest first; one more than the limit if there are more.
pub(in crate::lobby) async fn open_matches(
    connection: &impl ConnectionTrait,
    page: LobbyPage,
) -> Result<Vec<OpenMatchRow>, DbErr> {
    let LobbyPage {
        game,
        deck_id,
        after,
        limit,
        viewer,
    } = page;
    let (after_at, after_id) = after.unwrap_or((i64::MIN, Uuid::nil()));
    let statement = sql(
        connection,
        "SELECT s.match_id, s.host_id, p.display_name AS host_name, s.free_seats, s.created_at, e.payload
         FROM match_setups s
         JOIN players p ON p.id = s.host_id AND p.erased_at IS NULL
         JOIN match_entries e ON e.match_id = s.match_id AND e.version = 1
         WHERE s.visibility = 0 AND s.free_seats > 0
           AND (s.created_at, s.match_id) > ($1, $2)
           AND ($3 IS NULL OR s.game = $3) AND ($4 IS NULL OR s.deck_id = $4)
           AND NOT EXISTS (
               SELECT 1 FROM match_seats m JOIN blocks b
                   ON (b.player_id = $6 AND b.blocked_id = m.player_id)
                   OR (b.blocked_id = $6 AND b.player_id = m.player_id)
               WHERE m.match_id = s.match_id)
         ORDER BY s.created_at, s.match_id LIMIT $5",
        [
            after_at.into(),
            after_id.into(),
            game.map(str::to_owned).into(),
            deck_id.into(),
            (i64::from(limit) + 1).into(),
            viewer.as_uuid().into(),
        ],
    );
    OpenMatchRow::find_by_statement(statement).all(connection).await
}
