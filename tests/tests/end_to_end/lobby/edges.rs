//! Edges of the lobby that an attack found: matches over at once, codes on other instances, people who left or
//! were erased at the same moment.

use quartett_tests::setups::{open_match, with, with_options};
use quartett_tests::{Database, Service, both, fresh_key};
use serde_json::{Value, json};

both!(
    a_match_that_is_over_when_it_is_made_is_listed_so,
    who_left_learns_nothing_by_an_old_key,
    a_seat_that_was_left_names_nobody_before,
    erased_while_joining_leaves_no_empty_seat,
    erased_while_looking_for_opponents_harms_nobody,
);

async fn a_match_that_is_over_when_it_is_made_is_listed_so(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let setup = with_options(
        open_match("vdb_supertrumpf", "sportwaffen", 4),
        &json!({"rounds": 1}),
    );
    let bots =
        json!({"starter": "random", "bots": [{"level": "hard"}, {"level": "hard"}, {"level": "hard"}]});
    let mut made = Vec::new();
    // Three of four times a bot starts, and its one round is the whole match.
    for _ in 0..20 {
        let view = ann.create_match(&with(setup.clone(), &bots)).await.expect(201);
        made.push((view.text_at("/match_id"), view.body["status"].clone()));
    }
    assert!(made.iter().any(|(_, status)| status == "ended"), "{made:?}");
    for status in ["active", "ended"] {
        let listed = ann
            .my_matches(&format!("?status={status}&limit=100"))
            .await
            .expect(200);
        let expected = made.iter().filter(|(_, known)| known == status).count();
        assert_eq!(listed.array("/items").len(), expected, "{status}");
        let is_over = |item: &Value| item.get("result").is_some();
        let all = listed.array("/items").iter();
        assert!(all.into_iter().all(|item| is_over(item) == (status == "ended")));
    }
    service.stop().await;
}

async fn who_left_learns_nothing_by_an_old_key(database: Database) {
    let service = Service::start(&database).await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let setup = with(open_match("pairs", "demo", 3), &json!({"visibility": "invite"}));
    let key = fresh_key();
    let created = ann.create_match_request(&setup, &key).send().await.expect(201);
    let match_id = created.text_at("/match_id");
    bob.accept_invite(&created.text_at("/invite_code"))
        .await
        .expect(200);
    ann.leave(&match_id).await.expect(204);
    ann.view(&match_id).await.problem(404, "not_found");
    let again = ann.create_match_request(&setup, &key).send().await;
    again.problem(404, "not_found");
    service.stop().await;
}

async fn a_seat_that_was_left_names_nobody_before(database: Database) {
    let service = Service::start(&database).await;
    let (ann, bob, eve) = (
        service.player("Ann").await,
        service.player("Bob").await,
        service.player("Eve").await,
    );
    let created = ann
        .create_match(&open_match("pairs", "demo", 3))
        .await
        .expect(201);
    let match_id = created.text_at("/match_id");
    bob.join(&match_id).await.expect(200);
    bob.leave(&match_id).await.expect(204);
    eve.join(&match_id).await.expect(200);
    let then = ann.replay(&match_id, 2, None).await.expect(200);
    let seat = &then.body["seats"][1];
    assert_eq!(seat["kind"], "player");
    assert!(
        seat.get("player").is_none() && seat.get("erased").is_none(),
        "{seat}"
    );
    let now = ann.replay(&match_id, 4, None).await.expect(200);
    assert_eq!(now.body["seats"][1]["player"]["display_name"], "Eve");
    service.stop().await;
}

/// Whichever came first: the seat is free, or it was left, or it was resigned; never held by nobody.
async fn erased_while_joining_leaves_no_empty_seat(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    for seats in [2, 3, 2, 3, 2, 3] {
        let created = host
            .create_match(&open_match("pairs", "demo", seats))
            .await
            .expect(201);
        let match_id = created.text_at("/match_id");
        let leaver = service.player("Leaver").await;
        let (erased, _) = tokio::join!(leaver.erase(), leaver.join(&match_id));
        erased.expect(204);
        let view = host.view(&match_id).await.expect(200).body;
        let held_by_nobody = |seat: &&Value| seat["erased"] == true && seat["state"] != "resigned";
        let seats = view["seats"].as_array().expect("seats");
        assert_eq!(seats.iter().find(held_by_nobody), None, "{view}");
    }
    service.stop().await;
}

async fn erased_while_looking_for_opponents_harms_nobody(database: Database) {
    let service = Service::start(&database).await;
    let wish = json!({"game": "duel_quartett", "seats": 2});
    for _ in 0..6 {
        let leaver = service.player("Leaver").await;
        let (erased, _) = tokio::join!(leaver.erase(), leaver.seek(&wish));
        erased.expect(204);
    }
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    ann.seek(&wish).await.expect(201);
    let matched = bob.seek(&wish).await.expect(201);
    assert_eq!(matched.body["status"], "matched");
    service.stop().await;
}

/// Two taps at the same moment, while opponents wait who could each be given.
async fn two_taps_at_once_are_one_ticket(database: Database) {
    let service = Service::start(&database).await;
    let wish = json!({"game": "duel_quartett", "seats": 2});
    for _ in 0..5 {
        let (one, two) = (service.player("One").await, service.player("Two").await);
        one.block(&two.id).await.expect(204);
        one.seek(&wish).await.expect(201);
        two.seek(&wish).await.expect(201);
        let ann = service.player("Ann").await;
        let (first, second) = tokio::join!(ann.seek(&wish), ann.seek(&wish));
        assert_eq!(
            first.text_at("/ticket_id"),
            second.text_at("/ticket_id"),
            "a double tap is one ticket"
        );
        assert_eq!(ann.my_matches("").await.expect(200).array("/items").len(), 1);
        let left = [&one, &two];
        for player in left {
            let ticket = player.seek(&wish).await;
            if ticket.body["status"] == "waiting" {
                player
                    .cancel_ticket(&ticket.text_at("/ticket_id"))
                    .await
                    .expect(204);
            }
        }
    }
    service.stop().await;
}

async fn a_new_code_is_good_on_every_instance(database: Database) {
    let here = Service::start(&database).await;
    let there = here.another(&database).await;
    let (ann, bob, eve) = (
        here.player("Ann").await,
        here.player("Bob").await,
        here.player("Eve").await,
    );
    let setup = with(open_match("pairs", "demo", 3), &json!({"visibility": "invite"}));
    let created = ann.create_match(&setup).await.expect(201);
    let match_id = created.text_at("/match_id");
    let bob_there = bob.moved_to(there.url());
    bob_there
        .accept_invite(&created.text_at("/invite_code"))
        .await
        .expect(200);
    let code = ann.create_invite(&match_id).await.text_at("/code");
    let seen = bob_there.view(&match_id).await.expect(200);
    assert_eq!(seen.body["invite_code"], code.as_str());
    eve.moved_to(there.url()).accept_invite(&code).await.expect(200);
    there.stop().await;
    here.stop().await;
}

mod postgres_alone {
    use quartett_tests::Database;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn two_taps_at_once_are_one_ticket() {
        if let Some(database) = Database::postgres().await {
            super::two_taps_at_once_are_one_ticket(database).await;
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_new_code_is_good_on_every_instance() {
        if let Some(database) = Database::postgres().await {
            super::a_new_code_is_good_on_every_instance(database).await;
        }
    }
}
