//! Taking a ticket back.

use actix_web::{HttpResponse, delete, web};

use super::store;
use super::ticket::TicketStatus;
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, Problem, problems};
use crate::ids::{PlayerId, TicketId};

problems! { CancelTicketProblems: TicketClosed }

/// Stop looking for opponents
///
/// Takes the ticket back, unless there is a match already. Taking it back again changes nothing.
#[utoipa::path(
    operation_id = "cancelTicket",
    tag = "lobby",
    params(("ticket_id" = TicketId, Path, description = "The ticket.")),
    responses((status = 204, description = "The ticket is taken back."), CancelTicketProblems),
)]
#[delete("/matchmaking/tickets/{ticket_id}")]
pub(super) async fn cancel_ticket(
    app: web::Data<App>,
    caller: Caller,
    ticket_id: web::Path<TicketId>,
) -> Result<HttpResponse, Problem> {
    let id = ticket_id.into_inner();
    app.carry_through(cancel((**app).clone(), id, caller.player_id))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

async fn cancel(app: App, id: TicketId, player: PlayerId) -> Result<(), Problem> {
    // Only to tell whose it is: whether it still waits, the update itself decides.
    let found = store::ticket(app.db.read(), id, player).await?.is_some();
    if !found {
        return Err(Problem::not_found());
    }
    if store::close(app.db.write(), id, TicketStatus::Cancelled, None).await? {
        return Ok(());
    }
    let row = store::ticket(app.db.read(), id, player)
        .await?
        .ok_or_else(Problem::not_found)?;
    match row.status() {
        TicketStatus::Cancelled | TicketStatus::Expired => Ok(()),
        TicketStatus::Waiting | TicketStatus::Matched => Err(Code::TicketClosed.into()),
    }
}
