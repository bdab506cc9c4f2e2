//! Making an account to come back to from any device.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::create_guest::sign_up;
use super::names::{DeviceName, DisplayName, Locale, Username};
use super::password::NewPassword;
use super::player::TokenPair;
use super::store::NewPlayer;
use crate::app::App;
use crate::http::{Problem, RawBody, created, problems};
use crate::ids::PlayerId;

/// A new account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Register {
    /// What the player will sign in with. Upper and lower case do not tell usernames apart.
    username: Username,
    /// At least eight characters; not one that everybody tries first.
    password: NewPassword,
    /// What opponents see; the username if nothing is said.
    display_name: Option<DisplayName>,
    /// What the player calls this device, to recognise it among others.
    device_name: Option<DeviceName>,
    /// The language the player reads, as a tag.
    locale: Option<Locale>,
}

problems! { RegisterProblems: UsernameTaken, PasswordCommon }

/// Register a player
///
/// Makes a player with a username and a password, and signs this device in. A guest who wants to keep its
/// matches is upgraded instead.
#[utoipa::path(
    operation_id = "register",
    tag = "accounts",
    security(()),
    request_body(
        content = Register,
        example = json!({"username": "Ann_K", "password": "twelve grey geese", "display_name": "Ann"}),
    ),
    responses((status = 201, description = "The player and its tokens.", body = TokenPair), RegisterProblems),
)]
#[post("/auth/register")]
pub(super) async fn register(app: web::Data<App>, body: RawBody) -> Result<HttpResponse, Problem> {
    let Register {
        username,
        password,
        display_name,
        device_name,
        locale,
    } = body.parse()?;
    let display_name = match display_name {
        Some(name) => name,
        None => DisplayName::parse(username.as_str()).map_err(Problem::internal)?,
    };
    let told = vec![username.as_str().to_owned(), display_name.as_str().to_owned()];
    let hash = app.passwords.hash_new(password, told).await?;
    let player = NewPlayer {
        id: PlayerId::new(&*app.clock, &*app.randomness),
        display_name,
        locale: locale.unwrap_or_default(),
        credentials: Some((username, hash)),
        created_at: app.now_millis(),
    };
    let pair = app
        .carry_through(sign_up((**app).clone(), player, device_name))
        .await?;
    Ok(created(&format!("/v1/players/{}", pair.player.player_id), &pair))
}
