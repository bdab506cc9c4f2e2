//! What the published document promises of an answer.

use quartett_api::openapi;
use serde_json::Value;

/// The published document, as what an answer is measured by.
pub(crate) struct Promised(Value);

impl Promised {
    pub(crate) fn by_the_document() -> Self {
        Self(openapi::document())
    }

    pub(crate) fn operation(&self, id: &str) -> &Value {
        let paths = self.0["paths"].as_object().unwrap();
        let mut operations = paths.values().flat_map(|item| item.as_object().unwrap().values());
        operations
            .find(|operation| operation["operationId"] == id)
            .unwrap()
    }

    pub(crate) fn answer(&self, id: &str) -> &Value {
        &self.operation(id)["responses"]["200"]["content"]["application/json"]
    }

    pub(crate) fn check(&self, operation: &str, body: &Value) {
        let mut faults = Vec::new();
        self.compare(&self.answer(operation)["schema"], body, operation, &mut faults);
        assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    }

    /// Not even a member more than promised: what is not documented is not sent.
    fn compare(&self, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.strip_prefix("#/components/schemas/").unwrap();
            return self.compare(&self.0["components"]["schemas"][name], value, place, faults);
        }
        let mut check = |holds: bool, rule: &str| {
            if !holds {
                faults.push(format!("{place}: {rule} {value}"));
            }
        };
        for names in ["enum", "x-extensible-enum"] {
            if let Some(known) = schema[names].as_array() {
                check(known.contains(value), "is a known name, not");
            }
        }
        match (schema["type"].as_str().unwrap(), value) {
            ("object", Value::Object(members)) => {
                let known = schema["properties"].as_object().unwrap();
                for name in schema["required"].as_array().into_iter().flatten() {
                    check(
                        members.contains_key(name.as_str().unwrap()),
                        &format!("has {name}, unlike"),
                    );
                }
                for (name, member) in members {
                    let place = format!("{place}.{name}");
                    match known.get(name) {
                        Some(schema) => self.compare(schema, member, &place, faults),
                        None => faults.push(format!("{place} is not documented")),
                    }
                }
            }
            ("array", Value::Array(items)) => {
                let most = schema["maxItems"].as_u64().unwrap();
                check(items.len() as u64 <= most, "is not so long:");
                for (index, item) in items.iter().enumerate() {
                    self.compare(&schema["items"], item, &format!("{place}/{index}"), faults);
                }
            }
            ("string", Value::String(text)) => {
                let most = schema["maxLength"].as_u64().unwrap_or(u64::MAX);
                check(
                    text.chars().count() as u64 <= most && !text.is_empty(),
                    "is not so long, nor empty:",
                );
            }
            ("integer", Value::Number(number)) => {
                let number = number.as_i64();
                check(
                    number >= schema["minimum"].as_i64() && number <= schema["maximum"].as_i64(),
                    "lies within bounds, not",
                );
            }
            ("boolean", Value::Bool(_)) => {}
            (kind, _) => check(false, &format!("is of the type {kind}, not")),
        }
    }
}

/// Whether `part` stands in `whole`: an object may have members more, a list items more.
pub(crate) fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(name, member)| whole.get(name).is_some_and(|own| contains(own, member))),
        (Value::Array(whole), Value::Array(part)) => part.iter().all(|item| whole.contains(item)),
        (whole, part) => whole == part,
    }
}
