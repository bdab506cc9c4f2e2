//! Seats taken and left, also by many at the same moment.

use quartett_tests::finished::{count, lines, log_of};
use quartett_tests::setups::open_match;
use quartett_tests::tables::waiting;
use quartett_tests::{Answer, Database, Instances, Player, Service, at_once, both, fresh_key, later, stored};
use serde_json::{Value, json};

both!(
    nobody_sits_in_more_matches_than_one_may,
    as_many_sit_down_as_there_are_seats,
    as_many_play_as_there_are_seats,
    joining_many_times_at_once_takes_one_seat,
    a_seat_can_be_left_and_taken_again,
    joining_and_leaving_at_once_leaves_a_whole_table,
    the_last_to_leave_cancels_the_match,
    when_the_host_leaves_the_next_seat_is_host,
);

/// So many matches that are not over may one have a seat in.
const UNFINISHED_MAX: usize = 200;

/// Lets all players sit down at the same moment.
async fn join_at_once(players: &[Player], match_id: &str) -> Vec<Answer> {
    let match_id = match_id.to_owned();
    at_once::all(players.iter().map(|player| later!(player.join(match_id)))).await
}

async fn players(service: &Service, count: usize) -> Vec<Player> {
    let mut players = Vec::new();
    for number in 0..count {
        players.push(service.player(&format!("Joiner {number}")).await);
    }
    players
}

/// The seats that nobody holds.
fn free(view: &Value) -> usize {
    let seats = view["seats"].as_array().expect("a view has seats");
    seats.iter().filter(|seat| seat["kind"] == "open").count()
}

async fn as_many_sit_down_as_there_are_seats(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let joiners = players(&service, 5 + 3).await;
    let match_id = waiting(&host, 4, &json!({"auto_start": false}))
        .await
        .text_at("/match_id");
    let mut seated = Vec::new();
    for answer in join_at_once(&joiners, &match_id).await {
        match answer.status {
            200 => seated.push(answer.number("/my_seat")),
            _ => drop(answer.problem(409, "match_full")),
        }
    }
    seated.sort_unstable();
    assert_eq!(seated, [1, 2, 3], "nobody sits twice and no seat stays free");
    let view = host.view(&match_id).await.expect(200);
    assert_eq!(free(&view.body), 0);
    let entries = log_of(&host, &match_id).await;
    assert_eq!(entries.len(), 4, "the creation and three joins");
    let started = host.start_match(&match_id, &json!({})).await.expect(200);
    assert_eq!(started.body["status"], "active");
    service.stop().await;
}

async fn as_many_play_as_there_are_seats(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let joiners = players(&service, 5 + 2).await;
    let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
    let mut seated = 0;
    for answer in join_at_once(&joiners, &match_id).await {
        match (answer.status, answer.body["code"].as_str()) {
            (200, _) => seated += 1,
            // A match that runs is hidden from who has no seat in it.
            (404, _) | (409, Some("match_full" | "match_started")) => {}
            _ => panic!("{}", answer.text),
        }
    }
    assert_eq!(seated, 2);
    let view = host.view(&match_id).await.expect(200);
    assert_eq!(view.body["status"], "active");
    log_of(&host, &match_id).await;
    service.stop().await;
}

async fn joining_many_times_at_once_takes_one_seat(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let ann = service.player("Ann").await;
    let match_id = waiting(&host, 4, &json!({})).await.text_at("/match_id");
    for answer in join_at_once(&vec![ann.clone(); 10], &match_id).await {
        assert_eq!(
            answer.expect(200).body["my_seat"],
            1,
            "joining twice is the same join"
        );
    }
    assert_eq!(ann.join(&match_id).await.expect(200).body["my_seat"], 1);
    assert_eq!(host.join(&match_id).await.expect(200).body["my_seat"], 0);
    let view = host.view(&match_id).await.expect(200);
    assert_eq!(free(&view.body), 2);
    assert_eq!(view.number("/version"), 2);
    service.stop().await;
}

async fn a_seat_can_be_left_and_taken_again(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
    ann.join(&match_id).await.expect(200);
    ann.leave(&match_id).await.expect(204);
    let view = host.view(&match_id).await.expect(200);
    assert_eq!(free(&view.body), 2);
    assert_eq!(bob.join(&match_id).await.expect(200).body["my_seat"], 1);
    assert_eq!(ann.join(&match_id).await.expect(200).body["my_seat"], 2);
    ann.leave(&match_id).await.problem(409, "match_started");
    let entries = host.history(&match_id, 0).await;
    assert_eq!(count(&entries, "seat_left"), 1);
    service.stop().await;
}

async fn joining_and_leaving_at_once_leaves_a_whole_table(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    let host = one.player("Host").await;
    let (ann, bob) = (one.player("Ann").await, one.player("Bob").await.moved_to(there));
    for round in 0..8 {
        let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
        ann.join(&match_id).await.expect(200);
        // The last free seat or the one that is just left: in either case there is one.
        let (joins, leaves) = (later!(bob.join(match_id)), later!(ann.leave(match_id)));
        let (joined, left) = at_once::race(round, joins, leaves).await;
        let joined = joined.expect(200);
        let view = host.view(&match_id).await.expect(200);
        if left.status == 204 {
            assert_eq!(view.body["status"], "waiting");
            let kinds: Vec<&Value> = view.array("/seats").iter().map(|seat| &seat["kind"]).collect();
            assert_eq!(
                kinds.iter().filter(|kind| **kind == "player").count(),
                2,
                "{}",
                view.text
            );
        } else {
            // Bob came first, and the match was full.
            left.problem(409, "match_started");
            assert_eq!(view.body["status"], "active");
            assert_eq!(joined.body["my_seat"], 2);
        }
        log_of(&host, &match_id).await;
        if view.body["status"] == "waiting" {
            host.cancel(&match_id).await.expect(204);
        }
    }
    instances.stop().await;
    stored::check(&database).await;
}

async fn the_last_to_leave_cancels_the_match(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
    host.leave(&match_id).await.expect(204);
    ann.view(&match_id).await.problem(404, "not_found");
    ann.join(&match_id).await.problem(404, "not_found");
    let lobby = ann.open_matches().await.expect(200);
    assert!(lobby.array("/items").is_empty());
    service.stop().await;
}

async fn when_the_host_leaves_the_next_seat_is_host(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let match_id = waiting(&host, 4, &json!({})).await.text_at("/match_id");
    ann.join(&match_id).await.expect(200);
    bob.join(&match_id).await.expect(200);
    host.leave(&match_id).await.expect(204);
    let view = ann.view(&match_id).await.expect(200);
    assert_eq!(view.body["host_seat"], 1);
    let listed = host.open_matches().await.expect(200);
    assert_eq!(listed.body["items"][0]["host"]["player_id"], ann.id.as_str());
    bob.start_match(&match_id, &json!({}))
        .await
        .problem(409, "not_host");
    bob.cancel(&match_id).await.problem(409, "not_host");
    // The one who was host may come back, as a guest.
    assert_eq!(host.join(&match_id).await.expect(200).body["my_seat"], 0);
    host.start_match(&match_id, &json!({}))
        .await
        .problem(409, "not_host");
    let started = ann
        .start_match(&match_id, &json!({"fill_with_bots": "hard"}))
        .await
        .expect(200);
    assert_eq!(started.body["status"], "active");
    // The host's start is an entry of the host's.
    let entries = log_of(&bob, &match_id).await;
    let start = entries.iter().find(|entry| lines(entry)[0].starts_with("start "));
    assert_eq!(start.map(|entry| &entry["seat"]), Some(&json!(1)));
    service.stop().await;
}

/// The limit in full: it counts what one made and what one joined, and what is over counts no more.
async fn nobody_sits_in_more_matches_than_one_may(database: Database) {
    let service = Service::start(&database).await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let by_bob = bob
        .create_match(&open_match("pairs", "demo", 2))
        .await
        .expect(201);
    let by_bob = by_bob.text_at("/match_id");
    let setup = open_match("pairs", "demo", 2);
    let key = fresh_key();
    let first = ann.create_match_request(&setup, &key).send().await.expect(201);
    for _ in 1..UNFINISHED_MAX {
        ann.create_match(&setup).await.expect(201);
    }
    ann.create_match(&setup).await.problem(409, "too_many_matches");
    ann.join(&by_bob).await.problem(409, "too_many_matches");
    // What was made before is told of again.
    let again = ann.create_match_request(&setup, &key).send().await.expect(201);
    assert_eq!(again.body["match_id"], first.body["match_id"]);
    ann.leave(&first.text_at("/match_id")).await.expect(204);
    ann.join(&by_bob).await.expect(200);
    ann.create_match(&setup).await.problem(409, "too_many_matches");
    service.stop().await;
}
