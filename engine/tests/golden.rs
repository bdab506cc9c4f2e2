//! Golden matches: under the rules version they were played by, they play to the same lines for ever.
//!
//! A record is played again from its settings: dealt from its seed, each entry decided anew from the action
//! its first line tells of. Nothing here writes a record; `examples/golden.rs` prints new ones.

#[path = "support/golden.rs"]
mod golden;

use golden::{Settings, record};
use quartett_engine::{
    Action, Deck, EndReason, Entry, Event, GameKind, Match, Purpose, RulesVersion, Seat, Status,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Every record, by file name.
fn records() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    std::fs::read_dir(folder)
        .expect("the folder of records")
        .map(|file| {
            let path = file.expect("a record").path();
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("text"))
        })
        .collect()
}

fn seat(letter: &str) -> Seat {
    Seat(letter.bytes().next().expect("a letter").saturating_sub(b'A'))
}

/// Decides the entry of which the record tells these lines.
fn decide(played: &Match, lines: &str, key: &quartett_engine::DealKey) -> Result<Vec<Event>, String> {
    let first = lines.split(" | ").next().unwrap_or_default();
    let words: Vec<&str> = first.split(' ').collect();
    let to_move = played.turn().ok_or("nobody is to move")?.seat;
    let (by, action) = match words[..] {
        ["late", _] => return played.miss_deadline().map_err(|error| error.to_string()),
        ["resign", by] => return played.resign(seat(by)).map_err(|error| error.to_string()),
        ["return", by] => return played.return_to(seat(by)).map_err(|error| error.to_string()),
        ["timeup"] => return Ok(played.time_up()),
        ["over", ..] => return Ok(played.end(EndReason::Abandoned)),
        _ => action(played.deck(), &words, to_move)?,
    };
    played
        .decide(by, &action, &mut key.stream(Purpose::Mix, played.version() + 1))
        .map_err(|error| error.to_string())
}

/// The action a line tells of, and the seat that took it.
fn action(deck: &Deck, words: &[&str], to_move: Seat) -> Result<(Seat, Action), String> {
    match *words {
        ["ask", seats, card] => {
            let (by, asked) = seats.split_once('>').ok_or("an ask has two seats")?;
            let card = deck.card(card);
            let asked = seat(asked).0;
            Ok((seat(by), Action::AskCard { seat: asked, card }))
        }
        ["duel", card, "v", _, attribute, ..] => {
            let (card, attribute) = (deck.card(card), deck.attribute(attribute));
            Ok((to_move, Action::FightDuel { card, attribute }))
        }
        ["lay", by, group] => {
            let group = deck.group(group);
            Ok((seat(by), Action::LayQuartet { group }))
        }
        ["flip", by, place, _] => {
            let place = place.parse().map_err(|_| "a place is a number")?;
            Ok((seat(by), Action::FlipCard { place }))
        }
        [attribute, ..] => {
            let id = attribute
                .strip_suffix(':')
                .ok_or(format!("{words:?} tells of no action"))?;
            let attribute = deck.attribute(id);
            Ok((to_move, Action::ChooseAttribute { attribute }))
        }
        [] => Err(String::from("an entry without a line")),
    }
}

/// Plays a record again; the result is what its record would be now.
fn play(text: &str) -> Result<(Match, Vec<Entry>, String), String> {
    let line = text.lines().next().ok_or("an empty record")?;
    let settings = Settings::read(line)?;
    let mut played = Match::new(settings.terms.clone(), settings.deck.clone());
    let mut log = Vec::new();
    let mut take_in = |played: &mut Match, events: Vec<Event>| {
        played.apply_entry(&events);
        let version = played.version();
        log.push(Entry { version, events });
    };
    take_in(&mut played, settings.created());
    let started = played.start(&settings.seed, None, &[], None);
    let key = played.deal_key(&settings.seed, None);
    take_in(&mut played, started.map_err(|error| error.to_string())?);
    for line in text.lines() {
        let Some((version, lines)) = line.split_once(' ') else {
            continue;
        };
        if version.parse() == Ok(played.version() + 1) {
            let events = decide(&played, lines, &key).map_err(|error| format!("{line}: {error}"))?;
            take_in(&mut played, events);
        }
    }
    let now = record(line, &played, &log);
    Ok((played, log, now))
}

#[test]
fn golden_matches_play_as_they_did() {
    for (name, text) in records() {
        let (played, log, now) = play(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let difference = text.lines().zip(now.lines()).find(|(then, now)| then != now);
        assert_eq!(difference, None, "{name} plays otherwise than it did");
        assert_eq!(text, now, "{name} ends elsewhere than it did");
        assert_eq!(played.status(), Status::Ended, "{name}");
        let replayed = Match::replay(played.deck().clone(), &log);
        assert_eq!(replayed.expect("replays"), played, "{name}");
    }
}

#[test]
fn every_rules_version_has_records_of_every_game() {
    let settings: Vec<Settings> = records()
        .values()
        .map(|text| Settings::read(text.lines().next().unwrap_or_default()).expect("settings"))
        .collect();
    for version in 1..=RulesVersion::CURRENT.0 {
        for game in GameKind::ALL {
            let of_game = settings
                .iter()
                .filter(|settings| settings.terms.game.kind() == game)
                .filter(|settings| settings.terms.rules == RulesVersion(version));
            let mut seats: Vec<u8> = of_game.map(|settings| settings.terms.seats).collect();
            seats.sort_unstable();
            seats.dedup();
            assert!(seats.len() >= 2, "rules {version}, {}: {seats:?}", game.id());
        }
    }
}

/// A record that was tampered with is noticed.
#[test]
fn a_changed_record_is_noticed() {
    let (name, text) = records().into_iter().next().expect("a record");
    let changed = text.replacen("turn A", "turn B", 1);
    assert_ne!(changed, text, "{name} has a turn of A");
    assert!(play(&changed).is_ok_and(|(_, _, now)| now != changed));
}
