//! Who calls: a client value per kind of caller.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Method;
use serde_json::Value;

use crate::contract::Contract;
use crate::service::Exercised;
use crate::{Answer, EventStream};

/// A caller, signed in or not. Every answer it gets is checked against the contract.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
    exercised: Exercised,
}

impl Client {
    /// Somebody who is not signed in, calling the service at `url`.
    pub(crate) fn new(url: &str, exercised: Exercised) -> Self {
        Self {
            http: reqwest::Client::new(),
            url: url.to_owned(),
            token: None,
            exercised,
        }
    }

    /// Somebody who is not signed in, calling a service that runs elsewhere.
    #[must_use]
    pub fn of(url: &str) -> Self {
        Self::new(url, Exercised::default())
    }

    /// The same caller with this access token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..self.clone()
        }
    }

    /// The player whom a `TokenPair` signs in.
    #[must_use]
    pub fn signed_in(&self, pair: &Value) -> Player {
        let text = |value: &Value| value.as_str().expect("a text in the token pair").to_owned();
        Player {
            client: self.with_token(&text(&pair["access_token"])),
            id: text(&pair["player"]["player_id"]),
            refresh_token: text(&pair["refresh_token"]),
        }
    }

    /// A request to be completed and sent.
    #[must_use]
    pub fn request(&self, method: Method, path: &str) -> Request {
        let url = format!("{}{path}", self.url);
        let mut builder = self.http.request(method.clone(), url);
        if let Some(token) = &self.token {
            builder = builder.bearer_auth(token);
        }
        Request {
            builder,
            method,
            path: path.to_owned(),
            exercised: self.exercised.clone(),
        }
    }

    /// `GET`
    pub async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path).send().await
    }

    /// `POST` with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.request(Method::POST, path).json(body).send().await
    }

    /// `DELETE`
    pub async fn delete(&self, path: &str) -> Answer {
        self.request(Method::DELETE, path).send().await
    }
}

/// A player who is signed in: a client that says who it is.
#[derive(Clone)]
pub struct Player {
    client: Client,
    /// The player's id.
    pub id: String,
    /// Gives the next tokens.
    pub refresh_token: String,
}

impl Player {
    /// The access token.
    #[must_use]
    pub fn token(&self) -> &str {
        self.client.token.as_deref().expect("a player is signed in")
    }

    /// The same player, calling the service at `url`.
    #[must_use]
    pub fn moved_to(&self, url: &str) -> Self {
        let client = Client {
            url: url.to_owned(),
            ..self.client.clone()
        };
        Self {
            client,
            ..self.clone()
        }
    }
}

impl std::ops::Deref for Player {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

/// A request on its way.
pub struct Request {
    builder: reqwest::RequestBuilder,
    method: Method,
    path: String,
    exercised: Exercised,
}

impl Request {
    /// With a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.builder = self.builder.header(name, value);
        self
    }

    /// With an `Idempotency-Key`.
    #[must_use]
    pub fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    /// With a JSON body.
    #[must_use]
    pub fn json(mut self, body: &Value) -> Self {
        self.builder = self.builder.json(body);
        self
    }

    /// With any body of any type.
    #[must_use]
    pub fn body(mut self, content_type: &str, body: impl Into<reqwest::Body>) -> Self {
        self.builder = self.builder.body(body);
        self.header("content-type", content_type)
    }

    /// Sends it to a service that answers.
    pub async fn send(self) -> Answer {
        let what = format!("{} {}", self.method, self.path);
        match self.try_send().await {
            Ok(answer) => answer,
            Err(error) => panic!("{what}: no answer: {error:?}"),
        }
    }

    /// Sends it to a service that may be killed meanwhile.
    ///
    /// # Errors
    ///
    /// When there is no whole answer.
    pub async fn try_send(self) -> Result<Answer, reqwest::Error> {
        let response = self.builder.send().await?;
        let answer = Answer::read(&self.method, &self.path, response).await?;
        if let Some(operation) = answer.successful_operation() {
            note(&self.exercised, operation);
        }
        Ok(answer)
    }

    /// Sends it and tells whether it was accepted, without reading the answer.
    pub async fn is_accepted(self) -> bool {
        let what = format!("{} {}", self.method, self.path);
        let response = self.builder.send().await;
        let response = response.unwrap_or_else(|error| panic!("{what}: no answer: {error:?}"));
        response.status().is_success()
    }

    /// Sends it and reads the answer as events, one by one.
    pub async fn open(self) -> EventStream {
        let what = format!("{} {}", self.method, self.path);
        let response = self.builder.send().await;
        let response = response.unwrap_or_else(|error| panic!("{what}: no answer: {error:?}"));
        let stream = EventStream::new(response, &what);
        let operation = Contract::published().operation(&self.method, &self.path);
        note(&self.exercised, &operation.expect("a documented operation").id);
        stream
    }
}

fn note(exercised: &Exercised, operation: &str) {
    exercised
        .lock()
        .expect("nobody panics while noting an operation")
        .insert(operation.to_owned());
}

/// An `Idempotency-Key` that was not used before.
#[must_use]
pub fn fresh_key() -> String {
    static KEYS: AtomicU64 = AtomicU64::new(0);
    let number = KEYS.fetch_add(1, Ordering::Relaxed);
    format!("test-{}-{number:012}", std::process::id())
}
