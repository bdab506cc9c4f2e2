//! Bots play every game to its end and replay, do not repeat what just failed, and better levels win more.

#[path = "support/played.rs"]
mod played;
#[path = "support/strength.rs"]
mod strength;

use played::{Opening, Played, terms};
use quartett_engine::deck::built_in;
use quartett_engine::{
    Action, BotLevel, Card, Event, GameKind, GameSetup, Holder, Match, Purpose, Seat, Seats, Seed, Status,
    bot,
};

const LEVELS: [BotLevel; 3] = [BotLevel::Easy, BotLevel::Medium, BotLevel::Hard];

/// Plays a match of bots of one level to its end; `watch` is told each action and its events beforehand.
fn play(
    game: GameKind,
    seats: u8,
    level: BotLevel,
    number: u8,
    mut watch: impl FnMut(&Match, Seat, Action, &[Event]),
) -> Played {
    let deck = &built_in()[1 - usize::from(game == GameKind::Pairs)];
    let (setup, seed) = (GameSetup::default_for(game, seats), Seed([number; 32]));
    let holders = vec![Holder::Bot(level); usize::from(seats)];
    let terms = terms(setup, deck, seats, &seed);
    let mut played = Played::begin(terms, deck, &holders, &seed, Opening::default());
    while let Some(turn) = played.now.turn() {
        let action = bot::choose(&played.now, turn.seat, level, &mut played.stream(Purpose::Bot));
        let action = action.expect("the seat to move can do something");
        let events = played.decide(turn.seat, &action).expect("legal");
        watch(&played.now, turn.seat, action, &events);
        played.take_in(events);
    }
    played
}

#[test]
fn bots_of_every_level_end_every_game_and_replay() {
    for game in GameKind::ALL {
        for seats in game.seats() {
            for level in LEVELS {
                let played = play(game, seats, level, seats, |_, _, _, _| {});
                assert_eq!(played.now.status(), Status::Ended);
                let replayed = Match::replay(played.now.deck().clone(), &played.log);
                assert_eq!(replayed.expect("replays"), played.now);
                let again = play(game, seats, level, seats, |_, _, _, _| {});
                assert_eq!(again.log, played.log, "the same seed gives the same match");
            }
        }
    }
}

/// An ask that was denied is not the seat's next ask, unless the card moved since or nothing else is legal.
#[test]
fn no_bot_repeats_an_ask_that_just_failed() {
    let mut asks = 0;
    for game in [GameKind::DuelQuartett, GameKind::VdbQuartett] {
        for level in LEVELS {
            for number in 0..40 {
                let mut denied: Seats<Option<(u8, Card)>> = Seats::build(3, |_| None);
                play(game, 3, level, number, |now, seat, action, events| {
                    if let Action::AskCard { seat: asked, card } = action {
                        asks += 1;
                        let repeated = denied[seat] == Some((asked, card));
                        let forced = now.legal_actions(seat).len() == 1;
                        assert!(!repeated || forced, "{} {}", game.id(), level.id());
                        let fails = events.contains(&Event::AskAnswered { has_card: false });
                        denied[seat] = fails.then_some((asked, card));
                    }
                    let mut moved = Vec::new();
                    for event in events {
                        if let Event::CardGiven { card, .. } = event {
                            moved.push(*card);
                        }
                        if let Event::DuelFought { asker, asked, .. } = event {
                            moved.extend([asker.card, asked.card]);
                        }
                    }
                    for (_, denied) in denied.iter_mut() {
                        *denied = denied.filter(|(_, card)| !moved.contains(card));
                    }
                });
            }
        }
    }
    assert!(asks > 5_000, "only {asks} asks were watched");
}

/// The lower end of the 95 % interval of each level's share of wins against the level below is above one half,
/// in every game and with every number of seats. `examples/strength.rs` documents the full run.
#[test]
#[expect(clippy::print_stdout, reason = "the figures are the point")]
fn better_levels_win_more() {
    let mut weak = Vec::new();
    for contest in strength::contests() {
        let share = contest.play(400);
        println!("{contest}  {share}");
        if share.low <= 0.5 {
            weak.push(format!("{contest}  {share}"));
        }
    }
    assert!(weak.is_empty(), "{weak:#?}");
}
