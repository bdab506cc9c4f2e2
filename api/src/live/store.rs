//! The statements that ask how matches stand: watched ones, and those of a player.

use quartett_engine::Status;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement, Value};
use uuid::Uuid;

use super::player_news::{MATCHES_MAX, Standing};
use crate::db::sql;
use crate::ids::{MatchId, PlayerId};
use crate::play::status_number;

/// Places for so many values: a statement is prepared for few numbers of them, not for every one.
const PLACES: [usize; 4] = [1, 8, 64, 512];

/// A statement with `ids` where `{ids}` stands in `text`, as `$1, $2, …`.
fn about(
    connection: &impl ConnectionTrait,
    text: &str,
    ids: impl ExactSizeIterator<Item = Uuid>,
) -> Option<Statement> {
    let mut values: Vec<Value> = ids.map(Value::from).collect();
    let last = values.last()?.clone();
    let places = PLACES.into_iter().find(|places| *places >= values.len());
    // The rest is filled with the last one: asked for twice it is found once.
    values.resize(places.unwrap_or(values.len()), last);
    let names: Vec<String> = (1..=values.len()).map(|number| format!("${number}")).collect();
    let text = text.replace("{ids}", &names.join(", "));
    Some(Statement::from_sql_and_values(
        connection.get_database_backend(),
        text,
        values,
    ))
}

#[derive(Debug, FromQueryResult)]
struct VersionRow {
    id: Uuid,
    version: i64,
}

/// The versions of these matches.
pub(super) async fn versions(
    connection: &impl ConnectionTrait,
    matches: &[MatchId],
) -> Result<Vec<(MatchId, u64)>, DbErr> {
    let text = "SELECT id, version FROM matches WHERE id IN ({ids})";
    let Some(statement) = about(connection, text, matches.iter().map(|id| id.as_uuid())) else {
        return Ok(Vec::new());
    };
    let rows = VersionRow::find_by_statement(statement).all(connection).await?;
    let versions = rows.into_iter().map(|row| (row.id.into(), counted(row.version)));
    Ok(versions.collect())
}

#[derive(Debug, FromQueryResult)]
struct RunningRow {
    player_id: Uuid,
    match_id: Uuid,
    version: i64,
    my_turn: bool,
}

/// How the matches stand that these players have and that are not over: of each player the newest ones.
pub(super) async fn running(
    connection: &impl ConnectionTrait,
    players: &[PlayerId],
) -> Result<Vec<(PlayerId, Standing)>, DbErr> {
    // The partial index gives what runs, however much was played; the number of a row keeps one player with
    // very many matches from making everybody wait.
    let text = format!(
        "SELECT r.player_id, r.match_id, m.version, COALESCE(m.turn = r.seat, FALSE) AS my_turn
         FROM (
             SELECT player_id, match_id, seat,
                    ROW_NUMBER() OVER (PARTITION BY player_id ORDER BY match_id DESC) AS number
             FROM match_seats WHERE is_over = 0 AND player_id IN ({{ids}})
         ) r
         JOIN matches m ON m.id = r.match_id
         WHERE r.number <= {MATCHES_MAX}"
    );
    let Some(statement) = about(connection, &text, players.iter().map(|id| id.as_uuid())) else {
        return Ok(Vec::new());
    };
    let rows = RunningRow::find_by_statement(statement).all(connection).await?;
    let running = rows.into_iter().map(|row| {
        let standing = Standing {
            match_id: row.match_id.into(),
            version: counted(row.version),
            my_turn: row.my_turn,
        };
        (PlayerId::from(row.player_id), standing)
    });
    Ok(running.collect())
}

/// Which of a player's matches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) player: PlayerId,
    pub(super) status: Option<Status>,
    pub(super) is_my_turn: bool,
    /// Only those behind this one.
    pub(super) behind: Option<Uuid>,
    pub(super) rows: i64,
}

impl Wanted {
    /// Which seats, which heads, and whether every seat has a fitting head. Where it says `is_over = 0` the
    /// partial index answers, however much was played.
    const fn conditions(self) -> (&'static str, &'static str, bool) {
        let turn = "m.turn = s.seat";
        match (self.status, self.is_my_turn) {
            (None, false) => ("TRUE", "TRUE", true),
            (None, true) => ("is_over = 0", turn, false),
            (Some(Status::Waiting), false) => ("is_over = 0", "m.status = 0", false),
            // What is frozen is taken for running or ended.
            (Some(Status::Active), false) => ("is_over = 0", "m.status <> 0", false),
            (Some(Status::Active), true) => ("is_over = 0", "m.status <> 0 AND m.turn = s.seat", false),
            (Some(Status::Ended), false) => ("is_over = 1", "m.status <> 3", false),
            (Some(Status::Cancelled), false) => ("is_over = 1", "m.status = 3", false),
            (Some(Status::Waiting | Status::Ended | Status::Cancelled), true) => ("FALSE", "FALSE", true),
        }
    }
}

/// A match of a player's.
#[derive(Debug, FromQueryResult)]
pub(super) struct MyMatchRow {
    pub(super) match_id: Uuid,
    pub(super) seat: i16,
    is_over: i16,
    status: i16,
    pub(super) version: i64,
    pub(super) turn: Option<i16>,
    pub(super) phase: Option<i16>,
    pub(super) deadline_at: Option<i64>,
    pub(super) result: Option<String>,
    pub(super) updated_at: i64,
    /// The stored first entry, which tells the terms.
    pub(super) payload: Vec<u8>,
    /// In how many matches the player is waited for; the same in every row.
    pub(super) my_turn_count: i64,
}

const MY_TURN_COUNT: &str = "SELECT count(*) FROM match_seats s JOIN matches m ON m.id = s.match_id
     WHERE s.player_id = $1 AND s.is_over = 0 AND m.turn = s.seat";

/// `status` of a match that was cancelled.
const CANCELLED: i16 = status_number(Status::Cancelled);

impl MyMatchRow {
    /// Where it stands. A frozen match is taken for a running or an ended one.
    pub(super) const fn status(&self) -> Status {
        match (self.is_over, self.status) {
            (0, 0) => Status::Waiting,
            (0, _) => Status::Active,
            (_, CANCELLED) => Status::Cancelled,
            _ => Status::Ended,
        }
    }
}

/// Matches of a player, the newest first. The count comes with them, so that it belongs to the same moment.
pub(super) async fn my_matches(
    connection: &impl ConnectionTrait,
    wanted: Wanted,
) -> Result<Vec<MyMatchRow>, DbErr> {
    let (seats, heads, all_fit) = wanted.conditions();
    // Where every seat fits, so many are enough: said in here, so that no plan begins with all matches there are.
    let enough = if all_fit {
        "ORDER BY match_id DESC LIMIT $3"
    } else {
        ""
    };
    let text = format!(
        "SELECT s.match_id, s.seat, s.is_over, m.status, m.version, m.turn, m.phase, m.deadline_at, m.result,
                m.updated_at, e.payload, ({MY_TURN_COUNT}) AS my_turn_count
         FROM (SELECT match_id, seat, is_over FROM match_seats
               WHERE player_id = $1 AND match_id < $2 AND {seats} {enough}) s
         JOIN matches m ON m.id = s.match_id
         JOIN match_entries e ON e.match_id = s.match_id AND e.version = 1
         WHERE {heads}
         ORDER BY s.match_id DESC LIMIT $3"
    );
    let values = [
        wanted.player.as_uuid().into(),
        wanted.behind.unwrap_or(Uuid::max()).into(),
        wanted.rows.into(),
    ];
    let statement = sql(connection, &text, values);
    MyMatchRow::find_by_statement(statement).all(connection).await
}

#[derive(Debug, FromQueryResult)]
struct CountRow {
    count: i64,
}

/// In how many matches a player is waited for, where no row tells it.
pub(super) async fn my_turn_count(connection: &impl ConnectionTrait, player: PlayerId) -> Result<i64, DbErr> {
    let text = format!("SELECT ({MY_TURN_COUNT}) AS count");
    let statement = sql(connection, &text, [player.as_uuid().into()]);
    let row = CountRow::find_by_statement(statement).one(connection).await?;
    Ok(row.map_or(0, |row| row.count))
}

/// A taken seat of a match.
#[derive(Debug, FromQueryResult)]
pub(super) struct SeatRow {
    pub(super) match_id: Uuid,
    pub(super) seat: i16,
    pub(super) bot_level: Option<i16>,
    pub(super) player_id: Option<Uuid>,
    pub(super) display_name: Option<String>,
}

/// The taken seats of these matches.
pub(super) async fn seats(
    connection: &impl ConnectionTrait,
    matches: &[MyMatchRow],
) -> Result<Vec<SeatRow>, DbErr> {
    let text = "SELECT s.match_id, s.seat, s.bot_level, s.player_id, p.display_name
         FROM match_seats s LEFT JOIN players p ON p.id = s.player_id AND p.erased_at IS NULL
         WHERE s.match_id IN ({ids}) ORDER BY s.match_id, s.seat";
    let Some(statement) = about(connection, text, matches.iter().map(|row| row.match_id)) else {
        return Ok(Vec::new());
    };
    SeatRow::find_by_statement(statement).all(connection).await
}

/// A version as the log counts.
pub(super) fn counted(version: i64) -> u64 {
    u64::try_from(version).unwrap_or(0)
}
