//! What is agreed when a match is created, and who sits down.

use crate::game::GameSetup;
use crate::seat::Seat;
use crate::shuffle::Commitment;

/// Which rules a match is played by; pinned when it is created, so that a later fix of play does not change
/// how an older match replays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulesVersion(pub u16);

impl RulesVersion {
    /// The rules new matches are created under.
    pub const CURRENT: RulesVersion = RulesVersion(1);
}

/// How a bot plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BotLevel {
    /// Plays legally and little more.
    Easy,
    /// Remembers the recent past.
    Medium,
    /// Remembers and weighs everything its seat saw.
    Hard,
}

/// Who takes a seat before the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A player.
    Player,
    /// A bot.
    Bot(BotLevel),
}

/// How the starter is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StarterRule {
    /// Drawn.
    #[default]
    Random,
    /// The host.
    Host,
    /// The biggest answer to the sheet's question; drawn among equal or without answers.
    Question,
}

/// What a missed deadline does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeadlinePolicy {
    /// A medium bot plays on until the turn leaves the seat.
    #[default]
    BotPlays,
    /// The seat resigns.
    Forfeit,
}

/// What is agreed when a match is created and never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The 16 raw bytes of the match id.
    pub match_id: [u8; 16],
    /// The game and its options, all resolved.
    pub game: GameSetup,
    /// The deck's id.
    pub deck_id: String,
    /// SHA-256 of the deck document.
    pub deck_hash: [u8; 32],
    /// How many seats.
    pub seats: u8,
    /// How the starter is found.
    pub starter: StarterRule,
    /// Who starts, where that is settled beforehand: a rematch moves the starter one seat on.
    pub starter_seat: Option<Seat>,
    /// Time for one turn, in seconds.
    pub turn_seconds: u32,
    /// What a missed deadline does.
    pub deadline_policy: DeadlinePolicy,
    /// Time for the whole match from its start, in seconds.
    pub time_limit_seconds: Option<u32>,
    /// The rules it is played by.
    pub rules: RulesVersion,
    /// What binds the seed before anyone joins.
    pub seed_commitment: Commitment,
}
