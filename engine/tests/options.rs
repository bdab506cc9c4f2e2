//! The options a match has when nobody chose any: what the rules name as defaults, number by number.

use quartett_engine::{GameKind, GameSetup, duel_quartett, pairs, supertrump, vdb_quartett, vdb_supertrumpf};

#[test]
fn defaults_are_those_of_the_rules() {
    for seats in 2..=6 {
        let of = |game| GameSetup::default_for(game, seats);
        let twelve_each = Some(12 * u32::from(seats));
        assert_eq!(
            of(GameKind::DuelQuartett),
            GameSetup::DuelQuartett(duel_quartett::Options {
                lay: duel_quartett::Lay::Auto,
                stall: twelve_each,
            })
        );
        assert_eq!(
            of(GameKind::Supertrump),
            GameSetup::Supertrump(supertrump::Options {
                won_order: supertrump::WonOrder::Shuffled,
                rounds: Some(200),
                end: supertrump::End::AllCards,
            })
        );
        assert_eq!(
            of(GameKind::Pairs),
            GameSetup::Pairs(pairs::Options {
                memory: pairs::Memory::SinceLastTurn,
                idle: twelve_each,
            })
        );
        assert_eq!(
            of(GameKind::VdbSupertrumpf),
            GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options { rounds: Some(60) })
        );
        assert_eq!(
            of(GameKind::VdbQuartett),
            GameSetup::VdbQuartett(vdb_quartett::Options {
                guard_misses: Some(3 * u32::from(seats)),
                guard_asks: Some(150),
            })
        );
    }
}
