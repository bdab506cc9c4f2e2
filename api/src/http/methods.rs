//! Telling a wrong method from a wrong path.

use actix_web::HttpRequest;
use actix_web::dev::ResourceDef;
use serde_json::Value;

use super::code::Code;
use super::problem::Problem;

/// Whatever can be read can also be asked about.
const READING: &str = "GET, HEAD";

/// Every path with its methods, from the same document that describes them.
pub(crate) struct Methods(Vec<(ResourceDef, String)>);

impl Methods {
    /// The paths of `document`, and the `pages` outside it, which can only be read.
    pub(crate) fn new(document: &Value, pages: impl IntoIterator<Item = &'static str>) -> Self {
        let described = document["paths"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(path, item)| {
                let methods: Vec<String> = item
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(method, _)| {
                        if method == "get" {
                            READING.to_owned()
                        } else {
                            method.to_uppercase()
                        }
                    })
                    .collect();
                (ResourceDef::new(path.as_str()), methods.join(", "))
            });
        let pages = pages
            .into_iter()
            .map(|path| (ResourceDef::new(path), READING.to_owned()));
        Self(described.chain(pages).collect())
    }

    /// What to say to a request that no route took.
    pub(crate) fn refusal(&self, request: &HttpRequest) -> Problem {
        let known = self.0.iter().find(|(path, _)| path.is_match(request.path()));
        match known {
            Some((_, methods)) => Problem::new(Code::MethodNotAllowed).allow(methods),
            None => Problem::not_found(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Methods;
    use crate::http::Code;
    use actix_web::test::TestRequest;
    use serde_json::json;

    #[test]
    fn a_known_path_with_a_wrong_method_says_which_it_has() {
        let methods = Methods::new(
            &json!({"paths": {"/v1/me": {"get": {}, "patch": {}}, "/v1/m/{id}": {"get": {}}}}),
            ["/docs"],
        );
        let code = |path| {
            methods
                .refusal(&TestRequest::with_uri(path).to_http_request())
                .code()
        };
        assert_eq!(code("/v1/me"), Code::MethodNotAllowed);
        assert_eq!(code("/v1/m/7?x=1"), Code::MethodNotAllowed);
        assert_eq!(code("/docs"), Code::MethodNotAllowed);
        assert_eq!(code("/v1/m/7/8"), Code::NotFound);
        assert_eq!(code("/v1"), Code::NotFound);
    }
}
