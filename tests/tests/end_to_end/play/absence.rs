//! Giving up, and playing again.

use quartett_tests::finished::{self, count, lines};
use quartett_tests::scripted::{Scripted, play_out};
use quartett_tests::setups::{open_match, small_match, with, with_options};
use quartett_tests::{Database, Instances, Player, Service, Table, at_once, both, later};
use serde_json::{Value, json};

both!(
    whoever_resigns_in_any_phase_leaves_no_step_behind,
    the_later_resignation_ranks_higher,
    a_match_with_bots_alone_against_one_player_goes_on,
    the_last_player_to_resign_ends_the_match,
    resigning_twice_is_once,
    resigning_out_of_turn_changes_nobody_elses_turn,
    a_rematch_has_the_same_seats_and_another_starter,
    a_match_has_one_rematch_however_many_ask,
);

fn scripted(table: &Table, seed: u64) -> Vec<Scripted<'_>> {
    let players = table.players.iter();
    players.map(|player| Scripted::new(player, seed)).collect()
}

/// The other players play a match to its end, from which one of them has gone.
async fn play_without(table: &Table, gone: &[usize]) {
    let staying = table
        .players
        .iter()
        .zip(0..)
        .filter(|(_, seat)| !gone.contains(seat));
    let mut scripted: Vec<Scripted> = staying.map(|(player, _)| Scripted::new(player, 5)).collect();
    play_out(&table.match_id, &mut scripted).await;
}

async fn whoever_resigns_in_any_phase_leaves_no_step_behind(database: Database) {
    let service = Service::start(&database).await;
    for (game, deck, phase) in [
        ("duel_quartett", "demo", "ask"),
        ("duel_quartett", "demo", "duel"),
        ("pairs", "demo", "flip_first"),
        ("pairs", "demo", "flip_second"),
        ("supertrump", "ties", "choose_blind"),
        ("vdb_supertrumpf", "ties", "choose"),
        ("vdb_supertrumpf", "ties", "playoff"),
        ("vdb_quartett", "demo", "ask"),
    ] {
        let (table, seat) = loop {
            let table = Table::new(&service, &open_match(game, deck, 3), &[]).await;
            if let Some((seat, _)) = table.brought_to(phase).await {
                break (table, seat);
            }
        };
        let gone = table.players[seat].resign(&table.match_id).await.expect(200);
        let entries = gone.array("/entries");
        assert_eq!(
            (&entries[0]["by"], &entries[0]["seat"]),
            (&json!("player"), &json!(seat))
        );
        let letter = ["A", "B", "C"][seat];
        assert_eq!(lines(&entries[0]), [format!("resign {letter}")]);
        assert!(entries.len() > 1, "{game} {phase}: a bot completes the step");
        assert!(
            entries[1..]
                .iter()
                .all(|entry| entry["by"] == "bot" && entry["seat"] == seat)
        );
        let view = &gone.body["view"];
        assert!(
            view["status"] == "ended" || view["turn"]["seat"] != seat,
            "{}",
            gone.text
        );
        play_without(&table, &[seat]).await;
        finished::check(&table.match_id, &table.everyone()).await;
        let ranks = finished::ranks(&table.view(0).await);
        assert_eq!(
            ranks[seat], 3,
            "{game} {phase}: who resigned comes last: {ranks:?}"
        );
    }
    service.stop().await;
}

async fn the_later_resignation_ranks_higher(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &open_match("vdb_supertrumpf", "wohnbau", 4), &[]).await;
    for seat in [2, 0] {
        table.act().await;
        let gone = table.players[seat].resign(&table.match_id).await.expect(200);
        assert_eq!(gone.body["view"]["status"], "active");
        assert_eq!(gone.body["view"]["seats"][seat]["state"], "resigned");
    }
    play_without(&table, &[2, 0]).await;
    let entries = finished::check(&table.match_id, &table.everyone()).await;
    let view = table.view(0).await;
    let ranks = finished::ranks(&view);
    assert_eq!((ranks[0], ranks[2]), (3, 4), "{ranks:?}");
    // The line of the end names the best of the others.
    let over = lines(&entries[entries.len() - 1])
        .pop()
        .map(str::to_owned)
        .unwrap_or_default();
    let winners = over.split(" win ").nth(1).expect("somebody wins");
    assert!(!winners.contains('A') && !winners.contains('C'), "{over}");
    service.stop().await;
}

async fn a_match_with_bots_alone_against_one_player_goes_on(database: Database) {
    let service = Service::start(&database).await;
    let setup = with_options(open_match("supertrump", "demo", 4), &json!({"rounds": 6}));
    let table = Table::new(&service, &setup, &["easy", "hard"]).await;
    let gone = table.players[1].resign(&table.match_id).await.expect(200);
    assert_eq!(
        gone.body["view"]["status"], "active",
        "a player and two bots are left"
    );
    play_without(&table, &[1]).await;
    let ranks = finished::ranks(&table.view(0).await);
    assert_eq!(ranks[1], 4);
    finished::check(&table.match_id, &table.everyone()).await;
    service.stop().await;
}

async fn the_last_player_to_resign_ends_the_match(database: Database) {
    let service = Service::start(&database).await;
    for (seats, bots) in [(2, &[][..]), (4, &["easy", "medium"][..])] {
        let table = Table::new(&service, &open_match("supertrump", "demo", seats), bots).await;
        let mut answer = table.players[1].resign(&table.match_id).await.expect(200);
        if !bots.is_empty() {
            assert_eq!(answer.body["view"]["status"], "active");
            answer = table.players[0].resign(&table.match_id).await.expect(200);
        }
        assert_eq!(answer.body["view"]["status"], "ended");
        assert_eq!(answer.body["view"]["result"]["reason"], "too_few_players");
        let last = answer.array("/entries").last().expect("an entry");
        assert!(lines(last)[0].starts_with("resign "));
        assert!(lines(last)[1].starts_with("over "));
        finished::check(&table.match_id, &table.everyone()).await;
        let ranks = finished::ranks(&answer.body["view"]);
        assert_eq!(ranks[1], seats, "{ranks:?}");
        for player in &table.players {
            player.return_to(&table.match_id).await.problem(409, "match_over");
        }
    }
    service.stop().await;
}

async fn resigning_twice_is_once(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &open_match("vdb_quartett", "demo", 4), &[]).await;
    let (player, match_id) = (&table.players[2], &table.match_id);
    let mut with_entries = 0;
    for answer in at_once::all((0..6).map(|_| later!(player.resign(match_id)))).await {
        let answer = answer.expect(200);
        with_entries += usize::from(!answer.array("/entries").is_empty());
        assert_eq!(answer.body["view"]["seats"][2]["state"], "resigned");
    }
    assert_eq!(with_entries, 1);
    let entries = table.players[0].history(&table.match_id, 0).await;
    assert_eq!(count(&entries, "seat_resigned"), 1);
    table.players[2]
        .return_to(&table.match_id)
        .await
        .problem(409, "seat_resigned");
    // Before the start there is nothing to resign, and an outsider knows of nothing.
    let waiting = table.players[0]
        .create_match(&small_match())
        .await
        .expect(201)
        .text_at("/match_id");
    table.players[0]
        .resign(&waiting)
        .await
        .problem(409, "match_not_started");
    table.players[0]
        .return_to(&waiting)
        .await
        .problem(409, "match_not_started");
    let outsider = service.player("Outsider").await;
    outsider.resign(&table.match_id).await.problem(404, "not_found");
    outsider
        .return_to(&table.match_id)
        .await
        .problem(404, "not_found");
    outsider.rematch(&table.match_id).await.problem(404, "not_found");
    service.stop().await;
}

async fn resigning_out_of_turn_changes_nobody_elses_turn(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &open_match("vdb_supertrumpf", "wohnbau", 3), &[]).await;
    let before = table.view(0).await;
    service.clock().advance(5_000);
    let gone = table.players[1].resign(&table.match_id).await.expect(200);
    assert_eq!(gone.array("/entries").len(), 1);
    assert_eq!(
        gone.body["view"]["turn"], before["turn"],
        "seat, phase and deadline"
    );
    // When the turn would be that seat's, a bot moves in the same answer.
    let mut answer = table.act().await;
    while answer.body["view"]["turn"]["seat"] == 0 {
        answer = table.act().await;
    }
    let entries = answer.array("/entries");
    assert!(
        entries[1..]
            .iter()
            .any(|entry| entry["by"] == "bot" && entry["seat"] == 1),
        "{}",
        answer.text
    );
    service.stop().await;
}

/// A match of three that has ended, with its options, and its starter.
async fn ended(service: &Service, players: Vec<Player>) -> (Table, usize) {
    let setup = with(
        with_options(open_match("supertrump", "wohnbau", 4), &json!({"rounds": 2})),
        &json!({"turn_seconds": 7200, "starter": "random"}),
    );
    let table = Table::of(players, &setup, &["easy"]).await;
    play_out(&table.match_id, &mut scripted(&table, 3)).await;
    let entries = finished::check(&table.match_id, &table.everyone()).await;
    let starter = finished::find(&entries, "started")["starter"]
        .as_u64()
        .expect("a starter");
    assert_eq!(service.now_millis() % 1_000, 0);
    (table, usize::try_from(starter).expect("a seat"))
}

async fn three(service: &Service) -> Vec<Player> {
    let mut players = Vec::new();
    for name in ["Ann", "Bob", "Cid"] {
        players.push(service.player(name).await);
    }
    players
}

async fn a_rematch_has_the_same_seats_and_another_starter(database: Database) {
    let service = Service::start(&database).await;
    let (mut table, mut starter) = ended(&service, three(&service).await).await;
    let first = table.view(0).await;
    for round in 1..=4 {
        let asks = round % 3;
        let again = table.players[asks].rematch(&table.match_id).await.expect(201);
        let match_id = again.text_at("/match_id");
        assert_ne!(match_id, table.match_id);
        assert_eq!(
            again.header("location"),
            Some(format!("/v1/matches/{match_id}").as_str())
        );
        assert_eq!(again.body["my_seat"], asks);
        table.match_id = match_id;
        let view = table.view(0).await;
        for same in ["game", "deck", "turn_seconds", "deadline_policy", "seats"] {
            if same != "seats" || view["status"] == "active" {
                assert_eq!(names(&view[same]), names(&first[same]), "{same}");
            }
        }
        assert_ne!(view["seed_commitment"], first["seed_commitment"], "other cards");
        let entries = table.players[2].history(&table.match_id, 0).await;
        let next = finished::find(&entries, "started")["starter"].as_u64();
        starter = (starter + 1) % 4;
        assert_eq!(next, Some(starter as u64), "the starter moves one seat on");
        assert!(
            table.players[0]
                .open_matches()
                .await
                .expect(200)
                .array("/items")
                .is_empty()
        );
        play_out(&table.match_id, &mut scripted(&table, 3)).await;
        finished::check(&table.match_id, &table.everyone()).await;
    }
    service.stop().await;
}

/// Without what changes in the course of a match.
fn names(value: &Value) -> Value {
    let mut value = value.clone();
    for seat in value.as_array_mut().into_iter().flatten() {
        if let Some(seat) = seat.as_object_mut() {
            seat.remove("state");
        }
    }
    value
}

async fn a_match_has_one_rematch_however_many_ask(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    let (mut table, _) = ended(one, three(one).await).await;
    for _ in 0..4 {
        let players = table
            .players
            .iter()
            .flat_map(|player| [player.clone(), player.moved_to(there)]);
        let match_id = table.match_id.clone();
        let asked = at_once::all(players.map(|player| later!(player.rematch(match_id)))).await;
        let (mut made, mut ids) = (0, Vec::new());
        for answer in asked {
            made += usize::from(answer.status == 201);
            assert!(matches!(answer.status, 200 | 201), "{}", answer.text);
            ids.push(answer.text_at("/match_id"));
        }
        ids.dedup();
        assert_eq!((made, ids.len()), (1, 1), "one rematch, made once");
        let later = table.players[0].rematch(&table.match_id).await.expect(200);
        assert_eq!(later.body["match_id"], ids[0].as_str());
        table.match_id = ids.remove(0);
        if table.view(0).await["status"] == "ended" {
            continue;
        }
        table.players[1]
            .rematch(&table.match_id)
            .await
            .problem(409, "match_not_over");
        play_out(&table.match_id, &mut scripted(&table, 3)).await;
    }
    instances.stop().await;
}
