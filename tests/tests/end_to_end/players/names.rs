//! A player takes another name: every answer has it from then on, those made from what an instance remembers too.

use quartett_tests::setups::{open_match, with};
use quartett_tests::{Answer, Database, Player, Service, Table, both};
use reqwest::Method;
use serde_json::json;

both!(a_new_name_stands_in_every_answer_at_once);

/// What all names of the player begin with.
const STEM: &str = "Zwetschgenmus";

/// Somebody who takes a new name again and again.
struct Renamed<'a> {
    player: &'a Player,
    times: u32,
}

impl Renamed<'_> {
    fn name(&self) -> String {
        format!("{STEM} {}", self.times)
    }

    async fn again(&mut self) {
        self.times += 1;
        self.player
            .request(Method::PATCH, "/v1/me")
            .json(&json!({ "display_name": self.name() }))
            .send()
            .await
            .expect(200);
    }

    /// Whether an answer has the present name; it must have one of them.
    fn is_named_in(&self, answer: &Answer) -> bool {
        assert!(answer.text.contains(STEM), "{}", answer.text);
        answer.text.contains(&self.name())
    }
}

async fn two(service: &Service) -> Vec<Player> {
    vec![
        service.player(&format!("{STEM} 0")).await,
        service.player("Bob").await,
    ]
}

async fn a_new_name_stands_in_every_answer_at_once(database: Database) {
    let service = Service::start(&database).await;
    let running = Table::of(two(&service).await, &open_match("supertrump", "wohnbau", 2), &[]).await;
    let [ann, bob] = [0, 1].map(|seat| &running.players[seat]);
    let waiting = with(
        open_match("pairs", "demo", 3),
        &json!({"visibility": "invite", "auto_start": false}),
    );
    let created = ann.create_match(&waiting).await.expect(201);
    let (waiting, code) = (created.text_at("/match_id"), created.text_at("/invite_code"));
    let mut ann = Renamed {
        player: ann,
        times: 0,
    };
    // Each answer comes right after a change: none profits from what was read for the one before.
    let (seat, view) = running.to_move().await;
    ann.again().await;
    let acted = running.act_on(seat, &view).await.expect(200);
    assert!(ann.is_named_in(&acted), "an action");
    ann.again().await;
    assert!(ann.is_named_in(&bob.invite(&code).await.expect(200)), "a preview");
    for how in ["a join", "the same join"] {
        ann.again().await;
        assert!(
            ann.is_named_in(&bob.accept_invite(&code).await.expect(200)),
            "{how}"
        );
    }
    for how in ["a start", "the same start"] {
        ann.again().await;
        let fill = json!({"fill_with_bots": "easy"});
        let started = ann.player.start_match(&waiting, &fill).await.expect(200);
        assert!(ann.is_named_in(&started), "{how}");
    }
    ann.again().await;
    assert!(
        ann.is_named_in(&bob.return_to(&waiting).await.expect(200)),
        "a return"
    );
    ann.again().await;
    assert!(
        ann.is_named_in(&bob.resign(&waiting).await.expect(200)),
        "a resignation"
    );
    ann.again().await;
    let created = ann.player.create_match(&open_match("pairs", "demo", 2)).await;
    assert!(ann.is_named_in(&created.expect(201)), "a creation");
    ann.again().await;
    assert!(
        ann.is_named_in(&bob.open_matches().await.expect(200)),
        "the lobby"
    );
    service.stop().await;
}

/// Whoever acts on another instance sees a new name there a second later.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_follows_names_that_change_elsewhere() {
    let Some(database) = Database::postgres().await else {
        return;
    };
    let here = Service::start(&database).await;
    let there = here.another(&database).await;
    let table = Table::of(two(&here).await, &open_match("supertrump", "wohnbau", 2), &[]).await;
    let elsewhere = table.moved_to(there.url());
    let mut ann = Renamed {
        player: &table.players[0],
        times: 0,
    };
    // They look here and act there: whoever looks brings up to date what an instance remembers.
    let (seat, view) = table.to_move().await;
    assert!(ann.is_named_in(&elsewhere.act_on(seat, &view).await.expect(200)));
    ann.again().await;
    there.clock().advance(1_000);
    // It reads beside the requests. If it did not, this would end with the match, and fail.
    loop {
        let (seat, view) = table.to_move().await;
        let acted = elsewhere.act_on(seat, &view).await.expect(200);
        if ann.is_named_in(&acted) {
            break;
        }
    }
    here.stop().await;
    there.stop().await;
}
