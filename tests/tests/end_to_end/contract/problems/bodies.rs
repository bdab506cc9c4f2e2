//! Bodies that do not fit.

use super::scene::{Scene, refused_at};
use quartett_tests::contract::{Contract, Operation};
use quartett_tests::{Database, both};
use serde_json::{Value, json};

both!(
    a_body_that_does_not_fit_is_refused,
    values_out_of_bounds_are_refused,
);

/// No body is larger.
const BODY_LIMIT_BYTES: usize = 64 * 1024;

/// Every operation that takes a body.
fn with_body() -> impl Iterator<Item = &'static Operation> {
    let operations = Contract::published().operations().iter();
    operations.filter(|operation| operation.body_schema().is_some())
}

/// Sends `example` with each member made wrong in turn.
async fn misfits(scene: &Scene, operation: &Operation, example: &Value) -> usize {
    let schema = operation.body_schema().expect("it takes a body");
    let mut tried = 0;
    let mut try_it = async |name: &str, value: Option<Value>| {
        let mut body = example.clone();
        let members = body.as_object_mut().expect("a body is an object");
        match value {
            Some(value) => members.insert(name.to_owned(), value),
            None => members.remove(name),
        };
        let answer = scene.send_json(operation, &body).await;
        // A member that is missing can only be told of where it is missed.
        let pointer = body.get(name).map_or_else(String::new, |_| format!("/{name}"));
        refused_at(answer, operation, &body, &pointer);
        tried += 1;
    };
    try_it("surprise", Some(json!(1))).await;
    for (name, member) in example.as_object().expect("an example is an object") {
        try_it(name, Some(Value::Null)).await;
        let wrong = match member {
            Value::Object(_) | Value::Array(_) => json!("text"),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => json!({"wrong": true}),
        };
        try_it(name, Some(wrong)).await;
        if schema["required"]
            .as_array()
            .is_some_and(|required| required.contains(&json!(name)))
        {
            try_it(name, None).await;
        }
    }
    tried
}

async fn a_body_that_does_not_fit_is_refused(database: Database) {
    let scene = Scene::new(&database).await;
    let before = scene.versions().await;
    let mut tried = 0;
    for operation in with_body() {
        let examples = operation.examples();
        assert!(!examples.is_empty(), "{} has an example", operation.id);
        let text = examples[0].to_string();
        scene
            .send(operation, "text/plain", text)
            .await
            .problem(415, "unsupported_media_type");
        let large = vec![b' '; BODY_LIMIT_BYTES + 1];
        scene
            .send(operation, "application/json", large)
            .await
            .problem(413, "body_too_large");
        let deep = "[".repeat(20_000);
        let malformed: [&[u8]; 5] = [b"{", b"{}{}", b"\xff\xfe", b"{\"a\":01}", deep.as_bytes()];
        for body in malformed {
            let answer = scene.send(operation, "application/json", body.to_vec()).await;
            refused_at(answer, operation, &json!("malformed"), "");
        }
        for body in [json!([]), json!("text"), json!(7), json!(null), json!([{}])] {
            refused_at(scene.send_json(operation, &body).await, operation, &body, "");
        }
        for example in &examples {
            tried += misfits(&scene, operation, example).await;
        }
    }
    assert!(tried > 60, "{tried} bodies");
    assert_eq!(scene.versions().await, before, "what was refused changed nothing");
    scene.service.stop().await;
}

/// Texts that are too long, words that are not among the known ones, numbers beyond the documented bounds.
async fn values_out_of_bounds_are_refused(database: Database) {
    let scene = Scene::new(&database).await;
    let before = scene.versions().await;
    let (mut tried, mut taken) = (0, Vec::new());
    for operation in with_body() {
        let schema = operation.body_schema().expect("it takes a body");
        let example = &operation.examples()[0];
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let property = Contract::resolve(property);
            let mut values = Vec::new();
            if let Some(most) = property["maxLength"].as_u64() {
                values.push(json!(
                    "x".repeat(usize::try_from(most).expect("a small bound") + 1)
                ));
            }
            if property["enum"].is_array() {
                values.push(json!("no-such-word"));
            }
            if property["type"] == "integer" {
                values.extend([json!(1.5), json!(-1), json!(1e300), json!("7")]);
                values.extend(property["maximum"].as_i64().map(|most| json!(most + 1)));
                values.extend(property["minimum"].as_i64().map(|least| json!(least - 1)));
            }
            for value in values {
                let mut body = example.clone();
                body[name] = value;
                let answer = scene.send_json(operation, &body).await;
                // The schema is checked first; what passes it may still be against the rules. Credentials that
                // nobody has are told apart from impossible ones by no answer.
                let is_refused =
                    matches!(answer.status, 400 | 422) || (operation.is_public && answer.status == 401);
                if !is_refused {
                    taken.push(format!("{} answered {} to {body}", operation.id, answer.status));
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried} values");
    assert!(taken.is_empty(), "{taken:#?}");
    assert_eq!(scene.versions().await, before);
    scene.service.stop().await;
}
