//! temporary, replaced by the catalogue branch
use std::sync::Arc;
use quartett_engine::{Deck, deck::built_in};
use crate::http::Problem;
pub(crate) struct DeckHash(pub(crate) [u8; 32]);
pub(crate) struct DeckShelf;
impl DeckShelf {
    pub(crate) fn by_id(&self, id: &str) -> Option<Arc<Deck>> { built_in().iter().find(|d| d.document().deck_id == id).cloned() }
    pub(crate) async fn by_hash(&self, hash: DeckHash) -> Result<Option<Arc<Deck>>, Problem> { Ok(built_in().iter().find(|d| *d.hash() == hash.0).cloned()) }
}
