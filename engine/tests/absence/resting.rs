//! Matches rest while every remaining player is away.

use crate::story::{A, B, BOT, C, PLAYER, away, begin, in_every_game};
use quartett_engine::{AbsenceRefusal, BotLevel, EndReason, GameKind, Status, Viewer};

#[test]
fn a_match_rests_while_every_remaining_player_is_away() {
    in_every_game(&[PLAYER, PLAYER, BOT], |played, game| {
        assert!(!played.now.is_resting());
        away(played, A)?;
        assert!(!played.now.is_resting(), "{game}: B is there");
        away(played, B)?;
        assert!(played.now.is_resting());
        assert_eq!(played.turn(), B, "the missed turn is still pending");
        for seat in [A, B, C] {
            assert_eq!(played.now.bot_of(seat), None, "{game}: nobody moves");
        }
        assert_eq!(played.now.waits_for(), None);
        assert_eq!(played.now.miss_deadline(), Err(AbsenceRefusal::NoDeadline));

        let mut woken = played.clone();
        let back = woken.now.return_to(A).expect("away");
        woken.take_in(back);
        assert!(!woken.now.is_resting());
        let completes = woken.now.bot_of(B);
        assert_eq!(completes, Some(BotLevel::Medium), "{game}: B's turn goes on");
        woken.bot_acts();
        woken.assert_replays();

        let mut own = played.clone();
        let back = own.now.return_to(B).expect("away");
        own.take_in(back);
        assert_eq!(own.now.waits_for(), Some(B), "{game}: B takes its turn up again");

        let ended = played.now.end(EndReason::Abandoned);
        played.take_in(ended);
        let result = played.now.result().expect("ended");
        assert_eq!(result.reason, EndReason::Abandoned);
        assert!(!played.now.is_resting());
        played.assert_replays();
        Some(())
    });
}

#[test]
fn a_resignation_may_leave_only_the_away() {
    let mut played = begin(GameKind::Pairs, &[PLAYER, PLAYER, BOT]);
    away(&mut played, A).expect("the match is long");
    played.play_until_turn_of(B).expect("the match is long");
    assert_eq!(
        played.resign(B).len(),
        1,
        "A may come back, and a bot from the start is left"
    );
    assert!(played.now.is_resting());
    let mut gone = played.clone();
    gone.resign(A);
    let seat = gone.now.view(Viewer::Outsider).seats[A];
    assert!(seat.resigned && !seat.away, "nobody waits for its return");
    assert_eq!(gone.now.status(), Status::Ended, "one may also resign while away");
    let back = played.now.return_to(A).expect("away");
    played.take_in(back);
    assert_eq!(played.now.bot_of(played.turn()), Some(BotLevel::Medium));
}

#[test]
fn bots_alone_never_rest() {
    assert!(!begin(GameKind::Pairs, &[BOT, BOT]).now.is_resting());
}
