//! What the sweeper costs: statements and rows read per minute on Postgres with 100 000 running matches, when
//! none is due and when one in a hundred is.
//!
//! ```sh
//! cargo run -p quartett-tests --example sweeper
//! ```
//!
//! A thousand matches are made over HTTP; the others are copies of rows whose time has not come, which nobody
//! reads. The counters are those of `pg_stat_user_tables` and `pg_stat_database`, so they hold everything that
//! one instance does in the background: revoked sessions and keys are looked up each second as well.
//!
//! Measured on Postgres 15 with two shared cores, per minute of the service's clock:
//!
//! | due | transactions | `match_wakes` | `matches` | `match_entries` | others |
//! |---|---|---|---|---|---|
//! | none | 193 | 126 rows read, none written | none | none | 120 rows read |
//! | 1 000 at once | 4 492 | 4 062 read, 2 000 written | 4 000 read, 1 000 written | 2 000 written | 136 read |
//!
//! So an idle sweep reads two rows, however many matches run, and a deadline costs four reads of its head, four
//! of its wake, and one append of two entries: the clock's and the bot's.

use std::io::Write;
use std::time::Duration;

use quartett_tests::setups::{small_match, with};
use quartett_tests::stored::rows;
use quartett_tests::{Database, Service, Ticking};
use sea_orm::{ConnectionTrait, DatabaseConnection, FromQueryResult};
use serde_json::json;

/// How many matches run.
const RUNNING: usize = 100_000;

/// How many of them are due at once.
const DUE: usize = 1_000;

/// A turn of a match that will be due.
const TURN_MILLIS: i64 = 3_600_000;

/// What was done with a table so far.
#[derive(Debug, FromQueryResult)]
struct Counted {
    relname: String,
    scans: i64,
    rows_read: i64,
    rows_written: i64,
}

#[derive(Debug, FromQueryResult)]
struct Number {
    number: i64,
}

#[tokio::main]
async fn main() {
    let Some(database) = Database::postgres().await else {
        say("there is no Postgres here");
        return;
    };
    let service = Service::start(&database).await;
    let connection = database.connect().await;
    fill(&service, &connection).await;

    say(&format!("{RUNNING} running matches, none due, one minute:"));
    minute(&service, &connection, 0, 10).await;

    say(&format!(
        "{RUNNING} running matches, {DUE} due at once, one minute:"
    ));
    minute(&service, &connection, TURN_MILLIS, 1).await;
    let passed: Vec<Number> = rows(
        &connection,
        "SELECT count(*) AS number FROM match_entries WHERE position('deadline_passed'::bytea in payload) > 0",
    )
    .await;
    say(&format!("deadlines that acted: {}", passed[0].number));
    connection.close().await.expect("the connection can be closed");
    service.stop().await;
}

/// Makes the matches.
async fn fill(service: &Service, connection: &DatabaseConnection) {
    let players = [service.player("Ann").await, service.player("Bob").await];
    let setup = with(small_match(), &json!({"turn_seconds": TURN_MILLIS / 1000}));
    let mut template = String::new();
    for _ in 0..DUE {
        let created = players[0].create_match(&setup).await.expect(201);
        template = created.text_at("/match_id");
        players[1].join(&template).await.expect(200);
    }
    let copies = RUNNING - DUE;
    let later = service.now_millis() + 30 * 24 * TURN_MILLIS;
    // Only ids and times differ; what hangs on the id (the seal, the chain) is never looked at before its time.
    for statement in [
        format!("CREATE TEMPORARY TABLE copies AS SELECT gen_random_uuid() AS id FROM generate_series(1, {copies})"),
        format!(
            "INSERT INTO matches SELECT c.id, status, version, head_hash, turn, phase, {later}, {later}, result,
             updated_at FROM matches m, copies c WHERE m.id = '{template}'"
        ),
        format!(
            "INSERT INTO match_entries SELECT c.id, version, payload, NULL, NULL, append_first, append_last,
             prev_hash, hash FROM match_entries e, copies c WHERE e.match_id = '{template}'"
        ),
        format!("INSERT INTO match_wakes SELECT id, {later} FROM copies"),
        "ANALYZE".to_owned(),
    ] {
        connection.execute_unprepared(&statement).await.expect("rows can be copied");
    }
}

/// Moves the clock, lets a minute pass at so many times its pace, and tells what the database did in it.
async fn minute(service: &Service, connection: &DatabaseConnection, millis: i64, times: u32) {
    let before = counters(connection).await;
    service.clock().advance(millis);
    let ticking = Ticking::new(service.clock(), times);
    seconds(60 / u64::from(times)).await;
    drop(ticking);
    let after = counters(connection).await;
    say(&format!("  transactions: {}", after.0 - before.0));
    for now in after.1 {
        let then = before.1.iter().find(|then| then.relname == now.relname);
        let since = |of: fn(&Counted) -> i64| of(&now) - then.map_or(0, of);
        let (scans, read, written) = (
            since(|counted| counted.scans),
            since(|counted| counted.rows_read),
            since(|counted| counted.rows_written),
        );
        if scans + read + written > 0 {
            say(&format!(
                "  {}: {scans} scans, {read} rows read, {written} written",
                now.relname
            ));
        }
    }
}

/// Transactions, and what was done with each table.
async fn counters(connection: &DatabaseConnection) -> (i64, Vec<Counted>) {
    // Each connection of the service tells its counts a while after it did something.
    seconds(12).await;
    let transactions: Vec<Number> = rows(
        connection,
        "SELECT xact_commit AS number FROM pg_stat_database WHERE datname = current_database()",
    )
    .await;
    let tables = rows(
        connection,
        "SELECT relname::text, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) AS scans,
             coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS rows_read,
             n_tup_ins + n_tup_upd + n_tup_del AS rows_written
         FROM pg_stat_user_tables ORDER BY relname",
    )
    .await;
    (transactions[0].number, tables)
}

async fn seconds(seconds: u64) {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    for _ in 0..=seconds {
        ticks.tick().await;
    }
}

fn say(line: &str) {
    // A closed output hears nothing.
    let _ = writeln!(std::io::stdout(), "{line}");
}
