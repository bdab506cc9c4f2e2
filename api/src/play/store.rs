//! The statements that read a match. The one that appends to it stands in `append`.

use quartett_engine::Seats;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult};
use uuid::Uuid;

use super::table::SeatedPlayer;
use crate::db::{Transaction, sql};
use crate::ids::{MatchId, PlayerId};
use crate::wire::Visibility;

/// `status` of a match that takes nothing until an operator has looked at it.
pub(crate) const FROZEN: i16 = 4;

/// The compare-and-set head of a match.
#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct HeadRow {
    pub(crate) status: i16,
    pub(crate) version: i64,
    pub(crate) head_hash: Vec<u8>,
    /// Changes without an entry.
    pub(crate) invite_code: Option<String>,
}

const HEAD: &str = "SELECT m.status, m.version, m.head_hash, s.invite_code
     FROM matches m JOIN match_setups s ON s.match_id = m.id WHERE m.id = $1";

/// The head of a match, if there is such a match.
pub(crate) async fn head(connection: &impl ConnectionTrait, id: MatchId) -> Result<Option<HeadRow>, DbErr> {
    let statement = sql(connection, HEAD, [id.as_uuid().into()]);
    HeadRow::find_by_statement(statement).one(connection).await
}

/// The head of a match, held against every other writer until the transaction ends. SQLite has only one.
pub(super) async fn lock_head(transaction: &Transaction, id: MatchId) -> Result<Option<HeadRow>, DbErr> {
    let text = if transaction.get_database_backend() == DbBackend::Postgres {
        format!("{HEAD} FOR UPDATE OF m")
    } else {
        HEAD.to_owned()
    };
    let statement = sql(transaction, &text, [id.as_uuid().into()]);
    HeadRow::find_by_statement(statement).one(transaction).await
}

/// What never changes after the start.
#[derive(Debug, FromQueryResult)]
pub(super) struct SetupRow {
    pub(super) deck_hash: Vec<u8>,
    pub(super) visibility: i16,
    pub(super) invite_code: Option<String>,
    /// Gone once the match has ended.
    pub(super) sealed_seed: Option<Vec<u8>>,
}

impl SetupRow {
    pub(super) fn visibility(&self) -> Visibility {
        match self.visibility {
            0 => Visibility::Open,
            _ => Visibility::Invite,
        }
    }
}

pub(super) async fn setup(connection: &impl ConnectionTrait, id: MatchId) -> Result<Option<SetupRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT m.deck_hash, m.visibility, m.invite_code, s.sealed_seed
         FROM match_setups m LEFT JOIN match_secrets s ON s.match_id = m.match_id
         WHERE m.match_id = $1",
        [id.as_uuid().into()],
    );
    SetupRow::find_by_statement(statement).one(connection).await
}

/// An entry as it is stored.
#[derive(Debug, FromQueryResult)]
pub(crate) struct EntryRow {
    pub(crate) version: i64,
    pub(crate) payload: Vec<u8>,
    pub(crate) hash: Vec<u8>,
}

/// The entries after `after`, up to `last`, in their order; at most `limit`.
pub(crate) async fn entries(
    connection: &impl ConnectionTrait,
    id: MatchId,
    after: i64,
    last: i64,
    limit: i64,
) -> Result<Vec<EntryRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT version, payload, hash FROM match_entries
         WHERE match_id = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT $4",
        [id.as_uuid().into(), after.into(), last.into(), limit.into()],
    );
    EntryRow::find_by_statement(statement).all(connection).await
}

#[derive(Debug, FromQueryResult)]
struct SeatRow {
    seat: i16,
    player_id: Option<Uuid>,
    display_name: Option<String>,
    revision: Option<i64>,
}

/// Who holds which seat of a match with `count` seats.
pub(crate) async fn players(
    connection: &impl ConnectionTrait,
    id: MatchId,
    count: usize,
) -> Result<Seats<Option<SeatedPlayer>>, DbErr> {
    let statement = sql(
        connection,
        "SELECT s.seat, s.player_id, p.display_name, p.revision
         FROM match_seats s LEFT JOIN players p ON p.id = s.player_id AND p.erased_at IS NULL
         WHERE s.match_id = $1",
        [id.as_uuid().into()],
    );
    let rows = SeatRow::find_by_statement(statement).all(connection).await?;
    Ok(Seats::build(count, |seat| {
        let row = rows.iter().find(|row| row.seat == i16::from(seat.0))?;
        Some(SeatedPlayer {
            player_id: PlayerId::from(row.player_id?),
            display_name: row.display_name.clone()?,
            revision: row.revision?,
        })
    }))
}

/// What a key has led to.
#[derive(Debug, FromQueryResult)]
pub(crate) struct AppendRow {
    pub(crate) fingerprint: Option<Vec<u8>>,
    pub(crate) append_first: i64,
    pub(crate) append_last: i64,
}

/// The append that a key was used for.
pub(super) async fn append_of_key(
    connection: &impl ConnectionTrait,
    id: MatchId,
    action_key: &[u8; 16],
) -> Result<Option<AppendRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT fingerprint, append_first, append_last FROM match_entries
         WHERE action_key = $1 AND match_id = $2",
        [action_key.to_vec().into(), id.as_uuid().into()],
    );
    AppendRow::find_by_statement(statement).one(connection).await
}

/// Stops a match whose stored data was lost or altered.
pub(super) async fn freeze(connection: &impl ConnectionTrait, id: MatchId) -> Result<(), DbErr> {
    let statement = sql(
        connection,
        "UPDATE matches SET status = $2 WHERE id = $1",
        [id.as_uuid().into(), FROZEN.into()],
    );
    connection.execute_raw(statement).await.map(|_| ())
}

/// Has the sweeper look at a match at `at` or before. Earlier is never wrong: it looks and goes on. A wake that
/// is claimed changes in any case, so that whoever claimed it does not move it to what was due before.
pub(crate) async fn wake_at(connection: &impl ConnectionTrait, id: MatchId, at: i64) -> Result<(), DbErr> {
    let statement = sql(
        connection,
        "INSERT INTO match_wakes (match_id, wake_at) VALUES ($1, $2)
         ON CONFLICT (match_id) DO UPDATE SET wake_at =
             CASE WHEN excluded.wake_at < match_wakes.wake_at THEN excluded.wake_at ELSE match_wakes.wake_at - 1 END",
        [id.as_uuid().into(), at.into()],
    );
    connection.execute_raw(statement).await.map(|_| ())
}

#[derive(Debug, FromQueryResult)]
struct WakeRow {
    match_id: Uuid,
}

/// Claims matches that are due at `now`, by moving their wakes to `until`; at most `most`.
pub(crate) async fn claim_due(
    connection: &impl ConnectionTrait,
    now: i64,
    until: i64,
    most: i64,
) -> Result<Vec<MatchId>, DbErr> {
    let skipping = if connection.get_database_backend() == DbBackend::Postgres {
        "FOR UPDATE SKIP LOCKED"
    } else {
        ""
    };
    let text = format!(
        "UPDATE match_wakes SET wake_at = $2 WHERE match_id IN (
             SELECT match_id FROM match_wakes WHERE wake_at <= $1 ORDER BY wake_at LIMIT $3 {skipping})
         RETURNING match_id"
    );
    let statement = sql(connection, &text, [now.into(), until.into(), most.into()]);
    let rows = WakeRow::find_by_statement(statement).all(connection).await?;
    Ok(rows.into_iter().map(|row| row.match_id.into()).collect())
}

/// Moves the wake of a claimed match to `next`, or removes it. A wake that somebody moved meanwhile stays.
pub(crate) async fn move_wake(
    connection: &impl ConnectionTrait,
    id: MatchId,
    claimed_until: i64,
    next: Option<i64>,
) -> Result<(), DbErr> {
    let id = id.as_uuid().into();
    let statement = match next {
        Some(next) => sql(
            connection,
            "UPDATE match_wakes SET wake_at = $3 WHERE match_id = $1 AND wake_at = $2",
            [id, claimed_until.into(), next.into()],
        ),
        None => sql(
            connection,
            "DELETE FROM match_wakes WHERE match_id = $1 AND wake_at = $2",
            [id, claimed_until.into()],
        ),
    };
    connection.execute_raw(statement).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::{claim_due, move_wake, wake_at};
    use crate::clock::{ManualClock, SeededRandomness};
    use crate::config::Config;
    use crate::db::Database;
    use crate::ids::MatchId;

    #[tokio::test]
    async fn a_wake_asked_for_while_it_is_claimed_is_not_moved_away() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/q.db", folder.path().display());
        let config = Config::read(|name| (name == "DATABASE_URL").then(|| url.clone())).unwrap();
        let database = Database::open(&config).await.unwrap();
        let connection = database.write();
        let id = MatchId::new(&ManualClock::at(0), &SeededRandomness::new(1));
        wake_at(connection, id, 1_000).await.unwrap();
        assert_eq!(claim_due(connection, 999, 11_000, 9).await.unwrap(), []);
        assert_eq!(claim_due(connection, 1_000, 11_000, 9).await.unwrap(), [id]);
        // Whoever claimed it saw a match that rests; now a player is back, with a minute for the turn.
        wake_at(connection, id, 61_000).await.unwrap();
        move_wake(connection, id, 11_000, Some(9_999_000)).await.unwrap();
        assert_eq!(claim_due(connection, 11_000, 21_000, 9).await.unwrap(), [id]);
        move_wake(connection, id, 21_000, Some(61_000)).await.unwrap();
        assert_eq!(claim_due(connection, 60_999, 70_000, 9).await.unwrap(), []);
        assert_eq!(claim_due(connection, 61_000, 71_000, 9).await.unwrap(), [id]);
    }
}
