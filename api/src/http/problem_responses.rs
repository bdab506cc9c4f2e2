//! How an operation documents the problems it may answer with.

use std::collections::BTreeMap;

use utoipa::openapi::{Ref, RefOr, Response, ResponseBuilder, content::ContentBuilder};

use super::code::Code;
use super::problem::PROBLEM_JSON;

/// Makes a type that lists codes, to stand among the `responses(..)` of an operation.
///
/// ```text
/// problems! { RegisterProblems: UsernameTaken, PasswordCommon }
///
/// #[utoipa::path(.., responses((status = 201, ..), RegisterProblems))]
/// ```
///
/// Only what is special to the operation is listed. What every operation may answer (429, 500, 503), what
/// follows from needing a token (401) and from having a body (400, 413, 415), parameters in the path (404)
/// or the query (400) is added to the document by itself.
macro_rules! problems {
    ($Name:ident: $($Code:ident),+ $(,)?) => {
        /// The problems special to this operation, for the document.
        struct $Name;

        impl utoipa::IntoResponses for $Name {
            fn responses()
            -> std::collections::BTreeMap<String, utoipa::openapi::RefOr<utoipa::openapi::Response>> {
                $crate::http::problem_responses(&[$($crate::http::Code::$Code),+])
            }
        }
    };
}
pub(crate) use problems;

/// One response per status; its description lists the codes.
pub(crate) fn problem_responses(codes: &[Code]) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<String, Vec<Code>> = BTreeMap::new();
    for code in codes {
        by_status
            .entry(code.status().as_u16().to_string())
            .or_default()
            .push(*code);
    }
    by_status
        .into_iter()
        .map(|(status, codes)| (status, response(&codes).into()))
        .collect()
}

fn response(codes: &[Code]) -> Response {
    let description: Vec<String> = codes.iter().map(|code| described(*code)).collect();
    ResponseBuilder::new()
        .description(description.join("\n"))
        .content(
            PROBLEM_JSON,
            ContentBuilder::new()
                .schema(Some(Ref::from_schema_name("Problem")))
                .build(),
        )
        .build()
}

/// The line of a response's description that names a code.
pub(crate) fn described(code: Code) -> String {
    format!("- `{}`: {}", code.name(), code.title())
}
