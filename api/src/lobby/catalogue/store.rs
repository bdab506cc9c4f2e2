//! The statements of the catalogue.

use quartett_engine::Deck;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};

use super::deck_hash::DeckHash;
use crate::db::sql;

/// Stores a deck's document under its hash; storing it again changes nothing.
pub(super) async fn insert_deck(
    connection: &impl ConnectionTrait,
    deck: &Deck,
    created_at: i64,
) -> Result<(), DbErr> {
    let statement = sql(
        connection,
        "INSERT INTO decks (hash, deck_id, document, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (hash) DO NOTHING",
        [
            deck.hash().to_vec().into(),
            deck.document().deck_id.as_str().into(),
            deck.canonical().to_vec().into(),
            created_at.into(),
        ],
    );
    connection.execute_raw(statement).await.map(|_| ())
}

#[derive(Debug, FromQueryResult)]
struct DocumentRow {
    document: Vec<u8>,
}

/// The document stored under a hash, as it is there.
pub(super) async fn deck_document(
    connection: &impl ConnectionTrait,
    hash: DeckHash,
) -> Result<Option<Vec<u8>>, DbErr> {
    let statement = sql(
        connection,
        "SELECT document FROM decks WHERE hash = $1",
        [hash.0.to_vec().into()],
    );
    let row = DocumentRow::find_by_statement(statement).one(connection).await?;
    Ok(row.map(|row| row.document))
}
