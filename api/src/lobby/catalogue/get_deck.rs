//! Showing a deck.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use quartett_engine::Deck as EngineDeck;
use quartett_engine::deck::built_in;

use super::deck::Deck;
use crate::app::App;
use crate::http::{Etag, Problem, tagged};

/// Show a deck
///
/// The deck as it is offered now, with all its cards and values: public reference, as in leafing through it. A match
/// keeps the deck it began with; that one is had by its hash.
#[utoipa::path(
    operation_id = "getDeck",
    tag = "lobby",
    security(()),
    params(("deck_id" = String, Path, description = "The deck.", max_length = 32, example = "wohnbau")),
    responses((status = 200, description = "The deck.", body = Deck, example = json!(example()))),
)]
#[get("/decks/{deck_id}")]
pub(super) async fn get_deck(
    app: web::Data<App>,
    request: HttpRequest,
    deck_id: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let deck = app.decks.by_id(&deck_id).ok_or_else(Problem::not_found)?;
    Ok(tagged(
        &request,
        &Etag::over([deck.hash().as_slice()]),
        &Deck::from(&*deck),
    ))
}

/// The deck whose examples stand in the document.
pub(super) fn demo() -> Option<&'static EngineDeck> {
    let mut decks = built_in().iter().map(Arc::as_ref);
    decks.find(|deck| deck.document().deck_id == "demo")
}

/// The demo deck, cut down to the cards of one group.
fn example() -> Option<Deck> {
    let mut deck = Deck::from(demo()?);
    deck.groups.truncate(1);
    deck.cards.truncate(4);
    Some(deck)
}
