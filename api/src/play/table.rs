//! A match in memory: the engine's state with what the service keeps beside it.

use std::sync::Arc;

use quartett_engine::view::SeatHolder;
use quartett_engine::{
    BotLevel, DealKey, Deck, Event, Match, Purpose, Seat, Seats, Seed, Status, Terms, Turn, bot, chain,
};

use crate::accounts::AsOf;
use crate::http::Problem;
use crate::http::Timestamp;
use crate::ids::{MatchId, PlayerId};
use crate::parts::FixedDeal;
use crate::wire::{By, ByName, GameAction, GameEvent, Payload, Visibility};

/// One append holds at most this many entries; what remains of a long run of bot turns follows in the next.
pub(crate) const ENTRIES_PER_APPEND_MAX: usize = 64;

/// A player who holds a seat, as the others see one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeatedPlayer {
    pub(crate) player_id: PlayerId,
    pub(crate) display_name: String,
    /// Grows with every change of the profile.
    pub(crate) revision: i64,
}

/// How players come to a match. The code changes without an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invitation {
    pub(crate) visibility: Visibility,
    pub(crate) invite_code: Option<String>,
}

/// An entry of the log as it was or will be stored, read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Recorded {
    pub(crate) version: u64,
    pub(crate) at: i64,
    pub(crate) by: By,
    pub(crate) seat: Option<Seat>,
    pub(crate) action: Option<GameAction>,
    /// With everything hidden: show them through [`show`](super::show) only.
    pub(crate) events: Vec<Event>,
    pub(crate) hash: [u8; 32],
}

/// An entry ready to be stored.
#[derive(Debug)]
pub(crate) struct NewEntry {
    pub(crate) recorded: Recorded,
    pub(crate) payload: Vec<u8>,
    pub(crate) prev_hash: [u8; 32],
}

/// What leads to an entry.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) by: By,
    pub(crate) seat: Option<Seat>,
    pub(crate) action: Option<GameAction>,
    pub(crate) events: Vec<Event>,
}

/// A match at its head, as far as this instance knows. A hint: an append succeeds on exactly this head or
/// not at all.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) id: MatchId,
    pub(crate) state: Match,
    pub(crate) head_hash: [u8; 32],
    /// Who holds which seat; a seat that a player held who was erased is empty.
    pub(crate) players: Seats<Option<SeatedPlayer>>,
    /// As of when their profiles are.
    pub(crate) players_as_of: AsOf,
    pub(crate) invitation: Invitation,
    pub(crate) created_at: i64,
    pub(crate) started_at: Option<i64>,
    pub(crate) ended_at: Option<i64>,
    /// When the pending move became due: a turn's time counts from here.
    pub(crate) turn_since: i64,
    /// Since when every player is away, if the match rests.
    pub(crate) resting_since: Option<i64>,
    /// No later entry is older than this.
    last_at: i64,
    seed: Seed,
    /// The key of everything drawn, from the start on.
    key: Option<DealKey>,
}

impl Table {
    /// A match of which nothing is told yet: version 0.
    pub(crate) fn new(
        id: MatchId,
        terms: Terms,
        deck: Arc<Deck>,
        seed: Seed,
        invitation: Invitation,
    ) -> Self {
        let seats = usize::from(terms.seats);
        Self {
            id,
            state: Match::new(terms, deck),
            head_hash: chain::FIRST_PREVIOUS_HASH,
            players: Seats::build(seats, |_| None),
            players_as_of: AsOf::default(),
            invitation,
            created_at: 0,
            started_at: None,
            ended_at: None,
            turn_since: 0,
            resting_since: None,
            last_at: 0,
            seed,
            key: None,
        }
    }

    /// The number of its last entry.
    pub(crate) fn version(&self) -> u64 {
        self.state.version()
    }

    /// The deck it is played with.
    pub(crate) fn deck(&self) -> &Arc<Deck> {
        self.state.deck()
    }

    /// The seed, once everybody may know it.
    pub(crate) fn revealed_seed(&self) -> Option<Seed> {
        match self.state.status() {
            Status::Ended | Status::Cancelled => Some(self.seed),
            Status::Waiting | Status::Active => None,
        }
    }

    /// The seat that a player holds.
    pub(crate) fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        let held = |held: &Option<SeatedPlayer>| held.as_ref().is_some_and(|held| held.player_id == player);
        self.players
            .iter()
            .find(|(_, holder)| held(holder))
            .map(|(seat, _)| seat)
    }

    /// The seats that nobody holds.
    pub(crate) fn free_seats(&self) -> Vec<Seat> {
        let is_free = |seat: &Seat| {
            self.state
                .seat(*seat)
                .is_some_and(|seen| seen.holder == SeatHolder::Open)
        };
        self.players.seats().filter(is_free).collect()
    }

    /// Whether every seat is held.
    pub(crate) fn is_full(&self) -> bool {
        self.free_seats().is_empty()
    }

    /// When its last entry was accepted.
    pub(crate) const fn last_at(&self) -> i64 {
        self.last_at
    }

    /// The pending move, if a player is waited for: no bot plays it, and the match does not rest.
    pub(crate) fn awaited(&self) -> Option<Turn> {
        let seat = self.state.waits_for()?;
        self.state.turn().filter(|turn| turn.seat == seat)
    }

    /// When the time of the player who is waited for is up.
    pub(crate) fn deadline_at(&self) -> Option<i64> {
        self.awaited()?;
        Some(self.turn_since + i64::from(self.state.terms().turn_seconds) * 1000)
    }

    /// When four fifths of that time are over, so that the player can be warned.
    pub(crate) fn warn_at(&self) -> Option<i64> {
        self.awaited()?;
        Some(self.turn_since + i64::from(self.state.terms().turn_seconds) * 800)
    }

    /// When the limit rule of the game decides, if the match has a time limit and runs.
    pub(crate) fn time_limit_at(&self) -> Option<i64> {
        let limit_seconds = self.state.terms().time_limit_seconds?;
        let running = self.state.status() == Status::Active;
        let started_at = self.started_at.filter(|_| running)?;
        Some(started_at + i64::from(limit_seconds) * 1000)
    }

    /// Takes in an entry that was or will be stored.
    pub(crate) fn take_in(&mut self, entry: &Recorded) {
        let turn_before = self.state.turn();
        self.state.apply_entry(&entry.events);
        self.head_hash = entry.hash;
        self.last_at = entry.at;
        let mut turn_begun = self.state.turn() != turn_before;
        for event in &entry.events {
            if matches!(event, Event::Created(_)) {
                self.created_at = entry.at;
            } else if matches!(event, Event::Started { .. }) {
                self.started_at = Some(entry.at);
                self.key = Some(self.state.deal_key(&self.seed, None));
            } else if matches!(event, Event::Ended { .. } | Event::Cancelled { .. }) {
                self.ended_at = Some(entry.at);
            } else if matches!(event, Event::TurnBegun { .. }) {
                turn_begun = true;
            }
        }
        // A player who is back gets the whole time for a turn that is still pending, and nobody else does.
        let to_move = self.state.turn().map(|turn| turn.seat);
        let is_back = |event: &Event| matches!(event, Event::SeatReturned { seat } if Some(*seat) == to_move);
        if turn_begun || entry.events.iter().any(is_back) {
            self.turn_since = entry.at;
        }
        self.resting_since = match self.resting_since {
            Some(since) if self.state.is_resting() => Some(since),
            None if self.state.is_resting() => Some(entry.at),
            Some(_) | None => None,
        };
    }

    /// Makes the next entry and takes it in. Must then be stored; if that fails, this table is worth nothing
    /// and has to be read again.
    pub(crate) fn record(&mut self, draft: Draft, now: i64) -> Result<NewEntry, Problem> {
        let Draft {
            by,
            seat,
            action,
            mut events,
        } = draft;
        for event in &mut events {
            if let Event::Ended { seed, .. } | Event::Cancelled { seed, .. } = event {
                *seed = Some(self.seed);
            }
        }
        let at = now.max(self.last_at);
        let version = self.version() + 1;
        let deck = self.deck();
        let payload = Payload {
            action: action.clone(),
            events: events.iter().map(|event| GameEvent::of(event, deck)).collect(),
            by: ByName(by),
            seat: seat.map(|seat| seat.0),
            at: Timestamp(at),
        };
        let payload = payload.to_bytes().map_err(Problem::internal)?;
        let prev_hash = self.head_hash;
        let match_id = self.id.as_uuid().into_bytes();
        let recorded = Recorded {
            version,
            at,
            by,
            seat,
            action,
            events,
            hash: chain::entry_hash(&self.seed, &match_id, version, &payload, &prev_hash),
        };
        self.take_in(&recorded);
        Ok(NewEntry {
            recorded,
            payload,
            prev_hash,
        })
    }

    /// The bot that moves next, if one does.
    pub(crate) fn bot_to_move(&self) -> Option<(Turn, BotLevel)> {
        let turn = self.state.turn()?;
        self.state.bot_of(turn.seat).map(|level| (turn, level))
    }

    /// Lets bots play until a player is to move, the match ends, or the append is full.
    pub(crate) fn play_bots(&mut self, entries: &mut Vec<NewEntry>, now: i64) -> Result<(), Problem> {
        while entries.len() < ENTRIES_PER_APPEND_MAX
            && let Some((Turn { seat, .. }, level)) = self.bot_to_move()
        {
            let key = self
                .key
                .as_ref()
                .ok_or_else(|| Problem::internal("a bot to move before the start"))?;
            let version = self.version() + 1;
            let action = bot::choose(&self.state, seat, level, &mut key.stream(Purpose::Bot, version))
                .ok_or_else(|| Problem::internal(format!("{seat:?} has the turn and nothing to do")))?;
            let events = self
                .state
                .decide(seat, &action, &mut key.stream(Purpose::Mix, version))
                .map_err(Problem::internal)?;
            let draft = Draft {
                by: By::Bot,
                seat: Some(seat),
                action: Some(GameAction::of(&action, self.deck())),
                events,
            };
            entries.push(self.record(draft, now)?);
        }
        Ok(())
    }

    /// What an action of a seat leads to, or why the rules refuse it.
    pub(crate) fn decide(
        &self,
        seat: Seat,
        action: &GameAction,
    ) -> Result<Vec<Event>, quartett_engine::Rejection> {
        let action = action.to_engine(self.deck());
        // Without a key the match has not started, and every action is refused before anything is drawn.
        match &self.key {
            Some(key) => {
                let mut mixer = key.stream(Purpose::Mix, self.version() + 1);
                self.state.decide(seat, &action, &mut mixer)
            }
            None => self.state.decide(seat, &action, &mut quartett_engine::InOrder),
        }
    }

    /// What starting leads to. `answers` are those to the opening question, by seat.
    pub(crate) fn start(
        &self,
        host_entropy: Option<String>,
        answers: &[Option<u64>],
        fixed_deal: Option<&FixedDeal>,
    ) -> Result<Vec<Event>, quartett_engine::LobbyRefusal> {
        let order = fixed_deal.map(|deal| deal.order(self.deck()));
        self.state
            .start(&self.seed, host_entropy, answers, order.as_deref())
    }
}
