//! What the two games of asking share: hands, asks, laid groups, and what everyone remembers of them.

use crate::action::Action;
use crate::card::{Attribute, Card, CardSet, Group, GroupSet, TableCard};
use crate::deck::Deck;
use crate::event::{Cards, Deal, Event};
use crate::rejection::Rejection;
use crate::seat::{Seat, Seats};
use crate::view::{Hand, Sight};
use arrayvec::ArrayVec;

/// Hands and laid groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hands {
    pub(crate) hands: Seats<CardSet>,
    pub(crate) laid: Seats<GroupSet>,
    /// Groups with four cards in play. No other group ever counts.
    quartets: GroupSet,
}

impl Hands {
    pub(crate) fn new(seats: usize) -> Hands {
        Hands {
            hands: Seats::build(seats, |_| CardSet::EMPTY),
            laid: Seats::build(seats, |_| GroupSet::EMPTY),
            quartets: GroupSet::EMPTY,
        }
    }

    /// Takes in the hands that were dealt.
    pub(crate) fn deal(&mut self, deck: &Deck, deal: &Deal) {
        if let Deal::Hands(dealt) = deal {
            for (seat, cards) in dealt.iter() {
                if let (Cards::Open(cards), Some(hand)) = (cards, self.hands.get_mut(seat)) {
                    *hand = cards.iter().copied().collect();
                }
            }
        }
        let in_hands = self
            .hands
            .iter()
            .fold(CardSet::EMPTY, |all, (_, hand)| all.union(*hand));
        let laid = self
            .laid
            .iter()
            .fold(GroupSet::EMPTY, |all, (_, groups)| all.union(*groups));
        self.quartets = deck.quartets_among(in_hands).union(laid);
    }

    /// Puts groups down before play, in a position set up by hand; call it before [`Hands::deal`].
    pub(crate) fn lay_before(&mut self, seat: Seat, group: Group) {
        if let Some(laid) = self.laid.get_mut(seat) {
            laid.insert(group);
        }
    }

    pub(crate) fn is_in(&self, seat: Seat) -> bool {
        self.hands.get(seat).is_some_and(|hand| !hand.is_empty())
    }

    /// The groups in play that a hand holds whole.
    pub(crate) fn whole_in(&self, deck: &Deck, seat: Seat) -> GroupSet {
        let hand = self.hands[seat];
        self.quartets
            .iter()
            .filter(|group| hand.has_all(deck.cards_of(*group)))
            .collect()
    }

    /// Whether every group in play is laid, or whole in one hand.
    pub(crate) fn all_whole(&self, deck: &Deck) -> bool {
        let settled = self.hands.seats().fold(GroupSet::EMPTY, |all, seat| {
            all.union(self.laid[seat]).union(self.whole_in(deck, seat))
        });
        settled.has_all(self.quartets)
    }

    pub(crate) fn move_card(&mut self, card: Card, to: Seat) {
        for hand in self.hands.values_mut() {
            hand.remove(card);
        }
        if let Some(hand) = self.hands.get_mut(to) {
            hand.insert(card);
        }
    }

    pub(crate) fn lay(&mut self, deck: &Deck, seat: Seat, group: Group) {
        if let (Some(hand), Some(laid)) = (self.hands.get_mut(seat), self.laid.get_mut(seat)) {
            *hand = hand.minus(deck.cards_of(group));
            laid.insert(group);
        }
    }

    /// Lays every whole group, seat by seat in the order given, within a seat by group id in text order;
    /// tells what was laid.
    pub(crate) fn lay_all(
        &mut self,
        deck: &Deck,
        seats: impl Iterator<Item = Seat>,
        events: &mut Vec<Event>,
    ) {
        for seat in seats {
            let whole = self.whole_in(deck, seat);
            for group in deck
                .groups_in_text_order()
                .iter()
                .copied()
                .filter(|group| whole.has(*group))
            {
                self.lay(deck, seat, group);
                events.push(Event::QuartetLaid { seat, group });
            }
        }
    }

    /// The checks of `ask_card` that both games share, in order; tells the asked seat.
    pub(crate) fn check_ask(
        &self,
        deck: &Deck,
        asker: Seat,
        seat: u8,
        card: Card,
    ) -> Result<Seat, Rejection> {
        let asked = Seat(seat);
        let own = self.hands[asker];
        if !self.hands.has(asked) {
            return Err(Rejection::UnknownSeat);
        }
        if asked == asker {
            return Err(Rejection::CannotAskYourself);
        }
        if !deck.has_card(card) {
            return Err(Rejection::UnknownCard);
        }
        if own.has(card) {
            return Err(Rejection::CardInOwnHand);
        }
        if deck.cards_of(deck.group_of(card)).both(own).is_empty() {
            return Err(Rejection::NoCardOfGroup);
        }
        if !self.is_in(asked) {
            return Err(Rejection::TargetOut);
        }
        Ok(asked)
    }

    /// The cards a seat may ask for: those it lacks, of groups it holds a card of.
    pub(crate) fn askable(&self, deck: &Deck, asker: Seat) -> CardSet {
        let own = self.hands[asker];
        deck.groups_among(own)
            .iter()
            .fold(CardSet::EMPTY, |all, group| all.union(deck.cards_of(group)))
            .minus(own)
    }

    /// Every ask that passes [`Hands::check_ask`], by seat and card.
    pub(crate) fn asks(&self, deck: &Deck, asker: Seat) -> impl Iterator<Item = (Seat, Card)> {
        let cards = self.askable(deck, asker);
        self.hands
            .seats()
            .filter(move |asked| *asked != asker && self.is_in(*asked))
            .flat_map(move |asked| cards.iter().map(move |card| (asked, card)))
    }

    pub(crate) fn ask_actions(asks: impl Iterator<Item = (Seat, Card)>) -> Vec<Action> {
        asks.map(|(asked, card)| Action::AskCard { seat: asked.0, card })
            .collect()
    }

    /// How many quartets each seat has laid.
    pub(crate) fn scores(&self) -> Seats<u16> {
        self.laid.map(|_, groups| groups.count() as u16)
    }

    pub(crate) fn view(&self, sight: &Sight) -> Seats<Hand> {
        self.hands.map(|seat, hand| {
            if sight.sees_own(seat) {
                Hand::Own(*hand)
            } else {
                Hand::Size(hand.count() as u8)
            }
        })
    }

    pub(crate) fn all_cards(&self, deck: &Deck) -> Vec<TableCard> {
        let hands = self.hands.iter().flat_map(|(_, hand)| hand.iter());
        let laid = self
            .laid
            .iter()
            .flat_map(|(_, groups)| groups.iter())
            .flat_map(|group| deck.cards_of(group).iter());
        hands.chain(laid).map(TableCard::card).collect()
    }
}

/// How many lost or tied duels everyone remembers.
const FAILED_DUELS_MAX: usize = 24;

/// What everyone at the table could have noted: cards move only openly, so such facts stay true until the
/// card next moves. Bots play by it; the guard of `vdb_quartett` refuses by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recall {
    /// Cards known to lie in a hand: moved there, or shown there, openly.
    pub(crate) held: Seats<CardSet>,
    /// Cards a hand is known to lack, by an answer, an own ask, or a card seen elsewhere.
    pub(crate) lacking: Seats<CardSet>,
    /// Cards a seat has said no to at any time.
    pub(crate) denied: Seats<CardSet>,
    /// Each seat's own last ask that was denied: whom, and for what.
    pub(crate) last_failed: Seats<Option<(Seat, Card)>>,
    /// Groups a seat asked for and has lost no card of since: it holds at least one.
    pub(crate) wanted: Seats<GroupSet>,
    /// Cards that have moved openly at least once.
    pub(crate) moved: CardSet,
    /// Cards whose values were shown in a duel.
    pub(crate) shown: CardSet,
    /// The latest lost or tied duels: the fighter's card, the other card, what was compared; the oldest first.
    pub(crate) failed_duels: ArrayVec<(Card, Card, Attribute), FAILED_DUELS_MAX>,
    /// Where each seat's knowledge of cards is fresh: the latest cards seen to move, the oldest first.
    pub(crate) recent_moves: ArrayVec<Card, 8>,
}

impl Recall {
    pub(crate) fn new(seats: usize) -> Recall {
        Recall {
            held: Seats::build(seats, |_| CardSet::EMPTY),
            lacking: Seats::build(seats, |_| CardSet::EMPTY),
            denied: Seats::build(seats, |_| CardSet::EMPTY),
            last_failed: Seats::build(seats, |_| None),
            wanted: Seats::build(seats, |_| GroupSet::EMPTY),
            moved: CardSet::EMPTY,
            shown: CardSet::EMPTY,
            failed_duels: ArrayVec::new(),
            recent_moves: ArrayVec::new(),
        }
    }

    /// A seat asked: it lacks the card and holds another of its group.
    pub(crate) fn asked(&mut self, deck: &Deck, asker: Seat, card: Card) {
        if let (Some(lacking), Some(wanted)) = (self.lacking.get_mut(asker), self.wanted.get_mut(asker)) {
            lacking.insert(card);
            wanted.insert(deck.group_of(card));
        }
    }

    /// A seat said no to another's ask.
    pub(crate) fn denied(&mut self, asker: Seat, asked: Seat, card: Card) {
        if let Some(failed) = self.last_failed.get_mut(asker) {
            *failed = Some((asked, card));
        }
        if let (Some(lacking), Some(denied)) = (self.lacking.get_mut(asked), self.denied.get_mut(asked)) {
            lacking.insert(card);
            denied.insert(card);
        }
    }

    /// Everyone saw that a card lies in a seat's hand.
    pub(crate) fn located(&mut self, card: Card, at: Seat) {
        for (seat, lacking) in self.lacking.iter_mut() {
            if seat == at {
                lacking.remove(card)
            } else {
                lacking.insert(card)
            }
        }
        for (seat, held) in self.held.iter_mut() {
            if seat == at {
                held.insert(card)
            } else {
                held.remove(card)
            }
        }
    }

    /// A card moved openly from one hand to another.
    pub(crate) fn moved(&mut self, deck: &Deck, card: Card, from: Seat, to: Seat) {
        self.moved.insert(card);
        self.located(card, to);
        if from != to
            && let Some(wanted) = self.wanted.get_mut(from)
        {
            wanted.remove(deck.group_of(card));
        }
        if self.recent_moves.is_full() {
            self.recent_moves.remove(0);
        }
        self.recent_moves.push(card);
    }

    /// A duel was lost or tied by the first card.
    pub(crate) fn duel_failed(&mut self, own: Card, other: Card, attribute: Attribute) {
        if self.failed_duels.is_full() {
            self.failed_duels.remove(0);
        }
        self.failed_duels.push((own, other, attribute));
    }

    /// A group was laid: its cards are out of play.
    pub(crate) fn laid(&mut self, deck: &Deck, seat: Seat, group: Group) {
        if let (Some(held), Some(wanted)) = (self.held.get_mut(seat), self.wanted.get_mut(seat)) {
            *held = held.minus(deck.cards_of(group));
            wanted.remove(group);
        }
    }
}
