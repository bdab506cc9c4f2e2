//! The payload of an entry: the bytes that are stored and hashed.
//!
//! UTF-8 JSON without white space, its keys in declared order: action, events with everything hidden, by,
//! seat, at.

use quartett_engine::{Deck, Event, Seat};
use serde::{Deserialize, Serialize};

use super::action::GameAction;
use super::event::GameEvent;
use super::event_reading::Misfit;
use super::names::ByName;
use crate::http::Timestamp;

/// Who caused an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// A player.
    Player,
    /// A bot, for a seat of its own or for a player who is away.
    Bot,
    /// The clock.
    Clock,
    /// The service, as when a full match starts by itself.
    Service,
}

/// What is stored of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Payload {
    /// What the seat asked for, in entries that are answers to a game action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) action: Option<GameAction>,
    /// What happened, with everything hidden.
    pub(crate) events: Vec<GameEvent>,
    /// Who caused it.
    pub(crate) by: ByName,
    /// For which seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seat: Option<u8>,
    /// When.
    pub(crate) at: Timestamp,
}

/// Stored bytes that are no payload of this match.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PayloadError {
    /// Not the JSON of a payload.
    #[error("not a payload: {0}")]
    Malformed(#[from] serde_json::Error),
    /// An event that does not fit.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}

impl Payload {
    /// The bytes to store and hash.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    /// Reads stored bytes.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, PayloadError> {
        Ok(serde_json::from_slice(bytes)?)
    }

    /// The events for the engine.
    pub(crate) fn engine_events(&self, match_id: [u8; 16], deck: &Deck) -> Result<Vec<Event>, PayloadError> {
        let events = self.events.iter().map(|event| event.to_engine(match_id, deck));
        Ok(events.collect::<Result<_, _>>()?)
    }

    /// The seat as the engine knows it.
    pub(crate) fn engine_seat(&self) -> Option<Seat> {
        self.seat.map(Seat)
    }
}

#[cfg(test)]
mod tests {
    use super::{By, ByName, GameEvent, Payload};
    use crate::http::Timestamp;
    use crate::wire::GameAction;
    use quartett_engine::deck::built_in;
    use quartett_engine::{
        BotLevel, CancelReason, DeadlinePolicy, Event, GameKind, GameSetup, Holder, Match, Purpose,
        RulesVersion, Seat, Seed, StarterRule, Terms, bot,
    };

    /// Every entry of a match that bots play to its end.
    fn played(game: GameKind, seed: Seed) -> Vec<(Option<quartett_engine::Action>, Vec<Event>)> {
        let deck = built_in().iter().find(|deck| deck.fits(game).is_ok()).unwrap();
        let terms = Terms {
            match_id: [9; 16],
            game: GameSetup::default_for(game, 3),
            deck_id: deck.document().deck_id.clone(),
            deck_hash: *deck.hash(),
            seats: 3,
            starter: StarterRule::Question,
            starter_seat: Some(Seat(1)),
            turn_seconds: 60,
            deadline_policy: DeadlinePolicy::Forfeit,
            time_limit_seconds: Some(600),
            rules: RulesVersion::CURRENT,
            seed_commitment: seed.commitment(&[9; 16]),
        };
        let holders =
            [BotLevel::Hard, BotLevel::Medium, BotLevel::Easy].map(|level| Some(Holder::Bot(level)));
        let mut state = Match::new(terms.clone(), deck.clone());
        let mut entries = vec![(None, Match::creation(terms, &holders))];
        state.apply_entry(&entries[0].1);
        let started = state.start(&seed, None, &[], None).unwrap();
        let key = state.deal_key(&seed, None);
        state.apply_entry(&started);
        entries.push((None, started));
        while let Some(turn) = state.turn() {
            let version = state.version() + 1;
            let level = state.bot_of(turn.seat).unwrap();
            let action =
                bot::choose(&state, turn.seat, level, &mut key.stream(Purpose::Bot, version)).unwrap();
            let mut mixer = key.stream(Purpose::Mix, version);
            let mut events = state.decide(turn.seat, &action, &mut mixer).unwrap();
            if let Some(Event::Ended { seed: slot, .. }) = events.last_mut() {
                *slot = Some(seed);
            }
            state.apply_entry(&events);
            entries.push((Some(action), events));
        }
        entries
    }

    /// What stands in no match that bots play.
    fn others() -> Vec<Event> {
        let seat = Seat(2);
        vec![
            Event::SeatTaken {
                seat,
                holder: Holder::Player,
                entropy: Some("b7Kq".to_owned()),
            },
            Event::SeatLeft { seat },
            Event::Started {
                starter: seat,
                entropy: Some("x".to_owned()),
            },
            Event::DeadlinePassed { seat },
            Event::SeatAway { seat },
            Event::SeatReturned { seat },
            Event::SeatResigned { seat },
            Event::Cancelled {
                reason: CancelReason::Expired,
                seed: Some(Seed([5; 32])),
            },
        ]
    }

    #[test]
    fn what_is_stored_comes_back_as_it_was() {
        let mut kinds = std::collections::BTreeSet::new();
        for game in GameKind::ALL {
            let deck = built_in().iter().find(|deck| deck.fits(game).is_ok()).unwrap();
            for number in 0..4 {
                let mut entries = played(game, Seed([number; 32]));
                entries.push((None, others()));
                for (action, events) in entries {
                    let payload = Payload {
                        action: action.as_ref().map(|action| GameAction::of(action, deck)),
                        events: events.iter().map(|event| GameEvent::of(event, deck)).collect(),
                        by: ByName(By::Bot),
                        seat: action.is_some().then_some(2),
                        at: Timestamp(1_782_907_200_007),
                    };
                    kinds.extend(payload.events.iter().map(GameEvent::tag));
                    let bytes = payload.to_bytes().unwrap();
                    let read = Payload::read(&bytes).unwrap();
                    assert_eq!(read, payload);
                    assert_eq!(read.to_bytes().unwrap(), bytes);
                    assert_eq!(read.engine_events([9; 16], deck).unwrap(), events);
                    assert_eq!(read.action.map(|action| action.to_engine(deck)), action);
                }
            }
        }
        assert_eq!(kinds.len(), 25, "every kind of event was among them: {kinds:?}");
    }

    #[test]
    fn the_keys_stand_in_their_order_without_white_space() {
        let payload = Payload {
            action: None,
            events: Vec::new(),
            by: ByName(By::Clock),
            seat: Some(1),
            at: Timestamp(0),
        };
        assert_eq!(
            String::from_utf8(payload.to_bytes().unwrap()).unwrap(),
            r#"{"events":[],"by":"clock","seat":1,"at":"1970-01-01T00:00:00.000Z"}"#
        );
    }
}
