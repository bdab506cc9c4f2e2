//! Where a watcher could learn something: everything the engine lets it see.

use crate::played::Played;
use crate::shown::Watcher;
use quartett_engine::view::{Hand, PlaceView, Stack, TableView};
use quartett_engine::{Action, Attribute, BotLevel, Group, Match, Purpose, Seat, Viewer, bot, notation};

/// What a viewer can get at: name and content.
pub(crate) type Surface = (&'static str, String);

pub(crate) const SURFACES: [&str; 9] = [
    "view",
    "past views",
    "events",
    "notation",
    "legal actions",
    "refusals",
    "easy bot",
    "medium bot",
    "hard bot",
];

fn viewer(watcher: Watcher) -> Viewer {
    watcher.map_or(Viewer::Outsider, Viewer::Seat)
}

/// Everything the engine lets a watcher see, one by one.
pub(crate) fn surfaces(played: &Played, watcher: Watcher) -> Vec<Surface> {
    let now = &played.now;
    let viewer = viewer(watcher);
    let sight = now.sight(viewer);
    let (mut events, mut lines, mut past) = (String::new(), String::new(), String::new());
    // All of history every eighth entry, in between what is new.
    let whole = now.version().is_multiple_of(8);
    let latest = if whole { 0 } else { now.version() };
    for entry in played.log.iter().filter(|entry| entry.version >= latest) {
        for event in &entry.events {
            let seen = event.seen_by(&sight, entry.version);
            events.push_str(&format!("{seen:?}\n"));
            lines.push_str(&format!("{}\n", notation::line(&seen, now.deck())));
        }
    }
    if whole {
        for back in [1, 2, 5] {
            let until = played.log.len().saturating_sub(back).max(1);
            let then = Match::replay(now.deck().clone(), &played.log[..until]).expect("replays");
            past.push_str(&format!("{:?}\n", then.view_through(viewer, &sight)));
        }
    }
    let mut surfaces = vec![
        ("view", format!("{:?}", now.view(viewer))),
        ("past views", past),
        ("events", events),
        ("notation", lines),
    ];
    let Some(seat) = watcher else { return surfaces };
    surfaces.push(("legal actions", format!("{:?}", now.legal_actions(seat))));
    surfaces.push(("refusals", refusals(played, seat)));
    if now.turn().is_some_and(|turn| turn.seat == seat) {
        for (name, level) in [
            ("easy bot", BotLevel::Easy),
            ("medium bot", BotLevel::Medium),
            ("hard bot", BotLevel::Hard),
        ] {
            let mut stream = played.stream(Purpose::Bot);
            let action = bot::choose(now, seat, level, &mut stream);
            surfaces.push((name, format!("{action:?} then {}", stream.word())));
        }
    }
    surfaces
}

/// What becomes of everything a seat could try: refused and why, or accepted.
fn refusals(played: &Played, seat: Seat) -> String {
    let deck = played.now.deck();
    let attributes: Vec<Attribute> = deck.attributes().take(2).collect();
    let mut tries: Vec<Action> = Vec::new();
    for card in deck.cards() {
        tries.extend((0..7).map(|seat| Action::AskCard { seat, card }));
        tries.extend(attributes.iter().map(|attribute| Action::FightDuel {
            card,
            attribute: *attribute,
        }));
    }
    tries.extend(attributes.iter().map(|attribute| Action::ChooseAttribute {
        attribute: *attribute,
    }));
    tries.extend(
        deck.groups()
            .chain([Group::UNKNOWN])
            .map(|group| Action::LayQuartet { group }),
    );
    tries.extend((0..=64).map(|place| Action::FlipCard { place }));
    tries
        .iter()
        .map(|action| match played.decide(seat, action) {
            Ok(_) => "accepted ",
            Err(rejection) => rejection.code(),
        })
        .collect()
}

/// One card that the watcher may not see.
fn hidden_card(played: &Played, watcher: Watcher) -> String {
    match played.now.view(Viewer::Everything).table {
        TableView::DuelQuartett { hands, .. } | TableView::VdbQuartett { hands, .. } => {
            let others = hands.iter().filter(|(seat, _)| Some(*seat) != watcher);
            let mut cards = others.filter_map(|(_, hand)| match hand {
                Hand::Own(cards) => cards.iter().next(),
                Hand::Size(_) => None,
            });
            format!("{:?}", cards.next())
        }
        TableView::Supertrump { stacks, .. } | TableView::VdbSupertrumpf { stacks, .. } => {
            let mut seconds = stacks.iter().filter_map(|(_, stack)| match stack {
                Stack::Open(cards) => cards.get(1),
                Stack::Closed(_) | Stack::Top(..) => None,
            });
            format!("{:?}", seconds.next())
        }
        TableView::Pairs { places, .. } => {
            let mut closed = places.iter().filter(|place| matches!(place, PlaceView::Open(_)));
            format!("{:?}", closed.next())
        }
    }
}

pub(crate) fn leaking(played: &Played, watcher: Watcher, leak: &str) -> Vec<Surface> {
    let mut surfaces = surfaces(played, watcher);
    for (name, content) in &mut surfaces {
        if *name == leak {
            content.push_str(&hidden_card(played, watcher));
        }
    }
    surfaces
}
