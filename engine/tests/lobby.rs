//! Before play: seats, the starter, the deal; and that one match leaves nothing behind for the next.

#[path = "support/played.rs"]
mod played;

use played::{Opening, Played, terms};
use quartett_engine::deck::built_in;
use quartett_engine::{
    Cards, Deal, EndReason, Event, GameKind, GameSetup, Holder, Limit, LobbyRefusal, Match, Purpose, Seat,
    Seats, Seed, StarterRule, Status, Terms, supertrump,
};
use std::collections::BTreeSet;

const PLAYER: Holder = Holder::Player;

fn waiting(game: GameKind, seats: u8) -> Match {
    let deck = &built_in()[0];
    let terms = terms(GameSetup::default_for(game, seats), deck, seats, &Seed([1; 32]));
    Match::new(terms, deck.clone())
}

fn started(events: &[Event]) -> (Seat, &Deal) {
    match (&events[0], &events[1]) {
        (Event::Started { starter, .. }, Event::Dealt(deal)) => (*starter, deal),
        _ => panic!("a start begins with who starts and what is dealt"),
    }
}

fn sizes(piles: &Seats<Cards>) -> Vec<usize> {
    piles.iter().map(|(_, cards)| cards.count()).collect()
}

#[test]
fn seats_are_taken_clockwise_and_given_back() {
    let mut lobby = waiting(GameKind::Pairs, 3);
    for seat in 0..3 {
        assert_eq!(
            lobby.start(&Seed([1; 32]), None, &[], None),
            Err(LobbyRefusal::SeatsFree)
        );
        let taken = lobby.take_seat(PLAYER, None).expect("a seat is free");
        assert!(matches!(&taken[..], [Event::SeatTaken { seat: taken, .. }] if *taken == Seat(seat)));
        lobby.apply_entry(&taken);
    }
    assert_eq!(lobby.take_seat(PLAYER, None), Err(LobbyRefusal::Full));
    let left = lobby.leave_seat(Seat(1)).expect("it is held");
    lobby.apply_entry(&left);
    assert_eq!(lobby.leave_seat(Seat(1)), Err(LobbyRefusal::NotHeld));
    assert_eq!(lobby.leave_seat(Seat(9)), Err(LobbyRefusal::NotHeld));
    let taken = lobby.take_seat(PLAYER, None).expect("that seat is free");
    assert!(matches!(&taken[..], [Event::SeatTaken { seat: Seat(1), .. }]));
    lobby.apply_entry(&taken);
    let begun = lobby.start(&Seed([1; 32]), None, &[], None).expect("full");
    lobby.apply_entry(&begun);
    assert_eq!(lobby.status(), Status::Active);
    assert_eq!(lobby.take_seat(PLAYER, None), Err(LobbyRefusal::Started));
    assert_eq!(lobby.leave_seat(Seat(0)), Err(LobbyRefusal::Started));
    assert_eq!(
        lobby.start(&Seed([1; 32]), None, &[], None),
        Err(LobbyRefusal::Started)
    );
}

/// Who starts, over many seeds.
fn starters(rule: StarterRule, answers: &[Option<u64>]) -> BTreeSet<Seat> {
    let deck = &built_in()[0];
    let start = |number: u8| {
        let seed = Seed([number; 32]);
        let setup = GameSetup::default_for(GameKind::Pairs, 4);
        let terms = Terms {
            starter: rule,
            ..terms(setup, deck, 4, &seed)
        };
        let opening = Opening { answers, order: None };
        let played = Played::begin(terms, deck, &[PLAYER; 4], &seed, opening);
        let first = played.now.turn().expect("it runs").seat;
        assert_eq!(started(&played.log[1].events).0, first);
        first
    };
    (0..100).map(start).collect()
}

#[test]
fn the_host_or_the_biggest_answer_starts_else_one_is_drawn() {
    let all: BTreeSet<Seat> = (0..4).map(Seat).collect();
    assert_eq!(starters(StarterRule::Random, &[Some(9), None, None, None]), all);
    assert_eq!(starters(StarterRule::Host, &[]), [Seat(0)].into());
    assert_eq!(starters(StarterRule::Question, &[]), all, "nobody answered");
    assert_eq!(starters(StarterRule::Question, &[None; 4]), all);
    let clear = [Some(10), None, Some(9), Some(0)];
    assert_eq!(starters(StarterRule::Question, &clear), [Seat(0)].into());
    let equal = [Some(3), Some(10), None, Some(10)];
    assert_eq!(starters(StarterRule::Question, &equal), [Seat(1), Seat(3)].into());
}

#[test]
fn a_starter_settled_beforehand_goes_before_every_rule() {
    let deck = &built_in()[0];
    for rule in [StarterRule::Random, StarterRule::Host, StarterRule::Question] {
        for (settled, expected) in [(Seat(2), Some(Seat(2))), (Seat(4), None)] {
            let seed = Seed([3; 32]);
            let setup = GameSetup::default_for(GameKind::DuelQuartett, 4);
            let terms = Terms {
                starter: rule,
                starter_seat: Some(settled),
                ..terms(setup, deck, 4, &seed)
            };
            let opening = Opening {
                answers: &[Some(1), None, None, None],
                order: None,
            };
            let played = Played::begin(terms, deck, &[PLAYER; 4], &seed, opening);
            let (starter, deal) = started(&played.log[1].events);
            assert!(starter.0 < 4, "a seat that does not exist cannot start");
            assert!(expected.is_none_or(|expected| starter == expected));
            assert!(matches!(deal, Deal::Hands(hands) if sizes(hands) == [6; 4]));
        }
    }
}

#[test]
fn cards_are_dealt_one_at_a_time_clockwise_from_the_starter() {
    for (game, deck, seats, expected) in [
        (GameKind::DuelQuartett, 0, 5, vec![5, 5, 5, 5, 4]),
        (GameKind::DuelQuartett, 0, 6, vec![4; 6]),
        (GameKind::VdbSupertrumpf, 1, 3, vec![11, 11, 10]),
        (GameKind::VdbQuartett, 1, 4, vec![8; 4]),
        (GameKind::Supertrump, 0, 5, vec![4; 5]),
        (GameKind::Supertrump, 1, 6, vec![5; 6]),
    ] {
        let deck = &built_in()[deck];
        for number in 0..10 {
            let seed = Seed([number; 32]);
            let terms = terms(GameSetup::default_for(game, seats), deck, seats, &seed);
            let holders = vec![PLAYER; usize::from(seats)];
            let order: Vec<usize> = (0..deck.size()).rev().collect();
            let opening = Opening {
                order: Some(&order),
                ..Opening::default()
            };
            let played = Played::begin(terms, deck, &holders, &seed, opening);
            let (starter, deal) = started(&played.log[1].events);
            let (piles, aside) = match deal {
                Deal::Hands(hands) => (hands, Vec::new()),
                Deal::Stacks {
                    stacks,
                    aside: Cards::Open(aside),
                } => (stacks, aside.clone()),
                Deal::Stacks { .. } | Deal::Table(_) => panic!("cards were dealt openly"),
            };
            let mut dealt = sizes(piles);
            dealt.rotate_left(starter.index());
            assert_eq!(dealt, expected, "{}", game.id());
            // The last card of the deck was put first: the starter has it, and every card after its turn.
            let mut next = deck.cards().rev();
            for round in 0..dealt[0] {
                for seat in piles.from(starter) {
                    let Cards::Open(cards) = &piles[seat] else {
                        panic!("cards were dealt openly")
                    };
                    if let Some(card) = cards.get(round) {
                        assert_eq!(Some(*card), next.next());
                    }
                }
            }
            assert_eq!(next.collect::<Vec<_>>(), aside, "the rest is aside");
        }
    }
}

#[test]
fn a_limit_that_ended_a_match_does_not_end_the_next_and_its_cards_are_dealt_anew() {
    let deck = &built_in()[0];
    let options = supertrump::Options {
        rounds: Some(2),
        ..supertrump::Options::default()
    };
    let mut deals = Vec::new();
    for number in 0..3 {
        let seed = Seed([number; 32]);
        let terms = terms(GameSetup::Supertrump(options), deck, 3, &seed);
        let mut played = Played::begin(terms, deck, &[PLAYER; 3], &seed, Opening::default());
        let (_, deal) = started(&played.log[1].events);
        deals.push(deal.clone());
        let mut rounds = 0;
        while let Some(turn) = played.now.turn() {
            let action = played.now.legal_actions(turn.seat)[0];
            let events = played.decide(turn.seat, &action).expect("legal");
            played.take_in(events);
            rounds += 1;
        }
        assert_eq!(rounds, 2, "match {number}");
        let result = played.now.result().expect("ended");
        assert_eq!(result.reason, EndReason::Limit(Limit::Rounds));
        let mut cards = played.now.all_cards();
        cards.dedup();
        assert_eq!(cards.len(), deck.size(), "every card once");
    }
    deals.dedup();
    assert_eq!(deals.len(), 3, "each match has its own deal");
}

#[test]
fn what_players_add_changes_the_deal_and_is_kept_in_the_log() {
    let deck = &built_in()[0];
    let (seed, setup) = (Seed([4; 32]), GameSetup::default_for(GameKind::Pairs, 2));
    let start = |own: Option<&str>, host: Option<&str>| {
        let mut lobby = Match::new(terms(setup, deck, 2, &seed), deck.clone());
        for entropy in [None, own.map(str::to_owned)] {
            let taken = lobby.take_seat(PLAYER, entropy).expect("free");
            lobby.apply_entry(&taken);
        }
        let begun = lobby
            .start(&seed, host.map(str::to_owned), &[], None)
            .expect("full");
        let before = lobby.deal_key(&seed, host);
        lobby.apply_entry(&begun);
        assert!(
            before == lobby.deal_key(&seed, None),
            "the log says what the host added"
        );
        (begun[1].clone(), before.stream(Purpose::Mix, 9).word())
    };
    let plain = start(None, None);
    assert_eq!(plain, start(None, None));
    assert_eq!(plain, start(Some(""), None), "nothing is the empty text");
    assert_ne!(plain, start(Some("pear"), None));
    assert_ne!(plain, start(None, Some("pear")));
    assert_ne!(start(Some("pear"), None), start(None, Some("pear")));
}
