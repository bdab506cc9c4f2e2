//! The options of the games, told from the engine's own defaults.

use std::ops::RangeInclusive;

use quartett_engine::duel_quartett::{self, Lay};
use quartett_engine::pairs::{self, Memory};
use quartett_engine::supertrump::{self, End, WonOrder};
use quartett_engine::{GameKind, GameSetup, vdb_quartett, vdb_supertrumpf};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Text;
use crate::wire::{EndName, LIMITS, LayName, MemoryName, WonOrderName};

/// A setting of a game: either a number within bounds, or one of a few named values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct GameOption {
    /// Its name, as a member of the game's settings.
    #[schema(examples("rounds"))]
    pub(super) option: &'static str,
    /// What it settles, for people.
    label: Text,
    /// The value it has when nothing is said, a number in decimal digits or a name. Where it depends on the
    /// number of seats, this is for the fewest.
    #[schema(examples("200"))]
    pub(super) default: String,
    /// The default for each number of seats, if it depends on that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, max_items = 8)]
    pub(super) defaults_by_seats: Vec<SeatsDefault>,
    /// The least number, for an option that is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1_000_000, examples(1))]
    pub(super) minimum: Option<u32>,
    /// The greatest number, for an option that is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1_000_000, examples(1000))]
    pub(super) maximum: Option<u32>,
    /// The values it can have, for an option that is no number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, max_items = 16)]
    pub(super) values: Vec<OptionValue>,
}

/// What an option is by default at a number of seats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct SeatsDefault {
    /// The number of seats.
    #[schema(minimum = 1, maximum = 8, examples(3))]
    pub(super) seats: u8,
    /// The value it has when nothing is said.
    #[schema(examples("36"))]
    pub(super) default: String,
}

/// A value that an option can have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct OptionValue {
    /// Its name, as the game's settings take it.
    #[schema(examples("shuffled"))]
    pub(super) value: &'static str,
    /// What it means, for people.
    label: Text,
}

/// The values of `duel_quartett`'s `lay`; the default first, as in every such list.
const LAY: &[(Lay, [&str; 2])] = &[
    (Lay::Auto, ["at once, by the service", "sofort, durch den Dienst"]),
    (Lay::Manual, ["by hand, at any time", "von Hand, jederzeit"]),
];

const WON_ORDER: &[(WonOrder, [&str; 2])] = &[
    (WonOrder::Shuffled, ["mixed", "gemischt"]),
    (
        WonOrder::Fixed,
        [
            "in a fixed order: centre, winner's card, then clockwise",
            "in fester Reihenfolge: Mitte, Siegerkarte, dann im Uhrzeigersinn",
        ],
    ),
];

const END: &[(End, [&str; 2])] = &[
    (
        End::AllCards,
        [
            "when one player holds all cards",
            "wenn eine Person alle Karten hält",
        ],
    ),
    (
        End::FirstOut,
        [
            "when the first player is out; most cards win",
            "wenn die erste Person ausscheidet; die meisten Karten gewinnen",
        ],
    ),
];

const MEMORY: &[(Memory, [&str; 2])] = &[
    (
        Memory::SinceLastTurn,
        [
            "those since one's own last turn",
            "die seit dem eigenen letzten Zug",
        ],
    ),
    (Memory::FullLog, ["all of them", "alle"]),
];

/// An option with the value it has in one setup.
struct Setting {
    option: &'static str,
    label: [&'static str; 2],
    value: String,
    bounds: Option<RangeInclusive<u32>>,
    values: Vec<OptionValue>,
}

fn number(option: &'static str, value: Option<u32>, label: [&'static str; 2]) -> Setting {
    let value = value.expect("the rules give every limit a default");
    Setting {
        option,
        label,
        value: value.to_string(),
        bounds: Some(LIMITS),
        values: Vec::new(),
    }
}

fn choice<T: Copy>(
    option: &'static str,
    value: T,
    values: &[(T, [&'static str; 2])],
    name: impl Fn(T) -> &'static str,
    label: [&'static str; 2],
) -> Setting {
    Setting {
        option,
        label,
        value: name(value).to_owned(),
        bounds: None,
        values: values
            .iter()
            .map(|(value, label)| OptionValue {
                value: name(*value),
                label: Text::from(*label),
            })
            .collect(),
    }
}

/// Every option of a setup; one that is added to a game does not compile until it is told here.
fn settings(setup: GameSetup) -> Vec<Setting> {
    match setup {
        GameSetup::DuelQuartett(duel_quartett::Options { lay, stall }) => vec![
            choice(
                "lay",
                lay,
                LAY,
                |value| LayName(value).name(),
                ["How quartets are laid", "Wie Quartette abgelegt werden"],
            ),
            number(
                "stall",
                stall,
                [
                    "Questions in a row without a new whole group that end the match",
                    "Fragen in Folge ohne neue vollständige Gruppe, nach denen die Partie endet",
                ],
            ),
        ],
        GameSetup::Supertrump(supertrump::Options {
            won_order,
            rounds,
            end,
        }) => vec![
            choice(
                "won_order",
                won_order,
                WON_ORDER,
                |value| WonOrderName(value).name(),
                [
                    "How won cards go under the stack",
                    "Wie gewonnene Karten unter den Stapel kommen",
                ],
            ),
            number("rounds", rounds, ROUNDS),
            choice(
                "end",
                end,
                END,
                |value| EndName(value).name(),
                ["When the match ends", "Wann die Partie endet"],
            ),
        ],
        GameSetup::Pairs(pairs::Options { memory, idle }) => vec![
            choice(
                "memory",
                memory,
                MEMORY,
                |value| MemoryName(value).name(),
                [
                    "Which earlier flips are shown",
                    "Welche früher aufgedeckten Karten gezeigt werden",
                ],
            ),
            number(
                "idle",
                idle,
                [
                    "Idle misses in a row that end the match",
                    "Leere Fehlversuche in Folge, nach denen die Partie endet",
                ],
            ),
        ],
        GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options { rounds }) => {
            vec![number("rounds", rounds, ROUNDS)]
        }
        GameSetup::VdbQuartett(vdb_quartett::Options {
            guard_misses,
            guard_asks,
        }) => vec![
            number(
                "guard_misses",
                guard_misses,
                [
                    "Misses in a row from which on hopeless questions are refused",
                    "Fehlfragen in Folge, ab denen aussichtslose Fragen abgelehnt werden",
                ],
            ),
            number(
                "guard_asks",
                guard_asks,
                [
                    "Questions altogether from which on hopeless questions are refused",
                    "Fragen insgesamt, ab denen aussichtslose Fragen abgelehnt werden",
                ],
            ),
        ],
    }
}

const ROUNDS: [&str; 2] = [
    "Rounds after which the match ends",
    "Runden, nach denen die Partie endet",
];

/// The options of a game, in the order of the rules.
pub(super) fn options(game: GameKind) -> Vec<GameOption> {
    let by_seats: Vec<(u8, Vec<Setting>)> = game
        .seats()
        .map(|seats| (seats, settings(GameSetup::default_for(game, seats))))
        .collect();
    let fewest = by_seats.first().map(|(_, settings)| settings);
    fewest
        .into_iter()
        .flatten()
        .enumerate()
        .map(|(place, setting)| {
            let defaults: Vec<SeatsDefault> = by_seats
                .iter()
                .map(|(seats, settings)| SeatsDefault {
                    seats: *seats,
                    default: settings[place].value.clone(),
                })
                .collect();
            let depends = defaults.iter().any(|at| at.default != setting.value);
            GameOption {
                option: setting.option,
                label: Text::from(setting.label),
                default: setting.value.clone(),
                defaults_by_seats: if depends { defaults } else { Vec::new() },
                minimum: setting.bounds.as_ref().map(|bounds| *bounds.start()),
                maximum: setting.bounds.as_ref().map(|bounds| *bounds.end()),
                values: setting.values.clone(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{GameOption, options};
    use crate::wire::LIMITS;
    use quartett_engine::GameKind;

    fn option(game: GameKind, name: &str) -> GameOption {
        options(game)
            .into_iter()
            .find(|option| option.option == name)
            .unwrap()
    }

    #[test]
    fn defaults_are_those_of_the_rules() {
        for (game, name, default) in [
            (GameKind::DuelQuartett, "lay", "auto"),
            (GameKind::Supertrump, "won_order", "shuffled"),
            (GameKind::Supertrump, "rounds", "200"),
            (GameKind::Supertrump, "end", "all_cards"),
            (GameKind::Pairs, "memory", "since_last_turn"),
            (GameKind::VdbSupertrumpf, "rounds", "60"),
            (GameKind::VdbQuartett, "guard_asks", "150"),
        ] {
            let option = option(game, name);
            assert_eq!(option.default, default, "{name}");
            assert!(option.defaults_by_seats.is_empty(), "{name}");
        }
        for (game, name, per_seat) in [
            (GameKind::DuelQuartett, "stall", 12),
            (GameKind::Pairs, "idle", 12),
            (GameKind::VdbQuartett, "guard_misses", 3),
        ] {
            let option = option(game, name);
            let listed: Vec<(u8, u32)> = option
                .defaults_by_seats
                .iter()
                .map(|at| (at.seats, at.default.parse().unwrap()))
                .collect();
            let expected: Vec<(u8, u32)> = game
                .seats()
                .map(|seats| (seats, per_seat * u32::from(seats)))
                .collect();
            assert_eq!(listed, expected, "{name}");
            assert_eq!(option.default, expected[0].1.to_string());
        }
    }

    #[test]
    fn every_option_is_a_number_within_bounds_or_one_of_its_values() {
        for game in GameKind::ALL {
            for option in options(game) {
                let name = option.option;
                if option.values.is_empty() {
                    assert_eq!((option.minimum, option.maximum), (Some(1), Some(1000)), "{name}");
                    let defaults = option.defaults_by_seats.iter().map(|at| &at.default);
                    for default in defaults.chain([&option.default]) {
                        assert!(LIMITS.contains(&default.parse().unwrap()), "{name}");
                    }
                } else {
                    assert_eq!((option.minimum, option.maximum), (None, None), "{name}");
                    assert_eq!(
                        option.values[0].value, option.default,
                        "{name}: the default is first"
                    );
                }
            }
        }
    }
}
