//! The lobby.

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::store::{self, LobbyPage, LobbyPosition, OpenMatchRow};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Limit, NO_STORE, Problem, RawQuery, Timestamp, cursor, position};
use crate::ids::{MatchId, PlayerId};
use crate::wire::{DeckRef, GameEvent, GameName, GameSetup, Payload, PlayerName};

/// What to list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListOpenMatches {
    /// Only matches of this game.
    #[param(inline)]
    game: Option<GameName>,
    /// Only matches with this deck.
    #[param(max_length = 64)]
    deck: Option<String>,
    /// Where the page before ended.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many at most; 20 if absent.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: Limit,
}

/// A match that anybody may join.
#[derive(Debug, Serialize, ToSchema)]
struct OpenMatch {
    /// The match.
    match_id: MatchId,
    /// The game with every option.
    game: GameSetup,
    /// The deck.
    deck: DeckRef,
    /// Who may start it.
    host: PlayerName,
    /// How many seats it has.
    #[schema(minimum = 2, maximum = 6)]
    seats: u8,
    /// How many of them are free.
    #[schema(minimum = 1, maximum = 5)]
    free_seats: i16,
    /// Time for one turn.
    turn_seconds: u32,
    /// When it was created.
    created_at: Timestamp,
}

/// Matches that anybody may join.
#[derive(Debug, Serialize, ToSchema)]
struct OpenMatches {
    /// The matches, the oldest first.
    #[schema(max_items = 100)]
    items: Vec<OpenMatch>,
    /// Where the next page begins; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// List open matches
///
/// The lobby: matches that wait openly and have free seats, the oldest first; none with players who are
/// blocked by the caller, or who have blocked the caller.
#[utoipa::path(
    operation_id = "listOpenMatches",
    tag = "lobby",
    params(ListOpenMatches),
    responses((status = 200, description = "A page of the lobby.", body = OpenMatches)),
)]
#[get("/matches")]
pub(super) async fn list_open_matches(
    app: web::Data<App>,
    caller: Caller,
    query: RawQuery,
) -> Result<HttpResponse, Problem> {
    let ListOpenMatches {
        game,
        deck,
        cursor: after,
        limit,
    } = query.parse()?;
    let after: Option<LobbyPosition> = after.as_deref().map(position).transpose()?;
    let page = LobbyPage {
        game: game.map(GameName::name),
        deck_id: deck,
        after,
        limit: limit.0,
        viewer: caller.player_id,
    };
    let mut rows = store::open_matches(app.db.read(), page).await?;
    let most = usize::try_from(limit.0).unwrap_or(usize::MAX);
    let has_more = rows.len() > most;
    rows.truncate(most);
    let next_cursor = rows
        .last()
        .filter(|_| has_more)
        .map(|last| cursor(&(last.created_at, last.match_id)))
        .transpose()?;
    let items = rows.into_iter().map(open_match).collect::<Result<_, _>>()?;
    Ok(HttpResponse::Ok()
        .insert_header(NO_STORE)
        .json(OpenMatches { items, next_cursor }))
}

fn open_match(row: OpenMatchRow) -> Result<OpenMatch, Problem> {
    let OpenMatchRow {
        match_id,
        host_id,
        host_name,
        free_seats,
        created_at,
        payload,
    } = row;
    let payload = Payload::read(&payload).map_err(Problem::internal)?;
    let Some(GameEvent::Created(created)) = payload.events.into_iter().next() else {
        return Err(Problem::internal(format!(
            "match {match_id} does not begin with its creation"
        )));
    };
    Ok(OpenMatch {
        match_id: match_id.into(),
        game: created.game,
        deck: created.deck,
        host: PlayerName {
            player_id: PlayerId::from(host_id),
            display_name: host_name,
        },
        seats: created.seats,
        free_seats,
        turn_seconds: created.turn_seconds,
        created_at: Timestamp(created_at),
    })
}
