//! Web frontends on other origins: those the configuration names, and no others.

use actix_web::HttpResponse;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderValue};

/// What a frontend may send.
const ALLOWED_HEADERS: &str = "authorization, content-type, idempotency-key, if-none-match, last-event-id";

/// What a frontend may read besides the body.
const EXPOSED_HEADERS: &str = "date, deprecation, etag, idempotency-replayed, location, ratelimit, ratelimit-policy, retry-after, sunset, www-authenticate, x-request-id";

/// The request's origin, if it is one of `allowed`.
pub(super) fn allowed_origin(request: &ServiceRequest, allowed: &[String]) -> Option<HeaderValue> {
    let origin = request.headers().get(header::ORIGIN)?;
    let text = origin.to_str().ok()?;
    allowed
        .iter()
        .any(|known| known.eq_ignore_ascii_case(text))
        .then(|| origin.clone())
}

/// Whether a browser asks beforehand if it may send a request.
pub(super) fn is_preflight(request: &ServiceRequest) -> bool {
    request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a browser that asks beforehand.
pub(super) fn preflight() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((
            header::ACCESS_CONTROL_ALLOW_METHODS,
            "GET, POST, PUT, PATCH, DELETE",
        ))
        .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, "600"))
        .finish()
}

/// Lets `origin`, if there is one, read the answer. A cache must not give it to another.
pub(super) fn open_to(origin: Option<HeaderValue>, headers: &mut HeaderMap) {
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(EXPOSED_HEADERS),
        );
    }
    headers.append(header::VARY, HeaderValue::from_static("origin"));
}
