//! A Postgres server that crashes, is away for a while, or hangs, under services that go on.

use std::sync::Arc;

use quartett_tests::outages::{
    Attempt, Watcher, check_refusal, in_time, once_available, once_recovered, refused,
};
use quartett_tests::plays::{Interruption, Play};
use quartett_tests::setups::{small_match, with};
use quartett_tests::{OwnServer, Service, Table, Ticking, stored};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How often the server crashes while many play.
const CRASHES: usize = 2;

/// How many play at each of two instances.
const PLAYS: usize = 2;

/// How many actions each of them takes between what happens to the server.
const STEPS: usize = 5;

/// Longer than the test takes, so that nobody misses a deadline before it is meant.
const TURN_MILLIS: i64 = 300_000;

/// How often players were answered so far.
#[derive(Clone, Default)]
struct Progress {
    taken: Vec<usize>,
    refused: Vec<usize>,
    is_over: bool,
}

/// Players who go on at two instances, whatever happens.
struct Load {
    progress: Arc<watch::Sender<Progress>>,
    plays: Vec<JoinHandle<Play>>,
}

impl Load {
    async fn begin(services: [&Service; 2]) -> Self {
        let progress = Arc::new(watch::Sender::new(Progress {
            taken: vec![0; 2 * PLAYS],
            refused: vec![0; 2 * PLAYS],
            is_over: false,
        }));
        let mut plays = Vec::new();
        for number in 0..2 * PLAYS {
            let mut play = Play::new(&services[number % 2].anonymous(), number).await;
            let progress = progress.clone();
            plays.push(tokio::spawn(async move {
                while !progress.borrow().is_over {
                    let step = in_time(play.step()).await;
                    progress.send_modify(|progress| match step {
                        Ok(()) => progress.taken[number] += 1,
                        Err(Interruption::Refused(code)) => {
                            check_refusal(&code);
                            progress.refused[number] += 1;
                        }
                        Err(Interruption::NoAnswer) => panic!("the service goes on"),
                    });
                }
                play
            }));
        }
        Self { progress, plays }
    }

    /// Waits until everybody was answered so much more often.
    async fn until_all(&self, more: usize, of: fn(&Progress) -> &[usize]) {
        let mut progress = self.progress.subscribe();
        let before = of(&progress.borrow()).to_vec();
        let has_come = progress.wait_for(|progress| {
            let mut counts = of(progress).iter().zip(&before);
            counts.all(|(now, before)| *now >= before + more)
        });
        once_recovered(has_come).await.expect("players go on");
    }

    async fn goes_on(&self) {
        self.until_all(STEPS, |progress| &progress.taken).await;
    }

    async fn is_refused(&self) {
        self.until_all(1, |progress| &progress.refused).await;
    }

    /// Ends it: everything acknowledged is there, once, and nothing else.
    async fn end(self) {
        self.progress.send_modify(|progress| progress.is_over = true);
        for play in self.plays {
            let mut play = play
                .await
                .expect("everybody is answered in time and to the point");
            if play.is_pending() {
                play.step().await.expect("the service is well again");
            }
            play.check().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crashes_of_the_server_lose_nothing_acknowledged() {
    let Some(mut server) = OwnServer::start("") else {
        return;
    };
    let database = server.database();
    let here = Service::start(&database).await;
    let there = here.another(&database).await;
    let timed = with(small_match(), &json!({"turn_seconds": TURN_MILLIS / 1000}));
    let table = Table::new(&here, &timed, &[]).await;
    let mut watcher = Watcher::of(&table, &there).await;
    let load = Load::begin([&here, &there]).await;
    for _ in 0..CRASHES {
        let ticking = Ticking::new(here.clock(), 1);
        load.goes_on().await;
        server.crash();
        load.is_refused().await;
        for service in [&here, &there] {
            let somebody = service.anonymous();
            in_time(somebody.get("/readyz")).await.problem(503, "unavailable");
            somebody.get("/healthz").await.expect(200);
        }
        server.start_again();
        load.goes_on().await;
        for service in [&here, &there] {
            let somebody = service.anonymous();
            once_available(|| somebody.get("/readyz")).await.expect(200);
        }
        drop(ticking);
        watcher.hears_within_a_second(&table, &here).await;
    }
    load.end().await;

    // Nobody is there, and the server comes back just before a deadline.
    server.crash();
    server.start_again();
    let _ticking = Ticking::new(here.clock(), 1);
    let watching = table.players[1].moved_to(there.url());
    let view = once_available(|| watching.view(&table.match_id))
        .await
        .expect(200);
    here.clock().advance(TURN_MILLIS);
    let news = watching.news(&table.match_id, view.number("/version")).await;
    assert_eq!(news[0]["by"], "clock");
    stored::check(&database).await;
    there.stop().await;
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_hangs_holds_nobody_up_for_long() {
    let Some(mut server) = OwnServer::start("") else {
        return;
    };
    let database = server.database();
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let attempt = Attempt::at(&table).await;
    server.hang();
    let somebody = service.anonymous();
    let (player, guest) = (&table.players[0], json!({"display_name": "Late"}));
    let waiting = tokio::spawn({
        let (attempt, somebody, player) = (attempt.clone(), somebody.clone(), player.clone());
        let match_id = table.match_id.clone();
        async move {
            let (acted, viewed, made, ready) = tokio::join!(
                attempt.send(),
                in_time(player.view(&match_id)),
                in_time(somebody.post("/v1/auth/guest", &guest)),
                in_time(somebody.get("/readyz")),
            );
            for answer in [acted, viewed, made, ready] {
                refused(answer);
            }
        }
    });
    for path in ["/healthz", "/v1/games", "/openapi.json"] {
        somebody.get(path).await.expect(200);
        assert!(!waiting.is_finished(), "{path} waits for no database");
    }
    waiting.await.expect("everybody is told to come back later");
    server.go_on();
    attempt.taken().await;
    let crowd: Vec<_> = (0..40)
        .map(|_| {
            let (player, match_id) = (player.clone(), table.match_id.clone());
            tokio::spawn(async move { player.view(&match_id).await.status })
        })
        .collect();
    for status in crowd {
        assert_eq!(status.await.expect("an answer"), 200, "every connection is good");
    }
    service.stop().await;
}
