//! Every operation of the document is carried out with success at least once: one that is added and not called
//! here makes this fail.

use std::collections::BTreeSet;

use quartett_tests::contract::Contract;
use quartett_tests::setups::{open_match, small_match, with};
use quartett_tests::{Client, Database, Player, Service, Table, both, finished, fresh_key};
use reqwest::Method;
use serde_json::{Value, json};

both!(every_operation_is_carried_out);

async fn every_operation_is_carried_out(database: Database) {
    let service = Service::start(&database).await;
    let stranger = service.anonymous();
    for path in ["/healthz", "/readyz", "/.well-known/jwks.json"] {
        stranger.get(path).await.expect(200);
    }
    accounts(&stranger).await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    catalogue(&ann).await;
    lobby(&stranger, &ann, &bob).await;
    matchmaking(&ann).await;
    play(ann, bob).await;
    let documented: BTreeSet<String> = Contract::published()
        .operations()
        .iter()
        .map(|operation| operation.id.clone())
        .collect();
    let exercised = service.exercised();
    let missing: Vec<_> = documented.difference(&exercised).collect();
    assert!(missing.is_empty(), "not carried out: {missing:?}");
    service.stop().await;
}

async fn accounts(stranger: &Client) {
    let credentials = json!({"username": "Ann_K", "password": "twelve grey geese"});
    let guest = stranger.post("/v1/auth/guest", &json!({})).await.expect(201);
    let guest = stranger.signed_in(&guest.body);
    guest.post("/v1/me/upgrade", &credentials).await.expect(200);
    let pair = stranger.post("/v1/auth/login", &credentials).await.expect(200);
    let refresh = json!({"refresh_token": pair.body["refresh_token"]});
    let pair = stranger.post("/v1/auth/refresh", &refresh).await.expect(200);
    let ann = stranger.signed_in(&pair.body);
    ann.get("/v1/me").await.expect(200);
    profile(&ann, stranger).await;
    sessions(&ann, stranger, &credentials).await;
    let mine = json!({"refresh_token": ann.refresh_token});
    ann.post("/v1/auth/logout", &mine).await.expect(204);
    ann.get("/v1/me").await.problem(401, "session_revoked");
}

async fn profile(ann: &Player, stranger: &Client) {
    let credentials = json!({"username": "Bob_K", "password": "nine green herons"});
    let bob = stranger.post("/v1/auth/register", &credentials).await.expect(201);
    let bob = stranger.signed_in(&bob.body);
    let change = ann
        .request(Method::PATCH, "/v1/me")
        .json(&json!({"display_name": "Anna"}));
    change.send().await.expect(200);
    let bob_id = bob.get("/v1/me").await.expect(200).text_at("/player_id");
    ann.get(&format!("/v1/players/{bob_id}")).await.expect(200);
    let block = format!("/v1/me/blocks/{bob_id}");
    ann.request(Method::PUT, &block).send().await.expect(204);
    let blocked = ann.get("/v1/me/blocks").await.expect(200);
    assert_eq!(blocked.array("/items").len(), 1);
    ann.delete(&block).await.expect(204);
    ann.get("/v1/me/export").await.expect(200);
    bob.delete("/v1/me").await.expect(204);
    bob.get("/v1/me").await.problem(401, "session_revoked");
}

async fn sessions(ann: &Player, stranger: &Client, credentials: &Value) {
    let second = stranger.post("/v1/auth/login", credentials).await.expect(200);
    let second = stranger.signed_in(&second.body);
    let listed = ann.get("/v1/auth/sessions").await.expect(200);
    let newest = listed.text_at("/items/0/session_id");
    ann.delete(&format!("/v1/auth/sessions/{newest}"))
        .await
        .expect(204);
    second.get("/v1/me").await.problem(401, "session_revoked");
    let change = json!({"current_password": "twelve grey geese", "new_password": "six blue owls here"});
    ann.post("/v1/auth/password", &change).await.expect(204);
    ann.delete("/v1/auth/sessions").await.expect(204);
    ann.get("/v1/me").await.expect(200);
}

async fn catalogue(ann: &Player) {
    let games = ann.get("/v1/games").await.expect(200);
    assert_eq!(games.array("/items").len(), 5);
    let decks = ann.get("/v1/decks").await.expect(200);
    for deck in decks.array("/items") {
        let id = deck["deck_id"].as_str().expect("a deck has an id");
        let deck = ann.get(&format!("/v1/decks/{id}")).await.expect(200);
        let hash = deck.text_at("/hash");
        ann.get(&format!("/v1/decks/by-hash/{hash}")).await.expect(200);
    }
}

async fn lobby(stranger: &Client, ann: &Player, bob: &Player) {
    let setup = with(open_match("pairs", "demo", 3), &json!({"visibility": "invite"}));
    let match_id = ann.create_match(&setup).await.expect(201).text_at("/match_id");
    let code = ann.create_invite(&match_id).await.text_at("/code");
    stranger.invite(&code).await.expect(200);
    bob.accept_invite(&code).await.expect(200);
    bob.leave(&match_id).await.expect(204);
    ann.revoke_invite(&match_id).await.expect(204);
    ann.cancel(&match_id).await.expect(204);
    let match_id = ann
        .create_match(&open_match("pairs", "demo", 3))
        .await
        .expect(201);
    let match_id = match_id.text_at("/match_id");
    let listed = bob.open_matches().await.expect(200);
    assert_eq!(listed.array("/items")[0]["match_id"], match_id.as_str());
    bob.join(&match_id).await.expect(200);
    ann.start_match(&match_id, &json!({"fill_with_bots": "easy"}))
        .await
        .expect(200);
}

async fn matchmaking(ann: &Player) {
    let wish = json!({"game": "duel_quartett", "seats": 2});
    let ticket = ann.post("/v1/matchmaking/tickets", &wish).await.expect(201);
    let again = ann.post("/v1/matchmaking/tickets", &wish).await.expect(200);
    assert_eq!(
        again.body["ticket_id"], ticket.body["ticket_id"],
        "a double tap is one ticket"
    );
    let path = format!("/v1/matchmaking/tickets/{}", ticket.text_at("/ticket_id"));
    assert_eq!(ann.get(&path).await.expect(200).body["status"], "waiting");
    ann.delete(&path).await.expect(204);
}

async fn play(ann: Player, bob: Player) {
    let table = Table::of(vec![ann, bob], &small_match(), &[]).await;
    let (seat, view) = table.to_move().await;
    let player = &table.players[seat];
    let version = view["version"].as_i64().expect("a version");
    let action = &view["legal_actions"][0];
    player
        .act(&table.match_id, action, version, &fresh_key())
        .await
        .expect(200);
    player.history(&table.match_id, 0).await;
    player.replay(&table.match_id, version, None).await.expect(200);
    player
        .stream(&table.match_id, 0)
        .await
        .events_up_to(version)
        .await;
    player.my_stream().await.event().await;
    player.my_matches("").await.expect(200);
    let below = |name: &str| format!("/v1/matches/{}/{name}", table.match_id);
    let empty = |path: &str| player.request(Method::POST, path).send();
    let returned = empty(&below("return")).await.expect(200);
    assert!(returned.array("/entries").is_empty(), "the player was not away");
    empty(&below("rematch")).await.problem(409, "match_not_over");
    let resigned = empty(&below("resignation")).await.expect(200);
    assert_eq!(resigned.body["view"]["result"]["reason"], "too_few_players");
    finished::check(&table.match_id, &table.everyone()).await;
    let rematch = empty(&below("rematch")).await.expect(201);
    let again = empty(&below("rematch")).await.expect(200);
    assert_eq!(again.body["match_id"], rematch.body["match_id"]);
}
