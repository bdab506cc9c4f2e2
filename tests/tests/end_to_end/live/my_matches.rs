//! The list of one's matches.

use quartett_tests::scripted::{Scripted, play_out};
use quartett_tests::setups::{open_match, small_match};
use quartett_tests::{Answer, Client, Database, Service, Table, Ticking, both, fresh_key};
use reqwest::Method;
use serde_json::{Value, json};

both!(
    every_match_of_the_caller_is_listed_with_how_it_stands,
    the_list_goes_on_page_by_page,
    what_has_not_changed_is_not_sent_again,
    a_long_poll_comes_back_when_something_changes,
);

fn ids(answer: &Answer) -> Vec<String> {
    let items = answer.array("/items").iter();
    items
        .map(|item| item["match_id"].as_str().expect("an id").to_owned())
        .collect()
}

async fn every_match_of_the_caller_is_listed_with_how_it_stands(database: Database) {
    let service = Service::start(&database).await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    assert!(ids(&ann.my_matches("").await.expect(200)).is_empty());
    let everyone = || vec![ann.clone(), bob.clone()];
    let ended = Table::of(everyone(), &small_match(), &[]).await.match_id;
    let mut scripted = [Scripted::new(&ann, 1), Scripted::new(&bob, 2)];
    play_out(&ended, &mut scripted).await;
    service.clock().advance(10);
    let setup = open_match("pairs", "demo", 3);
    let cancelled = ann.create_match(&setup).await.expect(201).text_at("/match_id");
    ann.cancel(&cancelled).await.expect(204);
    service.clock().advance(10);
    let waiting = ann.create_match(&setup).await.expect(201).text_at("/match_id");
    service.clock().advance(10);
    let running = Table::of(everyone(), &open_match("pairs", "demo", 3), &["hard"])
        .await
        .match_id;

    let listed = ann.my_matches("").await.expect(200);
    assert_eq!(
        ids(&listed),
        [running.as_str(), &waiting, &cancelled, &ended],
        "the newest first"
    );
    assert_eq!(listed.body["my_turn_count"], 1);
    let items = listed.array("/items");
    for (item, status) in items.iter().zip(["active", "waiting", "cancelled", "ended"]) {
        assert_eq!(item["status"], status);
        let of_status = ann.my_matches(&format!("?status={status}")).await.expect(200);
        assert_eq!(of_status.array("/items"), std::slice::from_ref(item));
        assert_eq!(of_status.body["my_turn_count"], 1, "counted whatever is listed");
    }
    let mine = ann.my_matches("?turn=mine").await.expect(200);
    assert_eq!(mine.array("/items"), std::slice::from_ref(&items[0]));
    let view = ann.view(&running).await.expect(200).body;
    let expected = json!({
        "match_id": running,
        "version": view["version"],
        "game": view["game"],
        "my_seat": 0,
        "opponents": [
            {"seat": 1, "kind": "player", "player": {"player_id": bob.id, "display_name": "Bob"}},
            {"seat": 2, "kind": "bot", "bot_level": "hard"},
        ],
        "status": "active",
        "turn": view["turn"],
        "my_turn": true,
        "deadline_at": view["turn"]["deadline_at"],
        "updated_at": items[0]["updated_at"],
    });
    assert_eq!(items[0], expected);
    let view = ann.view(&ended).await.expect(200).body;
    assert_eq!(items[3]["result"], view["result"]);
    assert_eq!(items[3]["updated_at"], view["ended_at"]);
    for absent in ["turn", "deadline_at"] {
        assert_eq!(items[3].get(absent), None);
    }
    let of_bob = bob.my_matches("").await.expect(200);
    assert_eq!(ids(&of_bob), [running.as_str(), &ended]);
    assert_eq!(
        (
            of_bob.number("/my_turn_count"),
            of_bob.array("/items")[0]["my_seat"].as_i64()
        ),
        (0, Some(1))
    );
    assert!(ids(&bob.my_matches("?turn=mine").await.expect(200)).is_empty());
    for wrong in [
        "?status=frozen",
        "?turn=theirs",
        "?limit=0",
        "?limit=101",
        "?wait=26",
        "?x=1",
    ] {
        ann.my_matches(wrong).await.problem(400, "invalid_query");
    }
    ann.my_matches("?cursor=x").await.problem(400, "invalid_cursor");
    service.stop().await;
}

async fn the_list_goes_on_page_by_page(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let mut created = Vec::new();
    for _ in 0..7 {
        service.clock().advance(1);
        let setup = open_match("pairs", "demo", 3);
        created.push(ann.create_match(&setup).await.expect(201).text_at("/match_id"));
    }
    created.reverse();
    for limit in [1, 3, 6, 7] {
        let mut listed = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = ann
                .my_matches(&format!("?limit={limit}{cursor}"))
                .await
                .expect(200);
            assert!(page.array("/items").len() <= limit);
            listed.extend(ids(&page));
            match page.body["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(listed, created);
    }
    service.stop().await;
}

async fn unless(client: &Client, query: &str, tag: &str) -> Answer {
    let request = client.request(Method::GET, &format!("/v1/me/matches{query}"));
    request.header("if-none-match", tag).send().await
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").expect("a list has a tag").to_owned()
}

async fn act(table: &Table) -> Value {
    let (seat, view) = table.to_move().await;
    let version = view["version"].as_i64().expect("a version");
    let action = &view["legal_actions"][0];
    let acted = table.players[seat]
        .act(&table.match_id, action, version, &fresh_key())
        .await;
    acted.expect(200).body
}

async fn what_has_not_changed_is_not_sent_again(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let (ann, bob) = (&table.players[0], &table.players[1]);
    let listed = ann.my_matches("").await.expect(200);
    assert_eq!(listed.header("cache-control"), Some("private, no-cache"));
    let tag = tag(&listed);
    unless(ann, "", &tag).await.expect(304);
    unless(bob, "", &tag).await.expect(200);
    // Another page of the list is another answer.
    unless(ann, "?status=ended", &tag).await.expect(200);
    bob.request(Method::PATCH, "/v1/me")
        .json(&json!({"display_name": "Robert"}))
        .send()
        .await
        .expect(200);
    let renamed = unless(ann, "", &tag).await.expect(200);
    assert_eq!(
        renamed.array("/items")[0]["opponents"][0]["player"]["display_name"],
        "Robert"
    );
    act(&table).await;
    unless(ann, "", renamed.header("etag").expect("a tag"))
        .await
        .expect(200);
    service.stop().await;
}

async fn a_long_poll_comes_back_when_something_changes(database: Database) {
    let service = Service::start(&database).await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let empty = ann.my_matches("?wait=25").await.expect(200);
    let empty_tag = tag(&empty);
    // What the caller does not have comes at once.
    let table = Table::of(vec![ann.clone(), bob.clone()], &small_match(), &[]).await;
    let listed = unless(&ann, "?wait=25", &empty_tag).await.expect(200);
    let mut known = tag(&listed);
    for _ in 0..4 {
        let (polled, acted) = tokio::join!(unless(&ann, "?wait=25", &known), act(&table));
        let polled = polled.expect(200);
        assert_eq!(polled.array("/items")[0]["version"], acted["version"]);
        known = tag(&polled);
    }
    // What does not concern this list does not end the wait.
    let waiting = ann
        .create_match(&open_match("pairs", "demo", 3))
        .await
        .expect(201);
    let waiting = waiting.text_at("/match_id");
    let ended = tag(&ann.my_matches("?status=ended").await.expect(200));
    let _running = Ticking::new(service.clock(), 20);
    let (polled, joined) = tokio::join!(unless(&ann, "?status=ended&wait=25", &ended), bob.join(&waiting));
    joined.expect(200);
    polled.expect(304);
    service.stop().await;
}
