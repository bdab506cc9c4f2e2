//! Folding a whole log, and where and why a log is not the log of a match.

use crate::deck::Deck;
use crate::event::Event;
use crate::match_state::Match;
use crate::view::Status;
use std::sync::Arc;

/// An accepted entry of a match's log, as far as the engine is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// From 1 without gaps.
    pub version: u64,
    /// What happened.
    pub events: Vec<Event>,
}

/// Where and why a log is not the log of a match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entry {version}: {fault}")]
pub struct ReplayError {
    /// The first entry that is wrong.
    pub version: u64,
    /// What is wrong with it.
    pub fault: ReplayFault,
}

/// What is wrong with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplayFault {
    /// The log does not begin with the creation of a match.
    #[error("a log begins with the creation of its match, and only begins with it")]
    Creation,
    /// A version is missing or stands twice.
    #[error("versions go from 1 without gaps")]
    Version,
    /// The match was made for another deck.
    #[error("the match was made for another deck")]
    Deck,
    /// Something happened after the end.
    #[error("nothing happens after the end")]
    AfterEnd,
    /// An event names a seat that the match does not have.
    #[error("there is no such seat")]
    Seat,
    /// Cards appeared or vanished.
    #[error("cards appeared or vanished")]
    Cards,
}

impl Match {
    /// Folds a whole log. The state is that of the last entry; a bad log names its first wrong entry.
    pub fn replay<'a>(
        deck: Arc<Deck>,
        log: impl IntoIterator<Item = &'a Entry>,
    ) -> Result<Match, ReplayError> {
        let at = |version, fault| ReplayError { version, fault };
        let mut log = log.into_iter();
        let first = log.next().ok_or(at(1, ReplayFault::Creation))?;
        let Some(Event::Created(terms)) = first.events.first() else {
            return Err(at(1, ReplayFault::Creation));
        };
        if terms.deck_hash != *deck.hash() {
            return Err(at(1, ReplayFault::Deck));
        }
        let mut replayed = Match::new((**terms).clone(), deck);
        let mut dealt = None;
        for entry in std::iter::once(first).chain(log) {
            let fault = |fault| at(entry.version, fault);
            if entry.version != replayed.version + 1 {
                return Err(fault(ReplayFault::Version));
            }
            if matches!(replayed.status, Status::Ended | Status::Cancelled) {
                return Err(fault(ReplayFault::AfterEnd));
            }
            if entry.version > 1
                && entry
                    .events
                    .iter()
                    .any(|event| matches!(event, Event::Created(_)))
            {
                return Err(fault(ReplayFault::Creation));
            }
            let count = replayed.seats.count();
            if !entry.events.iter().all(|event| event.fits_ring(count)) {
                return Err(fault(ReplayFault::Seat));
            }
            replayed.apply_entry(&entry.events);
            if dealt.is_none() && replayed.status == Status::Active {
                dealt = Some(replayed.game.all_cards(&replayed.deck).len());
            }
        }
        if dealt.is_some_and(|dealt| replayed.game.all_cards(&replayed.deck).len() != dealt) {
            return Err(at(replayed.version, ReplayFault::Cards));
        }
        Ok(replayed)
    }
}
