//! Who does not want to meet whom.

use std::collections::HashSet;

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement, Value};
use uuid::Uuid;

use super::players::PublicRow;
use crate::accounts::player::Player;
use crate::db::sql;
use crate::ids::PlayerId;

/// Stores that a player blocks another; again changes nothing.
pub(crate) async fn block(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
    blocked_id: PlayerId,
    now: i64,
) -> Result<(), DbErr> {
    // Looks and stores in one: a player who is erased at this moment is not blocked after it.
    let statement = sql(
        connection,
        "INSERT INTO blocks (player_id, blocked_id, created_at)
         SELECT $1, id, $3 FROM players WHERE id = $2 AND erased_at IS NULL
         ON CONFLICT (player_id, blocked_id) DO NOTHING",
        [
            player_id.as_uuid().into(),
            blocked_id.as_uuid().into(),
            now.into(),
        ],
    );
    connection.execute_raw(statement).await.map(|_| ())
}

/// Takes a block back; one that is not there changes nothing.
pub(crate) async fn unblock(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
    blocked_id: PlayerId,
) -> Result<(), DbErr> {
    let statement = sql(
        connection,
        "DELETE FROM blocks WHERE player_id = $1 AND blocked_id = $2",
        [player_id.as_uuid().into(), blocked_id.as_uuid().into()],
    );
    connection.execute_raw(statement).await.map(|_| ())
}

/// A block with the player it is about.
#[derive(Debug)]
pub(crate) struct BlockRow {
    pub(crate) player: Player,
    pub(crate) created_at: i64,
}

#[derive(Debug, FromQueryResult)]
struct BlockedAt {
    created_at: i64,
}

/// The blocks of a player in the order of the blocked players' ids, behind `after`.
pub(crate) async fn blocks(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
    after: Option<PlayerId>,
    rows: i64,
) -> Result<Vec<BlockRow>, DbErr> {
    let statement = sql(
        connection,
        "SELECT p.id AS player_id, p.kind, p.display_name, p.created_at AS player_created_at, b.created_at
         FROM blocks b JOIN players p ON p.id = b.blocked_id
         WHERE b.player_id = $1 AND b.blocked_id > $2 AND p.erased_at IS NULL
         ORDER BY b.blocked_id LIMIT $3",
        [
            player_id.as_uuid().into(),
            after.map_or(Uuid::nil(), PlayerId::as_uuid).into(),
            rows.into(),
        ],
    );
    let found = connection.query_all_raw(statement).await?;
    found
        .iter()
        .map(|row| {
            Ok(BlockRow {
                player: PublicRow::from_query_result(row, "")?.into(),
                created_at: BlockedAt::from_query_result(row, "")?.created_at,
            })
        })
        .collect()
}

/// Whether `player_id` blocks one of `others`, or one of them blocks `player_id`: then they do not meet.
pub(crate) async fn blocked_between(
    connection: &impl ConnectionTrait,
    player_id: PlayerId,
    others: &[PlayerId],
) -> Result<bool, DbErr> {
    if others.is_empty() {
        return Ok(false);
    }
    let places: Vec<String> = (2..)
        .take(others.len())
        .map(|place| format!("${place}"))
        .collect();
    let places = places.join(", ");
    let text = format!(
        "SELECT 1 AS found FROM blocks
         WHERE player_id = $1 AND blocked_id IN ({places}) OR blocked_id = $1 AND player_id IN ({places})
         LIMIT 1"
    );
    let values: Vec<Value> = std::iter::once(player_id.as_uuid().into())
        .chain(others.iter().map(|other| other.as_uuid().into()))
        .collect();
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    Ok(connection.query_one_raw(statement).await?.is_some())
}

#[cfg(test)]
mod tests {
    use super::{block, blocked_between, unblock};
    use crate::accounts::names::{DisplayName, Locale};
    use crate::accounts::store::{NewPlayer, insert_player};
    use crate::clock::{ManualClock, SeededRandomness};
    use crate::config::Config;
    use crate::db::Database;
    use crate::ids::PlayerId;

    #[tokio::test]
    async fn a_block_counts_in_both_directions() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/q.db", folder.path().display());
        let config = Config::read(|name| (name == "DATABASE_URL").then(|| url.clone())).unwrap();
        let database = Database::open(&config).await.unwrap();
        let connection = database.write();
        let (clock, randomness) = (ManualClock::at(0), SeededRandomness::new(1));
        let mut ids = Vec::new();
        for _ in 0..4 {
            let id = PlayerId::new(&clock, &randomness);
            let player = NewPlayer {
                id,
                display_name: DisplayName::parse("Somebody").unwrap(),
                locale: Locale::default(),
                credentials: None,
                created_at: 0,
            };
            insert_player(connection, &player).await.unwrap();
            ids.push(id);
        }
        let [ann, bob, cat, dan] = ids.try_into().unwrap();
        block(connection, ann, bob, 0).await.unwrap();
        block(connection, cat, ann, 0).await.unwrap();
        for (player, others, expected) in [
            (ann, [bob, dan].as_slice(), true),
            (bob, &[ann], true),
            (ann, &[dan, cat], true),
            (ann, &[dan], false),
            (ann, &[ann, dan], false),
            (bob, &[cat, dan], false),
            (ann, &[], false),
        ] {
            assert_eq!(
                blocked_between(connection, player, others).await.unwrap(),
                expected
            );
        }
        unblock(connection, ann, bob).await.unwrap();
        assert!(!blocked_between(connection, bob, &[ann]).await.unwrap());
    }
}

/// Who has blocked whom: the one who blocks first.
pub(crate) type Blocks = HashSet<(PlayerId, PlayerId)>;

#[derive(FromQueryResult)]
struct PairRow {
    player_id: Uuid,
    blocked_id: Uuid,
}

/// Every block of one of `players` against another of them.
pub(crate) async fn blocks_among(
    connection: &impl ConnectionTrait,
    players: &[PlayerId],
) -> Result<Blocks, DbErr> {
    if players.len() < 2 {
        return Ok(Blocks::new());
    }
    let places: Vec<String> = (1..=players.len()).map(|place| format!("${place}")).collect();
    let places = places.join(", ");
    let text = format!(
        "SELECT player_id, blocked_id FROM blocks WHERE player_id IN ({places}) AND blocked_id IN ({places})"
    );
    let values: Vec<Value> = players.iter().map(|player| player.as_uuid().into()).collect();
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    let rows = PairRow::find_by_statement(statement).all(connection).await?;
    let pairs = rows
        .into_iter()
        .map(|row| (row.player_id.into(), row.blocked_id.into()));
    Ok(pairs.collect())
}
