//! Players who are erased: gone from every match, and their opponents play on.

use quartett_tests::finished::{self, lines};
use quartett_tests::scripted::{Scripted, play_out};
use quartett_tests::setups::{open_match, with_options};
use quartett_tests::{Database, Instances, Player, Service, Table, both};
use serde_json::{Value, json};

both!(
    a_match_in_trouble_holds_up_no_departure,
    in_a_rematch_a_bot_sits_where_a_player_was_erased,
    who_is_erased_leaves_a_waiting_match,
    who_is_erased_is_gone_from_a_running_match_which_goes_on,
    who_resigned_before_is_erased_all_the_same,
    who_is_erased_is_gone_from_a_match_that_ended,
);

/// A name that stands nowhere else.
const NAME: &str = "Zwetschgenmus";

async fn three(service: &Service) -> Vec<Player> {
    let mut players = Vec::new();
    for name in ["Ann", NAME, "Cid"] {
        players.push(service.player(name).await);
    }
    players
}

/// A match of three players and a bot that has ended.
async fn ended(service: &Service) -> Table {
    let setup = with_options(open_match("supertrump", "wohnbau", 4), &json!({"rounds": 2}));
    let table = Table::of(three(service).await, &setup, &["easy"]).await;
    let players = table.players.iter();
    let mut scripted: Vec<Scripted> = players.map(|player| Scripted::new(player, 3)).collect();
    play_out(&table.match_id, &mut scripted).await;
    table
}

/// One match of the player cannot be read: the others are left all the same, and nobody waits for the player.
async fn a_match_in_trouble_holds_up_no_departure(database: Database) {
    let service = Service::start(&database).await;
    let troubled = Table::of(three(&service).await, &open_match("pairs", "demo", 3), &[]).await;
    database
        .run("UPDATE match_entries SET payload = prev_hash WHERE version = 2")
        .await;
    let service = service.restart(&database).await;
    let [bob, erased, cid] = [0, 1, 2].map(|seat| troubled.players[seat].moved_to(service.url()));
    let pair = vec![bob.clone(), erased.clone()];
    let other = Table::of(pair, &open_match("pairs", "demo", 2), &[]).await;
    let wish = json!({"game": "duel_quartett", "seats": 2});
    erased.seek(&wish).await.expect(201);
    erased.erase().await.expect(204);
    let view = other.view(0).await;
    assert_eq!(view["status"], "ended", "{view}");
    assert_eq!(view["seats"][1]["erased"], true);
    for told in [view, bob.get("/v1/me/matches").await.expect(200).body] {
        assert!(!told.to_string().contains(NAME), "{told}");
    }
    bob.seek(&wish).await.expect(201);
    let met = cid.seek(&wish).await.expect(201);
    assert_eq!(met.body["status"], "matched");
    service.stop().await;
}

async fn in_a_rematch_a_bot_sits_where_a_player_was_erased(database: Database) {
    let service = Service::start(&database).await;
    let table = ended(&service).await;
    table.players[1].erase().await.expect(204);
    let again = table.players[2].rematch(&table.match_id).await.expect(201);
    let kinds: Vec<&Value> = again.array("/seats").iter().map(|seat| &seat["kind"]).collect();
    assert_eq!(kinds, ["player", "bot", "player", "bot"]);
    assert_eq!(again.body["seats"][1]["bot_level"], "medium");
    assert_eq!(again.body["seats"][3]["bot_level"], "easy");
    let again_id = again.text_at("/match_id");
    let other = table.players[0].rematch(&table.match_id).await.expect(200);
    assert_eq!(other.body["match_id"], again_id.as_str());
    service.stop().await;
}

async fn who_is_erased_leaves_a_waiting_match(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player(NAME).await, service.player("Ann").await);
    let shared = host
        .create_match(&open_match("pairs", "demo", 3))
        .await
        .expect(201)
        .text_at("/match_id");
    let alone = host
        .create_match(&open_match("pairs", "demo", 3))
        .await
        .expect(201)
        .text_at("/match_id");
    ann.join(&shared).await.expect(200);
    host.erase().await.expect(204);
    let listed = ann.open_matches().await.expect(200);
    let ids: Vec<&Value> = listed
        .array("/items")
        .iter()
        .map(|open| &open["match_id"])
        .collect();
    assert_eq!(ids, [shared.as_str()], "nobody is left in the other one");
    assert_eq!(listed.body["items"][0]["host"]["player_id"], ann.id.as_str());
    ann.view(&alone).await.problem(404, "not_found");
    let view = ann.view(&shared).await.expect(200);
    assert_eq!(view.body["seats"][0]["kind"], "open");
    assert_eq!(view.body["host_seat"], 1);
    check_gone(&[&ann], &shared, &host).await;
    // The seat can be taken, and the new host starts.
    let bob = service.player("Bob").await;
    assert_eq!(bob.join(&shared).await.expect(200).body["my_seat"], 0);
    let started = ann
        .start_match(&shared, &json!({"fill_with_bots": "easy"}))
        .await
        .expect(200);
    assert_eq!(started.body["status"], "active");
    service.stop().await;
}

/// Whatever the others can ask about a match, name and id of who was erased stand nowhere in it.
async fn check_gone(others: &[&Player], match_id: &str, erased: &Player) {
    for player in others {
        let history = player.history_page(match_id, 0, 500).await.expect(200);
        let version = history.number("/version");
        let mut answers = vec![history];
        // The view comes last: what is asked for before it does not profit from its having looked.
        for version in [1, version] {
            answers.push(player.replay(match_id, version, None).await.expect(200));
        }
        answers.extend([
            player.open_matches().await.expect(200),
            player.get("/v1/me/matches").await.expect(200),
            player.get("/v1/me/export").await.expect(200),
            player.return_to(match_id).await,
            player.rematch(match_id).await,
            player.join(match_id).await,
            player.view(match_id).await.expect(200),
        ]);
        for answer in answers {
            for told in [NAME, erased.id.as_str()] {
                assert!(!answer.text.contains(told), "{told} stands in {}", answer.text);
            }
        }
        player
            .get(&format!("/v1/players/{}", erased.id))
            .await
            .problem(404, "not_found");
    }
}

async fn who_is_erased_is_gone_from_a_running_match_which_goes_on(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    for phase in ["duel", "ask"] {
        let table = Table::of(three(one).await, &open_match("duel_quartett", "demo", 3), &[]).await;
        // Both instances remember who sits there.
        for seat in 0..3 {
            table.moved_to(there).view(seat).await;
        }
        let Some((seat, view)) = table.brought_to(phase).await else {
            continue;
        };
        let version = view["version"].as_i64().expect("a version");
        let erased = &table.players[1];
        erased.erase().await.expect(204);
        let (ann, cid) = (&table.players[0], &table.players[2]);
        let entries = ann.history(&table.match_id, version).await;
        assert_eq!(entries[0]["by"], "service");
        assert_eq!(lines(&entries[0]), ["resign B"]);
        if seat == 1 {
            assert_eq!(entries[1]["by"], "bot", "a bot completes the step");
        }
        let view = ann.view(&table.match_id).await.expect(200).body;
        assert_eq!(view["seats"][1]["erased"], true);
        assert_eq!(view["seats"][1]["state"], "resigned");
        assert!(view["seats"][1].get("player").is_none());
        check_gone(&[ann, cid], &table.match_id, erased).await;
        check_gone(
            &[&ann.moved_to(there), &cid.moved_to(there)],
            &table.match_id,
            erased,
        )
        .await;
        let mut scripted = [ann, cid].map(|player| Scripted::new(player, 5));
        play_out(&table.match_id, &mut scripted).await;
        finished::check(&table.match_id, &[ann, cid]).await;
        assert_eq!(finished::ranks(&ann.view(&table.match_id).await.body)[1], 3);
    }
    instances.stop().await;
}

async fn who_resigned_before_is_erased_all_the_same(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    let table = Table::of(three(one).await, &open_match("vdb_quartett", "demo", 3), &[]).await;
    let erased = &table.players[1];
    erased.resign(&table.match_id).await.expect(200);
    let elsewhere = table.moved_to(there);
    let (seat, before) = elsewhere.to_move().await;
    erased.erase().await.expect(204);
    // It had resigned, so nothing more is written that would tell the other instance.
    let answer = elsewhere.act_on(seat, &before).await.expect(200);
    assert_eq!(
        answer.number("/version"),
        before["version"].as_i64().unwrap_or(0) + 1
    );
    assert!(!answer.text.contains(NAME), "{}", answer.text);
    for table in [&table, &elsewhere] {
        check_gone(&[&table.players[0], &table.players[2]], &table.match_id, erased).await;
        assert_eq!(table.view(0).await["seats"][1]["erased"], true);
    }
    instances.stop().await;
}

async fn who_is_erased_is_gone_from_a_match_that_ended(database: Database) {
    let service = Service::start(&database).await;
    let table = ended(&service).await;
    let before = table.players[0].history(&table.match_id, 0).await;
    let erased = &table.players[1];
    erased.erase().await.expect(204);
    let (ann, cid) = (&table.players[0], &table.players[2]);
    check_gone(&[ann, cid], &table.match_id, erased).await;
    let view = ann.view(&table.match_id).await.expect(200).body;
    assert_eq!(view["seats"][1]["erased"], true);
    // The log names seats and stays as it was, and everything can still be checked.
    assert_eq!(finished::check(&table.match_id, &[ann, cid]).await, before);
    service.stop().await;
}
