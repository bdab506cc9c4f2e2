//! Who sits where.

use quartett_engine::{BotLevel, Seat};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult};
use uuid::Uuid;

use crate::db::{Transaction, sql};
use crate::ids::{MatchId, PlayerId};
use crate::play::SeatedPlayer;

const PLAYER: i16 = 1;
const BOT: i16 = 2;

/// The levels of bots, each at the number that the database knows it by.
pub(crate) const BOT_LEVELS: [BotLevel; 3] = [BotLevel::Easy, BotLevel::Medium, BotLevel::Hard];

/// Seats a player.
pub(in crate::lobby) async fn insert_player_seat(
    transaction: &Transaction,
    id: MatchId,
    seat: Seat,
    player: PlayerId,
    opening_answer: Option<i64>,
    now: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        transaction,
        "INSERT INTO match_seats (match_id, seat, player_id, kind, opening_answer, joined_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        [
            id.as_uuid().into(),
            i16::from(seat.0).into(),
            player.as_uuid().into(),
            PLAYER.into(),
            opening_answer.into(),
            now.into(),
        ],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// Seats a bot.
pub(in crate::lobby) async fn insert_bot_seat(
    transaction: &Transaction,
    id: MatchId,
    seat: Seat,
    level: BotLevel,
    now: i64,
) -> Result<(), DbErr> {
    let level = BOT_LEVELS.iter().position(|known| *known == level);
    let level = level.and_then(|number| i16::try_from(number).ok());
    let statement = sql(
        transaction,
        "INSERT INTO match_seats (match_id, seat, kind, bot_level, joined_at) VALUES ($1, $2, $3, $4, $5)",
        [
            id.as_uuid().into(),
            i16::from(seat.0).into(),
            BOT.into(),
            level.into(),
            now.into(),
        ],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// Empties a seat before the start.
pub(in crate::lobby) async fn delete_seat(
    transaction: &Transaction,
    id: MatchId,
    seat: Seat,
) -> Result<(), DbErr> {
    let statement = sql(
        transaction,
        "DELETE FROM match_seats WHERE match_id = $1 AND seat = $2",
        [id.as_uuid().into(), i16::from(seat.0).into()],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

#[derive(Debug, FromQueryResult)]
struct AnswerRow {
    seat: i16,
    opening_answer: Option<i64>,
}

/// The answers to the opening question, by seat. They are used once and not kept.
pub(in crate::lobby) async fn take_opening_answers(
    transaction: &Transaction,
    id: MatchId,
    seats: usize,
) -> Result<Vec<Option<u64>>, DbErr> {
    let select = sql(
        transaction,
        "SELECT seat, opening_answer FROM match_seats WHERE match_id = $1",
        [id.as_uuid().into()],
    );
    let rows = AnswerRow::find_by_statement(select).all(transaction).await?;
    let forget = sql(
        transaction,
        "UPDATE match_seats SET opening_answer = NULL WHERE match_id = $1",
        [id.as_uuid().into()],
    );
    transaction.execute_raw(forget).await?;
    let answer = |seat: usize| {
        let row = rows.iter().find(|row| usize::try_from(row.seat) == Ok(seat))?;
        u64::try_from(row.opening_answer?).ok()
    };
    Ok((0..seats).map(answer).collect())
}

#[derive(Debug, FromQueryResult)]
struct PlayerRow {
    display_name: String,
    revision: i64,
}

/// A player as the others at a table see one; `None` if erased. Held until the transaction ends, so that
/// whoever is erased meanwhile is erased after it and leaves this match too.
pub(in crate::lobby) async fn seated_player(
    transaction: &Transaction,
    player_id: PlayerId,
) -> Result<Option<SeatedPlayer>, DbErr> {
    let held = if transaction.get_database_backend() == DbBackend::Postgres {
        "FOR SHARE"
    } else {
        ""
    };
    let text =
        format!("SELECT display_name, revision FROM players WHERE id = $1 AND erased_at IS NULL {held}");
    let statement = sql(transaction, &text, [player_id.as_uuid().into()]);
    let row = PlayerRow::find_by_statement(statement).one(transaction).await?;
    Ok(row.map(|row| SeatedPlayer {
        player_id,
        display_name: row.display_name,
        revision: row.revision,
    }))
}

#[derive(Debug, FromQueryResult)]
struct MatchRow {
    match_id: Uuid,
}

/// So many matches that are not over may a player have a seat in.
pub(in crate::lobby) const UNFINISHED_MAX: i64 = 200;

/// In how many matches that are not over a player has a seat.
pub(in crate::lobby) async fn count_unfinished(
    connection: &impl ConnectionTrait,
    player: PlayerId,
) -> Result<i64, DbErr> {
    let statement = sql(
        connection,
        "SELECT COUNT(*) FROM match_seats WHERE player_id = $1 AND is_over = 0",
        [player.as_uuid().into()],
    );
    let row = connection.query_one_raw(statement).await?;
    row.map_or(Ok(0), |row| row.try_get_by_index(0))
}

/// The matches in which a player has a seat and which are not over.
pub(in crate::lobby) async fn unfinished_matches(
    connection: &impl ConnectionTrait,
    player: PlayerId,
) -> Result<Vec<MatchId>, DbErr> {
    let statement = sql(
        connection,
        "SELECT match_id FROM match_seats WHERE player_id = $1 AND is_over = 0",
        [player.as_uuid().into()],
    );
    let rows = MatchRow::find_by_statement(statement).all(connection).await?;
    Ok(rows.into_iter().map(|row| row.match_id.into()).collect())
}

#[derive(Debug, FromQueryResult)]
struct SeatRow {
    seat: i16,
}

/// The seat of a match that a player has, erased or not.
pub(in crate::lobby) async fn seat_held_by(
    transaction: &Transaction,
    id: MatchId,
    player: PlayerId,
) -> Result<Option<Seat>, DbErr> {
    let statement = sql(
        transaction,
        "SELECT seat FROM match_seats WHERE match_id = $1 AND player_id = $2",
        [id.as_uuid().into(), player.as_uuid().into()],
    );
    let row = SeatRow::find_by_statement(statement).one(transaction).await?;
    Ok(row.and_then(|row| u8::try_from(row.seat).ok()).map(Seat))
}

#[derive(Debug, FromQueryResult)]
struct IdRow {
    id: Uuid,
}

/// Players who were erased and are still named by matches; at most `most`.
pub(crate) async fn departing(connection: &impl ConnectionTrait, most: i64) -> Result<Vec<PlayerId>, DbErr> {
    let statement = sql(
        connection,
        "SELECT id FROM players WHERE erased_at IS NOT NULL AND departed_at IS NULL
         ORDER BY random() LIMIT $1",
        [most.into()],
    );
    let rows = IdRow::find_by_statement(statement).all(connection).await?;
    Ok(rows.into_iter().map(|row| row.id.into()).collect())
}

/// Forgets which player held a seat.
pub(in crate::lobby) async fn unlink_seat(
    transaction: &Transaction,
    id: MatchId,
    seat: Seat,
) -> Result<(), DbErr> {
    let statement = sql(
        transaction,
        "UPDATE match_seats SET player_id = NULL, opening_answer = NULL WHERE match_id = $1 AND seat = $2",
        [id.as_uuid().into(), i16::from(seat.0).into()],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// Forgets a player wherever a match names one: seats, hosts and creators; then the departure is complete.
pub(in crate::lobby) async fn unlink_everywhere(
    transaction: &Transaction,
    player: PlayerId,
    now: i64,
) -> Result<(), DbErr> {
    for text in [
        "UPDATE match_seats SET player_id = NULL, opening_answer = NULL WHERE player_id = $1",
        "UPDATE match_setups SET host_id = NULL WHERE host_id = $1",
        // A creator's keys are unique; the match's own id stands in for the creator.
        "UPDATE match_setups SET creator_id = match_id WHERE creator_id = $1",
        "DELETE FROM tickets WHERE player_id = $1",
    ] {
        let statement = sql(transaction, text, [player.as_uuid().into()]);
        transaction.execute_raw(statement).await?;
    }
    let departed = sql(
        transaction,
        "UPDATE players SET departed_at = $2 WHERE id = $1",
        [player.as_uuid().into(), now.into()],
    );
    transaction.execute_raw(departed).await.map(|_| ())
}
