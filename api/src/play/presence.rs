//! Players who give up or come back.

use quartett_engine::{AbsenceRefusal, Event, Match, Seat, Status};

use super::act::{Stored, TRIES_MAX, answer, append_turn};
use super::change::filled;
use super::table::{Draft, Table};
use super::tables::{read_players, refresh};
use super::{due, store};
use crate::app::App;
use crate::http::{Code, Problem};
use crate::ids::{MatchId, PlayerId};
use crate::wire::{ActionResult, By};

/// What a player says about being there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Gives up: a bot holds the seat to the end.
    Resigns,
    /// Is back: takes the seat from the bot that held it.
    Returns,
}

impl Presence {
    /// What it leads to.
    fn decide(self, state: &Match, seat: Seat) -> Result<Vec<Event>, AbsenceRefusal> {
        match self {
            Self::Resigns => state.resign(seat),
            Self::Returns => state.return_to(seat),
        }
    }
}

/// Carries it out. Whoever has resigned or is back already gets the match as it is, without entries.
pub(super) async fn change(
    app: App,
    id: MatchId,
    player: PlayerId,
    presence: Presence,
) -> Result<ActionResult, Problem> {
    let mut held = app.tables.hold(id).await?;
    for _ in 0..TRIES_MAX {
        let table = refresh(&app, &mut held, id)
            .await?
            .ok_or_else(Problem::not_found)?;
        table.must_be_visible_to(app.db.read(), player).await?;
        if due::is_due(table, app.now_millis()) {
            due::settle(&app, &mut held).await?;
            continue;
        }
        let Some((seat, events)) = judge(table, player, presence)? else {
            read_players(&app, app.db.read(), table).await?;
            return Ok(answer(&app, table, player, &[]));
        };
        if presence == Presence::Returns {
            // A match that rested was to be looked at much later than the deadline that runs from now.
            let turn_millis = i64::from(table.state.terms().turn_seconds) * 1000;
            store::wake_at(app.db.write(), id, app.now_millis() + turn_millis).await?;
        }
        let draft = Draft {
            by: By::Player,
            seat: Some(seat),
            action: None,
            events,
        };
        match append_turn(&app, &mut held, draft, None).await? {
            Stored::Now(entries) => {
                let table = filled(&mut held)?;
                read_players(&app, app.db.read(), table).await?;
                return Ok(answer(&app, table, player, &entries));
            }
            Stored::NotHere => {}
        }
    }
    Err(Code::Unavailable.into())
}

/// What it leads to at this head; nothing if it is so already.
fn judge(table: &Table, player: PlayerId, presence: Presence) -> Result<Option<(Seat, Vec<Event>)>, Problem> {
    if table.state.status() == Status::Waiting {
        return Err(Code::MatchNotStarted.into());
    }
    let seat = table.seat_of(player).ok_or_else(Problem::not_found)?;
    let seen = table.state.seat(seat).ok_or_else(Problem::not_found)?;
    if presence == Presence::Resigns && seen.resigned {
        return Ok(None);
    }
    match presence.decide(&table.state, seat) {
        Ok(events) => Ok(Some((seat, events))),
        Err(AbsenceRefusal::NotRunning) => Err(Code::MatchOver.into()),
        Err(AbsenceRefusal::Resigned) => Err(Code::SeatResigned.into()),
        Err(AbsenceRefusal::NotAway) => Ok(None),
        Err(refusal @ (AbsenceRefusal::NotAPlayer | AbsenceRefusal::NoDeadline)) => {
            Err(Problem::internal(refusal))
        }
    }
}
