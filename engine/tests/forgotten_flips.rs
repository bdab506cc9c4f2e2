//! Under `memory: since_last_turn` a flip from before a seat's last turn is shown nowhere any more: not in the
//! view, not in an earlier view, not in the history, not in its notation. Matches that differ in such flips
//! only are the same to that seat. (A live watcher could have written them down, and bots remember them.)

#[path = "support/played.rs"]
mod played;

use played::{Opening, Played, terms};
use quartett_engine::deck::built_in;
use quartett_engine::{
    Event, Face, GameSetup, Holder, Match, Purpose, Seat, Seed, Stream, Viewer, notation, pairs,
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
