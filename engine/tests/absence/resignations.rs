//! Seats given up, by their players or by the deadline policy `forfeit`.

use crate::story::{A, B, BOT, C, PLAYER, begin, begin_with};
use quartett_engine::{
    AbsenceRefusal, BotLevel, DeadlinePolicy, EndReason, Event, GameKind, GameSetup, Status,
};

#[test]
fn a_resignation_of_two_ends_the_match_and_the_resigned_seat_is_last_whatever_it_holds() {
    let mut played = begin(GameKind::Supertrump, &[PLAYER, PLAYER]);
    for _ in 0..5 {
        played.act_somehow();
    }
    for seat in [A, B] {
        let mut played = played.clone();
        let events = played.resign(seat);
        assert_eq!(events.first(), Some(&Event::SeatResigned { seat }));
        let result = played.now.result().expect("too few are left");
        assert_eq!(result.reason, EndReason::TooFewPlayers);
        assert_eq!(played.ranks(), if seat == A { [2, 1] } else { [1, 2] });
        assert_eq!(played.now.resign(A), Err(AbsenceRefusal::NotRunning));
        played.assert_replays();
    }
}

#[test]
fn of_three_players_the_second_resignation_ends_the_match_and_ranks_above_the_first() {
    let mut played = begin(GameKind::DuelQuartett, &[PLAYER, PLAYER, PLAYER]);
    assert_eq!(
        played.resign(C),
        [Event::SeatResigned { seat: C }],
        "two players are left"
    );
    assert_eq!(played.now.bot_of(C), Some(BotLevel::Medium));
    assert_eq!(played.now.resign(C), Err(AbsenceRefusal::Resigned));
    assert_eq!(played.now.return_to(C), Err(AbsenceRefusal::Resigned));
    played.resign(A);
    assert_eq!(played.now.status(), Status::Ended);
    assert_eq!(played.ranks(), [2, 1, 3]);
    played.assert_replays();
}

/// The bot of a resigned seat may take every card: the seat is last all the same, and the best others win.
#[test]
fn a_resigned_seat_never_wins() {
    let mut took_all = 0;
    for seed in 0..60 {
        let setup = GameSetup::default_for(GameKind::Supertrump, 3);
        let mut played = begin_with(setup, &[PLAYER, PLAYER, PLAYER], DeadlinePolicy::BotPlays, seed);
        played.resign(C);
        while let Some(turn) = played.now.turn() {
            match played.now.bot_of(turn.seat) {
                Some(_) => played.bot_acts(),
                None => played.act_somehow(),
            }
        }
        let ranks = played.ranks();
        assert_eq!(ranks[C.index()], 3);
        let standings = &played.now.result().expect("it ended").standings;
        if standings[A].score == 0 && standings[B].score == 0 && standings[C].score > 0 {
            took_all += 1;
            assert_eq!(ranks, [1, 1, 3], "those with nothing share the win");
        }
        played.assert_replays();
    }
    assert!(took_all > 0, "some bot took every card");
}

#[test]
fn a_bot_from_the_start_counts_as_left_but_bots_alone_do_not_play_on() {
    let mut with_a_player = begin(GameKind::Pairs, &[PLAYER, PLAYER, BOT]);
    assert_eq!(
        with_a_player.resign(A).len(),
        1,
        "a player and a bot are two that are left"
    );
    let mut alone = begin(GameKind::Pairs, &[PLAYER, BOT, BOT]);
    alone.resign(A);
    assert_eq!(alone.now.status(), Status::Ended, "no player is left");
    assert_eq!(alone.ranks(), [3, 1, 1]);
}

#[test]
fn with_forfeit_a_missed_deadline_resigns_the_seat() {
    for game in GameKind::ALL {
        let setup = GameSetup::default_for(game, 3);
        let mut played = begin_with(setup, &[PLAYER, PLAYER, PLAYER], DeadlinePolicy::Forfeit, 3);
        let late = played.turn();
        assert_eq!(
            played.miss(),
            [
                Event::DeadlinePassed { seat: late },
                Event::SeatResigned { seat: late }
            ]
        );
        while played.now.bot_of(played.turn()).is_some() {
            played.bot_acts();
        }
        let second = played.turn();
        let events = played.miss();
        assert!(matches!(
            events.last(),
            Some(Event::Ended {
                reason: EndReason::TooFewPlayers,
                ..
            })
        ));
        let ranks = played.ranks();
        assert_eq!(
            (ranks[late.index()], ranks[second.index()]),
            (3, 2),
            "{game:?}: the later resignation ranks higher"
        );
        played.assert_replays();
    }
}
