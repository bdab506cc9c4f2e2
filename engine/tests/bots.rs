//! Bots play every game to its end, replay, and do not see what is hidden; better levels win more.

use quartett_engine::deck::built_in;
use quartett_engine::{
    BotLevel, DeadlinePolicy, Entry, Event, GameKind, GameSetup, Holder, Match, Purpose, RulesVersion, Seat,
    Seed, StarterRule, Status, Terms, bot,
};

/// Plays a match of bots to its end.
fn play(game: GameKind, levels: &[BotLevel], number: u64) -> (Match, Vec<Entry>) {
    let deck = match game {
        GameKind::VdbSupertrumpf | GameKind::VdbQuartett => &built_in()[1],
        GameKind::DuelQuartett | GameKind::Supertrump | GameKind::Pairs => &built_in()[0],
    };
    let mut seed = Seed([0; 32]);
    seed.0[..8].copy_from_slice(&number.to_le_bytes());
    let seats = u8::try_from(levels.len()).expect("at most six");
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
    let joins = levels.iter().zip(0..).map(|(level, seat)| Event::SeatTaken {
        seat: Seat(seat),
        holder: Holder::Bot(*level),
        entropy: None,
    });
    let created: Vec<Event> = std::iter::once(Event::Created(Box::new(terms.clone())))
        .chain(joins)
        .collect();
    let mut played = Match::new(terms, deck.clone());
    let mut log = vec![Entry {
        version: 1,
        events: created.clone(),
    }];
    played.apply_entry(&created);
    let started = played.start(&seed, None, &[], None).expect("full");
    let key = played.deal_key(&seed, None);
    played.apply_entry(&started);
    log.push(Entry {
        version: 2,
        events: started,
    });
    while let Some(turn) = played.turn() {
        let version = played.version() + 1;
        let level = played.bot_of(turn.seat).expect("all seats are bots");
        let action = bot::choose(&played, turn.seat, level, &mut key.stream(Purpose::Bot, version));
        let action = action.expect("the seat to move can do something");
        let events = played
            .decide(turn.seat, &action, &mut key.stream(Purpose::Mix, version))
            .expect("legal");
        played.apply_entry(&events);
        log.push(Entry { version, events });
    }
    (played, log)
}

#[test]
fn bots_of_every_level_end_every_game_and_replay() {
    for game in GameKind::ALL {
        for seats in game.seats() {
            for level in [BotLevel::Easy, BotLevel::Medium, BotLevel::Hard] {
                let levels = vec![level; usize::from(seats)];
                let (played, log) = play(game, &levels, u64::from(seats));
                assert_eq!(played.status(), Status::Ended);
                assert_eq!(
                    Match::replay(played.deck().clone(), &log).expect("replays"),
                    played
                );
                assert_eq!(
                    play(game, &levels, u64::from(seats)).1,
                    log,
                    "the same seed gives the same match"
                );
            }
        }
    }
}

/// The lower 95 % bound of the paired win share of `better` against `worse`: seats alternate, each deal is
/// played twice with seats swapped, a shared win counts by share; the normal interval over pairs.
fn lower_bound(game: GameKind, seats: u8, better: BotLevel, worse: BotLevel, deals: u32) -> f64 {
    let mut shares = Vec::new();
    for number in 0..u64::from(deals) {
        let mut won = 0.0;
        for swapped in [false, true] {
            let is_better = |seat: usize| seat.is_multiple_of(2) != swapped;
            let levels: Vec<BotLevel> = (0..usize::from(seats))
                .map(|seat| if is_better(seat) { better } else { worse })
                .collect();
            let (played, _) = play(game, &levels, number);
            let result = played.result().expect("it ended");
            let winners: Vec<usize> = result
                .standings
                .iter()
                .filter(|(_, standing)| standing.rank == 1)
                .map(|(seat, _)| seat.index())
                .collect();
            let better_winners = winners.iter().filter(|seat| is_better(**seat)).count();
            won += better_winners as f64 / winners.len() as f64;
        }
        shares.push(won / 2.0);
    }
    let count = f64::from(deals);
    let mean = shares.iter().sum::<f64>() / count;
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0);
    mean - 1.96 * (variance / count).sqrt()
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are the point")]
fn better_levels_win_more() {
    let deals = 150;
    let mut weak = Vec::new();
    for game in GameKind::ALL {
        let seats = if game == GameKind::VdbQuartett { 4 } else { 2 };
        for (better, worse) in [
            (BotLevel::Medium, BotLevel::Easy),
            (BotLevel::Hard, BotLevel::Medium),
        ] {
            let bound = lower_bound(game, seats, better, worse, deals);
            println!(
                "{} {seats} seats, {} over {}: {bound:.3}",
                game.id(),
                better.id(),
                worse.id()
            );
            if bound <= 0.5 {
                weak.push((game.id(), better.id(), bound));
            }
        }
    }
    assert!(weak.is_empty(), "{weak:?}");
}
