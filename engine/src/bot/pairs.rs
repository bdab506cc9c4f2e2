//! Flipping: a known pair if one is remembered, else a place that teaches something.

use super::Knowledge;
use crate::action::Action;
use crate::card::TableCard;
use crate::event::BotLevel;
use crate::shuffle::Stream;
use crate::view::{PlaceView, TableView};

/// How many of the latest places a medium bot remembers for sure; the two before them it remembers by chance.
const MEDIUM_PLACES: usize = 8;

type Noted = Option<(TableCard, u32)>;

pub(super) fn choose(
    knowledge: &Knowledge<'_>,
    noted: &[Noted],
    level: BotLevel,
    stream: &mut Stream,
) -> Option<Action> {
    let TableView::Pairs { places, .. } = &knowledge.view.table else {
        return None;
    };
    let remembered = remembered(noted, level, stream);
    let open = places.iter().enumerate().find_map(|(index, place)| match place {
        PlaceView::Open(card) => Some((index, *card)),
        PlaceView::Closed | PlaceView::Taken => None,
    });
    let closed: Vec<usize> = (0..places.len())
        .filter(|index| matches!(places[*index], PlaceView::Closed))
        .collect();
    let never_opened: Vec<usize> = closed
        .iter()
        .copied()
        .filter(|index| noted[*index].is_none())
        .collect();
    let partner_of = |index: usize, card: TableCard| {
        closed
            .iter()
            .copied()
            .find(|other| *other != index && remembered[*other].is_some_and(|other| other.card == card.card))
    };
    let index = match open {
        None => closed
            .iter()
            .copied()
            .find(|index| remembered[*index].is_some_and(|card| partner_of(*index, card).is_some()))
            .or_else(|| stream.pick(&unknown(&closed, &never_opened, level))),
        Some((at, card)) => partner_of(at, card).or_else(|| {
            // A hard bot shows a place everyone knows rather than a new one that helps whoever is next.
            let known: Vec<usize> = closed
                .iter()
                .copied()
                .filter(|index| noted[*index].is_some())
                .collect();
            match level {
                BotLevel::Hard if !known.is_empty() => stream.pick(&known),
                BotLevel::Easy | BotLevel::Medium | BotLevel::Hard => {
                    stream.pick(&unknown(&closed, &never_opened, level))
                }
            }
        }),
    };
    index.map(|index| Action::FlipCard {
        place: index as u8 + 1,
    })
}

/// Where to look for something new; an easy bot does not care.
fn unknown(closed: &[usize], never_opened: &[usize], level: BotLevel) -> Vec<usize> {
    if level == BotLevel::Easy || never_opened.is_empty() {
        closed.to_vec()
    } else {
        never_opened.to_vec()
    }
}

/// What a bot of this level remembers of the places that were opened: a third, the latest, or all.
fn remembered(noted: &[Noted], level: BotLevel, stream: &mut Stream) -> Vec<Option<TableCard>> {
    let mut latest: Vec<u32> = noted.iter().flatten().map(|(_, at)| *at).collect();
    latest.sort_unstable_by(|one, other| other.cmp(one));
    noted
        .iter()
        .map(|place| {
            let (card, at) = (*place)?;
            let age = latest
                .iter()
                .position(|latest| *latest == at)
                .unwrap_or(usize::MAX);
            let keeps = match level {
                BotLevel::Easy => stream.below(3) == 0,
                BotLevel::Medium => age < MEDIUM_PLACES || (age < MEDIUM_PLACES + 2 && stream.below(2) == 0),
                BotLevel::Hard => true,
            };
            keeps.then_some(card)
        })
        .collect()
}
