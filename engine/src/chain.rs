//! The chain of a match's entries: each hash covers the payload, blinded, and the hash before.
//!
//! A bare hash of a payload would betray the deal: a three-seat deal can be found from its plain hash in a
//! third of a second. So what is chained is c = HMAC-SHA-256(k, payload) with
//! k = HMAC-SHA-256(seed, `quartett-blind-v1` ‖ match id ‖ version), and
//! hash = SHA-256(lp(`quartett-chain-v1`) ‖ lp(0x01) ‖ lp(match id) ‖ lp(version) ‖ lp(c) ‖ lp(previous hash)).

use crate::shuffle::{Seed, keyed};
use hmac::Mac;
use sha2::{Digest, Sha256};

/// What stands before the first entry: 32 zero bytes.
pub const FIRST_PREVIOUS_HASH: [u8; 32] = [0; 32];

/// The payload of the entry `version`, blinded: c of the chain.
pub fn blinded(seed: &Seed, match_id: &[u8; 16], version: u64, payload: &[u8]) -> [u8; 32] {
    let mut mac = keyed(&seed.blind(match_id, version));
    mac.update(payload);
    mac.finalize().into_bytes().into()
}

/// The hash of the entry `version` with these payload bytes, after the entry whose hash is `previous`.
pub fn entry_hash(
    seed: &Seed,
    match_id: &[u8; 16],
    version: u64,
    payload: &[u8],
    previous: &[u8; 32],
) -> [u8; 32] {
    let blinded = blinded(seed, match_id, version, payload);
    let mut hash = Sha256::new();
    let version = version.to_be_bytes();
    for part in [
        b"quartett-chain-v1".as_slice(),
        &[1],
        match_id,
        &version,
        &blinded,
        previous,
    ] {
        hash.update((part.len() as u32).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
