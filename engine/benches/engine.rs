//! Replay, decide and apply, view, legal actions and a bot's move, each game by itself.
//!
//! `cargo bench -p quartett-engine`. A replay's throughput is in events per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quartett_engine::deck::built_in;
use quartett_engine::{
    Action, BotLevel, DeadlinePolicy, Entry, Event, GameKind, GameSetup, Holder, Match, Purpose,
    RulesVersion, Seat, Seed, StarterRule, Terms, Viewer, bot,
};
use std::hint::black_box;

/// A whole match of bots on the largest ring, and its state and next action half-way.
struct Sample {
    log: Vec<Entry>,
    half: Match,
    seat: Seat,
    action: Action,
}

fn sample(game: GameKind) -> Sample {
    let deck = match game {
        GameKind::VdbSupertrumpf | GameKind::VdbQuartett => &built_in()[1],
        GameKind::DuelQuartett | GameKind::Supertrump | GameKind::Pairs => &built_in()[0],
    };
    let seed = Seed([11; 32]);
    let seats = *game.seats().end();
    let terms = Terms {
        match_id: [0; 16],
        game: GameSetup::default_for(game, seats),
        deck_id: deck.document().deck_id.clone(),
        deck_hash: *deck.hash(),
        seats,
        starter: StarterRule::Random,
        turn_seconds: 86_400,
        deadline_policy: DeadlinePolicy::BotPlays,
        time_limit_seconds: None,
        rules: RulesVersion::CURRENT,
        seed_commitment: seed.commitment(&[0; 16]),
    };
    let taken = |seat| Event::SeatTaken {
        seat: Seat(seat),
        holder: Holder::Bot(BotLevel::Medium),
        entropy: None,
    };
    let created: Vec<Event> = std::iter::once(Event::Created(Box::new(terms.clone())))
        .chain((0..seats).map(taken))
        .collect();
    let mut played = Match::new(terms, deck.clone());
    played.apply_entry(&created);
    let mut log = vec![Entry {
        version: 1,
        events: created,
    }];
    let started = played.start(&seed, None, &[], None).expect("full");
    let key = played.deal_key(&seed, None);
    played.apply_entry(&started);
    log.push(Entry {
        version: 2,
        events: started,
    });
    let mut states = Vec::new();
    while let Some(turn) = played.turn() {
        let version = played.version() + 1;
        let action = bot::choose(
            &played,
            turn.seat,
            BotLevel::Medium,
            &mut key.stream(Purpose::Bot, version),
        );
        let action = action.expect("the seat to move can do something");
        states.push((played.clone(), turn.seat, action));
        let events = played
            .decide(turn.seat, &action, &mut key.stream(Purpose::Mix, version))
            .expect("legal");
        played.apply_entry(&events);
        log.push(Entry { version, events });
    }
    let (half, seat, action) = states.swap_remove(states.len() / 2);
    Sample {
        log,
        half,
        seat,
        action,
    }
}

fn games(criterion: &mut Criterion) {
    let seed = Seed([11; 32]);
    for game in GameKind::ALL {
        let Sample {
            log,
            half,
            seat,
            action,
        } = sample(game);
        let deck = half.deck().clone();
        let events: usize = log.iter().map(|entry| entry.events.len()).sum();
        let mut group = criterion.benchmark_group(game.id());
        group.throughput(Throughput::Elements(events as u64));
        group.bench_function("replay", |bencher| {
            bencher.iter(|| Match::replay(deck.clone(), black_box(&log)))
        });
        group.throughput(Throughput::Elements(1));
        let key = half.deal_key(&seed, None);
        let version = half.version() + 1;
        let mut now = half.clone();
        group.bench_function("decide", |bencher| {
            bencher.iter(|| half.decide(seat, black_box(&action), &mut key.stream(Purpose::Mix, version)))
        });
        let decided = half
            .decide(seat, &action, &mut key.stream(Purpose::Mix, version))
            .expect("legal");
        group.bench_function("clone and apply", |bencher| {
            bencher.iter(|| {
                now.clone_from(&half);
                now.apply_entry(black_box(&decided));
            })
        });
        group.bench_function("view", |bencher| {
            bencher.iter(|| half.view(black_box(Viewer::Seat(seat))))
        });
        group.bench_function("legal", |bencher| {
            bencher.iter(|| half.legal_actions(black_box(seat)))
        });
        group.bench_function("hard bot", |bencher| {
            bencher.iter(|| {
                bot::choose(
                    &half,
                    seat,
                    BotLevel::Hard,
                    &mut key.stream(Purpose::Bot, version),
                )
            })
        });
        group.finish();
    }
}

criterion_group!(benches, games);
criterion_main!(benches);
