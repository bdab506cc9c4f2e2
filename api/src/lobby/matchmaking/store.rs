//! The statements of matchmaking.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult};
use uuid::Uuid;

use super::ticket::{Ticket, TicketStatus};
use crate::db::{Transaction, sql};
use crate::http::{Problem, Timestamp};
use crate::ids::{MatchId, PlayerId, TicketId};
use crate::wire::GameName;

/// A ticket as it is stored.
#[derive(Debug, Clone, FromQueryResult)]
pub(super) struct TicketRow {
    id: Uuid,
    player_id: Uuid,
    game: String,
    seats_min: i16,
    seats_max: i16,
    pub(super) fill_at: Option<i64>,
    status: i16,
    match_id: Option<Uuid>,
    created_at: i64,
}

impl TicketRow {
    pub(super) fn id(&self) -> TicketId {
        self.id.into()
    }

    pub(super) fn player_id(&self) -> PlayerId {
        self.player_id.into()
    }

    pub(super) const fn status(&self) -> TicketStatus {
        TicketStatus::of(self.status)
    }

    /// Whether the player accepts a match with this many seats.
    pub(super) fn accepts(&self, seats: u8) -> bool {
        (self.seats_min..=self.seats_max).contains(&i16::from(seats))
    }

    /// The fewest and the most seats the player accepts.
    pub(super) fn seats(&self) -> (u8, u8) {
        let seats = |stored| u8::try_from(stored).unwrap_or(0);
        (seats(self.seats_min), seats(self.seats_max))
    }
}

impl TryFrom<TicketRow> for Ticket {
    type Error = Problem;

    fn try_from(row: TicketRow) -> Result<Self, Problem> {
        let (seats, seats_max) = row.seats();
        Ok(Self {
            ticket_id: row.id.into(),
            game: GameName::named(&row.game).ok_or_else(|| Problem::internal("a ticket for no game"))?,
            seats,
            seats_max,
            status: row.status(),
            match_id: row.match_id.map(MatchId::from),
            created_at: Timestamp(row.created_at),
        })
    }
}

const COLUMNS: &str = "id, player_id, game, seats_min, seats_max, fill_at, status, match_id, created_at";

/// What a new ticket says.
pub(super) struct NewTicket {
    pub(super) id: TicketId,
    pub(super) player_id: PlayerId,
    pub(super) game: &'static str,
    pub(super) seats_min: u8,
    pub(super) seats_max: u8,
    pub(super) fill_at: Option<i64>,
    pub(super) created_at: i64,
    pub(super) expires_at: i64,
}

/// Stores a ticket, unless the player has an open one for this game. Tells whether it was stored.
pub(super) async fn insert(transaction: &Transaction, new: &NewTicket) -> Result<bool, DbErr> {
    let statement = sql(
        transaction,
        "INSERT INTO tickets (id, player_id, game, seats_min, seats_max, fill_at, status, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8)
         ON CONFLICT (player_id, game) WHERE status = 0 DO NOTHING",
        [
            new.id.as_uuid().into(),
            new.player_id.as_uuid().into(),
            new.game.into(),
            i16::from(new.seats_min).into(),
            i16::from(new.seats_max).into(),
            new.fill_at.into(),
            new.created_at.into(),
            new.expires_at.into(),
        ],
    );
    Ok(transaction.execute_raw(statement).await?.rows_affected() == 1)
}

/// Holds a player until the transaction ends, so that nobody who is erased leaves a ticket behind. `false` if
/// the player is gone.
pub(super) async fn hold_player(transaction: &Transaction, player_id: PlayerId) -> Result<bool, DbErr> {
    let held = if transaction.get_database_backend() == DbBackend::Postgres {
        "FOR SHARE"
    } else {
        ""
    };
    let text = format!("SELECT id FROM players WHERE id = $1 AND erased_at IS NULL {held}");
    let statement = sql(transaction, &text, [player_id.as_uuid().into()]);
    Ok(transaction.query_one_raw(statement).await?.is_some())
}

/// What holds the rows of a query on Postgres; SQLite has only one writer.
fn for_update(transaction: &Transaction) -> &'static str {
    if transaction.get_database_backend() == DbBackend::Postgres {
        "FOR UPDATE"
    } else {
        ""
    }
}

/// The player's newest ticket for a game.
pub(super) async fn newest(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
    game: &str,
) -> Result<Option<TicketRow>, DbErr> {
    let statement = sql(
        connection,
        &format!(
            "SELECT {COLUMNS} FROM tickets WHERE player_id = $1 AND game = $2
             ORDER BY created_at DESC, id DESC LIMIT 1"
        ),
        [player_id.as_uuid().into(), game.into()],
    );
    TicketRow::find_by_statement(statement).one(connection).await
}

/// A ticket of a player.
pub(super) async fn ticket(
    connection: &impl ConnectionTrait,
    id: TicketId,
    player_id: PlayerId,
) -> Result<Option<TicketRow>, DbErr> {
    let statement = sql(
        connection,
        &format!("SELECT {COLUMNS} FROM tickets WHERE id = $1 AND player_id = $2"),
        [id.as_uuid().into(), player_id.as_uuid().into()],
    );
    TicketRow::find_by_statement(statement).one(connection).await
}

/// The tickets that wait for a game, who waits longest first; held, so that nobody takes one back meanwhile.
/// Those of players who are being erased are on their way out and stand for nobody.
pub(super) async fn waiting(
    transaction: &Transaction,
    game: &str,
    now: i64,
    most: i64,
) -> Result<Vec<TicketRow>, DbErr> {
    let statement = sql(
        transaction,
        &format!(
            "SELECT {COLUMNS} FROM tickets WHERE game = $1 AND status = 0 AND expires_at > $2
                 AND EXISTS (SELECT 1 FROM players p WHERE p.id = tickets.player_id AND p.erased_at IS NULL)
             ORDER BY created_at, id LIMIT $3 {}",
            for_update(transaction)
        ),
        [game.into(), now.into(), most.into()],
    );
    TicketRow::find_by_statement(statement).all(transaction).await
}

/// Closes a waiting ticket. Tells whether it still waited.
pub(super) async fn close(
    connection: &impl ConnectionTrait,
    id: TicketId,
    status: TicketStatus,
    match_id: Option<MatchId>,
) -> Result<bool, DbErr> {
    let statement = sql(
        connection,
        "UPDATE tickets SET status = $2, match_id = $3 WHERE id = $1 AND status = 0",
        [
            id.as_uuid().into(),
            status.number().into(),
            match_id.map(MatchId::as_uuid).into(),
        ],
    );
    Ok(connection.execute_raw(statement).await?.rows_affected() == 1)
}

/// Closes the tickets that have waited too long.
pub(super) async fn expire(connection: &impl ConnectionTrait, now: i64) -> Result<(), DbErr> {
    let statement = sql(
        connection,
        "UPDATE tickets SET status = 3 WHERE status = 0 AND expires_at <= $1",
        [now.into()],
    );
    connection.execute_raw(statement).await.map(|_| ())
}

#[derive(Debug, FromQueryResult)]
struct GameRow {
    game: String,
}

/// The games for which somebody has waited long enough to play with bots.
pub(super) async fn games_to_fill(connection: &impl ConnectionTrait, now: i64) -> Result<Vec<String>, DbErr> {
    let statement = sql(
        connection,
        "SELECT DISTINCT game FROM tickets WHERE status = 0 AND fill_at <= $1",
        [now.into()],
    );
    let rows = GameRow::find_by_statement(statement).all(connection).await?;
    Ok(rows.into_iter().map(|row| row.game).collect())
}

/// Whether anybody waits at all, so that an idle service does not write each second.
pub(super) async fn anybody_waits(connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let statement = sql(
        connection,
        "SELECT game FROM tickets WHERE status = 0 LIMIT 1",
        [],
    );
    Ok(GameRow::find_by_statement(statement)
        .one(connection)
        .await?
        .is_some())
}
