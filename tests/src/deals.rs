//! Deals that differ in nothing but cards a viewer cannot see.

use std::collections::BTreeMap;

use quartett_engine::deck;

use crate::scripted::Dice;

/// The cards in the order in which they are dealt, the first one to seat 0; in Pairs the card of each place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    game: &'static str,
    seats: usize,
    /// The group of each card.
    groups: BTreeMap<String, String>,
    /// Card numbers; in Pairs with the side before them.
    pub cards: Vec<String>,
}

/// Two deals that are the same for a viewer, and how far.
#[derive(Debug, Clone)]
pub struct Twins {
    /// The deals.
    pub deals: [Deal; 2],
    /// What nobody may name or open: it would tell the two apart.
    pub untouchable: Untouchable,
    /// So many actions can be played before the difference may come up.
    pub steps: usize,
}

/// What would tell twins apart if it was touched.
#[derive(Debug, Clone, Default)]
pub struct Untouchable {
    /// Cards that nobody asks for or fights with.
    pub cards: Vec<String>,
    /// Places that nobody opens.
    pub places: Vec<usize>,
}

impl Deal {
    /// A shuffled deck in which nobody is dealt a whole group.
    #[must_use]
    pub fn shuffled(game: &'static str, deck_id: &str, seats: usize) -> Self {
        let deck = deck::built_in()
            .iter()
            .map(|deck| deck.document())
            .find(|deck| deck.deck_id == deck_id)
            .expect("a built-in deck");
        let numbers = || deck.cards.iter().map(|card| card.number.clone());
        let mut groups = BTreeMap::new();
        for group in &deck.groups {
            groups.extend(group.cards.iter().map(|card| (card.clone(), group.group.clone())));
        }
        let mut deal = Self {
            game,
            seats,
            groups,
            cards: match game {
                "pairs" => {
                    let cards = numbers().map(|number| format!("q:{number}"));
                    cards
                        .chain(numbers().map(|number| format!("p:{number}")))
                        .collect()
                }
                _ => numbers().collect(),
            },
        };
        let mut dice = Dice::new(2026);
        loop {
            for last in (1..deal.cards.len()).rev() {
                deal.cards.swap(last, dice.below(last + 1));
            }
            if !deal.has_whole_group() {
                return deal;
            }
        }
    }

    /// Where in the order the cards of a seat stand, the first dealt first.
    fn positions(&self, seat: usize) -> impl Iterator<Item = usize> + use<> {
        (seat..self.cards.len()).step_by(self.seats)
    }

    fn group_at(&self, position: usize) -> Option<&String> {
        self.groups.get(&self.cards[position])
    }

    fn has_whole_group(&self) -> bool {
        (0..self.seats).any(|seat| {
            let mut counts = BTreeMap::new();
            for position in self.positions(seat) {
                *counts.entry(self.group_at(position)).or_insert(0) += 1;
            }
            counts
                .into_iter()
                .any(|(group, count)| group.is_some() && count == 4)
        })
    }

    /// The same deal with the cards at `positions` moved on by one.
    fn rotated(&self, positions: &[usize]) -> Self {
        let mut rotated = self.clone();
        for (from, to) in positions.iter().zip(positions.iter().cycle().skip(1)) {
            rotated.cards[*to].clone_from(&self.cards[*from]);
        }
        rotated
    }

    /// A deal that differs in every card that `viewer` cannot see when the match begins.
    #[must_use]
    pub fn all_hidden_changed(&self, viewer: usize) -> Twins {
        let others: Vec<usize> = (0..self.seats).filter(|seat| *seat != viewer).collect();
        let all = 0..self.cards.len();
        let other = match self.game {
            // Both others get each other's whole hand.
            "duel_quartett" | "vdb_quartett" => {
                let pairs = self.positions(others[0]).zip(self.positions(others[1]));
                pairs.fold(self.clone(), |deal, (one, two)| deal.rotated(&[one, two]))
            }
            // Everybody sees the top card of seat 0, which is to move.
            "supertrump" => self.rotated(&all.skip(1).collect::<Vec<_>>()),
            // Everybody sees their own top card.
            "vdb_supertrumpf" => self.rotated(&all.filter(|at| *at != viewer).collect::<Vec<_>>()),
            _ => self.rotated(&all.collect::<Vec<_>>()),
        };
        Twins {
            deals: [self.clone(), other],
            untouchable: Untouchable::default(),
            steps: 0,
        }
    }

    /// A deal that differs in so few cards that `viewer` sees the same for a while.
    #[must_use]
    pub fn little_changed(&self, viewer: usize) -> Twins {
        let others: Vec<usize> = (0..self.seats).filter(|seat| *seat != viewer).collect();
        let (changed, untouchable, steps) = match self.game {
            // Two cards of one group, one in the hand of each of the others. Nobody plays with that group.
            "duel_quartett" | "vdb_quartett" => {
                let pairs = self
                    .positions(others[0])
                    .flat_map(|one| self.positions(others[1]).map(move |two| (one, two)));
                let (one, two) = pairs
                    .into_iter()
                    .find(|(one, two)| self.group_at(*one) == self.group_at(*two))
                    .expect("two hands share a group");
                let group = self.group_at(one);
                let of_group = self.groups.iter().filter(|(_, other)| Some(*other) == group);
                let mut cards: Vec<String> = of_group.map(|(card, _)| card.clone()).collect();
                // Those that change places first: whoever takes a few takes these.
                cards.sort_by_key(|card| !(*card == self.cards[one] || *card == self.cards[two]));
                let untouchable = Untouchable {
                    cards,
                    places: Vec::new(),
                };
                (vec![one, two], untouchable, 12)
            }
            // The bottom cards of all, and what was set aside.
            "supertrump" | "vdb_supertrumpf" => {
                let deep = self.cards.len() / self.seats;
                let bottom = (deep - 1) * self.seats..self.cards.len();
                (bottom.collect(), Untouchable::default(), deep - 2)
            }
            _ => {
                let places = [3, self.cards.len() - 2];
                let untouchable = Untouchable {
                    cards: Vec::new(),
                    places: places.map(|at| at + 1).to_vec(),
                };
                (places.to_vec(), untouchable, 24)
            }
        };
        Twins {
            deals: [self.clone(), self.rotated(&changed)],
            untouchable,
            steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Deal;
    use std::collections::BTreeSet;

    #[test]
    fn twins_hold_the_same_cards_and_differ() {
        for (game, deck) in [
            ("duel_quartett", "wohnbau"),
            ("supertrump", "sportwaffen"),
            ("pairs", "demo"),
            ("vdb_supertrumpf", "wohnbau"),
            ("vdb_quartett", "wohnbau"),
        ] {
            let deal = Deal::shuffled(game, deck, 3);
            for twins in [deal.all_hidden_changed(0), deal.little_changed(2)] {
                let [one, two] = &twins.deals;
                assert_ne!(one, two);
                let set = |deal: &Deal| deal.cards.iter().cloned().collect::<BTreeSet<_>>();
                assert_eq!(set(one), set(two));
                assert!(!one.has_whole_group() && !two.has_whole_group());
            }
        }
    }

    #[test]
    fn the_hand_of_the_viewer_is_the_same() {
        let deal = Deal::shuffled("duel_quartett", "wohnbau", 3);
        let [one, two] = deal.all_hidden_changed(1).deals;
        for (position, (one, two)) in one.cards.iter().zip(&two.cards).enumerate() {
            assert_eq!(one == two, position % 3 == 1, "{position}");
        }
    }
}
