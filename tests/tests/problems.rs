//! Requests that do not fit are refused as the document says, whatever the operation: what is sent is made
//! from the document itself.

use std::collections::BTreeSet;

use quartett_tests::contract::{Contract, Operation};
use quartett_tests::setups::{open_match, small_match, with};
use quartett_tests::{Answer, Database, Player, Service, Table, both, fresh_key};
use reqwest::Method;
use serde_json::{Value, json};

both!(
    a_body_that_does_not_fit_is_refused,
    values_out_of_bounds_are_refused,
    without_a_token_nothing_is_done,
    other_methods_are_refused,
    other_paths_are_refused,
    what_a_match_does_not_know_is_told,
);

/// No body is larger.
const BODY_LIMIT_BYTES: usize = 64 * 1024;

/// A caller and everything that operations can be about.
struct Scene {
    service: Service,
    caller: Player,
    /// A match the caller waits in as its host.
    waiting: String,
    /// A match that somebody else waits in.
    open: String,
    /// A match the caller plays in.
    running: String,
    /// A match by invite of the caller's, and of somebody else's the code.
    own_invite: String,
    code: String,
}

impl Scene {
    async fn new(database: &Database) -> Self {
        let service = Service::start(database).await;
        let (caller, other) = (service.player("Ann").await, service.player("Bob").await);
        let three = open_match("supertrump", "demo", 3);
        let invite = with(three.clone(), &json!({"visibility": "invite"}));
        let create = async |host: &Player, setup: &Value| host.create_match(setup).await.expect(201);
        let waiting = create(&caller, &three).await.text_at("/match_id");
        let open = create(&other, &three).await.text_at("/match_id");
        let own_invite = create(&caller, &invite).await.text_at("/match_id");
        let code = create(&other, &invite).await.text_at("/invite_code");
        let players = vec![caller.clone(), other];
        let running = Table::of(players, &small_match(), &[]).await.match_id;
        Self {
            service,
            caller,
            waiting,
            open,
            running,
            own_invite,
            code,
        }
    }

    /// The path of an operation about something that the caller may know.
    fn path(&self, operation: &Operation) -> String {
        operation.path_with(|name| match (name, operation.id.as_str()) {
            ("match_id", "submitAction" | "listHistory" | "replayMatch") => self.running.clone(),
            ("match_id", "joinMatch") => self.open.clone(),
            ("match_id", "createInvite" | "revokeInvite") => self.own_invite.clone(),
            ("match_id", _) => self.waiting.clone(),
            ("code", _) => self.code.clone(),
            ("deck_id", _) => "demo".to_owned(),
            _ => "1".to_owned(),
        })
    }

    /// Sends a body to an operation.
    async fn send(
        &self,
        operation: &Operation,
        content_type: &str,
        body: impl Into<reqwest::Body>,
    ) -> Answer {
        // Without a token where none is needed: signing the caller out would spoil the rest.
        let caller = if operation.is_public {
            self.service.anonymous()
        } else {
            (*self.caller).clone()
        };
        let request = caller.request(operation.method.clone(), &self.path(operation));
        request.key(&fresh_key()).body(content_type, body).send().await
    }

    async fn send_json(&self, operation: &Operation, body: &Value) -> Answer {
        self.send(operation, "application/json", body.to_string()).await
    }

    /// The versions of all matches: nothing may have changed them.
    async fn versions(&self) -> Vec<i64> {
        let mut versions = Vec::new();
        for match_id in [&self.waiting, &self.open, &self.running, &self.own_invite] {
            versions.push(self.caller.view(match_id).await.expect(200).number("/version"));
        }
        versions
    }
}

/// Every operation that takes a body.
fn with_body() -> impl Iterator<Item = &'static Operation> {
    let operations = Contract::published().operations().iter();
    operations.filter(|operation| operation.body_schema().is_some())
}

/// Asserts that the body is refused and that the answer points to `pointer` or below.
#[track_caller]
fn refused_at(answer: Answer, operation: &Operation, sent: &Value, pointer: &str) {
    let answer = answer.problem(400, "invalid_body");
    let errors = answer.array("/errors");
    let points = errors.iter().any(|error| {
        error["pointer"]
            .as_str()
            .is_some_and(|found| found.starts_with(pointer))
    });
    assert!(
        points,
        "{} with {sent}: nothing points to {pointer}: {}",
        operation.id, answer.text
    );
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

async fn what_a_match_does_not_know_is_told(database: Database) {
    let scene = Scene::new(&database).await;
    let (caller, running) = (&scene.caller, &scene.running);
    let version = caller.view(running).await.expect(200).number("/version");
    for query in [
        "after=-1",
        "after=x",
        "limit=0",
        "limit=501",
        "limit=1.5",
        "before=1",
    ] {
        let path = format!("/v1/matches/{running}/history?{query}");
        let answer = caller.get(&path).await.problem(400, "invalid_query");
        assert!(!answer.array("/errors").is_empty(), "{query}");
    }
    let ahead = caller.history_page(running, version + 1, 10).await;
    ahead.problem(409, "version_ahead");
    let at_head = caller.history_page(running, version, 10).await.expect(200);
    assert!(at_head.array("/entries").is_empty());
    assert_eq!(at_head.body["has_more"], false);
    for version in ["0", "-1", "x"] {
        let path = format!("/v1/matches/{running}/replay/{version}");
        assert_eq!(caller.get(&path).await.status, 400, "{version}");
    }
    caller
        .replay(running, version + 1, None)
        .await
        .problem(409, "version_ahead");
    // An action before the start, an action of another game, members of the wrong kind.
    let choose = json!({"type": "choose_attribute", "choose_attribute": {"attribute": "moons"}});
    let waiting = caller.act(&scene.waiting, &choose, 1, &fresh_key()).await;
    waiting.problem(409, "match_not_started");
    let flip = json!({"type": "flip_card", "flip_card": {"place": 1}});
    let other_game = caller.act(running, &flip, version, &fresh_key()).await;
    other_game.problem(422, "action_not_in_this_game");
    for action in [
        json!({"type": "no_such_action"}),
        json!({"type": "flip_card"}),
        json!({"type": "flip_card", "choose_attribute": {"attribute": "moons"}}),
        json!({"type": "flip_card", "flip_card": {"place": 1}, "choose_attribute": {"attribute": "moons"}}),
        json!({"type": "flip_card", "flip_card": {"place": 256}}),
        json!({"type": "flip_card", "flip_card": {"place": -1}}),
        json!({"type": "flip_card", "flip_card": {"place": "1"}}),
        json!({"flip_card": {"place": 1}}),
    ] {
        let answer = caller.act(running, &action, version, &fresh_key()).await;
        refused_at(
            answer,
            Contract::published().named("submitAction"),
            &action,
            "/action",
        );
    }
    let stray = json!({"type": "flip_card", "flip_card": {"place": 1, "colour": "red"}, "shape": "round"});
    let stray = caller.act(running, &stray, version, &fresh_key()).await;
    stray.problem(422, "action_not_in_this_game");
    scene.service.stop().await;
}
