//! A player as the player itself sees it, and the tokens that come with it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Timestamp;
use crate::ids::PlayerId;

/// Whether somebody can sign in again from elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlayerKind {
    /// Known only on the device that made it.
    Guest,
    /// Has a username and a password.
    Registered,
}

impl PlayerKind {
    /// As it is stored.
    pub(crate) const fn number(self) -> i16 {
        match self {
            Self::Guest => 0,
            Self::Registered => 1,
        }
    }

    /// What is stored as `number`.
    pub(crate) const fn of(number: i16) -> Self {
        match number {
            0 => Self::Guest,
            _ => Self::Registered,
        }
    }
}

/// The caller's own account.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Me {
    /// Names the player, for ever.
    pub(crate) player_id: PlayerId,
    /// Whether the player is a guest or registered.
    pub(crate) kind: PlayerKind,
    /// What a registered player signs in with, as it was typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("Ann_K"))]
    pub(crate) username: Option<String>,
    /// What opponents see.
    #[schema(examples("Ann"))]
    pub(crate) display_name: String,
    /// The language the player reads, as a tag.
    #[schema(examples("en"))]
    pub(crate) locale: String,
    /// When the account was made.
    pub(crate) created_at: Timestamp,
}

/// What everybody may know of a player.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Player {
    /// Names the player, for ever.
    pub(crate) player_id: PlayerId,
    /// What opponents see.
    #[schema(examples("Ann"))]
    pub(crate) display_name: String,
    /// Whether the player is a guest or registered.
    pub(crate) kind: PlayerKind,
    /// When the player came.
    pub(crate) created_at: Timestamp,
}

/// What a device needs to act for a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenPair {
    /// Send it as `Authorization: Bearer …`.
    #[schema(examples("eyJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl"))]
    pub(crate) access_token: String,
    /// Always `Bearer`.
    #[schema(examples("Bearer"))]
    pub(crate) token_type: &'static str,
    /// How long the access token is good for.
    #[schema(minimum = 0, maximum = 86400, examples(900))]
    pub(crate) expires_in_seconds: u32,
    /// Gives the next pair, once. Keep it where only the app can read it.
    #[schema(examples("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA"))]
    pub(crate) refresh_token: String,
    /// The player these tokens act for.
    pub(crate) player: Me,
}
