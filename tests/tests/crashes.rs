//! The service is killed with signal 9 again and again: nothing that was acknowledged is lost, nothing counts
//! twice, and every log goes from 1 to n.

use quartett_tests::process::Process;
use quartett_tests::scripted::{Dice, Scripted, play};
use quartett_tests::setups::{open_match, small_match, with_options};
use quartett_tests::{Client, Database, Player, both, finished, fresh_key};
use reqwest::Method;
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

/// What a player wants and does not know yet whether it happened.
#[derive(Clone)]
struct Intent {
    action: Value,
    expected_version: i64,
    key: String,
}

/// Two who play one match after the other.
struct Play {
    players: [Player; 2],
    /// Matches that have ended, with what was acknowledged in each.
    over: Vec<(String, Acknowledged)>,
    match_id: String,
    dice: Dice,
    pending: Option<(usize, Intent)>,
    /// Per version what was acknowledged: an action and whose.
    acknowledged: Acknowledged,
}

type Acknowledged = Vec<(i64, usize, Value)>;

impl Play {
    async fn new(client: &Client, number: usize) -> Self {
        let mut players = Vec::new();
        for name in ["Ann", "Bob"] {
            let body = json!({"display_name": format!("{name} {number}")});
            let pair = client.post("/v1/auth/guest", &body).await.expect(201);
            players.push(client.signed_in(&pair.body));
        }
        let players: [Player; 2] = players
            .try_into()
            .unwrap_or_else(|_| unreachable!("two were made"));
        let match_id = begin(&players).await.expect("the service runs");
        Self {
            players,
            over: Vec::new(),
            match_id,
            dice: Dice::new(number as u64),
            pending: None,
            acknowledged: Vec::new(),
        }
    }

    /// Plays on until the service is gone.
    async fn go_on(&mut self, url: &str, answered: &Answered) {
        self.move_to(url);
        while self.step().await.is_ok() {
            answered.count();
        }
    }

    fn move_to(&mut self, url: &str) {
        self.players = self.players.each_ref().map(|player| player.moved_to(url));
    }

    /// One action: the one that is pending, or a new one.
    async fn step(&mut self) -> Result<(), reqwest::Error> {
        let (by, intent) = match &self.pending {
            Some(pending) => pending.clone(),
            None => self.intend().await?,
        };
        let Intent {
            action,
            expected_version,
            key,
        } = &intent;
        // From here on it may happen, whether or not an answer comes.
        self.pending = Some((by, intent.clone()));
        let answer = self.players[by]
            .act_request(&self.match_id, action, *expected_version, key)
            .try_send()
            .await?
            .expect(200);
        assert_eq!(
            answer.number("/version"),
            expected_version + 1,
            "nobody else moves in this match"
        );
        assert_eq!(&answer.body["entries"][0]["action"], action);
        self.acknowledged.push((expected_version + 1, by, action.clone()));
        self.pending = None;
        Ok(())
    }

    async fn intend(&mut self) -> Result<(usize, Intent), reqwest::Error> {
        let path = format!("/v1/matches/{}", self.match_id);
        let view = self.players[0]
            .request(Method::GET, &path)
            .try_send()
            .await?
            .expect(200);
        if view.body["status"] == "ended" {
            let next = begin(&self.players).await?;
            let ended = std::mem::replace(&mut self.match_id, next);
            self.over.push((ended, std::mem::take(&mut self.acknowledged)));
        }
        let path = format!("/v1/matches/{}", self.match_id);
        for (by, player) in self.players.iter().enumerate() {
            let view = player.request(Method::GET, &path).try_send().await?.expect(200);
            if let Some(legal) = view.body["legal_actions"].as_array() {
                let intent = Intent {
                    action: self.dice.pick(legal).clone(),
                    expected_version: view.number("/version"),
                    key: fresh_key(),
                };
                return Ok((by, intent));
            }
        }
        panic!("the match runs and nobody has anything to do");
    }

    /// Every acknowledged action stands once at its version, and nothing else does.
    async fn check(&self) {
        let present = (self.match_id.clone(), self.acknowledged.clone());
        for (match_id, acknowledged) in self.over.iter().chain([&present]) {
            let view = self.players[0].view(match_id).await.expect(200);
            let entries = self.players[0].history(match_id, 0).await;
            finished::check_log(&entries, view.number("/version"));
            for (version, by, action) in acknowledged {
                let entry = &entries[usize::try_from(version - 1).expect("a version")];
                assert_eq!(&entry["action"], action);
                assert_eq!(entry["seat"], *by);
            }
            let stored = entries
                .iter()
                .filter(|entry| entry.get("action").is_some())
                .count();
            assert_eq!(stored, acknowledged.len(), "every action counts once");
        }
    }
}

/// Begins a match of the two; one that was half begun when the service was killed is left as it is.
async fn begin(players: &[Player; 2]) -> Result<String, reqwest::Error> {
    let setup = open_match("vdb_supertrumpf", "sportwaffen", 2);
    let setup = with_options(setup, &json!({"rounds": 1000}));
    let [host, guest] = players;
    let create = host
        .request(Method::POST, "/v1/matches")
        .json(&setup)
        .key(&fresh_key());
    let match_id = create.try_send().await?.expect(201).text_at("/match_id");
    let join = guest.request(Method::POST, &format!("/v1/matches/{match_id}/seats"));
    join.try_send().await?.expect(200);
    Ok(match_id)
}

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
                    play.go_on(&url, &answered).await;
                    play
                })
            })
            .collect();
        answered.enough.notified().await;
        process.kill();
        plays = Vec::new();
        for play in running {
            let play = play.await.expect("a play goes on until the service is gone");
            in_flight += usize::from(play.pending.is_some());
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
        if play.pending.is_some() {
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
