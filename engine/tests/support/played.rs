//! A match being played, with its log and its randomness.

use quartett_engine::{
    Action, DeadlinePolicy, DealKey, Deck, Entry, Event, GameSetup, Holder, Match, Purpose, Rejection,
    RulesVersion, Seat, Seed, StarterRule, Stream, Terms,
};
use std::sync::Arc;

/// A running match and the log it is a fold of.
#[derive(Clone)]
pub(crate) struct Played {
    pub(crate) now: Match,
    pub(crate) log: Vec<Entry>,
    key: DealKey,
}

/// How a match opens; by default as the seed says.
#[derive(Default)]
pub(crate) struct Opening<'a> {
    /// Answers to the opening question.
    pub(crate) answers: &'a [Option<u64>],
    /// An order of the deck in place of the shuffle.
    pub(crate) order: Option<&'a [usize]>,
}

/// What is agreed when nothing special is: a drawn starter, a day per turn, bots play on.
pub(crate) fn terms(setup: GameSetup, deck: &Deck, seats: u8, seed: &Seed) -> Terms {
    let match_id = [3; 16];
    Terms {
        match_id,
        game: setup,
        deck_id: deck.document().deck_id.clone(),
        deck_hash: *deck.hash(),
        seats,
        starter: StarterRule::Random,
        starter_seat: None,
        turn_seconds: 86_400,
        deadline_policy: DeadlinePolicy::BotPlays,
        time_limit_seconds: None,
        rules: RulesVersion::CURRENT,
        seed_commitment: seed.commitment(&match_id),
    }
}

impl Played {
    /// A match with one holder per seat, dealt from `seed`.
    pub(crate) fn begin(
        terms: Terms,
        deck: &Arc<Deck>,
        holders: &[Holder],
        seed: &Seed,
        opening: Opening<'_>,
    ) -> Played {
        let mut now = Match::new(terms.clone(), deck.clone());
        let mut created = vec![Event::Created(Box::new(terms))];
        for (holder, seat) in holders.iter().zip(0..) {
            created.push(Event::SeatTaken {
                seat: Seat(seat),
                holder: *holder,
                entropy: None,
            });
        }
        now.apply_entry(&created);
        let started = now
            .start(seed, None, opening.answers, opening.order)
            .expect("every seat has a holder");
        let mut played = Played {
            key: now.deal_key(seed, None),
            log: vec![Entry {
                version: 1,
                events: created,
            }],
            now,
        };
        played.take_in(started);
        played
    }

    /// The stream of a purpose in the next entry.
    pub(crate) fn stream(&self, purpose: Purpose) -> Stream {
        self.key.stream(purpose, self.now.version() + 1)
    }

    /// What an action leads to; nothing changes.
    pub(crate) fn decide(&self, seat: Seat, action: &Action) -> Result<Vec<Event>, Rejection> {
        self.now.decide(seat, action, &mut self.stream(Purpose::Mix))
    }

    /// Makes these events the next entry.
    pub(crate) fn take_in(&mut self, events: Vec<Event>) {
        self.now.apply_entry(&events);
        self.log.push(Entry {
            version: self.now.version(),
            events,
        });
    }
}
