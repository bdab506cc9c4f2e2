//! Measures open streams: the memory each takes, and how long an action is on its way to a watcher.
//!
//! ```text
//! cargo build --release -p quartett-tests --examples
//! cargo run --release -p quartett-tests --example streams -- 5000 2000
//! ```
//!
//! The first number is how many streams are open, two per match and each of a player of its own; the second, how
//! many actions are measured. The service is a process of its own over a private Postgres: first one instance, then
//! two, with every action at the first and every stream at the second. An action's time begins when it is sent, so it
//! holds the action itself too. Needs twice as many open files as streams (`ulimit -n`).

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quartett_tests::process::Process;
use quartett_tests::setups::{open_match, with_options};
use quartett_tests::{Client, Database, Player, fresh_key};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};

/// So many requests of the preparations are under way at once.
const AT_ONCE: usize = 16;

/// So many actions are under way at once while it is measured.
const ACTORS: usize = 4;

/// A match with its two players.
struct Seats {
    match_id: String,
    players: [Player; 2],
}

/// An event that came in.
struct Arrival {
    table: usize,
    version: i64,
    at: Instant,
}

#[tokio::main]
async fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok());
    let streams: usize = numbers.next().unwrap_or(5000);
    let actions: usize = numbers.next().unwrap_or(2000);
    let database = Database::postgres().await.expect("a Postgres server");
    let mut first = Process::start(&database).await;
    let tables = prepare(first.url(), streams / 2).await;
    say(&format!("{} matches", tables.len()));
    measure("one instance", &mut first, None, &tables, actions).await;
    let mut second = Process::start(&database).await;
    measure("two instances", &mut first, Some(&mut second), &tables, actions).await;
}

/// Matches that go on for long.
async fn prepare(url: &str, count: usize) -> Arc<Vec<Seats>> {
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut made = tokio::task::JoinSet::new();
    for _ in 0..count {
        let (permits, client) = (permits.clone(), Client::of(url));
        made.spawn(async move {
            let _permit = permits.acquire().await.expect("it stays open");
            let players = [guest(&client).await, guest(&client).await];
            let setup = with_options(
                open_match("vdb_supertrumpf", "sportwaffen", 2),
                &json!({"rounds": 1000}),
            );
            let created = players[0].create_match(&setup).await.expect(201);
            let match_id = created.text_at("/match_id");
            players[1].join(&match_id).await.expect(200);
            Seats { match_id, players }
        });
    }
    Arc::new(made.join_all().await)
}

async fn guest(client: &Client) -> Player {
    let pair = client
        .post("/v1/auth/guest", &json!({"display_name": "Guest"}))
        .await;
    client.signed_in(&pair.expect(201).body)
}

/// Opens the streams at the last instance, acts at the first, and says what came of it.
async fn measure(
    what: &str,
    first: &mut Process,
    second: Option<&mut Process>,
    tables: &Arc<Vec<Seats>>,
    actions: usize,
) {
    let watched = second.map_or(&*first, |second| &*second);
    // What is made once for all is not counted.
    drop(tables[0].players[0].moved_to(watched.url()).my_stream().await);
    let before_kib = watched.resident_kib();
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    let mut readers = tokio::task::JoinSet::new();
    let permits = Semaphore::new(AT_ONCE);
    for (table, seats) in tables.iter().enumerate() {
        let view = seats.players[0].view(&seats.match_id).await.expect(200);
        let version = view.number("/version");
        for player in &seats.players {
            let _permit = permits.acquire().await.expect("it stays open");
            let player = player.moved_to(watched.url());
            let mut stream = player.stream(&seats.match_id, version - 1).await;
            stream.event().await;
            let arrived = arrived.clone();
            readers.spawn(async move {
                while let Some(block) = stream.block_whenever().await {
                    if let Some(version) = block.id {
                        let at = now();
                        // Once nobody counts any more, it may come unheard.
                        let _ = arrived.send(Arrival { table, version, at });
                    }
                }
            });
        }
    }
    let open = readers.len();
    let took_kib = watched.resident_kib().saturating_sub(before_kib);
    say(&format!(
        "{what}: {open} streams take {} KiB, {:.1} KiB each",
        took_kib,
        took_kib as f64 / open as f64
    ));
    let sent = act(tables, actions).await;
    let mut delays = Vec::new();
    while delays.len() < 2 * sent.len() {
        let arrival = tokio::time::timeout(Duration::from_secs(30), arrivals.recv()).await;
        let arrival = arrival.expect("every action arrives").expect("readers go on");
        if let Some(sent_at) = sent.get(&(arrival.table, arrival.version)) {
            delays.push(arrival.at - *sent_at);
        }
    }
    delays.sort_unstable();
    let at = |percent: usize| delays[(delays.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
    say(&format!(
        "{what}: {} actions reach 2 watchers each in {:.1} ms (median), {:.1} ms (99 %), {:.1} ms (longest)",
        sent.len(),
        at(50),
        at(99),
        at(100)
    ));
    readers.shutdown().await;
}

/// Acts at one table after the other; when what was sent.
async fn act(tables: &Arc<Vec<Seats>>, actions: usize) -> HashMap<(usize, i64), Instant> {
    let mut actors = tokio::task::JoinSet::new();
    for actor in 0..ACTORS {
        let tables = tables.clone();
        actors.spawn(async move {
            let mut sent = Vec::new();
            for action in 0..actions / ACTORS {
                // Each has tables of its own.
                let share = tables.len() / ACTORS;
                let table = actor * share + action % share;
                let seats = &tables[table];
                let view = seats.players[0].view(&seats.match_id).await.expect(200).body;
                let seat = usize::from(view["turn"]["seat"] == 1);
                let view = seats.players[seat].view(&seats.match_id).await.expect(200).body;
                let version = view["version"].as_i64().expect("a version");
                let action: &Value = &view["legal_actions"][0];
                let begun = now();
                let player = &seats.players[seat];
                let answer = player.act(&seats.match_id, action, version, &fresh_key()).await;
                answer.expect(200);
                sent.push(((table, version + 1), begun));
            }
            sent
        });
    }
    actors.join_all().await.into_iter().flatten().collect()
}

#[expect(clippy::disallowed_methods, reason = "it measures time as it is")]
fn now() -> Instant {
    Instant::now()
}

fn say(line: &str) {
    // Nothing is left to do if even this cannot be written.
    let _ = writeln!(std::io::stdout(), "{line}");
}
