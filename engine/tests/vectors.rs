//! Commitment, deal key, stream, shuffle, blinding, chain and deck hashes against fixed vectors, which another
//! program in another language computes too.

use quartett_engine::chain::{FIRST_PREVIOUS_HASH, blinded, entry_hash};
use quartett_engine::deck::built_in;
use quartett_engine::{DealKey, Purpose, Seed, Stream};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    commitments: Vec<CommitmentVector>,
    deal_keys: Vec<DealKeyVector>,
    streams: Vec<StreamVector>,
    draws: Vec<DrawVector>,
    shuffles: Vec<ShuffleVector>,
    blinds: Vec<BlindVector>,
    chains: Vec<ChainVector>,
    decks: Vec<DeckVector>,
}

#[derive(Deserialize)]
struct CommitmentVector {
    match_id: String,
    seed: String,
    commitment: String,
}

#[derive(Deserialize)]
struct Source {
    match_id: String,
    seed: String,
    entropies: Vec<Option<String>>,
}

#[derive(Deserialize)]
struct DealKeyVector {
    #[serde(flatten)]
    source: Source,
    deal_key: String,
}

#[derive(Deserialize)]
struct StreamVector {
    #[serde(flatten)]
    source: Source,
    purpose: String,
    version: u64,
    words: Vec<u32>,
}

#[derive(Deserialize)]
struct DrawVector {
    #[serde(flatten)]
    source: Source,
    purpose: String,
    version: u64,
    bounds: Vec<u32>,
    draws: Vec<u32>,
}

#[derive(Deserialize)]
struct ShuffleVector {
    #[serde(flatten)]
    source: Source,
    purpose: String,
    version: u64,
    order: Vec<usize>,
}

#[derive(Deserialize)]
struct BlindVector {
    seed: String,
    match_id: String,
    version: u64,
    payload: String,
    key: String,
    blinded: String,
}

#[derive(Deserialize)]
struct ChainVector {
    seed: String,
    match_id: String,
    payloads: Vec<String>,
    hashes: Vec<String>,
}

#[derive(Deserialize)]
struct DeckVector {
    file: String,
    hash: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("vectors/vectors.json")).expect("the vectors can be read")
}

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).expect("hex of the right length");
    bytes
}

impl Source {
    fn key(&self) -> DealKey {
        let entropies = self.entropies.iter().map(Option::as_deref);
        Seed(bytes(&self.seed)).deal_key(&bytes(&self.match_id), entropies)
    }

    fn stream(&self, purpose: &str, version: u64) -> Stream {
        let purpose = match purpose {
            "starter" => Purpose::Starter,
            "deal" => Purpose::Deal,
            "mix" => Purpose::Mix,
            "bot" => Purpose::Bot,
            _ => panic!("there is no purpose {purpose:?}"),
        };
        self.key().stream(purpose, version)
    }
}

#[test]
fn commitments() {
    for vector in vectors().commitments {
        let commitment = Seed(bytes(&vector.seed)).commitment(&bytes(&vector.match_id));
        assert_eq!(hex::encode(commitment.0), vector.commitment);
    }
}

#[test]
fn deal_keys() {
    for vector in vectors().deal_keys {
        assert_eq!(hex::encode(vector.source.key().reveal()), vector.deal_key);
    }
}

#[test]
fn streams() {
    for vector in vectors().streams {
        let mut stream = vector.source.stream(&vector.purpose, vector.version);
        let words: Vec<u32> = vector.words.iter().map(|_| stream.word()).collect();
        assert_eq!(words, vector.words);
    }
}

#[test]
fn draws() {
    for vector in vectors().draws {
        let mut stream = vector.source.stream(&vector.purpose, vector.version);
        let draws: Vec<u32> = vector.bounds.iter().map(|bound| stream.below(*bound)).collect();
        assert_eq!(draws, vector.draws);
    }
}

#[test]
fn shuffles() {
    for vector in vectors().shuffles {
        let mut order: Vec<usize> = (0..vector.order.len()).collect();
        vector
            .source
            .stream(&vector.purpose, vector.version)
            .shuffle(&mut order);
        assert_eq!(order, vector.order);
    }
}

#[test]
fn blinds() {
    for vector in vectors().blinds {
        let (seed, match_id) = (Seed(bytes(&vector.seed)), bytes(&vector.match_id));
        assert_eq!(hex::encode(seed.blind(&match_id, vector.version)), vector.key);
        let blinded = blinded(&seed, &match_id, vector.version, vector.payload.as_bytes());
        assert_eq!(hex::encode(blinded), vector.blinded);
    }
}

#[test]
fn chains() {
    for vector in vectors().chains {
        let (seed, match_id) = (Seed(bytes(&vector.seed)), bytes(&vector.match_id));
        let mut previous = FIRST_PREVIOUS_HASH;
        let mut hashes = Vec::new();
        for (payload, version) in vector.payloads.iter().zip(1..) {
            previous = entry_hash(&seed, &match_id, version, payload.as_bytes(), &previous);
            hashes.push(hex::encode(previous));
        }
        assert_eq!(hashes, vector.hashes);
    }
}

#[test]
fn decks() {
    for vector in vectors().decks {
        let id = vector.file.strip_suffix(".json").expect("a JSON file");
        let deck = built_in().iter().find(|deck| deck.document().deck_id == id);
        assert_eq!(hex::encode(deck.expect("built in").hash()), vector.hash);
    }
}

/// The same vectors, computed by another program.
#[test]
fn another_language_computes_the_same() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/check_vectors.py");
    let ran = Command::new("python3").arg("-B").arg(script).output();
    let output = ran.expect("python3 is needed to check the vectors");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(said.contains("chains: 1 vectors"), "it did check: {said}");
}
