//! Documents the problems that follow from what an operation is.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::conform::COMPONENT;
use crate::http::code::Code;
use crate::http::problem::PROBLEM_JSON;
use crate::http::problem_responses::described;

/// Every code a problem may have so far. Not an enumeration: clients must take new ones.
pub(super) fn list_codes(document: &mut Value) {
    let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    document["components"]["schemas"]["Problem"]["properties"]["code"]["x-extensible-enum"] = names.into();
}

/// Adds them beside those the operation lists itself.
pub(super) fn add(operation: &mut Map<String, Value>) {
    let codes: BTreeSet<Code> = listed(operation).into_iter().chain(implied(operation)).collect();
    let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
        return;
    };
    let statuses: BTreeSet<u16> = codes.iter().map(|code| code.status().as_u16()).collect();
    for status in statuses {
        let lines: Vec<String> = codes
            .iter()
            .filter(|code| code.status().as_u16() == status)
            .map(|code| described(*code))
            .collect();
        let mut response = json!({
            "description": lines.join("\n"),
            "content": {PROBLEM_JSON: {"schema": {"$ref": format!("{COMPONENT}Problem")}}},
        });
        if let Some((name, header)) = header(status) {
            response["headers"] = json!({name: header});
        }
        responses.insert(status.to_string(), response);
    }
}

/// The codes the operation lists itself, read back from the lines that name them.
fn listed(operation: &Map<String, Value>) -> BTreeSet<Code> {
    operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(_, response)| response["description"].as_str())
        .flat_map(str::lines)
        .filter_map(|line| Code::named(line.strip_prefix("- `")?.split('`').next()?))
        .collect()
}

fn implied(operation: &Map<String, Value>) -> Vec<Code> {
    let mut codes = vec![Code::RateLimited, Code::Internal, Code::Unavailable];
    if operation
        .get("security")
        .is_none_or(|security| security.as_array().is_some_and(|list| !list.is_empty()))
    {
        codes.extend([
            Code::Unauthenticated,
            Code::TokenInvalid,
            Code::TokenExpired,
            Code::SessionRevoked,
        ]);
    }
    if operation.contains_key("requestBody") {
        codes.extend([
            Code::InvalidBody,
            Code::BodyTooSlow,
            Code::BodyTooLarge,
            Code::UnsupportedMediaType,
        ]);
    }
    if answers_with_a_body(operation) {
        codes.push(Code::NotAcceptable);
    }
    for parameter in operation
        .get("parameters")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        match (parameter["in"].as_str(), parameter["name"].as_str()) {
            (Some("path"), _) => codes.push(Code::NotFound),
            (Some("query"), Some("cursor")) => codes.extend([Code::InvalidQuery, Code::InvalidCursor]),
            (Some("query"), _) => codes.push(Code::InvalidQuery),
            (Some("header"), Some("Idempotency-Key")) => {
                codes.push(Code::IdempotencyKeyInvalid);
                if parameter["required"] == true {
                    codes.extend([Code::IdempotencyKeyMissing, Code::IdempotencyKeyReused]);
                }
            }
            (Some("header"), _) => codes.push(Code::InvalidHeader),
            (_, _) => {}
        }
    }
    codes
}

fn answers_with_a_body(operation: &Map<String, Value>) -> bool {
    let responses = operation["responses"].as_object().into_iter().flatten();
    responses
        .filter(|(status, _)| status.starts_with('2'))
        .any(|(_, response)| response.get("content").is_some())
}

/// The header that comes with every problem of a status.
fn header(status: u16) -> Option<(&'static str, Value)> {
    match status {
        401 => Some((
            "WWW-Authenticate",
            json!({
                "description": "How to authenticate: `Bearer`.",
                "required": true,
                "schema": {"type": "string", "maxLength": 200},
            }),
        )),
        429 | 503 => Some((
            "Retry-After",
            json!({
                "description": "How many seconds to wait before another try.",
                "required": true,
                "schema": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 86400},
            }),
        )),
        _ => None,
    }
}
