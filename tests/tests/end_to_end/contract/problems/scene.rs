//! Everything that operations can be about, so that only what is tested is wrong with a request.

use quartett_tests::contract::Operation;
use quartett_tests::setups::{open_match, small_match, with};
use quartett_tests::{Answer, Database, Player, Service, Table, fresh_key};
use serde_json::{Value, json};

/// A caller and everything that operations can be about.
pub(crate) struct Scene {
    pub(crate) service: Service,
    pub(crate) caller: Player,
    /// A match the caller waits in as its host.
    pub(crate) waiting: String,
    /// A match that somebody else waits in.
    open: String,
    /// A match the caller plays in.
    pub(crate) running: String,
    /// A match by invite of the caller's, and of somebody else's the code.
    own_invite: String,
    code: String,
}

impl Scene {
    pub(crate) async fn new(database: &Database) -> Self {
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
    pub(crate) fn path(&self, operation: &Operation) -> String {
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
    pub(crate) async fn send(
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

    pub(crate) async fn send_json(&self, operation: &Operation, body: &Value) -> Answer {
        self.send(operation, "application/json", body.to_string()).await
    }

    /// The versions of all matches: nothing may have changed them.
    pub(crate) async fn versions(&self) -> Vec<i64> {
        let mut versions = Vec::new();
        for match_id in [&self.waiting, &self.open, &self.running, &self.own_invite] {
            versions.push(self.caller.view(match_id).await.expect(200).number("/version"));
        }
        versions
    }
}

/// Asserts that the body is refused and that the answer points to `pointer` or below.
#[track_caller]
pub(crate) fn refused_at(answer: Answer, operation: &Operation, sent: &Value, pointer: &str) {
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
