//! Giving a deck's exact content.

use actix_web::{HttpResponse, get, web};
use quartett_engine::deck::DeckDocument as Document;

use super::deck_document::DeckDocument;
use super::deck_hash::DeckHash;
use super::get_deck::demo;
use crate::app::App;
use crate::http::{IMMUTABLE, Problem};

/// Show a deck's exact content
///
/// The bytes that the hash was taken of, for ever the same, also when the deck is no longer offered: whoever checks a
/// match begins here.
#[utoipa::path(
    operation_id = "getDeckByHash",
    tag = "lobby",
    security(()),
    params((
        "hash" = DeckHash,
        Path,
        description = "SHA-256 of the deck's document, in hex.",
        example = json!(demo().map(|deck| DeckHash(*deck.hash()))),
    )),
    responses((
        status = 200,
        description = "The deck's document.",
        content_type = "application/json",
        body = DeckDocument,
        example = json!(example()),
    )),
)]
#[get("/decks/by-hash/{hash}")]
pub(super) async fn get_deck_by_hash(
    app: web::Data<App>,
    hash: web::Path<DeckHash>,
) -> Result<HttpResponse, Problem> {
    let deck = app.decks.by_hash(*hash).await?.ok_or_else(Problem::not_found)?;
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .insert_header(IMMUTABLE)
        .body(deck.canonical().to_vec()))
}

/// The document of the demo deck, cut down to the cards of one group.
fn example() -> Option<Document> {
    let mut document = demo()?.document().clone();
    document.groups.truncate(1);
    document.cards.truncate(4);
    Some(document)
}
