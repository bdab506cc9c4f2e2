//! Signing in on another device.

use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::names::{DeviceName, Username};
use super::password::{Password, Verdict};
use super::player::TokenPair;
use super::{session, store};
use crate::app::App;
use crate::http::{Code, Problem, RawBody, problems};
use crate::ids::PlayerId;

/// What a player signs in with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    /// The username, in upper or lower case.
    username: Username,
    /// The password.
    password: Password,
    /// What the player calls this device, to recognise it among others.
    device_name: Option<DeviceName>,
}

/// How often it is tried again when the stored hash is replaced at the same moment by another sign-in.
const TRIES: usize = 3;

problems! { LoginProblems: CredentialsInvalid }

/// Sign in
///
/// Signs this device in. An unknown username and a wrong password give the same answer after the same time.
#[utoipa::path(
    operation_id = "login",
    tag = "accounts",
    security(()),
    request_body(content = Login, example = json!({"username": "Ann_K", "password": "twelve grey geese"})),
    responses((status = 200, description = "The player and its tokens.", body = TokenPair), LoginProblems),
)]
#[post("/auth/login")]
pub(super) async fn login(
    app: web::Data<App>,
    request: HttpRequest,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let Login {
        username,
        password,
        device_name,
    } = body.parse()?;
    let folded = username.folded();
    // Tries from many addresses at one account are slowed as well; an unknown name is counted alike.
    app.rate_limits.admit_try(&request, &folded, app.now_millis())?;
    for _ in 0..TRIES {
        let signed_in = sign_in(&app, &folded, &password, device_name.as_ref()).await?;
        if let Some(pair) = signed_in {
            return Ok(HttpResponse::Ok().json(pair));
        }
    }
    Err(Code::Unavailable.into())
}

/// Signs in; `None` if the stored hash was replaced while this one was compared, so that it has to be compared
/// again.
async fn sign_in(
    app: &App,
    folded: &str,
    password: &Password,
    device_name: Option<&DeviceName>,
) -> Result<Option<TokenPair>, Problem> {
    let found = store::credentials(app.db.read(), folded).await?;
    let (id, stored) = found
        .map(|row| (PlayerId::from(row.id), row.password_hash))
        .unzip();
    let verdict = app.passwords.verify(password.clone(), stored.clone()).await?;
    let (Some(id), Some(stored)) = (id, stored) else {
        return Err(Code::CredentialsInvalid.into());
    };
    let new_hash = match verdict {
        Verdict::Wrong => return Err(Code::CredentialsInvalid.into()),
        Verdict::Right => None,
        Verdict::RightButOutdated => Some(app.passwords.hash(password.clone()).await?),
    };
    let shared = app.clone();
    let device_name = device_name.cloned();
    app.carry_through(async move {
        let transaction = shared.db.transaction().await?;
        let unchanged = match new_hash {
            Some(new_hash) => store::replace_hash(&transaction, id, &stored, &new_hash).await?,
            None => store::confirm_hash(&transaction, id, &stored).await?,
        };
        if !unchanged {
            return Ok(None);
        }
        // Erased between the two looks: as if it had never been there.
        let player = store::player(&transaction, id)
            .await?
            .ok_or(Code::CredentialsInvalid)?;
        let pair = session::begin(&shared, &transaction, player, device_name.as_ref()).await?;
        transaction.commit().await?;
        Ok(Some(pair))
    })
    .await
}
