//! The options of the games, told from the engine's own defaults.

use std::ops::RangeInclusive;

use quartett_engine::{GameKind, GameSetup};
use quartett_engine::{duel_quartett, pairs, supertrump, vdb_quartett, vdb_supertrumpf};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Text;

/// What every option that is a number lies in.
pub(crate) const LIMIT_BOUNDS: RangeInclusive<u32> = 1..=1000;

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

/// A setting that has one of a few named values.
pub(crate) trait Choice: Copy + Eq + 'static {
    /// Every value; the default first.
    const ALL: &'static [Self];

    /// The name on the wire.
    fn id(self) -> &'static str;

    /// What it means, for people, in English and German.
    fn label(self) -> [&'static str; 2];
}

impl Choice for duel_quartett::Lay {
    const ALL: &'static [Self] = &[Self::Auto, Self::Manual];

    fn id(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Manual => "manual",
        }
    }

    fn label(self) -> [&'static str; 2] {
        match self {
            Self::Auto => ["at once, by the service", "sofort, durch den Dienst"],
            Self::Manual => ["by hand, at any time", "von Hand, jederzeit"],
        }
    }
}

impl Choice for supertrump::WonOrder {
    const ALL: &'static [Self] = &[Self::Shuffled, Self::Fixed];

    fn id(self) -> &'static str {
        match self {
            Self::Shuffled => "shuffled",
            Self::Fixed => "fixed",
        }
    }

    fn label(self) -> [&'static str; 2] {
        match self {
            Self::Shuffled => ["mixed", "gemischt"],
            Self::Fixed => [
                "in a fixed order: centre, winner's card, then clockwise",
                "in fester Reihenfolge: Mitte, Siegerkarte, dann im Uhrzeigersinn",
            ],
        }
    }
}

impl Choice for supertrump::End {
    const ALL: &'static [Self] = &[Self::AllCards, Self::FirstOut];

    fn id(self) -> &'static str {
        match self {
            Self::AllCards => "all_cards",
            Self::FirstOut => "first_out",
        }
    }

    fn label(self) -> [&'static str; 2] {
        match self {
            Self::AllCards => [
                "when one player holds all cards",
                "wenn eine Person alle Karten hält",
            ],
            Self::FirstOut => [
                "when the first player is out; most cards win",
                "wenn die erste Person ausscheidet; die meisten Karten gewinnen",
            ],
        }
    }
}

impl Choice for pairs::Memory {
    const ALL: &'static [Self] = &[Self::SinceLastTurn, Self::FullLog];

    fn id(self) -> &'static str {
        match self {
            Self::SinceLastTurn => "since_last_turn",
            Self::FullLog => "full_log",
        }
    }

    fn label(self) -> [&'static str; 2] {
        match self {
            Self::SinceLastTurn => [
                "those since one's own last turn",
                "die seit dem eigenen letzten Zug",
            ],
            Self::FullLog => ["all of them", "alle"],
        }
    }
}

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
        bounds: Some(LIMIT_BOUNDS),
        values: Vec::new(),
    }
}

fn choice<C: Choice>(option: &'static str, value: C, label: [&'static str; 2]) -> Setting {
    Setting {
        option,
        label,
        value: value.id().to_owned(),
        bounds: None,
        values: C::ALL
            .iter()
            .map(|value| OptionValue {
                value: value.id(),
                label: Text::from(value.label()),
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
                [
                    "How won cards go under the stack",
                    "Wie gewonnene Karten unter den Stapel kommen",
                ],
            ),
            number("rounds", rounds, ROUNDS),
            choice("end", end, ["When the match ends", "Wann die Partie endet"]),
        ],
        GameSetup::Pairs(pairs::Options { memory, idle }) => vec![
            choice(
                "memory",
                memory,
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
    use super::{GameOption, LIMIT_BOUNDS, options};
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
                        assert!(LIMIT_BOUNDS.contains(&default.parse().unwrap()), "{name}");
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
