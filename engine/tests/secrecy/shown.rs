//! What the rules show a watcher: said here once more, not asked of the engine.

use crate::played::Played;
use quartett_engine::view::TableView;
use quartett_engine::{Deal, Event, Seat, Viewer};

/// Who watches: a seat, or somebody without one.
pub(crate) type Watcher = Option<Seat>;

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
pub(crate) fn asks_left(played: &Played) -> Option<u32> {
    match played.now.view(Viewer::Everything).table {
        TableView::DuelQuartett { asks_left, .. } => asks_left,
        TableView::Supertrump { .. }
        | TableView::Pairs { .. }
        | TableView::VdbSupertrumpf { .. }
        | TableView::VdbQuartett { .. } => None,
    }
}

pub(crate) fn all_shown(events: &[Event], watcher: Watcher) -> Vec<String> {
    events.iter().map(|event| shown(event, watcher)).collect()
}
