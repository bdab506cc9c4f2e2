//! Holding JSON against a schema of the document. It has no `oneOf`, `anyOf` or `allOf`, so this is short.

use serde_json::{Map, Value};

/// The component that a `$ref` names.
pub(crate) fn component<'a>(document: &'a Value, reference: &str) -> &'a Value {
    let pointer = reference.trim_start_matches('#');
    document
        .pointer(pointer)
        .unwrap_or_else(|| panic!("the document has no {reference}"))
}

/// What in `value` does not fit `schema`. A member that the schema does not name is a fault too: clients must
/// bear it, but the service has no reason to send one.
pub(crate) fn faults(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(document, schema, value, "", &mut faults);
    faults
}

fn check(document: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        return check(document, component(document, reference), value, place, faults);
    }
    let mut fault = |rule: String| faults.push(format!("{place}: {rule}"));
    if let Some(kind) = schema["type"].as_str()
        && !is_of(kind, value)
    {
        return fault(format!("is not of type {kind}"));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        fault(format!("{value} is not one of the documented values"));
    }
    match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            if schema["minimum"].as_f64().is_some_and(|least| number < least)
                || schema["maximum"].as_f64().is_some_and(|most| number > most)
            {
                fault(format!("{value} is out of bounds"));
            }
        }
        Value::String(text) => {
            if !within(schema, "minLength", "maxLength", text.chars().count()) {
                fault(format!("{value} is too short or too long"));
            }
            if schema["format"] == "date-time" && !is_time(text) {
                fault(format!("{value} is no UTC time in milliseconds"));
            }
        }
        Value::Array(items) => {
            if !within(schema, "minItems", "maxItems", items.len()) {
                fault(format!("{} items are too few or too many", items.len()));
            }
            for (index, item) in items.iter().enumerate() {
                check(
                    document,
                    &schema["items"],
                    item,
                    &format!("{place}/{index}"),
                    faults,
                );
            }
        }
        Value::Object(members) => check_members(document, schema, members, place, faults),
        Value::Null | Value::Bool(_) => {}
    }
}

fn check_members(
    document: &Value,
    schema: &Value,
    members: &Map<String, Value>,
    place: &str,
    faults: &mut Vec<String>,
) {
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap_or_default();
        if !members.contains_key(name) {
            faults.push(format!("{place}/{name}: is required and missing"));
        }
    }
    let Some(properties) = schema["properties"].as_object() else {
        return;
    };
    for (name, member) in members {
        let place = format!("{place}/{name}");
        match properties.get(name) {
            Some(schema) => check(document, schema, member, &place, faults),
            None => faults.push(format!("{place}: is not documented")),
        }
    }
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    }
}

fn within(schema: &Value, least: &str, most: &str, size: usize) -> bool {
    let bound = |name: &str| schema[name].as_u64();
    let size = size as u64;
    bound(least).is_none_or(|least| size >= least) && bound(most).is_none_or(|most| size <= most)
}

/// `2026-07-01T12:00:00.000Z`
fn is_time(text: &str) -> bool {
    const FORM: &[u8] = b"dddd-dd-ddTdd:dd:dd.dddZ";
    text.len() == FORM.len()
        && text.bytes().zip(FORM).all(|(byte, form)| match form {
            b'd' => byte.is_ascii_digit(),
            other => byte == *other,
        })
}

#[cfg(test)]
mod tests {
    use super::faults;
    use serde_json::{Value, json};

    #[test]
    fn what_does_not_fit_is_named() {
        let document = json!({"components": {"schemas": {
            "Card": {"type": "object", "required": ["number"], "properties": {
                "number": {"type": "string", "maxLength": 3},
                "at": {"type": "string", "format": "date-time"},
                "places": {"type": "array", "maxItems": 1, "items": {"type": "integer", "minimum": 1}},
            }},
        }}});
        let schema = json!({"$ref": "#/components/schemas/Card", "description": "A card."});
        let found = |value: Value| faults(&document, &schema, &value).len();
        assert_eq!(
            found(json!({"number": "W01", "at": "2026-07-01T12:00:00.000Z", "places": [1]})),
            0
        );
        for wrong in [
            json!([]),
            json!({}),
            json!({"number": 1}),
            json!({"number": "long"}),
            json!({"number": "W01", "at": "2026-07-01T12:00:00Z"}),
            json!({"number": "W01", "places": [1, 2]}),
            json!({"number": "W01", "places": [0]}),
            json!({"number": "W01", "colour": "red"}),
        ] {
            assert_eq!(found(wrong.clone()), 1, "{wrong}");
        }
    }
}
