//! The published document, as a client generator reads it.

use std::sync::LazyLock;

use quartett_api::openapi;
use reqwest::Method;
use serde_json::Value;

use crate::schema;

/// The document with its operations.
pub struct Contract {
    operations: Vec<Operation>,
}

/// One operation of the document.
#[derive(Debug)]
pub struct Operation {
    /// `operationId`
    pub id: String,
    /// The HTTP method.
    pub method: Method,
    /// The path with its parameters in braces.
    pub path: String,
    /// Whether it needs no token.
    pub is_public: bool,
    /// What the document says of it.
    pub node: Value,
}

static DOCUMENT: LazyLock<Value> = LazyLock::new(openapi::document);

static PUBLISHED: LazyLock<Contract> = LazyLock::new(|| Contract {
    operations: read_operations(&DOCUMENT),
});

impl Contract {
    /// The document that the service publishes.
    #[must_use]
    pub fn published() -> &'static Self {
        &PUBLISHED
    }

    /// All operations.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operation that a request is meant for.
    #[must_use]
    pub fn operation(&self, method: &Method, path: &str) -> Option<&Operation> {
        let path = path.split('?').next().unwrap_or(path);
        let fitting = self
            .operations
            .iter()
            .filter(|operation| operation.method == *method && fits(&operation.path, path));
        // `/seats/me` rather than `/seats/{seat}`.
        fitting.min_by_key(|operation| operation.path.matches('{').count())
    }

    /// A schema of the document, or the component it refers to.
    #[must_use]
    pub fn resolve(schema: &'static Value) -> &'static Value {
        match schema["$ref"].as_str() {
            Some(name) => schema::component(&DOCUMENT, name),
            None => schema,
        }
    }

    /// The operation of this name.
    ///
    /// # Panics
    ///
    /// If the document has none.
    #[must_use]
    pub fn named(&self, id: &str) -> &Operation {
        self.operations
            .iter()
            .find(|operation| operation.id == id)
            .unwrap_or_else(|| panic!("the document has no operation {id}"))
    }
}

impl Operation {
    /// What in an answer does not fit the document.
    pub(crate) fn faults(&self, status: u16, body: &Value) -> Vec<String> {
        let response = &self.node["responses"][status.to_string()];
        if response.is_null() {
            return vec![format!("{} does not document the status {status}", self.id)];
        }
        let Some(content) = response["content"].as_object() else {
            let fits = body.is_null();
            return if fits {
                Vec::new()
            } else {
                vec!["a body that is not documented".into()]
            };
        };
        content
            .values()
            .flat_map(|media| schema::faults(&DOCUMENT, &media["schema"], body))
            .collect()
    }

    /// The examples of its request body.
    #[must_use]
    pub fn examples(&self) -> Vec<Value> {
        let media = &self.node["requestBody"]["content"]["application/json"];
        let one = media.get("example").cloned();
        let named = media["examples"].as_object();
        let many = named.into_iter().flat_map(|named| named.values());
        one.into_iter()
            .chain(many.map(|example| example["value"].clone()))
            .collect()
    }

    /// The schema of its request body, if it takes one.
    #[must_use]
    pub fn body_schema(&self) -> Option<&'static Value> {
        let schema = self
            .node
            .pointer("/requestBody/content/application~1json/schema")?;
        let name = schema["$ref"].as_str()?;
        Some(schema::component(&DOCUMENT, name))
    }

    /// The path with every parameter replaced by what `fill` gives for its name.
    #[must_use]
    pub fn path_with(&self, fill: impl Fn(&str) -> String) -> String {
        let segments = self.path.split('/').map(|segment| {
            match segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                Some(name) => fill(name),
                None => segment.to_owned(),
            }
        });
        segments.collect::<Vec<_>>().join("/")
    }
}

fn read_operations(document: &Value) -> Vec<Operation> {
    let paths = document["paths"].as_object().expect("the document has paths");
    let mut operations = Vec::new();
    for (path, item) in paths {
        for (method, node) in item.as_object().expect("a path has methods") {
            let security = node.get("security").or(document.get("security"));
            let ways = security.and_then(Value::as_array).expect("security is said");
            operations.push(Operation {
                id: node["operationId"]
                    .as_str()
                    .expect("operations have ids")
                    .to_owned(),
                method: method.to_uppercase().parse().expect("a method"),
                path: path.clone(),
                is_public: ways.is_empty() || ways.iter().any(|way| *way == serde_json::json!({})),
                node: node.clone(),
            });
        }
    }
    operations
}

fn fits(template: &str, path: &str) -> bool {
    let mut wanted = template.split('/');
    let mut given = path.split('/');
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || wanted.starts_with('{') => {}
            (Some(_) | None, Some(_) | None) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Contract;
    use reqwest::Method;

    #[test]
    fn a_request_is_found_in_the_document() {
        let found = |method, path| {
            let operation = Contract::published().operation(&method, path);
            operation.map(|operation| operation.id.as_str())
        };
        assert_eq!(found(Method::GET, "/v1/me?x=1"), Some("getMe"));
        assert_eq!(found(Method::POST, "/v1/me"), None);
        assert_eq!(found(Method::GET, "/v1/me/"), None);
        assert_eq!(found(Method::POST, "/v1/auth/guest"), Some("createGuest"));
    }
}
