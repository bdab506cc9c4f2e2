//! The same document in OpenAPI 3.0.3, for generators that know no other.

use serde_json::{Map, Value};

/// Derives the twin. Nothing is lost that 3.0.3 can say.
#[must_use]
pub fn twin(document: &Value) -> Value {
    let mut twin = document.clone();
    twin["openapi"] = "3.0.3".into();
    if let Some(license) = twin["info"]["license"].as_object_mut() {
        license.remove("identifier");
    }
    older(&mut twin, false);
    twin
}

/// Rewrites every schema; `names` says that the keys here are names of members, not keywords.
fn older(value: &mut Value, names: bool) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                if !names && matches!(name.as_str(), "example" | "default" | "enum") {
                    continue;
                }
                older(member, !names && name == "properties");
            }
            if !names {
                older_schema(members);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| older(item, false)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn older_schema(schema: &mut Map<String, Value>) {
    // A reference stands alone in 3.0: whatever stands beside it must be ignored, and checkers complain.
    if schema.get("$ref").is_some_and(Value::is_string) {
        schema.retain(|name, _| name == "$ref");
        return;
    }
    // In a schema `examples` is a list, in a media type a map of named examples that 3.0 knows too.
    if let Some(Value::Array(examples)) = schema.get_mut("examples") {
        let first = if examples.is_empty() {
            None
        } else {
            Some(examples.swap_remove(0))
        };
        schema.remove("examples");
        if let Some(first) = first {
            schema.entry("example").or_insert(first);
        }
    }
    if let Some(constant) = schema.remove("const") {
        schema.insert("enum".to_owned(), Value::Array(vec![constant]));
    }
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        if let Some(limit) = schema.remove(exclusive) {
            schema.insert(bound.to_owned(), limit);
            schema.insert(exclusive.to_owned(), true.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::twin;
    use serde_json::json;

    #[test]
    fn what_3_0_cannot_say_is_said_its_way() {
        let document = json!({"openapi": "3.1.0", "info": {}, "components": {"schemas": {"X": {
            "type": "object",
            "properties": {
                "n": {"type": "number", "exclusiveMinimum": 0, "examples": [1, 2]},
                "k": {"const": "a"},
                "r": {"$ref": "#/components/schemas/Y", "description": "d"},
                "const": {"type": "string"},
                "examples": {"type": "string"},
            },
        }}}});
        let twin = twin(&document);
        assert_eq!(twin["openapi"], "3.0.3");
        assert_eq!(
            twin["components"]["schemas"]["X"]["properties"],
            json!({
                "n": {"type": "number", "minimum": 0, "exclusiveMinimum": true, "example": 1},
                "k": {"enum": ["a"]},
                "r": {"$ref": "#/components/schemas/Y"},
                "const": {"type": "string"},
                "examples": {"type": "string"},
            })
        );
    }
}
