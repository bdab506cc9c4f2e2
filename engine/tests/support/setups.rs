//! Every game with every option, as far as its limits keep matches short.

use proptest::prelude::*;
use quartett_engine::{GameSetup, duel_quartett, pairs, supertrump, vdb_quartett, vdb_supertrumpf};

fn limit(max: u32) -> impl Strategy<Value = u32> {
    1..=max
}

/// A game with its options, and a number of seats.
pub(crate) fn setups() -> impl Strategy<Value = (GameSetup, u8)> {
    let duel = (any::<bool>(), limit(60), 2..=6_u8).prop_map(|(auto, stall, seats)| {
        let lay = if auto {
            duel_quartett::Lay::Auto
        } else {
            duel_quartett::Lay::Manual
        };
        (
            GameSetup::DuelQuartett(duel_quartett::Options {
                lay,
                stall: Some(stall),
            }),
            seats,
        )
    });
    let trump =
        (any::<bool>(), any::<bool>(), limit(200), 2..=6_u8).prop_map(|(fixed, first, rounds, seats)| {
            let won_order = if fixed {
                supertrump::WonOrder::Fixed
            } else {
                supertrump::WonOrder::Shuffled
            };
            let end = if first {
                supertrump::End::FirstOut
            } else {
                supertrump::End::AllCards
            };
            (
                GameSetup::Supertrump(supertrump::Options {
                    won_order,
                    rounds: Some(rounds),
                    end,
                }),
                seats,
            )
        });
    let pairs = (any::<bool>(), limit(40), 2..=6_u8).prop_map(|(full, idle, seats)| {
        let memory = if full {
            pairs::Memory::FullLog
        } else {
            pairs::Memory::SinceLastTurn
        };
        (
            GameSetup::Pairs(pairs::Options {
                memory,
                idle: Some(idle),
            }),
            seats,
        )
    });
    let stich = (limit(120), 2..=4_u8).prop_map(|(rounds, seats)| {
        (
            GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options { rounds: Some(rounds) }),
            seats,
        )
    });
    let classic = (limit(12), limit(150), 3..=4_u8).prop_map(|(misses, asks, seats)| {
        let options = vdb_quartett::Options {
            guard_misses: Some(misses),
            guard_asks: Some(asks),
        };
        (GameSetup::VdbQuartett(options), seats)
    });
    prop_oneof![duel, trump, pairs, stich, classic]
}
