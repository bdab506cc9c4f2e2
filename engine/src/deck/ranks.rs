//! Values turned into ranks, so that play compares small integers only.

use super::document::{DeckDocument, Direction};
use super::fault::DeckError;
use super::value::Value;
use crate::card::{ATTRIBUTES_MAX, Attribute};
use std::collections::HashMap;

/// Per card and attribute its rank, and per attribute the best rank.
pub(super) type Ranks = (Vec<[u8; ATTRIBUTES_MAX]>, [u8; ATTRIBUTES_MAX]);

/// Reads every value and ranks it within its attribute.
pub(super) fn ranks(
    document: &DeckDocument,
    attributes: &HashMap<String, Attribute>,
) -> Result<Ranks, DeckError> {
    let mut values = vec![[None; ATTRIBUTES_MAX]; document.cards.len()];
    for (card, row) in document.cards.iter().zip(&mut values) {
        for printed in &card.values {
            let unknown = || DeckError::Unknown {
                card: card.number.clone(),
                name: printed.attribute.clone(),
            };
            let attribute = *attributes.get(&printed.attribute).ok_or_else(unknown)?;
            let of = &document.attributes[attribute.index()];
            let value = Value::parse(&printed.value, of.decimals).map_err(|error| DeckError::Value {
                card: card.number.clone(),
                attribute: of.attribute.clone(),
                error,
            })?;
            if !printed.has_levels_of(of) {
                return Err(DeckError::Levels {
                    card: card.number.clone(),
                    attribute: of.attribute.clone(),
                });
            }
            if row[attribute.index()].replace(value).is_some() {
                return Err(DeckError::Twice {
                    what: "value of",
                    name: printed.attribute.clone(),
                });
            }
        }
    }
    let mut ranks = vec![[0; ATTRIBUTES_MAX]; values.len()];
    let mut best = [0; ATTRIBUTES_MAX];
    for (index, attribute) in document.attributes.iter().enumerate() {
        let mut ladder: Vec<Value> = values.iter().filter_map(|row| row[index]).collect();
        ladder.sort_unstable();
        ladder.dedup();
        if attribute.direction == Direction::Lower {
            ladder.reverse();
        }
        for (row, values) in ranks.iter_mut().zip(&values) {
            row[index] = values[index]
                .and_then(|value| ladder.iter().position(|step| *step == value))
                .map_or(0, |position| position as u8 + 1);
        }
        best[index] = ladder.len() as u8;
    }
    Ok((ranks, best))
}
