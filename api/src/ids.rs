//! Ids as types: a player's cannot be passed where a match's is meant.
//!
//! On the wire an id is an opaque string. A path with a string that is no id names nothing, so it answers
//! 404 like any other id that does not exist.

use sea_orm::{DbErr, DeriveValueType, TryFromU64};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::{Clock, Randomness, new_uuid};

/// A string that is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id of this service")]
pub struct InvalidId;

macro_rules! ids {
    ($($(#[$doc:meta])* $Id:ident),+ $(,)?) => { $(
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, DeriveValueType,
        )]
        #[serde(try_from = "String", into = "String")]
        pub struct $Id(Uuid);

        impl $Id {
            /// A new id: sorts by the time it was made, cannot be guessed.
            pub fn new(clock: &dyn Clock, randomness: &dyn Randomness) -> Self {
                Self(new_uuid(clock, randomness))
            }

            /// Reads the one form in which ids are written: 36 characters with hyphens.
            ///
            /// # Errors
            ///
            /// [`InvalidId`] for anything else.
            pub fn parse(text: &str) -> Result<Self, InvalidId> {
                // `Uuid` reads more forms; one id must have one spelling.
                let id = Uuid::try_parse(text).map(Self).map_err(|_| InvalidId)?;
                if id.to_string() == text { Ok(id) } else { Err(InvalidId) }
            }

            /// The id as the database keeps it.
            #[must_use]
            pub const fn as_uuid(self) -> Uuid {
                self.0
            }
        }

        impl From<Uuid> for $Id {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl From<$Id> for String {
            fn from(id: $Id) -> Self {
                id.to_string()
            }
        }

        impl TryFrom<String> for $Id {
            type Error = InvalidId;
            fn try_from(text: String) -> Result<Self, InvalidId> {
                Self::parse(&text)
            }
        }

        impl std::str::FromStr for $Id {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Self::parse(text)
            }
        }

        impl std::fmt::Display for $Id {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        // A uuid key is never made by the database from a counter; sea-orm asks all the same.
        impl TryFromU64 for $Id {
            fn try_from_u64(_: u64) -> Result<Self, DbErr> {
                Err(DbErr::ConvertFromU64(stringify!($Id)))
            }
        }

        impl utoipa::PartialSchema for $Id {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .description(Some("An id: an opaque string."))
                    .max_length(Some(36))
                    .into()
            }
        }

        impl utoipa::ToSchema for $Id {}
    )+ };
}

ids! {
    /// Names a player, guest or registered.
    PlayerId,
    /// Names one signed-in device of a player.
    SessionId,
    /// Names a match.
    MatchId,
    /// Names a wish to be matched with others.
    TicketId,
}

#[cfg(test)]
mod tests {
    use super::{InvalidId, PlayerId};

    #[test]
    fn an_id_has_one_spelling() {
        let text = "018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10";
        assert_eq!(
            PlayerId::parse(text).map(|id| id.to_string()),
            Ok(text.to_owned())
        );
        for wrong in [
            "",
            "me",
            "018f2f6e7c3a7b3e9a550d8f5d9b7a10",
            "018F2F6E-7C3A-7B3E-9A55-0D8F5D9B7A10",
            "{018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10}",
        ] {
            assert_eq!(PlayerId::parse(wrong), Err(InvalidId), "{wrong}");
        }
    }
}
