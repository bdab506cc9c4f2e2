//! Non-interference: what a seat may not see never changes anything it can see, nor what its bot plays.
//!
//! Pairs of matches are dealt so that they differ only in cards hidden from a viewer, and play on with the
//! same actions for as long as everything shown to the viewer is the same. What counts as shown is said here
//! once more, from the rules, not asked of the engine. A comparison that never happens proves nothing: they
//! are counted, and planted leaks show that the comparisons can see.

mod pair;
#[path = "../support/played.rs"]
mod played;
mod shown;
mod surfaces;

use pair::{Counts, Pair, Projection};
use quartett_engine::deck::built_in;
use quartett_engine::{GameKind, GameSetup, Purpose, Seat, Seed, duel_quartett, pairs, supertrump};
use surfaces::{SURFACES, leaking, surfaces};

/// The settings in which a game is watched.
fn settings(game: GameKind) -> Vec<(GameSetup, u8)> {
    let default = |seats| (GameSetup::default_for(game, seats), seats);
    match game {
        GameKind::DuelQuartett => {
            let manual = duel_quartett::Options {
                lay: duel_quartett::Lay::Manual,
                ..duel_quartett::Options::default_for(4)
            };
            vec![default(3), default(6), (GameSetup::DuelQuartett(manual), 4)]
        }
        GameKind::Supertrump => {
            let fixed = supertrump::Options {
                won_order: supertrump::WonOrder::Fixed,
                ..supertrump::Options::default()
            };
            // With 5 seats cards are set aside.
            vec![
                default(2),
                default(5),
                default(6),
                (GameSetup::Supertrump(fixed), 3),
            ]
        }
        GameKind::Pairs => {
            let full = pairs::Options {
                memory: pairs::Memory::FullLog,
                ..pairs::Options::default_for(3)
            };
            vec![default(2), default(6), (GameSetup::Pairs(full), 3)]
        }
        GameKind::VdbSupertrumpf => vec![default(2), default(4)],
        GameKind::VdbQuartett => vec![default(3), default(4)],
    }
}

/// Plays pairs of matches of a game and compares; the error is the first difference.
fn watch(game: GameKind, pairs: usize, projection: Projection, counts: &mut Counts) -> Result<(), String> {
    let mut stream = Seed([8; 32]).deal_key(&[0; 16], []).stream(Purpose::Bot, 0);
    for (setup, seats) in settings(game) {
        // The deck with ties, so that the centre fills and playoffs come up.
        let deck = &built_in()[if seats == 3 { 0 } else { 3 }];
        for watcher in (0..seats).map(|seat| Some(Seat(seat))).chain([None]) {
            let mut dealt = 0;
            while dealt < pairs {
                let Some(mut pair) = Pair::deal(setup, deck, seats, watcher, &mut stream) else {
                    continue;
                };
                dealt += 1;
                pair.compare(projection, counts)?;
                let mut steps = 0;
                while steps < 80 && pair.step(&mut stream).is_some() {
                    pair.compare(projection, counts)?;
                    steps += 1;
                }
            }
        }
    }
    Ok(())
}

fn holds_in(game: GameKind) {
    // Stacks show a card of each seat every round, so pairs soon part there.
    let pairs = match game {
        GameKind::Supertrump | GameKind::VdbSupertrumpf => 200,
        GameKind::DuelQuartett | GameKind::Pairs | GameKind::VdbQuartett => 12,
    };
    let mut counts = Counts::new();
    if let Err(difference) = watch(game, pairs, surfaces, &mut counts) {
        panic!("{}: what is hidden shows in the {difference}", game.id());
    }
    let seats = (0..*game.seats().end()).map(|seat| Some(Seat(seat)));
    for watcher in seats.chain([None]) {
        let surfaces = if watcher.is_some() {
            &SURFACES[..]
        } else {
            &SURFACES[..4]
        };
        for surface in surfaces {
            let compared = counts.get(&(*surface, watcher)).copied().unwrap_or(0);
            let enough = if surface.ends_with("bot") { 40 } else { 200 };
            assert!(
                compared >= enough,
                "{surface} of {watcher:?} compared only {compared} times"
            );
        }
    }
}

#[test]
fn nothing_hidden_shows_in_duel_quartett() {
    holds_in(GameKind::DuelQuartett);
}

#[test]
fn nothing_hidden_shows_in_supertrump() {
    holds_in(GameKind::Supertrump);
}

#[test]
fn nothing_hidden_shows_in_pairs() {
    holds_in(GameKind::Pairs);
}

#[test]
fn nothing_hidden_shows_in_vdb_supertrumpf() {
    holds_in(GameKind::VdbSupertrumpf);
}

#[test]
fn nothing_hidden_shows_in_vdb_quartett() {
    holds_in(GameKind::VdbQuartett);
}

/// A view, a history, a notation or a bot that knows one hidden card is found out, in every game.
#[test]
fn planted_leaks_are_found() {
    let leaks: [(&str, Projection); 9] = [
        ("view", |played, watcher| leaking(played, watcher, "view")),
        ("past views", |played, watcher| {
            leaking(played, watcher, "past views")
        }),
        ("events", |played, watcher| leaking(played, watcher, "events")),
        ("notation", |played, watcher| leaking(played, watcher, "notation")),
        ("legal actions", |played, watcher| {
            leaking(played, watcher, "legal actions")
        }),
        ("refusals", |played, watcher| leaking(played, watcher, "refusals")),
        ("easy bot", |played, watcher| leaking(played, watcher, "easy bot")),
        ("medium bot", |played, watcher| {
            leaking(played, watcher, "medium bot")
        }),
        ("hard bot", |played, watcher| leaking(played, watcher, "hard bot")),
    ];
    for game in GameKind::ALL {
        for (surface, projection) in leaks {
            let found = watch(game, 12, projection, &mut Counts::new());
            let difference = found.expect_err("the leak is planted");
            assert!(difference.starts_with(surface), "{}: {difference}", game.id());
        }
    }
}
