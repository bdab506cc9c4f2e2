//! Before play: seats taken and left, the starter, the deal.

use crate::card::TableCard;
use crate::event::{Event, Holder, StarterRule, Terms};
use crate::game::Game;
use crate::match_state::Match;
use crate::seat::Seat;
use crate::shuffle::{DealKey, Purpose, Seed};
use crate::view::{SeatHolder, Status};

/// Why a seat, start or cancellation is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LobbyRefusal {
    /// The match is no longer waiting.
    #[error("the match has started")]
    Started,
    /// No seat is free, or not this one.
    #[error("no seat is free")]
    Full,
    /// Seats are still free.
    #[error("seats are still free")]
    SeatsFree,
    /// The seat is not held.
    #[error("the seat is not held")]
    NotHeld,
}

impl Match {
    /// What creating a match leads to, its first entry: who sits where from the beginning, seat by seat.
    /// Nobody adds entropy here: it would come before the commitment.
    pub fn creation(terms: Terms, holders: &[Option<Holder>]) -> Vec<Event> {
        let seated = holders.iter().zip(0..).filter_map(|(holder, seat)| {
            Some(Event::SeatTaken {
                seat: Seat(seat),
                holder: (*holder)?,
                entropy: None,
            })
        });
        let created = Event::Created(Box::new(terms));
        std::iter::once(created).chain(seated).collect()
    }

    /// A player takes a free seat, the first one clockwise from seat 0.
    pub fn take_seat(&self, holder: Holder, entropy: Option<String>) -> Result<Vec<Event>, LobbyRefusal> {
        self.check_waiting()?;
        let open = self
            .seats
            .iter()
            .find(|(_, state)| state.holder == SeatHolder::Open);
        let (seat, _) = open.ok_or(LobbyRefusal::Full)?;
        Ok(vec![Event::SeatTaken {
            seat,
            holder,
            entropy,
        }])
    }

    /// A seat is given back before the start.
    pub fn leave_seat(&self, seat: Seat) -> Result<Vec<Event>, LobbyRefusal> {
        self.check_waiting()?;
        match self.seats.get(seat).map(|state| state.holder) {
            Some(SeatHolder::Player | SeatHolder::Bot(_)) => Ok(vec![Event::SeatLeft { seat }]),
            Some(SeatHolder::Open) | None => Err(LobbyRefusal::NotHeld),
        }
    }

    /// Starts a full match as the entry after the present version: draws the starter, deals, lays, and begins
    /// the first turn. `answers` are those to the opening question; `order`, for tests, is a deck order in
    /// place of the shuffle (places in the deck; for Pairs plan cards count on behind the cards).
    pub fn start(
        &self,
        seed: &Seed,
        host_entropy: Option<String>,
        answers: &[Option<u64>],
        order: Option<&[usize]>,
    ) -> Result<Vec<Event>, LobbyRefusal> {
        self.check_waiting()?;
        if self
            .seats
            .iter()
            .any(|(_, state)| state.holder == SeatHolder::Open)
        {
            return Err(LobbyRefusal::SeatsFree);
        }
        let key = self.deal_key(seed, host_entropy.as_deref());
        let version = self.version + 1;
        let starter = self.starter(&key, version, answers);
        let mut cards = self.full_deck();
        match order {
            Some(order) => {
                cards = order
                    .iter()
                    .filter_map(|index| cards.get(*index).copied())
                    .collect()
            }
            None => key.stream(Purpose::Deal, version).shuffle(&mut cards),
        }
        let dealt = Event::Dealt(self.game.deal(&cards, self.seats.count(), starter));
        let mut game = Game::new(&self.terms.game, self.seats.count());
        game.apply(&self.deck, &dealt, version);
        let mut events = vec![
            Event::Started {
                starter,
                entropy: host_entropy,
            },
            dealt,
        ];
        events.extend(self.settle(game.open(&self.deck, starter)));
        Ok(events)
    }

    /// The key of all randomness of this match; the host's entropy is what it gave at the start.
    pub fn deal_key(&self, seed: &Seed, host_entropy: Option<&str>) -> DealKey {
        let own = self.seats.iter().map(|(_, state)| state.entropy.as_deref());
        let host = self.host.index();
        let entropies = own
            .enumerate()
            .map(|(index, own)| if index == host { host_entropy.or(own) } else { own });
        seed.deal_key(&self.terms.match_id, entropies)
    }

    fn starter(&self, key: &DealKey, version: u64, answers: &[Option<u64>]) -> Seat {
        let answer = |seat: &Seat| answers.get(seat.index()).copied().flatten();
        let best = self.seats.seats().filter_map(|seat| answer(&seat)).max();
        if let Some(settled) = self.terms.starter_seat.filter(|seat| self.seats.has(*seat)) {
            return settled;
        }
        let candidates: Vec<Seat> = match self.terms.starter {
            StarterRule::Host => return self.host,
            StarterRule::Question if best.is_some() => {
                self.seats.seats().filter(|seat| answer(seat) == best).collect()
            }
            StarterRule::Question | StarterRule::Random => self.seats.seats().collect(),
        };
        key.stream(Purpose::Starter, version)
            .pick(&candidates)
            .unwrap_or(Seat(0))
    }

    /// The deck in its own order; for Pairs all cards, then all plan cards.
    fn full_deck(&self) -> Vec<TableCard> {
        let cards = self.deck.cards().map(TableCard::card);
        match self.game {
            Game::Pairs(_) => cards.chain(self.deck.cards().map(TableCard::plan)).collect(),
            Game::DuelQuartett(_) | Game::Supertrump(_) | Game::VdbSupertrumpf(_) | Game::VdbQuartett(_) => {
                cards.collect()
            }
        }
    }

    fn check_waiting(&self) -> Result<(), LobbyRefusal> {
        if self.status == Status::Waiting {
            Ok(())
        } else {
            Err(LobbyRefusal::Started)
        }
    }
}
