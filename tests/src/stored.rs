//! What is stored, read behind the back of the service: what must be true whatever crashes and races happened.

use std::collections::{BTreeMap, BTreeSet};

use quartett_engine::{Seed, chain};
use sea_orm::{ConnectOptions, DatabaseConnection, FromQueryResult, Statement};
use serde_json::Value;
use uuid::Uuid;

use crate::Database;

/// Statuses as they are stored.
const ACTIVE: i16 = 1;
const ENDED: i16 = 2;
const CANCELLED: i16 = 3;

/// An entry as it is stored.
#[derive(Debug, FromQueryResult)]
pub struct Entry {
    match_id: Uuid,
    /// Its number.
    pub version: i64,
    payload: Vec<u8>,
    action_key: Option<Vec<u8>>,
    append_first: i64,
    append_last: i64,
    prev_hash: Vec<u8>,
    hash: Vec<u8>,
}

#[derive(Debug, FromQueryResult)]
struct Head {
    id: Uuid,
    status: i16,
    version: i64,
    head_hash: Vec<u8>,
    deadline_at: Option<i64>,
    wake_at: Option<i64>,
    sealed_seed: Option<Vec<u8>>,
}

impl Database {
    /// A connection beside the service.
    pub async fn connect(&self) -> DatabaseConnection {
        let mut options = ConnectOptions::new(self.url());
        options.max_connections(1).sqlx_logging(false);
        sea_orm::Database::connect(options)
            .await
            .expect("the database can be opened")
    }
}

/// What a statement without parameters finds.
pub async fn rows<R: FromQueryResult>(connection: &DatabaseConnection, text: &str) -> Vec<R> {
    let statement = Statement::from_string(connection.get_database_backend(), text);
    R::find_by_statement(statement)
        .all(connection)
        .await
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Checks every match in the database, and gives the number of entries of each by its id.
///
/// For each: versions 1..n without gap and a head that is the last of them; every entry follows the one before
/// it and nothing else does; one row per key; the chain is the one that the revealed seed gives over the stored
/// bytes; a running match has its secret and is woken in time, one that is over has told its seed.
pub async fn check(database: &Database) -> BTreeMap<String, i64> {
    let connection = database.connect().await;
    let heads: Vec<Head> = rows(
        &connection,
        "SELECT m.id, m.status, m.version, m.head_hash, m.deadline_at, w.wake_at, s.sealed_seed FROM matches m
         LEFT JOIN match_wakes w ON w.match_id = m.id LEFT JOIN match_secrets s ON s.match_id = m.id",
    )
    .await;
    let entries: Vec<Entry> = rows(
        &connection,
        "SELECT match_id, version, payload, action_key, append_first, append_last, prev_hash, hash
         FROM match_entries ORDER BY match_id, version",
    )
    .await;
    let mut logs: BTreeMap<Uuid, Vec<Entry>> = BTreeMap::new();
    for entry in entries {
        logs.entry(entry.match_id).or_default().push(entry);
    }
    assert_eq!(logs.len(), heads.len(), "every log has a head, every head a log");
    for head in &heads {
        let log = &logs[&head.id];
        check_log(log);
        let last = &log[log.len() - 1];
        assert_eq!(
            (head.version, &head.head_hash),
            (last.version, &last.hash),
            "the head is the last entry"
        );
        let is_over = head.status == ENDED || head.status == CANCELLED;
        assert_eq!(
            head.sealed_seed.is_none(),
            is_over,
            "a seed is secret until the end"
        );
        if is_over {
            check_chain(head.id, log);
        } else {
            let wake_at = head
                .wake_at
                .expect("the sweeper looks after every match that goes on");
            let due = head.deadline_at.filter(|_| head.status == ACTIVE);
            assert!(
                due.is_none_or(|due| wake_at <= due),
                "woken at {wake_at}, due at {due:?}"
            );
        }
    }
    connection.close().await.expect("the connection can be closed");
    logs.iter()
        .map(|(id, log)| (id.to_string(), log[log.len() - 1].version))
        .collect()
}

/// Versions, links, keys, and the frames of appends.
fn check_log(log: &[Entry]) {
    let mut keys = BTreeSet::new();
    let mut previous = chain::FIRST_PREVIOUS_HASH.to_vec();
    let mut hashes = BTreeSet::new();
    for (entry, version) in log.iter().zip(1..) {
        assert_eq!(entry.version, version, "versions 1..n without gap");
        assert_eq!(
            entry.prev_hash, previous,
            "entry {version} follows the one before it"
        );
        assert!(hashes.insert(&entry.hash), "one successor per hash");
        previous.clone_from(&entry.hash);
        if let Some(key) = &entry.action_key {
            assert!(keys.insert(key), "one row per key");
            assert_eq!(
                entry.append_first, version,
                "a key stands at the beginning of its append"
            );
        }
        assert!((entry.append_first..=entry.append_last).contains(&version));
        let frame = |entry: &&Entry| (entry.append_first, entry.append_last);
        let same = log.iter().filter(|other| frame(other) == frame(&entry)).count();
        assert_eq!(
            i64::try_from(same).expect("a short log"),
            entry.append_last - entry.append_first + 1,
            "an append is stored whole"
        );
    }
}

/// The hashes are those of the stored bytes under the seed that the last entry tells.
fn check_chain(id: Uuid, log: &[Entry]) {
    let last: Value = serde_json::from_slice(&log[log.len() - 1].payload).expect("a payload is JSON");
    let events = last["events"].as_array().expect("an entry has events");
    let told = events.iter().find_map(|event| {
        let ended = event["ended"]["seed"].as_str();
        ended.or_else(|| event["cancelled"]["seed"].as_str())
    });
    let mut seed = [0; 32];
    hex::decode_to_slice(told.expect("the end tells the seed"), &mut seed).expect("a seed in hex");
    for entry in log {
        let previous = entry.prev_hash.as_slice().try_into().expect("32 bytes");
        let version = u64::try_from(entry.version).expect("a version");
        let hash = chain::entry_hash(&Seed(seed), id.as_bytes(), version, &entry.payload, previous);
        assert_eq!(entry.hash, hash, "entry {version} of {id}");
    }
}
