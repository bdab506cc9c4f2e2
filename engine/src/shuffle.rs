//! Seed, commitment, keyed stream and Fisher-Yates, byte by byte, so that anyone can check a deal.
//!
//! With `lp(x)` the 4-byte big-endian length of x before x:
//!
//! * commitment = SHA-256(`quartett-seed-v1` ‖ match id ‖ seed), published before anyone can join;
//! * deal key = HMAC-SHA-256(seed, `quartett-deal-v1` ‖ match id ‖ lp(entropy of seat 0) ‖ … ‖ lp(entropy of
//!   seat n-1)), absent entropy being empty;
//! * stream = ChaCha20 (RFC 8439, counter from 0) under the deal key, its 12-byte nonce being the purpose as
//!   u32 little-endian and the version of the entry as u64 little-endian; words are u32 little-endian;
//! * `below(n)`: take words, reject w ≥ 2³² − (2³² mod n), the result is w mod n;
//! * shuffle: for i = n−1 down to 1 swap i with below(i+1).

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// The secret a deal is made of: 32 bytes, drawn at creation, revealed at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

impl std::fmt::Debug for Seed {
    /// A seed never reaches a log line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(..)")
    }
}

/// What binds a seed before anyone joins: 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Commitment(pub [u8; 32]);

impl Seed {
    /// The commitment of this seed for a match.
    pub fn commitment(&self, match_id: &[u8; 16]) -> Commitment {
        Commitment(
            Sha256::new()
                .chain_update(b"quartett-seed-v1")
                .chain_update(match_id)
                .chain_update(self.0)
                .finalize()
                .into(),
        )
    }

    /// The key of a match's deal, from the seed and what each seat added.
    pub fn deal_key<'a>(
        &self,
        match_id: &[u8; 16],
        entropies: impl IntoIterator<Item = Option<&'a str>>,
    ) -> DealKey {
        let mut mac = keyed(&self.0);
        mac.update(b"quartett-deal-v1");
        mac.update(match_id);
        for entropy in entropies {
            let entropy = entropy.unwrap_or_default().as_bytes();
            mac.update(&(entropy.len() as u32).to_be_bytes());
            mac.update(entropy);
        }
        DealKey(mac.finalize().into_bytes().into())
    }

    /// The blinding key of an entry's payload: HMAC-SHA-256(seed, `quartett-blind-v1` ‖ match id ‖ version).
    /// Reveals nothing of the seed; it may be given away with the payload it blinds, never without.
    pub fn blind(&self, match_id: &[u8; 16], version: u64) -> [u8; 32] {
        let mut mac = keyed(&self.0);
        mac.update(b"quartett-blind-v1");
        mac.update(match_id);
        mac.update(&version.to_be_bytes());
        mac.finalize().into_bytes().into()
    }
}

/// HMAC-SHA-256 under a 32-byte key.
pub(crate) fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of any length")
}

/// What a stream is for; no two purposes share words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Drawing the starter.
    Starter = 1,
    /// Shuffling the deck.
    Deal = 2,
    /// Mixing won cards.
    Mix = 3,
    /// A bot's choices.
    Bot = 4,
}

/// The key of all of a match's randomness.
#[derive(Clone, PartialEq, Eq)]
pub struct DealKey([u8; 32]);

impl std::fmt::Debug for DealKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DealKey(..)")
    }
}

impl DealKey {
    /// The key's bytes. Whoever has them knows every card: not before the match has ended.
    pub fn reveal(&self) -> [u8; 32] {
        self.0
    }

    /// The stream of one purpose in the entry `version`.
    pub fn stream(&self, purpose: Purpose, version: u64) -> Stream {
        let mut nonce = [0; 12];
        nonce[..4].copy_from_slice(&(purpose as u32).to_le_bytes());
        nonce[4..].copy_from_slice(&version.to_le_bytes());
        Stream {
            cipher: ChaCha20::new(&self.0.into(), &nonce.into()),
            block: [0; 64],
            used: 64,
        }
    }
}

/// An endless stream of words.
pub struct Stream {
    cipher: ChaCha20,
    block: [u8; 64],
    used: usize,
}

impl Stream {
    /// The next word.
    pub fn word(&mut self) -> u32 {
        if self.used == self.block.len() {
            self.block = [0; 64];
            self.cipher.apply_keystream(&mut self.block);
            self.used = 0;
        }
        let word = self.block[self.used..]
            .first_chunk()
            .expect("words fill a block evenly");
        self.used += 4;
        u32::from_le_bytes(*word)
    }

    /// An even draw from `0..n`; it takes at least one word, also if `n` is 1. 0 without a word for `n` = 0.
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let rejected = (1_u64 << 32) % u64::from(n);
        loop {
            let word = self.word();
            if u64::from(word) < (1_u64 << 32) - rejected {
                return word % n;
            }
        }
    }

    /// An even draw from a slice.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len() as u32) as usize).copied()
    }

    /// Fisher-Yates, from the last down.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// Orders won cards before they go under the winner's stack.
pub trait Mixer {
    /// Puts `cards`, given in the order they were laid, into the order in which they go under.
    fn mix(&mut self, cards: &mut [crate::card::Card]);
}

impl Mixer for Stream {
    fn mix(&mut self, cards: &mut [crate::card::Card]) {
        self.shuffle(cards);
    }
}

/// Leaves won cards in the order they were laid: for positions set up by hand.
#[derive(Debug, Clone, Copy, Default)]
pub struct InOrder;

impl Mixer for InOrder {
    fn mix(&mut self, _: &mut [crate::card::Card]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> DealKey {
        Seed([7; 32]).deal_key(&[1; 16], [Some("apple"), None])
    }

    /// RFC 8439, section 2.4.2 uses counter 1; this is appendix A.1, vector 1: zero key, zero nonce, counter 0.
    #[test]
    fn the_stream_is_chacha20_of_rfc_8439() {
        let mut cipher = ChaCha20::new(&[0; 32].into(), &[0; 12].into());
        let mut block = [0; 16];
        cipher.apply_keystream(&mut block);
        assert_eq!(hex::encode(block), "76b8e0ada0f13d90405d6ae55386bd28");
    }

    #[test]
    fn below_is_even_and_in_range() {
        let mut stream = key().stream(Purpose::Bot, 9);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[stream.below(6) as usize] += 1;
        }
        let chi_square: f64 = counts
            .iter()
            .map(|n| (f64::from(*n) - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(
            chi_square < 20.5,
            "99.9 % point of 5 degrees of freedom: {chi_square}"
        );
        assert_eq!(stream.below(1), 0);
        assert_eq!(stream.below(0), 0);
    }

    /// Chi-square over positions: where each of 8 cards ends, over 40 000 shuffles.
    #[test]
    fn every_card_reaches_every_position_equally_often() {
        let mut counts = [[0_u32; 8]; 8];
        for version in 0..40_000 {
            let mut cards: Vec<usize> = (0..8).collect();
            key().stream(Purpose::Deal, version).shuffle(&mut cards);
            for (position, card) in cards.into_iter().enumerate() {
                counts[card][position] += 1;
            }
        }
        let chi_square: f64 = counts
            .iter()
            .flatten()
            .map(|n| (f64::from(*n) - 5_000.0).powi(2) / 5_000.0)
            .sum();
        assert!(
            chi_square < 85.4,
            "99.9 % point of 49 degrees of freedom: {chi_square}"
        );
    }

    #[test]
    fn purposes_versions_and_entropy_give_other_streams() {
        let first = |key: &DealKey, purpose, version| key.stream(purpose, version).word();
        let base = first(&key(), Purpose::Deal, 3);
        assert_eq!(base, first(&key(), Purpose::Deal, 3));
        assert_ne!(base, first(&key(), Purpose::Mix, 3));
        assert_ne!(base, first(&key(), Purpose::Deal, 4));
        assert_ne!(
            base,
            first(
                &Seed([7; 32]).deal_key(&[1; 16], [None, Some("apple")]),
                Purpose::Deal,
                3
            )
        );
    }
}
