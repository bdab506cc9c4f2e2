//! Making a match, once for each key.

use quartett_tests::setups::{open_match, small_match, with};
use quartett_tests::{Database, Service, at_once, both, fresh_key};
use serde_json::json;

both!(
    creating_again_under_one_key_is_the_same_match,
    creating_many_times_at_once_makes_one_match,
    a_key_to_create_belongs_to_its_creator_and_its_settings,
    what_the_rules_do_not_allow_is_not_created,
);

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
    let calls = (0..10).map(|_| ann.create_match_request(&small_match(), &key).send());
    let mut ids = Vec::new();
    let mut fresh = 0;
    for answer in at_once::all(calls).await {
        let answer = answer.expect(201);
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
