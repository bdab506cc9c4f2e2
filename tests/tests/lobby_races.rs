//! Matches that wait: who comes and goes at the same moment, and what runs out.

use quartett_tests::finished::{self, lines};
use quartett_tests::setups::{open_match, with};
use quartett_tests::{Answer, Database, Player, Service, Setup, both, stored};
use serde_json::{Value, json};

both!(
    accepting_and_revoking_at_once_has_one_outcome,
    joining_and_leaving_at_once_leaves_a_whole_table,
    joining_and_starting_at_once_has_one_outcome,
    of_codes_made_at_once_the_last_one_is_good,
    when_the_host_leaves_the_next_seat_is_host,
    a_match_that_waits_for_its_host_does_not_start_by_itself,
    a_match_that_waited_two_weeks_expires,
    a_match_expires_while_the_service_is_down,
    an_invite_runs_out,
    an_invite_to_a_match_that_runs_or_is_over_has_run_out,
);

const TWO_WEEKS_MILLIS: i64 = 14 * 24 * 3600 * 1000;

/// Sends two requests at the same moment; `turn` decides which one sets out first.
async fn race(
    turn: usize,
    one: impl Future<Output = Answer> + Send + 'static,
    two: impl Future<Output = Answer> + Send + 'static,
) -> (Answer, Answer) {
    let (one, two) = if turn.is_multiple_of(2) {
        let one = tokio::spawn(one);
        (one, tokio::spawn(two))
    } else {
        let two = tokio::spawn(two);
        (tokio::spawn(one), two)
    };
    (one.await.expect("an answer"), two.await.expect("an answer"))
}

/// A call of a player's to be sent later.
macro_rules! later {
    ($player:expr, $call:ident, $($argument:expr),+) => {{
        let player = $player.clone();
        async move { player.$call($($argument),+).await }
    }};
}

async fn waiting(host: &Player, seats: usize, settings: &Value) -> Answer {
    let setup = with(open_match("pairs", "demo", seats), settings);
    let created = host.create_match(&setup).await.expect(201);
    assert_eq!(created.body["status"], "waiting");
    created
}

async fn check_log(player: &Player, match_id: &str) -> Vec<Value> {
    let entries = player.history(match_id, 0).await;
    let view = player.view(match_id).await.expect(200);
    finished::check_log(&entries, view.number("/version"));
    entries
}

async fn stop(one: Service, two: Option<Service>) {
    one.stop().await;
    if let Some(two) = two {
        two.stop().await;
    }
}

async fn accepting_and_revoking_at_once_has_one_outcome(database: Database) {
    let (one, two) = Service::start_two(&database).await;
    let there = two.as_ref().unwrap_or(&one).url().to_owned();
    let host = one.player("Host").await;
    let ann = one.player("Ann").await.moved_to(&there);
    for round in 0..12 {
        let created = waiting(&host, 3, &json!({"visibility": "invite"})).await;
        let (match_id, code) = (created.text_at("/match_id"), created.text_at("/invite_code"));
        let accepted_code = code.clone();
        let accepts = later!(ann, accept_invite, &accepted_code);
        let id = match_id.clone();
        let revokes = later!(host, revoke_invite, &id);
        let (accepted, revoked) = race(round, accepts, revokes).await;
        revoked.expect(204);
        let view = host.view(&match_id).await.expect(200);
        if accepted.status == 200 {
            assert_eq!(accepted.body["my_seat"], 1);
            assert_eq!(view.body["seats"][1]["player"]["player_id"], ann.id.as_str());
        } else {
            accepted.problem(404, "not_found");
            assert_eq!(view.body["seats"][1]["kind"], "open");
            ann.view(&match_id).await.problem(404, "not_found");
        }
        assert!(view.body.get("invite_code").is_none(), "{}", view.text);
        let late = one.player("Late").await;
        late.accept_invite(&code).await.problem(404, "not_found");
        check_log(&host, &match_id).await;
        host.cancel(&match_id).await.expect(204);
    }
    stop(one, two).await;
}

async fn joining_and_leaving_at_once_leaves_a_whole_table(database: Database) {
    let (one, two) = Service::start_two(&database).await;
    let there = two.as_ref().unwrap_or(&one).url().to_owned();
    let host = one.player("Host").await;
    let (ann, bob) = (one.player("Ann").await, one.player("Bob").await.moved_to(&there));
    for round in 0..8 {
        let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
        ann.join(&match_id).await.expect(200);
        // The last free seat or the one that is just left: in either case there is one.
        let id = match_id.clone();
        let joins = later!(bob, join, &id);
        let id = match_id.clone();
        let leaves = later!(ann, leave, &id);
        let (joined, left) = race(round, joins, leaves).await;
        let joined = joined.expect(200);
        let view = host.view(&match_id).await.expect(200);
        if left.status == 204 {
            assert_eq!(view.body["status"], "waiting");
            let kinds: Vec<&Value> = view.array("/seats").iter().map(|seat| &seat["kind"]).collect();
            assert_eq!(
                kinds.iter().filter(|kind| **kind == "player").count(),
                2,
                "{}",
                view.text
            );
        } else {
            // Bob came first, and the match was full.
            left.problem(409, "match_started");
            assert_eq!(view.body["status"], "active");
            assert_eq!(joined.body["my_seat"], 2);
        }
        check_log(&host, &match_id).await;
        if view.body["status"] == "waiting" {
            host.cancel(&match_id).await.expect(204);
        }
    }
    stop(one, two).await;
    stored::check(&database).await;
}

async fn joining_and_starting_at_once_has_one_outcome(database: Database) {
    let (one, two) = Service::start_two(&database).await;
    let there = two.as_ref().unwrap_or(&one).url().to_owned();
    let host = one.player("Host").await;
    let ann = one.player("Ann").await.moved_to(&there);
    for round in 0..8 {
        let match_id = waiting(&host, 3, &json!({})).await.text_at("/match_id");
        let id = match_id.clone();
        let joins = later!(ann, join, &id);
        let id = match_id.clone();
        let starts = later!(host, start_match, &id, &json!({"fill_with_bots": "easy"}));
        let (joined, started) = race(round, joins, starts).await;
        started.expect(200);
        let view = host.view(&match_id).await.expect(200);
        assert_eq!(view.body["status"], "active");
        if joined.status == 200 {
            assert_eq!(view.body["seats"][1]["player"]["player_id"], ann.id.as_str());
        } else {
            joined.problem(409, "match_full");
            assert_eq!(view.body["seats"][1]["kind"], "bot");
        }
        check_log(&host, &match_id).await;
    }
    stop(one, two).await;
}

async fn of_codes_made_at_once_the_last_one_is_good(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let match_id = waiting(&host, 3, &json!({"visibility": "invite"}))
        .await
        .text_at("/match_id");
    let sent: Vec<_> = (0..6)
        .map(|_| {
            let id = match_id.clone();
            tokio::spawn(later!(host, create_invite, &id))
        })
        .collect();
    let mut codes = Vec::new();
    for answer in sent {
        codes.push(answer.await.expect("an answer").text_at("/code"));
    }
    let good = host.view(&match_id).await.expect(200).text_at("/invite_code");
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), 6, "each is a new one");
    for code in codes {
        let preview = ann.invite(&code).await;
        if code == good {
            preview.expect(200);
        } else {
            preview.problem(404, "not_found");
            ann.accept_invite(&code).await.problem(404, "not_found");
        }
    }
    ann.accept_invite(&good).await.expect(200);
    service.stop().await;
}

async fn when_the_host_leaves_the_next_seat_is_host(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let match_id = waiting(&host, 4, &json!({})).await.text_at("/match_id");
    ann.join(&match_id).await.expect(200);
    bob.join(&match_id).await.expect(200);
    host.leave(&match_id).await.expect(204);
    let view = ann.view(&match_id).await.expect(200);
    assert_eq!(view.body["host_seat"], 1);
    let listed = host.open_matches().await.expect(200);
    assert_eq!(listed.body["items"][0]["host"]["player_id"], ann.id.as_str());
    bob.start_match(&match_id, &json!({}))
        .await
        .problem(409, "not_host");
    bob.cancel(&match_id).await.problem(409, "not_host");
    // The one who was host may come back, as a guest.
    assert_eq!(host.join(&match_id).await.expect(200).body["my_seat"], 0);
    host.start_match(&match_id, &json!({}))
        .await
        .problem(409, "not_host");
    let started = ann
        .start_match(&match_id, &json!({"fill_with_bots": "hard"}))
        .await
        .expect(200);
    assert_eq!(started.body["status"], "active");
    // The host's start is an entry of the host's.
    let entries = check_log(&bob, &match_id).await;
    let start = entries.iter().find(|entry| lines(entry)[0].starts_with("start "));
    assert_eq!(start.map(|entry| &entry["seat"]), Some(&json!(1)));
    service.stop().await;
}

async fn a_match_that_waits_for_its_host_does_not_start_by_itself(database: Database) {
    let service = Service::start(&database).await;
    let host = service.player("Host").await;
    let (ann, bob) = (service.player("Ann").await, service.player("Bob").await);
    let match_id = waiting(&host, 2, &json!({"auto_start": false}))
        .await
        .text_at("/match_id");
    let full = ann.join(&match_id).await.expect(200);
    assert_eq!(full.body["status"], "waiting");
    assert!(
        bob.open_matches().await.expect(200).array("/items").is_empty(),
        "no seat is free"
    );
    bob.join(&match_id).await.problem(409, "match_full");
    ann.start_match(&match_id, &json!({}))
        .await
        .problem(409, "not_host");
    // Whoever sits there may still go, and another one come.
    ann.leave(&match_id).await.expect(204);
    host.start_match(&match_id, &json!({}))
        .await
        .problem(409, "seats_free");
    bob.join(&match_id).await.expect(200);
    let started = host.start_match(&match_id, &json!({})).await.expect(200);
    assert_eq!(started.body["status"], "active");
    let again = host.start_match(&match_id, &json!({})).await.expect(200);
    assert_eq!(again.body["version"], started.body["version"]);
    service.stop().await;
}

/// What is true of a match that waited too long.
async fn check_expired(player: &Player, match_id: &str) {
    let cancelled = |view: &Value| view["status"] == "cancelled";
    let view = player.view_when(match_id, cancelled).await;
    assert_eq!(view["result"]["reason"], "expired");
    assert!(view["seed"].is_string(), "{view}");
    let entries = check_log(player, match_id).await;
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

async fn an_invite_runs_out(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let created = waiting(&host, 3, &json!({"visibility": "invite"})).await;
    let code = created.text_at("/invite_code");
    let preview = ann.invite(&code).await.expect(200);
    let runs_out = quartett_tests::millis(&preview.body["expires_at"]);
    // Blanks, hyphens and lower case do not matter.
    let written = format!("{}-{}", code[..4].to_lowercase(), &code[4..]);
    assert_eq!(ann.invite(&written).await.expect(200).body["code"], code.as_str());
    service.clock().advance(runs_out - service.now_millis() - 1);
    let ann = ann.signed_in_again().await;
    ann.invite(&code).await.expect(200);
    service.clock().advance(1);
    ann.invite(&code).await.problem(410, "invite_expired");
    ann.accept_invite(&code).await.problem(410, "invite_expired");
    service.stop().await;
}

async fn an_invite_to_a_match_that_runs_or_is_over_has_run_out(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let bob = service.player("Bob").await;
    let created = waiting(&host, 2, &json!({"visibility": "invite"})).await;
    let (match_id, code) = (created.text_at("/match_id"), created.text_at("/invite_code"));
    ann.accept_invite(&code).await.expect(200);
    bob.invite(&code).await.problem(410, "invite_expired");
    bob.accept_invite(&code).await.problem(409, "match_full");
    // Who sits there sits there.
    assert_eq!(ann.accept_invite(&code).await.expect(200).body["my_seat"], 1);
    ann.resign(&match_id).await.expect(200);
    bob.accept_invite(&code).await.problem(410, "invite_expired");
    let cancelled = waiting(&host, 2, &json!({"visibility": "invite"})).await;
    host.cancel(&cancelled.text_at("/match_id")).await.expect(204);
    bob.accept_invite(&cancelled.text_at("/invite_code"))
        .await
        .problem(410, "invite_expired");
    service.stop().await;
}
