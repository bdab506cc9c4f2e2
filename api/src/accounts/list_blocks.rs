//! Whom the caller does not want to meet.

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::caller::Caller;
use super::player::Player;
use super::store::{self, BlockRow};
use crate::app::App;
use crate::http::{Page, Problem, RawQuery, Timestamp};

/// The players somebody blocks.
#[derive(Serialize, ToSchema)]
pub(super) struct Blocks {
    /// In no order that means anything.
    #[schema(max_items = 100)]
    items: Vec<Block>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A blocked player.
#[derive(Serialize, ToSchema)]
pub(super) struct Block {
    /// Who is blocked.
    player: Player,
    /// Since when.
    created_at: Timestamp,
}

impl From<BlockRow> for Block {
    fn from(row: BlockRow) -> Self {
        let BlockRow { player, created_at } = row;
        Self {
            player,
            created_at: Timestamp(created_at),
        }
    }
}

/// List whom the caller blocks
///
/// Blocked players and the caller do not meet: no invites, no matchmaking, no joining each other's matches. Who
/// is blocked is not told.
#[utoipa::path(
    operation_id = "listBlocks",
    tag = "accounts",
    params(Page),
    responses((status = 200, description = "The blocked players.", body = Blocks)),
)]
#[get("/me/blocks")]
pub(super) async fn list_blocks(
    app: web::Data<App>,
    caller: Caller,
    query: RawQuery,
) -> Result<HttpResponse, Problem> {
    let page: Page = query.parse()?;
    let rows = store::blocks(app.db.read(), caller.player_id, page.position()?, page.rows()).await?;
    let (rows, next_cursor) = page.cut(rows, |row| row.player.player_id)?;
    let items = rows.into_iter().map(Block::from).collect();
    Ok(HttpResponse::Ok().json(Blocks { items, next_cursor }))
}
