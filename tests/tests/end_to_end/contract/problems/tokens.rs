//! Requests of callers who are not signed in.

use super::scene::Scene;
use quartett_tests::contract::Contract;
use quartett_tests::{Database, both, fresh_key};
use serde_json::json;

both!(without_a_token_nothing_is_done,);

async fn without_a_token_nothing_is_done(database: Database) {
    let scene = Scene::new(&database).await;
    let before = scene.versions().await;
    let stranger = scene.service.anonymous();
    let pair = stranger.post("/v1/auth/guest", &json!({})).await.expect(201);
    let expired = pair.text_at("/access_token");
    let (head, signature) = expired.rsplit_once('.').expect("a token has three parts");
    let forged = format!("{head}.{}", signature.chars().rev().collect::<String>());
    let mut asked = 0;
    for operation in Contract::published().operations() {
        if operation.is_public {
            continue;
        }
        let path = scene.path(operation);
        for (token, code) in [
            (None, "unauthenticated"),
            (Some("rubbish"), "token_invalid"),
            (Some("a.b.c"), "token_invalid"),
            (Some(forged.as_str()), "token_invalid"),
        ] {
            let caller = token.map_or_else(|| stranger.clone(), |token| stranger.with_token(token));
            let mut request = caller.request(operation.method.clone(), &path).key(&fresh_key());
            if let Some(example) = operation.examples().first() {
                request = request.json(example);
            }
            request.send().await.problem(401, code);
            asked += 1;
        }
        // Authentication comes before everything else that could be wrong.
        let nonsense = stranger
            .request(operation.method.clone(), &path)
            .body("text/plain", "{");
        nonsense.send().await.problem(401, "unauthenticated");
    }
    assert!(asked > 0);
    assert_eq!(scene.versions().await, before);
    scene.service.clock().advance(16 * 60 * 1000);
    for operation in Contract::published()
        .operations()
        .iter()
        .filter(|operation| !operation.is_public)
    {
        let late = stranger.with_token(&expired);
        let answer = late
            .request(operation.method.clone(), &scene.path(operation))
            .send()
            .await;
        answer.problem(401, "token_expired");
    }
    scene.service.stop().await;
}
