//! Matches as they are made, and what the lobby notes of them.

use quartett_engine::Status;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};
use uuid::Uuid;

use crate::db::{Transaction, sql};
use crate::ids::{MatchId, PlayerId};
use crate::play::{Intent, Table, close_if_over, number, phase_number, result_text, status_number};
use crate::wire::Visibility;

/// What a new match brings besides its table.
pub(in crate::lobby) struct NewMatch<'a> {
    pub(in crate::lobby) table: &'a Table,
    pub(in crate::lobby) creator: PlayerId,
    pub(in crate::lobby) intent: &'a Intent,
    pub(in crate::lobby) invite_expires_at: Option<i64>,
    pub(in crate::lobby) sealed_seed: Vec<u8>,
    pub(in crate::lobby) auto_start: bool,
    pub(in crate::lobby) rematch_of: Option<MatchId>,
}

/// Stores a new match without its entries and seats.
pub(in crate::lobby) async fn insert_match(
    transaction: &Transaction,
    new: &NewMatch<'_>,
) -> Result<(), DbErr> {
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
        "INSERT INTO matches (id, status, version, head_hash, turn, phase, warn_at, deadline_at, updated_at,
             result)
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
            table.last_at().into(),
            result_text(table)?.into(),
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
pub(in crate::lobby) async fn note_lobby(transaction: &Transaction, table: &Table) -> Result<(), DbErr> {
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

/// A match that a creator's key made.
#[derive(Debug, FromQueryResult)]
pub(in crate::lobby) struct CreatedRow {
    match_id: Uuid,
    pub(in crate::lobby) create_fingerprint: Vec<u8>,
    /// The last entry of the append that created it.
    pub(in crate::lobby) append_last: i64,
}

impl CreatedRow {
    pub(in crate::lobby) fn match_id(&self) -> MatchId {
        self.match_id.into()
    }
}

/// The match that `creator` made with `key`.
pub(in crate::lobby) async fn created_with(
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
pub(in crate::lobby) async fn starts_by_itself(
    transaction: &Transaction,
    id: MatchId,
) -> Result<bool, DbErr> {
    let statement = sql(
        transaction,
        "SELECT auto_start FROM match_setups WHERE match_id = $1",
        [id.as_uuid().into()],
    );
    let row = FlagRow::find_by_statement(statement).one(transaction).await?;
    Ok(row.is_some_and(|row| row.auto_start != 0))
}

#[derive(Debug, FromQueryResult)]
struct RematchRow {
    match_id: Uuid,
}

/// The rematch of a match, if it was made.
pub(in crate::lobby) async fn rematch_of(
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
