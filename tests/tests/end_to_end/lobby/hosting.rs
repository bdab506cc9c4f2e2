//! What only the host may do: start the match, or cancel it.

use quartett_tests::finished::{self, log_of};
use quartett_tests::scripted::{Scripted, play_out};
use quartett_tests::setups::{open_match, small_match, with};
use quartett_tests::tables::waiting;
use quartett_tests::{Database, Instances, Service, at_once, both, later};
use serde_json::json;

both!(
    the_host_starts_with_bots_in_free_seats,
    a_match_that_waits_for_its_host_does_not_start_by_itself,
    joining_and_starting_at_once_has_one_outcome,
    entropy_of_players_goes_into_the_deal,
    the_host_cancels_and_the_seed_is_shown,
    joining_and_cancelling_at_once_has_one_outcome,
);

async fn the_host_starts_with_bots_in_free_seats(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let match_id = waiting(&host, 4, &json!({})).await.text_at("/match_id");
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

async fn a_match_that_waits_for_its_host_does_not_start_by_itself(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let match_id = waiting(&host, 2, &json!({"auto_start": false}))
        .await
        .text_at("/match_id");
    let full = ann.join(&match_id).await.expect(200);
    assert_eq!(full.body["status"], "waiting");
    assert!(
        bob.open_matches().await.expect(200).array("/items").is_empty(),
        "no seat is free"
    );
    bob.join(&match_id).await.problem(409, "match_full");
    ann.start_match(&match_id, &json!({}))
        .await
        .problem(409, "not_host");
    // Whoever sits there may still go, and another one come.
    ann.leave(&match_id).await.expect(204);
    host.start_match(&match_id, &json!({}))
        .await
        .problem(409, "seats_free");
    bob.join(&match_id).await.expect(200);
    let started = host.start_match(&match_id, &json!({})).await.expect(200);
    assert_eq!(started.body["status"], "active");
    let again = host.start_match(&match_id, &json!({})).await.expect(200);
    assert_eq!(again.body["version"], started.body["version"]);
    service.stop().await;
}

async fn joining_and_starting_at_once_has_one_outcome(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    let host = one.player("Host").await;
    let ann = one.player("Ann").await.moved_to(there);
    let bots = json!({"fill_with_bots": "easy"});
    for round in 0..8 {
        let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
        let (joins, starts) = (
            later!(ann.join(match_id)),
            later!(host.start_match(match_id, bots)),
        );
        let (joined, started) = at_once::race(round, joins, starts).await;
        started.expect(200);
        let view = host.view(&match_id).await.expect(200);
        assert_eq!(view.body["status"], "active");
        if joined.status == 200 {
            assert_eq!(view.body["seats"][1]["player"]["player_id"], ann.id.as_str());
        } else {
            joined.problem(409, "match_full");
            assert_eq!(view.body["seats"][1]["kind"], "bot");
        }
        log_of(&host, &match_id).await;
    }
    instances.stop().await;
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
    let mut scripted = [&host, &ann].map(|player| Scripted::new(player, 1));
    play_out(&match_id, &mut scripted).await;
    // Holds the deal against the seed and what both gave.
    let entries = finished::check(&match_id, &[&host, &ann]).await;
    assert_eq!(finished::find(&entries, "started")["entropy"], "of-the-host");
    let taken: Vec<_> = finished::events(&entries)
        .filter_map(|event| event["seat_taken"]["entropy"].as_str())
        .collect();
    assert_eq!(taken, ["of-ann"]);
    service.stop().await;
}

async fn the_host_cancels_and_the_seed_is_shown(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
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

async fn joining_and_cancelling_at_once_has_one_outcome(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    for round in 0..12 {
        let match_id = host
            .create_match(&small_match())
            .await
            .expect(201)
            .text_at("/match_id");
        let (joins, cancels) = (later!(ann.join(match_id)), later!(host.cancel(match_id)));
        let (join, cancel) = at_once::race(round, joins, cancels).await;
        let view = host.view(&match_id).await.expect(200);
        if join.status == 200 {
            cancel.problem(409, "match_started");
            assert_eq!(view.body["status"], "active");
        } else {
            assert_eq!(cancel.status, 204, "{}", cancel.text);
            assert!(matches!(join.status, 404 | 409), "{}", join.text);
            assert_eq!(view.body["status"], "cancelled");
            assert!(view.body["seats"][1].get("player").is_none());
        }
        log_of(&host, &match_id).await;
    }
    service.stop().await;
}
