//! Nobody sees what is not theirs.

use quartett_tests::contract::Contract;
use quartett_tests::deals::Deal;
use quartett_tests::scripted::{Scripted, play, play_out};
use quartett_tests::setups::{open_match, small_match, with};
use quartett_tests::worlds::{Compared, Difference, Worlds};
use quartett_tests::{Database, Service, Surface, Table, both, fresh_key};
use serde_json::json;

both!(
    outsiders_find_nothing_of_a_running_match,
    outsiders_find_nothing_of_an_invite_match,
    duel_quartett_shows_nothing_hidden,
    supertrump_shows_nothing_hidden,
    pairs_shows_nothing_hidden,
    vdb_supertrumpf_shows_nothing_hidden,
    vdb_quartett_shows_nothing_hidden,
    a_planted_leak_is_found_in_duel_quartett,
    a_planted_leak_is_found_in_supertrump,
    a_planted_leak_is_found_in_pairs,
    a_planted_leak_is_found_in_vdb_supertrumpf,
    a_planted_leak_is_found_in_vdb_quartett,
    the_seed_is_nowhere_before_the_end,
);

/// Asks for everything below a match, as somebody who may not know of it.
async fn find_nothing(service: &Service, match_id: &str, was_open: bool) {
    let outsider = service.player("Mallory").await;
    let mut asked = 0;
    for operation in Contract::published().operations() {
        if !operation.path.contains("{match_id}") {
            continue;
        }
        let send = async |match_id: &str| {
            let path = operation.path_with(|name| match name {
                "match_id" => match_id.to_owned(),
                _ => "1".to_owned(),
            });
            let mut request = outsider
                .request(operation.method.clone(), &path)
                .key(&fresh_key());
            if let Some(example) = operation.examples().first() {
                request = request.json(example);
            }
            request.send().await
        };
        let answer = send(match_id).await;
        asked += 1;
        if was_open && operation.id == "joinMatch" {
            // Everybody could see it in the lobby: who comes too late is told so and nothing else.
            answer.problem(409, "match_full");
            continue;
        }
        let hidden = answer.problem(404, "not_found");
        // The same words as for a match that never was.
        let absent = send("01980000-0000-7000-8000-000000000000")
            .await
            .problem(404, "not_found");
        assert_eq!(absent.body["detail"], hidden.body["detail"]);
    }
    assert!(asked >= 9, "{asked} operations below a match");
    let lobby = outsider.open_matches().await.expect(200);
    assert!(!lobby.text.contains(match_id));
}

async fn outsiders_find_nothing_of_a_running_match(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    find_nothing(&service, &table.match_id, true).await;
    let mut scripted: Vec<Scripted> = table
        .players
        .iter()
        .map(|player| Scripted::new(player, 1))
        .collect();
    play_out(&table.match_id, &mut scripted).await;
    let outsider = service.player("Trudy").await;
    outsider.view(&table.match_id).await.problem(404, "not_found");
    outsider.join(&table.match_id).await.problem(404, "not_found");
    outsider
        .history_page(&table.match_id, 0, 10)
        .await
        .problem(404, "not_found");
    outsider
        .replay(&table.match_id, 1, None)
        .await
        .problem(404, "not_found");
    service.stop().await;
}

async fn outsiders_find_nothing_of_an_invite_match(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let setup = with(small_match(), &json!({"visibility": "invite"}));
    let created = host.create_match(&setup).await.expect(201);
    let match_id = created.text_at("/match_id");
    find_nothing(&service, &match_id, false).await;
    let guest = service.player("Guest").await;
    let code = created.text_at("/invite_code");
    guest.accept_invite(&code).await.expect(200);
    find_nothing(&service, &match_id, false).await;
    service.stop().await;
}

/// The deck a game is compared with.
fn deck_of(game: &str) -> &'static str {
    match game {
        "supertrump" => "sportwaffen",
        "pairs" => "demo",
        _ => "wohnbau",
    }
}

/// Compares worlds in which every hidden card is another one, at the beginning.
async fn compare_beginnings(
    database: Database,
    game: &'static str,
    viewer: usize,
    leak: Option<Surface>,
) -> Result<Compared, Difference> {
    let twins = Deal::shuffled(game, deck_of(game), 3).all_hidden_changed(viewer);
    let databases = [database.another().await, database];
    let mut worlds = Worlds::new(databases, game, deck_of(game), viewer, &twins, leak).await;
    let outcome = worlds.compare(0).await;
    worlds.stop().await;
    outcome
}

async fn shows_nothing_hidden(database: Database, game: &'static str, least_actions: usize) {
    for viewer in 0..3 {
        let begun = compare_beginnings(database.another().await, game, viewer, None).await;
        let begun = begun.unwrap_or_else(|difference| panic!("{game}, seat {viewer}: {difference:#?}"));
        assert!(begun.answers > 10, "{begun:?}");
    }
    // From the seat that begins, and from one that waits.
    for viewer in [0, 2] {
        let twins = Deal::shuffled(game, deck_of(game), 3).little_changed(viewer);
        let databases = [database.another().await, database.another().await];
        let mut worlds = Worlds::new(databases, game, deck_of(game), viewer, &twins, None).await;
        let played = worlds.compare(twins.steps).await;
        let played = played.unwrap_or_else(|difference| panic!("{game}, seat {viewer}: {difference:#?}"));
        assert!(
            played.actions >= least_actions,
            "{game}, seat {viewer}: {played:?}"
        );
        worlds.stop().await;
    }
}

async fn duel_quartett_shows_nothing_hidden(database: Database) {
    shows_nothing_hidden(database, "duel_quartett", 8).await;
}

async fn supertrump_shows_nothing_hidden(database: Database) {
    shows_nothing_hidden(database, "supertrump", 8).await;
}

async fn pairs_shows_nothing_hidden(database: Database) {
    shows_nothing_hidden(database, "pairs", 20).await;
}

async fn vdb_supertrumpf_shows_nothing_hidden(database: Database) {
    shows_nothing_hidden(database, "vdb_supertrumpf", 6).await;
}

async fn vdb_quartett_shows_nothing_hidden(database: Database) {
    shows_nothing_hidden(database, "vdb_quartett", 8).await;
}

/// The comparison can see: a hidden card that is shown on purpose makes it fail, where it is shown.
async fn planted_leaks_are_found(database: Database, game: &'static str) {
    for leak in Surface::ALL {
        match compare_beginnings(database.another().await, game, 0, Some(leak)).await {
            Ok(compared) => panic!("{game}: the leak in {leak:?} was not seen in {compared:?}"),
            Err(difference) => assert_eq!(difference.surface, leak, "{game}: {difference:#?}"),
        }
    }
}

async fn a_planted_leak_is_found_in_duel_quartett(database: Database) {
    planted_leaks_are_found(database, "duel_quartett").await;
}

async fn a_planted_leak_is_found_in_supertrump(database: Database) {
    planted_leaks_are_found(database, "supertrump").await;
}

async fn a_planted_leak_is_found_in_pairs(database: Database) {
    planted_leaks_are_found(database, "pairs").await;
}

async fn a_planted_leak_is_found_in_vdb_supertrumpf(database: Database) {
    planted_leaks_are_found(database, "vdb_supertrumpf").await;
}

async fn a_planted_leak_is_found_in_vdb_quartett(database: Database) {
    planted_leaks_are_found(database, "vdb_quartett").await;
}

/// Everything that was answered while the match ran is searched for the seed that is shown at its end.
async fn the_seed_is_nowhere_before_the_end(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &open_match("vdb_supertrumpf", "demo", 2), &[]).await;
    let mut scripted: Vec<Scripted> = table
        .players
        .iter()
        .map(|player| Scripted::new(player, 1))
        .collect();
    let mut seen = String::new();
    loop {
        let played = play(&table.match_id, &mut scripted, 1).await;
        let view = table.players[0].view(&table.match_id).await.expect(200);
        if view.body["status"] == "ended" {
            let seed = view.text_at("/seed");
            assert!(!seen.contains(&seed), "the seed was shown before the end");
            break;
        }
        assert!(view.body.get("seed").is_none());
        seen.push_str(&view.text);
        seen.extend(played.iter().map(|accepted| accepted.answer.text.as_str()));
        let history = table.players[1].history_page(&table.match_id, 0, 500).await;
        seen.push_str(&history.expect(200).text);
    }
    service.stop().await;
}
