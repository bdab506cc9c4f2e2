//! A wish to be matched with others.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Timestamp;
use crate::ids::{MatchId, TicketId};
use crate::wire::GameName;

/// What has become of a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum TicketStatus {
    /// It waits for others.
    Waiting,
    /// There is a match.
    Matched,
    /// The player took it back.
    Cancelled,
    /// It waited too long.
    Expired,
}

impl TicketStatus {
    /// As it is stored.
    pub(super) const fn number(self) -> i16 {
        match self {
            Self::Waiting => 0,
            Self::Matched => 1,
            Self::Cancelled => 2,
            Self::Expired => 3,
        }
    }

    /// What is stored as `number`.
    pub(super) const fn of(number: i16) -> Self {
        match number {
            0 => Self::Waiting,
            1 => Self::Matched,
            2 => Self::Cancelled,
            _ => Self::Expired,
        }
    }
}

/// A wish to be matched with others.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Ticket {
    /// Names the ticket.
    pub(super) ticket_id: TicketId,
    /// The game.
    pub(super) game: GameName,
    /// The fewest seats the player accepts.
    #[schema(minimum = 2, maximum = 6)]
    pub(super) seats: u8,
    /// The most seats the player accepts.
    #[schema(minimum = 2, maximum = 6)]
    pub(super) seats_max: u8,
    /// What has become of it.
    pub(super) status: TicketStatus,
    /// The match, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) match_id: Option<MatchId>,
    /// When it was made.
    pub(super) created_at: Timestamp,
}
