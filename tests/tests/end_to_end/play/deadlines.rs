//! Time passes and nobody comes: deadlines act by themselves, once, and by the clock of the service.

use quartett_tests::finished::{self, count, lines};
use quartett_tests::setups::{TURN_MILLIS, open_match, small_match, timed, with_options};
use quartett_tests::{Database, Instances, Service, Setup, Table, both, fresh_key, millis, version_of};
use serde_json::{Value, json};

both!(
    a_missed_deadline_acts_with_nobody_online,
    a_deadline_that_passed_while_the_service_was_down_acts_at_its_start,
    a_restart_neither_shortens_nor_refills_a_clock,
    two_instances_act_once,
    an_action_and_its_deadline_at_the_same_moment_have_one_outcome,
    a_late_action_meets_the_entry_of_the_clock,
    the_deadline_stands_in_the_view_of_the_head,
    a_bot_completes_whatever_step_was_pending,
    laying_out_of_turn_does_not_refill_the_clock,
);

/// What follows a first missed deadline: the clock's entry, then what a bot plays for that seat.
fn check_played_on(entries: &[Value], seat: usize) {
    let first = &entries[0];
    assert_eq!(first["by"], "clock");
    assert_eq!(first["seat"], seat);
    assert!(first.get("action").is_none());
    assert_eq!(lines(first), [format!("late {}", letter(seat))]);
    assert!(entries.len() > 1, "a bot plays on");
    for bot in &entries[1..] {
        assert_eq!((&bot["by"], &bot["seat"]), (&json!("bot"), &json!(seat)));
        assert!(bot["action"].is_object());
    }
}

fn letter(seat: usize) -> char {
    ['A', 'B', 'C', 'D', 'E', 'F'][seat]
}

/// The turn of `seat` has just begun and has its whole time: its player's view.
async fn whole_turn_of(seat: usize, service: &Service, table: &Table) -> Value {
    let (to_move, view) = table.to_move().await;
    assert_eq!(to_move, seat);
    let due = millis(&view["turn"]["deadline_at"]);
    assert_eq!(due, service.now_millis() + TURN_MILLIS);
    view
}

async fn a_missed_deadline_acts_with_nobody_online(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &timed(small_match()), &[]).await;
    let before = table.view(0).await;
    service.clock().advance(TURN_MILLIS);
    let news = table.players[1].news(&table.match_id, version_of(&before)).await;
    check_played_on(&news, 0);
    assert_eq!(millis(&news[0]["at"]), service.now_millis());
    // The turn has left the seat, and the next one has its whole time.
    let view = whole_turn_of(1, &service, &table).await;
    assert!(
        view["seats"]
            .as_array()
            .expect("seats")
            .iter()
            .all(|seat| seat["away"] == false)
    );
    service.stop().await;
}

async fn a_deadline_that_passed_while_the_service_was_down_acts_at_its_start(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &timed(small_match()), &[]).await;
    let before = table.view(0).await;
    let clock = service.clock().clone();
    service.stop().await;
    clock.advance(5 * TURN_MILLIS + 1);
    let setup = Setup {
        clock,
        seed: 2,
        ..Setup::default()
    };
    let service = Service::start_with(&database, setup).await;
    let table = table.moved_to(service.url());
    let news = table.players[1].news(&table.match_id, version_of(&before)).await;
    check_played_on(&news, 0);
    assert_eq!(millis(&news[0]["at"]), service.now_millis());
    // However long it was down, only this one deadline was missed: the next seat has its whole time.
    whole_turn_of(1, &service, &table).await;
    service.stop().await;
}

async fn a_restart_neither_shortens_nor_refills_a_clock(database: Database) {
    let mut service = Service::start(&database).await;
    let mut table = Table::new(&service, &timed(small_match()), &[]).await;
    let due = millis(&table.view(0).await["turn"]["deadline_at"]);
    for _ in 0..3 {
        service.clock().advance(TURN_MILLIS / 4);
        service = service.restart(&database).await;
        table = table.moved_to(service.url());
        assert_eq!(millis(&table.view(1).await["turn"]["deadline_at"]), due);
    }
    service.clock().advance(TURN_MILLIS / 4 - 1);
    let accepted = table.act().await;
    assert_eq!(
        accepted.body["entries"][0]["by"], "player",
        "a moment before it is in time"
    );
    // The same for the next turn, at whose end nobody comes.
    let (seat, view) = table.to_move().await;
    service.clock().advance(TURN_MILLIS - 1);
    service = service.restart(&database).await;
    table = table.moved_to(service.url());
    assert_eq!(table.view(seat).await, view);
    service.clock().advance(1);
    let late = table.act_on(seat, &view).await;
    late.problem(409, "version_conflict");
    service.stop().await;
}

async fn two_instances_act_once(database: Database) {
    if !database.is_postgres() {
        return;
    }
    let one = Service::start(&database).await;
    let two = one.another(&database).await;
    let mut tables = Vec::new();
    for _ in 0..12 {
        tables.push(Table::new(&one, &timed(small_match()), &[]).await);
    }
    for round in 1..=3 {
        one.clock().advance(TURN_MILLIS);
        for table in &tables {
            let in_time = |view: &Value| {
                view["status"] != "active"
                    || view["turn"]["deadline_at"].is_string()
                        && millis(&view["turn"]["deadline_at"]) > one.now_millis()
            };
            let there = table.moved_to(two.url());
            there.players[0].view_when(&table.match_id, in_time).await;
            let entries = table.players[0].history(&table.match_id, 0).await;
            let view = table.view(0).await;
            finished::check_log(&entries, version_of(&view));
            assert_eq!(
                count(&entries, "deadline_passed"),
                round,
                "one entry per deadline"
            );
            // Both instances tell the same.
            assert_eq!(there.players[0].history(&table.match_id, 0).await, entries);
        }
    }
    one.stop().await;
    two.stop().await;
}

async fn an_action_and_its_deadline_at_the_same_moment_have_one_outcome(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    for round in 0..16 {
        let table = Table::new(one, &timed(small_match()), &[]).await.moved_to(there);
        let (seat, view) = table.to_move().await;
        let version = version_of(&view);
        one.clock().advance(TURN_MILLIS - 1);
        let key = fresh_key();
        let request =
            table.players[seat].act_request(&table.match_id, &view["legal_actions"][0], version, &key);
        // Who is first is left to chance, with a nudge.
        let sent = tokio::spawn(request.send());
        for _ in 0..(round % 4) * 16 {
            tokio::task::yield_now().await;
        }
        one.clock().advance(1);
        let answer = sent.await.expect("an answer");
        let other = &table.players[1 - seat];
        other
            .view_when(&table.match_id, |view| version_of(view) > version)
            .await;
        let entries = table.players[seat].history(&table.match_id, version).await;
        if answer.status == 200 {
            assert_eq!(entries[0]["by"], "player");
            assert_eq!(count(&entries, "deadline_passed"), 0);
        } else {
            answer.problem(409, "version_conflict");
            check_played_on(&entries, seat);
        }
    }
    instances.stop().await;
}

async fn a_late_action_meets_the_entry_of_the_clock(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &timed(small_match()), &[]).await;
    let view = table.view(0).await;
    let version = version_of(&view);
    service.clock().advance(TURN_MILLIS);
    let late = table.act_on(0, &view).await.problem(409, "version_conflict");
    let entries = table.players[0].history(&table.match_id, version).await;
    check_played_on(&entries, 0);
    assert_eq!(
        late.body["current_version"],
        entries[entries.len() - 1]["version"]
    );
    service.stop().await;
}

async fn the_deadline_stands_in_the_view_of_the_head(database: Database) {
    let service = Service::start(&database).await;
    let waiting = service.player("Host").await;
    let setup = timed(open_match("supertrump", "demo", 3));
    let created = waiting.create_match(&setup).await.expect(201);
    assert!(
        created.body.get("turn").is_none(),
        "nobody is to move before the start"
    );
    let table = Table::new(&service, &setup, &["easy"]).await;
    for step in 1..8 {
        service.clock().advance(1_000);
        let answer = table.act().await;
        if answer.body["view"]["status"] != "active" {
            break;
        }
        let view = table.view(0).await;
        let due = millis(&view["turn"]["deadline_at"]);
        assert_eq!(due, service.now_millis() + TURN_MILLIS, "step {step}");
        for seat in 0..2 {
            assert_eq!(
                table.view(seat).await["turn"]["deadline_at"],
                view["turn"]["deadline_at"]
            );
        }
        let version = version_of(&view);
        let head = table.players[0].replay(&table.match_id, version, Some(0)).await;
        assert_eq!(head.expect(200).body["turn"], view["turn"]);
        let before = table.players[0]
            .replay(&table.match_id, version - 1, Some(0))
            .await;
        let before = before.expect(200).body;
        assert!(before["turn"].get("deadline_at").is_none(), "{before}");
        assert!(before.get("legal_actions").is_none(), "{before}");
    }
    service.stop().await;
}

async fn a_bot_completes_whatever_step_was_pending(database: Database) {
    let service = Service::start(&database).await;
    for (game, deck, seats, phase) in [
        ("duel_quartett", "demo", 3, "ask"),
        ("duel_quartett", "demo", 3, "duel"),
        ("pairs", "demo", 3, "flip_first"),
        ("pairs", "demo", 3, "flip_second"),
        ("supertrump", "ties", 3, "choose_blind"),
        ("vdb_supertrumpf", "ties", 3, "choose"),
        ("vdb_supertrumpf", "ties", 3, "playoff"),
        ("vdb_quartett", "demo", 3, "ask"),
    ] {
        let (table, seat, view) = loop {
            let table = Table::new(&service, &timed(open_match(game, deck, seats)), &[]).await;
            if let Some((seat, view)) = table.brought_to(phase).await {
                break (table, seat, view);
            }
        };
        service.clock().advance(TURN_MILLIS);
        let other = &table.players[(seat + 1) % seats];
        let entries = other.news(&table.match_id, version_of(&view)).await;
        check_played_on(&entries, seat);
        let after = table.view(0).await;
        if after["status"] == "active" {
            assert_ne!(
                after["turn"]["seat"], seat,
                "{game} {phase}: the turn has left the seat"
            );
        }
        if phase == "duel" {
            assert_eq!(entries[1]["action"]["type"], "fight_duel");
        }
        // Nobody misses anything in this one while the next is played.
        table.players[seat].resign(&table.match_id).await.expect(200);
    }
    service.stop().await;
}

async fn laying_out_of_turn_does_not_refill_the_clock(database: Database) {
    // Seat 1 is dealt the whole group B, card by card.
    let cards = [
        "A1", "B1", "A2", "B2", "A3", "B3", "C1", "B4", "C2", "A4", "C3", "C4", "D1", "D3", "D2", "D4",
    ];
    let steered = Setup {
        deal: Some(cards.map(str::to_owned).to_vec()),
        ..Setup::default()
    };
    let service = Service::start_with(&database, steered).await;
    let setup = with_options(open_match("duel_quartett", "demo", 2), &json!({"lay": "manual"}));
    let table = Table::new(&service, &timed(setup), &[]).await;
    let before = table.view(0).await;
    service.clock().advance(TURN_MILLIS / 2);
    let lay = json!({"type": "lay_quartet", "lay_quartet": {"group": "B"}});
    let laid = table.players[1]
        .act(&table.match_id, &lay, version_of(&before), &fresh_key())
        .await;
    let laid = laid.expect(200);
    assert_eq!(lines(&laid.body["entries"][0]), ["lay B B"]);
    assert_eq!(
        laid.body["view"]["turn"], before["turn"],
        "seat, phase and deadline are as before"
    );
    service.clock().advance(TURN_MILLIS / 2);
    let entries = table.players[1]
        .news(&table.match_id, laid.number("/version"))
        .await;
    check_played_on(&entries, 0);
    service.stop().await;
}
