//! The caller's own account.

use actix_web::{HttpRequest, HttpResponse, get, web};

use super::caller::Caller;
use super::player::Me;
use super::store;
use crate::app::App;
use crate::http::{Code, Etag, Problem, tagged};

/// Show the caller's account
///
/// Who the access token acts for.
#[utoipa::path(
    operation_id = "getMe",
    tag = "accounts",
    responses((status = 200, description = "The caller's account.", body = Me)),
)]
#[get("/me")]
pub(super) async fn get_me(
    app: web::Data<App>,
    request: HttpRequest,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    // An erased player has no session left; a token that still lives means nobody.
    let me = store::player(app.db.read(), caller.player_id)
        .await?
        .ok_or(Code::SessionRevoked)?;
    let body = serde_json::to_vec(&me).map_err(Problem::internal)?;
    Ok(tagged(&request, &Etag::over([body.as_slice()]), &me))
}
