//! Looking at an invite before accepting it.

use actix_web::{HttpResponse, get, web};
use quartett_engine::Status;
use serde::Serialize;
use utoipa::ToSchema;

use super::invite_code::InviteCode;
use super::store;
use crate::app::App;
use crate::http::{Code, NO_STORE, Problem, Timestamp, problems};
use crate::ids::MatchId;
use crate::play::{read_players, refresh};
use crate::wire::{DeckRef, GameSetup, PlayerName};

/// What an invite leads to.
#[derive(Debug, Serialize, ToSchema)]
struct InvitePreview {
    /// The code.
    #[schema(max_length = 8, examples("K7MWX2PQ"))]
    code: String,
    /// The match.
    match_id: MatchId,
    /// The game with every option.
    game: GameSetup,
    /// The deck.
    deck: DeckRef,
    /// Who invites.
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<PlayerName>,
    /// How many seats are free.
    #[schema(maximum = 5)]
    free_seats: u8,
    /// When the code stops being good.
    expires_at: Timestamp,
}

problems! { GetInviteProblems: InviteExpired, MatchFrozen }

/// Look at an invite
///
/// What the code leads to, for whoever holds it: no account is needed.
#[utoipa::path(
    operation_id = "getInvite",
    tag = "lobby",
    security(()),
    params(("code" = String, Path, description = "The code; blanks, hyphens and lower case do not matter.")),
    responses((status = 200, description = "The invite.", body = InvitePreview), GetInviteProblems),
)]
#[get("/invites/{code}")]
pub(super) async fn get_invite(
    app: web::Data<App>,
    code: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let code = InviteCode::parse(&code).ok_or_else(Problem::not_found)?;
    let (id, expires_at) = good(&app, &code).await?;
    let mut held = app.tables.hold(id).await?;
    let table = refresh(&app, &mut held, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    if table.state.status() != Status::Waiting {
        return Err(Code::InviteExpired.into());
    }
    read_players(&app, app.db.read(), table).await?;
    let terms = table.state.terms();
    let host = table.players.get(table.state.host()).and_then(Option::as_ref);
    let preview = InvitePreview {
        code: code.as_str().to_owned(),
        match_id: id,
        game: GameSetup::of(&terms.game),
        deck: DeckRef {
            deck_id: terms.deck_id.clone(),
            hash: crate::wire::Hex32(terms.deck_hash),
        },
        host: host.map(|host| PlayerName {
            player_id: host.player_id,
            display_name: host.display_name.clone(),
        }),
        free_seats: u8::try_from(table.free_seats().len()).unwrap_or(0),
        expires_at: Timestamp(expires_at),
    };
    drop(held);
    Ok(HttpResponse::Ok().insert_header(NO_STORE).json(preview))
}

/// The match that a code leads to and when it expires.
///
/// # Errors
///
/// 404 for a code that nobody gave out or that was replaced, 410 for one whose time is over.
pub(super) async fn good(app: &App, code: &InviteCode) -> Result<(MatchId, i64), Problem> {
    let row = store::invite(app.db.read(), code.as_str()).await?;
    let row = row.ok_or_else(Problem::not_found)?;
    match row.invite_expires_at {
        Some(expires_at) if app.now_millis() < expires_at => Ok((row.match_id(), expires_at)),
        Some(_) | None => Err(Code::InviteExpired.into()),
    }
}
