//! Choosing an attribute: at random, by the rank in the whole deck, or against what can lie on top elsewhere.

use super::{Knowledge, best_of, win_share};
use crate::action::Action;
use crate::card::{Card, CardSet};
use crate::event::BotLevel;
use crate::seat::Seat;
use crate::showing::Whereabouts;
use crate::shuffle::Stream;
use crate::view::{Stack, TableView};

pub(super) fn choose(
    knowledge: &Knowledge<'_>,
    whereabouts: &Whereabouts,
    level: BotLevel,
    stream: &mut Stream,
) -> Option<Action> {
    let deck = knowledge.deck;
    let own_top = top(knowledge, knowledge.seat);
    let attributes = knowledge.legal().iter().filter_map(|action| match action {
        Action::ChooseAttribute { attribute } => Some(*attribute),
        Action::AskCard { .. }
        | Action::FightDuel { .. }
        | Action::LayQuartet { .. }
        | Action::FlipCard { .. } => None,
    });
    let chosen = match (level, own_top) {
        (BotLevel::Easy, _) | (BotLevel::Medium, None) => None,
        (BotLevel::Medium, Some(card)) => best_of(
            attributes.map(|attribute| (attribute, win_share(deck, card, attribute, deck.cards()))),
            stream,
        ),
        (BotLevel::Hard, own_top) => {
            let rivals = rivals(knowledge, whereabouts);
            let own = own_top.map_or_else(|| own_candidates(knowledge, whereabouts), CardSet::of);
            best_of(
                attributes.map(|attribute| {
                    let share = own.iter().map(|card| {
                        rivals
                            .iter()
                            .map(|rival| win_share(deck, card, attribute, rival.iter()))
                            .product::<f64>()
                    });
                    (attribute, share.sum())
                }),
                stream,
            )
        }
    };
    chosen.map(|attribute| Action::ChooseAttribute { attribute })
}

fn top(knowledge: &Knowledge<'_>, seat: Seat) -> Option<Card> {
    match &knowledge.view.table {
        TableView::Supertrump { stacks, .. } | TableView::VdbSupertrumpf { stacks, .. } => {
            match &stacks[seat] {
                Stack::Top(_, card) => Some(*card),
                Stack::Open(cards) => cards.first().copied(),
                Stack::Closed(_) => None,
            }
        }
        TableView::DuelQuartett { .. } | TableView::VdbQuartett { .. } | TableView::Pairs { .. } => None,
    }
}

/// What can lie on the own stack before a blind choice.
fn own_candidates(knowledge: &Knowledge<'_>, whereabouts: &Whereabouts) -> CardSet {
    whereabouts.top_candidates(knowledge.seat, size(knowledge, knowledge.seat))
}

/// Per rival that will show a card, what can lie on its stack.
fn rivals(knowledge: &Knowledge<'_>, whereabouts: &Whereabouts) -> Vec<CardSet> {
    let own = top(knowledge, knowledge.seat).map_or(CardSet::EMPTY, CardSet::of);
    knowledge
        .view
        .seats
        .seats()
        .filter(|seat| *seat != knowledge.seat && size(knowledge, *seat) > 0 && plays(knowledge, *seat))
        .map(|seat| whereabouts.top_candidates(seat, size(knowledge, seat)).minus(own))
        .collect()
}

fn size(knowledge: &Knowledge<'_>, seat: Seat) -> usize {
    match &knowledge.view.table {
        TableView::Supertrump { stacks, .. } | TableView::VdbSupertrumpf { stacks, .. } => {
            match &stacks[seat] {
                Stack::Top(size, _) | Stack::Closed(size) => usize::from(*size),
                Stack::Open(cards) => cards.len(),
            }
        }
        TableView::DuelQuartett { .. } | TableView::VdbQuartett { .. } | TableView::Pairs { .. } => 0,
    }
}

fn plays(knowledge: &Knowledge<'_>, seat: Seat) -> bool {
    match &knowledge.view.table {
        TableView::VdbSupertrumpf {
            playoff: Some(playoff),
            ..
        } => playoff.has(seat),
        TableView::VdbSupertrumpf { .. }
        | TableView::Supertrump { .. }
        | TableView::DuelQuartett { .. }
        | TableView::VdbQuartett { .. }
        | TableView::Pairs { .. } => true,
    }
}
