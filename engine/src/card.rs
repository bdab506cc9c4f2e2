//! Cards, groups and attributes by their place in the deck, and sets of them.
//!
//! Inside the engine a card is one byte. Its number, name and values stand in the [`Deck`](crate::Deck).

/// How many cards a deck may have: a set of cards is one machine word.
pub const CARDS_MAX: usize = 64;
/// How many groups a deck may have.
pub const GROUPS_MAX: usize = 16;
/// How many attributes a deck may have.
pub const ATTRIBUTES_MAX: usize = 12;

macro_rules! place_in_deck {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u8);

        impl $name {
            /// What a name that the deck does not know becomes; every rule refuses it.
            pub const UNKNOWN: $name = $name(u8::MAX);

            /// The place as an index.
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }
    };
}

place_in_deck! {
    /// A card, by its place in the deck's order.
    Card
}
place_in_deck! {
    /// A group, by its place in the deck's order.
    Group
}
place_in_deck! {
    /// An attribute, by its place in the deck's order.
    Attribute
}

macro_rules! set_of {
    ($(#[$doc:meta])* $name:ident, $item:ident, $bits:ty, $max:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
        pub struct $name(pub $bits);

        impl $name {
            /// The empty set.
            pub const EMPTY: $name = $name(0);

            /// Whether the set holds it; what the deck does not know is in no set.
            pub fn has(self, item: $item) -> bool {
                item.index() < $max && self.0 & (1 << item.0) != 0
            }

            /// The set of this one alone; empty for what the deck does not know.
            pub fn of(item: $item) -> Self {
                if item.index() < $max { $name(1 << item.0) } else { $name::EMPTY }
            }

            /// Adds one.
            pub fn insert(&mut self, item: $item) {
                *self = self.union($name::of(item));
            }

            /// Takes one away.
            pub fn remove(&mut self, item: $item) {
                *self = self.minus($name::of(item));
            }

            /// What is in either.
            #[must_use]
            pub fn union(self, other: Self) -> Self {
                $name(self.0 | other.0)
            }

            /// What is in both.
            #[must_use]
            pub fn both(self, other: Self) -> Self {
                $name(self.0 & other.0)
            }

            /// What is in this set but not in the other.
            #[must_use]
            pub fn minus(self, other: Self) -> Self {
                $name(self.0 & !other.0)
            }

            /// Whether all of `other` is in this set.
            pub fn has_all(self, other: Self) -> bool {
                other.minus(self).is_empty()
            }

            /// How many.
            pub fn count(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether there is none.
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Each one, in deck order.
            pub fn iter(self) -> impl Iterator<Item = $item> + Clone {
                let mut rest = self.0;
                std::iter::from_fn(move || {
                    (rest != 0).then(|| {
                        let item = $item(rest.trailing_zeros() as u8);
                        rest &= rest - 1;
                        item
                    })
                })
            }
        }

        impl FromIterator<$item> for $name {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                items.into_iter().fold($name::EMPTY, |set, item| set.union($name::of(item)))
            }
        }
    };
}

set_of! {
    /// A set of cards; listed in deck order.
    CardSet, Card, u64, CARDS_MAX
}
set_of! {
    /// A set of groups; listed in deck order.
    GroupSet, Group, u16, GROUPS_MAX
}

/// Which of the two cards of one number lies on the Pairs table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The card itself (`q:` in the notation).
    Card,
    /// Its plan card (`p:`).
    Plan,
}

/// A card of the Pairs table: its number and which of the two it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableCard {
    /// The card that bears the number.
    pub card: Card,
    /// The card or its plan card.
    pub side: Side,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_ignore_what_no_deck_can_hold() {
        let mut set: CardSet = [Card(63), Card(0), Card::UNKNOWN].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Card(0), Card(63)]);
        assert!(!set.has(Card::UNKNOWN));
        set.remove(Card(0));
        assert_eq!(set, CardSet::of(Card(63)));
    }
}
