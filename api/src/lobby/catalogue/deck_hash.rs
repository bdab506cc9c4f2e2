//! The name of a deck's exact content.

use serde::{Deserialize, Serialize};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, schema::Type};
use utoipa::{PartialSchema, ToSchema};

/// SHA-256 of a deck's document in RFC 8785 form. On the wire 64 lowercase hex digits and nothing else: one
/// deck has one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct DeckHash(pub(crate) [u8; 32]);

/// A string that is no deck hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 of the characters 0-9 a-f")]
pub(crate) struct InvalidDeckHash;

impl TryFrom<String> for DeckHash {
    type Error = InvalidDeckHash;

    fn try_from(text: String) -> Result<Self, InvalidDeckHash> {
        let mut hash = [0; 32];
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(InvalidDeckHash);
        }
        hex::decode_to_slice(text, &mut hash).map_err(|_| InvalidDeckHash)?;
        Ok(Self(hash))
    }
}

impl From<DeckHash> for String {
    fn from(hash: DeckHash) -> Self {
        hash.to_string()
    }
}

impl std::fmt::Display for DeckHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl PartialSchema for DeckHash {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("SHA-256 of a deck's document, in hex."))
            .min_length(Some(64))
            .max_length(Some(64))
            .pattern(Some("^[0-9a-f]{64}$"))
            .into()
    }
}

impl ToSchema for DeckHash {}

#[cfg(test)]
mod tests {
    use super::DeckHash;

    #[test]
    fn a_hash_has_one_spelling() {
        let text = "0f".repeat(32);
        let hash = DeckHash::try_from(text.clone()).unwrap();
        assert_eq!((hash.0, hash.to_string()), ([0x0f; 32], text));
        for wrong in [
            "",
            "demo",
            &"0F".repeat(32),
            &"0f".repeat(31),
            &"0f".repeat(33),
            &"0g".repeat(32),
        ] {
            assert!(DeckHash::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
