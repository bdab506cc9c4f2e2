//! Going on after the access token has expired.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::player::TokenPair;
use super::session::{self, RefreshToken, Refused};
use crate::app::App;
use crate::http::{Problem, RawBody, problems};

/// The refresh token of the last pair.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RefreshTokens {
    /// The refresh token of the last pair that arrived.
    #[schema(value_type = String, max_length = 128, examples("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA"))]
    refresh_token: String,
}

problems! { RefreshTokensProblems: RefreshTokenInvalid, RefreshTokenReused }

/// Get the next token pair
///
/// Each refresh token is used once and gives a successor. If the answer is lost, send the same token again: it
/// gives the same successor until that one is first used, and a minute longer. Used later than that it ends the
/// session, because somebody else may hold a copy.
#[utoipa::path(
    operation_id = "refreshTokens",
    tag = "accounts",
    security(()),
    request_body(
        content = RefreshTokens,
        example = json!({"refresh_token": "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA"}),
    ),
    responses((status = 200, description = "The next pair.", body = TokenPair), RefreshTokensProblems),
)]
#[post("/auth/refresh")]
pub(super) async fn refresh_tokens(app: web::Data<App>, body: RawBody) -> Result<HttpResponse, Problem> {
    let RefreshTokens { refresh_token } = body.parse()?;
    // Any other text is a token that was never given out.
    let token = RefreshToken::try_from(refresh_token).map_err(|_| Refused::Invalid)?;
    let shared = (**app).clone();
    let outcome = app
        .carry_through(async move {
            let transaction = shared.db.transaction().await?;
            let outcome = session::go_on(&shared, &transaction, &token).await?;
            transaction.commit().await?;
            if let Err(Refused::Reused(session_id)) = outcome {
                shared.revocations.note(session_id);
                tracing::warn!(%session_id, "a refresh token was used once too often: session ended");
            }
            Ok(outcome)
        })
        .await?;
    Ok(HttpResponse::Ok().json(outcome?))
}
