//! A bot stands in for whoever misses a turn: for that turn, and after two in a row until the player returns.

use crate::played::{Opening, Played, terms};
use crate::story::{A, PLAYER, begin, begin_with, in_every_game};
use quartett_engine::deck::built_in;
use quartett_engine::{
    Action, BotLevel, Card, DeadlinePolicy, Event, GameKind, GameSetup, Group, Phase, Seed, StarterRule,
    duel_quartett,
};

#[test]
fn a_bot_stands_in_for_a_missed_turn_only() {
    in_every_game(&[PLAYER, PLAYER, PLAYER], |played, game| {
        assert_eq!(played.miss(), [Event::DeadlinePassed { seat: A }]);
        assert_eq!(played.now.bot_of(A), Some(BotLevel::Medium));
        assert_eq!(played.now.waits_for(), None, "{game}: nobody is waited for");
        played.play_missed_turn()?;
        assert_eq!(played.now.bot_of(A), None, "{game}: the turn has left the seat");
        assert_eq!(played.now.waits_for(), Some(played.turn()));
        played.assert_replays();
        Some(())
    });
}

/// A missed turn may hold several steps; the bot completes them all.
#[test]
fn the_bot_completes_a_pending_duel_a_second_flip_and_a_playoff() {
    let mut reached = Vec::new();
    for (game, phase) in [
        (GameKind::DuelQuartett, Phase::Duel),
        (GameKind::Pairs, Phase::FlipSecond),
        (GameKind::VdbSupertrumpf, Phase::Playoff),
        (GameKind::Supertrump, Phase::ChooseBlind),
    ] {
        for leaves in ["misses", "resigns"] {
            for seed in 0..40 {
                let setup = GameSetup::default_for(game, 3);
                let holders = [PLAYER, PLAYER, PLAYER];
                let mut played = begin_with(setup, &holders, DeadlinePolicy::BotPlays, seed);
                for _ in 0..60 {
                    if played.now.turn().is_none_or(|turn| turn.phase == phase) {
                        break;
                    }
                    played.act_somehow();
                }
                let Some(turn) = played.now.turn().filter(|turn| turn.phase == phase) else {
                    continue;
                };
                if leaves == "misses" {
                    played.miss();
                } else {
                    played.resign(turn.seat);
                }
                assert_eq!(played.now.turn(), Some(turn), "the step is still pending");
                assert_eq!(played.now.bot_of(turn.seat), Some(BotLevel::Medium));
                played.bot_acts();
                let after = played.now.turn();
                assert!(
                    after.is_none_or(|after| after.phase != phase || after.seat != turn.seat)
                        || game == GameKind::VdbSupertrumpf,
                    "{game:?}: the step is done; only a playoff may be tied again"
                );
                played.assert_replays();
                reached.push((game.id(), leaves));
                break;
            }
        }
    }
    assert_eq!(reached.len(), 8, "{reached:?}");
}

#[test]
fn two_misses_in_a_row_give_the_seat_to_a_bot_until_the_player_returns() {
    in_every_game(&[PLAYER, PLAYER, PLAYER], |played, game| {
        played.miss();
        played.play_until_turn_of(A)?;
        assert_eq!(
            played.miss(),
            [Event::DeadlinePassed { seat: A }, Event::SeatAway { seat: A }]
        );
        played.play_missed_turn()?;
        assert_eq!(
            played.now.bot_of(A),
            Some(BotLevel::Medium),
            "{game}: beyond that turn"
        );
        let back = played.now.return_to(A).expect("away");
        assert_eq!(back, [Event::SeatReturned { seat: A }]);
        played.take_in(back);
        assert_eq!(played.now.bot_of(A), None);
        played.play_until_turn_of(A)?;
        let anew = [Event::DeadlinePassed { seat: A }];
        assert_eq!(played.miss(), anew, "{game}: counted anew");
        played.assert_replays();
        Some(())
    });
}

#[test]
fn an_own_turn_between_two_misses_counts_anew() {
    in_every_game(&[PLAYER, PLAYER, PLAYER], |played, game| {
        played.miss();
        played.play_until_turn_of(A)?;
        played.act_somehow();
        played.play_until_turn_of(A)?;
        let anew = [Event::DeadlinePassed { seat: A }];
        assert_eq!(played.miss(), anew, "{game}: not in a row");
        Some(())
    });
}

#[test]
fn a_first_flip_of_ones_own_counts_although_the_second_is_missed() {
    let mut played = begin(GameKind::Pairs, &[PLAYER, PLAYER]);
    played.miss();
    played.play_until_turn_of(A).expect("the match is long");
    played.act_somehow();
    assert_eq!(played.now.turn().expect("runs").phase, Phase::FlipSecond);
    assert_eq!(played.miss(), [Event::DeadlinePassed { seat: A }]);
}

/// A holds all but one card of the first group and misses a turn; whoever has that card then fights for the
/// group and loses it, so that it becomes whole in A's hand without an action of A. With `Manual` A lays it.
/// Tells how many of the deals went so, and in how many of these A is away after its next miss.
fn whole_then_missed(lay: duel_quartett::Lay) -> (usize, usize) {
    let deck = &built_in()[3];
    let group: Vec<Card> = deck.cards_of(Group(0)).iter().collect();
    let wanted = deck.cards_of(Group(0));
    // Seat A is dealt every third card from the first on, seat B from the second.
    let mut order: Vec<usize> = deck.cards().map(Card::index).collect();
    order.retain(|card| group.iter().all(|own| own.index() != *card));
    for (place, card) in [(0, 0), (1, 3), (3, 1), (6, 2)] {
        order.insert(place, group[card].index());
    }
    let mut whole_and_away = (0, 0);
    for seed in 0..200 {
        let seed = Seed([seed; 32]);
        let options = duel_quartett::Options {
            lay,
            ..duel_quartett::Options::default_for(3)
        };
        let mut terms = terms(GameSetup::DuelQuartett(options), deck, 3, &seed);
        terms.starter = StarterRule::Host;
        let opening = Opening {
            order: Some(&order),
            ..Opening::default()
        };
        let mut played = Played::begin(terms, deck, &[PLAYER, PLAYER, PLAYER], &seed, opening);
        played.miss();
        let Some(()) = played.play_missed_turn() else {
            continue;
        };
        while let Some(turn) = played.now.turn().filter(|turn| turn.seat != A) {
            let legal = played.now.legal_actions(turn.seat);
            let of_group = |card: &Card| wanted.has(*card);
            let losing = |action: &&Action| match action {
                Action::AskCard { seat, card } => *seat == A.0 && of_group(card),
                Action::FightDuel { card, attribute } => group
                    .iter()
                    .filter(|other| of_group(card) && *other != card)
                    .any(|other| deck.rank(*other, *attribute) > deck.rank(*card, *attribute)),
                Action::LayQuartet { .. } | Action::ChooseAttribute { .. } | Action::FlipCard { .. } => false,
            };
            match legal.iter().find(losing) {
                Some(action) => played.act(action),
                None => played.act_somehow(),
            }
        }
        if played.now.turn().is_none() {
            continue;
        }
        let own = |event: &Event| matches!(event, Event::QuartetLaid { seat: A, .. });
        let mut whole = played.log.last().expect("a log").events.iter().any(own);
        let laying = |action: &&Action| matches!(action, Action::LayQuartet { .. });
        if let Some(lay) = played.now.legal_actions(A).iter().find(laying) {
            let laid = played.decide(A, lay).expect("legal");
            played.take_in(laid);
            whole = true;
        }
        if whole && played.now.waits_for() == Some(A) {
            whole_and_away.0 += 1;
            whole_and_away.1 += usize::from(played.miss().len() == 2);
        }
    }
    whole_and_away
}

#[test]
fn laying_is_an_action_of_ones_own_and_being_laid_for_is_not() {
    let (whole, away) = whole_then_missed(duel_quartett::Lay::Manual);
    assert!(whole > 0 && away == 0, "{away} of {whole}");
    let (whole, away) = whole_then_missed(duel_quartett::Lay::Auto);
    assert!(whole > 0 && away == whole, "{away} of {whole}");
}
