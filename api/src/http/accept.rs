//! Which form of an answer a client takes, and which forms there are.

use std::collections::{BTreeSet, HashMap};

use actix_web::HttpMessage;
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{self, Accept, Header, Quality, QualityItem};
use actix_web::mime::{self, Mime};
use serde_json::Value;

use super::code::Code;
use super::problem::Problem;

/// What a request says in `Accept`.
pub(super) struct Accepted(Accept);

impl Accepted {
    /// Nothing said means everything, and so does a part that cannot be read: Java's own client, for one,
    /// writes `*/*; q=.2`.
    pub(super) fn of(message: &impl HttpMessage) -> Self {
        let values = message.headers().get_all(header::ACCEPT);
        let parts: usize = values
            .map(|value| value.as_bytes().split(|byte| *byte == b',').count())
            .sum();
        let mut said = Accept::parse(message).unwrap_or_else(|_| Accept(Vec::new()));
        if said.len() < parts.max(1) {
            said.push(QualityItem::min(mime::STAR_STAR));
        }
        Self(said)
    }

    /// How gladly the client takes this: what it says most closely about it counts.
    pub(super) fn quality(&self, media: &Mime) -> Quality {
        let closeness = |range: &Mime| {
            let is_same_type = range.type_() == media.type_();
            if is_same_type && range.subtype() == media.subtype() {
                Some(2)
            } else if is_same_type && range.subtype() == mime::STAR {
                Some(1)
            } else {
                (range.type_() == mime::STAR).then_some(0)
            }
        };
        let said = self.0.iter();
        let fitting = said.filter_map(|said| Some((closeness(&said.item)?, said.quality)));
        fitting.max().map_or(Quality::ZERO, |(_, quality)| quality)
    }
}

/// The media types of every answer that is no error, by path and method.
pub(super) struct Representations(HashMap<(String, Method), BTreeSet<Mime>>);

impl Representations {
    /// Those in `document`, and of the `pages` outside it.
    pub(super) fn new(document: &Value, pages: &[(&str, &[Mime])]) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let described = paths.flat_map(|(path, item)| {
            let operations = item.as_object().into_iter().flatten();
            operations.filter_map(move |(method, operation)| {
                let method = method.to_uppercase().parse().ok()?;
                Some(((path.clone(), method), described(operation)))
            })
        });
        let pages = pages
            .iter()
            .map(|(path, media)| (((*path).to_owned(), Method::GET), media.iter().cloned().collect()));
        Self(described.chain(pages).collect())
    }

    /// Refuses a request that takes no form in which it can be answered, before anything is done for it.
    ///
    /// Whatever happens, an error is answered as a problem: it is more use than a bare status.
    pub(super) fn judge(&self, request: &ServiceRequest) -> Result<(), Problem> {
        let Some(pattern) = request.match_pattern() else {
            return Ok(());
        };
        let Some(media) = self.0.get(&(pattern, request.method().clone())) else {
            return Ok(());
        };
        let accepted = Accepted::of(request);
        let takes_one = media.iter().any(|media| accepted.quality(media) > Quality::ZERO);
        if takes_one || media.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = media.iter().map(Mime::essence_str).collect();
        Err(Problem::new(Code::NotAcceptable).detail(format!("There is only {}.", names.join(" or "))))
    }
}

fn described(operation: &Value) -> BTreeSet<Mime> {
    let responses = operation["responses"].as_object().into_iter().flatten();
    let good = responses.filter(|(status, _)| status.starts_with('2'));
    let contents = good.filter_map(|(_, response)| response["content"].as_object());
    contents
        .flat_map(|content| content.keys())
        .filter_map(|name| name.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Accepted;
    use actix_web::http::header::Quality;
    use actix_web::mime::{APPLICATION_JSON, TEXT_HTML};
    use actix_web::test::TestRequest;

    fn takes(accept: &str) -> (bool, bool) {
        let request = TestRequest::get()
            .insert_header(("accept", accept))
            .to_http_request();
        let accepted = Accepted::of(&request);
        let takes = |media| accepted.quality(&media) > Quality::ZERO;
        (takes(APPLICATION_JSON), takes(TEXT_HTML))
    }

    #[test]
    fn the_closest_word_about_a_form_counts() {
        for (accept, expected) in [
            ("*/*", (true, true)),
            ("", (true, true)),
            ("application/json", (true, false)),
            ("Application/JSON; charset=utf-8", (true, false)),
            ("application/*", (true, false)),
            ("text/html, application/json;q=0.1", (true, true)),
            ("application/json;q=0, */*", (false, true)),
            ("*/*, application/json;q=0", (false, true)),
            ("application/*;q=0, application/json", (true, false)),
            ("application/*;q=0, */*;q=0.5", (false, true)),
            ("*/*;q=0", (false, false)),
            ("text/*", (false, true)),
            ("application/problem+json, image/png", (false, false)),
            ("application/jsonx", (false, false)),
            ("text/html, nonsense", (true, true)),
            // As Java's own client says it.
            (
                "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
                (true, true),
            ),
            ("nonsense", (true, true)),
        ] {
            assert_eq!(takes(accept), expected, "{accept}");
        }
        let silent = Accepted::of(&TestRequest::get().to_http_request());
        assert!(silent.quality(&APPLICATION_JSON) > Quality::ZERO);
    }
}
