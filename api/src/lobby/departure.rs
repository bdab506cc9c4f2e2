//! A player who is erased leaves every match: waiting ones are left, running ones go on with a bot, and no
//! seat names the person any more. The logs name seats only and stay as they are.

use quartett_engine::{AbsenceRefusal, Seat, Status};

use super::{leave_match, store};
use crate::app::App;
use crate::http::{Code, Problem};
use crate::ids::{MatchId, PlayerId};
use crate::play::{Change, Draft, play_on_behind, wake_at};
use crate::wire::By;

/// How many departures that were broken off are taken up at once.
const DEPARTURES_MAX: i64 = 10;

/// Takes a player who was erased out of every match, and forgets who sat there. What is broken off is taken
/// up again by [`go_on_departing`].
pub(crate) async fn depart(app: &App, player: PlayerId) -> Result<(), Problem> {
    let mut outcome = Ok(());
    for id in store::unfinished_matches(app.db.read(), player).await? {
        match depart_from(app, id, player).await {
            Ok(()) => {}
            // Nothing can be added to a frozen match; who sat there can be forgotten all the same.
            Err(problem) if problem.code() == Code::MatchFrozen => {}
            // One match's trouble is not the others'.
            Err(problem) => outcome = Err(problem),
        }
    }
    outcome?;
    let transaction = app.db.transaction().await?;
    store::unlink_everywhere(&transaction, player, app.now_millis()).await?;
    transaction.commit().await?;
    Ok(())
}

/// Completes departures that were broken off.
pub(crate) async fn go_on_departing(app: &App) -> Result<(), Problem> {
    let mut outcome = Ok(());
    for player in store::departing(app.db.read(), DEPARTURES_MAX).await? {
        outcome = depart(app, player).await.and(outcome);
    }
    outcome
}

async fn depart_from(app: &App, id: MatchId, player: PlayerId) -> Result<(), Problem> {
    let Some(mut change) = Change::begin(app, id).await? else {
        return Ok(());
    };
    // Views know nobody who was erased: the row tells the seat.
    let Some(seat) = store::seat_held_by(&change.transaction, id, player).await? else {
        return Ok(());
    };
    match change.table.state.status() {
        Status::Waiting => leave_match::leave_seat(app, change, player, seat).await,
        Status::Active => {
            give_up(&mut change, seat)?;
            store::unlink_seat(&change.transaction, id, seat).await?;
            change.play_bots()?;
            if change.table.bot_to_move().is_some() {
                // Should this process end before they have played on.
                wake_at(&change.transaction, id, change.now).await?;
            }
            let held = change.commit(app).await?;
            if let Some(table) = held.as_ref() {
                play_on_behind(app, table);
            }
            Ok(())
        }
        Status::Ended | Status::Cancelled => Ok(()),
    }
}

/// The seat resigns, if it has not, and nobody holds it any more.
fn give_up(change: &mut Change, seat: Seat) -> Result<(), Problem> {
    match change.table.state.resign(seat) {
        Ok(events) => change.record(Draft {
            by: By::Service,
            seat: Some(seat),
            action: None,
            events,
        })?,
        Err(AbsenceRefusal::Resigned) => {}
        Err(refusal) => return Err(Problem::internal(refusal)),
    }
    if let Some(place) = change.table.players.get_mut(seat) {
        *place = None;
    }
    Ok(())
}
