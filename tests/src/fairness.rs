//! What players check after the end: that the deal was the one the service had bound itself to.

use quartett_engine::{Purpose, Seed, deck};
use serde_json::Value;
use uuid::Uuid;

use crate::finished::{events, find};

/// The seed that was revealed is the one bound at the beginning, and the deal is the one it gives.
pub(crate) fn check(match_id: &str, view: &Value, entries: &[Value]) {
    let id = Uuid::parse_str(match_id).expect("a match id").into_bytes();
    let revealed = view["seed"].as_str().expect("the seed is revealed");
    let mut bytes = [0; 32];
    hex::decode_to_slice(revealed, &mut bytes).expect("a seed in hex");
    let seed = Seed(bytes);
    let commitment = hex::encode(seed.commitment(&id).0);
    assert_eq!(view["seed_commitment"], commitment.as_str());
    assert_eq!(find(entries, "created")["seed_commitment"], commitment.as_str());

    let seats = view["seats"].as_array().map_or(0, Vec::len);
    let key = seed.deal_key(&id, entropies(entries, seats));
    let dealt_in = entries
        .iter()
        .find(|entry| events(std::slice::from_ref(*entry)).any(|event| event["type"] == "dealt"))
        .and_then(|entry| entry["version"].as_u64())
        .expect("an entry with the deal");
    let mut cards = in_deck_order(&view["game"], &view["deck"]["deck_id"]);
    key.stream(Purpose::Deal, dealt_in).shuffle(&mut cards);
    check_dealt(&cards, seats, entries);
}

/// What each seat gave to the randomness of the deal.
fn entropies(entries: &[Value], seats: usize) -> Vec<Option<&str>> {
    let mut entropies = vec![None; seats];
    for event in events(entries) {
        if let Some(seat) = index(&event["seat_taken"]["seat"]) {
            entropies[seat] = event["seat_taken"]["entropy"].as_str();
        }
        if let Some(entropy) = event["started"]["entropy"].as_str() {
            entropies[0] = Some(entropy);
        }
    }
    entropies
}

/// The cards as they go into the shuffle; in Pairs each with its side.
fn in_deck_order(game: &Value, deck_id: &Value) -> Vec<String> {
    let deck = deck::built_in()
        .iter()
        .find(|deck| *deck_id == deck.document().deck_id)
        .expect("a built-in deck");
    let numbers = || deck.document().cards.iter().map(|card| card.number.clone());
    if game["type"] == "pairs" {
        let cards = numbers().map(|number| format!("q:{number}"));
        cards
            .chain(numbers().map(|number| format!("p:{number}")))
            .collect()
    } else {
        numbers().collect()
    }
}

/// Compares what was dealt with the shuffled cards, the first of which goes to the starter.
fn check_dealt(cards: &[String], seats: usize, entries: &[Value]) {
    let dealt = find(entries, "dealt");
    let starter = index(&find(entries, "started")["starter"]).expect("a starter");
    for kind in ["hands", "stacks"] {
        let Some(piles) = dealt[kind].as_array() else {
            continue;
        };
        for pile in piles {
            let seat = index(&pile["seat"]).expect("a seat");
            let size = index(&pile["size"]).expect("a size");
            let first = (seat + seats - starter) % seats;
            let mut due: Vec<&str> = cards
                .iter()
                .skip(first)
                .step_by(seats)
                .map(String::as_str)
                .collect();
            due.truncate(size);
            let cards = pile["cards"].as_array().into_iter().flatten();
            let mut had: Vec<&str> = cards.filter_map(Value::as_str).collect();
            if kind == "hands" {
                // A hand has no order; it is told in that of the deck.
                due.sort_unstable();
                had.sort_unstable();
            }
            assert_eq!(had, due, "seat {seat} was dealt what the seed gives");
        }
        return;
    }
    let flipped = events(entries).filter(|event| event["type"] == "card_flipped");
    for flip in flipped.map(|event| &event["card_flipped"]) {
        let place = index(&flip["place"]).expect("a place");
        let side = if flip["card"]["side"] == "plan" { "p" } else { "q" };
        let number = flip["card"]["number"]
            .as_str()
            .expect("after the end every flip is open");
        assert_eq!(cards[place - 1], format!("{side}:{number}"), "place {place}");
    }
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}
