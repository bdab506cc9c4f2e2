//! Players who stay away: a bot holds their seats until they return, and a match without players rests.

use quartett_tests::finished::{self, lines};
use quartett_tests::setups::{TURN_MILLIS, open_match, small_match, timed, with};
use quartett_tests::{Database, Service, Table, both, fresh_key, millis};
use serde_json::{Value, json};

both!(
    two_misses_in_a_row_and_a_bot_holds_the_seat,
    who_returns_has_the_seat_again,
    a_return_gives_nobody_else_more_time,
    an_own_action_between_two_misses_counts,
    a_match_whose_players_are_all_away_rests,
    a_match_that_rests_goes_on_when_somebody_returns,
    whoever_returns_to_a_rest_finds_the_others_played_by_bots,
    a_match_that_rested_for_two_weeks_is_abandoned,
    a_return_begins_another_rest_of_two_weeks,
);

const DAY_MILLIS: i64 = 24 * 3600 * 1000;

/// A match of so many players in which each round has another opener, and a minute for each turn.
async fn table(service: &Service, seats: usize, bots: &[&str]) -> Table {
    let setup = timed(open_match("vdb_supertrumpf", "wohnbau", seats));
    Table::new(service, &setup, bots).await
}

/// The seat to move lets its time pass. What the clock and the bots did then.
async fn miss(service: &Service, table: &Table) -> Vec<Value> {
    let (_, view) = table.to_move().await;
    let version = view["version"].as_i64().expect("a version");
    let due = millis(&view["turn"]["deadline_at"]);
    service.clock().advance(due - service.now_millis());
    table.players[0].news(&table.match_id, version).await
}

/// Seat 0 misses its turn again and again, the others take theirs, until it is away.
async fn until_away(service: &Service, table: &Table) -> Vec<Value> {
    table.until_turn_of(0).await;
    miss(service, table).await;
    table.until_turn_of(0).await;
    miss(service, table).await
}

/// Two players are away, the one in seat 1 last: the match rests on its turn.
async fn until_rest(service: &Service, table: &Table) {
    until_away(service, table).await;
    miss(service, table).await;
    let last = miss(service, table).await;
    assert_eq!(lines(&last[0]), ["late B", "away B"]);
    assert_eq!(last.len(), 1, "no bot moves while a match rests: {last:?}");
}

async fn two_misses_in_a_row_and_a_bot_holds_the_seat(database: Database) {
    let service = Service::start(&database).await;
    let table = table(&service, 3, &[]).await;
    let news = until_away(&service, &table).await;
    assert_eq!(news[0]["by"], "clock");
    assert_eq!(lines(&news[0]), ["late A", "away A"]);
    assert!(
        news[1..]
            .iter()
            .all(|entry| entry["by"] == "bot" && entry["seat"] == 0)
    );
    let own = table.view(0).await;
    assert_eq!(own["seats"][0]["away"], true);
    assert_eq!(own["seats"][0]["kind"], "player");
    assert!(own.get("legal_actions").is_none(), "{own}");
    let (_, view) = table.to_move().await;
    let action = &view["legal_actions"][0];
    let version = view["version"].as_i64().expect("a version");
    table.players[0]
        .act(&table.match_id, action, version, &fresh_key())
        .await
        .problem(409, "seat_held_by_bot");
    // From now on the bot moves at once.
    let mut bots = 0;
    for _ in 0..6 {
        let answer = table.act().await;
        let entries = answer.array("/entries");
        bots += entries[1..].len();
        assert!(
            entries[1..]
                .iter()
                .all(|entry| entry["by"] == "bot" && entry["seat"] == 0)
        );
        assert_ne!(answer.body["view"]["turn"]["seat"], 0);
    }
    assert!(bots > 0, "the bot had turns");
    service.stop().await;
}

async fn who_returns_has_the_seat_again(database: Database) {
    let service = Service::start(&database).await;
    let table = table(&service, 3, &[]).await;
    until_away(&service, &table).await;
    let before = table.view(0).await;
    let back = table.players[0].return_to(&table.match_id).await.expect(200);
    let entries = back.array("/entries");
    assert_eq!(entries.len(), 1);
    assert_eq!(
        (&entries[0]["by"], &entries[0]["seat"]),
        (&json!("player"), &json!(0))
    );
    assert_eq!(lines(&entries[0]), ["return A"]);
    assert_eq!(back.body["view"]["seats"][0]["away"], false);
    // Again is the same as it is.
    let again = table.players[0].return_to(&table.match_id).await.expect(200);
    assert!(again.array("/entries").is_empty());
    assert_eq!(again.body["version"], back.body["version"]);
    assert_eq!(
        again.number("/version"),
        before["version"].as_i64().expect("a version") + 1
    );
    // Its next turn is its own, with the whole time, and one miss is the first one again.
    let view = table.until_turn_of(0).await;
    assert_eq!(
        millis(&view["turn"]["deadline_at"]),
        service.now_millis() + TURN_MILLIS
    );
    let news = miss(&service, &table).await;
    assert_eq!(lines(&news[0]), ["late A"]);
    service.stop().await;
}

async fn a_return_gives_nobody_else_more_time(database: Database) {
    let service = Service::start(&database).await;
    let table = table(&service, 3, &[]).await;
    until_away(&service, &table).await;
    let (seat, before) = table.to_move().await;
    assert_ne!(seat, 0);
    service.clock().advance(TURN_MILLIS / 2);
    let back = table.players[0].return_to(&table.match_id).await.expect(200);
    assert_eq!(
        back.body["view"]["turn"], before["turn"],
        "seat, phase and deadline"
    );
    // The same once the log is read anew.
    let service = service.restart(&database).await;
    let table = table.moved_to(service.url());
    assert_eq!(table.view(0).await["turn"], before["turn"]);
    service.clock().advance(TURN_MILLIS / 2);
    let news = table.players[0]
        .news(&table.match_id, back.number("/version"))
        .await;
    assert_eq!(news[0]["by"], "clock");
    assert_eq!(news[0]["seat"], seat);
    service.stop().await;
}

async fn an_own_action_between_two_misses_counts(database: Database) {
    let service = Service::start(&database).await;
    let table = table(&service, 2, &[]).await;
    for _ in 0..3 {
        table.until_turn_of(0).await;
        let news = miss(&service, &table).await;
        assert_eq!(lines(&news[0]), ["late A"]);
        table.until_turn_of(0).await;
        table.until_turn_leaves(0).await;
    }
    service.stop().await;
}

async fn a_match_whose_players_are_all_away_rests(database: Database) {
    let service = Service::start(&database).await;
    let mut table = table(&service, 3, &["easy"]).await;
    let other = Table::new(
        &service,
        &with(small_match(), &json!({"turn_seconds": 2_592_000})),
        &[],
    )
    .await;
    until_rest(&service, &table).await;
    let rests = table.view(0).await;
    assert_eq!(rests["status"], "active");
    assert!(
        rests["turn"].get("deadline_at").is_none(),
        "no clock runs: {}",
        rests["turn"]
    );
    for seat in 0..2 {
        let view = table.view(seat).await;
        assert_eq!(view["seats"][seat]["away"], true);
        assert!(
            view.get("legal_actions").is_none(),
            "a bot holds the seat: {}",
            view["legal_actions"]
        );
    }
    table.much_later(&service, 13 * DAY_MILLIS).await;
    // Somebody else's match, which has a deadline of thirty days, is answered: the service is well.
    other.players[0]
        .signed_in_again()
        .await
        .view(&other.match_id)
        .await
        .expect(200);
    assert_eq!(table.view(0).await, rests, "nothing has happened");
    service.stop().await;
}

async fn a_match_that_rests_goes_on_when_somebody_returns(database: Database) {
    let service = Service::start(&database).await;
    let mut table = table(&service, 3, &["easy"]).await;
    until_rest(&service, &table).await;
    table.much_later(&service, 3 * DAY_MILLIS).await;
    // The turn that was pending is the returned player's own, with its whole time.
    let back = table.players[1].return_to(&table.match_id).await.expect(200);
    assert_eq!(lines(&back.body["entries"][0]), ["return B"]);
    assert_eq!(back.array("/entries").len(), 1);
    let view = &back.body["view"];
    assert_eq!(view["turn"]["seat"], 1);
    assert_eq!(
        millis(&view["turn"]["deadline_at"]),
        service.now_millis() + TURN_MILLIS
    );
    assert!(view["legal_actions"].is_array());
    // And the deadline acts, though the sweeper had nothing to look after for days.
    let news = miss(&service, &table).await;
    assert_eq!(lines(&news[0]), ["late B"]);
    service.stop().await;
}

async fn whoever_returns_to_a_rest_finds_the_others_played_by_bots(database: Database) {
    let service = Service::start(&database).await;
    let table = table(&service, 3, &["easy"]).await;
    until_rest(&service, &table).await;
    // It is the turn of seat 1, which stays away: bots play until it is the turn of seat 0.
    let back = table.players[0].return_to(&table.match_id).await.expect(200);
    let entries = back.array("/entries");
    assert_eq!(lines(&entries[0]), ["return A"]);
    assert_eq!(
        (&entries[1]["by"], &entries[1]["seat"]),
        (&json!("bot"), &json!(1))
    );
    assert!(entries[1..].iter().all(|entry| entry["by"] == "bot"));
    let view = &back.body["view"];
    assert_eq!(view["turn"]["seat"], 0);
    assert_eq!(
        millis(&view["turn"]["deadline_at"]),
        service.now_millis() + TURN_MILLIS
    );
    assert_eq!(view["seats"][1]["away"], true);
    service.stop().await;
}

async fn a_match_that_rested_for_two_weeks_is_abandoned(database: Database) {
    let service = Service::start(&database).await;
    let mut table = table(&service, 2, &[]).await;
    until_rest(&service, &table).await;
    let began = service.now_millis();
    table.much_later(&service, 14 * DAY_MILLIS - 1).await;
    let service = service.restart(&database).await;
    let mut table = table.moved_to(service.url());
    assert_eq!(table.view(0).await["status"], "active");
    table.much_later(&service, 1).await;
    // The sweeper looks once a second.
    service.clock().advance(1_000);
    let ended = |view: &Value| view["status"] == "ended";
    let view = table.players[0].view_when(&table.match_id, ended).await;
    assert_eq!(view["result"]["reason"], "abandoned");
    assert!(millis(&view["ended_at"]) >= began + 14 * DAY_MILLIS);
    let entries = finished::check(&table.match_id, &table.everyone()).await;
    let last = &entries[entries.len() - 1];
    assert_eq!(last["by"], "clock");
    assert!(lines(last)[0].starts_with("over "));
    service.stop().await;
}

async fn a_return_begins_another_rest_of_two_weeks(database: Database) {
    let service = Service::start(&database).await;
    let mut table = table(&service, 2, &[]).await;
    until_rest(&service, &table).await;
    table.much_later(&service, 10 * DAY_MILLIS).await;
    table.players[1].return_to(&table.match_id).await.expect(200);
    // It misses twice again.
    miss(&service, &table).await;
    let news = miss(&service, &table).await;
    assert_eq!(lines(&news[0]), ["late B", "away B"]);
    table.much_later(&service, 10 * DAY_MILLIS).await;
    let back = table.players[0].return_to(&table.match_id).await.expect(200);
    assert_eq!(
        back.body["view"]["status"], "active",
        "ten days and ten days are not fourteen"
    );
    service.stop().await;
}
