//! The match as it is.

use actix_web::{HttpRequest, HttpResponse, get, web};

use super::show::{self, Onlooker};
use super::table::Table;
use super::tables::{read_players, refresh};
use crate::accounts::Caller;
use crate::app::App;
use crate::http::{Etag, Problem, tagged};
use crate::ids::{MatchId, PlayerId};
use crate::wire::MatchView;

/// See a match
///
/// The match at its present version, as the caller may see it: whose turn it is, what lies on the table, and
/// everything the caller may do now. Send the entity tag back to learn cheaply that nothing has changed.
#[utoipa::path(
    operation_id = "getMatch",
    tag = "play",
    params(
        ("match_id" = MatchId, Path, description = "The match."),
        ("If-None-Match" = Option<String>, Header, description = "The tag of the view the caller has.",
         max_length = 200),
    ),
    responses(
        (status = 200, description = "The match.", body = MatchView,
         headers(("ETag" = String, description = "Names exactly this view."))),
        (status = 304, description = "The caller has this view."),
    ),
)]
#[get("/matches/{match_id}")]
pub(super) async fn get_match(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let id = match_id.into_inner();
    let mut held = app.tables.hold(id).await?;
    let table = refresh(&app, &mut held, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    // Whoever looks sees the names of this moment, also those that were changed on another instance just now.
    read_players(&app, app.db.read(), table).await?;
    table.must_be_visible_to(app.db.read(), caller.player_id).await?;
    let etag = etag(table, caller.player_id);
    if etag.is_known_to(&request) {
        return Ok(etag.not_modified());
    }
    let view = show::view(table, &Onlooker::of(table, caller.player_id, app.planted_leak));
    drop(held);
    Ok(tagged(&request, &etag, &view))
}

/// Everything a view depends on: the match, its version, who looks, and the profiles shown. An invite code
/// changes without an entry.
fn etag(table: &Table, player: PlayerId) -> Etag {
    let id = table.id.as_uuid();
    let player = player.as_uuid();
    let code = table.invitation.invite_code.as_deref().unwrap_or_default();
    let mut inputs: Vec<Vec<u8>> = vec![
        id.as_bytes().to_vec(),
        table.version().to_be_bytes().to_vec(),
        table.head_hash.to_vec(),
        player.as_bytes().to_vec(),
        code.as_bytes().to_vec(),
    ];
    for (player, revision) in show::profile_revisions(table) {
        inputs.push(player.as_uuid().as_bytes().to_vec());
        inputs.push(revision.to_be_bytes().to_vec());
    }
    Etag::over(inputs.iter().map(Vec::as_slice))
}
