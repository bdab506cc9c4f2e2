#!/usr/bin/env python3
"""Computes every vector of vectors.json anew, from the description alone and with nothing but the standard
library, and says where the file differs. Exit status 0: all equal."""

import hashlib
import hmac
import json
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
PURPOSES = {"starter": 1, "deal": 2, "mix": 3, "bot": 4}
WORD = 0xFFFFFFFF


def sha256(data):
    return hashlib.sha256(data).digest()


def hmac_sha256(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def with_length(data):
    return struct.pack(">I", len(data)) + data


def rotated(word, by):
    return ((word << by) | (word >> (32 - by))) & WORD


def chacha20_block(key, counter, nonce):
    """The 16 words of one block, RFC 8439 section 2.3."""
    start = list(struct.unpack("<4I", b"expand 32-byte k"))
    start += struct.unpack("<8I", key)
    start += [counter]
    start += struct.unpack("<3I", nonce)
    state = list(start)

    def quarter_round(a, b, c, d):
        state[a] = (state[a] + state[b]) & WORD
        state[d] = rotated(state[d] ^ state[a], 16)
        state[c] = (state[c] + state[d]) & WORD
        state[b] = rotated(state[b] ^ state[c], 12)
        state[a] = (state[a] + state[b]) & WORD
        state[d] = rotated(state[d] ^ state[a], 8)
        state[c] = (state[c] + state[d]) & WORD
        state[b] = rotated(state[b] ^ state[c], 7)

    for _ in range(10):
        for column in range(4):
            quarter_round(column, 4 + column, 8 + column, 12 + column)
        for column in range(4):
            quarter_round(column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    return [(word + first) & WORD for word, first in zip(state, start)]


class Stream:
    """Words of ChaCha20 under a deal key; the nonce is purpose and entry version."""

    def __init__(self, key, purpose, version):
        self.key = key
        self.nonce = struct.pack("<IQ", PURPOSES[purpose], version)
        self.counter = 0
        self.words = []

    def word(self):
        if not self.words:
            self.words = chacha20_block(self.key, self.counter, self.nonce)
            self.counter += 1
        return self.words.pop(0)

    def below(self, n):
        while True:
            word = self.word()
            if word < 2**32 - 2**32 % n:
                return word % n

    def shuffle(self, items):
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items


def commitment(vector):
    return sha256(b"quartett-seed-v1" + bytes.fromhex(vector["match_id"]) + bytes.fromhex(vector["seed"])).hex()


def deal_key(vector):
    data = b"quartett-deal-v1" + bytes.fromhex(vector["match_id"])
    for entropy in vector["entropies"]:
        data += with_length((entropy or "").encode("ascii"))
    return hmac_sha256(bytes.fromhex(vector["seed"]), data)


def stream(vector):
    return Stream(deal_key(vector), vector["purpose"], vector["version"])


def words(vector):
    of = stream(vector)
    return [of.word() for _ in vector["words"]]


def draws(vector):
    of = stream(vector)
    return [of.below(n) for n in vector["bounds"]]


def order(vector):
    return stream(vector).shuffle(list(range(len(vector["order"]))))


def blinding_key(seed, match_id, version):
    return hmac_sha256(seed, b"quartett-blind-v1" + match_id + struct.pack(">Q", version))


def blind(vector):
    seed, match_id = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["match_id"])
    key = blinding_key(seed, match_id, vector["version"])
    return [key.hex(), hmac_sha256(key, vector["payload"].encode()).hex()]


def chain(vector):
    seed, match_id = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["match_id"])
    previous, hashes = bytes(32), []
    for version, payload in enumerate(vector["payloads"], start=1):
        blinded = hmac_sha256(blinding_key(seed, match_id, version), payload.encode())
        parts = [b"quartett-chain-v1", b"\x01", match_id, struct.pack(">Q", version), blinded, previous]
        previous = sha256(b"".join(map(with_length, parts)))
        hashes.append(previous.hex())
    return hashes


def deck_hash(vector):
    document = json.loads((HERE / "../../decks" / vector["file"]).read_text(encoding="utf-8"))
    # RFC 8785 for a document of strings, booleans and small integers under plain ASCII keys.
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(canonical.encode()).hex()


CHECKS = {
    "commitments": lambda v: (v["commitment"], commitment(v)),
    "deal_keys": lambda v: (v["deal_key"], deal_key(v).hex()),
    "streams": lambda v: (v["words"], words(v)),
    "draws": lambda v: (v["draws"], draws(v)),
    "shuffles": lambda v: (v["order"], order(v)),
    "blinds": lambda v: ([v["key"], v["blinded"]], blind(v)),
    "chains": lambda v: (v["hashes"], chain(v)),
    "decks": lambda v: (v["hash"], deck_hash(v)),
}


def main():
    # RFC 8439, appendix A.1, vector 1: this ChaCha20 is ChaCha20.
    assert struct.pack("<16I", *chacha20_block(bytes(32), 0, bytes(12))).hex().startswith("76b8e0ada0f13d90405d6ae5")
    vectors = json.loads((HERE / "vectors.json").read_text(encoding="utf-8"))
    assert vectors.keys() == CHECKS.keys(), "a kind of vector is missing or unknown"
    wrong = 0
    for kind, check in CHECKS.items():
        for place, vector in enumerate(vectors[kind]):
            stands, computed = check(vector)
            if stands != computed:
                wrong += 1
                print(f"{kind} {place}: computed {json.dumps(computed)}")
        print(f"{kind}: {len(vectors[kind])} vectors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
