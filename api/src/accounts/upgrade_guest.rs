//! A guest becomes somebody who can come back from any device.

use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::caller::Caller;
use super::names::Username;
use super::password::{NewPassword, Verdict};
use super::player::TokenPair;
use super::{session, store};
use crate::app::App;
use crate::db::violates;
use crate::http::{Code, IdempotencyKey, IdempotencyKeyHeader, Problem, RawBody, problems};

/// What the player will sign in with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UpgradeGuest {
    /// Upper and lower case do not tell usernames apart.
    username: Username,
    /// At least eight characters; not one that everybody tries first.
    password: NewPassword,
}

problems! { UpgradeGuestProblems: UsernameTaken, AlreadyRegistered, PasswordCommon }

/// Register the guest who asks
///
/// Gives the guest a username and a password: the same player, with all matches. The session goes on with the
/// tokens of the answer; if the answer is lost, those the device has stay good, and the same request gives tokens
/// again.
#[utoipa::path(
    operation_id = "upgradeGuest",
    tag = "accounts",
    params(IdempotencyKeyHeader),
    request_body(
        content = UpgradeGuest,
        example = json!({"username": "Ann_K", "password": "twelve grey geese"}),
    ),
    responses(
        (status = 200, description = "The same player, registered, and the next tokens.", body = TokenPair),
        UpgradeGuestProblems,
    ),
)]
#[post("/me/upgrade")]
pub(super) async fn upgrade_guest(
    app: web::Data<App>,
    request: HttpRequest,
    caller: Caller,
    body: RawBody,
    key: IdempotencyKey,
) -> Result<HttpResponse, Problem> {
    let UpgradeGuest { username, password } = body.parse()?;
    key.optional()?;
    app.rate_limits
        .admit_try(&request, &username.folded(), app.now_millis())?;
    let new_hash = match store::credentials_of(app.db.read(), caller.player_id).await? {
        // Registered before: with just these credentials if this is the retry of a lost answer.
        Some(own) => {
            if own.username != username.folded() {
                return Err(Code::AlreadyRegistered.into());
            }
            let given = password.into_typed();
            match app.passwords.verify(given, Some(own.password_hash)).await? {
                Verdict::Wrong => return Err(Code::AlreadyRegistered.into()),
                Verdict::Right | Verdict::RightButOutdated => None,
            }
        }
        None => {
            let told = vec![username.as_str().to_owned()];
            Some(app.passwords.hash_new(password, told).await?)
        }
    };
    let shared = (**app).clone();
    let pair = app
        .carry_through(async move {
            let transaction = shared.db.transaction().await?;
            if let Some(hash) = new_hash {
                let upgraded = store::upgrade(
                    &transaction,
                    caller.player_id,
                    &username,
                    &hash,
                    shared.now_millis(),
                )
                .await
                .map_err(|error| {
                    if violates(&error, "players_username_key", "players.username") {
                        Problem::new(Code::UsernameTaken)
                    } else {
                        error.into()
                    }
                })?;
                if !upgraded {
                    return Err(Code::AlreadyRegistered.into());
                }
            }
            let player = store::player(&transaction, caller.player_id)
                .await?
                .ok_or(Code::SessionRevoked)?;
            let pair = session::renew(&shared, &transaction, caller.session_id, player).await?;
            transaction.commit().await?;
            shared.profile_changes.note(caller.player_id);
            Ok(pair)
        })
        .await?;
    Ok(HttpResponse::Ok().json(pair))
}
