//! Pairs of matches that a watcher cannot tell apart, played on with the same actions and compared.

use crate::played::{Opening, Played, terms};
use crate::shown::{Watcher, all_shown, asks_left};
use crate::surfaces::Surface;
use quartett_engine::{Deck, GameKind, GameSetup, Holder, Purpose, Seat, Seed, Status, Stream, Viewer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Makes the surfaces of a match for a viewer.
pub(crate) type Projection = fn(&Played, Watcher) -> Vec<Surface>;
/// How often each surface was compared, by viewer.
pub(crate) type Counts = BTreeMap<(&'static str, Watcher), usize>;

/// Two matches that differ only in what is hidden from the watcher.
pub(crate) struct Pair {
    one: Played,
    other: Played,
    watcher: Watcher,
}

impl Pair {
    /// Deals twice, the second time with some cards exchanged; `None` if the watcher could tell, or if all is
    /// the same after all.
    pub(crate) fn deal(
        setup: GameSetup,
        deck: &Arc<Deck>,
        seats: u8,
        watcher: Watcher,
        stream: &mut Stream,
    ) -> Option<Pair> {
        let mut seed = Seed([0; 32]);
        seed.0.fill_with(|| stream.below(256).to_le_bytes()[0]);
        let cards = if setup.kind() == GameKind::Pairs {
            2 * deck.size()
        } else {
            deck.size()
        };
        let mut order: Vec<usize> = (0..cards).collect();
        stream.shuffle(&mut order);
        let mut exchanged = order.clone();
        for _ in 0..=stream.below(3) {
            let places: Vec<usize> = (0..cards).collect();
            let (from, to) = (stream.pick(&places)?, stream.pick(&places)?);
            exchanged.swap(from, to);
        }
        let holders = vec![Holder::Player; usize::from(seats)];
        let begin = |order: &[usize]| {
            let terms = terms(setup, deck, seats, &seed);
            let opening = Opening {
                order: Some(order),
                ..Opening::default()
            };
            Played::begin(terms, deck, &holders, &seed, opening)
        };
        let (one, other) = (begin(&order), begin(&exchanged));
        let pair = Pair { one, other, watcher };
        (pair.shown_so_far(&pair.one) == pair.shown_so_far(&pair.other) && pair.differs()).then_some(pair)
    }

    fn shown_so_far(&self, played: &Played) -> Vec<Vec<String>> {
        let log = played.log.iter();
        log.map(|entry| all_shown(&entry.events, self.watcher)).collect()
    }

    /// Whether something that is hidden differs.
    fn differs(&self) -> bool {
        let open = |played: &Played| played.now.view(Viewer::Everything).table;
        open(&self.one) != open(&self.other)
    }

    /// Carries out, in both, some action that leaves the watcher unable to tell them apart. Won cards are mixed
    /// otherwise in the second match: their order is hidden too.
    pub(crate) fn step(&mut self, stream: &mut Stream) -> Option<()> {
        let turn = self.one.now.turn()?;
        let mut actions = self.one.now.legal_actions(turn.seat);
        stream.shuffle(&mut actions);
        for action in actions {
            let Ok(events) = self.one.decide(turn.seat, &action) else {
                continue;
            };
            let mut mixer = self.other.stream(Purpose::Deal);
            let Ok(others) = self.other.now.decide(turn.seat, &action, &mut mixer) else {
                continue;
            };
            if all_shown(&events, self.watcher) == all_shown(&others, self.watcher) {
                self.one.take_in(events);
                self.other.take_in(others);
                if asks_left(&self.one) != asks_left(&self.other) {
                    return None;
                }
                return (self.one.now.status() == Status::Active && self.differs()).then_some(());
            }
        }
        None
    }

    /// Compares every surface; the first that differs is the error.
    pub(crate) fn compare(&self, projection: Projection, counts: &mut Counts) -> Result<(), String> {
        let (one, other) = (
            projection(&self.one, self.watcher),
            projection(&self.other, self.watcher),
        );
        for ((name, one), (_, other)) in one.iter().zip(&other) {
            *counts.entry((name, self.watcher)).or_default() += 1;
            if one != other {
                let watcher = self.watcher.map_or('-', Seat::letter);
                return Err(format!("{name} of {watcher}:\n{one}\n{other}"));
            }
        }
        Ok(())
    }
}
