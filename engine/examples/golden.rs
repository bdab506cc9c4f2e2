//! Plays a match of bots and prints its golden record, for a new rules version:
//!
//! `cargo run -p quartett-engine --example golden -- rules=1 game=pairs deck=demo holders=player,hard seed=7`
//!
//! The words are those of the first line of a record (see `tests/support/golden.rs`) and, if wanted,
//! `absences=N` (about every N-th entry a player misses a deadline, returns or resigns) and `time_up=N` (time
//! is up at entry N). Players play like hard bots. The files under `tests/golden` are never written by a test;
//! a rules version that has been released keeps its own.

#![expect(clippy::print_stdout, reason = "printing the record is what it is for")]

#[path = "../tests/support/golden.rs"]
mod golden;

use golden::{Settings, record};
use quartett_engine::{BotLevel, Entry, Event, Match, Purpose, Seat, Stream, bot};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut words, mut absences_every, mut time_up_at) = (Vec::new(), 0, u64::MAX);
    for word in std::env::args().skip(1) {
        match word.split_once('=') {
            Some(("absences", every)) => absences_every = every.parse()?,
            Some(("time_up", at)) => time_up_at = at.parse()?,
            _ => words.push(word),
        }
    }
    let line = words.join(" ");
    let settings = Settings::read(&line)?;
    let mut played = Match::new(settings.terms.clone(), settings.deck.clone());
    let mut log = Vec::new();
    take_in(&mut played, &mut log, settings.created());
    let started = played.start(&settings.seed, None, &[], None)?;
    let key = played.deal_key(&settings.seed, None);
    take_in(&mut played, &mut log, started);
    let mut chance = key.stream(Purpose::Bot, 0);
    while let Some(turn) = played.turn() {
        let version = played.version() + 1;
        let events = match absence(&played, absences_every, &mut chance) {
            _ if version >= time_up_at => played.time_up(),
            Some(events) => events,
            None => {
                let level = played.bot_of(turn.seat).unwrap_or(BotLevel::Hard);
                let mut stream = key.stream(Purpose::Bot, version);
                let action = bot::choose(&played, turn.seat, level, &mut stream);
                let action = action.ok_or("the seat to move can do nothing")?;
                played.decide(turn.seat, &action, &mut key.stream(Purpose::Mix, version))?
            }
        };
        take_in(&mut played, &mut log, events);
    }
    print!("{}", record(&line, &played, &log));
    Ok(())
}

/// What a player does instead of playing, if chance wants it; a match that rests always needs one to return.
fn absence(played: &Match, every: u32, chance: &mut Stream) -> Option<Vec<Event>> {
    let seats = u32::from(played.terms().seats);
    let mut somebody = || Seat(u8::try_from(chance.below(seats)).unwrap_or(0));
    if played.is_resting() {
        return (0..100).find_map(|_| played.return_to(somebody()).ok());
    }
    if every == 0 || chance.below(every) != 0 {
        return None;
    }
    let seat = Seat(u8::try_from(chance.below(seats)).unwrap_or(0));
    match chance.below(8) {
        0 => played.resign(seat).ok(),
        1..=2 => played.return_to(seat).ok(),
        _ => played.miss_deadline().ok(),
    }
}

fn take_in(played: &mut Match, log: &mut Vec<Entry>, events: Vec<Event>) {
    played.apply_entry(&events);
    let version = played.version();
    log.push(Entry { version, events });
}
