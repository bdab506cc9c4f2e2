//! The key that seals what must not be read from a copy of the database.

use std::str::FromStr;

/// 32 secret bytes; never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct SealKey([u8; 32]);

/// A text that is no seal key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hex digits")]
pub struct InvalidSealKey;

impl SealKey {
    /// The key with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// As it stands in the environment and in the file beside a database.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }
}

impl FromStr for SealKey {
    type Err = InvalidSealKey;

    fn from_str(text: &str) -> Result<Self, InvalidSealKey> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| InvalidSealKey)?;
        Ok(Self(bytes))
    }
}

impl std::fmt::Debug for SealKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealKey(..)")
    }
}
