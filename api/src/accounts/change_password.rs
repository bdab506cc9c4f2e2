//! Another password.

use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::caller::Caller;
use super::password::{NewPassword, Password, Verdict};
use super::store;
use crate::app::App;
use crate::http::{Code, Problem, RawBody, problems};

/// The present password and the next one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangePassword {
    /// The present password: a device left lying about must not be enough.
    current_password: Password,
    /// At least eight characters; not one that everybody tries first.
    new_password: NewPassword,
}

problems! { ChangePasswordProblems: PasswordWrong, GuestHasNoPassword, PasswordCommon }

/// Change the password
///
/// Sets another password and signs every other device out. The device that asks stays signed in.
#[utoipa::path(
    operation_id = "changePassword",
    tag = "accounts",
    request_body(
        content = ChangePassword,
        example = json!({"current_password": "twelve grey geese", "new_password": "nine green herons"}),
    ),
    responses((status = 204, description = "The password is changed."), ChangePasswordProblems),
)]
#[post("/auth/password")]
pub(super) async fn change_password(
    app: web::Data<App>,
    request: HttpRequest,
    caller: Caller,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let ChangePassword {
        current_password,
        new_password,
    } = body.parse()?;
    let own = store::credentials_of(app.db.read(), caller.player_id)
        .await?
        .ok_or(Code::GuestHasNoPassword)?;
    // Whoever holds a token only must not find the password by trying here.
    app.rate_limits
        .admit_try(&request, &own.username, app.now_millis())?;
    let old_hash = own.password_hash;
    let verdict = app
        .passwords
        .verify(current_password, Some(old_hash.clone()))
        .await?;
    if verdict == Verdict::Wrong {
        return Err(Code::PasswordWrong.into());
    }
    let new_hash = app.passwords.hash_new(new_password, vec![own.username]).await?;
    let shared = (**app).clone();
    app.carry_through(async move {
        let transaction = shared.db.transaction().await?;
        if !store::replace_hash(&transaction, caller.player_id, &old_hash, &new_hash).await? {
            // Changed on another device while we were hashing.
            return Err(Code::PasswordWrong.into());
        }
        let now = shared.now_millis();
        let ended = store::revoke_others(&transaction, caller.player_id, caller.session_id, now).await?;
        transaction.commit().await?;
        shared.revocations.note_all(ended);
        Ok(())
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
