//! A game and its options on the wire.

use quartett_engine::{
    self as engine, GameKind, duel_quartett, pairs, supertrump, vdb_quartett, vdb_supertrumpf,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::keyed_union::keyed_union;
use super::names::{EndName, LayName, MemoryName, WonOrderName};

/// The bounds of every option that counts something.
pub(crate) const LIMITS: std::ops::RangeInclusive<u32> = 1..=1000;

/// Options of `duel_quartett`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DuelQuartettOptions {
    /// When whole groups are laid; `auto` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    lay: Option<LayName>,
    /// Asks without a new whole group that end the match; 12 per seat if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000)]
    stall: Option<u32>,
}

/// Options of `supertrump`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SupertrumpOptions {
    /// How won cards go under the winner's stack; `shuffled` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    won_order: Option<WonOrderName>,
    /// Rounds that end the match; 200 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000)]
    rounds: Option<u32>,
    /// What ends the match; `all_cards` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<EndName>,
}

/// Options of `pairs`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PairsOptions {
    /// What is shown of earlier flips; `since_last_turn` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<MemoryName>,
    /// Misses of known places in a row that end the match; 12 per seat if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000)]
    idle: Option<u32>,
}

/// Options of `vdb_supertrumpf`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VdbSupertrumpfOptions {
    /// Rounds, each with its playoffs, that end the match; 60 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000, examples(60))]
    rounds: Option<u32>,
}

/// Options of `vdb_quartett`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VdbQuartettOptions {
    /// Misses in a row that switch the guard against endless play on; 3 per seat if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000)]
    guard_misses: Option<u32>,
    /// Asks altogether that switch the guard on at the next miss; 150 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000)]
    guard_asks: Option<u32>,
}

keyed_union! {
    /// A game and its options. An absent member, or an absent option in it, means the default.
    pub(crate) enum GameSetup read as KeyedGameSetup {
        /// Ask for a card, then fight for it (sheet A).
        duel_quartett => DuelQuartett[DuelQuartettOptions],
        /// Top cards compared, the active one open (sheet A).
        supertrump => Supertrump[SupertrumpOptions],
        /// Find card and plan card (sheet A).
        pairs => Pairs[PairsOptions],
        /// Top cards compared, with playoffs (sheet V).
        vdb_supertrumpf => VdbSupertrumpf[VdbSupertrumpfOptions],
        /// Ask for cards and lay groups (sheet V).
        vdb_quartett => VdbQuartett[VdbQuartettOptions],
    }
}

/// An option that is below 1 or above 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OptionOutOfRange {
    /// The game, which is also the member of the union.
    pub(crate) game: &'static str,
    /// The option.
    pub(crate) option: &'static str,
}

impl GameSetup {
    /// Which game.
    pub(crate) fn kind(&self) -> GameKind {
        match self {
            Self::DuelQuartett(_) => GameKind::DuelQuartett,
            Self::Supertrump(_) => GameKind::Supertrump,
            Self::Pairs(_) => GameKind::Pairs,
            Self::VdbSupertrumpf(_) => GameKind::VdbSupertrumpf,
            Self::VdbQuartett(_) => GameKind::VdbQuartett,
        }
    }

    /// A setup with every option written out.
    pub(crate) fn of(setup: &engine::GameSetup) -> Self {
        match *setup {
            engine::GameSetup::DuelQuartett(duel_quartett::Options { lay, stall }) => {
                Self::DuelQuartett(DuelQuartettOptions {
                    lay: Some(LayName(lay)),
                    stall,
                })
            }
            engine::GameSetup::Supertrump(supertrump::Options {
                won_order,
                rounds,
                end,
            }) => Self::Supertrump(SupertrumpOptions {
                won_order: Some(WonOrderName(won_order)),
                rounds,
                end: Some(EndName(end)),
            }),
            engine::GameSetup::Pairs(pairs::Options { memory, idle }) => Self::Pairs(PairsOptions {
                memory: Some(MemoryName(memory)),
                idle,
            }),
            engine::GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options { rounds }) => {
                Self::VdbSupertrumpf(VdbSupertrumpfOptions { rounds })
            }
            engine::GameSetup::VdbQuartett(vdb_quartett::Options {
                guard_misses,
                guard_asks,
            }) => Self::VdbQuartett(VdbQuartettOptions {
                guard_misses,
                guard_asks,
            }),
        }
    }

    /// The setup with its defaults resolved for a number of seats.
    pub(crate) fn resolve(&self, seats: u8) -> Result<engine::GameSetup, OptionOutOfRange> {
        let game = self.tag();
        let limit = |option, given: Option<u32>, default: Option<u32>| match given {
            Some(limit) if !LIMITS.contains(&limit) => Err(OptionOutOfRange { game, option }),
            Some(_) => Ok(given),
            None => Ok(default),
        };
        Ok(match self {
            Self::DuelQuartett(options) => {
                let default = duel_quartett::Options::default_for(seats);
                engine::GameSetup::DuelQuartett(duel_quartett::Options {
                    lay: options.lay.map_or(default.lay, |lay| lay.0),
                    stall: limit("stall", options.stall, default.stall)?,
                })
            }
            Self::Supertrump(options) => {
                let default = supertrump::Options::default();
                engine::GameSetup::Supertrump(supertrump::Options {
                    won_order: options.won_order.map_or(default.won_order, |order| order.0),
                    rounds: limit("rounds", options.rounds, default.rounds)?,
                    end: options.end.map_or(default.end, |end| end.0),
                })
            }
            Self::Pairs(options) => {
                let default = pairs::Options::default_for(seats);
                engine::GameSetup::Pairs(pairs::Options {
                    memory: options.memory.map_or(default.memory, |memory| memory.0),
                    idle: limit("idle", options.idle, default.idle)?,
                })
            }
            Self::VdbSupertrumpf(options) => {
                let default = vdb_supertrumpf::Options::default();
                engine::GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options {
                    rounds: limit("rounds", options.rounds, default.rounds)?,
                })
            }
            Self::VdbQuartett(options) => {
                let default = vdb_quartett::Options::default_for(seats);
                engine::GameSetup::VdbQuartett(vdb_quartett::Options {
                    guard_misses: limit("guard_misses", options.guard_misses, default.guard_misses)?,
                    guard_asks: limit("guard_asks", options.guard_asks, default.guard_asks)?,
                })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{GameSetup, OptionOutOfRange};
    use quartett_engine::{self as engine, GameKind};
    use serde_json::json;

    #[test]
    fn a_bare_type_means_the_defaults_and_a_resolved_setup_comes_back() {
        for game in GameKind::ALL {
            let bare: GameSetup = serde_json::from_value(json!({"type": game.id()})).unwrap();
            let resolved = bare.resolve(3).unwrap();
            assert_eq!(resolved, engine::GameSetup::default_for(game, 3));
            let written = serde_json::to_value(GameSetup::of(&resolved)).unwrap();
            let read: GameSetup = serde_json::from_value(written).unwrap();
            assert_eq!(read.resolve(2).unwrap(), resolved);
        }
    }

    #[test]
    fn limits_have_bounds_and_option_names_are_checked() {
        let rounds = |rounds: u32| -> GameSetup {
            serde_json::from_value(json!({"type": "supertrump", "supertrump": {"rounds": rounds}})).unwrap()
        };
        assert!(rounds(1).resolve(2).is_ok() && rounds(1000).resolve(2).is_ok());
        let refused = OptionOutOfRange {
            game: "supertrump",
            option: "rounds",
        };
        assert_eq!(rounds(0).resolve(2), Err(refused));
        assert_eq!(rounds(1001).resolve(2), Err(refused));
        let misspelt = json!({"type": "supertrump", "supertrump": {"round": 9}});
        assert!(serde_json::from_value::<GameSetup>(misspelt).is_err());
    }
}
