//! Players who stay away: missed deadlines, returns, resignations, and matches that rest.
//!
//! Everything here follows from the log alone. A seat's misses in a row are counted by the `DeadlinePassed`
//! events since its player last acted, and an action is the player's own unless a bot held the seat when it
//! was taken: then the seat was away, resigned, or its present turn had been missed. What a bot plays for a
//! player therefore never counts as the player's, and nobody has to write down who moved.

use crate::duel_quartett;
use crate::event::{BotLevel, DeadlinePolicy, EndReason, Event};
use crate::game::GameSetup;
use crate::match_state::Match;
use crate::seat::Seat;
use crate::view::{SeatHolder, Status};

/// Deadlines missed in a row after which a bot holds the seat until its player returns.
const MISSES_UNTIL_AWAY: u8 = 2;

/// Why a resignation, a return or a missed deadline is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum AbsenceRefusal {
    /// The match has not begun or is over.
    #[error("the match is not running")]
    NotRunning,
    /// The seat does not exist, or a bot held it from the start.
    #[error("the seat is not a player's")]
    NotAPlayer,
    /// The player resigned before; there is no way back.
    #[error("the seat has resigned")]
    Resigned,
    /// The player is not away.
    #[error("the seat is not away")]
    NotAway,
    /// Nobody is waited for: a bot is to move, or the match rests.
    #[error("no deadline runs")]
    NoDeadline,
}

impl Match {
    /// The player of a seat gives up: `SeatResigned`, and the end by present scores if too few are left.
    /// Otherwise a bot holds the seat to the end and completes the step that is pending, if it is this seat's.
    pub fn resign(&self, seat: Seat) -> Result<Vec<Event>, AbsenceRefusal> {
        self.check_staying_player(seat)?;
        Ok(self.resignation(seat, Vec::new()))
    }

    /// The player of a seat that a bot holds is back: `SeatReturned`. A turn of this seat that is pending is
    /// the player's own again, and a match that rested goes on.
    pub fn return_to(&self, seat: Seat) -> Result<Vec<Event>, AbsenceRefusal> {
        self.check_staying_player(seat)?;
        if self.seats.get(seat).is_some_and(|state| state.away) {
            Ok(vec![Event::SeatReturned { seat }])
        } else {
            Err(AbsenceRefusal::NotAway)
        }
    }

    /// The seat to move let its time pass: `DeadlinePassed`, and by the match's policy what follows from it.
    /// With `BotPlays` a medium bot then plays on until the turn leaves the seat, after a second miss in a row
    /// (`SeatAway`) until the player returns; with `Forfeit` the seat resigns, which may end the match.
    pub fn miss_deadline(&self) -> Result<Vec<Event>, AbsenceRefusal> {
        if self.status != Status::Active {
            return Err(AbsenceRefusal::NotRunning);
        }
        let seat = self.waits_for().ok_or(AbsenceRefusal::NoDeadline)?;
        let mut events = vec![Event::DeadlinePassed { seat }];
        match self.terms.deadline_policy {
            DeadlinePolicy::Forfeit => return Ok(self.resignation(seat, events)),
            DeadlinePolicy::BotPlays => {
                let missed = self.seats.get(seat).map_or(0, |state| state.missed);
                if missed + 1 >= MISSES_UNTIL_AWAY {
                    events.push(Event::SeatAway { seat });
                }
            }
        }
        Ok(events)
    }

    /// The seat whose player must act before its time is over: the seat to move, unless a bot moves for it or
    /// the match rests.
    pub fn waits_for(&self) -> Option<Seat> {
        let seat = self.turn()?.seat;
        let waited_for =
            self.check_staying_player(seat).is_ok() && self.bot_of(seat).is_none() && !self.is_resting();
        waited_for.then_some(seat)
    }

    /// Whether every remaining player (neither resigned nor a bot from the start) is away. While a match rests
    /// nobody moves and no clock runs, until a player returns; a match of bots alone never rests.
    pub fn is_resting(&self) -> bool {
        let mut remaining = self
            .seats
            .iter()
            .filter(|(_, state)| state.holder == SeatHolder::Player && state.resigned.is_none())
            .peekable();
        self.status == Status::Active && remaining.peek().is_some() && remaining.all(|(_, state)| state.away)
    }

    /// The level of the bot that moves for a seat now, if one does: the bot that began the match there, or a
    /// medium one for a player who resigned, is away, or has missed the present turn. While the match rests
    /// no bot moves, not even those that began it: nobody who plays would be there to see it.
    pub fn bot_of(&self, seat: Seat) -> Option<BotLevel> {
        let state = self.seats.get(seat)?;
        let level = match state.holder {
            SeatHolder::Bot(level) => level,
            SeatHolder::Player if state.away || state.resigned.is_some() || self.late == Some(seat) => {
                BotLevel::Medium
            }
            SeatHolder::Player | SeatHolder::Open => return None,
        };
        (!self.is_resting()).then_some(level)
    }

    fn check_staying_player(&self, seat: Seat) -> Result<(), AbsenceRefusal> {
        if self.status != Status::Active {
            return Err(AbsenceRefusal::NotRunning);
        }
        match self.seats.get(seat) {
            Some(state) if state.holder != SeatHolder::Player => Err(AbsenceRefusal::NotAPlayer),
            Some(state) if state.resigned.is_some() => Err(AbsenceRefusal::Resigned),
            Some(_) => Ok(()),
            None => Err(AbsenceRefusal::NotAPlayer),
        }
    }

    /// Adds a resignation to `events`, and the end if it leaves too few.
    fn resignation(&self, seat: Seat, mut events: Vec<Event>) -> Vec<Event> {
        let resigned = Event::SeatResigned { seat };
        // The end ranks the seats as they are after this resignation.
        let mut after = self.clone();
        after.apply(&resigned);
        events.push(resigned);
        if after.has_too_few() {
            events.extend(after.end(EndReason::TooFewPlayers));
        }
        events
    }

    /// Whether at most one seat is left that a staying player or a bot from the start holds, or no staying
    /// player at all.
    fn has_too_few(&self) -> bool {
        let held_by = |is: fn(&SeatHolder) -> bool| {
            let staying = self.seats.iter().filter(|(_, state)| state.resigned.is_none());
            staying.filter(|(_, state)| is(&state.holder)).count()
        };
        let players = held_by(|holder| matches!(holder, SeatHolder::Player));
        let bots = held_by(|holder| matches!(holder, SeatHolder::Bot(_)));
        players == 0 || players + bots <= 1
    }

    /// Takes in what an event says about who is present, before the table takes it in.
    pub(crate) fn note_presence(&mut self, event: &Event) {
        if let Some(seat) = self.actor(event)
            && self.seats.get(seat).is_some_and(|state| state.missed > 0)
            && self.bot_of(seat).is_none()
            && let Some(state) = self.seats.get_mut(seat)
        {
            state.missed = 0;
        }
        if let Event::TurnBegun { seat, .. } = event
            && self.late != Some(*seat)
        {
            self.late = None;
        }
    }

    /// The seat whose action an event tells of: what each action begins with, and no consequence of one.
    fn actor(&self, event: &Event) -> Option<Seat> {
        match event {
            Event::CardAsked { seat, .. } | Event::CardFlipped { seat, .. } => Some(*seat),
            Event::DuelFought { asker, .. } => Some(asker.seat),
            // Clockwise from the chooser, who always shows a card.
            Event::CardsShown { shown, .. } => shown.first().map(|top| top.seat),
            Event::QuartetLaid { seat, .. } => match self.terms.game {
                GameSetup::DuelQuartett(duel_quartett::Options {
                    lay: duel_quartett::Lay::Manual,
                    ..
                }) => Some(*seat),
                // Laid by the service, perhaps for the asked seat.
                GameSetup::DuelQuartett(_)
                | GameSetup::Supertrump(_)
                | GameSetup::Pairs(_)
                | GameSetup::VdbSupertrumpf(_)
                | GameSetup::VdbQuartett(_) => None,
            },
            Event::Created(_)
            | Event::SeatTaken { .. }
            | Event::SeatLeft { .. }
            | Event::Started { .. }
            | Event::Dealt(_)
            | Event::AskAnswered { .. }
            | Event::CardGiven { .. }
            | Event::CardsTaken { .. }
            | Event::RoundTied { .. }
            | Event::SeatOut { .. }
            | Event::TurnBegun { .. }
            | Event::PairTaken { .. }
            | Event::CardsClosed { .. }
            | Event::LimitReached { .. }
            | Event::DeadlinePassed { .. }
            | Event::SeatAway { .. }
            | Event::SeatReturned { .. }
            | Event::SeatResigned { .. }
            | Event::Ended { .. }
            | Event::Cancelled { .. } => None,
        }
    }
}
