//! Finding and starting matches, also when everybody wants to at the same moment.

use quartett_tests::setups::{open_match, small_match, with};
use quartett_tests::{Answer, Database, Player, Service, both, finished, fresh_key};
use serde_json::{Value, json};

both!(
    creating_again_under_one_key_is_the_same_match,
    creating_many_times_at_once_makes_one_match,
    a_key_to_create_belongs_to_its_creator_and_its_settings,
    as_many_sit_down_as_there_are_seats,
    as_many_play_as_there_are_seats,
    joining_many_times_at_once_takes_one_seat,
    joining_and_cancelling_at_once_has_one_outcome,
    a_seat_can_be_left_and_taken_again,
    the_last_to_leave_cancels_the_match,
    the_host_cancels_and_the_seed_is_shown,
    the_host_starts_with_bots_in_free_seats,
    an_invite_lets_in_who_has_the_code,
    entropy_of_players_goes_into_the_deal,
    what_the_rules_do_not_allow_is_not_created,
);

/// Lets all players do something at the same moment.
async fn all_at_once(players: &[Player], match_id: &str) -> Vec<Answer> {
    let sent: Vec<_> = players
        .iter()
        .map(|player| {
            let (player, match_id) = (player.clone(), match_id.to_owned());
            tokio::spawn(async move { player.join(&match_id).await })
        })
        .collect();
    let mut answers = Vec::new();
    for answer in sent {
        answers.push(answer.await.expect("every request is answered"));
    }
    answers
}

async fn players(service: &Service, count: usize) -> Vec<Player> {
    let mut players = Vec::new();
    for number in 0..count {
        players.push(service.player(&format!("Joiner {number}")).await);
    }
    players
}

/// A match of `seats` that its host has to start.
async fn waiting(host: &Player, seats: usize, settings: &Value) -> String {
    let setup = with(open_match("supertrump", "demo", seats), settings);
    let created = host.create_match(&setup).await.expect(201);
    assert_eq!(created.body["status"], "waiting");
    created.text_at("/match_id")
}

/// The seats that nobody holds.
fn free(view: &Value) -> usize {
    let seats = view["seats"].as_array().expect("a view has seats");
    seats.iter().filter(|seat| seat["kind"] == "open").count()
}

async fn creating_again_under_one_key_is_the_same_match(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let key = fresh_key();
    let first = ann
        .create_match_request(&small_match(), &key)
        .send()
        .await
        .expect(201);
    assert!(!first.is_replayed());
    let again = ann
        .create_match_request(&small_match(), &key)
        .send()
        .await
        .expect(201);
    assert!(again.is_replayed());
    assert_eq!(again.body, first.body);
    assert_eq!(again.header("location"), first.header("location"));
    // The answer is that of the creation, also when the match has gone on.
    let match_id = first.text_at("/match_id");
    service.player("Bob").await.join(&match_id).await.expect(200);
    let later = ann
        .create_match_request(&small_match(), &key)
        .send()
        .await
        .expect(201);
    assert!(later.is_replayed());
    assert_eq!(later.body["match_id"], first.body["match_id"]);
    assert_eq!(later.body["version"], first.body["version"]);
    assert_eq!(later.body["head_hash"], first.body["head_hash"]);
    let lobby = ann.open_matches().await.expect(200);
    assert!(lobby.array("/items").is_empty(), "there is no second match");
    service.stop().await;
}

async fn creating_many_times_at_once_makes_one_match(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let key = fresh_key();
    let sent: Vec<_> = (0..10)
        .map(|_| tokio::spawn(ann.create_match_request(&small_match(), &key).send()))
        .collect();
    let mut ids = Vec::new();
    let mut fresh = 0;
    for answer in sent {
        let answer = answer.await.expect("every request is answered").expect(201);
        fresh += i32::from(!answer.is_replayed());
        ids.push(answer.text_at("/match_id"));
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "one match");
    assert_eq!(fresh, 1);
    let lobby = ann.open_matches().await.expect(200);
    assert_eq!(lobby.array("/items").len(), 1);
    service.stop().await;
}

async fn a_key_to_create_belongs_to_its_creator_and_its_settings(database: Database) {
    let service = Service::start(&database).await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let key = fresh_key();
    let of_ann = ann
        .create_match_request(&small_match(), &key)
        .send()
        .await
        .expect(201);
    let other = open_match("pairs", "demo", 2);
    let reused = ann.create_match_request(&other, &key).send().await;
    reused.problem(422, "idempotency_key_reused");
    let of_bob = bob
        .create_match_request(&small_match(), &key)
        .send()
        .await
        .expect(201);
    assert!(!of_bob.is_replayed());
    assert_ne!(of_bob.body["match_id"], of_ann.body["match_id"]);
    service.stop().await;
}

async fn as_many_sit_down_as_there_are_seats(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let joiners = players(&service, 5 + 3).await;
    let match_id = waiting(&host, 4, &json!({"auto_start": false})).await;
    let mut seated = Vec::new();
    for answer in all_at_once(&joiners, &match_id).await {
        match answer.status {
            200 => seated.push(answer.number("/my_seat")),
            _ => drop(answer.problem(409, "match_full")),
        }
    }
    seated.sort_unstable();
    assert_eq!(seated, [1, 2, 3], "nobody sits twice and no seat stays free");
    let view = host.view(&match_id).await.expect(200);
    assert_eq!(free(&view.body), 0);
    let entries = host.history(&match_id, 0).await;
    finished::check_log(&entries, view.number("/version"));
    assert_eq!(entries.len(), 4, "the creation and three joins");
    let started = host.start_match(&match_id, &json!({})).await.expect(200);
    assert_eq!(started.body["status"], "active");
    service.stop().await;
}

async fn as_many_play_as_there_are_seats(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let joiners = players(&service, 5 + 2).await;
    let match_id = waiting(&host, 3, &json!({})).await;
    let mut seated = 0;
    for answer in all_at_once(&joiners, &match_id).await {
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
    finished::check_log(&host.history(&match_id, 0).await, view.number("/version"));
    service.stop().await;
}

async fn joining_many_times_at_once_takes_one_seat(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let ann = service.player("Ann").await;
    let match_id = waiting(&host, 4, &json!({})).await;
    for answer in all_at_once(&vec![ann.clone(); 10], &match_id).await {
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

async fn joining_and_cancelling_at_once_has_one_outcome(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let mut joined = 0;
    for round in 0..12 {
        let match_id = host
            .create_match(&small_match())
            .await
            .expect(201)
            .text_at("/match_id");
        let join = {
            let (ann, match_id) = (ann.clone(), match_id.clone());
            async move { ann.join(&match_id).await }
        };
        let cancel = {
            let (host, match_id) = (host.clone(), match_id.clone());
            async move { host.cancel(&match_id).await }
        };
        // Who is sent first changes from round to round; who arrives first is left to chance.
        let (join, cancel) = if round % 2 == 0 {
            let join = tokio::spawn(join);
            (join, tokio::spawn(cancel))
        } else {
            let cancel = tokio::spawn(cancel);
            (tokio::spawn(join), cancel)
        };
        let join = join.await.expect("an answer");
        let cancel = cancel.await.expect("an answer");
        let view = host.view(&match_id).await.expect(200);
        if join.status == 200 {
            cancel.problem(409, "match_started");
            assert_eq!(view.body["status"], "active");
            joined += 1;
        } else {
            assert_eq!(cancel.status, 204, "{}", cancel.text);
            assert!(matches!(join.status, 404 | 409), "{}", join.text);
            assert_eq!(view.body["status"], "cancelled");
            assert!(view.body["seats"][1].get("player").is_none());
        }
        finished::check_log(&host.history(&match_id, 0).await, view.number("/version"));
    }
    assert!(joined <= 12);
    service.stop().await;
}

async fn a_seat_can_be_left_and_taken_again(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let match_id = waiting(&host, 3, &json!({})).await;
    ann.join(&match_id).await.expect(200);
    ann.leave(&match_id).await.expect(204);
    let view = host.view(&match_id).await.expect(200);
    assert_eq!(free(&view.body), 2);
    assert_eq!(bob.join(&match_id).await.expect(200).body["my_seat"], 1);
    assert_eq!(ann.join(&match_id).await.expect(200).body["my_seat"], 2);
    ann.leave(&match_id).await.problem(409, "match_started");
    let entries = host.history(&match_id, 0).await;
    let left = finished::events(&entries).filter(|event| event["type"] == "seat_left");
    assert_eq!(left.count(), 1);
    service.stop().await;
}

async fn the_last_to_leave_cancels_the_match(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let match_id = waiting(&host, 3, &json!({})).await;
    host.leave(&match_id).await.expect(204);
    ann.view(&match_id).await.problem(404, "not_found");
    ann.join(&match_id).await.problem(404, "not_found");
    let lobby = ann.open_matches().await.expect(200);
    assert!(lobby.array("/items").is_empty());
    service.stop().await;
}

async fn the_host_cancels_and_the_seed_is_shown(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let match_id = waiting(&host, 3, &json!({})).await;
    ann.join(&match_id).await.expect(200);
    ann.cancel(&match_id).await.problem(409, "not_host");
    ann.start_match(&match_id, &json!({}))
        .await
        .problem(409, "not_host");
    host.cancel(&match_id).await.expect(204);
    for player in [&host, &ann] {
        let view = player.view(&match_id).await.expect(200);
        assert_eq!(view.body["status"], "cancelled");
        assert_eq!(view.body["result"]["reason"], "host_cancelled");
        let entries = player.history(&match_id, 0).await;
        let cancelled = finished::find(&entries, "cancelled");
        assert!(cancelled["seed"].is_string(), "the seed is shown: {cancelled}");
    }
    service
        .player("Bob")
        .await
        .view(&match_id)
        .await
        .problem(404, "not_found");
    service.stop().await;
}

async fn the_host_starts_with_bots_in_free_seats(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let match_id = waiting(&host, 4, &json!({})).await;
    ann.join(&match_id).await.expect(200);
    host.start_match(&match_id, &json!({}))
        .await
        .problem(409, "seats_free");
    let fill = json!({"fill_with_bots": "easy"});
    let view = host.start_match(&match_id, &fill).await.expect(200);
    assert_eq!(view.body["status"], "active");
    let kinds: Vec<_> = view
        .array("/seats")
        .iter()
        .map(|seat| seat["kind"].clone())
        .collect();
    assert_eq!(kinds, ["player", "player", "bot", "bot"]);
    assert_eq!(view.body["seats"][3]["bot_level"], "easy");
    service.stop().await;
}

async fn an_invite_lets_in_who_has_the_code(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let bob = service.player("Bob").await;
    let setup = with(open_match("pairs", "demo", 2), &json!({"visibility": "invite"}));
    let created = host.create_match(&setup).await.expect(201);
    let match_id = created.text_at("/match_id");
    let first = created.text_at("/invite_code");
    assert!(bob.open_matches().await.expect(200).array("/items").is_empty());
    for hidden in [bob.view(&match_id).await, bob.join(&match_id).await] {
        hidden.problem(404, "not_found");
    }
    // A preview needs no account.
    let preview = service.anonymous().invite(&first).await.expect(200);
    assert_eq!(preview.body["match_id"], match_id.as_str());
    assert_eq!(preview.body["free_seats"], 1);
    let second = host.create_invite(&match_id).await.text_at("/code");
    assert_ne!(second, first);
    ann.accept_invite(&first).await.problem(404, "not_found");
    ann.create_invite(&match_id).await.problem(404, "not_found");
    host.revoke_invite(&match_id).await.expect(204);
    ann.accept_invite(&second).await.problem(404, "not_found");
    let third = host.create_invite(&match_id).await.text_at("/code");
    let joined = ann.accept_invite(&third).await.expect(200);
    assert_eq!(joined.body["my_seat"], 1);
    assert_eq!(joined.body["status"], "active");
    assert!(
        joined.body.get("invite_code").is_none(),
        "a code is shown while waiting only"
    );
    bob.view(&match_id).await.problem(404, "not_found");
    service.stop().await;
}

async fn entropy_of_players_goes_into_the_deal(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let setup = with(
        open_match("vdb_supertrumpf", "demo", 2),
        &json!({"auto_start": false, "game": {"type": "vdb_supertrumpf", "vdb_supertrumpf": {"rounds": 1}}}),
    );
    let match_id = host.create_match(&setup).await.expect(201).text_at("/match_id");
    ann.join_saying(&match_id, &json!({"entropy": "of-ann"}))
        .await
        .expect(200);
    host.start_match(&match_id, &json!({"entropy": "of-the-host"}))
        .await
        .expect(200);
    let mut scripted = [&host, &ann].map(|player| quartett_tests::scripted::Scripted::new(player, 1));
    quartett_tests::scripted::play_out(&match_id, &mut scripted).await;
    // Holds the deal against the seed and what both gave.
    let entries = finished::check(&match_id, &[&host, &ann]).await;
    assert_eq!(finished::find(&entries, "started")["entropy"], "of-the-host");
    let taken: Vec<_> = finished::events(&entries)
        .filter_map(|event| event["seat_taken"]["entropy"].as_str())
        .collect();
    assert_eq!(taken, ["of-ann"]);
    service.stop().await;
}

async fn what_the_rules_do_not_allow_is_not_created(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let sportwaffen_in_pairs = open_match("pairs", "sportwaffen", 2);
    let two_seats = open_match("vdb_quartett", "demo", 2);
    let no_rounds = with(
        small_match(),
        &json!({"game": {"type": "vdb_supertrumpf", "vdb_supertrumpf": {"rounds": 0}}}),
    );
    let unknown_deck = open_match("pairs", "no-such-deck", 2);
    for (setup, code) in [
        (sportwaffen_in_pairs, "deck_unfit"),
        (two_seats, "seats_out_of_range"),
        (no_rounds, "option_out_of_range"),
        (unknown_deck, "unknown_deck"),
    ] {
        ann.create_match(&setup).await.problem(422, code);
    }
    assert!(ann.open_matches().await.expect(200).array("/items").is_empty());
    service.stop().await;
}
