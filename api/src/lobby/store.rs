//! The statements of this slice.

use quartett_engine::{BotLevel, Seat, Status};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult};
use uuid::Uuid;

use crate::db::sql;
use crate::ids::{MatchId, PlayerId};
use crate::play::{
    Intent, SeatedPlayer, Table, close_if_over, number, phase_number, result_text, status_number,
};
use crate::wire::Visibility;

const PLAYER: i16 = 1;
const BOT: i16 = 2;

/// The levels of bots, each at the number that the database knows it by.
pub(crate) const BOT_LEVELS: [BotLevel; 3] = [BotLevel::Easy, BotLevel::Medium, BotLevel::Hard];

/// What a new match brings besides its table.
pub(super) struct NewMatch<'a> {
    pub(super) table: &'a Table,
    pub(super) creator: PlayerId,
    pub(super) intent: &'a Intent,
    pub(super) invite_expires_at: Option<i64>,
    pub(super) sealed_seed: Vec<u8>,
    pub(super) auto_start: bool,
    pub(super) rematch_of: Option<MatchId>,
}

/// Stores a new match without its entries and seats.
pub(super) async fn insert_match(transaction: &DatabaseTransaction, new: &NewMatch<'_>) -> Result<(), DbErr> {
    let NewMatch {
        table,
        creator,
        intent,
        invite_expires_at,
        sealed_seed,
        auto_start,
        rematch_of,
    } = new;
    let id = table.id.as_uuid();
    let terms = table.state.terms();
    let setup = sql(
        transaction,
        "INSERT INTO match_setups (match_id, game, deck_id, deck_hash, rules_version, seats, free_seats, visibility,
             host_id, creator_id, create_key, create_fingerprint, invite_code, invite_expires_at, created_at,
             auto_start, rematch_of)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14, $15, $16)",
        [
            id.into(),
            terms.game.kind().id().into(),
            terms.deck_id.clone().into(),
            terms.deck_hash.to_vec().into(),
            i32::from(terms.rules.0).into(),
            i16::from(terms.seats).into(),
            free_seats(table).into(),
            visibility_number(table.invitation.visibility).into(),
            creator.as_uuid().into(),
            intent.key.to_vec().into(),
            intent.fingerprint.to_vec().into(),
            table.invitation.invite_code.clone().into(),
            (*invite_expires_at).into(),
            table.created_at.into(),
            i16::from(*auto_start).into(),
            rematch_of.map(MatchId::as_uuid).into(),
        ],
    );
    transaction.execute_raw(setup).await?;
    let awaited = table.awaited();
    let head = sql(
        transaction,
        "INSERT INTO matches
             (id, status, version, head_hash, turn, phase, warn_at, deadline_at, result, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        [
            id.into(),
            status_number(table.state.status()).into(),
            number(table.version()).into(),
            table.head_hash.to_vec().into(),
            awaited.map(|turn| i16::from(turn.seat.0)).into(),
            awaited.map(|turn| phase_number(turn.phase)).into(),
            table.warn_at().into(),
            table.deadline_at().into(),
            result_text(table)?.into(),
            table.last_at().into(),
        ],
    );
    transaction.execute_raw(head).await?;
    let secret = sql(
        transaction,
        "INSERT INTO match_secrets (match_id, sealed_seed) VALUES ($1, $2)",
        [id.into(), sealed_seed.clone().into()],
    );
    transaction.execute_raw(secret).await?;
    // Bots may have played it to its end already.
    close_if_over(transaction, table).await
}

const fn visibility_number(visibility: Visibility) -> i16 {
    match visibility {
        Visibility::Open => 0,
        Visibility::Invite => 1,
    }
}

/// How many seats a newcomer could take: none once the match has started.
fn free_seats(table: &Table) -> i16 {
    match table.state.status() {
        Status::Waiting => i16::try_from(table.free_seats().len()).unwrap_or(0),
        Status::Active | Status::Ended | Status::Cancelled => 0,
    }
}

/// Brings what the lobby lists up to what the table says: free seats and host.
pub(super) async fn note_lobby(transaction: &DatabaseTransaction, table: &Table) -> Result<(), DbErr> {
    let host = table.players.get(table.state.host()).and_then(Option::as_ref);
    let statement = sql(
        transaction,
        "UPDATE match_setups SET free_seats = $2, host_id = $3 WHERE match_id = $1",
        [
            table.id.as_uuid().into(),
            free_seats(table).into(),
            host.map(|host| host.player_id.as_uuid()).into(),
        ],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// Seats a player.
pub(super) async fn insert_player_seat(
    transaction: &DatabaseTransaction,
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
pub(super) async fn insert_bot_seat(
    transaction: &DatabaseTransaction,
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
pub(super) async fn delete_seat(
    transaction: &DatabaseTransaction,
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
pub(super) async fn take_opening_answers(
    transaction: &DatabaseTransaction,
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

/// A player as the others at a table see one; `None` if erased.
pub(super) async fn seated_player(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
) -> Result<Option<SeatedPlayer>, DbErr> {
    let statement = sql(
        connection,
        "SELECT display_name, revision FROM players WHERE id = $1 AND erased_at IS NULL",
        [player_id.as_uuid().into()],
    );
    let row = PlayerRow::find_by_statement(statement).one(connection).await?;
    Ok(row.map(|row| SeatedPlayer {
        player_id,
        display_name: row.display_name,
        revision: row.revision,
    }))
}

/// A match that a creator's key made.
#[derive(Debug, FromQueryResult)]
pub(super) struct CreatedRow {
    match_id: Uuid,
    pub(super) create_fingerprint: Vec<u8>,
    /// The last entry of the append that created it.
    pub(super) append_last: i64,
}

impl CreatedRow {
    pub(super) fn match_id(&self) -> MatchId {
        self.match_id.into()
    }
}

/// The match that `creator` made with `key`.
pub(super) async fn created_with(
    connection: &impl ConnectionTrait,
    creator: PlayerId,
    key: &[u8; 16],
) -> Result<Option<CreatedRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT s.match_id, s.create_fingerprint, e.append_last
         FROM match_setups s JOIN match_entries e ON e.match_id = s.match_id AND e.version = 1
         WHERE s.creator_id = $1 AND s.create_key = $2",
        [creator.as_uuid().into(), key.to_vec().into()],
    );
    CreatedRow::find_by_statement(statement).one(connection).await
}

#[derive(Debug, FromQueryResult)]
struct FlagRow {
    auto_start: i16,
}

/// Whether a match starts by itself when it is full.
pub(super) async fn starts_by_itself(transaction: &DatabaseTransaction, id: MatchId) -> Result<bool, DbErr> {
    let statement = sql(
        transaction,
        "SELECT auto_start FROM match_setups WHERE match_id = $1",
        [id.as_uuid().into()],
    );
    let row = FlagRow::find_by_statement(statement).one(transaction).await?;
    Ok(row.is_some_and(|row| row.auto_start != 0))
}

/// An invite as it is stored.
#[derive(Debug, FromQueryResult)]
pub(super) struct InviteRow {
    match_id: Uuid,
    pub(super) invite_expires_at: Option<i64>,
}

impl InviteRow {
    pub(super) fn match_id(&self) -> MatchId {
        self.match_id.into()
    }
}

/// The match that a code leads to.
pub(super) async fn invite(
    connection: &impl ConnectionTrait,
    code: &str,
) -> Result<Option<InviteRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT match_id, invite_expires_at FROM match_setups WHERE invite_code = $1",
        [code.into()],
    );
    InviteRow::find_by_statement(statement).one(connection).await
}

/// Gives a match another code, or none.
pub(super) async fn set_invite(
    transaction: &DatabaseTransaction,
    id: MatchId,
    invite: Option<(&str, i64)>,
) -> Result<(), DbErr> {
    let (code, expires_at) = invite
        .map(|(code, expires_at)| (code.to_owned(), expires_at))
        .unzip();
    let statement = sql(
        transaction,
        "UPDATE match_setups SET invite_code = $2, invite_expires_at = $3 WHERE match_id = $1",
        [id.as_uuid().into(), code.into(), expires_at.into()],
    );
    transaction.execute_raw(statement).await.map(|_| ())
}

/// A match in the lobby.
#[derive(Debug, FromQueryResult)]
pub(super) struct OpenMatchRow {
    pub(super) match_id: Uuid,
    pub(super) host_id: Uuid,
    pub(super) host_name: String,
    pub(super) free_seats: i16,
    pub(super) created_at: i64,
    /// The stored first entry, which tells the terms.
    pub(super) payload: Vec<u8>,
}

/// Where a page of the lobby begins: behind this match.
pub(super) type LobbyPosition = (i64, Uuid);

/// What a page of the lobby is made of.
pub(super) struct LobbyPage {
    pub(super) game: Option<&'static str>,
    pub(super) deck_id: Option<String>,
    pub(super) after: Option<LobbyPosition>,
    pub(super) limit: u32,
    /// Who looks: matches with somebody blocked in either direction are left out.
    pub(super) viewer: PlayerId,
}

/// Open matches with free seats, the oldest first; one more than the limit if there are more.
pub(super) async fn open_matches(
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
           AND (s.created_at > $1 OR (s.created_at = $1 AND s.match_id > $2))
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

#[derive(Debug, FromQueryResult)]
struct RematchRow {
    match_id: Uuid,
}

/// The rematch of a match, if it was made.
pub(super) async fn rematch_of(
    connection: &impl ConnectionTrait,
    id: MatchId,
) -> Result<Option<MatchId>, DbErr> {
    let statement = sql(
        connection,
        "SELECT match_id FROM match_setups WHERE rematch_of = $1",
        [id.as_uuid().into()],
    );
    let row = RematchRow::find_by_statement(statement).one(connection).await?;
    Ok(row.map(|row| row.match_id.into()))
}

#[derive(Debug, FromQueryResult)]
struct MatchRow {
    match_id: Uuid,
}

/// The matches in which a player has a seat and which are not over.
pub(super) async fn unfinished_matches(
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

/// Forgets which player held a seat.
pub(super) async fn unlink_seat(
    transaction: &DatabaseTransaction,
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

/// Forgets a player wherever a match names one: seats, hosts and creators.
pub(crate) async fn unlink_everywhere(
    transaction: &DatabaseTransaction,
    player: PlayerId,
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
    Ok(())
}
