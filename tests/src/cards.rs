//! Every card is somewhere, and only there.

use quartett_engine::deck;
use serde_json::Value;

/// Checks a view with everything open: the cards on the table are those of the deck, each of them once.
pub(crate) fn check_conserved(view: &Value) {
    let game = view["game"]["type"].as_str().expect("a game");
    let table = &view["table"][game];
    let deck = deck::built_in()
        .iter()
        .map(|deck| deck.document())
        .find(|deck| view["deck"]["deck_id"] == deck.deck_id)
        .expect("a built-in deck");
    let mut found: Vec<String> = match game {
        "pairs" => pairs(table),
        _ => Vec::new(),
    };
    for pile in ["hands", "stacks"].iter().flat_map(|kind| list(&table[*kind])) {
        let cards = texts(&pile["cards"]);
        assert_eq!(
            pile["size"],
            cards.len(),
            "a pile is as large as its size says: {view}"
        );
        found.extend(cards);
    }
    for laid in list(&table["quartets"]).flat_map(|seat| texts(&seat["groups"])) {
        let group = deck
            .groups
            .iter()
            .find(|group| group.group == laid)
            .expect("a group of the deck");
        found.extend(group.cards.iter().cloned());
    }
    found.extend(texts(&table["centre"]));
    found.extend(texts(&table["aside"]));
    let mut due: Vec<String> = match game {
        "pairs" => deck
            .cards
            .iter()
            .flat_map(|card| [format!("q:{}", card.number), format!("p:{}", card.number)])
            .collect(),
        _ => deck.cards.iter().map(|card| card.number.clone()).collect(),
    };
    found.sort_unstable();
    due.sort_unstable();
    assert_eq!(found, due, "every card once: {view}");
}

/// The cards at their places and in pairs, each with its side.
fn pairs(table: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for place in list(&table["places"]).filter(|place| place["state"] != "taken") {
        let number = place["card"]["number"].as_str().expect("everything is open");
        let side = if place["card"]["side"] == "plan" { "p" } else { "q" };
        found.push(format!("{side}:{number}"));
    }
    for number in list(&table["pairs"]).flat_map(|seat| texts(&seat["numbers"])) {
        found.extend([format!("q:{number}"), format!("p:{number}")]);
    }
    found
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn texts(value: &Value) -> Vec<String> {
    list(value).filter_map(Value::as_str).map(str::to_owned).collect()
}
