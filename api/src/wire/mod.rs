//! The match in the words of the contract: actions, events, tables and views as JSON, and back.
//!
//! The engine knows places in a deck, the wire knows names; these modules translate. What a viewer may not
//! see has already been taken away by the engine when it comes here: nothing in this folder decides secrecy.
//!
//! [`Payload`] is the form in which an entry is stored and hashed. It uses the same shapes, so what is
//! changed in them must stay readable in what was stored before.

mod action;
mod card_shapes;
mod event;
mod event_reading;
mod event_writing;
mod keyed_union;
mod log_entry;
mod match_view;
mod names;
mod payload;
mod setup;
mod table;

pub(crate) use action::GameAction;
pub(crate) use event::GameEvent;
pub(crate) use event_writing::noted;
pub(crate) use log_entry::{ActionResult, LogEntry};
pub(crate) use match_view::{
    DeckRef, MatchResult, MatchView, PlayerName, SeatKind, SeatState, SeatView, TurnView, Visibility,
};
pub(crate) use names::{
    BotLevelName, ByName, DeadlinePolicyName, EndName, GameName, LayName, MemoryName, PhaseName, StarterName,
    StatusName, WonOrderName,
};
pub(crate) use payload::{By, Payload, PayloadError};
pub(crate) use setup::{GameSetup, LIMITS};
pub(crate) use table::GameTable;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, schema::Type};

/// 32 bytes, a hash or a seed; on the wire 64 lowercase hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hex32(pub(crate) [u8; 32]);

impl Serialize for Hex32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut digits = [0; 64];
        hex::encode_to_slice(self.0, &mut digits).map_err(serde::ser::Error::custom)?;
        serializer.serialize_str(std::str::from_utf8(&digits).map_err(serde::ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Hex32 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut bytes = [0; 32];
        hex::decode_to_slice(&text, &mut bytes).map_err(D::Error::custom)?;
        Ok(Self(bytes))
    }
}

impl utoipa::PartialSchema for Hex32 {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("32 bytes as lowercase hex digits."))
            .min_length(Some(64))
            .max_length(Some(64))
            .pattern(Some("^[0-9a-f]{64}$"))
            .examples(["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])
            .into()
    }
}

impl utoipa::ToSchema for Hex32 {}
