//! Reading a JSON body, when its turn has come.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{self, Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::{Either, select};
use futures_util::{FutureExt, StreamExt};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::code::Code;
use super::problem::Problem;
use super::strict::Strict;
use crate::app::App;

/// No body is larger.
pub(crate) const BODY_LIMIT_BYTES: usize = 64 * 1024;

/// Whoever sends a body more slowly than this holds a connection for nothing.
const SLOWEST_MILLIS: i64 = 30_000;

/// The body as it came. Taking it cannot fail, so that a handler can first authenticate and authorise and
/// only then judge the body with [`parse`](RawBody::parse).
#[derive(Debug)]
pub(crate) struct RawBody {
    bytes: Result<Bytes, Code>,
    is_json: bool,
}

impl RawBody {
    /// The body as a `T`.
    ///
    /// An explicit `null` is refused wherever it stands: in this contract it means nothing.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let bytes = self.bytes()?;
        if !self.is_json {
            return Err(Code::UnsupportedMediaType.into());
        }
        let value: Value = serde_json::from_slice(bytes)
            .map_err(|error| Problem::new(Code::InvalidBody).at("", "malformed_json", error.to_string()))?;
        if let Some(pointer) = null_in(&value) {
            return Err(Problem::new(Code::InvalidBody).at(
                pointer,
                "null_not_allowed",
                "null means nothing here: leave the member out",
            ));
        }
        serde_path_to_error::deserialize(Strict(value)).map_err(|error| {
            let detail = error.inner().to_string();
            Problem::new(Code::InvalidBody).at(pointer(error.path()), kind(&detail), detail)
        })
    }

    /// The body as a `T`, or its default if there is no body at all.
    pub(crate) fn parse_or_default<T: DeserializeOwned + Default>(&self) -> Result<T, Problem> {
        if self.bytes()?.is_empty() {
            Ok(T::default())
        } else {
            self.parse()
        }
    }

    /// The same JSON in one form, whatever its blanks and the order of its members: for fingerprints.
    pub(crate) fn canonical(&self) -> Result<Vec<u8>, Problem> {
        let mut value: Value =
            serde_json::from_slice(self.bytes()?).map_err(|_| Problem::new(Code::InvalidBody))?;
        value.sort_all_objects();
        serde_json::to_vec(&value).map_err(Problem::internal)
    }

    fn bytes(&self) -> Result<&Bytes, Problem> {
        self.bytes.as_ref().map_err(|code| (*code).into())
    }
}

/// The kind of misfit, from serde's words: it has no other way to tell.
fn kind(detail: &str) -> &'static str {
    const KINDS: [(&str, &str); 3] = [
        ("unknown field", "unknown_member"),
        ("missing field", "missing_member"),
        ("invalid type", "wrong_type"),
    ];
    KINDS
        .iter()
        .find(|(words, _)| detail.starts_with(words))
        .map_or("invalid_value", |(_, kind)| kind)
}

/// A JSON pointer to where serde stopped.
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } | Segment::Enum { variant: key } => push_member(&mut pointer, key),
            Segment::Unknown => {}
        }
    }
    pointer
}

fn push_member(pointer: &mut String, name: &str) {
    pointer.push('/');
    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
}

/// A pointer to the first `null`.
fn null_in(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| null_in(item).map(|rest| format!("/{index}{rest}"))),
        Value::Object(members) => members.iter().find_map(|(name, member)| {
            let rest = null_in(member)?;
            let mut pointer = String::new();
            push_member(&mut pointer, name);
            Some(pointer + &rest)
        }),
    }
}

impl FromRequest for RawBody {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let is_json = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(is_json);
        let payload = payload.take();
        let too_long = request.app_data::<web::Data<App>>().map_or_else(
            || std::future::pending().boxed(),
            |app| app.clock.sleep_until(app.now_millis() + SLOWEST_MILLIS),
        );
        Box::pin(async move {
            let bytes = match select(std::pin::pin!(collect(payload)), too_long).await {
                Either::Left((bytes, _)) => bytes,
                Either::Right(((), _)) => Err(Code::BadRequest),
            };
            Ok(Self { bytes, is_json })
        })
    }
}

async fn collect(mut payload: Payload) -> Result<Bytes, Code> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| Code::BadRequest)?;
        if body.len() + chunk.len() > BODY_LIMIT_BYTES {
            return Err(Code::BodyTooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// `application/json`, with or without parameters.
fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests {
    use super::{RawBody, is_json};
    use crate::http::Code;
    use serde::Deserialize;

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Seat {
        level: u8,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Request {
        name: Option<String>,
        #[serde(default)]
        seats: Vec<Seat>,
    }

    fn parse(text: &str) -> Result<Request, String> {
        let body = RawBody {
            bytes: Ok(text.to_owned().into()),
            is_json: true,
        };
        body.parse().map_err(|problem| {
            assert_eq!(problem.code(), Code::InvalidBody);
            format!("{problem:?}")
        })
    }

    #[test]
    fn a_misfit_is_pointed_to() {
        assert_eq!(
            parse(r#"{"seats":[{"level":3}]}"#).unwrap().seats,
            [Seat { level: 3 }]
        );
        for (text, pointer, kind) in [
            ("{", "", "malformed_json"),
            (r#"{"name":null}"#, "/name", "null_not_allowed"),
            (r#"{"a/b":[1,null]}"#, "/a~1b/1", "null_not_allowed"),
            (
                r#"{"seats":[{"level":1},{"level":"x"}]}"#,
                "/seats/1/level",
                "wrong_type",
            ),
            (r#"{"seats":[{}]}"#, "/seats/0", "missing_member"),
            (r#"{"nmae":"x"}"#, "/nmae", "unknown_member"),
            (r#"{"seats":[{"level":300}]}"#, "/seats/0/level", "invalid_value"),
            (r#"["x",[]]"#, "", "wrong_type"),
            (r#"{"seats":[[3]]}"#, "/seats/0", "wrong_type"),
        ] {
            let told = parse(text).unwrap_err();
            assert!(told.contains(&format!("pointer: {pointer:?}")), "{text}: {told}");
            assert!(told.contains(kind), "{text}: {told}");
        }
    }

    #[test]
    fn no_body_is_not_an_empty_object_unless_the_handler_says_so() {
        let nothing = RawBody {
            bytes: Ok(Default::default()),
            is_json: false,
        };
        assert_eq!(nothing.parse_or_default::<Request>().unwrap(), Request::default());
        assert_eq!(
            nothing.parse::<Request>().unwrap_err().code(),
            Code::UnsupportedMediaType
        );
    }

    #[test]
    fn json_is_recognised_by_its_essence() {
        assert!(is_json("application/json") && is_json("Application/JSON; charset=utf-8"));
        assert!(!is_json("text/plain") && !is_json("application/jsonp") && !is_json(""));
    }
}
