//! The published documents, made from the routes by one deterministic pass.
//!
//! [`document`] is OpenAPI 3.1 and the source of truth; [`twin()`] is the same in 3.0.3 for older generators.
//! Both are committed and reviewed like code.

mod conform;
mod problems;
mod twin;

use actix_web::App as ActixApp;
use serde_json::Value;
use utoipa::OpenApi;
use utoipa_actix_web::AppExt;

pub use twin::twin;

use super::problem::ProblemBody;
use super::routes::routes;

/// What stands in the document besides operations.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Quartett",
        description = "Play card games of the Quartett family: find opponents, play turn by turn at a distance, \
                       and check afterwards that the deal was fair.\n\nEvery error is `application/problem+json` \
                       with a stable `code`. Times are UTC. The `Date` header is the service's clock.",
        license(name = "Apache-2.0", url = "https://www.apache.org/licenses/LICENSE-2.0.html"),
        contact(name = "The operator of this service"),
    ),
    servers((url = "/", description = "The service that gave this document.")),
    components(schemas(ProblemBody)),
)]
struct Frame;

/// Every tag with its description, in the order of the document.
const TAGS: [(&str, &str); 6] = [
    (
        "accounts",
        "Guests, registered players, their devices and tokens.",
    ),
    ("history", "What happened in a match, and proof that it was fair."),
    (
        "live",
        "The caller's matches, and streams that tell what has just happened.",
    ),
    ("lobby", "Games, decks, and finding a match."),
    ("play", "The match as it is, and acting in it."),
    ("service", "The service itself: health and keys."),
];

/// The document, OpenAPI 3.1. Needs neither a database nor an environment.
#[must_use]
pub fn document() -> Value {
    let described = ActixApp::new()
        .into_utoipa_app()
        .openapi(Frame::openapi())
        .configure(routes)
        .split_for_parts()
        .1;
    let mut document = serde_json::to_value(described).expect("a document is made of strings and maps");
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    conform::conform(&mut document, &TAGS);
    problems::list_codes(&mut document);
    document
}

/// A document as it is committed and served.
#[must_use]
pub fn text(document: &Value) -> String {
    let mut sorted = document.clone();
    sorted.sort_all_objects();
    let mut text = serde_json::to_string_pretty(&sorted).expect("a JSON value can be written");
    text.push('\n');
    text
}

/// Both documents, by the names of their files.
#[must_use]
pub fn files() -> [(&'static str, String); 2] {
    let document = document();
    [
        ("openapi-3.0.json", text(&twin(&document))),
        ("openapi.json", text(&document)),
    ]
}
