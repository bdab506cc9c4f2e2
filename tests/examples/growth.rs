//! Measures what an action costs as its match grows long, and while a fresh database fills.
//!
//! ```text
//! cargo build --release -p quartett-tests --examples
//! cargo run --release -p quartett-tests --example growth -- 10000
//! ```
//!
//! The number is how many actions are measured each time: first in one match of `pairs`, whose players miss on
//! purpose as long as the options allow, then at a hundred tables by turns, from an empty database on. Both on a
//! Postgres server of its own that waits for the disk, and on SQLite. Every twentieth request is sent once more: its
//! answer is looked up by its key and made from the log.

use std::io::Write;
use std::time::{Duration, Instant};

use quartett_tests::driving::Driver;
use quartett_tests::process::Process;
use quartett_tests::setups::{open_match, with_options};
use quartett_tests::{Client, Database, OwnServer, Player, cpu_time, stored};
use sea_orm::FromQueryResult;
use serde_json::{Value, json};

/// Figures are told of so many actions together.
const TOGETHER: usize = 1000;

/// One request in so many is sent again.
const AGAIN: usize = 20;

/// Tables at which a fresh database is filled.
const TABLES: usize = 100;

/// After so many misses the players of the long match open a place that was closed so far: the longest option
/// ends a match after a thousand of places known.
const MISSES: u32 = 900;

#[derive(Debug, FromQueryResult)]
struct Stored {
    thousand: i64,
    bytes: i64,
}

#[tokio::main]
async fn main() {
    let actions = std::env::args().nth(1).and_then(|argument| argument.parse().ok());
    let actions: usize = actions.unwrap_or(10_000);
    for backend in ["Postgres", "SQLite"] {
        say(&format!("{backend}, one match:"));
        measured(backend, async |service, database| {
            long_match(service, actions).await;
            tell_stored(database).await;
        })
        .await;
        say(&format!("{backend}, {TABLES} tables in a fresh database:"));
        measured(backend, async |service, _| many_matches(service, actions).await).await;
    }
}

/// Measures a service on an empty database.
async fn measured(backend: &str, what: impl AsyncFnOnce(&Process, &Database)) {
    let server = if backend == "Postgres" {
        let server = OwnServer::start("-c shared_buffers=512MB");
        Some(server.expect("Postgres server programs"))
    } else {
        None
    };
    let database = server.as_ref().map_or_else(Database::sqlite, OwnServer::database);
    let service = Process::start(&database).await;
    what(&service, &database).await;
    service.kill();
}

/// Acts in one match.
async fn long_match(service: &Process, actions: usize) {
    let setup = with_options(open_match("pairs", "wohnbau", 2), &json!({"idle": 1000}));
    let mut driver = table(service.url(), &setup).await;
    let mut forgetful = Forgetful::default();
    let mut figures = Figures::new(service);
    for _ in 0..actions {
        figures.act(&mut driver, |driver| forgetful.action(driver));
    }
}

/// Acts at many tables by turns.
async fn many_matches(service: &Process, actions: usize) {
    let setup = with_options(
        open_match("vdb_supertrumpf", "sportwaffen", 2),
        &json!({"rounds": 1000}),
    );
    let mut figures = Figures::new(service);
    let mut drivers = Vec::new();
    for action in 0..actions {
        // A table is opened when it is first come to, so that there is nothing but what was played.
        if drivers.len() < TABLES {
            drivers.push(table(service.url(), &setup).await);
        }
        let driver = &mut drivers[action % TABLES];
        if driver.seen.turn.is_none() {
            *driver = table(service.url(), &setup).await;
        }
        figures.act(driver, |driver| {
            let seat = driver.seen.turn.expect("it is somebody's turn").seat;
            if driver.seen_by != seat {
                driver.look(seat);
            }
            driver.seen.legal_actions[0].to_string()
        });
    }
}

async fn table(url: &str, setup: &Value) -> Driver {
    let client = Client::of(url);
    let players = [guest(&client).await, guest(&client).await];
    let created = players[0].create_match(setup).await.expect(201);
    let match_id = created.text_at("/match_id");
    players[1].join(&match_id).await.expect(200);
    Driver::new(url, &match_id, &players)
}

async fn guest(client: &Client) -> Player {
    let pair = client
        .post("/v1/auth/guest", &json!({"display_name": "Guest"}))
        .await;
    client.signed_in(&pair.expect(201).body)
}

/// Two players who open the same two places again and again.
struct Forgetful {
    places: [u8; 2],
    unopened: u8,
    flips: u32,
    seat: usize,
    /// The place that is opened instead of the second, in a turn that is no miss of places known.
    instead: Option<u8>,
}

impl Default for Forgetful {
    fn default() -> Self {
        Self {
            places: [1, 2],
            unopened: 3,
            flips: 0,
            seat: 0,
            instead: None,
        }
    }
}

impl Forgetful {
    fn action(&mut self, driver: &Driver) -> String {
        let seat = driver.seen.turn.expect("the match goes on").seat;
        let is_second = self.flips % 2 == 1;
        if self.flips > 0 && !is_second && seat == self.seat {
            // It was a pair, and whoever found it goes on with two others.
            self.places = [self.unopened, self.unopened + 1];
            self.unopened += 2;
        }
        self.seat = seat;
        self.flips += 1;
        if is_second && self.flips.is_multiple_of(2 * MISSES) {
            self.instead = Some(self.unopened);
            self.unopened += 1;
        }
        let place = if is_second {
            self.instead.take().unwrap_or(self.places[1])
        } else {
            self.places[0]
        };
        format!(r#"{{"type":"flip_card","flip_card":{{"place":{place}}}}}"#)
    }
}

/// How long actions took.
struct Figures<'a> {
    service: &'a Process,
    acted: Vec<Duration>,
    again: Vec<Duration>,
    actions: usize,
    cpu: Duration,
}

impl<'a> Figures<'a> {
    fn new(service: &'a Process) -> Self {
        Self {
            service,
            acted: Vec::new(),
            again: Vec::new(),
            actions: 0,
            cpu: Duration::ZERO,
        }
    }

    /// Acts once at a table and counts it.
    fn act(&mut self, driver: &mut Driver, action: impl FnOnce(&mut Driver) -> String) {
        let action = action(driver);
        let seat = driver.seen.turn.expect("it is somebody's turn").seat;
        let (begun, cpu) = (now(), cpu_time::of_process(self.service.id()));
        let (status, sent) = driver.act(seat, &action);
        self.acted.push(begun.elapsed());
        self.cpu += cpu_time::of_process(self.service.id()) - cpu;
        assert_eq!(status, 200, "{}", driver.answer());
        self.actions += 1;
        if self.actions.is_multiple_of(AGAIN) {
            let begun = now();
            assert_eq!(driver.send(&sent), 200, "{}", driver.answer());
            self.again.push(begun.elapsed());
        }
        if self.acted.len() == TOGETHER {
            self.tell();
        }
    }

    fn tell(&mut self) {
        let mut acted = std::mem::take(&mut self.acted);
        let mut again = std::mem::take(&mut self.again);
        let cpu = std::mem::take(&mut self.cpu);
        let at = |times: &mut Vec<Duration>, percent: usize| {
            times.sort_unstable();
            times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0
        };
        say(&format!(
            "  up to action {}: {:.2} ms (median), {:.2} ms (99 %), {:.0} µs of processor; sent again {:.2} ms \
             (median), {:.2} ms (longest)",
            self.actions,
            at(&mut acted, 50),
            at(&mut acted, 99),
            cpu.as_secs_f64() * 1_000_000.0 / acted.len() as f64,
            at(&mut again, 50),
            at(&mut again, 100),
        ));
    }
}

/// What the log of the match takes.
async fn tell_stored(database: &Database) {
    let connection = database.connect().await;
    let stored: Vec<Stored> = stored::rows(
        &connection,
        "SELECT version / 1000 AS thousand, CAST(SUM(LENGTH(payload)) / COUNT(*) AS bigint) AS bytes
         FROM match_entries GROUP BY version / 1000 ORDER BY version / 1000",
    )
    .await;
    let bytes: Vec<String> = stored
        .iter()
        .map(|stored| format!("{} from {}", stored.bytes, stored.thousand * 1000))
        .collect();
    say(&format!("  bytes of an entry's payload: {}", bytes.join(", ")));
    let size = if database.is_postgres() {
        "SELECT COUNT(*) AS thousand, pg_total_relation_size('match_entries') AS bytes FROM match_entries"
    } else {
        "SELECT COUNT(*) AS thousand, (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
         AS bytes FROM match_entries"
    };
    let size: Vec<Stored> = stored::rows(&connection, size).await;
    let Stored {
        thousand: entries,
        bytes,
    } = size[0];
    say(&format!(
        "  {entries} entries take {bytes} bytes with their indexes, {} each",
        bytes / entries
    ));
    connection.close().await.expect("the connection can be closed");
}

#[expect(clippy::disallowed_methods, reason = "it measures time as it is")]
fn now() -> Instant {
    Instant::now()
}

fn say(line: &str) {
    // Nothing is left to do if even this cannot be written.
    let _ = writeln!(std::io::stdout(), "{line}");
}
