//! The published documents: the committed ones are those the routes make, and both keep the contract's rules.

use std::collections::BTreeSet;
use std::path::Path;

use quartett_api::{Code, openapi};
use serde_json::{Map, Value};

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];
const COMPONENT: &str = "#/components/schemas/";

/// Collects what is wrong, so that one run tells everything.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn check(&mut self, holds: bool, place: &str, rule: &str) {
        if !holds {
            self.0.push(format!("{place}: {rule}"));
        }
    }

    #[track_caller]
    fn none(self) {
        assert!(self.0.is_empty(), "\n{}\n", self.0.join("\n"));
    }
}

/// Every operation with its place.
fn operations(document: &Value) -> Vec<(String, &Map<String, Value>)> {
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, operation)| {
            assert!(METHODS.contains(&method.as_str()), "{path} has a member {method}");
            (format!("{method} {path}"), operation.as_object().unwrap())
        })
    });
    operations.collect()
}

fn text<'a>(value: &'a Map<String, Value>, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Calls `visit` with every object in `value` and where it stands; examples are data and left out.
fn each_object(value: &Value, place: &str, visit: &mut impl FnMut(&str, &Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(place, members);
            for (name, member) in members {
                if !matches!(name.as_str(), "example" | "examples" | "default" | "enum") {
                    each_object(member, &format!("{place}/{name}"), visit);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                each_object(item, &format!("{place}/{index}"), visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The names of the components below `value`, through all references.
fn reached(document: &Value, value: &Value, names: &mut BTreeSet<String>) {
    let mut found = Vec::new();
    each_object(value, "", &mut |_, object| {
        found.extend(text(object, "$ref").strip_prefix(COMPONENT).map(str::to_owned));
    });
    for name in found {
        if names.insert(name.clone()) {
            reached(document, &document["components"]["schemas"][&name], names);
        }
    }
}

#[test]
fn the_committed_documents_are_those_the_routes_make() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi");
    for (name, made) in openapi::files() {
        let committed = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            committed == made,
            "openapi/{name} is out of date: run `cargo run -- openapi` and review the change"
        );
    }
}

#[test]
fn the_documents_are_made_the_same_every_time() {
    assert_eq!(openapi::files(), openapi::files());
}

#[test]
fn every_operation_has_a_name_a_tag_and_words() {
    let document = openapi::document();
    let mut faults = Faults::default();
    let mut names = BTreeSet::new();
    let tags: Vec<&str> = document["tags"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    faults.check(tags.is_sorted(), "tags", "are sorted");
    for (place, operation) in operations(&document) {
        let name = text(operation, "operationId");
        let is_camel = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        faults.check(is_camel, &place, "operationId is in camelCase");
        faults.check(names.insert(name.to_owned()), &place, "operationId is unique");
        let summary = text(operation, "summary");
        faults.check(
            (1..=60).contains(&summary.chars().count()),
            &place,
            "summary has up to 60 characters",
        );
        faults.check(!summary.ends_with('.'), &place, "summary has no full stop");
        faults.check(
            !text(operation, "description").is_empty(),
            &place,
            "has a description",
        );
        let of_operation = operation["tags"].as_array().unwrap();
        let is_tagged =
            matches!(of_operation.as_slice(), [Value::String(tag)] if tags.contains(&tag.as_str()));
        faults.check(is_tagged, &place, "has exactly one tag, and a known one");
    }
    faults.none();
}

#[test]
fn every_request_body_has_an_example() {
    let document = openapi::document();
    let mut faults = Faults::default();
    for (place, operation) in operations(&document) {
        let Some(body) = operation.get("requestBody") else {
            continue;
        };
        let json = &body["content"]["application/json"];
        let has_example = json.get("example").is_some() || json.get("examples").is_some();
        faults.check(has_example, &place, "the body has an example");
        faults.check(
            body["content"].as_object().unwrap().len() == 1,
            &place,
            "the body is JSON and nothing else",
        );
    }
    faults.none();
}

#[test]
fn every_answer_is_described_and_every_error_is_a_problem() {
    let document = openapi::document();
    let mut faults = Faults::default();
    for (place, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        faults.check(
            responses.keys().any(|status| status.starts_with('2')),
            &place,
            "can succeed",
        );
        for (status, response) in responses {
            let place = format!("{place} {status}");
            faults.check(
                !response["description"].as_str().unwrap_or_default().is_empty(),
                &place,
                "is described",
            );
            if status.starts_with(['4', '5']) {
                let content = response["content"].as_object().unwrap();
                let schema = &response["content"]["application/problem+json"]["schema"]["$ref"];
                faults.check(
                    content.len() == 1 && schema == &format!("{COMPONENT}Problem"),
                    &place,
                    "is a problem",
                );
            }
            if status == "201" {
                faults.check(
                    response["headers"].get("Location").is_some(),
                    &place,
                    "has a Location",
                );
            }
        }
        let is_public = operation
            .get("security")
            .is_some_and(|list| list.as_array().unwrap().is_empty());
        faults.check(
            is_public || responses.contains_key("401"),
            &place,
            "answers 401 without a token",
        );
    }
    faults.none();
}

#[test]
fn every_schema_is_a_named_component_with_descriptions_and_bounds() {
    let document = openapi::document();
    let mut faults = Faults::default();
    each_object(&document["paths"], "paths", &mut |place, object| {
        let is_inline = object.contains_key("properties") || text(object, "type") == "object";
        faults.check(!is_inline, place, "is a named component and not written inline");
    });
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let is_pascal = name.starts_with(|first: char| first.is_ascii_uppercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        faults.check(is_pascal, name, "is in PascalCase, without generics");
        let is_bare = matches!(
            name.as_str(),
            "Type" | "Error" | "Data" | "Result" | "Event" | "Action"
        );
        faults.check(!is_bare, name, "is a name that says something");
        faults.check(schema.get("description").is_some(), name, "is described");
        let properties = schema["properties"].as_object().into_iter().flatten();
        for (property, inner) in properties {
            let place = format!("{name}.{property}");
            let snake = property
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
            faults.check(snake, &place, "is in snake_case");
            faults.check(inner.get("description").is_some(), &place, "is described");
            let is_inline = inner.get("properties").is_some() || inner["items"].get("properties").is_some();
            faults.check(!is_inline, &place, "refers to a named component");
        }
    }
    each_object(&document, "", &mut |place, object| {
        match text(object, "type") {
            "array" => faults.check(object.contains_key("maxItems"), place, "an array has maxItems"),
            "integer" | "number" => {
                let bounded = object.contains_key("minimum") && object.contains_key("maximum");
                faults.check(bounded, place, "a number has bounds");
            }
            _ => {}
        }
        faults.check(
            !text(object, "format").starts_with('u') || text(object, "format").starts_with("uri"),
            place,
            "no unsigned format",
        );
    });
    faults.none();
}

#[test]
fn every_text_in_a_request_has_a_longest_length() {
    let document = openapi::document();
    let mut names = BTreeSet::new();
    let mut faults = Faults::default();
    for (place, operation) in operations(&document) {
        if let Some(body) = operation.get("requestBody") {
            reached(&document, body, &mut names);
        }
        for parameter in operation
            .get("parameters")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let place = format!("{place} {}", parameter["name"]);
            faults.check(parameter.get("description").is_some(), &place, "is described");
            bounded(&parameter["schema"], &place, &mut faults);
        }
    }
    for name in names {
        bounded(&document["components"]["schemas"][&name], &name, &mut faults);
    }
    faults.none();
}

fn bounded(schema: &Value, place: &str, faults: &mut Faults) {
    each_object(schema, place, &mut |place, object| {
        if text(object, "type") == "string" {
            let has_end = ["maxLength", "enum", "x-extensible-enum"]
                .iter()
                .any(|name| object.contains_key(*name));
            faults.check(has_end, place, "a text has maxLength");
        }
    });
}

#[test]
fn no_component_is_unused_and_no_reference_leads_nowhere() {
    let document = openapi::document();
    let mut used = BTreeSet::new();
    reached(&document, &document["paths"], &mut used);
    let defined: BTreeSet<String> = document["components"]["schemas"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(defined, used);
}

#[test]
fn no_union_and_no_null_stand_in_either_document() {
    let document = openapi::document();
    let mut faults = Faults::default();
    for (version, document) in [("3.1", &document), ("3.0", &openapi::twin(&document))] {
        each_object(document, version, &mut |place, object| {
            for word in ["oneOf", "anyOf", "allOf", "nullable", "discriminator"] {
                faults.check(
                    !object.contains_key(word) || place.ends_with("/properties"),
                    place,
                    word,
                );
            }
            let is_one = object
                .get("type")
                .is_none_or(|name| name.is_string() || name.is_object());
            faults.check(
                is_one && text(object, "type") != "null",
                place,
                "a type is one name, never null",
            );
        });
    }
    faults.none();
}

#[test]
fn every_code_that_the_document_names_exists() {
    let document = openapi::document();
    for (place, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            if !status.starts_with(['4', '5']) {
                continue;
            }
            for line in response["description"].as_str().unwrap().lines() {
                let name = line.split('`').nth(1).unwrap_or_default();
                let code = Code::named(name).unwrap_or_else(|| panic!("{place} {status} names {line}"));
                assert_eq!(code.status().as_str(), status, "{place} {name}");
            }
        }
    }
}

#[test]
fn the_older_twin_says_nothing_that_3_0_does_not_know() {
    let twin = openapi::twin(&openapi::document());
    let mut faults = Faults::default();
    each_object(&twin, "", &mut |place, object| {
        if place.ends_with("/properties") {
            return;
        }
        faults.check(!object.contains_key("const"), place, "const");
        faults.check(
            !object.get("examples").is_some_and(Value::is_array),
            place,
            "a list of examples",
        );
        for bound in ["exclusiveMinimum", "exclusiveMaximum"] {
            faults.check(object.get(bound).is_none_or(Value::is_boolean), place, bound);
        }
        faults.check(
            !object.contains_key("$ref") || object.len() == 1,
            place,
            "a reference stands alone",
        );
    });
    assert_eq!(twin["openapi"], "3.0.3");
    faults.none();
}
