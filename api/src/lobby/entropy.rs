//! What a player adds to the randomness of the deal.

use serde::{Deserialize, Deserializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, schema::Type};

/// 1 to 128 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entropy(pub(super) String);

impl<'de> Deserialize<'de> for Entropy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_visible = text.bytes().all(|byte| (0x21..=0x7e).contains(&byte));
        if is_visible && (1..=128).contains(&text.len()) {
            Ok(Self(text))
        } else {
            Err(serde::de::Error::custom(
                "expected 1 to 128 visible ASCII characters",
            ))
        }
    }
}

impl utoipa::PartialSchema for Entropy {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(
                "Visible ASCII characters that go into the shuffle; a random text is best.",
            ))
            .min_length(Some(1))
            .max_length(Some(128))
            .pattern(Some("^[!-~]+$"))
            .examples(["b7Kq2xW9"])
            .into()
    }
}

impl utoipa::ToSchema for Entropy {}
