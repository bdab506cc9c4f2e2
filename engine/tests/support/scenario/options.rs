//! The options of a case.

use quartett_engine::{GameSetup, duel_quartett, pairs, supertrump, vdb_quartett, vdb_supertrumpf};
use serde_json::{Map, Value};

/// The game with the options of a case; a limit that is absent means: no such limit.
pub(super) fn setup(mode: &str, options: &Map<String, Value>) -> Result<GameSetup, String> {
    let mut known: Vec<&str> = Vec::new();
    let mut limit = |name: &'static str| {
        known.push(name);
        match options.get(name) {
            None => Ok(None),
            Some(value) => value
                .as_u64()
                .and_then(|value| u32::try_from(value).ok())
                .map(Some)
                .ok_or_else(|| format!("option {name} is no number")),
        }
    };
    let setup = match mode {
        "duel_quartett" => {
            let stall = limit("stall")?;
            let lay = one_of(
                options,
                &mut known,
                "lay",
                &[
                    ("auto", duel_quartett::Lay::Auto),
                    ("manual", duel_quartett::Lay::Manual),
                ],
            )?;
            GameSetup::DuelQuartett(duel_quartett::Options { lay, stall })
        }
        "supertrump" => {
            let rounds = limit("rounds")?;
            let end = one_of(
                options,
                &mut known,
                "end",
                &[
                    ("all_cards", supertrump::End::AllCards),
                    ("first_out", supertrump::End::FirstOut),
                ],
            )?;
            one_of(
                options,
                &mut known,
                "won_order",
                &[("fixed", ()), ("shuffled", ())],
            )?;
            GameSetup::Supertrump(supertrump::Options {
                won_order: supertrump::WonOrder::Fixed,
                rounds,
                end,
            })
        }
        "pairs" => {
            let idle = limit("idle")?;
            let memory = one_of(
                options,
                &mut known,
                "memory",
                &[
                    ("since_last_turn", pairs::Memory::SinceLastTurn),
                    ("full_log", pairs::Memory::FullLog),
                ],
            )?;
            GameSetup::Pairs(pairs::Options { memory, idle })
        }
        "vdb_supertrumpf" => GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options {
            rounds: limit("rounds")?,
        }),
        "vdb_quartett" => GameSetup::VdbQuartett(vdb_quartett::Options {
            guard_misses: limit("guard_misses")?,
            guard_asks: limit("guard_asks")?,
        }),
        _ => return Err(format!("there is no game {mode:?}")),
    };
    match options.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(format!("{mode} has no option {name:?}")),
        None => Ok(setup),
    }
}

/// The value of an option by its name; the first is the default.
fn one_of<T: Copy>(
    options: &Map<String, Value>,
    known: &mut Vec<&str>,
    name: &'static str,
    values: &[(&str, T)],
) -> Result<T, String> {
    known.push(name);
    let Some(chosen) = options.get(name) else {
        return Ok(values[0].1);
    };
    let found = values.iter().find(|(value, _)| chosen.as_str() == Some(value));
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| format!("option {name} has no value {chosen}"))
}
