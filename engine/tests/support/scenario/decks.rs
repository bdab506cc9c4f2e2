//! The decks of cases: small ones that a file tells, and for Pairs one made of what lies on the table.

use super::Score;
use quartett_engine::deck::{
    AttributeDocument, AttributeKind, CardDocument, DeckDocument, Direction, GroupDocument, Text,
    ValueDocument,
};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SmallDeck {
    #[serde(default)]
    attributes: BTreeMap<String, Direction>,
    cards: BTreeMap<String, SmallCard>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SmallCard {
    #[serde(default)]
    group: Option<String>,
    #[serde(default)]
    values: BTreeMap<String, String>,
}

/// The number of a pair that a seat took before, when only the count is told.
pub(super) fn earlier_pair(seat: &str, index: usize) -> String {
    format!("earlier-{seat}-{index}")
}

fn text(text: &str) -> Text {
    Text {
        en: text.to_owned(),
        de: text.to_owned(),
    }
}

pub(super) fn small_deck(name: &str, small: &SmallDeck) -> DeckDocument {
    let mut groups: BTreeMap<&String, Vec<String>> = BTreeMap::new();
    for (number, card) in &small.cards {
        if let Some(group) = &card.group {
            groups.entry(group).or_default().push(number.clone());
        }
    }
    document(
        name,
        small
            .attributes
            .iter()
            .map(|(attribute, direction)| AttributeDocument {
                attribute: attribute.clone(),
                label: text(attribute),
                hint: None,
                unit: None,
                direction: *direction,
                kind: AttributeKind::Number,
                decimals: 6,
                editorial: false,
                levels: Vec::new(),
            })
            .collect(),
        groups
            .into_iter()
            .map(|(group, cards)| GroupDocument {
                group: group.clone(),
                label: text(group),
                cards,
            })
            .collect(),
        small
            .cards
            .iter()
            .map(|(number, card)| card_document(number, card))
            .collect(),
    )
}

pub(super) fn board_deck(board: &[String], score: &BTreeMap<String, Score>) -> Result<DeckDocument, String> {
    let mut numbers: Vec<String> = Vec::new();
    for place in board {
        let (_, number) = place
            .split_once(':')
            .ok_or_else(|| format!("{place:?} is no place"))?;
        numbers.push(number.to_owned());
    }
    for (seat, score) in score {
        match score {
            Score::Count(count) => numbers.extend((0..*count).map(|n| earlier_pair(seat, n))),
            Score::Which(which) => numbers.extend(which.iter().cloned()),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let cards = numbers
        .iter()
        .map(|number| card_document(number, &SmallCard::default()))
        .collect();
    Ok(document("board", Vec::new(), Vec::new(), cards))
}

fn document(
    name: &str,
    attributes: Vec<AttributeDocument>,
    groups: Vec<GroupDocument>,
    cards: Vec<CardDocument>,
) -> DeckDocument {
    let (title, description) = (text(name), text(name));
    DeckDocument {
        deck_id: name.to_owned(),
        title,
        description,
        attributes,
        groups,
        cards,
        credits: Vec::new(),
    }
}

fn card_document(number: &str, card: &SmallCard) -> CardDocument {
    CardDocument {
        number: number.to_owned(),
        group: card.group.clone(),
        name: text(number),
        values: card
            .values
            .iter()
            .map(|(attribute, value)| ValueDocument {
                attribute: attribute.clone(),
                value: value.clone(),
                levels: Vec::new(),
                marked: None,
            })
            .collect(),
        facts: Vec::new(),
        plan: None,
    }
}
