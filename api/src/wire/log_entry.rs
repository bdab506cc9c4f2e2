//! Entries of a match's log as answers carry them.

use serde::Serialize;
use utoipa::ToSchema;

use super::Hex32;
use super::action::GameAction;
use super::event::NotedEvent;
use super::match_view::MatchView;
use super::names::ByName;
use crate::http::Timestamp;
use crate::ids::MatchId;

/// An entry of a match's log, as the caller may see it now.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LogEntry {
    /// Its number, from 1 without gaps.
    pub(crate) version: u64,
    /// When it was accepted.
    pub(crate) at: Timestamp,
    /// Who caused it.
    pub(crate) by: ByName,
    /// The seat that acted, or for which a bot or the clock did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 5)]
    pub(crate) seat: Option<u8>,
    /// What the seat asked for, in entries that are answers to a game action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) action: Option<GameAction>,
    /// What happened, in order.
    #[schema(max_items = 64)]
    pub(crate) events: Vec<NotedEvent>,
    /// The hash that chains this entry to the one before.
    pub(crate) hash: Hex32,
}

/// What an accepted action led to.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ActionResult {
    /// The match.
    pub(crate) match_id: MatchId,
    /// The version after the action and the bot turns that followed.
    pub(crate) version: u64,
    /// The hash of that version's entry: the receipt.
    pub(crate) head_hash: Hex32,
    /// The entry of the action and those of the bot turns that followed.
    #[schema(max_items = 64)]
    pub(crate) entries: Vec<LogEntry>,
    /// The match after them.
    pub(crate) view: MatchView,
}
