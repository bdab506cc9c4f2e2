//! The one shape of every error: RFC 9457, with a stable code.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use sea_orm::DbErr;
use serde::Serialize;
use utoipa::ToSchema;

use super::code::Code;
use crate::db::Failure;

/// The media type of every error.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// How long to wait before another try when nothing better is known.
const RETRY_AFTER_SECONDS: u32 = 2;

/// Why a request is not carried out: the error type of every handler.
///
/// What it says is sent to the client; its [`cause`](Problem::cause) is only logged.
#[derive(Debug)]
pub struct Problem(Box<Inner>);

#[derive(Debug)]
struct Inner {
    code: Code,
    detail: Option<String>,
    errors: Vec<FieldProblem>,
    current_version: Option<i64>,
    retry_after_seconds: Option<u32>,
    allow: Option<String>,
    cause: Option<String>,
    request_id: Option<String>,
}

impl Problem {
    /// A problem that says no more than its code.
    #[must_use]
    pub fn new(code: Code) -> Self {
        let retry_after_seconds = matches!(
            code.status(),
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        )
        .then_some(RETRY_AFTER_SECONDS);
        Self(Box::new(Inner {
            code,
            detail: None,
            errors: Vec::new(),
            current_version: None,
            retry_after_seconds,
            allow: None,
            cause: None,
            request_id: None,
        }))
    }

    /// Absent, or hidden from the caller: the two must look the same.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(Code::NotFound)
    }

    /// A fault of the service. `cause` goes to the log under the request id, never to the client.
    #[must_use]
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self::new(Code::Internal).cause(cause)
    }

    /// Says what is wrong in this case.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// Points to a part of the request that does not fit.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>, code: &'static str, detail: impl Into<String>) -> Self {
        self.0.errors.push(FieldProblem {
            pointer: pointer.into(),
            code,
            detail: detail.into(),
        });
        self
    }

    /// Tells the version the match is at.
    #[must_use]
    pub fn current_version(mut self, version: i64) -> Self {
        self.0.current_version = Some(version);
        self
    }

    /// Tells when another try may succeed.
    #[must_use]
    pub fn retry_after_seconds(mut self, seconds: u32) -> Self {
        self.0.retry_after_seconds = Some(seconds);
        self
    }

    /// Lists the methods a path has.
    #[must_use]
    pub fn allow(mut self, methods: impl Into<String>) -> Self {
        self.0.allow = Some(methods.into());
        self
    }

    /// Keeps what happened for the log.
    #[must_use]
    pub fn cause(mut self, cause: impl fmt::Display) -> Self {
        self.0.cause = Some(cause.to_string());
        self
    }

    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// What happened inside; for the log alone.
    pub(crate) fn logged_cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// Lets the error answer by itself, where nothing further out will.
    pub(super) fn of_request(mut self, request_id: &str) -> Self {
        self.0.request_id = Some(request_id.to_owned());
        self
    }

    /// The answer to the request called `request_id`.
    pub(crate) fn answer(&self, request_id: &str) -> HttpResponse {
        let Inner {
            code,
            detail,
            errors,
            current_version,
            retry_after_seconds,
            allow,
            cause: _,
            request_id: _,
        } = &*self.0;
        let mut answer = HttpResponse::build(code.status());
        answer.insert_header((header::CONTENT_TYPE, PROBLEM_JSON));
        answer.insert_header((header::CACHE_CONTROL, "no-store"));
        if let Some(seconds) = retry_after_seconds {
            answer.insert_header((header::RETRY_AFTER, *seconds));
        }
        if let Some(methods) = allow {
            answer.insert_header((header::ALLOW, methods.as_str()));
        }
        if code.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            answer.insert_header((header::ACCEPT, "application/json"));
            answer.insert_header((header::ACCEPT_ENCODING, "identity"));
        }
        if code.status() == StatusCode::UNAUTHORIZED {
            answer.insert_header((header::WWW_AUTHENTICATE, challenge(*code)));
        }
        answer.json(ProblemBody {
            r#type: format!("/problems/{}", code.name()),
            title: code.title(),
            status: code.status().as_u16(),
            detail: detail.as_deref().unwrap_or(code.explanation()),
            code: code.name(),
            request_id,
            errors,
            current_version: *current_version,
            retry_after_seconds: *retry_after_seconds,
        })
    }
}

/// What RFC 6750 wants in `WWW-Authenticate`: no error when no token came.
fn challenge(code: Code) -> HeaderValue {
    if matches!(
        code,
        Code::TokenInvalid | Code::TokenExpired | Code::SessionRevoked
    ) {
        HeaderValue::from_static(r#"Bearer realm="quartett", error="invalid_token""#)
    } else {
        HeaderValue::from_static(r#"Bearer realm="quartett""#)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.code.name())?;
        self.0
            .detail
            .as_ref()
            .map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.0.code.status()
    }

    /// Mostly the bare status: the edge knows the request id and writes the body.
    fn error_response(&self) -> HttpResponse {
        match &self.0.request_id {
            Some(request_id) => self.answer(request_id),
            None => HttpResponse::new(self.status_code()),
        }
    }
}

impl From<Code> for Problem {
    fn from(code: Code) -> Self {
        Self::new(code)
    }
}

impl From<DbErr> for Problem {
    fn from(error: DbErr) -> Self {
        // Whoever writes what a client's key makes unique says `OutcomeUnknown` itself; what was only read, or
        // can simply be asked for again, is just not available.
        let code = match Failure::of(&error) {
            Failure::RolledBack | Failure::Unavailable | Failure::Unknown => Code::Unavailable,
            Failure::Deterministic => Code::Internal,
        };
        Self::new(code).cause(error)
    }
}

/// Why a request was not carried out, in the form of RFC 9457.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody<'a> {
    /// Where the code is explained, relative to the service.
    #[schema(format = "uri-reference", examples("/problems/version_conflict"))]
    r#type: String,
    /// A few words for people, the same for every problem with this code.
    #[schema(examples("The match has moved on"))]
    title: &'a str,
    /// The HTTP status again.
    #[schema(minimum = 400, maximum = 599, examples(409))]
    status: u16,
    /// What is wrong in this case, for people.
    #[schema(examples("The match is at version 12."))]
    detail: &'a str,
    /// The stable name of the reason. Branch on this; new ones may be added.
    #[schema(examples("version_conflict"))]
    code: &'a str,
    /// Names this request in the service's log.
    #[schema(examples("018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10"))]
    request_id: &'a str,
    /// The parts of the request that do not fit, if that is the reason.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false, max_items = 32)]
    errors: &'a [FieldProblem],
    /// The version the match is at, if that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    current_version: Option<i64>,
    /// How many seconds to wait before another try.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 86400)]
    retry_after_seconds: Option<u32>,
}

/// A part of the request that does not fit.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FieldProblem {
    /// A JSON pointer into the body; for a query, a slash and the name of the parameter.
    #[schema(examples("/display_name"))]
    pub(crate) pointer: String,
    /// The kind of misfit: `malformed_json`, `null_not_allowed`, `unknown_member`, `missing_member`,
    /// `wrong_type` or `invalid_value`.
    #[schema(examples("invalid_value"))]
    pub(crate) code: &'static str,
    /// What is wrong, for people.
    #[schema(examples("expected 2 to 30 characters"))]
    pub(crate) detail: String,
}
