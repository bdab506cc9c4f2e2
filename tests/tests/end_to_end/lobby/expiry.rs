//! A match that waits too long for its players.

use quartett_tests::finished::{lines, log_of};
use quartett_tests::tables::waiting;
use quartett_tests::{Database, Player, Service, Setup, both, stored};
use serde_json::{Value, json};

both!(
    a_match_that_waited_two_weeks_expires,
    a_match_expires_while_the_service_is_down,
);

const TWO_WEEKS_MILLIS: i64 = 14 * 24 * 3600 * 1000;

/// What is true of a match that waited too long.
async fn check_expired(player: &Player, match_id: &str) {
    let cancelled = |view: &Value| view["status"] == "cancelled";
    let view = player.view_when(match_id, cancelled).await;
    assert_eq!(view["result"]["reason"], "expired");
    assert!(view["seed"].is_string(), "{view}");
    let entries = log_of(player, match_id).await;
    let last = &entries[entries.len() - 1];
    assert_eq!(last["by"], "clock");
    assert_eq!(lines(last), ["cancel"]);
    player.leave(match_id).await.problem(409, "match_over");
    player
        .start_match(match_id, &json!({}))
        .await
        .problem(409, "match_over");
    assert!(player.open_matches().await.expect(200).array("/items").is_empty());
}

async fn a_match_that_waited_two_weeks_expires(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
    service.clock().advance(TWO_WEEKS_MILLIS - 2_000);
    let (host, ann) = (host.signed_in_again().await, ann.signed_in_again().await);
    // A joiner in the last moment does not give it more time.
    ann.join(&match_id).await.expect(200);
    service.clock().advance(2_000);
    check_expired(&host, &match_id).await;
    assert_eq!(ann.view(&match_id).await.expect(200).body["status"], "cancelled");
    let late = service.player("Late").await;
    late.join(&match_id).await.problem(404, "not_found");
    late.view(&match_id).await.problem(404, "not_found");
    service.stop().await;
    stored::check(&database).await;
}

async fn a_match_expires_while_the_service_is_down(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
    let clock = service.clock().clone();
    service.stop().await;
    clock.advance(3 * TWO_WEEKS_MILLIS);
    let setup = Setup {
        clock,
        seed: 2,
        ..Setup::default()
    };
    let service = Service::start_with(&database, setup).await;
    let host = host.moved_to(service.url()).signed_in_again().await;
    check_expired(&host, &match_id).await;
    service.stop().await;
}
