//! Every operation of the published document, called by somebody it is not meant for.

use quartett_api::{Code, openapi};
use reqwest::{Method, RequestBuilder};
use serde_json::{Map, Value, json};

use crate::support::{Player, Service, json, problem};

/// Operations whose paths name other players or public things on purpose, with what they answer then.
const MEANT_FOR_OTHERS: [(&str, u16); 3] = [
    // Profiles are public.
    ("getPlayer", 200),
    // One's own list, about others.
    ("blockPlayer", 204),
    ("unblockPlayer", 204),
];

/// An operation as the document tells it.
struct Operation<'a> {
    path: &'a str,
    method: Method,
    told: &'a Map<String, Value>,
}

impl Operation<'_> {
    fn id(&self) -> &str {
        self.told["operationId"].as_str().unwrap()
    }

    /// Whether it is for nobody without a token.
    fn is_secured(&self) -> bool {
        let ways = self.told.get("security").and_then(Value::as_array);
        // A way that asks for nothing makes the token optional.
        ways.is_none_or(|ways| !ways.is_empty() && ways.iter().all(|way| way.get("bearer").is_some()))
    }

    fn parameters(&self) -> impl Iterator<Item = &Value> {
        self.told
            .get("parameters")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    }

    /// The request, with its example as the body and `ids` in its path.
    fn request(&self, service: &Service, ids: &Value) -> RequestBuilder {
        let mut path = self.path.to_owned();
        for parameter in self.parameters().filter(|parameter| parameter["in"] == "path") {
            let name = parameter["name"].as_str().unwrap();
            let id = ids[name]
                .as_str()
                .unwrap_or("018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10");
            path = path.replace(&format!("{{{name}}}"), id);
        }
        let mut request = service.request(self.method.clone(), &path);
        if self
            .parameters()
            .any(|parameter| parameter["name"] == "Idempotency-Key")
        {
            request = request.header("idempotency-key", "0123456789abcdef");
        }
        if let Some(body) = self.told.get("requestBody") {
            let content = &body["content"]["application/json"];
            let example = content.get("example").cloned().or_else(|| {
                let (_, first) = content["examples"].as_object()?.iter().next()?;
                Some(first["value"].clone())
            });
            request = request.json(&example.unwrap());
        }
        request
    }
}

/// Every operation of `document`.
fn operations(document: &Value) -> Vec<Operation<'_>> {
    let paths = document["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, item)| {
        item.as_object()
            .unwrap()
            .iter()
            .map(move |(method, told)| Operation {
                path,
                method: method.to_uppercase().parse().unwrap(),
                told: told.as_object().unwrap(),
            })
    });
    all.collect()
}

/// What in the service is Ann's, by the names of path parameters: once with a match that waits for those who are
/// invited, once with one that runs.
async fn things_of(service: &Service, ann: &Player) -> [Value; 2] {
    let sessions = json(service.call(ann, Method::GET, "/v1/auth/sessions").await, 200).await;
    let mut things = Vec::new();
    for (bots, key) in [
        (json!([]), "waiting-waiting-"),
        (json!([{"level": "easy"}]), "running-running-"),
    ] {
        let setup = json!({
            "game": {"type": "pairs"}, "deck_id": "demo", "seats": 2, "visibility": "invite", "bots": bots,
        });
        let created = service.create_match(ann, key, &setup).await;
        things.push(json!({
            "player_id": ann.id,
            "session_id": sessions["items"][0]["session_id"],
            "match_id": created["match_id"],
            // A version there is, so that nothing but the match itself is missing.
            "version": "1",
        }));
    }
    things.try_into().unwrap()
}

#[tokio::test]
async fn nobody_without_a_token_gets_what_needs_one() {
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let ann = service.guest("Ann").await;
    let [ids, _] = things_of(&service, &ann).await;
    let document = openapi::document();
    let secured: Vec<_> = operations(&document)
        .into_iter()
        .filter(Operation::is_secured)
        .collect();
    assert!(secured.len() >= 13, "{} operations need a token", secured.len());
    for operation in secured {
        let answer = operation.request(&service, &ids).send().await.unwrap();
        problem(answer, Code::Unauthenticated).await;
        for token in ["nonsense", &ann.refresh, &format!("{}x", ann.access)] {
            let answer = operation
                .request(&service, &ids)
                .bearer_auth(token)
                .send()
                .await
                .unwrap();
            problem(answer, Code::TokenInvalid).await;
        }
    }
    assert_eq!(service.call(&ann, Method::GET, "/v1/me").await.status(), 200);
    service.stop().await;
}

#[tokio::test]
async fn what_belongs_to_one_player_is_hidden_from_another() {
    let service = Service::start(&[("RATE_LIMITS", "off")]).await;
    let ann = service.guest("Ann").await;
    let bob = service.guest("Bob").await;
    let [waiting, running] = things_of(&service, &ann).await;
    let before = json(service.call(&ann, Method::GET, "/v1/me/export").await, 200).await;
    let document = openapi::document();
    let mut walked = 0;
    for operation in operations(&document) {
        let names_something = operation.parameters().any(|parameter| parameter["in"] == "path");
        if !operation.is_secured() || !names_something {
            continue;
        }
        walked += 1;
        for ids in [&waiting, &running] {
            let request = operation.request(&service, ids).bearer_auth(&bob.access);
            let answer = request.send().await.unwrap();
            let status = answer.status().as_u16();
            let text = answer.text().await.unwrap();
            match MEANT_FOR_OTHERS.iter().find(|(id, _)| *id == operation.id()) {
                Some((id, expected)) => assert_eq!(status, *expected, "{id}: {text}"),
                None => assert!(
                    matches!(status, 403 | 404),
                    "{} answers {status}: {text}",
                    operation.id()
                ),
            }
        }
    }
    assert!(walked >= 15, "{walked} operations walked");
    let after = json(service.call(&ann, Method::GET, "/v1/me/export").await, 200).await;
    assert_eq!(before, after, "somebody else changed what is Ann's");
    service.stop().await;
}
