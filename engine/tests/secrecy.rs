//! Non-interference: what a seat may not see never changes anything it can see, nor what its bot plays.
//!
//! Pairs of matches are dealt so that they differ only in cards hidden from a viewer, and play on with the
//! same actions for as long as everything shown to the viewer is the same. What counts as shown is said here
//! once more, from the rules, not asked of the engine. A comparison that never happens proves nothing: they
//! are counted, and planted leaks show that the comparisons can see.

#[path = "support/played.rs"]
mod played;

use played::{Opening, Played, terms};
use quartett_engine::deck::built_in;
use quartett_engine::view::{Hand, PlaceView, Stack, TableView};
use quartett_engine::{
    Action, Attribute, BotLevel, Deal, Deck, Event, GameKind, GameSetup, Group, Holder, Match, Purpose, Seat,
    Seed, Status, Stream, Viewer, bot, duel_quartett, notation, pairs, supertrump,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a viewer can get at: name and content.
type Surface = (&'static str, String);
/// Makes the surfaces of a match for a viewer.
type Projection = fn(&Played, Watcher) -> Vec<Surface>;
/// How often each surface was compared, by viewer.
type Counts = BTreeMap<(&'static str, Watcher), usize>;
/// Who watches: a seat, or somebody without one.
type Watcher = Option<Seat>;

fn viewer(watcher: Watcher) -> Viewer {
    watcher.map_or(Viewer::Outsider, Viewer::Seat)
}

/// What the rules show a watcher of an event while the match runs.
fn shown(event: &Event, watcher: Watcher) -> String {
    let mut event = event.clone();
    if let Event::Dealt(deal) = &event {
        return match deal {
            Deal::Hands(hands) => {
                let own = watcher.and_then(|seat| hands.get(seat));
                format!("own hand {own:?}")
            }
            Deal::Stacks { .. } | Deal::Table(_) => String::from("dealt"),
        };
    }
    if let Event::TurnBegun { tops, .. } = &mut event {
        tops.retain(|top| Some(top.seat) == watcher);
    }
    if let Event::CardsTaken { cards, .. } = &mut event {
        cards.sort_unstable();
    }
    format!("{event:?}")
}

/// The asks left before a stalemate. They tell when a hand became whole of a group, also where it is not laid
/// yet: the one hidden fact that the rules make public.
fn asks_left(played: &Played) -> Option<u32> {
    match played.now.view(Viewer::Everything).table {
        TableView::DuelQuartett { asks_left, .. } => asks_left,
        TableView::Supertrump { .. }
        | TableView::Pairs { .. }
        | TableView::VdbSupertrumpf { .. }
        | TableView::VdbQuartett { .. } => None,
    }
}

fn all_shown(events: &[Event], watcher: Watcher) -> Vec<String> {
    events.iter().map(|event| shown(event, watcher)).collect()
}

/// Everything the engine lets a watcher see, one by one.
fn surfaces(played: &Played, watcher: Watcher) -> Vec<Surface> {
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

fn leaking(played: &Played, watcher: Watcher, leak: &str) -> Vec<Surface> {
    let mut surfaces = surfaces(played, watcher);
    for (name, content) in &mut surfaces {
        if *name == leak {
            content.push_str(&hidden_card(played, watcher));
        }
    }
    surfaces
}

/// Two matches that differ only in what is hidden from the watcher.
struct Pair {
    one: Played,
    other: Played,
    watcher: Watcher,
}

impl Pair {
    /// Deals twice, the second time with some cards exchanged; `None` if the watcher could tell, or if all is
    /// the same after all.
    fn deal(
        setup: GameSetup,
        deck: &Arc<Deck>,
        seats: u8,
        watcher: Watcher,
        stream: &mut Stream,
    ) -> Option<Pair> {
        let mut seed = Seed([0; 32]);
        seed.0.fill_with(|| stream.below(256).to_le_bytes()[0]);
        let cards = if setup.kind() == GameKind::Pairs {
            2 * deck.size()
        } else {
            deck.size()
        };
        let mut order: Vec<usize> = (0..cards).collect();
        stream.shuffle(&mut order);
        let mut exchanged = order.clone();
        for _ in 0..=stream.below(3) {
            let places: Vec<usize> = (0..cards).collect();
            let (from, to) = (stream.pick(&places)?, stream.pick(&places)?);
            exchanged.swap(from, to);
        }
        let holders = vec![Holder::Player; usize::from(seats)];
        let begin = |order: &[usize]| {
            let terms = terms(setup, deck, seats, &seed);
            let opening = Opening {
                order: Some(order),
                ..Opening::default()
            };
            Played::begin(terms, deck, &holders, &seed, opening)
        };
        let (one, other) = (begin(&order), begin(&exchanged));
        let pair = Pair { one, other, watcher };
        (pair.shown_so_far(&pair.one) == pair.shown_so_far(&pair.other) && pair.differs()).then_some(pair)
    }

    fn shown_so_far(&self, played: &Played) -> Vec<Vec<String>> {
        let log = played.log.iter();
        log.map(|entry| all_shown(&entry.events, self.watcher)).collect()
    }

    /// Whether something that is hidden differs.
    fn differs(&self) -> bool {
        let open = |played: &Played| played.now.view(Viewer::Everything).table;
        open(&self.one) != open(&self.other)
    }

    /// Carries out, in both, some action that leaves the watcher unable to tell them apart. Won cards are mixed
    /// otherwise in the second match: their order is hidden too.
    fn step(&mut self, stream: &mut Stream) -> Option<()> {
        let turn = self.one.now.turn()?;
        let mut actions = self.one.now.legal_actions(turn.seat);
        stream.shuffle(&mut actions);
        for action in actions {
            let Ok(events) = self.one.decide(turn.seat, &action) else {
                continue;
            };
            let mut mixer = self.other.stream(Purpose::Deal);
            let Ok(others) = self.other.now.decide(turn.seat, &action, &mut mixer) else {
                continue;
            };
            if all_shown(&events, self.watcher) == all_shown(&others, self.watcher) {
                self.one.take_in(events);
                self.other.take_in(others);
                if asks_left(&self.one) != asks_left(&self.other) {
                    return None;
                }
                return (self.one.now.status() == Status::Active && self.differs()).then_some(());
            }
        }
        None
    }

    /// Compares every surface; the first that differs is the error.
    fn compare(&self, projection: Projection, counts: &mut Counts) -> Result<(), String> {
        let (one, other) = (
            projection(&self.one, self.watcher),
            projection(&self.other, self.watcher),
        );
        for ((name, one), (_, other)) in one.iter().zip(&other) {
            *counts.entry((name, self.watcher)).or_default() += 1;
            if one != other {
                let watcher = self.watcher.map_or('-', Seat::letter);
                return Err(format!("{name} of {watcher}:\n{one}\n{other}"));
            }
        }
        Ok(())
    }
}

/// The settings in which a game is watched.
fn settings(game: GameKind) -> Vec<(GameSetup, u8)> {
    let default = |seats| (GameSetup::default_for(game, seats), seats);
    match game {
        GameKind::DuelQuartett => {
            let manual = duel_quartett::Options {
                lay: duel_quartett::Lay::Manual,
                ..duel_quartett::Options::default_for(4)
            };
            vec![default(3), default(6), (GameSetup::DuelQuartett(manual), 4)]
        }
        GameKind::Supertrump => {
            let fixed = supertrump::Options {
                won_order: supertrump::WonOrder::Fixed,
                ..supertrump::Options::default()
            };
            // With 5 seats cards are set aside.
            vec![
                default(2),
                default(5),
                default(6),
                (GameSetup::Supertrump(fixed), 3),
            ]
        }
        GameKind::Pairs => {
            let full = pairs::Options {
                memory: pairs::Memory::FullLog,
                ..pairs::Options::default_for(3)
            };
            vec![default(2), default(6), (GameSetup::Pairs(full), 3)]
        }
        GameKind::VdbSupertrumpf => vec![default(2), default(4)],
        GameKind::VdbQuartett => vec![default(3), default(4)],
    }
}

/// Plays pairs of matches of a game and compares; the error is the first difference.
fn watch(game: GameKind, pairs: usize, projection: Projection, counts: &mut Counts) -> Result<(), String> {
    let mut stream = Seed([8; 32]).deal_key(&[0; 16], []).stream(Purpose::Bot, 0);
    for (setup, seats) in settings(game) {
        // The deck with ties, so that the centre fills and playoffs come up.
        let deck = &built_in()[if seats == 3 { 0 } else { 3 }];
        for watcher in (0..seats).map(|seat| Some(Seat(seat))).chain([None]) {
            let mut dealt = 0;
            while dealt < pairs {
                let Some(mut pair) = Pair::deal(setup, deck, seats, watcher, &mut stream) else {
                    continue;
                };
                dealt += 1;
                pair.compare(projection, counts)?;
                let mut steps = 0;
                while steps < 80 && pair.step(&mut stream).is_some() {
                    pair.compare(projection, counts)?;
                    steps += 1;
                }
            }
        }
    }
    Ok(())
}

const SURFACES: [&str; 9] = [
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

fn holds_in(game: GameKind) {
    // Stacks show a card of each seat every round, so pairs soon part there.
    let pairs = match game {
        GameKind::Supertrump | GameKind::VdbSupertrumpf => 200,
        GameKind::DuelQuartett | GameKind::Pairs | GameKind::VdbQuartett => 12,
    };
    let mut counts = Counts::new();
    if let Err(difference) = watch(game, pairs, surfaces, &mut counts) {
        panic!("{}: what is hidden shows in the {difference}", game.id());
    }
    let seats = (0..*game.seats().end()).map(|seat| Some(Seat(seat)));
    for watcher in seats.chain([None]) {
        let surfaces = if watcher.is_some() {
            &SURFACES[..]
        } else {
            &SURFACES[..4]
        };
        for surface in surfaces {
            let compared = counts.get(&(*surface, watcher)).copied().unwrap_or(0);
            let enough = if surface.ends_with("bot") { 40 } else { 200 };
            assert!(
                compared >= enough,
                "{surface} of {watcher:?} compared only {compared} times"
            );
        }
    }
}

#[test]
fn nothing_hidden_shows_in_duel_quartett() {
    holds_in(GameKind::DuelQuartett);
}

#[test]
fn nothing_hidden_shows_in_supertrump() {
    holds_in(GameKind::Supertrump);
}

#[test]
fn nothing_hidden_shows_in_pairs() {
    holds_in(GameKind::Pairs);
}

#[test]
fn nothing_hidden_shows_in_vdb_supertrumpf() {
    holds_in(GameKind::VdbSupertrumpf);
}

#[test]
fn nothing_hidden_shows_in_vdb_quartett() {
    holds_in(GameKind::VdbQuartett);
}

/// A view, a history, a notation or a bot that knows one hidden card is found out, in every game.
#[test]
fn planted_leaks_are_found() {
    let leaks: [(&str, Projection); 9] = [
        ("view", |played, watcher| leaking(played, watcher, "view")),
        ("past views", |played, watcher| {
            leaking(played, watcher, "past views")
        }),
        ("events", |played, watcher| leaking(played, watcher, "events")),
        ("notation", |played, watcher| leaking(played, watcher, "notation")),
        ("legal actions", |played, watcher| {
            leaking(played, watcher, "legal actions")
        }),
        ("refusals", |played, watcher| leaking(played, watcher, "refusals")),
        ("easy bot", |played, watcher| leaking(played, watcher, "easy bot")),
        ("medium bot", |played, watcher| {
            leaking(played, watcher, "medium bot")
        }),
        ("hard bot", |played, watcher| leaking(played, watcher, "hard bot")),
    ];
    for game in GameKind::ALL {
        for (surface, projection) in leaks {
            let found = watch(game, 12, projection, &mut Counts::new());
            let difference = found.expect_err("the leak is planted");
            assert!(difference.starts_with(surface), "{}: {difference}", game.id());
        }
    }
}
