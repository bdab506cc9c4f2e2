//! The service is killed with signal 9 again and again: nothing that was acknowledged is lost, nothing counts
//! twice, and every log goes from 1 to n.

use quartett_tests::plays::{Interruption, Play};
use quartett_tests::process::Process;
use quartett_tests::scripted::{Dice, Scripted, play};
use quartett_tests::setups::{open_match, small_match};
use quartett_tests::{Client, Database, both, finished, fresh_key};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

both!(
    killed_under_load,
    killed_between_commit_and_answer,
    killed_between_commit_and_answer_with_bots,
);

/// How often the service is killed while many play.
const KILLS: usize = 24;

/// How often it is killed while an action is stored and not answered.
const HELD_KILLS: usize = 6;

/// The place after the commit of an append and before its answer.
const AFTER_APPEND_COMMIT: &str = "after_append_commit";

/// How many play at the same time, each alone against a bot or another player.
const TABLES: usize = 8;

/// Counts answers and says when there were enough to kill.
#[derive(Default)]
struct Answered {
    count: AtomicUsize,
    enough_at: usize,
    enough: Notify,
}

impl Answered {
    fn count(&self) {
        if self.count.fetch_add(1, Ordering::SeqCst) + 1 == self.enough_at {
            self.enough.notify_one();
        }
    }
}

/// Plays on until the service is gone.
async fn go_on(play: &mut Play, url: &str, answered: &Answered) {
    play.move_to(url);
    loop {
        match play.step().await {
            Ok(()) => answered.count(),
            Err(Interruption::NoAnswer) => return,
            Err(Interruption::Refused(code)) => panic!("the service is there or gone, and never {code}"),
        }
    }
}

async fn killed_under_load(database: Database) {
    let mut process = Process::start(&database).await;
    let mut dice = Dice::new(99);
    let mut plays = new_plays(&process).await;
    let mut in_flight = 0;
    for _ in 0..KILLS {
        let answered = Arc::new(Answered {
            enough_at: 1 + dice.below(40),
            ..Answered::default()
        });
        let url = process.url().to_owned();
        let running: Vec<_> = plays
            .into_iter()
            .map(|mut play| {
                let (url, answered) = (url.clone(), answered.clone());
                tokio::spawn(async move {
                    go_on(&mut play, &url, &answered).await;
                    play
                })
            })
            .collect();
        answered.enough.notified().await;
        process.kill();
        plays = Vec::new();
        for play in running {
            let play = play.await.expect("a play goes on until the service is gone");
            in_flight += usize::from(play.is_pending());
            plays.push(play);
        }
        process = Process::start(&database).await;
    }
    assert!(
        in_flight >= KILLS,
        "{in_flight} actions were on their way when the service was killed"
    );
    let url = process.url().to_owned();
    for mut play in plays {
        play.move_to(&url);
        // What is pending is sent again; then the log must hold everything exactly once.
        if play.is_pending() {
            play.step().await.expect("the service answers");
        }
        play.check().await;
    }
}

async fn new_plays(process: &Process) -> Vec<Play> {
    let mut plays = Vec::new();
    for number in 0..TABLES {
        plays.push(Play::new(&Client::of(process.url()), number).await);
    }
    plays
}

async fn killed_between_commit_and_answer(database: Database) {
    held_and_killed(&database, &small_match(), &[]).await;
}

/// The bots' turns that follow stand in the same append: all of them are there, or none.
async fn killed_between_commit_and_answer_with_bots(database: Database) {
    held_and_killed(
        &database,
        &open_match("duel_quartett", "wohnbau", 4),
        &["hard", "easy"],
    )
    .await;
}

async fn held_and_killed(database: &Database, setup: &Value, bots: &[&str]) {
    let mut process = Process::start(database).await;
    let client = Client::of(process.url());
    let mut players = Vec::new();
    for name in ["Ann", "Bob"] {
        let pair = client
            .post("/v1/auth/guest", &json!({ "display_name": name }))
            .await
            .expect(201);
        players.push(client.signed_in(&pair.body));
    }
    let mut table = quartett_tests::Table::of(players, setup, bots).await;
    for round in 0..HELD_KILLS {
        let mut scripted: Vec<Scripted> = table
            .players
            .iter()
            .map(|player| Scripted::new(player, 8))
            .collect();
        play(&table.match_id, &mut scripted, round % 3).await;
        let (seat, view) = table.to_move().await;
        let action = view["legal_actions"][0].clone();
        let version = view["version"].as_i64().expect("a version");
        let key = fresh_key();

        process.hold_at(AFTER_APPEND_COMMIT).await;
        let request = table.players[seat].act_request(&table.match_id, &action, version, &key);
        let unanswered = tokio::spawn(request.try_send());
        process.reached(AFTER_APPEND_COMMIT).await;
        assert!(!unanswered.is_finished(), "it is stored and not answered");
        process.kill();
        let lost = unanswered.await.expect("the request ends");
        assert!(lost.is_err(), "the answer is lost");

        process = Process::start(database).await;
        table = table.moved_to(process.url());
        let player = &table.players[seat];
        let again = player
            .act(&table.match_id, &action, version, &key)
            .await
            .expect(200);
        assert!(again.is_replayed(), "it had been stored");
        let entries = again.array("/entries");
        assert_eq!(entries[0]["version"], version + 1);
        assert_eq!(entries[0]["action"], action);
        let log = player.history(&table.match_id, 0).await;
        finished::check_log(&log, again.number("/version"));
        assert_eq!(log[log.len() - entries.len()..], *entries);
    }
}
