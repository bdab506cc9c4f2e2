//! Listing the games.

use std::sync::LazyLock;

use actix_web::{HttpRequest, HttpResponse, get};
use quartett_engine::GameKind;
use serde::Serialize;
use utoipa::ToSchema;

use super::game::Game;
use crate::http::{Etag, Problem, tagged};

/// The games of the service.
#[derive(Serialize, ToSchema)]
pub(super) struct GameList {
    /// The games, in the order of the printed sheets.
    #[schema(max_items = 16)]
    items: Vec<Game>,
}

static GAMES: LazyLock<GameList> = LazyLock::new(|| GameList {
    items: GameKind::ALL.map(Game::from).into(),
});

/// List the games
///
/// Everything that is needed to explain the games and to offer their settings: seats, options with their defaults
/// and bounds, and the rules for players, in English and German.
#[utoipa::path(
    operation_id = "listGames",
    tag = "lobby",
    security(()),
    responses((status = 200, description = "The games.", body = GameList, example = json!(example()))),
)]
#[get("/games")]
pub(super) async fn list_games(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let body = serde_json::to_vec(&*GAMES).map_err(Problem::internal)?;
    Ok(tagged(&request, &Etag::over([body.as_slice()]), &*GAMES))
}

/// The list, cut down to one game.
fn example() -> GameList {
    GameList {
        items: vec![GameKind::Pairs.into()],
    }
}
