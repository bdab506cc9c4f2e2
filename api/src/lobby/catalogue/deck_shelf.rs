//! Every deck that matches are or ever were played with.
//!
//! A match pins its deck by hash, so a deck that was edited or taken out of the service must stay readable as
//! it was: the documents of all decks are kept in the database, and are never trusted without their hash.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use quartett_engine::Deck;
use quartett_engine::deck::{DeckError, built_in};
use sea_orm::DbErr;
use sha2::{Digest, Sha256};

use super::deck_hash::DeckHash;
use super::store;
use crate::clock::Clock;
use crate::db::Database;
use crate::http::Problem;

/// How many decks that are no longer offered are kept in memory.
const MOST_KEPT: NonZeroUsize = NonZeroUsize::new(64).expect("it is not 0");

/// The decks that are offered, and by hash every deck that ever was.
pub(crate) struct DeckShelf {
    db: Database,
    offered: Vec<Arc<Deck>>,
    /// Decks read from the database.
    kept: Mutex<LruCache<DeckHash, Arc<Deck>>>,
}

/// Why a deck cannot be had though a match may need it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShelfFault {
    /// The database does not answer.
    #[error("cannot read a deck: {0}")]
    Database(#[from] DbErr),
    /// What is stored is not what was stored: another deck would be another game.
    #[error("the document stored as deck {0} has another hash")]
    Altered(DeckHash),
    /// What is stored is what was stored, but it is no deck for this build.
    #[error("the document stored as deck {hash} cannot be read: {source}")]
    Unreadable {
        /// The deck.
        hash: DeckHash,
        /// What is wrong with it.
        source: DeckError,
    },
    /// This build would write the same document otherwise, so its deck would have another hash.
    #[error("the document stored as deck {0} means something else to this build")]
    Reread(DeckHash),
}

impl From<ShelfFault> for Problem {
    fn from(fault: ShelfFault) -> Self {
        match fault {
            ShelfFault::Database(error) => error.into(),
            ShelfFault::Altered(_) | ShelfFault::Unreadable { .. } | ShelfFault::Reread(_) => {
                Self::internal(fault)
            }
        }
    }
}

impl DeckShelf {
    /// The decks that come with the service, all of them stored, so that a later build that no longer brings
    /// one still has it for the matches that pin it.
    pub(crate) async fn open(db: &Database, clock: &dyn Clock) -> Result<Self, DbErr> {
        let shelf = Self::offering(db, built_in().to_vec());
        for deck in &shelf.offered {
            shelf.store(deck, clock.now_millis()).await?;
        }
        Ok(shelf)
    }

    fn offering(db: &Database, offered: Vec<Arc<Deck>>) -> Self {
        Self {
            db: db.clone(),
            offered,
            kept: Mutex::new(LruCache::new(MOST_KEPT)),
        }
    }

    /// The decks that a new match may be played with, in the order they are listed.
    pub(crate) fn offered(&self) -> &[Arc<Deck>] {
        &self.offered
    }

    /// The deck that is offered under this id.
    pub(crate) fn by_id(&self, id: &str) -> Option<Arc<Deck>> {
        self.offered
            .iter()
            .find(|deck| deck.document().deck_id == id)
            .cloned()
    }

    /// The deck with exactly this content, offered or not.
    pub(crate) async fn by_hash(&self, hash: DeckHash) -> Result<Option<Arc<Deck>>, ShelfFault> {
        let offered = self.offered.iter().find(|deck| *deck.hash() == hash.0);
        if let Some(deck) = offered.cloned().or_else(|| self.kept(hash)) {
            return Ok(Some(deck));
        }
        let Some(document) = store::deck_document(self.db.read(), hash).await? else {
            return Ok(None);
        };
        let deck = Arc::new(read(&document, hash)?);
        self.keep(&deck);
        Ok(Some(deck))
    }

    /// Stores a deck for ever; storing it again changes nothing.
    pub(crate) async fn store(&self, deck: &Deck, now_millis: i64) -> Result<(), DbErr> {
        store::insert_deck(self.db.write(), deck, now_millis).await
    }

    fn kept(&self, hash: DeckHash) -> Option<Arc<Deck>> {
        self.cache().get(&hash).cloned()
    }

    fn keep(&self, deck: &Arc<Deck>) {
        self.cache().put(DeckHash(*deck.hash()), deck.clone());
    }

    fn cache(&self) -> MutexGuard<'_, LruCache<DeckHash, Arc<Deck>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a stored document, and believes it only under its own hash.
fn read(document: &[u8], hash: DeckHash) -> Result<Deck, ShelfFault> {
    if <[u8; 32]>::from(Sha256::digest(document)) != hash.0 {
        return Err(ShelfFault::Altered(hash));
    }
    let deck = std::str::from_utf8(document)
        .map_err(|error| DeckError::Malformed(error.to_string()))
        .and_then(Deck::parse)
        .map_err(|source| ShelfFault::Unreadable { hash, source })?;
    if *deck.hash() == hash.0 {
        Ok(deck)
    } else {
        Err(ShelfFault::Reread(hash))
    }
}

#[cfg(test)]
mod tests {
    use super::{DeckShelf, MOST_KEPT, ShelfFault};
    use crate::clock::ManualClock;
    use crate::config::Config;
    use crate::db::{Database, sql};
    use crate::lobby::catalogue::DeckHash;
    use quartett_engine::Deck;
    use quartett_engine::deck::built_in;
    use sea_orm::ConnectionTrait;
    use sha2::{Digest, Sha256};
    use std::sync::Arc;

    async fn database() -> (Database, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/q.db", folder.path().display());
        let config = Config::read(|name| (name == "DATABASE_URL").then(|| url.clone())).unwrap();
        (Database::open(&config).await.unwrap(), folder)
    }

    /// The demo deck under another id.
    fn renamed(id: &str) -> Deck {
        let mut document = built_in()[2].document().clone();
        id.clone_into(&mut document.deck_id);
        Deck::new(document).unwrap()
    }

    async fn alter(db: &Database, hash: DeckHash, document: &[u8]) {
        let statement = sql(
            db.write(),
            "UPDATE decks SET document = $2 WHERE hash = $1",
            [hash.0.to_vec().into(), document.to_vec().into()],
        );
        db.write().execute_raw(statement).await.unwrap();
    }

    #[tokio::test]
    async fn a_deck_that_is_no_longer_offered_is_still_found_by_its_hash() {
        let (db, _folder) = database().await;
        let clock = ManualClock::at(1);
        DeckShelf::open(&db, &clock).await.unwrap();
        DeckShelf::open(&db, &clock).await.unwrap();
        let later = DeckShelf::offering(&db, built_in()[..1].to_vec());
        for deck in built_in() {
            let hash = DeckHash(*deck.hash());
            let found = later.by_hash(hash).await.unwrap().unwrap();
            assert_eq!(found.canonical(), deck.canonical());
            let again = later.by_hash(hash).await.unwrap().unwrap();
            assert!(Arc::ptr_eq(&found, &again), "read once");
        }
        assert_eq!(later.cache().len(), built_in().len() - 1);
        assert!(later.by_id("wohnbau").is_some() && later.by_id("demo").is_none());
        assert!(later.by_hash(DeckHash([0; 32])).await.unwrap().is_none());
        db.close().await;
    }

    #[tokio::test]
    async fn an_altered_document_is_an_error_and_never_another_game() {
        let (db, _folder) = database().await;
        let shelf = DeckShelf::offering(&db, Vec::new());
        let deck = renamed("mine");
        let hash = DeckHash(*deck.hash());
        shelf.store(&deck, 1).await.unwrap();
        alter(&db, hash, renamed("yours").canonical()).await;
        assert!(matches!(shelf.by_hash(hash).await, Err(ShelfFault::Altered(of)) if of == hash));

        // Storing it again does not overwrite what is there.
        shelf.store(&deck, 2).await.unwrap();
        assert!(shelf.by_hash(hash).await.is_err());
        alter(&db, hash, deck.canonical()).await;
        assert!(shelf.by_hash(hash).await.unwrap().is_some());
        db.close().await;
    }

    #[test]
    fn a_document_is_believed_only_if_this_build_would_write_it_so() {
        let hash_of = |text: &[u8]| DeckHash(Sha256::digest(text).into());
        let spaced = [built_in()[2].canonical(), b" "].concat();
        let read = super::read(&spaced, hash_of(&spaced));
        assert!(matches!(read, Err(ShelfFault::Reread(_))));
        let read = super::read(b"{}", hash_of(b"{}"));
        assert!(matches!(read, Err(ShelfFault::Unreadable { .. })));
        let read = super::read(b"\xff", hash_of(b"\xff"));
        assert!(matches!(read, Err(ShelfFault::Unreadable { .. })));
    }

    #[tokio::test]
    async fn a_bounded_number_of_decks_is_kept_those_used_last() {
        let (db, _folder) = database().await;
        let shelf = DeckShelf::offering(&db, Vec::new());
        let most = MOST_KEPT.get();
        let decks: Vec<Arc<Deck>> = (0..=most)
            .map(|number| Arc::new(renamed(&format!("d{number}"))))
            .collect();
        for deck in &decks[..most] {
            shelf.keep(deck);
        }
        let first = DeckHash(*decks[0].hash());
        assert!(shelf.kept(first).is_some());
        shelf.keep(&decks[most]);
        assert!(shelf.kept(first).is_some(), "used just before");
        assert!(shelf.kept(DeckHash(*decks[1].hash())).is_none());
        assert_eq!(shelf.cache().len(), most);
        db.close().await;
    }
}
