//! Asking to be matched with others.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::pairing::{pair, take_turn, tell};
use super::store::{self, NewTicket};
use super::ticket::{Ticket, TicketStatus};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Code, IdempotencyKey, IdempotencyKeyHeader, Problem, RawBody, created, problems};
use crate::ids::{PlayerId, TicketId};
use crate::lobby::founding;
use crate::wire::GameName;

/// How long a ticket waits at most: a week.
const WAITS_MILLIS: i64 = 7 * 24 * 3600 * 1000;

/// Two requests this close are one tap that came twice.
const DOUBLE_TAP_MILLIS: i64 = 10_000;

/// How long a player may ask to wait before bots fill in: a week.
const FILL_SECONDS_MAX: u32 = 604_800;

/// A wish to be matched with others.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateTicket {
    /// The game.
    game: GameName,
    /// How many seats the match should have, the caller's included.
    #[schema(examples(2))]
    seats: u8,
    /// The most seats the caller also accepts; `seats` if absent.
    seats_max: Option<u8>,
    /// After this time bots take the seats for which nobody was found; never if absent.
    #[schema(minimum = 0, maximum = 604_800)]
    fill_with_bots_after_seconds: Option<u32>,
}

problems! { CreateTicketProblems: SeatsOutOfRange, OptionOutOfRange }

/// Look for opponents
///
/// Makes a ticket, and a match at once if others wait for the same; who waits longest is served first, and
/// nobody meets a player who is blocked. A player has one open ticket per game: asking again gives that one.
#[utoipa::path(
    operation_id = "createTicket",
    tag = "lobby",
    params(IdempotencyKeyHeader),
    request_body(
        content = CreateTicket,
        examples(
            ("two" = (value = json!({"game": "duel_quartett", "seats": 2}))),
            ("three_or_four" = (value = json!({
                "game": "vdb_quartett", "seats": 3, "seats_max": 4, "fill_with_bots_after_seconds": 60}))),
        ),
    ),
    responses(
        (status = 200, description = "The ticket that the player has already.", body = Ticket),
        (status = 201, description = "The ticket, perhaps matched already.", body = Ticket),
        CreateTicketProblems,
    ),
)]
#[post("/matchmaking/tickets")]
pub(super) async fn create_ticket(
    app: web::Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let request: CreateTicket = body.parse()?;
    key.optional()?;
    let new = check(&app, caller.player_id, &request)?;
    let (ticket, is_new) = app
        .carry_through(create((**app).clone(), request.game, new))
        .await?;
    Ok(if is_new {
        created(&format!("/v1/matchmaking/tickets/{}", ticket.ticket_id), &ticket)
    } else {
        HttpResponse::Ok().json(ticket)
    })
}

/// Holds the wish against what the game allows.
fn check(app: &App, player_id: PlayerId, request: &CreateTicket) -> Result<NewTicket, Problem> {
    let seats_max = request.seats_max.unwrap_or(request.seats);
    let possible = request.game.0.seats();
    for (member, seats) in [("/seats", request.seats), ("/seats_max", seats_max)] {
        if !possible.contains(&seats) {
            let detail = format!("expected {} to {}", possible.start(), possible.end());
            return Err(Problem::new(Code::SeatsOutOfRange).at(member, "invalid_value", detail));
        }
    }
    if seats_max < request.seats {
        let detail = "expected at least `seats`";
        return Err(Problem::new(Code::SeatsOutOfRange).at("/seats_max", "invalid_value", detail));
    }
    let fill_seconds = request.fill_with_bots_after_seconds;
    if fill_seconds.is_some_and(|seconds| seconds > FILL_SECONDS_MAX) {
        let detail = format!("expected at most {FILL_SECONDS_MAX}");
        let pointer = "/fill_with_bots_after_seconds";
        return Err(Problem::new(Code::OptionOutOfRange).at(pointer, "invalid_value", detail));
    }
    let now = app.now_millis();
    Ok(NewTicket {
        id: TicketId::new(&*app.clock, &*app.randomness),
        player_id,
        game: request.game.name(),
        seats_min: request.seats,
        seats_max,
        fill_at: fill_seconds.map(|seconds| now + i64::from(seconds) * 1000),
        created_at: now,
        expires_at: now + WAITS_MILLIS,
    })
}

async fn create(app: App, game: GameName, new: NewTicket) -> Result<(Ticket, bool), Problem> {
    let _turn = app.pairing_turns.take(game.0).await;
    let transaction = app.db.transaction().await?;
    // One after the other for each game: the second of two taps finds what the first one did.
    take_turn(&app, &transaction, game.0).await?;
    if !store::hold_player(&transaction, new.player_id).await? {
        return Err(Code::SessionRevoked.into());
    }
    if let Some(before) = store::newest(&transaction, new.player_id, new.game).await? {
        // The first tap may have been matched before the second one came.
        let is_matched = before.status() == TicketStatus::Matched;
        let before = Ticket::try_from(before)?;
        if is_matched && new.created_at - before.created_at.0 < DOUBLE_TAP_MILLIS {
            transaction.rollback().await?;
            return Ok((before, false));
        }
    }
    let is_new = store::insert(&transaction, &new).await?;
    let made = if is_new {
        pair(&app, &transaction, game.0).await?
    } else {
        Vec::new()
    };
    let row = store::newest(&transaction, new.player_id, new.game).await?;
    let ticket = row
        .ok_or_else(|| Problem::internal("a ticket is gone"))?
        .try_into()?;
    founding::commit(transaction).await?;
    tell(&app, made).await;
    Ok((ticket, is_new))
}
