//! Measures the service against what its database can do: actions per second by the side of bare appends.
//!
//! ```text
//! cargo build --release -p quartett-tests --examples
//! cargo run --release -p quartett-tests --example ceiling -- 5 10
//! ```
//!
//! The first number is how many rounds there are, the second how many seconds each measurement takes. Everything
//! runs on a Postgres server of its own that waits for the disk. In a round `pgbench` appends as fast as it can
//! (one statement, one commit: a head moved on, a row added), then the service is loaded over HTTP by 64 clients
//! who play a match each, then `pgbench` again. What counts is the ratio within a round: rates change with the
//! machine and with whoever else uses it. As root everything that is measured is one group for the scheduler.

mod cpu_group;

use std::io::Write;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quartett_tests::driving::Driver;
use quartett_tests::process::Process;
use quartett_tests::setups::{open_match, with_options};
use quartett_tests::{Client, Database, OwnServer, Player, cpu_time, program, stored};
use sea_orm::FromQueryResult;
use serde_json::json;
use tokio::sync::Semaphore;

const SCHEMA: &str = include_str!("schema.sql");
const APPEND: &str = include_str!("append.sql");

/// Clients of the service, each at a match of its own.
const CLIENTS: usize = 64;

/// Matches each of them may play in a round, one after the other: more than end within it.
const MATCHES_EACH: usize = 16;

/// Connections to the database, of the service and of `pgbench`.
const CONNECTIONS: &str = "32";

/// So many requests of the preparations are under way at once.
const AT_ONCE: usize = 16;

/// What a load came to.
#[derive(Debug, Clone, Copy, Default)]
struct Load {
    per_second: f64,
    /// Processor time per append or action: of the database, of the service, and of whoever loads them.
    database_micros: f64,
    service_micros: f64,
    client_micros: f64,
}

/// What is measured on.
struct Stand {
    database: Database,
    /// The first process of the server.
    postmaster: u32,
    service: Process,
    time: Duration,
}

#[derive(Debug, FromQueryResult)]
struct Number {
    number: i32,
}

#[tokio::main]
async fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok());
    let rounds: usize = numbers.next().unwrap_or(5);
    let seconds: usize = numbers.next().unwrap_or(10);
    if let Err(reason) = cpu_group::join() {
        say(&format!("NOT one group for the scheduler: {reason}"));
    }
    let server = OwnServer::start("-c max_connections=200 -c shared_buffers=512MB");
    let server = server.expect("Postgres server programs");
    let database = server.database();
    let service = Process::start_with(&database, &[("POOL_SIZE", CONNECTIONS)]).await;
    database.run(SCHEMA).await;
    let stand = Stand {
        postmaster: postmaster(&database).await,
        database,
        service,
        time: Duration::from_secs(seconds as u64),
    };
    let mut measured = Vec::new();
    for round in 1..=rounds {
        let before = stand.appends().await;
        let actions = stand.actions().await;
        let after = stand.appends().await;
        let ratio = actions.per_second * 2.0 / (before.per_second + after.per_second);
        say(&format!(
            "round {round}: {ratio:.3} = {:.0} actions per second by {:.0} and {:.0} appends; per action \
             {:.0} µs of the service, {:.0} of the database, {:.0} of the clients; per append {:.0} of the database",
            actions.per_second,
            before.per_second,
            after.per_second,
            actions.service_micros,
            actions.database_micros,
            actions.client_micros,
            (before.database_micros + after.database_micros) / 2.0,
        ));
        measured.push((ratio, actions));
    }
    let of = |what: fn(&(f64, Load)) -> f64| median(measured.iter().map(what).collect());
    say(&format!(
        "medians: ratio {:.3}, {:.0} actions per second, per action {:.0} µs of the service, {:.0} of the database",
        of(|(ratio, _)| *ratio),
        of(|(_, actions)| actions.per_second),
        of(|(_, actions)| actions.service_micros),
        of(|(_, actions)| actions.database_micros),
    ));
}

/// The first process of the server, which every connection's process is a child of.
async fn postmaster(database: &Database) -> u32 {
    let connection = database.connect().await;
    let backend: Vec<Number> = stored::rows(&connection, "SELECT pg_backend_pid() AS number").await;
    let backend = u32::try_from(backend[0].number).expect("a process's number");
    let postmaster = cpu_time::parent_of(backend).expect("the server runs here");
    connection.close().await.expect("the connection can be closed");
    postmaster
}

impl Stand {
    /// What the database can do.
    async fn appends(&self) -> Load {
        self.database.run("CHECKPOINT").await;
        let script = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        std::fs::write(script.path(), APPEND).expect("a temporary file can be written");
        let before = cpu_time::of_family(self.postmaster);
        let output = Command::new(program("pgbench").expect("pgbench comes with the server"))
            .args(["-n", "-M", "prepared", "-c", CONNECTIONS, "-j", "2", "-T"])
            .arg(self.time.as_secs().to_string())
            .arg("-f")
            .arg(script.path())
            .arg(self.database.url())
            .output()
            .expect("pgbench can be started");
        let said = String::from_utf8_lossy(&output.stdout);
        let number = |name: &str| -> f64 {
            let rest = said.lines().find_map(|line| line.strip_prefix(name));
            let number = rest.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
            number.unwrap_or_else(|| panic!("{said}{}", String::from_utf8_lossy(&output.stderr)))
        };
        let appends = number("number of transactions actually processed: ");
        Load {
            per_second: number("tps = "),
            database_micros: micros(cpu_time::of_family(self.postmaster) - before) / appends,
            ..Load::default()
        }
    }

    /// What the service makes of it.
    async fn actions(&self) -> Load {
        let matches = prepare(self.service.url()).await;
        self.database.run("CHECKPOINT").await;
        let taken = Arc::new(AtomicU64::new(0));
        let is_over = Arc::new(AtomicBool::new(false));
        let clients: Vec<_> = matches
            .into_iter()
            .map(|matches| {
                let (taken, is_over) = (taken.clone(), is_over.clone());
                std::thread::spawn(move || {
                    for mut driver in matches {
                        play(&mut driver, &taken, &is_over);
                    }
                    assert!(is_over.load(Ordering::Relaxed), "a client has no match left");
                })
            })
            .collect();
        // What happens once per connection does not count.
        wait(Duration::from_secs(1)).await;
        let count = || {
            (
                now(),
                taken.load(Ordering::Relaxed),
                [
                    cpu_time::of_process(self.service.id()),
                    cpu_time::of_family(self.postmaster),
                    cpu_time::of_process(std::process::id()),
                ],
            )
        };
        let before = count();
        wait(self.time).await;
        let after = count();
        is_over.store(true, Ordering::Relaxed);
        for client in clients {
            client.join().expect("the client plays to the end");
        }
        let actions = (after.1 - before.1) as f64;
        let [service, database, client] =
            std::array::from_fn(|whose| micros(after.2[whose] - before.2[whose]) / actions);
        Load {
            per_second: actions / (after.0 - before.0).as_secs_f64(),
            service_micros: service,
            database_micros: database,
            client_micros: client,
        }
    }
}

/// The matches of every client.
async fn prepare(url: &str) -> Vec<Vec<Driver>> {
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut made = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let (permits, url) = (permits.clone(), url.to_owned());
        made.spawn(async move {
            let _permit = permits.acquire().await.expect("it stays open");
            let client = Client::of(&url);
            let players = [guest(&client).await, guest(&client).await];
            let mut drivers = Vec::new();
            for _ in 0..MATCHES_EACH {
                let setup = with_options(
                    open_match("vdb_supertrumpf", "sportwaffen", 2),
                    &json!({"rounds": 1000}),
                );
                let created = players[0].create_match(&setup).await.expect(201);
                let match_id = created.text_at("/match_id");
                players[1].join(&match_id).await.expect(200);
                drivers.push(Driver::new(&url, &match_id, &players));
            }
            drivers
        });
    }
    made.join_all().await
}

async fn guest(client: &Client) -> Player {
    let pair = client
        .post("/v1/auth/guest", &json!({"display_name": "Guest"}))
        .await;
    client.signed_in(&pair.expect(201).body)
}

/// Plays a match until it or the round is over, choosing by turns so that it takes long.
fn play(driver: &mut Driver, taken: &AtomicU64, is_over: &AtomicBool) {
    // What the first to move may choose, whoever wins a round may choose too: no view need be asked for.
    let choices: Vec<String> = driver
        .seen
        .legal_actions
        .iter()
        .map(ToString::to_string)
        .collect();
    for choice in choices.iter().cycle() {
        let Some(turn) = driver.seen.turn else { return };
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let (status, _) = driver.act(turn.seat, choice);
        assert_eq!(status, 200, "{}", driver.answer());
        taken.fetch_add(1, Ordering::Relaxed);
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000_000.0
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

async fn wait(time: Duration) {
    let mut ticks = tokio::time::interval(time);
    ticks.tick().await;
    ticks.tick().await;
}

#[expect(clippy::disallowed_methods, reason = "it measures time as it is")]
fn now() -> Instant {
    Instant::now()
}

fn say(line: &str) {
    // Nothing is left to do if even this cannot be written.
    let _ = writeln!(std::io::stdout(), "{line}");
}
