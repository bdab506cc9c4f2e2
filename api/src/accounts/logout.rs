//! Signing a device out.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::caller::LapsedCaller;
use super::session::RefreshToken;
use super::store;
use crate::app::App;
use crate::http::{Code, Problem, RawBody};

/// Which device to sign out, if its access token is gone.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Logout {
    /// The refresh token of the device; without it, the access token tells which one is meant.
    #[schema(value_type = Option<String>, max_length = 128, examples("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA"))]
    refresh_token: Option<String>,
}

/// No refresh token is longer.
const TOKEN_CHARACTERS_MAX: usize = 128;

/// Sign this device out
///
/// Ends the session of the access token, which may have expired, or of the refresh token in the body. Signing out
/// twice is the same as once.
#[utoipa::path(
    operation_id = "logout",
    tag = "accounts",
    security(("bearer" = []), ()),
    request_body(
        content = Option<Logout>,
        example = json!({"refresh_token": "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA"}),
    ),
    responses((status = 204, description = "The device is signed out.")),
)]
#[post("/auth/logout")]
pub(super) async fn logout(
    app: web::Data<App>,
    caller: LapsedCaller,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let Logout { refresh_token } = body.parse_or_default()?;
    if refresh_token
        .as_ref()
        .is_some_and(|text| text.len() > TOKEN_CHARACTERS_MAX)
    {
        let detail = format!("expected at most {TOKEN_CHARACTERS_MAX} characters");
        return Err(Problem::new(Code::InvalidBody).at("/refresh_token", "invalid_value", detail));
    }
    let LapsedCaller(by_access_token) = caller;
    let by_access_token = match (by_access_token, &refresh_token) {
        (None, None) => return Err(Code::Unauthenticated.into()),
        (Some(Err(problem)), None) => return Err(problem),
        (None | Some(Err(_)), Some(_)) => None,
        (Some(Ok(session_id)), _) => Some(session_id),
    };
    // A text that is no token of ours names no session: that device is signed out already.
    let token = refresh_token.and_then(|text| RefreshToken::try_from(text).ok());
    let shared = (**app).clone();
    app.carry_through(async move {
        let by_refresh_token = match token {
            Some(token) => store::session_of_token(shared.db.read(), &token.hash()).await?,
            None => None,
        };
        let ended: Vec<_> = by_refresh_token.into_iter().chain(by_access_token).collect();
        for session_id in &ended {
            store::revoke_session(shared.db.write(), *session_id, shared.now_millis()).await?;
        }
        shared.revocations.note_all(ended);
        Ok(())
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
