//! Sealing what must not be read from a copy of the database: private keys and the seeds of running matches.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use crate::clock::Randomness;
use crate::config::SealKey;

const NONCE_BYTES: usize = 24;

/// Seals and opens under one key, XChaCha20-Poly1305.
///
/// Each sealed value is bound to its table and row, so that it cannot be moved to another.
pub struct Seal {
    cipher: XChaCha20Poly1305,
}

/// A sealed value that this key, table and row do not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a sealed value does not open: SEAL_KEY is not the one it was sealed with, or it was altered")]
pub struct SealBroken;

/// Why the file with the seal key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SealKeyFileError {
    /// It cannot be read or made.
    #[error("cannot use {path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It holds something else.
    #[error("{path} does not hold a seal key of 64 hex digits")]
    Malformed {
        /// The file.
        path: String,
    },
    /// It is gone, while the database holds values sealed with it.
    #[error("{path} is missing, but the database holds values sealed with it; a new key would not open them")]
    Missing {
        /// The file.
        path: String,
    },
}

impl Seal {
    /// A seal with this key.
    #[must_use]
    pub fn new(key: &SealKey) -> Self {
        Self {
            cipher: XChaCha20Poly1305::new(key.as_bytes().into()),
        }
    }

    /// Seals `plain` for one row of one table: nonce, then ciphertext with its tag.
    pub fn seal(&self, randomness: &dyn Randomness, table: &str, row_id: &[u8], plain: &[u8]) -> Vec<u8> {
        let mut sealed = vec![0; NONCE_BYTES];
        randomness.fill(&mut sealed);
        let bound_to = [table.as_bytes(), row_id].concat();
        let payload = Payload {
            msg: plain,
            aad: &bound_to,
        };
        let ciphertext = self
            .cipher
            .encrypt(&nonce(&sealed), payload)
            .expect("a seed or key is far below the cipher's limit of 256 GiB");
        sealed.extend_from_slice(&ciphertext);
        sealed
    }

    /// Opens what was sealed for that row of that table.
    ///
    /// # Errors
    ///
    /// [`SealBroken`] if it was sealed with another key or for another row, or was altered.
    pub fn open(&self, table: &str, row_id: &[u8], sealed: &[u8]) -> Result<Vec<u8>, SealBroken> {
        let (start, ciphertext) = sealed.split_at_checked(NONCE_BYTES).ok_or(SealBroken)?;
        let bound_to = [table.as_bytes(), row_id].concat();
        let payload = Payload {
            msg: ciphertext,
            aad: &bound_to,
        };
        self.cipher
            .decrypt(&nonce(start), payload)
            .map_err(|_| SealBroken)
    }
}

fn nonce(bytes: &[u8]) -> XNonce {
    let mut nonce = XNonce::default();
    nonce.copy_from_slice(&bytes[..NONCE_BYTES]);
    nonce
}

/// The key in `path`; a new one, readable by its owner alone, if there is no file and nothing was ever sealed.
///
/// # Errors
///
/// [`SealKeyFileError`]; nothing is overwritten.
pub(crate) fn key_from_file(
    path: &Path,
    randomness: &dyn Randomness,
    anything_sealed: bool,
) -> Result<SealKey, SealKeyFileError> {
    let shown = || path.display().to_string();
    let failed = |source| SealKeyFileError::File {
        path: shown(),
        source,
    };
    match std::fs::File::open(path) {
        Ok(mut file) => {
            let mut text = String::new();
            file.read_to_string(&mut text).map_err(failed)?;
            text.trim()
                .parse()
                .map_err(|_| SealKeyFileError::Malformed { path: shown() })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if anything_sealed {
                return Err(SealKeyFileError::Missing { path: shown() });
            }
            let mut bytes = [0; 32];
            randomness.fill(&mut bytes);
            let key = SealKey::from_bytes(bytes);
            write_private(path, &key, OpenOptions::new().create_new(true)).map_err(failed)?;
            Ok(key)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Writes a key to a file that its owner alone may read.
fn write_private(path: &Path, key: &SealKey, options: &mut OpenOptions) -> std::io::Result<()> {
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{}", key.to_hex())?;
    file.sync_all()
}

/// Where the key waits that will replace the one in `path`.
fn next_to(path: &Path) -> PathBuf {
    let mut next = path.as_os_str().to_owned();
    next.push(".next");
    next.into()
}

/// Keeps the key that will replace the one in `path` in a file beside it.
///
/// # Errors
///
/// [`SealKeyFileError`] when it cannot be written.
pub(crate) fn write_next_key(path: &Path, key: &SealKey) -> Result<(), SealKeyFileError> {
    let next = next_to(path);
    write_private(&next, key, OpenOptions::new().create(true).truncate(true)).map_err(|source| {
        SealKeyFileError::File {
            path: next.display().to_string(),
            source,
        }
    })
}

/// Puts the key of [`write_next_key`] in the place of the one in `path`.
///
/// # Errors
///
/// [`SealKeyFileError`] when it cannot be moved; it stays beside `path` then.
pub(crate) fn adopt_next_key(path: &Path) -> Result<(), SealKeyFileError> {
    std::fs::rename(next_to(path), path).map_err(|source| SealKeyFileError::File {
        path: path.display().to_string(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::{Seal, SealBroken, SealKeyFileError, key_from_file};
    use crate::clock::SeededRandomness;
    use crate::config::SealKey;

    #[test]
    fn only_the_same_key_table_and_row_open_a_sealed_value() {
        let randomness = SeededRandomness::new(1);
        let seal = Seal::new(&SealKey::from_bytes([1; 32]));
        let mut sealed = seal.seal(&randomness, "keys", b"k1", b"secret");
        assert_eq!(seal.open("keys", b"k1", &sealed).unwrap(), b"secret");
        assert_eq!(seal.open("keys", b"k2", &sealed), Err(SealBroken));
        assert_eq!(seal.open("match_secrets", b"k1", &sealed), Err(SealBroken));
        let other = Seal::new(&SealKey::from_bytes([2; 32]));
        assert_eq!(other.open("keys", b"k1", &sealed), Err(SealBroken));
        assert_ne!(sealed, seal.seal(&randomness, "keys", b"k1", b"secret"));
        if let Some(byte) = sealed.last_mut() {
            *byte ^= 1;
        }
        assert_eq!(seal.open("keys", b"k1", &sealed), Err(SealBroken));
        assert_eq!(seal.open("keys", b"k1", b"short"), Err(SealBroken));
    }

    #[test]
    fn a_key_is_made_once_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("q.seal-key");
        let randomness = SeededRandomness::new(1);
        assert!(matches!(
            key_from_file(&path, &randomness, true),
            Err(SealKeyFileError::Missing { .. })
        ));
        assert!(!path.exists());
        let made = key_from_file(&path, &randomness, false).unwrap();
        assert_eq!(key_from_file(&path, &randomness, true).unwrap(), made);
        std::fs::write(&path, "not a key").unwrap();
        assert!(matches!(
            key_from_file(&path, &randomness, false),
            Err(SealKeyFileError::Malformed { .. })
        ));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "not a key");
    }
}
