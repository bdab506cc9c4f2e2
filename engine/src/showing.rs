//! What the two games of comparing share: stacks, the centre, and what everyone knows of where cards lie.

use crate::action::Action;
use crate::card::{Attribute, Card, CardSet, TableCard};
use crate::deck::Deck;
use crate::event::{Cards, Deal, SeatCard, SeatCards};
use crate::rejection::Rejection;
use crate::seat::{Seat, SeatSet, Seats};
use std::collections::VecDeque;

/// Stacks and the centre.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stacks {
    /// Per seat, the top first.
    pub(crate) stacks: Seats<VecDeque<Card>>,
    /// Cards between the players with whoever laid them, the oldest first.
    pub(crate) centre: Vec<SeatCard>,
    /// Set aside, unseen till the end.
    pub(crate) aside: Vec<Card>,
    pub(crate) whereabouts: Whereabouts,
}

/// What everyone could have noted about where cards lie: those a seat took go under its stack in one batch,
/// so above the batches lie only cards never seen since the deal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Whereabouts {
    /// Per seat the batches it took that are still under its stack, the uppermost first.
    pub(crate) batches: Seats<VecDeque<CardSet>>,
    /// Cards never shown.
    pub(crate) unseen: CardSet,
}

impl Stacks {
    pub(crate) fn new(seats: usize) -> Stacks {
        Stacks {
            stacks: Seats::build(seats, |_| VecDeque::new()),
            centre: Vec::new(),
            aside: Vec::new(),
            whereabouts: Whereabouts {
                batches: Seats::build(seats, |_| VecDeque::new()),
                unseen: CardSet::EMPTY,
            },
        }
    }

    /// Takes in the stacks that were dealt.
    pub(crate) fn deal(&mut self, deal: &Deal) {
        let Deal::Stacks { stacks, aside } = deal else {
            return;
        };
        for (seat, cards) in stacks.iter() {
            if let (Cards::Open(cards), Some(stack)) = (cards, self.stacks.get_mut(seat)) {
                *stack = cards.iter().copied().collect();
            }
        }
        if let Cards::Open(cards) = aside {
            self.aside.clone_from(cards);
        }
        let dealt = self.stacks.iter().flat_map(|(_, stack)| stack.iter());
        self.whereabouts.unseen = dealt.chain(&self.aside).copied().collect();
    }

    pub(crate) fn size(&self, seat: Seat) -> usize {
        self.stacks.get(seat).map_or(0, VecDeque::len)
    }

    pub(crate) fn is_in(&self, seat: Seat) -> bool {
        self.size(seat) > 0
    }

    pub(crate) fn top(&self, seat: Seat) -> Option<Card> {
        self.stacks.get(seat)?.front().copied()
    }

    /// Whether a seat's top card has a value of this attribute.
    pub(crate) fn has_value(&self, deck: &Deck, seat: Seat, attribute: Attribute) -> bool {
        self.top(seat).is_some_and(|card| deck.rank(card, attribute) > 0)
    }

    /// The top card after the present one was shown; `taken` is what goes under the stack of its winner.
    pub(crate) fn next_top(&self, seat: Seat, shown: bool, taken: Option<(Seat, &[Card])>) -> Option<Card> {
        let won = || {
            taken
                .filter(|(winner, _)| *winner == seat)
                .and_then(|(_, cards)| cards.first().copied())
        };
        self.stacks
            .get(seat)?
            .get(usize::from(shown))
            .copied()
            .or_else(won)
    }

    /// The top cards of these seats, in their order.
    pub(crate) fn shown(&self, seats: impl Iterator<Item = Seat>) -> SeatCards {
        seats
            .filter_map(|seat| self.top(seat).map(|card| SeatCard { seat, card }))
            .collect()
    }

    /// Top cards went to the middle.
    pub(crate) fn show(&mut self, shown: &SeatCards) {
        for top in shown {
            if let Some(stack) = self.stacks.get_mut(top.seat)
                && stack.front() == Some(&top.card)
            {
                stack.pop_front();
            }
            self.centre.push(*top);
            self.whereabouts.show(top);
        }
    }

    /// A seat took the centre under its stack.
    pub(crate) fn take(&mut self, seat: Seat, cards: &[Card]) {
        self.centre.clear();
        if let (Some(stack), Some(batches)) =
            (self.stacks.get_mut(seat), self.whereabouts.batches.get_mut(seat))
        {
            stack.extend(cards);
            batches.push_back(cards.iter().copied().collect());
        }
    }

    pub(crate) fn sizes(&self) -> Seats<u16> {
        self.stacks.map(|_, stack| stack.len() as u16)
    }

    pub(crate) fn all_cards(&self) -> Vec<TableCard> {
        let stacks = self.stacks.iter().flat_map(|(_, stack)| stack.iter().copied());
        let centre = self.centre.iter().map(|laid| laid.card);
        stacks
            .chain(centre)
            .chain(self.aside.iter().copied())
            .map(TableCard::card)
            .collect()
    }
}

impl Whereabouts {
    fn show(&mut self, top: &SeatCard) {
        self.unseen.remove(top.card);
        let Some(batches) = self.batches.get_mut(top.seat) else {
            return;
        };
        if let Some(batch) = batches.iter_mut().find(|batch| batch.has(top.card)) {
            batch.remove(top.card);
        }
        while batches.front().is_some_and(|batch| batch.is_empty()) {
            batches.pop_front();
        }
    }

    /// The cards that can lie on top of a seat's stack of this size, as far as anyone knows.
    pub(crate) fn top_candidates(&self, seat: Seat, size: usize) -> CardSet {
        let Some(batches) = self.batches.get(seat) else {
            return self.unseen;
        };
        let known: usize = batches.iter().map(|batch| batch.count()).sum();
        match batches.front() {
            Some(batch) if size <= known => *batch,
            _ => self.unseen,
        }
    }
}

/// The checks of `choose_attribute` that both games share, in order; tells the attribute.
pub(crate) fn chosen(
    deck: &Deck,
    turn: Option<Seat>,
    seat: Seat,
    action: &Action,
) -> Result<Attribute, Rejection> {
    let attribute = match *action {
        Action::ChooseAttribute { attribute } => attribute,
        Action::AskCard { .. }
        | Action::FightDuel { .. }
        | Action::LayQuartet { .. }
        | Action::FlipCard { .. } => return Err(Rejection::ActionNotInThisGame),
    };
    if turn != Some(seat) {
        return Err(Rejection::NotYourTurn);
    }
    if !deck.has_attribute(attribute) {
        return Err(Rejection::UnknownAttribute);
    }
    Ok(attribute)
}

/// The seats whose card is best; a missing value loses to any, all missing is a tie of all.
pub(crate) fn best(deck: &Deck, attribute: Attribute, shown: &SeatCards) -> SeatSet {
    let best = shown.iter().map(|top| deck.rank(top.card, attribute)).max();
    shown
        .iter()
        .filter(|top| Some(deck.rank(top.card, attribute)) == best)
        .map(|top| top.seat)
        .collect()
}
