//! Asking and fighting: by chance, by recent facts, or by a table of who may hold what.

use super::{Knowledge, best_of, win_share};
use crate::action::Action;
use crate::asking::Recall;
use crate::card::{Attribute, Card, CardSet};
use crate::event::BotLevel;
use crate::seat::{Seat, Seats};
use crate::shuffle::Stream;
use crate::view::{Hand, PendingDuel, TableView};

pub(super) fn choose(
    knowledge: &Knowledge<'_>,
    recall: &Recall,
    level: BotLevel,
    stream: &mut Stream,
) -> Option<Action> {
    let laying = knowledge
        .legal()
        .iter()
        .find(|action| matches!(action, Action::LayQuartet { .. }));
    if let Some(lay) = laying {
        return Some(*lay);
    }
    match &knowledge.view.table {
        TableView::DuelQuartett { duel: Some(duel), .. } => fight(knowledge, recall, *duel, level, stream),
        TableView::DuelQuartett { hands, .. } => ask(knowledge, recall, hands, true, level, stream),
        TableView::VdbQuartett { hands, .. } => ask(knowledge, recall, hands, false, level, stream),
        TableView::Supertrump { .. } | TableView::VdbSupertrumpf { .. } | TableView::Pairs { .. } => None,
    }
}

fn ask(
    knowledge: &Knowledge<'_>,
    recall: &Recall,
    hands: &Seats<Hand>,
    duels: bool,
    level: BotLevel,
    stream: &mut Stream,
) -> Option<Action> {
    let asks = knowledge.legal().iter().filter_map(|action| match action {
        Action::AskCard { seat, card } => Some((*action, Seat(*seat), *card)),
        Action::FightDuel { .. }
        | Action::LayQuartet { .. }
        | Action::ChooseAttribute { .. }
        | Action::FlipCard { .. } => None,
    });
    // No level repeats an ask or a duel that just failed while something else is legal; beyond that an easy
    // bot minds what it was told in a game of duels, and the others every card a seat is known to lack.
    let stale = |asked: Seat, card: Card| {
        let lacks = match level {
            BotLevel::Easy if duels => recall.denied[asked].has(card),
            BotLevel::Easy => recall.last_failed[knowledge.seat] == Some((asked, card)),
            BotLevel::Medium | BotLevel::Hard => true,
        };
        (lacks && recall.lacking[asked].has(card))
            || (duels && knowledge.own_hand().iter().any(|own| failed(recall, own, card)))
    };
    best_of(
        asks.map(|(action, asked, card)| {
            let worth = match level {
                BotLevel::Easy => 0.0,
                // Takes back cards it saw move; in duels, where it takes more than asking, recent ones only.
                BotLevel::Medium => {
                    let seen = if duels {
                        recall.recent_moves.contains(&card)
                    } else {
                        recall.moved.has(card)
                    };
                    f64::from(u8::from(seen && recall.held[asked].has(card)))
                }
                BotLevel::Hard => expected_gain(knowledge, recall, hands, duels, asked, card),
            };
            (action, if stale(asked, card) { worth - 10.0 } else { worth })
        }),
        stream,
    )
}

/// How much an ask promises: the chance that the card is there, in duels times the chance to win it.
fn expected_gain(
    knowledge: &Knowledge<'_>,
    recall: &Recall,
    hands: &Seats<Hand>,
    duels: bool,
    asked: Seat,
    card: Card,
) -> f64 {
    let chance = chance(knowledge, recall, hands, asked, card);
    let deck = knowledge.deck;
    let group = deck.cards_of(deck.group_of(card));
    let own = knowledge.own_hand().both(group);
    // The nearer a group is to being whole, the more its cards are worth.
    let worth = 1.0 + 0.25 * own.count() as f64;
    if duels {
        let win = own
            .iter()
            .flat_map(|own| deck.attributes().map(move |attribute| (own, attribute)))
            .map(|(own, attribute)| win_chance(knowledge, recall, own, card, attribute))
            .fold(0.0, f64::max);
        // A lost duel costs the own card and the turn.
        return chance * (win * worth - (1.0 - win));
    }
    // A miss hands the turn to the asked seat: rather to a weak one.
    let strength = hands[asked].size() as f64 / deck.size() as f64;
    chance * worth - (1.0 - chance) * strength
}

/// How likely a seat holds a card: sure facts first, else by how many of its cards nobody has located.
fn chance(knowledge: &Knowledge<'_>, recall: &Recall, hands: &Seats<Hand>, asked: Seat, card: Card) -> f64 {
    if recall.held[asked].has(card) {
        return 1.0;
    }
    let group = knowledge.deck.group_of(card);
    let weight = |seat: Seat| {
        if seat == knowledge.seat || recall.lacking[seat].has(card) {
            return 0.0;
        }
        let hidden = hands[seat].size().saturating_sub(recall.held[seat].count()) as f64;
        let located = !recall.held[seat].both(knowledge.deck.cards_of(group)).is_empty();
        if recall.wanted[seat].has(group) && !located {
            hidden + 3.0
        } else {
            hidden
        }
    };
    let all: f64 = hands.seats().map(weight).sum();
    if all > 0.0 { weight(asked) / all } else { 0.0 }
}

fn fight(
    knowledge: &Knowledge<'_>,
    recall: &Recall,
    duel: PendingDuel,
    level: BotLevel,
    stream: &mut Stream,
) -> Option<Action> {
    let fights = knowledge.legal().iter().filter_map(|action| match action {
        Action::FightDuel { card, attribute } => Some((*action, *card, *attribute)),
        Action::AskCard { .. }
        | Action::LayQuartet { .. }
        | Action::ChooseAttribute { .. }
        | Action::FlipCard { .. } => None,
    });
    best_of(
        fights.map(|(action, own, attribute)| {
            let share = win_share(knowledge.deck, own, attribute, knowledge.deck.cards());
            let worth = match level {
                // The best own card, in whatever attribute comes first by chance.
                BotLevel::Easy => f64::from(u8::from(share >= 0.5)),
                BotLevel::Medium => {
                    share
                        - if failed_in(recall, own, duel.card, attribute) {
                            5.0
                        } else {
                            0.0
                        }
                }
                BotLevel::Hard => win_chance(knowledge, recall, own, duel.card, attribute),
            };
            (
                action,
                if failed(recall, own, duel.card) {
                    worth - 10.0
                } else {
                    worth
                },
            )
        }),
        stream,
    )
}

/// The chance to win a duel: known exactly once the other card was shown, else the share of the deck's other
/// cards of that rank.
fn win_chance(
    knowledge: &Knowledge<'_>,
    recall: &Recall,
    own: Card,
    other: Card,
    attribute: Attribute,
) -> f64 {
    let deck = knowledge.deck;
    if recall.shown.has(other) {
        return win_share(deck, own, attribute, std::iter::once(other));
    }
    let known: CardSet = knowledge.own_hand().union(recall.shown);
    win_share(
        deck,
        own,
        attribute,
        deck.cards().filter(|card| !known.has(*card)),
    )
}

/// Whether the latest duel of these two cards was lost or tied.
fn failed(recall: &Recall, own: Card, other: Card) -> bool {
    recall
        .failed_duels
        .last()
        .is_some_and(|(first, second, _)| (*first, *second) == (own, other))
}

fn failed_in(recall: &Recall, own: Card, other: Card, attribute: Attribute) -> bool {
    recall.failed_duels.contains(&(own, other, attribute))
}
