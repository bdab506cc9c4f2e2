//! What ends a match, or a player's part in it, early: forfeits, the time limit, and bots that are quick.

use quartett_tests::finished::{self, count, lines};
use quartett_tests::setups::{TURN_MILLIS, open_match, small_match, timed, with, with_options};
use quartett_tests::{Database, Service, Setup, Table, both, fresh_key, millis, stored, version_of};
use serde_json::json;

both!(
    after_a_forfeited_deadline_the_seat_has_resigned,
    a_forfeit_of_one_of_two_ends_the_match,
    the_time_limit_is_judged_before_a_late_action,
    the_time_limit_goes_before_a_deadline_that_passed_too,
    a_match_may_end_in_the_moment_it_begins,
);

async fn after_a_forfeited_deadline_the_seat_has_resigned(database: Database) {
    let service = Service::start(&database).await;
    let setup = with(
        timed(open_match("vdb_supertrumpf", "wohnbau", 3)),
        &json!({"deadline_policy": "forfeit"}),
    );
    let table = Table::new(&service, &setup, &[]).await;
    let view = table.view(0).await;
    service.clock().advance(TURN_MILLIS);
    let entries = table.players[1].news(&table.match_id, version_of(&view)).await;
    assert_eq!(entries[0]["by"], "clock");
    assert_eq!(lines(&entries[0]), ["late A", "resign A"]);
    assert!(
        entries[1..]
            .iter()
            .all(|entry| entry["by"] == "bot" && entry["seat"] == 0)
    );
    let (seat, after) = table.to_move().await;
    assert_eq!(seat, 1);
    assert_eq!(after["seats"][0]["state"], "resigned");
    assert_eq!(after["seats"][0]["kind"], "player");
    let own = table.view(0).await;
    assert!(own.get("legal_actions").is_none());
    let action = &after["legal_actions"][0];
    table.players[0]
        .act(&table.match_id, action, version_of(&own), &fresh_key())
        .await
        .problem(409, "seat_resigned");
    let back = table.players[0].return_to(&table.match_id).await;
    back.problem(409, "seat_resigned");
    // A bot holds the seat to the end.
    table.until_turn_leaves(1).await;
    let answer = table.act().await;
    let bots = answer
        .array("/entries")
        .iter()
        .filter(|entry| entry["by"] == "bot");
    assert!(
        bots.clone().count() > 0 && bots.clone().all(|entry| entry["seat"] == 0),
        "{}",
        answer.text
    );
    service.stop().await;
}

async fn a_forfeit_of_one_of_two_ends_the_match(database: Database) {
    let service = Service::start(&database).await;
    let setup = with(timed(small_match()), &json!({"deadline_policy": "forfeit"}));
    let table = Table::new(&service, &setup, &[]).await;
    service.clock().advance(TURN_MILLIS);
    let ended = table.players[1]
        .view_when(&table.match_id, |view| view["status"] == "ended")
        .await;
    assert_eq!(ended["result"]["reason"], "too_few_players");
    assert_eq!(finished::ranks(&ended), [2, 1]);
    let entries = finished::check(&table.match_id, &table.everyone()).await;
    let last = lines(&entries[entries.len() - 1]);
    assert_eq!(last[..2], ["late A", "resign A"]);
    service.stop().await;
}

async fn the_time_limit_is_judged_before_a_late_action(database: Database) {
    let service = Service::start(&database).await;
    let setup = with(timed(small_match()), &json!({"time_limit_seconds": 600}));
    let table = Table::new(&service, &setup, &[]).await;
    for _ in 0..10 {
        service.clock().advance(TURN_MILLIS - 1_000);
        table.act().await;
    }
    // Ten seconds are left for the match, fifty more for the turn.
    let (seat, view) = table.to_move().await;
    assert!(millis(&view["turn"]["deadline_at"]) > service.now_millis() + 10_000);
    service.clock().advance(9_999);
    assert_eq!(table.view(0).await["status"], "active");
    service.clock().advance(1);
    let late = table.act_on(seat, &view).await;
    late.problem(409, "match_over");
    let entries = finished::check(&table.match_id, &table.everyone()).await;
    let last = &entries[entries.len() - 1];
    assert_eq!(last["by"], "clock");
    assert!(last.get("seat").is_none());
    assert_eq!(lines(last)[0], "timeup");
    assert_eq!(table.view(0).await["result"]["reason"], "time");
    assert_eq!(count(&entries, "deadline_passed"), 0);
    service.stop().await;
}

async fn the_time_limit_goes_before_a_deadline_that_passed_too(database: Database) {
    let service = Service::start(&database).await;
    let setup = with(timed(small_match()), &json!({"time_limit_seconds": 600}));
    let table = Table::new(&service, &setup, &[]).await;
    let clock = service.clock().clone();
    service.stop().await;
    clock.advance(11 * TURN_MILLIS);
    let setup = Setup {
        clock,
        seed: 2,
        ..Setup::default()
    };
    let service = Service::start_with(&database, setup).await;
    let table = table.moved_to(service.url());
    let view = table.players[0]
        .view_when(&table.match_id, |view| view["status"] == "ended")
        .await;
    assert_eq!(view["result"]["reason"], "time");
    let entries = finished::check(&table.match_id, &table.everyone()).await;
    assert_eq!(count(&entries, "deadline_passed"), 0);
    service.stop().await;
}

async fn a_match_may_end_in_the_moment_it_begins(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let setup = with_options(open_match("supertrump", "demo", 4), &json!({"rounds": 1}));
    let bots =
        json!({"bots": [{"level": "easy"}, {"level": "easy"}, {"level": "easy"}], "starter": "random"});
    let setup = with(setup, &bots);
    // Three of four begin with a bot, whose choice is the only one.
    let ended = loop {
        let created = ann.create_match(&setup).await.expect(201);
        if created.body["status"] == "ended" {
            break created;
        }
    };
    let match_id = ended.text_at("/match_id");
    finished::check(&match_id, &[&ann]).await;
    let listed = ann.get("/v1/me/matches?status=ended").await.expect(200);
    let listed = listed
        .array("/items")
        .iter()
        .find(|item| item["match_id"] == match_id.as_str());
    let listed = listed.expect("it is listed among those that ended");
    assert_eq!(listed["result"], ended.body["result"]);
    let running = ann.get("/v1/me/matches?status=active").await.expect(200);
    assert!(!running.text.contains(&match_id), "{}", running.text);
    stored::check(&database).await;
    service.stop().await;
}
