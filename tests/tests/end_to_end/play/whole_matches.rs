//! Every game is played to its end over HTTP by players who know nothing but the contract.

use quartett_tests::finished::{self, events};
use quartett_tests::scripted::{Scripted, play, play_out};
use quartett_tests::setups::{GAMES, open_match, with, with_options};
use quartett_tests::{Database, Service, Table, both, fresh_key};
use serde_json::{Value, json};

both!(
    duel_quartett_to_its_natural_end,
    duel_quartett_laid_by_hand,
    duel_quartett_to_a_stalemate,
    duel_quartett_with_bots,
    supertrump_to_its_natural_end,
    supertrump_to_the_last_round,
    supertrump_with_bots,
    pairs_to_its_natural_end,
    pairs_to_the_idle_limit,
    pairs_with_bots,
    vdb_supertrumpf_to_its_natural_end,
    vdb_supertrumpf_to_the_last_round,
    vdb_supertrumpf_with_bots,
    vdb_quartett_to_its_natural_end,
    vdb_quartett_under_guard,
    vdb_quartett_with_bots,
    every_game_to_its_time_limit,
    a_restart_in_the_middle_changes_nothing,
    what_is_replayed_while_a_match_runs_is_what_was_seen_then,
);

/// A match to be played.
struct Plan {
    setup: Value,
    bots: &'static [&'static str],
    remembers: bool,
}

fn plan(game: &str, deck: &str, seats: usize, options: &Value) -> Plan {
    Plan {
        setup: with_options(open_match(game, deck, seats), options),
        bots: &[],
        remembers: false,
    }
}

impl Plan {
    /// Plays it to its end, checks everything that can be checked afterwards, and gives the reason and the log.
    async fn end(self, database: &Database) -> (String, Vec<Value>) {
        let service = Service::start(database).await;
        let table = Table::new(&service, &self.setup, self.bots).await;
        let mut scripted: Vec<Scripted> = table
            .players
            .iter()
            .zip(1..)
            .map(|(player, seed)| {
                if self.remembers {
                    Scripted::remembering(player, seed)
                } else {
                    Scripted::new(player, seed)
                }
            })
            .collect();
        let played = play_out(&table.match_id, &mut scripted).await;
        let entries = finished::check(&table.match_id, &table.everyone()).await;
        check_beginning(&entries, table.players.len(), self.bots.len());
        for accepted in &played {
            let stored = &entries[usize::try_from(accepted.expected_version).expect("a version")];
            assert_eq!(
                stored["action"], accepted.action,
                "what was accepted is what was stored"
            );
        }
        let view = table.view(0).await;
        service.stop().await;
        let reason = view["result"]["reason"].as_str().expect("a reason");
        (reason.to_owned(), entries)
    }
}

/// How every match begins: created with its host and bots, joined by the others one by one, started.
fn check_beginning(entries: &[Value], players: usize, bots: usize) {
    let kinds = |entry: &Value| {
        let entry = std::slice::from_ref(entry);
        let kinds = events(entry).map(|event| event["type"].as_str().expect("events have types").to_owned());
        kinds.collect::<Vec<_>>()
    };
    let created = kinds(&entries[0]);
    assert_eq!(created[0], "created");
    assert_eq!(created[1..], vec!["seat_taken"; 1 + bots]);
    for joined in &entries[1..players] {
        assert_eq!(kinds(joined), ["seat_taken"]);
    }
    let start = &entries[players];
    assert_eq!(start["by"], "service", "a full match starts by itself");
    let started = kinds(start);
    assert_eq!(started[..2], ["started", "dealt"]);
    let last = started.last().map(String::as_str);
    assert!(matches!(last, Some("turn_begun" | "ended")), "{started:?}");
}

async fn duel_quartett_to_its_natural_end(database: Database) {
    let plan = plan("duel_quartett", "demo", 2, &json!({"stall": 200}));
    let (reason, entries) = plan.end(&database).await;
    assert_eq!(reason, "complete");
    let laid = events(&entries).filter(|event| event["type"] == "quartet_laid");
    assert_eq!(laid.count(), 4, "every quartet is laid");
}

async fn duel_quartett_laid_by_hand(database: Database) {
    let plan = plan(
        "duel_quartett",
        "demo",
        2,
        &json!({"lay": "manual", "stall": 200}),
    );
    let (reason, entries) = plan.end(&database).await;
    assert_eq!(reason, "complete");
    let by_hand = entries
        .iter()
        .filter(|entry| entry["action"]["type"] == "lay_quartet");
    assert!(by_hand.count() > 0, "somebody laid a quartet");
}

async fn duel_quartett_to_a_stalemate(database: Database) {
    let plan = plan("duel_quartett", "wohnbau", 3, &json!({"stall": 5}));
    let (reason, entries) = plan.end(&database).await;
    assert_eq!(reason, "stall");
    assert_eq!(finished::find(&entries, "limit_reached")["limit"], "stall");
}

async fn duel_quartett_with_bots(database: Database) {
    let plan = Plan {
        bots: &["easy", "medium", "hard"],
        ..plan("duel_quartett", "wohnbau", 5, &json!({}))
    };
    let (_, entries) = plan.end(&database).await;
    assert!(entries.iter().any(|entry| entry["by"] == "bot"));
}

async fn supertrump_to_its_natural_end(database: Database) {
    let plan = plan(
        "supertrump",
        "demo",
        3,
        &json!({"end": "first_out", "rounds": 1000}),
    );
    let (reason, _) = plan.end(&database).await;
    assert_eq!(reason, "complete");
}

async fn supertrump_to_the_last_round(database: Database) {
    let plan = plan("supertrump", "wohnbau", 5, &json!({"rounds": 4}));
    let (reason, entries) = plan.end(&database).await;
    assert_eq!(reason, "rounds");
    assert_eq!(finished::find(&entries, "limit_reached")["limit"], "rounds");
}

async fn supertrump_with_bots(database: Database) {
    let plan = Plan {
        bots: &["hard"],
        ..plan("supertrump", "ties", 2, &json!({"rounds": 60}))
    };
    plan.end(&database).await;
}

async fn pairs_to_its_natural_end(database: Database) {
    let plan = Plan {
        remembers: true,
        ..plan("pairs", "demo", 2, &json!({}))
    };
    let (reason, entries) = plan.end(&database).await;
    assert_eq!(reason, "complete");
    let taken = events(&entries).filter(|event| event["type"] == "pair_taken");
    assert_eq!(taken.count(), 16, "every pair is taken");
}

async fn pairs_to_the_idle_limit(database: Database) {
    let plan = plan("pairs", "wohnbau", 3, &json!({"idle": 2, "memory": "full_log"}));
    let (reason, entries) = plan.end(&database).await;
    assert_eq!(reason, "idle");
    assert_eq!(finished::find(&entries, "limit_reached")["limit"], "idle");
}

async fn pairs_with_bots(database: Database) {
    let plan = Plan {
        bots: &["medium", "hard"],
        remembers: true,
        ..plan("pairs", "demo", 3, &json!({}))
    };
    let (reason, _) = plan.end(&database).await;
    assert_eq!(reason, "complete");
}

async fn vdb_supertrumpf_to_its_natural_end(database: Database) {
    let plan = plan("vdb_supertrumpf", "demo", 2, &json!({"rounds": 1000}));
    let (reason, _) = plan.end(&database).await;
    assert_eq!(reason, "complete");
}

async fn vdb_supertrumpf_to_the_last_round(database: Database) {
    let plan = plan("vdb_supertrumpf", "wohnbau", 4, &json!({"rounds": 3}));
    let (reason, entries) = plan.end(&database).await;
    assert_eq!(reason, "rounds");
    assert_eq!(finished::find(&entries, "limit_reached")["limit"], "rounds");
}

async fn vdb_supertrumpf_with_bots(database: Database) {
    let plan = Plan {
        bots: &["easy", "hard"],
        ..plan("vdb_supertrumpf", "sportwaffen", 4, &json!({"rounds": 12}))
    };
    plan.end(&database).await;
}

async fn vdb_quartett_to_its_natural_end(database: Database) {
    let plan = plan("vdb_quartett", "demo", 3, &json!({}));
    let (reason, entries) = plan.end(&database).await;
    assert_eq!(reason, "complete");
    let laid = events(&entries).filter(|event| event["type"] == "quartet_laid");
    assert_eq!(laid.count(), 4, "every quartet is laid");
}

/// The limit of this game does not end it: it refuses hopeless asks, so that every match ends.
async fn vdb_quartett_under_guard(database: Database) {
    let service = Service::start(&database).await;
    let options = json!({"guard_misses": 1});
    let setup = with_options(open_match("vdb_quartett", "sportwaffen", 4), &options);
    let table = Table::new(&service, &setup, &[]).await;
    let mut scripted = scripted(&table, 7);
    let mut is_on = false;
    while !play(&table.match_id, &mut scripted, 10).await.is_empty() {
        is_on |= table.view(0).await["table"]["vdb_quartett"]["guard_on"] == true;
    }
    assert!(is_on, "the guard switches on at the first miss");
    finished::check(&table.match_id, &table.everyone()).await;
    assert_eq!(table.view(0).await["result"]["reason"], "complete");
    service.stop().await;
}

async fn vdb_quartett_with_bots(database: Database) {
    let plan = Plan {
        bots: &["medium", "hard"],
        ..plan("vdb_quartett", "sportwaffen", 3, &json!({}))
    };
    let (reason, _) = plan.end(&database).await;
    assert_eq!(reason, "complete");
}

async fn every_game_to_its_time_limit(database: Database) {
    let service = Service::start(&database).await;
    for game in GAMES {
        let times = json!({"turn_seconds": 60, "time_limit_seconds": 600});
        let deck = if game == "pairs" { "wohnbau" } else { "sportwaffen" };
        let table = Table::new(&service, &with(open_match(game, deck, 3), &times), &[]).await;
        let mut scripted = scripted(&table, 6);
        // Every turn is taken in time, until the time of the match is over: 11 times 59 seconds.
        for _ in 0..10 {
            service.clock().advance(59_000);
            play(&table.match_id, &mut scripted, 1).await;
        }
        let (seat, view) = table.to_move().await;
        service.clock().advance(59_000);
        // The service's clock decides before a late action is taken.
        let late = table.players[seat]
            .act(
                &table.match_id,
                &view["legal_actions"][0],
                view["version"].as_i64().expect("a version"),
                &fresh_key(),
            )
            .await;
        late.expect(409);
        let entries = finished::check(&table.match_id, &table.everyone()).await;
        assert_eq!(table.view(0).await["result"]["reason"], "time", "{game}");
        assert_eq!(finished::find(&entries, "limit_reached")["limit"], "time");
        assert_eq!(entries[entries.len() - 1]["by"], "clock");
    }
    service.stop().await;
}

async fn a_restart_in_the_middle_changes_nothing(database: Database) {
    let mut service = Service::start(&database).await;
    for (game, deck) in [
        ("pairs", "demo"),
        ("duel_quartett", "demo"),
        ("supertrump", "ties"),
    ] {
        let table = Table::new(&service, &open_match(game, deck, 2), &[]).await;
        // An odd number, so that in Pairs a first card lies open.
        play(&table.match_id, &mut scripted(&table, 3), 7).await;
        let before = everything_seen(&table).await;
        service = service.restart(&database).await;
        let table = table.moved_to(service.url());
        assert_eq!(everything_seen(&table).await, before, "{game}");
        play_out(&table.match_id, &mut scripted(&table, 4)).await;
        finished::check(&table.match_id, &table.everyone()).await;
    }
    service.stop().await;
}

fn scripted(table: &Table, seed: u64) -> Vec<Scripted<'_>> {
    let players = table.players.iter();
    players.map(|player| Scripted::new(player, seed)).collect()
}

/// The bytes that each player sees of view and history.
async fn everything_seen(table: &Table) -> Vec<String> {
    let mut seen = Vec::new();
    for player in &table.players {
        seen.push(player.view(&table.match_id).await.expect(200).text);
        seen.push(
            player
                .history_page(&table.match_id, 0, 500)
                .await
                .expect(200)
                .text,
        );
    }
    seen
}

async fn what_is_replayed_while_a_match_runs_is_what_was_seen_then(database: Database) {
    let service = Service::start(&database).await;
    for game in ["duel_quartett", "supertrump", "vdb_supertrumpf"] {
        let table = Table::new(&service, &open_match(game, "demo", 2), &[]).await;
        let mut scripted = scripted(&table, 5);
        let played = play(&table.match_id, &mut scripted, 6).await;
        for accepted in &played {
            let player = &table.players[accepted.by];
            let then = &accepted.answer.body["view"];
            let seat = then["my_seat"].as_i64();
            let version = accepted.answer.number("/version");
            let replayed = player.replay(&table.match_id, version, seat).await.expect(200);
            assert_eq!(
                without_what_is_due(&replayed.body),
                without_what_is_due(then),
                "{game}"
            );
            let other = seat.map(|seat| 1 - seat);
            player
                .replay(&table.match_id, version, other)
                .await
                .problem(403, "not_your_seat");
        }
    }
    service.stop().await;
}

/// A view without what stands only in one at the head.
fn without_what_is_due(view: &Value) -> Value {
    let mut view = view.clone();
    let members = view.as_object_mut().expect("a view is an object");
    members.remove("legal_actions");
    if let Some(turn) = members.get_mut("turn").and_then(Value::as_object_mut) {
        turn.remove("deadline_at");
    }
    view
}
