//! Everything held about the caller.

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::caller::Caller;
use super::list_blocks::Block;
use super::list_sessions::Session;
use super::player::Me;
use super::store::{self, MatchRow, TicketRow};
use crate::app::App;
use crate::http::{Code, Problem, Timestamp};
use crate::ids::{MatchId, TicketId};

/// Everything the service holds about a player. Not in it: the password, of which only a hash is held.
#[derive(Serialize, ToSchema)]
pub(super) struct PlayerExport {
    /// When this was put together.
    exported_at: Timestamp,
    /// The account.
    player: Me,
    /// Every sign-in that is still held, also ended ones.
    #[schema(max_items = 100_000)]
    sessions: Vec<Session>,
    /// Every player the caller blocks.
    #[schema(max_items = 100_000)]
    blocks: Vec<Block>,
    /// Every match with a seat of the caller, the newest first.
    #[schema(max_items = 1_000_000)]
    matches: Vec<ExportedMatch>,
    /// Every search for opponents that is still held, the newest first.
    #[schema(max_items = 100_000)]
    tickets: Vec<ExportedTicket>,
}

/// A search for opponents.
#[derive(Serialize, ToSchema)]
pub(super) struct ExportedTicket {
    /// Names the ticket.
    ticket_id: TicketId,
    /// Of which game.
    #[schema(examples("duel_quartett"))]
    game: String,
    /// The match that came of it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    match_id: Option<MatchId>,
    /// When it was asked for.
    created_at: Timestamp,
}

impl From<TicketRow> for ExportedTicket {
    fn from(row: TicketRow) -> Self {
        let TicketRow {
            id,
            game,
            match_id,
            created_at,
        } = row;
        Self {
            ticket_id: id,
            game,
            match_id,
            created_at: Timestamp(created_at),
        }
    }
}

/// A match of the player.
#[derive(Serialize, ToSchema)]
pub(super) struct ExportedMatch {
    /// Names the match.
    match_id: MatchId,
    /// Where the match is found, with its history below.
    #[schema(
        format = "uri-reference",
        examples("/v1/matches/018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10")
    )]
    link: String,
}

impl From<MatchRow> for ExportedMatch {
    fn from(row: MatchRow) -> Self {
        let MatchRow { match_id } = row;
        Self {
            match_id,
            link: format!("/v1/matches/{match_id}"),
        }
    }
}

/// Export everything about the caller
///
/// One document with all that is held about the caller. Each match is given by a link; what was played stands
/// there.
#[utoipa::path(
    operation_id = "exportMe",
    tag = "accounts",
    responses((status = 200, description = "All that is held about the caller.", body = PlayerExport)),
)]
#[get("/me/export")]
pub(super) async fn export_me(app: web::Data<App>, caller: Caller) -> Result<HttpResponse, Problem> {
    let Caller {
        player_id,
        session_id,
        ..
    } = caller;
    let connection = app.db.read();
    let player = store::player(connection, player_id)
        .await?
        .ok_or(Code::SessionRevoked)?;
    let sessions = store::every_session(connection, player_id).await?;
    let blocks = store::every_block(connection, player_id).await?;
    let matches = store::matches_of(connection, player_id).await?;
    let tickets = store::tickets_of(connection, player_id).await?;
    let export = PlayerExport {
        exported_at: Timestamp(app.now_millis()),
        player,
        sessions: sessions
            .into_iter()
            .map(|row| Session::seen_from(session_id, row))
            .collect(),
        blocks: blocks.into_iter().map(Block::from).collect(),
        matches: matches.into_iter().map(ExportedMatch::from).collect(),
        tickets: tickets.into_iter().map(ExportedTicket::from).collect(),
    };
    Ok(HttpResponse::Ok().json(export))
}
