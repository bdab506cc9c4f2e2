//! What has become of a ticket.

use actix_web::{HttpResponse, get, web};

use super::store;
use super::ticket::Ticket;
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{NO_STORE, Problem};
use crate::ids::TicketId;

/// See what has become of a ticket
///
/// Whether the ticket still waits, or the match that was made of it.
#[utoipa::path(
    operation_id = "getTicket",
    tag = "lobby",
    params(("ticket_id" = TicketId, Path, description = "The ticket.")),
    responses((status = 200, description = "The ticket.", body = Ticket)),
)]
#[get("/matchmaking/tickets/{ticket_id}")]
pub(super) async fn get_ticket(
    app: web::Data<App>,
    caller: Caller,
    ticket_id: web::Path<TicketId>,
) -> Result<HttpResponse, Problem> {
    let row = store::ticket(app.db.read(), ticket_id.into_inner(), caller.player_id).await?;
    let ticket = Ticket::try_from(row.ok_or_else(Problem::not_found)?)?;
    Ok(HttpResponse::Ok().insert_header(NO_STORE).json(ticket))
}
