//! The statements that ask how watched matches stand.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement, Value};
use uuid::Uuid;

use super::player_news::{MATCHES_MAX, Standing};
use crate::ids::{MatchId, PlayerId};

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

/// A version as the log counts.
fn counted(version: i64) -> u64 {
    u64::try_from(version).unwrap_or(0)
}
