//! Players who have blocked each other do not meet, in either direction, and nothing tells who blocked.

use std::time::Duration;

use quartett_tests::contract::{Contract, Operation};
use quartett_tests::finished::{events, log_of};
use quartett_tests::setups::{open_match, small_match};
use quartett_tests::tables::waiting;
use quartett_tests::{Answer, Database, Player, Service, Table, both, fresh_key};
use serde_json::json;

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

both!(
    who_is_blocked_finds_nothing_in_the_lobby,
    to_who_is_blocked_the_match_is_not_there_by_any_path,
    who_is_blocked_meanwhile_is_told_nothing_more,
    who_is_blocked_cannot_accept,
    who_is_blocked_gets_no_rematch,
    a_third_brings_no_two_together_again,
);

/// An answer without what is different each time.
fn said(answer: &Answer) -> String {
    let own = answer.header("x-request-id").unwrap_or("-");
    format!("{} {}", answer.status, answer.text.replace(own, ""))
}

async fn who_is_blocked_finds_nothing_in_the_lobby(database: Database) {
    let service = Service::start(&database).await;
    let (host, seated) = (service.player("Host").await, service.player("Seated").await);
    let (blocker, blocked) = (service.player("Blocker").await, service.player("Blocked").await);
    let match_id = waiting(&host, 5, &json!({})).await.text_at("/match_id");
    seated.join(&match_id).await.expect(200);
    let listed = blocked.open_matches().await.expect(200);
    assert_eq!(listed.array("/items").len(), 1);
    let unknown = match_id.replace(char::is_numeric, "a");
    let nothing = said(&blocker.join(&unknown).await);
    // The host, or anybody in a seat, in either direction.
    blocker.block(&host.id).await.expect(204);
    seated.block(&blocked.id).await.expect(204);
    let mut told = Vec::new();
    for player in [&blocker, &blocked] {
        assert!(player.open_matches().await.expect(200).array("/items").is_empty());
        told.push(said(&player.join(&match_id).await));
    }
    assert_eq!(
        told,
        [nothing.clone(), nothing],
        "as if there was no such match, for both alike"
    );
    // The one who is blocked reads of it nowhere.
    let blocks = blocked.get("/v1/me/blocks").await.expect(200);
    assert!(blocks.array("/items").is_empty());
    let export = blocked.get("/v1/me/export").await.expect(200);
    assert!(!export.text.contains(&seated.id), "{}", export.text);
    blocked
        .get(&format!("/v1/players/{}", seated.id))
        .await
        .expect(200);
    // And meets neither in the matches that the blocked one makes.
    let other = waiting(&blocked, 3, &json!({})).await.text_at("/match_id");
    assert!(
        seated
            .open_matches()
            .await
            .expect(200)
            .text
            .find(&other)
            .is_none()
    );
    seated.join(&other).await.problem(404, "not_found");
    host.join(&other).await.expect(200);
    blocker
        .delete(&format!("/v1/me/blocks/{}", host.id))
        .await
        .expect(204);
    blocker.join(&match_id).await.expect(200);
    service.stop().await;
}

/// What every operation about a match says to a player about this one, each with a fitting body and with none.
async fn told_of(player: &Player, match_id: &str) -> Vec<(String, String)> {
    let about_matches = |operation: &&Operation| operation.path.contains("{match_id}");
    let operations = Contract::published().operations().iter();
    let mut told = Vec::new();
    for operation in operations.filter(about_matches) {
        let path = operation.path_with(|name| match name {
            "match_id" => match_id.to_owned(),
            _ => "1".to_owned(),
        });
        let request = || player.request(operation.method.clone(), &path).key(&fresh_key());
        let mut requests = vec![request().body("application/json", "{")];
        requests.extend(
            operation
                .examples()
                .first()
                .map(|example| request().json(example)),
        );
        for request in requests {
            let answer = tokio::time::timeout(PATIENCE, request.send()).await;
            let answer = answer.unwrap_or_else(|_| panic!("{} goes on and on", operation.id));
            told.push((operation.id.clone(), said(&answer)));
        }
    }
    assert!(told.len() > 15, "{}", told.len());
    told
}

async fn to_who_is_blocked_the_match_is_not_there_by_any_path(database: Database) {
    let service = Service::start(&database).await;
    let (host, seated) = (service.player("Host").await, service.player("Seated").await);
    let (blocker, blocked) = (service.player("Blocker").await, service.player("Blocked").await);
    let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
    seated.join(&match_id).await.expect(200);
    for player in [&blocker, &blocked] {
        player.view(&match_id).await.expect(200);
        player.history_page(&match_id, 0, 10).await.expect(200);
    }
    let unknown = match_id.replace(char::is_numeric, "a");
    let nothing = told_of(&blocked, &unknown).await;
    assert!(
        nothing.iter().all(|(_, said)| said.starts_with("404 ")),
        "{nothing:#?}"
    );
    blocker.block(&host.id).await.expect(204);
    seated.block(&blocked.id).await.expect(204);
    for player in [&blocker, &blocked] {
        assert_eq!(told_of(player, &match_id).await, nothing);
    }
    // Nor once it has started, when others are told that they are late.
    let (third, late) = (service.player("Third").await, service.player("Late").await);
    let started = third.join(&match_id).await.expect(200);
    assert_eq!(started.body["status"], "active");
    late.join(&match_id).await.problem(409, "match_full");
    for player in [&blocker, &blocked] {
        assert_eq!(told_of(player, &match_id).await, nothing);
    }
    // Those who sit there go on, whatever they think of each other.
    host.block(&seated.id).await.expect(204);
    for player in [&host, &seated] {
        player.view(&match_id).await.expect(200);
    }
    blocker
        .delete(&format!("/v1/me/blocks/{}", host.id))
        .await
        .expect(204);
    blocker.join(&match_id).await.problem(409, "match_full");
    service.stop().await;
}

async fn who_is_blocked_meanwhile_is_told_nothing_more(database: Database) {
    let service = Service::start(&database).await;
    let (host, blocked) = (service.player("Host").await, service.player("Blocked").await);
    let created = waiting(&host, 4, &json!({})).await;
    let match_id = created.text_at("/match_id");
    let version = created.number("/version");
    let mut stream = blocked.stream(&match_id, 0).await;
    stream.events_up_to(version).await;
    host.block(&blocked.id).await.expect(204);
    service.player("Newcomer").await.join(&match_id).await.expect(200);
    let rest = stream.rest().await;
    assert!(rest.iter().all(|block| block.data.is_none()), "{rest:?}");
    let polled = blocked.long_poll(&match_id, version, 25).await;
    polled.problem(404, "not_found");
    service.stop().await;
}

async fn who_is_blocked_cannot_accept(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann, bob) = (
        service.player("Host").await,
        service.player("Ann").await,
        service.player("Bob").await,
    );
    let created = waiting(&host, 3, &json!({"visibility": "invite"})).await;
    let code = created.text_at("/invite_code");
    host.block(&ann.id).await.expect(204);
    bob.block(&host.id).await.expect(204);
    let nothing = said(&ann.accept_invite("22222222").await);
    for player in [&ann, &bob] {
        assert_eq!(said(&player.accept_invite(&code).await), nothing);
        let path = format!("/v1/invites/{code}/acceptance");
        let wrong = player.post(&path, &json!({"opening_answer": "x"})).await;
        assert_eq!(said(&wrong), nothing, "also with a body that does not fit");
    }
    let entries = log_of(&host, &created.text_at("/match_id")).await;
    assert_eq!(
        events(&entries)
            .filter(|event| event["type"] == "seat_taken")
            .count(),
        1
    );
    service.stop().await;
}

async fn who_is_blocked_gets_no_rematch(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let [ann, bob] = [&table.players[0], &table.players[1]];
    // A block does not touch what they play already.
    ann.block(&bob.id).await.expect(204);
    table.act().await;
    bob.resign(&table.match_id).await.expect(200);
    let mut told = Vec::new();
    for player in [ann, bob] {
        let refused = player.rematch(&table.match_id).await.problem(403, "forbidden");
        told.push(said(&refused));
    }
    assert_eq!(told[0], told[1], "nothing tells who blocked");
    ann.delete(&format!("/v1/me/blocks/{}", bob.id)).await.expect(204);
    bob.rematch(&table.match_id).await.expect(201);
    service.stop().await;
}

async fn a_third_brings_no_two_together_again(database: Database) {
    let service = Service::start(&database).await;
    let setup = open_match("vdb_supertrumpf", "demo", 3);
    let table = Table::new(&service, &setup, &[]).await;
    let [ann, bob, cat] = [&table.players[0], &table.players[1], &table.players[2]];
    ann.block(&bob.id).await.expect(204);
    for player in [ann, bob] {
        player.resign(&table.match_id).await.expect(200);
    }
    cat.rematch(&table.match_id).await.problem(403, "forbidden");
    ann.delete(&format!("/v1/me/blocks/{}", bob.id)).await.expect(204);
    cat.rematch(&table.match_id).await.expect(201);
    service.stop().await;
}
