//! In which form something is sent and answered: one that the other side cannot read is refused, not guessed.

use std::collections::BTreeSet;

use quartett_tests::contract::{Contract, Operation};
use quartett_tests::setups::{open_match, small_match};
use quartett_tests::{Answer, Database, Player, Service, Table, both, fresh_key};
use reqwest::Method;
use serde_json::json;

both!(
    a_form_that_there_is_not_is_refused_before_anything_is_done,
    a_form_that_fits_is_taken_however_it_is_said,
    a_body_in_another_coding_is_refused,
);

/// The media types of an operation's good answers.
fn media(operation: &Operation) -> BTreeSet<&str> {
    let responses = operation.node["responses"]
        .as_object()
        .expect("an operation answers");
    let good = responses.iter().filter(|(status, _)| status.starts_with('2'));
    let contents = good.filter_map(|(_, response)| response["content"].as_object());
    contents
        .flat_map(|content| content.keys())
        .map(String::as_str)
        .collect()
}

fn path(operation: &Operation, match_id: &str) -> String {
    operation.path_with(|name| match name {
        "match_id" => match_id.to_owned(),
        "deck_id" => "demo".to_owned(),
        _ => "1".to_owned(),
    })
}

async fn asked_for(player: &Player, operation: &Operation, match_id: &str, accept: &str) -> Answer {
    let mut request = player.request(operation.method.clone(), &path(operation, match_id));
    if let Some(example) = operation.examples().first() {
        request = request.json(example);
    }
    request.key(&fresh_key()).header("accept", accept).send().await
}

async fn a_form_that_there_is_not_is_refused_before_anything_is_done(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let [ann, bob] = [&table.players[0], &table.players[1]];
    let before = table.view(0).await;
    let mut refused = 0;
    for operation in Contract::published().operations() {
        let media = media(operation);
        // A body-less answer fits everybody.
        assert!(media.len() < 2, "{}: {media:?}", operation.id);
        let Some(media) = media.first() else {
            continue;
        };
        let other = match *media {
            "text/event-stream" => "application/json",
            _ => "text/event-stream, text/html",
        };
        for accept in [other, &format!("{media};q=0, */*"), "image/*", "*/*;q=0"] {
            let answer = asked_for(ann, operation, &table.match_id, accept).await;
            let answer = answer.problem(406, "not_acceptable");
            assert!(answer.text_at("/detail").contains(media), "{}", answer.text);
            refused += 1;
        }
    }
    assert!(refused > 100, "{refused}");
    // Nobody was signed out or erased, nothing was created, nobody has acted.
    assert_eq!(table.view(0).await, before);
    assert_eq!(ann.my_matches("").await.expect(200).array("/items").len(), 1);
    bob.get("/v1/me").await.expect(200);
    for (page, accept) in [
        ("/docs", "application/json"),
        ("/invite/K7MWX2PQ", "application/json"),
        ("/openapi.json", "text/html"),
        ("/problems/not_found", "image/png"),
    ] {
        let request = ann.request(Method::GET, page).header("accept", accept);
        request.send().await.problem(406, "not_acceptable");
    }
    // What does not exist is not there in any form.
    let nowhere = ann
        .request(Method::GET, "/v1/nowhere")
        .header("accept", "image/png");
    nowhere.send().await.problem(404, "not_found");
    let method = ann
        .request(Method::DELETE, "/v1/games")
        .header("accept", "image/png");
    method.send().await.problem(405, "method_not_allowed");
    service.stop().await;
}

async fn a_form_that_fits_is_taken_however_it_is_said(database: Database) {
    let service = Service::start(&database).await;
    let table = Table::new(&service, &small_match(), &[]).await;
    let ann = &table.players[0];
    for accept in [
        "application/json",
        "application/*",
        "text/html, */*;q=0.1",
        "application/problem+json, application/json; charset=utf-8",
        "nonsense",
    ] {
        let path = format!("/v1/matches/{}", table.match_id);
        let request = ann.request(Method::GET, &path).header("accept", accept);
        request.send().await.expect(200);
    }
    for accept in ["text/event-stream", "text/*", "*/*"] {
        let request = ann.request(Method::GET, "/v1/me/stream").header("accept", accept);
        request.open().await.event().await;
    }
    let path = "/problems/not_found";
    for (accept, form) in [
        (
            "text/html,application/xhtml+xml,*/*;q=0.8",
            "text/html; charset=utf-8",
        ),
        ("application/json, text/html;q=0.5", "application/json"),
        ("text/html;q=0, */*", "application/json"),
        ("*/*", "application/json"),
    ] {
        let request = ann.request(Method::GET, path).header("accept", accept);
        let page = request.send().await;
        assert_eq!((page.status, page.header("content-type")), (200, Some(form)));
    }
    // Signing out answers nothing, and that fits everybody.
    let request = ann.request(Method::POST, "/v1/auth/logout").json(&json!({}));
    request.header("accept", "image/png").send().await.expect(204);
    service.stop().await;
}

async fn a_body_in_another_coding_is_refused(database: Database) {
    let service = Service::start(&database).await;
    let ann = service.player("Ann").await;
    let setup = open_match("pairs", "demo", 3);
    let waiting = ann.create_match(&setup).await.expect(201);
    let match_id = waiting.text_at("/match_id");
    let mut refused = 0;
    for operation in Contract::published().operations() {
        let Some(example) = operation.examples().first().cloned() else {
            continue;
        };
        for (content_type, coding) in [
            ("application/json", Some("gzip")),
            ("application/json", Some("deflate, br")),
            ("application/json; charset=utf-16", None),
            ("application/json; charset=iso-8859-1", None),
        ] {
            // Without a token where none is needed: signing the caller out would spoil the rest.
            let caller = if operation.is_public {
                service.anonymous()
            } else {
                (*ann).clone()
            };
            let request = caller.request(operation.method.clone(), &path(operation, &match_id));
            let mut request = request.key(&fresh_key()).body(content_type, example.to_string());
            if let Some(coding) = coding {
                request = request.header("content-encoding", coding);
            }
            let answer = request.send().await;
            // What is hidden or gone is told before the body is looked at.
            if answer.status == 404 && operation.path.contains("/invites/") {
                continue;
            }
            let answer = answer.problem(415, "unsupported_media_type");
            assert_eq!(answer.header("accept"), Some("application/json"));
            assert_eq!(answer.header("accept-encoding"), Some("identity"));
            refused += 1;
        }
    }
    assert!(refused > 30, "{refused}");
    let plain = ann
        .request(Method::POST, "/v1/matches")
        .key(&fresh_key())
        .body("application/json; charset=UTF-8", setup.to_string())
        .header("content-encoding", "identity");
    plain.send().await.expect(201);
    service.stop().await;
}
