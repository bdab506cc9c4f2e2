//! A match as one viewer sees it.

use quartett_engine::{CancelReason, EndReason, Match};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Hex32;
use super::action::GameAction;
use super::names::{BotLevelName, DeadlinePolicyName, OutcomeName, PhaseName, StarterName, StatusName};
use super::setup::GameSetup;
use super::table::GameTable;
use crate::http::Timestamp;
use crate::ids::{MatchId, PlayerId};

/// Which deck a match is played with: the id for people, the hash for certainty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct DeckRef {
    /// The deck's id.
    #[schema(examples("wohnbau"))]
    pub(crate) deck_id: String,
    /// SHA-256 of the deck document; `getDeckByHash` serves exactly it.
    pub(crate) hash: Hex32,
}

/// A player, as others see one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PlayerName {
    /// The player.
    pub(crate) player_id: PlayerId,
    /// What opponents see.
    #[schema(examples("Ann"))]
    pub(crate) display_name: String,
}

/// Who holds a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeatKind {
    /// A player.
    Player,
    /// A bot.
    Bot,
    /// Nobody yet.
    Open,
}

/// How a seat stands in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeatState {
    /// Has cards, or the game has no going out.
    In,
    /// Has none left.
    Out,
    /// Its player resigned; a bot holds it to the end.
    Resigned,
}

/// A seat of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct SeatView {
    /// Its number, clockwise from 0.
    #[schema(maximum = 5)]
    pub(crate) seat: u8,
    /// Who holds it.
    pub(crate) kind: SeatKind,
    /// The player, if one holds it and was not erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) player: Option<PlayerName>,
    /// `true` if the player was erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) erased: Option<bool>,
    /// How the bot plays, if a bot holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bot_level: Option<BotLevelName>,
    /// How it stands in the game.
    pub(crate) state: SeatState,
    /// Whether a bot plays until the player returns.
    pub(crate) away: bool,
}

/// Whose move it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct TurnView {
    /// The seat.
    #[schema(maximum = 5)]
    pub(crate) seat: u8,
    /// What it must do.
    pub(crate) phase: PhaseName,
    /// When its time is up; only in a view of the present version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deadline_at: Option<Timestamp>,
}

/// A seat's place in the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct SeatStanding {
    /// The seat.
    #[schema(maximum = 5)]
    pub(crate) seat: u8,
    /// 1 is the best; equal results share a rank.
    #[schema(minimum = 1, maximum = 6)]
    pub(crate) rank: u8,
    /// Quartets, cards or pairs.
    #[schema(maximum = 128)]
    pub(crate) score: u16,
}

/// How a match ended, or that it was cancelled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct MatchResult {
    /// Why it is over.
    pub(crate) reason: OutcomeName,
    /// Every seat, in seat order; nobody if the match was cancelled.
    #[schema(max_items = 6)]
    pub(crate) ranks: Vec<SeatStanding>,
}

/// Why a match is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It ended.
    Ended(EndReason),
    /// It was cancelled before its start.
    Cancelled(CancelReason),
}

impl MatchResult {
    /// The result of a match that is over.
    pub(crate) fn of(state: &Match) -> Option<Self> {
        if let Some(result) = state.result() {
            return Some(Self {
                reason: OutcomeName(Outcome::Ended(result.reason)),
                ranks: super::event_writing::ranks(&result.standings),
            });
        }
        state.cancel_reason().map(|reason| Self {
            reason: OutcomeName(Outcome::Cancelled(reason)),
            ranks: Vec::new(),
        })
    }
}

/// A match as the caller sees it at one version.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MatchView {
    /// The match.
    pub(crate) match_id: MatchId,
    /// The number of its last entry seen here.
    pub(crate) version: u64,
    /// The hash of that entry: the caller's receipt.
    pub(crate) head_hash: Hex32,
    /// The game with every option.
    pub(crate) game: GameSetup,
    /// Where it stands.
    pub(crate) status: StatusName,
    /// Whether everybody may join, or those who are invited.
    pub(crate) visibility: Visibility,
    /// The code to join with; for seated players while the match waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("K7MWX2PQ"))]
    pub(crate) invite_code: Option<String>,
    /// The deck.
    pub(crate) deck: DeckRef,
    /// How the starter is found.
    pub(crate) starter: StarterName,
    /// Time for one turn.
    #[schema(minimum = 60, maximum = 2_592_000)]
    pub(crate) turn_seconds: u32,
    /// What a missed deadline does.
    pub(crate) deadline_policy: DeadlinePolicyName,
    /// Time for the whole match from its start, if limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time_limit_seconds: Option<u32>,
    /// Every seat, clockwise.
    #[schema(min_items = 2, max_items = 6)]
    pub(crate) seats: Vec<SeatView>,
    /// The seat whose player may start or cancel the match, while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 5)]
    pub(crate) host_seat: Option<u8>,
    /// The caller's seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 5)]
    pub(crate) my_seat: Option<u8>,
    /// Whose move it is, while the match runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn: Option<TurnView>,
    /// What lies on the table.
    pub(crate) table: GameTable,
    /// Everything the caller may do now, each ready to be sent as it is; absent if there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, min_items = 1, max_items = 320)]
    pub(crate) legal_actions: Vec<GameAction>,
    /// The result, once the match is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<MatchResult>,
    /// What binds the seed of the deal since before anyone joined.
    pub(crate) seed_commitment: Hex32,
    /// The seed, once the match has ended or was cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<Hex32>,
    /// When it was created.
    pub(crate) created_at: Timestamp,
    /// When it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) started_at: Option<Timestamp>,
    /// When it ended or was cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ended_at: Option<Timestamp>,
}

/// Who may find and join a waiting match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Visibility {
    /// Everybody, through the lobby.
    Open,
    /// Those who know its invite code.
    Invite,
}
