//! Replay, decide and apply, view, legal actions and a bot's move, each game by itself.
//!
//! `cargo bench -p quartett-engine`. A replay's throughput is in events per second. On one core of a two-core
//! virtual machine that was busy with other work, under rules version 1:
//!
//! ```text
//!                  replay            a hard bot's choice: median   99 % within
//! duel_quartett    14 M events/s                          4 µs         33 µs
//! supertrump        8 M events/s                          1 µs         19 µs
//! pairs            13 M events/s                          4 µs         10 µs
//! vdb_supertrumpf  10 M events/s                          1 µs          3 µs
//! vdb_quartett     19 M events/s                          3 µs          6 µs
//! ```

#[path = "../tests/support/played.rs"]
mod played;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use played::{Opening, Played, terms};
use quartett_engine::deck::built_in;
use quartett_engine::{
    Action, BotLevel, GameKind, GameSetup, Holder, Match, Purpose, Seat, Seed, Viewer, bot,
};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A whole match of bots on the largest ring, its state and next action half-way, and how long each choice of
/// a bot took.
struct Sample {
    whole: Played,
    half: Played,
    seat: Seat,
    action: Action,
    choices: Vec<Duration>,
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn sample(game: GameKind, level: BotLevel, number: u8) -> Sample {
    let deck = match game {
        GameKind::VdbSupertrumpf | GameKind::VdbQuartett => &built_in()[1],
        GameKind::DuelQuartett | GameKind::Supertrump | GameKind::Pairs => &built_in()[0],
    };
    let (seed, seats) = (Seed([number; 32]), *game.seats().end());
    let terms = terms(GameSetup::default_for(game, seats), deck, seats, &seed);
    let holders = vec![Holder::Bot(level); usize::from(seats)];
    let mut played = Played::begin(terms, deck, &holders, &seed, Opening::default());
    let (mut states, mut choices) = (Vec::new(), Vec::new());
    while let Some(turn) = played.now.turn() {
        let mut stream = played.stream(Purpose::Bot);
        let begun = Instant::now();
        let action = bot::choose(&played.now, turn.seat, level, &mut stream);
        choices.push(begun.elapsed());
        let action = action.expect("the seat to move can do something");
        let events = played.decide(turn.seat, &action).expect("legal");
        states.push((played.clone(), turn.seat, action));
        played.take_in(events);
    }
    let (half, seat, action) = states.swap_remove(states.len() / 2);
    Sample {
        whole: played,
        half,
        seat,
        action,
        choices,
    }
}

fn games(criterion: &mut Criterion) {
    for game in GameKind::ALL {
        let Sample {
            whole,
            half,
            seat,
            action,
            ..
        } = sample(game, BotLevel::Medium, 11);
        let deck = whole.now.deck().clone();
        let events: usize = whole.log.iter().map(|entry| entry.events.len()).sum();
        let mut group = criterion.benchmark_group(game.id());
        group.throughput(Throughput::Elements(events as u64));
        group.bench_function("replay", |bencher| {
            bencher.iter(|| Match::replay(deck.clone(), black_box(&whole.log)))
        });
        group.throughput(Throughput::Elements(1));
        group.bench_function("decide", |bencher| {
            bencher.iter(|| half.decide(seat, black_box(&action)))
        });
        let decided = half.decide(seat, &action).expect("legal");
        let mut now = half.now.clone();
        group.bench_function("clone and apply", |bencher| {
            bencher.iter(|| {
                now.clone_from(&half.now);
                now.apply_entry(black_box(&decided));
            })
        });
        group.bench_function("view", |bencher| {
            bencher.iter(|| half.now.view(black_box(Viewer::Seat(seat))))
        });
        group.bench_function("legal", |bencher| {
            bencher.iter(|| half.now.legal_actions(black_box(seat)))
        });
        group.bench_function("hard bot", |bencher| {
            bencher.iter(|| bot::choose(&half.now, seat, BotLevel::Hard, &mut half.stream(Purpose::Bot)))
        });
        group.finish();
    }
}

/// How long a hard bot's choice takes at worst: percentiles over all choices of many whole matches.
#[expect(clippy::print_stdout, reason = "the figures are the point")]
fn hard_bots(_: &mut Criterion) {
    for game in GameKind::ALL {
        let mut choices: Vec<Duration> = (0..60)
            .flat_map(|number| sample(game, BotLevel::Hard, number).choices)
            .collect();
        choices.sort_unstable();
        let at = |percent: usize| choices[(choices.len() - 1) * percent / 100];
        println!(
            "{}/hard bot, {} choices: median {:?}, 99 % within {:?}, longest {:?}",
            game.id(),
            choices.len(),
            at(50),
            at(99),
            at(100)
        );
    }
}

criterion_group!(benches, games, hard_bots);
criterion_main!(benches);
