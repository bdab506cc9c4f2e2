//! Methods and paths that there are not.

use super::scene::Scene;
use quartett_tests::contract::{Contract, Operation};
use quartett_tests::{Database, both};
use reqwest::Method;
use std::collections::BTreeSet;

both!(other_methods_are_refused, other_paths_are_refused,);

async fn other_methods_are_refused(database: Database) {
    let scene = Scene::new(&database).await;
    let operations = Contract::published().operations();
    let paths: BTreeSet<&str> = operations
        .iter()
        .map(|operation| operation.path.as_str())
        .collect();
    for path in paths {
        let of_path: Vec<&Operation> = operations
            .iter()
            .filter(|operation| operation.path == path)
            .collect();
        let known: BTreeSet<&str> = of_path
            .iter()
            .map(|operation| operation.method.as_str())
            .collect();
        for method in [
            Method::GET,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ] {
            if known.contains(method.as_str()) {
                continue;
            }
            let answer = scene.caller.request(method, &scene.path(of_path[0])).send().await;
            let answer = answer.problem(405, "method_not_allowed");
            let allowed: BTreeSet<&str> = answer.header("allow").unwrap_or_default().split(", ").collect();
            assert!(known.is_subset(&allowed), "{path}: {allowed:?}");
        }
    }
    scene.service.stop().await;
}

async fn other_paths_are_refused(database: Database) {
    let scene = Scene::new(&database).await;
    let running = &scene.running;
    for path in [
        "/".to_owned(),
        "/v1".to_owned(),
        "/v2/me".to_owned(),
        "/v1/matches/".to_owned(),
        "/v1/matches/not-an-id".to_owned(),
        format!("/v1/matches/{}", running.to_uppercase()),
        format!("/v1/matches/{}", running.replace('-', "")),
        format!("/v1/matches/{running}/"),
        format!("/v1/matches/{running}/secrets"),
        format!("/v1/matches/{running}/..%2f..%2fme"),
        "/v1/invites/no-such-code".to_owned(),
        "/v1/decks/no-such-deck".to_owned(),
    ] {
        scene.caller.get(&path).await.problem(404, "not_found");
    }
    scene.service.stop().await;
}
