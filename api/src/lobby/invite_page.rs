//! What somebody sees who follows the link of an invite in a browser.

use actix_web::http::header;
use actix_web::{HttpResponse, web};

use super::invite_code::InviteCode;
use crate::http::Problem;

/// A page that needs nothing from elsewhere; `{code}` stands for the code.
const PAGE: &str = include_str!("invite_page.html");

/// The page's own script and style, and the preview it reads.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'";

/// The path of the page.
pub(crate) const PATH: &str = "/invite/{code}";

/// The page. It says the same for every code: whether one is good, its script asks.
pub(crate) async fn page(code: web::Path<String>) -> Result<HttpResponse, Problem> {
    // Only digits and letters pass, so nothing in the page needs to be quoted.
    let code = InviteCode::parse(&code).ok_or_else(Problem::not_found)?;
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(PAGE.replace("{code}", code.as_str())))
}
