//! Reading a JSON body, when its turn has come.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap};
use actix_web::mime;
use actix_web::web::{self, Bytes, BytesMut};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::code::Code;
use super::problem::Problem;
use super::strict::Strict;
use crate::app::App;

/// No body is larger.
pub(crate) const BODY_LIMIT_BYTES: usize = 64 * 1024;

/// Whoever sends a body more slowly than this holds a connection for nothing.
const SLOWEST_MILLIS: i64 = 15_000;

/// When the service stops, what is still on its way may arrive this long.
const SLOWEST_AT_THE_END_MILLIS: i64 = 2_000;

/// The body as it came. Taking it cannot fail, so that a handler can first authenticate and authorise and
/// only then judge the body with [`parse`](RawBody::parse).
#[derive(Debug)]
pub(crate) struct RawBody {
    bytes: Result<Bytes, Code>,
    /// What is wrong with its form, if anything is.
    misfit: Option<&'static str>,
}

impl RawBody {
    /// The body as a `T`.
    ///
    /// An explicit `null` is refused wherever it stands: in this contract it means nothing.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let bytes = self.bytes()?;
        if let Some(misfit) = self.misfit {
            return Err(Problem::new(Code::UnsupportedMediaType).detail(misfit));
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
        let misfit = misfit(request);
        let payload = payload.take();
        let app = request.app_data::<web::Data<App>>().cloned();
        Box::pin(async move {
            let app = app.ok_or_else(|| Problem::internal("no App in this server"))?;
            let bytes = tokio::select! {
                bytes = collect(payload) => bytes,
                () = app.clock.sleep_until(app.now_millis() + SLOWEST_MILLIS) => Err(Code::BodyTooSlow),
                () = stopping(&app) => Err(Code::Unavailable),
            };
            Ok(Self { bytes, misfit })
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

/// Completes when a service that stops waits no longer.
async fn stopping(app: &App) {
    app.shutdown.begun().await;
    app.clock
        .sleep_until(app.now_millis() + SLOWEST_AT_THE_END_MILLIS)
        .await;
}

/// What is wrong with the form of a body, if anything is. Bytes in another coding or charset must not be read as
/// if they were plain.
fn misfit(request: &HttpRequest) -> Option<&'static str> {
    if !is_plain(request.headers()) {
        return Some("Send the body as it is, without a `Content-Encoding`.");
    }
    let media = request.mime_type().ok().flatten();
    let Some(media) = media.filter(|media| media.essence_str() == mime::APPLICATION_JSON) else {
        return Some("Send `Content-Type: application/json`.");
    };
    let is_utf8 = media
        .get_param(mime::CHARSET)
        .is_none_or(|charset| charset == mime::UTF_8);
    (!is_utf8).then_some("JSON is written in UTF-8.")
}

fn is_plain(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::CONTENT_ENCODING)
        .all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

#[cfg(test)]
mod tests {
    use super::{RawBody, misfit};
    use crate::http::Code;
    use actix_web::test::TestRequest;
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
            misfit: None,
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
            misfit: Some("no JSON"),
        };
        assert_eq!(nothing.parse_or_default::<Request>().unwrap(), Request::default());
        assert_eq!(
            nothing.parse::<Request>().unwrap_err().code(),
            Code::UnsupportedMediaType
        );
    }

    #[test]
    fn only_plain_json_in_utf8_is_read() {
        let fits = |headers: &[(&'static str, &str)]| {
            let request = headers.iter().fold(TestRequest::post(), |request, header| {
                request.append_header(*header)
            });
            misfit(&request.to_http_request()).is_none()
        };
        for json in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/json;charset=\"UTF-8\"",
            "application/json; version=1",
        ] {
            assert!(fits(&[("content-type", json)]), "{json}");
            assert!(fits(&[("content-type", json), ("content-encoding", "Identity")]));
            for coding in ["gzip", "br", "identity, gzip", "x"] {
                assert!(!fits(&[("content-type", json), ("content-encoding", coding)]));
            }
            let two = [("content-encoding", "identity"), ("content-encoding", "gzip")];
            assert!(!fits(&[("content-type", json), two[0], two[1]]));
        }
        for other in [
            "text/plain",
            "application/jsonp",
            "",
            "application/json; charset=utf-16",
            "application/json; charset=iso-8859-1",
            "application/problem+json",
            "application/x-www-form-urlencoded",
        ] {
            assert!(!fits(&[("content-type", other)]), "{other}");
        }
        assert!(!fits(&[]));
    }
}
