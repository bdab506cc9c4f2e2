//! What can be played: the five games and the decks. Public reference: nothing here depends on who asks.

mod deck;
mod deck_document;
mod deck_hash;
mod deck_shelf;
mod game;
mod get_deck;
mod get_deck_by_hash;
mod list_decks;
mod list_games;
mod options;
mod store;
mod words;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use deck_hash::DeckHash;
pub(crate) use deck_shelf::DeckShelf;

/// The operations of the catalogue, below `/v1`.
pub(crate) fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(list_games::list_games)
        .service(list_decks::list_decks)
        .service(get_deck::get_deck)
        .service(get_deck_by_hash::get_deck_by_hash);
}
