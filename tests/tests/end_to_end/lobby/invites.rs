//! Codes that let in whoever has them.

use quartett_tests::finished::log_of;
use quartett_tests::setups::{open_match, with};
use quartett_tests::tables::waiting;
use quartett_tests::{Database, Instances, Service, at_once, both, later, millis};
use serde_json::json;

both!(
    an_invite_lets_in_who_has_the_code,
    accepting_and_revoking_at_once_has_one_outcome,
    of_codes_made_at_once_the_last_one_is_good,
    an_invite_runs_out,
    an_invite_to_a_match_that_runs_or_is_over_has_run_out,
);

async fn an_invite_lets_in_who_has_the_code(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let bob = service.player("Bob").await;
    let setup = with(open_match("pairs", "demo", 2), &json!({"visibility": "invite"}));
    let created = host.create_match(&setup).await.expect(201);
    let match_id = created.text_at("/match_id");
    let first = created.text_at("/invite_code");
    assert!(bob.open_matches().await.expect(200).array("/items").is_empty());
    for hidden in [bob.view(&match_id).await, bob.join(&match_id).await] {
        hidden.problem(404, "not_found");
    }
    // A preview needs no account.
    let preview = service.anonymous().invite(&first).await.expect(200);
    assert_eq!(preview.body["match_id"], match_id.as_str());
    assert_eq!(preview.body["free_seats"], 1);
    let second = host.create_invite(&match_id).await.text_at("/code");
    assert_ne!(second, first);
    ann.accept_invite(&first).await.problem(404, "not_found");
    ann.create_invite(&match_id).await.problem(404, "not_found");
    host.revoke_invite(&match_id).await.expect(204);
    ann.accept_invite(&second).await.problem(404, "not_found");
    let third = host.create_invite(&match_id).await.text_at("/code");
    let joined = ann.accept_invite(&third).await.expect(200);
    assert_eq!(joined.body["my_seat"], 1);
    assert_eq!(joined.body["status"], "active");
    assert!(
        joined.body.get("invite_code").is_none(),
        "a code is shown while waiting only"
    );
    bob.view(&match_id).await.problem(404, "not_found");
    service.stop().await;
}

async fn accepting_and_revoking_at_once_has_one_outcome(database: Database) {
    let instances = Instances::start(&database).await;
    let (one, there) = (instances.one(), instances.other().url());
    let host = one.player("Host").await;
    let ann = one.player("Ann").await.moved_to(there);
    for round in 0..12 {
        let created = waiting(&host, 3, &json!({"visibility": "invite"})).await;
        let (match_id, code) = (created.text_at("/match_id"), created.text_at("/invite_code"));
        let accepts = later!(ann.accept_invite(code));
        let revokes = later!(host.revoke_invite(match_id));
        let (accepted, revoked) = at_once::race(round, accepts, revokes).await;
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
        log_of(&host, &match_id).await;
        host.cancel(&match_id).await.expect(204);
    }
    instances.stop().await;
}

async fn of_codes_made_at_once_the_last_one_is_good(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let match_id = waiting(&host, 3, &json!({"visibility": "invite"}))
        .await
        .text_at("/match_id");
    let made = at_once::all((0..6).map(|_| later!(host.create_invite(match_id)))).await;
    let mut codes: Vec<String> = made.iter().map(|invite| invite.text_at("/code")).collect();
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

async fn an_invite_runs_out(database: Database) {
    let service = Service::start(&database).await;
    let (host, ann) = (service.player("Host").await, service.player("Ann").await);
    let created = waiting(&host, 3, &json!({"visibility": "invite"})).await;
    let code = created.text_at("/invite_code");
    let preview = ann.invite(&code).await.expect(200);
    let runs_out = millis(&preview.body["expires_at"]);
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
