//! Looking for opponents: who waits longest is served first, everybody once, and never against oneself.

use quartett_tests::seeking::{ids, matched, matched_later, people, seated, seek, wish};
use quartett_tests::{Database, Service, both, millis};
use serde_json::json;

both!(
    two_who_look_for_the_same_meet,
    whoever_waits_longest_is_served_first,
    a_match_has_as_many_seats_as_all_of_them_accept,
    bots_fill_in_after_the_time_and_not_before,
    nobody_plays_with_bots_who_did_not_say_so,
    a_double_tap_is_one_ticket,
    one_may_look_for_several_games_at_once,
    whoever_is_blocked_is_not_met,
    a_ticket_taken_back_is_not_matched,
    a_ticket_expires_after_a_week,
    a_ticket_is_its_players_alone,
    a_wish_that_the_game_does_not_allow_is_refused,
);

async fn two_who_look_for_the_same_meet(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 3).await;
    let first = seek(&service, &people[0], &wish("duel_quartett", 2)).await;
    assert_eq!(matched(&people[0], &first).await, None);
    // Another game and another number of seats are something else.
    let other = seek(&service, &people[2], &wish("supertrump", 2)).await;
    assert_eq!(matched(&people[2], &other).await, None);
    let second = people[1].seek(&wish("duel_quartett", 2)).await.expect(201);
    assert_eq!(second.body["status"], "matched", "at once");
    let match_id = second.text_at("/match_id");
    assert_eq!(matched(&people[0], &first).await, Some(match_id.clone()));
    assert_eq!(
        seated(&people[0], &match_id).await,
        ids(&[&people[0], &people[1]])
    );
    let view = people[1].view(&match_id).await.expect(200);
    assert_eq!(view.body["status"], "active");
    assert_eq!(view.body["game"]["type"], "duel_quartett");
    people[2].view(&match_id).await.problem(404, "not_found");
    assert!(
        people[2]
            .open_matches()
            .await
            .expect(200)
            .array("/items")
            .is_empty()
    );
    service.stop().await;
}

async fn whoever_waits_longest_is_served_first(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 7).await;
    let mut tickets = Vec::new();
    for person in &people {
        tickets.push(seek(&service, person, &wish("vdb_quartett", 3)).await);
    }
    let first = matched(&people[0], &tickets[0]).await.expect("three were there");
    let second = matched(&people[3], &tickets[3]).await.expect("three more came");
    assert_eq!(
        seated(&people[0], &first).await,
        ids(&[&people[0], &people[1], &people[2]])
    );
    assert_eq!(
        seated(&people[3], &second).await,
        ids(&[&people[3], &people[4], &people[5]])
    );
    assert_eq!(matched(&people[6], &tickets[6]).await, None);
    service.stop().await;
}

async fn a_match_has_as_many_seats_as_all_of_them_accept(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 4).await;
    let ranges = [(4, 4), (3, 4), (2, 3), (3, 3)];
    let mut tickets = Vec::new();
    for (person, (least, most)) in people.iter().zip(ranges) {
        let wish = json!({"game": "pairs", "seats": least, "seats_max": most});
        tickets.push(seek(&service, person, &wish).await);
    }
    // Four would need one more who accepts four; three of them accept three.
    let match_id = matched(&people[1], &tickets[1])
        .await
        .expect("three accept three");
    assert_eq!(
        seated(&people[1], &match_id).await,
        ids(&[&people[1], &people[2], &people[3]])
    );
    assert_eq!(matched(&people[0], &tickets[0]).await, None);
    let ticket = people[1].ticket(&tickets[1]).await.expect(200);
    assert_eq!(
        (&ticket.body["seats"], &ticket.body["seats_max"]),
        (&json!(3), &json!(4))
    );
    service.stop().await;
}

async fn bots_fill_in_after_the_time_and_not_before(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 2).await;
    let with_bots = json!({
        "game": "vdb_quartett", "seats": 3, "seats_max": 4, "fill_with_bots_after_seconds": 60});
    let first = seek(&service, &people[0], &with_bots).await;
    let began = service.now_millis();
    service.clock().advance(30_000);
    let second = people[1].seek(&with_bots).await.expect(201);
    assert_eq!(second.body["status"], "waiting", "two are not three");
    service.clock().advance(29_000);
    assert_eq!(matched(&people[0], &first).await, None, "a second is left");
    service.clock().advance(1_000);
    let match_id = matched_later(&people[0], &first).await;
    // The other one has not waited a minute, and plays with nobody sooner than that.
    assert_eq!(
        seated(&people[0], &match_id).await,
        [people[0].id.as_str(), "bot", "bot"]
    );
    let view = people[0].view(&match_id).await.expect(200);
    assert_eq!(millis(&view.body["created_at"]), began + 60_000);
    assert_eq!(view.body["seats"][1]["bot_level"], "medium");
    let second = second.text_at("/ticket_id");
    assert_eq!(matched(&people[1], &second).await, None);
    service.clock().advance(30_000);
    let match_id = matched_later(&people[1], &second).await;
    assert_eq!(
        seated(&people[1], &match_id).await,
        [people[1].id.as_str(), "bot", "bot"]
    );
    service.stop().await;
}

async fn nobody_plays_with_bots_who_did_not_say_so(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 4).await;
    let plain = seek(&service, &people[0], &wish("vdb_quartett", 4)).await;
    let mut with_bots = Vec::new();
    for person in &people[1..3] {
        let wish = json!({"game": "vdb_quartett", "seats": 4, "fill_with_bots_after_seconds": 60});
        with_bots.push(seek(&service, person, &wish).await);
    }
    service.clock().advance(60_000);
    let match_id = matched_later(&people[1], &with_bots[0]).await;
    // Who waited as long plays along; who wants people only waits on.
    let mut both = seated(&people[1], &match_id).await;
    both.sort_unstable();
    let mut expected = ids(&[&people[1], &people[2]]);
    expected.extend(["bot".to_owned(), "bot".to_owned()]);
    expected.sort_unstable();
    assert_eq!(both, expected);
    assert_eq!(matched(&people[0], &plain).await, None);
    service.stop().await;
}

async fn a_double_tap_is_one_ticket(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 2).await;
    let wish = wish("supertrump", 2);
    let first = people[0].seek(&wish).await.expect(201);
    let again = people[0].seek(&wish).await.expect(200);
    assert_eq!(again.body, first.body);
    service.clock().advance(3_000);
    let second = people[1].seek(&wish).await.expect(201);
    assert_eq!(second.body["status"], "matched");
    // The second tap may come after the match was made.
    service.clock().advance(3_000);
    for (person, ticket) in [(&people[0], &first), (&people[1], &second)] {
        let again = person.seek(&wish).await.expect(200);
        assert_eq!(again.body["ticket_id"], ticket.body["ticket_id"]);
        assert_eq!(again.body["match_id"], second.body["match_id"]);
    }
    // Much later it is another wish.
    service.clock().advance(60_000);
    let another = people[0].seek(&wish).await.expect(201);
    assert_ne!(another.body["ticket_id"], first.body["ticket_id"]);
    assert_eq!(another.body["status"], "waiting");
    service.stop().await;
}

async fn one_may_look_for_several_games_at_once(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 2).await;
    let duel = seek(&service, &people[0], &wish("duel_quartett", 2)).await;
    let pairs = seek(&service, &people[0], &wish("pairs", 2)).await;
    assert_ne!(duel, pairs);
    let found = people[1].seek(&wish("pairs", 2)).await.expect(201);
    assert_eq!(found.body["status"], "matched");
    assert_eq!(matched(&people[0], &duel).await, None);
    service.stop().await;
}

async fn whoever_is_blocked_is_not_met(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 5).await;
    people[0].block(&people[1].id).await.expect(204);
    let wish = wish("duel_quartett", 2);
    let mut tickets = Vec::new();
    for person in &people[..2] {
        tickets.push(seek(&service, person, &wish).await);
    }
    for at in 0..2 {
        assert_eq!(matched(&people[at], &tickets[at]).await, None, "neither of them");
    }
    // The next two meet those two, who wait longest, one after the other.
    for at in 2..4 {
        tickets.push(seek(&service, &people[at], &wish).await);
        let met = matched(&people[at], &tickets[at]).await.expect("somebody waits");
        assert_eq!(
            seated(&people[at], &met).await,
            ids(&[&people[at - 2], &people[at]])
        );
    }
    // Bots do not bring them together either.
    let with_bots = json!({"game": "supertrump", "seats": 3, "fill_with_bots_after_seconds": 60});
    let mut tickets = Vec::new();
    for person in &people[..2] {
        tickets.push(seek(&service, person, &with_bots).await);
    }
    service.clock().advance(60_000);
    for at in 0..2 {
        let match_id = matched_later(&people[at], &tickets[at]).await;
        assert_eq!(
            seated(&people[at], &match_id).await,
            [people[at].id.as_str(), "bot", "bot"]
        );
    }
    service.stop().await;
}

async fn a_ticket_taken_back_is_not_matched(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 3).await;
    let wish = wish("duel_quartett", 2);
    let first = seek(&service, &people[0], &wish).await;
    people[0].cancel_ticket(&first).await.expect(204);
    people[0].cancel_ticket(&first).await.expect(204);
    assert_eq!(
        people[0].ticket(&first).await.expect(200).body["status"],
        "cancelled"
    );
    let second = seek(&service, &people[1], &wish).await;
    assert_eq!(matched(&people[1], &second).await, None);
    let third = seek(&service, &people[2], &wish).await;
    assert!(matched(&people[2], &third).await.is_some());
    people[1]
        .cancel_ticket(&second)
        .await
        .problem(409, "ticket_closed");
    service.stop().await;
}

async fn a_ticket_expires_after_a_week(database: Database) {
    const WEEK_MILLIS: i64 = 7 * 24 * 3600 * 1000;
    let service = Service::start(&database).await;
    let people = people(&service, 2).await;
    let wish = wish("duel_quartett", 2);
    let first = seek(&service, &people[0], &wish).await;
    service.clock().advance(WEEK_MILLIS);
    let (ann, bob) = (
        people[0].signed_in_again().await,
        people[1].signed_in_again().await,
    );
    // Whether or not the sweeper has been there, nobody is paired with it any more.
    let found = bob.seek(&wish).await.expect(201);
    assert_eq!(found.body["status"], "waiting");
    service.clock().advance(1_000);
    let again = seek(&service, &ann, &wish).await;
    assert_ne!(again, first, "the player may ask again");
    assert_eq!(ann.ticket(&first).await.expect(200).body["status"], "expired");
    assert!(matched(&ann, &again).await.is_some());
    ann.cancel_ticket(&first).await.expect(204);
    service.stop().await;
}

async fn a_ticket_is_its_players_alone(database: Database) {
    let service = Service::start(&database).await;
    let people = people(&service, 2).await;
    let ticket = seek(&service, &people[0], &wish("pairs", 2)).await;
    people[1].ticket(&ticket).await.problem(404, "not_found");
    people[1].cancel_ticket(&ticket).await.problem(404, "not_found");
    assert_eq!(matched(&people[0], &ticket).await, None);
    // Who is erased is not met.
    people[0].erase().await.expect(204);
    let found = people[1].seek(&wish("pairs", 2)).await.expect(201);
    assert_eq!(found.body["status"], "waiting");
    service.stop().await;
}

async fn a_wish_that_the_game_does_not_allow_is_refused(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let narrow = json!({"game": "pairs", "seats": 4, "seats_max": 3});
    let long = json!({"game": "pairs", "seats": 2, "fill_with_bots_after_seconds": 700_000});
    for (wish, code) in [
        (wish("vdb_quartett", 2), "seats_out_of_range"),
        (wish("vdb_supertrumpf", 5), "seats_out_of_range"),
        (narrow, "seats_out_of_range"),
        (long, "option_out_of_range"),
    ] {
        ann.seek(&wish).await.problem(422, code);
    }
    service.stop().await;
}
