//! What is served besides the documented operations: the documents, a page to read them, and the meaning of
//! each problem.

use actix_web::http::header;
use actix_web::mime::{APPLICATION_JSON, Mime, TEXT_HTML};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;

use super::accept::{Accepted, Representations};
use super::code::Code;
use super::etag::Etag;
use super::methods::Methods;
use super::openapi;
use super::problem::Problem;
use crate::app::App;
use crate::lobby::invite_page;

/// With the forms in which each can be read.
const PAGES: [(&str, &[Mime]); 5] = [
    ("/openapi.json", &[APPLICATION_JSON]),
    ("/openapi-3.0.json", &[APPLICATION_JSON]),
    ("/docs", &[TEXT_HTML]),
    ("/problems/{code}", &[APPLICATION_JSON, TEXT_HTML]),
    (invite_page::PATH, &[TEXT_HTML]),
];

/// A page that needs nothing from elsewhere.
const DOCS: &str = include_str!("docs.html");

/// The page's own script and style, and the document it reads.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'";

/// The documents as they are served, made once at the start.
pub(crate) struct Published {
    openapi: Document,
    openapi_3_0: Document,
    pub(super) methods: Methods,
    pub(super) representations: Representations,
}

struct Document {
    bytes: web::Bytes,
    etag: Etag,
}

impl Document {
    fn new(text: String) -> Self {
        let etag = Etag::over([text.as_bytes()]);
        Self {
            bytes: text.into(),
            etag,
        }
    }

    fn answer(&self, request: &HttpRequest) -> HttpResponse {
        if self.etag.is_known_to(request) {
            return self.etag.not_modified();
        }
        HttpResponse::Ok()
            .content_type("application/json")
            .insert_header((header::ETAG, header::HeaderValue::from(&self.etag)))
            .insert_header((header::CACHE_CONTROL, "public, no-cache"))
            .body(self.bytes.clone())
    }
}

impl Published {
    /// Makes the documents from the routes.
    pub(crate) fn new() -> Self {
        let document = openapi::document();
        let twin = openapi::twin(&document);
        Self {
            methods: Methods::new(&document, PAGES.map(|(path, _)| path)),
            representations: Representations::new(&document, &PAGES),
            openapi: Document::new(openapi::text(&document)),
            openapi_3_0: Document::new(openapi::text(&twin)),
        }
    }
}

/// Registers the pages.
pub(crate) fn pages(cfg: &mut web::ServiceConfig) {
    cfg.route("/openapi.json", web::get().to(openapi_json))
        .route("/openapi-3.0.json", web::get().to(openapi_3_0_json))
        .route("/docs", web::get().to(docs))
        .route("/problems/{code}", web::get().to(problem))
        .route(invite_page::PATH, web::get().to(invite_page::page));
}

/// Whether a path is asked by machines that watch the service; they are not counted.
pub(super) fn is_probe(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz")
}

async fn openapi_json(app: web::Data<App>, request: HttpRequest) -> HttpResponse {
    app.published.openapi.answer(&request)
}

async fn openapi_3_0_json(app: web::Data<App>, request: HttpRequest) -> HttpResponse {
    app.published.openapi_3_0.answer(&request)
}

async fn docs() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, DOCS_POLICY))
        .insert_header((header::CACHE_CONTROL, "public, no-cache"))
        .body(DOCS)
}

/// What a code means.
#[derive(Serialize)]
struct Explanation {
    code: &'static str,
    status: u16,
    title: &'static str,
    explanation: &'static str,
}

async fn problem(name: web::Path<String>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let code = Code::named(&name).ok_or_else(Problem::not_found)?;
    let accepted = Accepted::of(&request);
    let wants_page = accepted.quality(&TEXT_HTML) > accepted.quality(&APPLICATION_JSON);
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .insert_header((header::VARY, "accept"));
    if !wants_page {
        return Ok(answer.json(Explanation {
            code: code.name(),
            status: code.status().as_u16(),
            title: code.title(),
            explanation: code.explanation(),
        }));
    }
    // Every word is from our own list, and none of them holds a character that HTML gives a meaning.
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <h1>{title}</h1><p><code>{name}</code>, status {status}</p><p>{explanation}</p></html>",
        title = code.title(),
        name = code.name(),
        status = code.status().as_u16(),
        explanation = code.explanation(),
    );
    Ok(answer.content_type("text/html; charset=utf-8").body(page))
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn no_explanation_needs_escaping() {
        for code in Code::ALL {
            let words = [code.title(), code.explanation()].concat();
            assert!(!words.contains(['<', '>', '&', '"']), "{}", code.name());
        }
    }
}
