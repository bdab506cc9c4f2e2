//! What came back, and what must be true of every answer.

use quartett_api::Code;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::contract::{Contract, Operation};

/// An answer of the service that keeps the contract's general rules.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub text: String,
    /// The body; `null` if there is none or it is no JSON.
    pub body: Value,
    what: String,
    operation: Option<&'static Operation>,
}

impl Answer {
    /// Takes a response in and checks what is true of every answer.
    pub(crate) async fn read(
        method: &Method,
        path: &str,
        response: reqwest::Response,
    ) -> Result<Self, reqwest::Error> {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response.text().await?;
        let answer = Self {
            status,
            body: serde_json::from_str(&text).unwrap_or_default(),
            what: format!("{method} {path}"),
            operation: Contract::published().operation(method, path),
            headers,
            text,
        };
        let faults = answer.faults();
        assert!(
            faults.is_empty(),
            "{} answered {} against the contract:\n  {}\n{}",
            answer.what,
            answer.status,
            faults.join("\n  "),
            answer.text
        );
        Ok(answer)
    }

    /// The id of the documented operation that succeeded with this answer, if one did.
    pub(crate) fn successful_operation(&self) -> Option<&str> {
        let operation = self.operation.filter(|_| self.status < 300)?;
        Some(&operation.id)
    }

    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Asserts the status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}: {}", self.what, self.text);
        self
    }

    /// Asserts that it is a problem with this status and code.
    #[track_caller]
    pub fn problem(self, status: u16, code: &str) -> Self {
        let answer = self.expect(status);
        assert_eq!(answer.body["code"], code, "{}: {}", answer.what, answer.text);
        answer
    }

    /// Whether the service says that it had carried out this request before.
    #[must_use]
    pub fn is_replayed(&self) -> bool {
        self.header("idempotency-replayed") == Some("true")
    }

    /// A text of the body, by a JSON pointer.
    #[track_caller]
    #[must_use]
    pub fn text_at(&self, pointer: &str) -> String {
        let text = self.body.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_else(|| panic!("{}: no text at {pointer}: {}", self.what, self.text))
            .to_owned()
    }

    /// A number of the body, by a JSON pointer.
    #[track_caller]
    #[must_use]
    pub fn number(&self, pointer: &str) -> i64 {
        let number = self.body.pointer(pointer).and_then(Value::as_i64);
        number.unwrap_or_else(|| panic!("{}: no number at {pointer}: {}", self.what, self.text))
    }

    /// An array of the body, by a JSON pointer.
    #[track_caller]
    #[must_use]
    pub fn array(&self, pointer: &str) -> &[Value] {
        let array = self.body.pointer(pointer).and_then(Value::as_array);
        array.unwrap_or_else(|| panic!("{}: no array at {pointer}: {}", self.what, self.text))
    }

    /// What the contract says of every answer and does not hold for this one.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut check = |holds: bool, rule: &str| {
            if !holds {
                faults.push(rule.to_owned());
            }
        };
        let content_type = self.header("content-type");
        check(
            self.header("x-request-id").is_some_and(|id| id.len() == 36),
            "every answer has an x-request-id",
        );
        check(self.header("date").is_some(), "every answer has a Date");
        match self.status {
            204 | 304 => check(self.text.is_empty(), "no body"),
            400.. => {
                check(
                    content_type == Some("application/problem+json"),
                    "every error is application/problem+json",
                );
                self.check_problem(&mut check);
            }
            _ if self.operation.is_some() => {
                check(content_type == Some("application/json"), "application/json");
                check(!self.body.is_null(), "the body is JSON");
            }
            _ => {}
        }
        if self.status == 201 {
            check(
                self.header("location")
                    .is_some_and(|place| place.starts_with('/')),
                "201 has a Location",
            );
        }
        if !self.body.is_null() {
            check(null_in(&self.body).is_none(), "null is never sent");
        }
        if let Some(operation) = self.operation {
            faults.extend(operation.faults(self.status, &self.body));
        }
        faults
    }

    fn check_problem(&self, check: &mut impl FnMut(bool, &str)) {
        let text = |name: &str| self.body[name].as_str().unwrap_or_default();
        let code = Code::named(text("code"));
        check(
            code.is_some_and(|code| code.status().as_u16() == self.status),
            "the code belongs to the status",
        );
        check(self.body["status"] == self.status, "status says the HTTP status");
        check(
            text("type") == format!("/problems/{}", text("code")),
            "type points to the code's page",
        );
        check(!text("title").is_empty(), "has a title");
        check(!text("detail").is_empty(), "has a detail");
        check(
            Some(text("request_id")) == self.header("x-request-id"),
            "request_id is that of the header",
        );
        match self.status {
            401 => check(
                self.header("www-authenticate")
                    .is_some_and(|value| value.starts_with("Bearer")),
                "401 has WWW-Authenticate",
            ),
            405 => check(self.header("allow").is_some(), "405 has Allow"),
            429 | 503 => {
                let seconds = self.body["retry_after_seconds"].as_i64().map(|n| n.to_string());
                check(
                    seconds.is_some() && self.header("retry-after") == seconds.as_deref(),
                    "says in how many seconds to come back, twice",
                );
            }
            409 if matches!(text("code"), "version_conflict" | "version_ahead") => check(
                self.body["current_version"].is_i64(),
                "a conflict of versions names the current one",
            ),
            _ => {}
        }
    }
}

/// A `null` somewhere inside.
fn null_in(value: &Value) -> Option<()> {
    match value {
        Value::Null => Some(()),
        Value::Array(items) => items.iter().find_map(null_in),
        Value::Object(members) => members.values().find_map(null_in),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// The version that a view tells.
#[track_caller]
#[must_use]
pub fn version_of(view: &Value) -> i64 {
    view["version"].as_i64().expect("a version")
}

/// A time of an answer in milliseconds since 1970; panics if there is none.
#[track_caller]
#[must_use]
pub fn millis(value: &Value) -> i64 {
    let text = value.as_str().unwrap_or_else(|| panic!("no time: {value}"));
    let time = OffsetDateTime::parse(text, &Rfc3339).unwrap_or_else(|error| panic!("{text}: {error}"));
    i64::try_from(time.unix_timestamp_nanos() / 1_000_000).expect("a time of this age")
}
