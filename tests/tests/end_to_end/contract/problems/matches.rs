//! What a match does not know: versions ahead of it, queries and actions of another form or game.

use super::scene::{Scene, refused_at};
use quartett_tests::contract::Contract;
use quartett_tests::{Database, both, fresh_key};
use serde_json::json;

both!(what_a_match_does_not_know_is_told,);

async fn what_a_match_does_not_know_is_told(database: Database) {
    let scene = Scene::new(&database).await;
    let (caller, running) = (&scene.caller, &scene.running);
    let version = caller.view(running).await.expect(200).number("/version");
    for query in [
        "after=-1",
        "after=x",
        "limit=0",
        "limit=501",
        "limit=1.5",
        "before=1",
    ] {
        let path = format!("/v1/matches/{running}/history?{query}");
        let answer = caller.get(&path).await.problem(400, "invalid_query");
        assert!(!answer.array("/errors").is_empty(), "{query}");
    }
    let ahead = caller.history_page(running, version + 1, 10).await;
    ahead.problem(409, "version_ahead");
    let at_head = caller.history_page(running, version, 10).await.expect(200);
    assert!(at_head.array("/entries").is_empty());
    assert_eq!(at_head.body["has_more"], false);
    for version in ["0", "-1", "x"] {
        let path = format!("/v1/matches/{running}/replay/{version}");
        assert_eq!(caller.get(&path).await.status, 400, "{version}");
    }
    caller
        .replay(running, version + 1, None)
        .await
        .problem(409, "version_ahead");
    // An action before the start, an action of another game, members of the wrong kind.
    let choose = json!({"type": "choose_attribute", "choose_attribute": {"attribute": "moons"}});
    let waiting = caller.act(&scene.waiting, &choose, 1, &fresh_key()).await;
    waiting.problem(409, "match_not_started");
    let flip = json!({"type": "flip_card", "flip_card": {"place": 1}});
    let other_game = caller.act(running, &flip, version, &fresh_key()).await;
    other_game.problem(422, "action_not_in_this_game");
    for action in [
        json!({"type": "no_such_action"}),
        json!({"type": "flip_card"}),
        json!({"type": "flip_card", "choose_attribute": {"attribute": "moons"}}),
        json!({"type": "flip_card", "flip_card": {"place": 1}, "choose_attribute": {"attribute": "moons"}}),
        json!({"type": "flip_card", "flip_card": {"place": 256}}),
        json!({"type": "flip_card", "flip_card": {"place": -1}}),
        json!({"type": "flip_card", "flip_card": {"place": "1"}}),
        json!({"flip_card": {"place": 1}}),
    ] {
        let answer = caller.act(running, &action, version, &fresh_key()).await;
        refused_at(
            answer,
            Contract::published().named("submitAction"),
            &action,
            "/action",
        );
    }
    let stray = json!({"type": "flip_card", "flip_card": {"place": 1, "colour": "red"}, "shape": "round"});
    let stray = caller.act(running, &stray, version, &fresh_key()).await;
    stray.problem(422, "action_not_in_this_game");
    scene.service.stop().await;
}
