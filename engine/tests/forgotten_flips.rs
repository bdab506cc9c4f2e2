//! Under `memory: since_last_turn` a flip from before a seat's last turn is shown nowhere any more: not in the
//! view, not in an earlier view, not in the history, not in its notation. Matches that differ in such flips
//! only are the same to that seat. (A live watcher could have written them down, and bots remember them.)

#[path = "support/played.rs"]
mod played;

use played::{Opening, Played, terms};
use quartett_engine::deck::built_in;
use quartett_engine::view::TableView;
use quartett_engine::{
    Action, Event, Face, GameSetup, Holder, Match, Purpose, Seat, Seed, Stream, Viewer, notation, pairs,
};

const SEATS: u8 = 3;

/// Everything a viewer is shown at the present version, of the present and of the past.
fn shown(played: &Played, viewer: Viewer) -> String {
    let now = &played.now;
    let sight = now.sight(viewer);
    let mut shown = format!("{:?}\n", now.view(viewer));
    for entry in &played.log {
        for event in &entry.events {
            let seen = event.seen_by(&sight, entry.version);
            shown.push_str(&format!("{seen:?} {}\n", notation::line(&seen, now.deck())));
        }
    }
    for until in (2..played.log.len()).rev().step_by(3) {
        let then = Match::replay(now.deck().clone(), &played.log[..until]).expect("replays");
        shown.push_str(&format!("{:?}\n", then.view_through(viewer, &sight)));
    }
    shown
}

/// The same events, whatever the flipped cards are.
fn faceless(events: &[Event]) -> Vec<Event> {
    let mut events = events.to_vec();
    for event in &mut events {
        if let Event::CardFlipped { face, .. } = event {
            *face = Face::Forgotten;
        }
    }
    events
}

fn begin(memory: pairs::Memory, order: &[usize], seed: &Seed) -> Played {
    let deck = &built_in()[0];
    let options = pairs::Options {
        memory,
        ..pairs::Options::default_for(SEATS)
    };
    let terms = terms(GameSetup::Pairs(options), deck, SEATS, seed);
    let opening = Opening {
        order: Some(order),
        ..Opening::default()
    };
    Played::begin(terms, deck, &[Holder::Player; SEATS as usize], seed, opening)
}

/// Plays two tables that differ in a few cards with the same flips, as long as these lead to the same; tells
/// how often the tables had shown different cards that a viewer is no longer shown, and how often something
/// of that was shown all the same.
fn compare(memory: pairs::Memory, stream: &mut Stream) -> (usize, usize) {
    let cards = 2 * built_in()[0].size();
    let mut order: Vec<usize> = (0..cards).collect();
    stream.shuffle(&mut order);
    let mut exchanged = order.clone();
    let places: Vec<usize> = (0..cards).collect();
    for _ in 0..3 {
        let (from, to) = (stream.pick(&places), stream.pick(&places));
        exchanged.swap(from.expect("a place"), to.expect("a place"));
    }
    let seed = Seed([5; 32]);
    let (mut one, mut other) = (begin(memory, &order, &seed), begin(memory, &exchanged, &seed));
    let (mut differed_at, mut compared, mut leaked) = (Vec::new(), 0, 0);
    for _ in 0..40 {
        let Some(turn) = one.now.turn() else { break };
        let Some(action) = stream.pick(&one.now.legal_actions(turn.seat)) else {
            break;
        };
        let events = one.decide(turn.seat, &action).expect("legal");
        let others = other
            .decide(turn.seat, &action)
            .expect("the same places are closed");
        if faceless(&events) != faceless(&others) {
            break;
        }
        if events != others {
            differed_at.push(one.now.version() + 1);
        }
        one.take_in(events);
        other.take_in(others);
        for viewer in (0..SEATS)
            .map(|seat| Viewer::Seat(Seat(seat)))
            .chain([Viewer::Outsider])
        {
            let sight = one.now.sight(viewer);
            let forgotten = differed_at.iter().all(|version| !sight.shows_flip_of(*version));
            let told = memory == pairs::Memory::FullLog && viewer != Viewer::Outsider;
            if !differed_at.is_empty() && (forgotten || told) {
                compared += 1;
                leaked += usize::from(shown(&one, viewer) != shown(&other, viewer));
            }
        }
    }
    (compared, leaked)
}

fn compare_often(memory: pairs::Memory) -> (usize, usize) {
    let mut stream = Seed([6; 32]).deal_key(&[0; 16], []).stream(Purpose::Bot, 0);
    let mut total = (0, 0);
    for _ in 0..25 {
        let (compared, leaked) = compare(memory, &mut stream);
        total = (total.0 + compared, total.1 + leaked);
    }
    total
}

#[test]
fn forgotten_flips_are_shown_nowhere() {
    let (compared, leaked) = compare_often(pairs::Memory::SinceLastTurn);
    assert!(compared >= 300, "compared only {compared} times");
    assert_eq!(leaked, 0, "of {compared}");
}

/// The comparison can see: with the full log the same flips are shown, and the matches told apart.
#[test]
fn with_the_full_log_they_are_shown() {
    let (compared, told_apart) = compare_often(pairs::Memory::FullLog);
    assert!(
        compared >= 300 && told_apart >= compared / 2,
        "{told_apart} of {compared}"
    );
}

/// The seat to move opens these places, two a turn.
fn flip(played: &mut Played, places: &[u8]) {
    for place in places {
        let seat = played.now.turn().expect("the match runs").seat;
        let events = played.decide(seat, &Action::FlipCard { place: *place });
        played.take_in(events.expect("legal"));
    }
}

/// The places of the flips that a seat is shown, in order.
fn shown_places(played: &Played, seat: Seat) -> Vec<u8> {
    match played.now.view(Viewer::Seat(seat)).table {
        TableView::Pairs { recent_flips, .. } => recent_flips.iter().map(|flip| flip.place).collect(),
        TableView::DuelQuartett { .. }
        | TableView::Supertrump { .. }
        | TableView::VdbSupertrumpf { .. }
        | TableView::VdbQuartett { .. } => Vec::new(),
    }
}

/// From the card that ended its last turn until its turn ends again; a pair ends no turn.
#[test]
fn a_seat_is_shown_the_flips_since_its_last_turn_until_its_turn_ends() {
    let size = u8::try_from(built_in()[0].size()).expect("at most 64 cards");
    // Cards in the order of the deck, then their plan cards.
    let order: Vec<usize> = (0..2 * usize::from(size)).collect();
    let mut played = begin(pairs::Memory::SinceLastTurn, &order, &Seed([5; 32]));
    let seat = played.now.turn().expect("the match runs").seat;
    flip(&mut played, &[1, 2]);
    assert_eq!(shown_places(&played, seat), [2]);
    flip(&mut played, &[3, 4, 5, 6]);
    assert_eq!(shown_places(&played, seat), [2, 3, 4, 5, 6]);
    flip(&mut played, &[1, 1 + size]);
    assert_eq!(played.now.turn().map(|turn| turn.seat), Some(seat), "a pair");
    assert_eq!(shown_places(&played, seat), [2, 3, 4, 5, 6, 1, 1 + size]);
    flip(&mut played, &[7, 8]);
    assert_eq!(shown_places(&played, seat), [8]);
}

#[test]
fn the_full_log_shows_every_flip() {
    let places = 2 * u8::try_from(built_in()[0].size()).expect("at most 64 cards");
    let order: Vec<usize> = (0..usize::from(places)).collect();
    let all: Vec<u8> = (1..=places).collect();
    let mut played = begin(pairs::Memory::FullLog, &order, &Seed([5; 32]));
    flip(&mut played, &all);
    for seat in 0..SEATS {
        assert_eq!(shown_places(&played, Seat(seat)), all);
    }
}
