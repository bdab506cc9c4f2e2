//! Strong entity tags and the answers that use them.

use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use sha2::{Digest, Sha256};

/// Changes whenever the shape of an answer changes, so that no client keeps an old shape alive with a tag.
const SCHEMA_REVISION: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");

/// A strong tag over everything an answer depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Etag(String);

impl Etag {
    /// Give every input of the answer: the version, who asks, revisions of the profiles shown.
    pub(crate) fn over<'a>(inputs: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        hash.update(SCHEMA_REVISION);
        for input in inputs {
            // With its length before it, so that no two lists of inputs run together to the same bytes.
            hash.update(u64::try_from(input.len()).unwrap_or(u64::MAX).to_be_bytes());
            hash.update(input);
        }
        Self(format!("\"{}\"", hex::encode(&hash.finalize()[..16])))
    }

    /// Whether the client already has this answer (`If-None-Match`).
    pub(crate) fn is_known_to(&self, request: &HttpRequest) -> bool {
        self.matches(request.headers())
    }

    fn matches(&self, headers: &HeaderMap) -> bool {
        headers
            .get_all(header::IF_NONE_MATCH)
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == "*" || tag == self.0)
    }

    /// 304: the client keeps what it has.
    pub(crate) fn not_modified(&self) -> HttpResponse {
        HttpResponse::NotModified()
            .insert_header((header::ETAG, self.0.as_str()))
            .insert_header(REVALIDATE)
            .finish()
    }
}

/// For what changes: kept by the client alone, and asked for each time.
pub(crate) const REVALIDATE: (header::HeaderName, HeaderValue) = (
    header::CACHE_CONTROL,
    HeaderValue::from_static("private, no-cache"),
);

/// For what never changes.
pub(crate) const IMMUTABLE: (header::HeaderName, HeaderValue) = (
    header::CACHE_CONTROL,
    HeaderValue::from_static("public, max-age=31536000, immutable"),
);

/// For what must not be kept.
pub(crate) const NO_STORE: (header::HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

impl From<&Etag> for HeaderValue {
    fn from(etag: &Etag) -> Self {
        HeaderValue::from_str(&etag.0).expect("hex digits in quotes are a header value")
    }
}

/// 200 with `body` and its tag, or 304 if the client already has it.
pub(crate) fn tagged(request: &HttpRequest, etag: &Etag, body: &impl serde::Serialize) -> HttpResponse {
    if etag.is_known_to(request) {
        return etag.not_modified();
    }
    HttpResponse::Ok()
        .insert_header((header::ETAG, HeaderValue::from(etag)))
        .insert_header(REVALIDATE)
        .json(body)
}

#[cfg(test)]
mod tests {
    use super::Etag;
    use actix_web::test::TestRequest;

    #[test]
    fn a_known_tag_is_found_in_every_form_clients_send() {
        let etag = Etag::over([b"7".as_slice(), b"seat 1"]);
        for (sent, known) in [
            (etag.0.clone(), true),
            (format!("\"other\", W/{}", etag.0), true),
            ("*".to_owned(), true),
            ("\"other\"".to_owned(), false),
        ] {
            let request = TestRequest::get()
                .insert_header(("If-None-Match", sent.as_str()))
                .to_http_request();
            assert_eq!(etag.is_known_to(&request), known, "{sent}");
        }
    }

    #[test]
    fn inputs_do_not_run_together() {
        assert_ne!(
            Etag::over([b"ab".as_slice(), b"c"]),
            Etag::over([b"a".as_slice(), b"bc"])
        );
    }
}
