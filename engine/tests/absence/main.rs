//! Players who stay away: missed deadlines, returns, resignations, matches that rest.

mod missed_turns;
#[path = "../support/played.rs"]
mod played;
mod resignations;
mod resting;
mod story;

use played::terms;
use proptest::prelude::*;
use quartett_engine::deck::built_in;
use quartett_engine::{
    AbsenceRefusal, DeadlinePolicy, GameKind, GameSetup, Holder, Match, Seat, Seed, Status,
};
use story::{A, B, BOT, PLAYER, begin, begin_with};

#[test]
fn what_is_refused() {
    let deck = &built_in()[0];
    let seed = Seed([1; 32]);
    let setup = GameSetup::default_for(GameKind::Pairs, 2);
    let waiting = Match::new(terms(setup, deck, 2, &seed), deck.clone());
    assert_eq!(waiting.resign(A), Err(AbsenceRefusal::NotRunning));
    assert_eq!(waiting.return_to(A), Err(AbsenceRefusal::NotRunning));
    assert_eq!(waiting.miss_deadline(), Err(AbsenceRefusal::NotRunning));

    let mut played = begin(GameKind::Pairs, &[PLAYER, BOT]);
    assert_eq!(
        played.now.resign(B),
        Err(AbsenceRefusal::NotAPlayer),
        "a bot from the start"
    );
    assert_eq!(
        played.now.resign(Seat(2)),
        Err(AbsenceRefusal::NotAPlayer),
        "no such seat"
    );
    assert_eq!(played.now.return_to(Seat(255)), Err(AbsenceRefusal::NotAPlayer));
    assert_eq!(played.now.return_to(A), Err(AbsenceRefusal::NotAway));
    played.miss();
    assert_eq!(
        played.now.miss_deadline(),
        Err(AbsenceRefusal::NoDeadline),
        "the bot moves"
    );
    assert_eq!(
        played.now.return_to(A),
        Err(AbsenceRefusal::NotAway),
        "one miss is no absence"
    );
    let over = played.now.time_up();
    played.take_in(over);
    assert_eq!(played.now.return_to(A), Err(AbsenceRefusal::NotRunning));
    assert_eq!(played.now.miss_deadline(), Err(AbsenceRefusal::NotRunning));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// However players come and go: while a match runs, it rests, waits for one player, or a bot moves, and
    /// exactly one of these; it ends; its log replays.
    #[test]
    fn a_match_always_knows_who_is_next(
        game in 0..5_usize, bots in 0..3_u8, forfeit in any::<bool>(), seed in any::<u8>(), choices in any::<u64>(),
    ) {
        let game = GameKind::ALL[game];
        let holders: Vec<Holder> = (0..3).map(|seat| if seat < bots { BOT } else { PLAYER }).collect();
        let policy = if forfeit { DeadlinePolicy::Forfeit } else { DeadlinePolicy::BotPlays };
        let mut played = begin_with(GameSetup::default_for(game, 3), &holders, policy, seed);
        let cards = played.now.all_cards();
        let mut choice = choices;
        let mut draw = |below: usize| {
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (choice >> 33) as usize % below
        };
        for step in 0.. {
            let Some(turn) = played.now.turn() else { break };
            prop_assert!(step < 20_000, "no end in sight");
            let now = &played.now;
            let states = [now.is_resting(), now.waits_for().is_some(), now.bot_of(turn.seat).is_some()];
            prop_assert_eq!(states.iter().filter(|state| **state).count(), 1, "{:?}", states);
            let seat = Seat(u8::try_from(draw(3)).expect("small"));
            let came_or_went = match draw(40) {
                0 => now.resign(seat).ok(),
                1..=4 => now.return_to(seat).ok(),
                _ if now.is_resting() => now.return_to(seat).ok(),
                5..=9 => now.miss_deadline().ok(),
                _ => None,
            };
            if let Some(events) = came_or_went {
                played.take_in(events);
            } else if states[1] {
                let legal = now.legal_actions(turn.seat);
                let action = legal[draw(legal.len())];
                played.act(&action);
            } else if states[2] {
                played.bot_acts();
            }
            prop_assert_eq!(&played.now.all_cards(), &cards);
        }
        prop_assert_eq!(played.now.status(), Status::Ended);
        played.assert_replays();
    }
}
