//! The laws of the engine, over random matches of every game, option and number of seats.

#[path = "support/played.rs"]
mod played;
#[path = "support/setups.rs"]
mod setups;

use played::{Opening, Played, terms};
use proptest::prelude::*;
use quartett_engine::card::Side;
use quartett_engine::deck::built_in;
use quartett_engine::view::{Stack, TableView};
use quartett_engine::{
    Action, Attribute, Board, Card, Deal, Deck, EndReason, Entry, Event, GameKind, GameSetup, Group, Holder,
    Limit, Match, ReplayFault, Seat, SeatSet, Seed, Status, Viewer, duel_quartett, pairs, supertrump,
    vdb_quartett, vdb_supertrumpf,
};
use setups::setups;
use std::sync::Arc;

fn begin(setup: GameSetup, deck: &Arc<Deck>, seats: u8, seed: [u8; 32]) -> Played {
    let seed = Seed(seed);
    let holders = vec![Holder::Player; usize::from(seats)];
    Played::begin(
        terms(setup, deck, seats, &seed),
        deck,
        &holders,
        &seed,
        Opening::default(),
    )
}

/// Every action that can be written down for this deck and table, and some that name nothing.
fn universe(deck: &Deck, seats: u8, places: u8) -> Vec<Action> {
    let cards: Vec<Card> = deck.cards().chain([Card::UNKNOWN]).collect();
    let attributes: Vec<Attribute> = deck.attributes().chain([Attribute::UNKNOWN]).collect();
    let mut actions = Vec::new();
    for seat in (0..=seats).chain([u8::MAX]) {
        actions.extend(cards.iter().map(|card| Action::AskCard { seat, card: *card }));
    }
    for card in &cards {
        actions.extend(attributes.iter().map(|attribute| Action::FightDuel {
            card: *card,
            attribute: *attribute,
        }));
    }
    actions.extend(
        deck.groups()
            .chain([Group::UNKNOWN])
            .map(|group| Action::LayQuartet { group }),
    );
    actions.extend(attributes.iter().map(|attribute| Action::ChooseAttribute {
        attribute: *attribute,
    }));
    actions.extend(
        (0..=places)
            .chain([u8::MAX])
            .map(|place| Action::FlipCard { place }),
    );
    actions
}

/// More entries than any match of these options can have.
const ENTRIES_MAX: u64 = 20_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Fold of events = state, cards are conserved, every match ends, nobody but the seat to move may act.
    #[test]
    fn matches_replay_conserve_cards_and_end(
        (setup, seats) in setups(), deck in 0..built_in().len(), seed in any::<[u8; 32]>(), choices in any::<u64>(),
    ) {
        let deck = &built_in()[deck];
        prop_assume!(deck.fits(setup.kind()).is_ok());
        let mut played = begin(setup, deck, seats, seed);
        let cards = played.now.all_cards();
        let mut choice = choices;
        while let Some(turn) = played.now.turn() {
            prop_assert!(played.now.version() < ENTRIES_MAX, "no end in sight");
            let legal = played.now.legal_actions(turn.seat);
            prop_assert!(!legal.is_empty(), "the seat to move can do nothing");
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let action = legal[(choice >> 33) as usize % legal.len()];
            let events = played.decide(turn.seat, &action).expect("legal actions are accepted");
            played.take_in(events);
            prop_assert_eq!(&played.now.all_cards(), &cards);
        }
        prop_assert_eq!(played.now.status(), Status::Ended);
        prop_assert_eq!(&Match::replay(deck.clone(), &played.log).expect("own logs replay"), &played.now);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// `legal_actions` contains an action ⇔ `decide` accepts it, over the whole universe; refusals change nothing.
    #[test]
    fn legal_actions_are_exactly_what_is_accepted(
        (setup, seats) in setups(), deck in 0..built_in().len(), seed in any::<[u8; 32]>(), choices in any::<u64>(),
    ) {
        let deck = &built_in()[deck];
        prop_assume!(deck.fits(setup.kind()).is_ok());
        let mut played = begin(setup, deck, seats, seed);
        let places = if setup.kind() == GameKind::Pairs { 129 } else { 3 };
        let universe = universe(deck, seats, places);
        let mut choice = choices;
        for step in 0.. {
            let Some(turn) = played.now.turn() else { break };
            if step % 7 == 0 {
                for seat in 0..seats {
                    let seat = Seat(seat);
                    let before = played.now.clone();
                    let accepted: Vec<Action> =
                        universe.iter().filter(|action| played.decide(seat, action).is_ok()).copied().collect();
                    let mut legal = played.now.legal_actions(seat);
                    prop_assert!(legal.len() <= 320);
                    prop_assert_eq!(legal.len(), accepted.len());
                    legal.retain(|action| !accepted.contains(action));
                    prop_assert!(legal.is_empty());
                    prop_assert!(before == played.now, "a refusal changed the state");
                }
            }
            let legal = played.now.legal_actions(turn.seat);
            choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let events = played.decide(turn.seat, &legal[(choice >> 33) as usize % legal.len()]).expect("legal");
            played.take_in(events);
        }
        let refused = played.decide(Seat(0), &universe[0]);
        prop_assert_eq!(refused, Err(quartett_engine::Rejection::MatchOver));
    }
}

/// What the view says is left of the limit that may end the game.
fn left_of_limit(now: &Match) -> Option<u32> {
    match now.view(Viewer::Everything).table {
        TableView::DuelQuartett { asks_left, .. } => asks_left,
        TableView::Supertrump { rounds_left, .. } | TableView::VdbSupertrumpf { rounds_left, .. } => {
            rounds_left
        }
        TableView::Pairs { misses_left, .. } => misses_left,
        TableView::VdbQuartett { .. } => None,
    }
}

/// What is decided by a count and what is told of it agree: nothing is left exactly when the limit ends it.
#[test]
fn a_limit_ends_a_match_when_nothing_is_left_of_it() {
    let deck = &built_in()[3];
    for (setup, limit) in [
        (
            GameSetup::DuelQuartett(duel_quartett::Options {
                stall: Some(5),
                ..duel_quartett::Options::default_for(3)
            }),
            Limit::Stall,
        ),
        (
            GameSetup::Supertrump(supertrump::Options {
                rounds: Some(5),
                ..supertrump::Options::default()
            }),
            Limit::Rounds,
        ),
        (
            GameSetup::Pairs(pairs::Options {
                idle: Some(2),
                ..pairs::Options::default_for(3)
            }),
            Limit::Idle,
        ),
        (
            GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options { rounds: Some(5) }),
            Limit::Rounds,
        ),
    ] {
        let mut ended = 0;
        for seed in 0..20 {
            let mut played = begin(setup, deck, 3, [seed; 32]);
            while let Some(turn) = played.now.turn() {
                assert_ne!(left_of_limit(&played.now), Some(0), "{setup:?}: it goes on");
                let action = played.now.legal_actions(turn.seat)[0];
                let events = played.decide(turn.seat, &action).expect("legal");
                played.take_in(events);
            }
            if played.now.result().map(|result| result.reason) == Some(EndReason::Limit(limit)) {
                assert_eq!(left_of_limit(&played.now), Some(0), "{setup:?}");
                ended += 1;
            }
        }
        assert!(ended > 0, "{setup:?}: no match came to its limit");
    }
}

/// In the games of stacks a seat shows as out from its own line on, and not before: without cards in the middle
/// of a playoff it still is in.
#[test]
fn a_seat_is_out_from_its_line_on() {
    let deck = &built_in()[3];
    let mut without_cards_but_in = 0;
    for setup in [
        GameSetup::default_for(GameKind::Supertrump, 4),
        GameSetup::default_for(GameKind::VdbSupertrumpf, 4),
    ] {
        for seed in 0..40 {
            let mut played = begin(setup, deck, 4, [seed; 32]);
            let mut out = SeatSet::EMPTY;
            while let Some(turn) = played.now.turn() {
                let action = played.now.legal_actions(turn.seat)[0];
                let events = played.decide(turn.seat, &action).expect("legal");
                for event in &events {
                    if let Event::SeatOut { seat } = event {
                        out = out.with(*seat);
                    }
                }
                played.take_in(events);
                let view = played.now.view(Viewer::Everything);
                let shown: SeatSet = view
                    .seats
                    .iter()
                    .filter(|(_, seat)| seat.out)
                    .map(|(seat, _)| seat)
                    .collect();
                assert_eq!(shown, out, "{setup:?}, deal {seed}");
                if let TableView::VdbSupertrumpf { stacks, .. } = view.table {
                    let empty = stacks
                        .iter()
                        .filter(|(_, stack)| matches!(stack, Stack::Open(cards) if cards.is_empty()));
                    without_cards_but_in += empty.filter(|(seat, _)| !out.has(*seat)).count();
                }
            }
        }
    }
    assert!(without_cards_but_in > 0, "no seat ran out before a playoff");
}

/// Within a seat groups are laid in the order of their ids, whatever order the deck lists them in.
#[test]
fn whole_groups_are_laid_in_the_order_of_their_ids() {
    let deck = &built_in()[0];
    let ids: Vec<&str> = deck.groups().map(|group| deck.group_id(group)).collect();
    assert!(!ids.is_sorted(), "{ids:?}");
    let half = ids.len() / 2;
    // Two seats are dealt in turn, each whole groups only.
    let cards_of = |groups: std::ops::Range<usize>| -> Vec<usize> {
        let groups = deck.groups().skip(groups.start).take(groups.len());
        groups
            .flat_map(|group| deck.cards_of(group).iter())
            .map(Card::index)
            .collect()
    };
    let (one, two) = (cards_of(0..half), cards_of(half..2 * half));
    let order: Vec<usize> = one
        .into_iter()
        .zip(two)
        .flat_map(|(one, two)| [one, two])
        .collect();
    let seed = Seed([2; 32]);
    let terms = terms(GameSetup::default_for(GameKind::DuelQuartett, 2), deck, 2, &seed);
    let opening = Opening {
        order: Some(&order),
        ..Opening::default()
    };
    let played = Played::begin(terms, deck, &[Holder::Player; 2], &seed, opening);
    let mut laid: Vec<(Seat, &str)> = Vec::new();
    for event in &played.log[1].events {
        if let Event::QuartetLaid { seat, group } = event {
            laid.push((*seat, deck.group_id(*group)));
        }
    }
    assert_eq!(laid.len(), ids.len(), "all is laid");
    for seat in [Seat(0), Seat(1)] {
        let own = laid.iter().filter(|(by, _)| *by == seat).map(|(_, id)| *id);
        assert!(own.is_sorted(), "{laid:?}");
    }
}

#[test]
fn logs_that_are_no_matches_name_the_entry() {
    let deck = &built_in()[2];
    let played = begin(GameSetup::default_for(GameKind::Pairs, 2), deck, 2, [5; 32]);
    let mut gap = played.log.clone();
    gap[1].version = 3;
    assert_eq!(Match::replay(deck.clone(), &gap).expect_err("a gap").version, 3);
    assert_eq!(
        Match::replay(deck.clone(), &played.log[1..])
            .expect_err("no creation")
            .version,
        1
    );
    assert!(
        Match::replay(built_in()[3].clone(), &played.log).is_err(),
        "another deck"
    );
    assert!(Match::replay(deck.clone(), &[]).is_err(), "nothing");

    let fault_after = |events: Vec<Vec<Event>>| {
        let mut log = played.log.clone();
        for events in events {
            let version = log.len() as u64 + 1;
            log.push(Entry { version, events });
        }
        let error = Match::replay(deck.clone(), &log).expect_err("no match goes so");
        (error.version, error.fault)
    };
    let away = |seat| Event::SeatAway { seat };
    assert_eq!(
        fault_after(vec![vec![away(Seat(0)), away(Seat(2))]]),
        (3, ReplayFault::Seat)
    );
    assert_eq!(
        fault_after(vec![played.now.time_up(), vec![away(Seat(0))]]),
        (4, ReplayFault::AfterEnd)
    );
    let again = played.log[0].events.clone();
    assert_eq!(fault_after(vec![again]), (3, ReplayFault::Creation));
    let conjured = Event::PairTaken {
        seat: Seat(0),
        card: Card::UNKNOWN,
    };
    assert_eq!(fault_after(vec![vec![conjured]]), (3, ReplayFault::Cards));
}

#[test]
fn built_in_decks_pass_the_check_and_fit_their_games() {
    for deck in built_in() {
        let fits: Vec<&str> = GameKind::ALL
            .into_iter()
            .filter(|game| deck.fits(*game).is_ok())
            .map(GameKind::id)
            .collect();
        let without_pairs = ["duel_quartett", "supertrump", "vdb_supertrumpf", "vdb_quartett"];
        match deck.document().deck_id.as_str() {
            "sportwaffen" => assert_eq!(fits, without_pairs),
            _ => assert_eq!(fits, GameKind::ALL.map(GameKind::id)),
        }
        for attribute in deck.attributes() {
            assert!(deck.cards().any(|card| deck.bears_mark(card, attribute)));
            assert!(
                deck.cards().all(|card| deck.rank(card, attribute) > 0),
                "built-in decks miss no value"
            );
        }
    }
}

#[test]
fn a_seat_sees_its_own_cards_and_sizes_of_all_others() {
    let deck = &built_in()[0];
    let played = begin(
        GameSetup::default_for(GameKind::DuelQuartett, 3),
        deck,
        3,
        [9; 32],
    );
    let dealt = &played.log[1].events[1];
    let seen = dealt.seen_by(&played.now.sight(Viewer::Seat(Seat(1))), 2);
    let Event::Dealt(Deal::Hands(hands)) = seen else {
        panic!("hands were dealt")
    };
    let open: Vec<bool> = hands
        .iter()
        .map(|(_, hand)| matches!(hand, quartett_engine::Cards::Open(_)))
        .collect();
    assert_eq!(open, [false, true, false]);
}

/// Chi-square over positions of real deals: on which place of the largest table each card lies.
#[test]
fn every_card_reaches_every_place_of_the_table_equally_often() {
    let deck = &built_in()[0];
    let setup = GameSetup::default_for(GameKind::Pairs, 2);
    let (cards, deals) = (2 * deck.size(), 4_800_u32);
    let mut counts = vec![vec![0_u32; cards]; cards];
    for number in 0..deals {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&number.to_le_bytes());
        let played = begin(setup, deck, 2, seed);
        let Event::Dealt(Deal::Table(Board::Open(board))) = &played.log[1].events[1] else {
            panic!("a table was dealt")
        };
        for (place, lies) in board.iter().enumerate() {
            let plan = usize::from(lies.side == Side::Plan);
            counts[lies.card.index() + plan * deck.size()][place] += 1;
        }
    }
    let expected = f64::from(deals) / cards as f64;
    let squares = counts
        .iter()
        .flatten()
        .map(|count| (f64::from(*count) - expected).powi(2));
    let chi_square = squares.sum::<f64>() / expected;
    // Degrees of freedom, and 99.9 % of chance on either side by the normal approximation.
    let free = ((cards - 1) * (cards - 1)) as f64;
    let spread = 3.29 * (2.0 * free).sqrt();
    assert!(
        (chi_square - free).abs() < spread,
        "{chi_square} is not near {free}"
    );
}

/// A match may go on for ten thousand entries: what it remembers does not grow with them.
#[test]
fn long_matches_stay_small() {
    let deck = &built_in()[3];
    for setup in [
        GameSetup::DuelQuartett(duel_quartett::Options {
            lay: duel_quartett::Lay::Manual,
            stall: None,
        }),
        GameSetup::Supertrump(supertrump::Options {
            rounds: None,
            ..supertrump::Options::default()
        }),
        GameSetup::Pairs(pairs::Options {
            memory: pairs::Memory::FullLog,
            idle: None,
        }),
        GameSetup::VdbSupertrumpf(vdb_supertrumpf::Options { rounds: None }),
        GameSetup::VdbQuartett(vdb_quartett::Options {
            guard_misses: None,
            guard_asks: None,
        }),
    ] {
        let mut longest = 0;
        for seed in 0..20 {
            let mut played = begin(setup, deck, 3, [seed; 32]);
            let mut sizes = Vec::new();
            while let Some(turn) = played.now.turn().filter(|_| played.now.version() < 10_000) {
                // Always the same choice, if it leads nowhere: a seat that asks in vain asks on in vain.
                let action = played.now.legal_actions(turn.seat)[0];
                let events = played.decide(turn.seat, &action).expect("legal");
                played.take_in(events);
                if played.now.version().is_multiple_of(1_000) {
                    sizes.push(format!("{:?}", played.now).len());
                }
            }
            longest = longest.max(played.now.version());
            if let (Some(first), Some(last)) = (sizes.first(), sizes.last()) {
                assert!(*last < first + first / 5, "{setup:?}: from {first} to {last}");
            }
        }
        let by_stacks = matches!(setup.kind(), GameKind::Supertrump | GameKind::VdbSupertrumpf);
        assert!(
            longest == 10_000 || by_stacks,
            "{setup:?}: only {longest} entries"
        );
    }
}
