//! The pass that makes the document conform to the contract.
//!
//! What can be derived is derived here, so that no author writes it twice; what an author must say (bounds of
//! texts and lists, descriptions, examples) is demanded by the tests in `api/tests/service/document.rs`.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::problems;

/// No JSON number may be larger: above it, JavaScript cannot count.
const LARGEST_NUMBER: i64 = (1 << 53) - 1;

/// Path parameters without a bound of their own get this one.
const LONGEST_PATH_PARAMETER: u64 = 64;

/// Applies every step.
pub(super) fn conform(document: &mut Value, tags: &[(&str, &str)]) {
    each_schema(document, &mut drop_null);
    inline_scalars(document);
    each_schema(document, &mut portable_number);
    each_operation(document, operation);
    secure(document);
    each_operation(document, problems::add);
    drop_unused_components(document);
    let used = used_tags(document);
    document["tags"] = tags
        .iter()
        .filter(|(name, _)| used.contains(*name))
        .map(|(name, description)| json!({"name": name, "description": description}))
        .collect();
}

/// Calls `change` with every JSON object in the document that may be a schema, inner ones first.
fn each_schema(value: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                // Examples are data: what looks like a schema in them is none.
                if !matches!(name.as_str(), "example" | "examples" | "default" | "enum") {
                    each_schema(member, change);
                }
            }
            change(members);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_schema(item, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Calls `change` with every operation.
fn each_operation(document: &mut Value, change: impl Fn(&mut Map<String, Value>)) {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    let operations = paths.flat_map(|(_, item)| item.as_object_mut().into_iter().flatten());
    operations
        .filter_map(|(_, operation)| operation.as_object_mut())
        .for_each(change);
}

/// `null` means nothing in this contract: a member is there or it is not.
fn drop_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    let is_null = |schema: &Value| schema.get("type").is_some_and(|name| name == "null");
    if let Some(Value::Array(choices)) = schema.get("oneOf")
        && let [first, second] = choices.as_slice()
        && (is_null(first) || is_null(second))
    {
        let chosen = if is_null(first) {
            second.clone()
        } else {
            first.clone()
        };
        schema.remove("oneOf");
        if let Value::Object(chosen) = chosen {
            for (name, member) in chosen {
                // What is said at this place says more than what is said at the type.
                schema.entry(name).or_insert(member);
            }
        }
    }
}

/// Ids and moments are components in code, but a client wants them as strings where they stand.
fn inline_scalars(document: &mut Value) {
    let components = document["components"]["schemas"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    let scalars: Map<String, Value> = components
        .into_iter()
        .filter(|(_, schema)| {
            let is_scalar = matches!(
                schema["type"].as_str(),
                Some("string" | "integer" | "number" | "boolean")
            );
            is_scalar && schema.get("enum").is_none()
        })
        .collect();
    each_schema(document, &mut |schema| {
        let name = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|path| path.strip_prefix(COMPONENT));
        let Some(Value::Object(scalar)) = name.and_then(|name| scalars.get(name)).cloned() else {
            return;
        };
        schema.remove("$ref");
        for (name, member) in scalar {
            schema.entry(name).or_insert(member);
        }
    });
}

pub(super) const COMPONENT: &str = "#/components/schemas/";

/// Formats that every generator knows, and bounds for every number.
fn portable_number(schema: &mut Map<String, Value>) {
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    if kind != "integer" {
        return;
    }
    let format = schema
        .get("format")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let (portable, least, most) = match format.as_str() {
        "uint8" => ("int32", 0, 255),
        "int8" => ("int32", -128, 127),
        "uint16" => ("int32", 0, 65_535),
        "int16" => ("int32", -32_768, 32_767),
        "uint32" => ("int32", 0, i64::from(i32::MAX)),
        "int32" => ("int32", i64::from(i32::MIN), i64::from(i32::MAX)),
        "uint64" => ("int64", 0, LARGEST_NUMBER),
        _ => ("int64", -LARGEST_NUMBER, LARGEST_NUMBER),
    };
    schema.insert("format".to_owned(), portable.into());
    schema.entry("minimum").or_insert(least.into());
    schema.entry("maximum").or_insert(most.into());
}

/// Wording, parameters and the places of new things.
fn operation(operation: &mut Map<String, Value>) {
    let summary = operation
        .get("summary")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let summary = summary.trim_end_matches('.').to_owned();
    operation
        .entry("description")
        .or_insert_with(|| format!("{summary}.").into());
    operation.insert("summary".to_owned(), summary.into());
    for parameter in operation
        .get_mut("parameters")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        if parameter["in"] == "path"
            && parameter["schema"]["type"] == "string"
            && let Some(schema) = parameter["schema"].as_object_mut()
        {
            schema.entry("maxLength").or_insert(LONGEST_PATH_PARAMETER.into());
        }
    }
    if let Some(created) = operation["responses"].get_mut("201") {
        created["headers"]["Location"] = json!({
            "description": "Where the new thing is found.",
            "required": true,
            "schema": {"type": "string", "format": "uri-reference", "maxLength": 200},
        });
    }
}

/// Every operation needs a token unless it says otherwise; a public one says so with an empty list.
fn secure(document: &mut Value) {
    document["components"]["securitySchemes"] = json!({
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "The access token of a `TokenPair`: a JWT signed with EdDSA, good for 15 minutes.",
        },
    });
    document["security"] = json!([{"bearer": []}]);
    each_operation(document, |operation| {
        if operation
            .get("security")
            .is_some_and(|security| *security == json!([{}]))
        {
            operation.insert("security".to_owned(), json!([]));
        }
    });
}

/// A component nobody refers to is noise in every generated client.
fn drop_unused_components(document: &mut Value) {
    loop {
        let mut used = BTreeSet::new();
        each_schema(document, &mut |schema| {
            let name = schema
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|path| path.strip_prefix(COMPONENT));
            used.extend(name.map(str::to_owned));
        });
        let Some(components) = document["components"]["schemas"].as_object_mut() else {
            return;
        };
        let before = components.len();
        components.retain(|name, _| used.contains(name));
        if components.len() == before {
            return;
        }
    }
}

fn used_tags(document: &mut Value) -> BTreeSet<String> {
    let used = std::cell::RefCell::new(BTreeSet::new());
    each_operation(document, |operation| {
        let tags = operation
            .get("tags")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        used.borrow_mut()
            .extend(tags.filter_map(Value::as_str).map(str::to_owned));
    });
    used.into_inner()
}

#[cfg(test)]
mod tests {
    use super::{conform, drop_null, portable_number};
    use serde_json::{Value, json};

    fn changed(change: impl Fn(&mut serde_json::Map<String, Value>), mut schema: Value) -> Value {
        if let Value::Object(members) = &mut schema {
            change(members);
        }
        schema
    }

    #[test]
    fn an_option_is_absent_and_never_null() {
        assert_eq!(
            changed(drop_null, json!({"type": ["string", "null"]})),
            json!({"type": "string"})
        );
        assert_eq!(
            changed(
                drop_null,
                json!({"oneOf": [{"type": "null"}, {"$ref": "#/x"}], "description": "d"})
            ),
            json!({"$ref": "#/x", "description": "d"})
        );
    }

    #[test]
    fn numbers_are_signed_and_bounded() {
        assert_eq!(
            changed(
                portable_number,
                json!({"type": "integer", "format": "uint8", "maximum": 6})
            ),
            json!({"type": "integer", "format": "int32", "minimum": 0, "maximum": 6})
        );
    }

    #[test]
    fn scalars_are_written_where_they_are_used() {
        let mut document = json!({
            "paths": {"/x": {"get": {"summary": "Do.", "responses": {"200": {"$ref": "#/components/schemas/X"}}}}},
            "components": {"schemas": {
                "X": {"type": "object", "properties": {
                    "at": {"$ref": "#/components/schemas/Moment", "description": "When."}}},
                "Moment": {"type": "string", "description": "A moment."},
                "Unused": {"type": "object", "properties": {"u": {"$ref": "#/components/schemas/Unused2"}}},
                "Unused2": {"type": "object"},
                "Problem": {"type": "object"},
            }},
        });
        conform(&mut document, &[]);
        let schemas = document["components"]["schemas"].as_object().unwrap();
        assert_eq!(schemas.keys().collect::<Vec<_>>(), ["Problem", "X"]);
        assert_eq!(
            schemas["X"]["properties"]["at"],
            json!({"type": "string", "description": "When."})
        );
    }
}
