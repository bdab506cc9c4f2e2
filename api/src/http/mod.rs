//! What every operation stands on: reading requests, answering, errors, limits, and the published document.
//!
//! # How to add an operation
//!
//! 1. Write `<slice>/<verb_and_noun>.rs` with the request, the response, the handler and its
//!    `#[utoipa::path]`, which stands *above* `#[post("/…")]`. `accounts/register.rs` is a good example.
//!    The first line of the doc comment becomes the summary (at most 60 characters, no full stop), the
//!    paragraph after it the description. Give `operation_id`, one `tag`, an example of the body, and the
//!    responses: the successful ones by hand, the problems special to the operation with
//!    `problems!`.
//! 2. Register it in the slice's `mod.rs` with `cfg.service(..)`; `.route(..)` would not be documented.
//! 3. Run `cargo run -- openapi` and review what changed under `openapi/`.
//! 4. Call it from an end-to-end test.
//!
//! A handler takes what it needs in this order and judges in this order: [`Caller`](crate::accounts::Caller)
//! (401), the path's ids and what the caller may see (404), [`RawBody::parse`] or [`RawQuery::parse`] (400),
//! [`IdempotencyKey::require`] (400), then the state (409) and the rules (422). It returns
//! `Result<HttpResponse, Problem>`; every error becomes `application/problem+json` at the edge.
//!
//! What the one pass over the document does by itself, so that nobody writes it: `Option`s are not nullable,
//! unsigned numbers get a portable format and bounds, ids and moments are written where they are used,
//! and the problems every operation may answer with are added (`problem_responses`).

mod accept;
mod body;
mod client_address;
mod code;
mod cors;
mod cursor;
mod edge;
mod etag;
mod idempotency;
mod methods;
pub mod openapi;
mod pages;
mod problem;
mod problem_responses;
mod query;
mod rate_limit;
mod routes;
mod strict;
mod text;
mod timestamp;

pub use code::Code;
pub use problem::Problem;
pub use timestamp::Timestamp;

pub(crate) use body::RawBody;
pub(crate) use cursor::{cursor, position};
pub(crate) use edge::edge;
pub(crate) use etag::{Etag, IMMUTABLE, NO_STORE, tagged};
pub(crate) use idempotency::{IdempotencyKey, IdempotencyKeyHeader, RequiredIdempotencyKeyHeader};
pub(crate) use pages::{Published, pages};
pub(crate) use problem_responses::{problem_responses, problems};
pub(crate) use query::{Limit, Page, RawQuery, Wait};
pub(crate) use rate_limit::{Counted, RateLimits};
pub(crate) use routes::{path_config, routes, unrouted};
pub(crate) use text::Text;

use actix_web::http::header;
use actix_web::{HttpResponse, HttpResponseBuilder};

/// An answer that tells whether it was given before.
pub(crate) fn replayed(mut answer: HttpResponseBuilder, is_replay: bool) -> HttpResponseBuilder {
    if is_replay {
        answer.insert_header(("Idempotency-Replayed", "true"));
    }
    answer
}

/// 201 again: the same thing was made before.
pub(crate) fn replayed_created(location: &str, body: &impl serde::Serialize) -> HttpResponse {
    replayed(HttpResponse::Created(), true)
        .insert_header((header::LOCATION, location))
        .json(body)
}

/// 201 with where the new thing is found.
pub(crate) fn created(location: &str, body: &impl serde::Serialize) -> HttpResponse {
    HttpResponse::Created()
        .insert_header((header::LOCATION, location))
        .json(body)
}
