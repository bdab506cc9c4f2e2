//! The payload of an entry: the bytes that are stored and hashed.
//!
//! UTF-8 JSON without white space, its keys in declared order: action, events with everything hidden, by,
//! seat, at.

use quartett_engine::{Deck, Event, Seat};
use serde::{Deserialize, Serialize};

use super::action::GameAction;
use super::event::GameEvent;
use super::event_reading::Misfit;
use super::names::ByName;
use crate::http::Timestamp;

/// Who caused an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// A player.
    Player,
    /// A bot, for a seat of its own or for a player who is away.
    Bot,
    /// The clock.
    Clock,
    /// The service, as when a full match starts by itself.
    Service,
}

/// What is stored of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Payload {
    /// What the seat asked for, in entries that are answers to a game action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) action: Option<GameAction>,
    /// What happened, with everything hidden.
    pub(crate) events: Vec<GameEvent>,
    /// Who caused it.
    pub(crate) by: ByName,
    /// For which seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seat: Option<u8>,
    /// When.
    pub(crate) at: Timestamp,
}

/// Stored bytes that are no payload of this match.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PayloadError {
    /// Not the JSON of a payload.
    #[error("not a payload: {0}")]
    Malformed(#[from] serde_json::Error),
    /// An event that does not fit.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}

impl Payload {
    /// The bytes to store and hash.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    /// Reads stored bytes.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, PayloadError> {
        Ok(serde_json::from_slice(bytes)?)
    }

    /// The events for the engine.
    pub(crate) fn engine_events(&self, match_id: [u8; 16], deck: &Deck) -> Result<Vec<Event>, PayloadError> {
        let events = self.events.iter().map(|event| event.to_engine(match_id, deck));
        Ok(events.collect::<Result<_, _>>()?)
    }

    /// The seat as the engine knows it.
    pub(crate) fn engine_seat(&self) -> Option<Seat> {
        self.seat.map(Seat)
    }
}
