//! The engine's enums by their names on the wire.

use quartett_engine::card::Side;
use quartett_engine::{
    BotLevel, CancelReason, DeadlinePolicy, EndReason, GameKind, Limit, Phase, StarterRule, Status,
    duel_quartett, pairs, supertrump,
};

use super::match_view::Outcome;
use super::payload::By;

/// Makes a type around an enum that is written and read by name. The set of names is open to clients: new
/// ones may come; a request with an unknown one is refused.
macro_rules! names {
    ($( $(#[doc = $doc:literal])* $Name:ident($Inner:ty) { $($text:literal => ($($value:tt)+)),+ $(,)? } )+) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) struct $Name(pub(crate) $Inner);

        impl $Name {
            /// Every name.
            const NAMES: &'static [&'static str] = &[$($text),+];

            /// The name of this one.
            pub(crate) fn name(self) -> &'static str {
                match self.0 { $($($value)+ => $text),+ }
            }

            /// The one with this name.
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name { $($text => Some(Self($($value)+)),)+ _ => None }
            }
        }

        impl serde::Serialize for $Name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                Self::named(&name).ok_or_else(|| {
                    serde::de::Error::custom(format_args!("expected one of {}", Self::NAMES.join(", ")))
                })
            }
        }

        impl utoipa::PartialSchema for $Name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                let doc: &[&str] = &[$($doc),*];
                let names = utoipa::openapi::extensions::ExtensionsBuilder::new()
                    .add("x-extensible-enum", Self::NAMES.to_vec())
                    .build();
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .description(Some(doc.join(" ").trim()))
                    .max_length(Some(32))
                    .examples(Self::NAMES.first().copied())
                    .extensions(Some(names))
                    .into()
            }
        }

        impl utoipa::ToSchema for $Name {}
    )+ };
}

names! {
    /// One of the five games.
    GameName(GameKind) {
        "duel_quartett" => (GameKind::DuelQuartett),
        "supertrump" => (GameKind::Supertrump),
        "pairs" => (GameKind::Pairs),
        "vdb_supertrumpf" => (GameKind::VdbSupertrumpf),
        "vdb_quartett" => (GameKind::VdbQuartett),
    }
    /// How a bot plays.
    BotLevelName(BotLevel) {
        "easy" => (BotLevel::Easy), "medium" => (BotLevel::Medium), "hard" => (BotLevel::Hard),
    }
    /// How the starter is found: drawn, the host, or by the biggest answer to the sheet's question.
    StarterName(StarterRule) {
        "random" => (StarterRule::Random), "host" => (StarterRule::Host), "question" => (StarterRule::Question),
    }
    /// What a missed deadline does: a bot plays on, or the seat resigns.
    DeadlinePolicyName(DeadlinePolicy) {
        "bot_plays" => (DeadlinePolicy::BotPlays), "forfeit" => (DeadlinePolicy::Forfeit),
    }
    /// What the seat to move must do.
    PhaseName(Phase) {
        "ask" => (Phase::Ask),
        "duel" => (Phase::Duel),
        "choose" => (Phase::Choose),
        "choose_blind" => (Phase::ChooseBlind),
        "playoff" => (Phase::Playoff),
        "flip_first" => (Phase::FlipFirst),
        "flip_second" => (Phase::FlipSecond),
    }
    /// Where a match stands.
    StatusName(Status) {
        "waiting" => (Status::Waiting),
        "active" => (Status::Active),
        "ended" => (Status::Ended),
        "cancelled" => (Status::Cancelled),
    }
    /// Which limit ended a match.
    LimitName(Limit) {
        "rounds" => (Limit::Rounds), "time" => (Limit::Time), "stall" => (Limit::Stall), "idle" => (Limit::Idle),
    }
    /// Why a match ended.
    EndReasonName(EndReason) {
        "complete" => (EndReason::Complete),
        "rounds" => (EndReason::Limit(Limit::Rounds)),
        "time" => (EndReason::Limit(Limit::Time)),
        "stall" => (EndReason::Limit(Limit::Stall)),
        "idle" => (EndReason::Limit(Limit::Idle)),
        "abandoned" => (EndReason::Abandoned),
        "too_few_players" => (EndReason::TooFewPlayers),
    }
    /// Why a match is over: how it ended, or that it was cancelled.
    OutcomeName(Outcome) {
        "complete" => (Outcome::Ended(EndReason::Complete)),
        "rounds" => (Outcome::Ended(EndReason::Limit(Limit::Rounds))),
        "time" => (Outcome::Ended(EndReason::Limit(Limit::Time))),
        "stall" => (Outcome::Ended(EndReason::Limit(Limit::Stall))),
        "idle" => (Outcome::Ended(EndReason::Limit(Limit::Idle))),
        "abandoned" => (Outcome::Ended(EndReason::Abandoned)),
        "too_few_players" => (Outcome::Ended(EndReason::TooFewPlayers)),
        "host_cancelled" => (Outcome::Cancelled(CancelReason::HostCancelled)),
        "expired" => (Outcome::Cancelled(CancelReason::Expired)),
    }
    /// Why a match was cancelled.
    CancelReasonName(CancelReason) {
        "host_cancelled" => (CancelReason::HostCancelled), "expired" => (CancelReason::Expired),
    }
    /// Which of the two cards of one number: the card, or its plan card.
    SideName(Side) {
        "card" => (Side::Card), "plan" => (Side::Plan),
    }
    /// When whole groups are laid: at once by the service, or by their holder at any time.
    LayName(duel_quartett::Lay) {
        "auto" => (duel_quartett::Lay::Auto), "manual" => (duel_quartett::Lay::Manual),
    }
    /// How won cards go under the winner's stack.
    WonOrderName(supertrump::WonOrder) {
        "shuffled" => (supertrump::WonOrder::Shuffled), "fixed" => (supertrump::WonOrder::Fixed),
    }
    /// What ends the match: one seat holds all cards, or the first seat is out.
    EndName(supertrump::End) {
        "all_cards" => (supertrump::End::AllCards), "first_out" => (supertrump::End::FirstOut),
    }
    /// What is shown of earlier flips while the match runs.
    MemoryName(pairs::Memory) {
        "since_last_turn" => (pairs::Memory::SinceLastTurn), "full_log" => (pairs::Memory::FullLog),
    }
    /// Who caused an entry: a player, a bot, the clock, or the service itself.
    ByName(By) {
        "player" => (By::Player), "bot" => (By::Bot), "clock" => (By::Clock), "service" => (By::Service),
    }
}
