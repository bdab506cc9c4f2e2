//! The key that makes a repeated request count once.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, Required};

use super::code::Code;
use super::problem::Problem;

/// What the header `Idempotency-Key` says. Reading it cannot fail, so that authorisation is judged first:
/// a handler asks with [`require`](IdempotencyKey::require) when it is the key's turn.
#[derive(Debug)]
pub(crate) struct IdempotencyKey(Option<Vec<u8>>);

impl IdempotencyKey {
    /// The key, for operations that need one.
    pub(crate) fn require(&self) -> Result<&str, Problem> {
        self.optional()?.ok_or_else(|| Code::IdempotencyKeyMissing.into())
    }

    /// The key if one was sent, for operations that are idempotent by themselves.
    pub(crate) fn optional(&self) -> Result<Option<&str>, Problem> {
        let Some(bytes) = &self.0 else { return Ok(None) };
        let visible = bytes.iter().all(|byte| (0x21..=0x7e).contains(byte));
        match std::str::from_utf8(bytes) {
            Ok(key) if visible && (16..=128).contains(&bytes.len()) => Ok(Some(key)),
            Ok(_) | Err(_) => Err(Code::IdempotencyKeyInvalid.into()),
        }
    }
}

impl FromRequest for IdempotencyKey {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let value = request.headers().get("idempotency-key");
        ready(Ok(Self(value.map(|value| value.as_bytes().to_vec()))))
    }
}

/// The header in the document, for operations that need it: `params(RequiredIdempotencyKeyHeader)`.
pub(crate) struct RequiredIdempotencyKeyHeader;

/// The header in the document, for operations that are idempotent without it.
pub(crate) struct IdempotencyKeyHeader;

impl IntoParams for RequiredIdempotencyKeyHeader {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![header(
            Required::True,
            "Names the intent: one per intent, kept when the request is sent again. The same key gives the \
             same answer and counts once.",
        )]
    }
}

impl IntoParams for IdempotencyKeyHeader {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![header(
            Required::False,
            "Accepted and not needed: this operation is idempotent by itself.",
        )]
    }
}

fn header(required: Required, description: &str) -> Parameter {
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(required)
        .description(Some(description))
        .schema(Some(
            ObjectBuilder::new()
                .schema_type(Type::String)
                .min_length(Some(16))
                .max_length(Some(128))
                .pattern(Some("^[!-~]+$")),
        ))
        .example(Some("7f3c1d52-6f0b-4b0e-9a77-2f1c9f1f5a01".into()))
        .build()
}

#[cfg(test)]
mod tests {
    use super::IdempotencyKey;
    use crate::http::Code;

    fn code(key: Option<&str>) -> Option<Code> {
        IdempotencyKey(key.map(|key| key.as_bytes().to_vec()))
            .require()
            .err()
            .map(|problem| problem.code())
    }

    #[test]
    fn a_key_has_sixteen_to_128_visible_characters() {
        assert_eq!(code(Some(&"k".repeat(16))), None);
        assert_eq!(code(Some(&"k".repeat(128))), None);
        assert_eq!(code(None), Some(Code::IdempotencyKeyMissing));
        for wrong in [
            "",
            "short",
            &"k".repeat(129),
            "with a space in it",
            "ümlaut-ümlaut-ümlaut",
        ] {
            assert_eq!(code(Some(wrong)), Some(Code::IdempotencyKeyInvalid), "{wrong}");
        }
    }
}
