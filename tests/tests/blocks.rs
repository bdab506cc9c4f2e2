//! Players who have blocked each other do not meet, in either direction, and nothing tells who blocked.

use quartett_tests::finished::{events, log_of};
use quartett_tests::setups::small_match;
use quartett_tests::tables::waiting;
use quartett_tests::{Answer, Database, Service, Table, both};
use serde_json::json;

both!(
    who_is_blocked_finds_nothing_in_the_lobby,
    who_is_blocked_cannot_accept,
    who_is_blocked_gets_no_rematch,
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
