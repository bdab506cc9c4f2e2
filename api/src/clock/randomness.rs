//! Where random bytes come from.

use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

/// Gives bytes nobody can predict; in tests, bytes that repeat.
pub trait Randomness: Send + Sync + 'static {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// The system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        // A service without randomness would hand out guessable tokens and deals: it must not go on.
        getrandom::fill(bytes).expect("the system has a random generator");
    }
}

/// Repeatable bytes for tests: SHA-256 over a seed and a counter.
#[derive(Debug)]
pub struct SeededRandomness {
    seed: u64,
    blocks: AtomicU64,
}

impl SeededRandomness {
    /// The same seed gives the same bytes in the same order.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            blocks: AtomicU64::new(0),
        }
    }
}

impl Randomness for SeededRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(32) {
            let block = self.blocks.fetch_add(1, Ordering::Relaxed);
            let mut hash = Sha256::new();
            hash.update(self.seed.to_be_bytes());
            hash.update(block.to_be_bytes());
            let digest = hash.finalize();
            let size = chunk.len();
            chunk.copy_from_slice(&digest[..size]);
        }
    }
}
