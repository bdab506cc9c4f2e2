//! Worlds of simulated matches: several at once, over one or two instances, with absences, resignations,
//! returns, restarts, and requests that come twice at the same moment, all drawn from a seed.

mod checks;
mod moves;
mod plan;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde_json::{Value, json};

use crate::scripted::Dice;
use crate::{Answer, Database, Player, Service, Setup, millis};

/// How many people play in one world; each in several matches.
const PEOPLE: usize = 6;

/// How many matches run at once in one world.
const AT_ONCE: usize = 5;

/// Tokens are renewed when they are this old.
const TOKENS_GOOD_FOR_MILLIS: i64 = 600_000;

/// An instance looks this often for what is due. Less time than this, and it need not have looked.
const SWEEP_MILLIS: i64 = 1_000;

const TWO_WEEKS_MILLIS: i64 = 14 * 24 * 3600 * 1000;

/// What happened in worlds, to see that the dice reached every side.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Tally {
    pub matches: usize,
    pub entries: usize,
    pub actions: usize,
    pub duplicates: usize,
    pub conflicts: usize,
    pub deadlines: usize,
    pub resignations: usize,
    pub returns: usize,
    pub rematches: usize,
    pub abandoned: usize,
    pub restarts: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.matches += other.matches;
        self.entries += other.entries;
        self.actions += other.actions;
        self.duplicates += other.duplicates;
        self.conflicts += other.conflicts;
        self.deadlines += other.deadlines;
        self.resignations += other.resignations;
        self.returns += other.returns;
        self.rematches += other.rematches;
        self.abandoned += other.abandoned;
        self.restarts += other.restarts;
    }
}

/// One of several matches in a world.
struct Simulated {
    match_id: String,
    /// Indexes of the people in its seats; bots have the seats behind them.
    seated: Vec<usize>,
    /// Who does not come to this match at present.
    absent: Vec<bool>,
    /// Everybody is away and nobody will be back.
    is_left: bool,
    /// What was acknowledged: the action by its version.
    acknowledged: BTreeMap<i64, Value>,
}

/// A world: a database with its instances, and who plays there.
struct World<'a> {
    database: &'a Database,
    services: Vec<Service>,
    people: Vec<Player>,
    signed_in_at: i64,
    running: Vec<Simulated>,
    over: Vec<Simulated>,
    dice: Dice,
    tally: Tally,
}

/// Plays `matches` matches in one world, to the end of each, and checks everything that can be checked then.
///
/// # Panics
///
/// When something is wrong.
pub async fn simulate(database: &Database, seed: u64, matches: usize) -> Tally {
    let mut world = World::begin(database, seed).await;
    let mut begun = 0;
    loop {
        while begun < matches && world.running.len() < AT_ONCE {
            world.begin_match().await;
            begun += 1;
        }
        let still: Vec<usize> = (0..world.running.len())
            .filter(|at| !world.running[*at].is_left)
            .collect();
        if still.is_empty() && begun == matches {
            break;
        }
        if still.is_empty() {
            // Only matches that rest are left of these: make room for others.
            world.abandon().await;
            continue;
        }
        let at = *world.dice.pick(&still);
        world.step(at).await;
        begun += world.rematch_some(matches - begun).await;
    }
    world.abandon().await;
    world.check().await;
    for service in world.services {
        service.stop().await;
    }
    world.tally
}

impl<'a> World<'a> {
    async fn begin(database: &'a Database, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let setup = Setup {
            seed,
            ..Setup::default()
        };
        let mut services = vec![Service::start_with(database, setup).await];
        if database.is_postgres() && dice.below(2) == 0 {
            services.push(services[0].another(database).await);
        }
        let mut people = Vec::new();
        for number in 0..PEOPLE {
            people.push(services[0].player(&format!("Somebody {number}")).await);
        }
        Self {
            database,
            signed_in_at: services[0].now_millis(),
            services,
            people,
            running: Vec::new(),
            over: Vec::new(),
            dice,
            tally: Tally::default(),
        }
    }

    fn now(&self) -> i64 {
        self.services[0].now_millis()
    }

    /// One of the people, at any of the instances.
    fn person(&mut self, person: usize) -> Player {
        let service = self.dice.below(self.services.len());
        self.people[person].moved_to(self.services[service].url())
    }

    /// Somebody makes a match, and the others sit down at the same moment, each of them twice.
    async fn begin_match(&mut self) {
        let plan = plan::draw(&mut self.dice, PEOPLE);
        let mut free: Vec<usize> = (0..PEOPLE).collect();
        let host = free.swap_remove(self.dice.below(free.len()));
        let created = self.person(host).create_match(&plan.setup).await.expect(201);
        let match_id = created.text_at("/match_id");
        let code = created.body["invite_code"].as_str().map(str::to_owned);
        let mut joins = Vec::new();
        for _ in 0..plan.others {
            let other = free.swap_remove(self.dice.below(free.len()));
            for _ in 0..2 {
                let player = self.person(other);
                let path = match &code {
                    Some(code) => format!("/v1/invites/{code}/acceptance"),
                    None => format!("/v1/matches/{match_id}/seats"),
                };
                let body = match self.dice.below(3) {
                    0 => json!({"entropy": format!("of-{other}")}),
                    1 if code.is_none() => json!({"opening_answer": 1}),
                    _ => json!({}),
                };
                let join = async move { player.post(&path, &body).await.expect(200) };
                joins.push((other, tokio::spawn(join)));
            }
        }
        let mut seats = BTreeMap::from([(0, host)]);
        for (other, join) in joins {
            let joined: Answer = join.await.expect("every join is answered");
            let before = seats.insert(joined.number("/my_seat"), other);
            assert!(before.is_none_or(|before| before == other), "two in one seat");
        }
        assert_eq!(seats.len(), plan.others + 1, "everybody has a seat of their own");
        if plan.setup["auto_start"] == false {
            let body = json!({"entropy": "of-the-host"});
            self.person(host).start_match(&match_id, &body).await.expect(200);
        }
        let seated: Vec<usize> = seats.into_values().collect();
        let absent = seated
            .iter()
            .map(|_| self.dice.below(plan.absent_in) == 0)
            .collect();
        self.add(match_id, seated, absent).await;
    }

    async fn add(&mut self, match_id: String, seated: Vec<usize>, absent: Vec<bool>) {
        self.tally.matches += 1;
        self.running.push(Simulated {
            match_id,
            seated,
            absent,
            is_left: false,
            acknowledged: BTreeMap::new(),
        });
        self.settle(self.running.len() - 1).await;
    }

    /// Waits until nothing is due in a match that nobody has to be asked for: then its view is given.
    async fn settle(&self, at: usize) -> Value {
        let running = &self.running[at];
        let now = self.now();
        let is_settled = |view: &Value| {
            let turn = &view["turn"];
            let has_time = |at: &Value, millis_more: i64| at.is_string() && millis(at) + millis_more > now;
            let limit_millis = view["time_limit_seconds"].as_i64().map(|seconds| seconds * 1000);
            if view["status"] != "active" {
                return true;
            }
            limit_millis.is_none_or(|limit| has_time(&view["started_at"], limit))
                && (has_time(&turn["deadline_at"], 0) || turn.get("deadline_at").is_none() && rests(view))
        };
        self.people[running.seated[0]]
            .view_when(&running.match_id, is_settled)
            .await
    }

    /// Time passes, for all matches; so much at least that whatever is due then is done.
    async fn pass(&mut self, millis: i64) {
        self.services[0].clock().advance(millis.max(SWEEP_MILLIS));
        if self.now() - self.signed_in_at > TOKENS_GOOD_FOR_MILLIS {
            for person in &mut self.people {
                *person = person.signed_in_again().await;
            }
            self.signed_in_at = self.now();
        }
        for at in 0..self.running.len() {
            self.settle(at).await;
        }
    }

    /// Two weeks pass without anybody: matches that rest end.
    async fn abandon(&mut self) {
        if self.running.is_empty() {
            return;
        }
        self.services[0].clock().advance(TWO_WEEKS_MILLIS);
        for person in &mut self.people {
            *person = person.signed_in_again().await;
        }
        self.signed_in_at = self.now();
        for rested in std::mem::take(&mut self.running) {
            assert!(rested.is_left);
            let player = &self.people[rested.seated[0]];
            let ended = player
                .view_when(&rested.match_id, |view| view["status"] == "ended")
                .await;
            let reason = ended["result"]["reason"].as_str().unwrap_or_default();
            assert!(matches!(reason, "abandoned" | "time"), "{ended}");
            self.tally.abandoned += usize::from(reason == "abandoned");
            self.over.push(rested);
        }
    }

    /// All instances stop, and start again.
    async fn restart(&mut self) {
        self.tally.restarts += 1;
        let mut services = Vec::new();
        for service in std::mem::take(&mut self.services) {
            services.push(service.restart(self.database).await);
        }
        self.services = services;
        let url = self.services[0].url().to_owned();
        self.people = self.people.iter().map(|person| person.moved_to(&url)).collect();
    }
}

/// Whether every player who has not resigned is away.
fn rests(view: &Value) -> bool {
    let seats = view["seats"].as_array().into_iter().flatten();
    let mut remaining = seats.filter(|seat| seat["kind"] == "player" && seat["state"] != "resigned");
    remaining.all(|seat| seat["away"] == true)
}
