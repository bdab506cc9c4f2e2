//! Playing at once, without an account.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::names::{DeviceName, DisplayName, Locale};
use super::player::TokenPair;
use super::session;
use super::store::{self, NewPlayer};
use crate::app::App;
use crate::db::violates;
use crate::http::{Code, Problem, RawBody, created};
use crate::ids::PlayerId;

/// How a guest wants to be known.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateGuest {
    /// What opponents see; a name is made up if there is none.
    display_name: Option<DisplayName>,
    /// What the player calls this device, to recognise it among others.
    device_name: Option<DeviceName>,
    /// The language the player reads, as a tag.
    locale: Option<Locale>,
}

/// Begin as a guest
///
/// Makes a player who exists on this device only. The tokens are all there is to come back with, until the
/// guest is upgraded to a registered player.
#[utoipa::path(
    operation_id = "createGuest",
    tag = "accounts",
    security(()),
    request_body(content = CreateGuest, example = json!({"display_name": "Ann", "locale": "en"})),
    responses((status = 201, description = "The guest and its tokens.", body = TokenPair)),
)]
#[post("/auth/guest")]
pub(super) async fn create_guest(app: web::Data<App>, body: RawBody) -> Result<HttpResponse, Problem> {
    let CreateGuest {
        display_name,
        device_name,
        locale,
    } = body.parse_or_default()?;
    let display_name = match display_name {
        Some(name) => name,
        None => made_up(&app)?,
    };
    let player = NewPlayer {
        id: PlayerId::new(&*app.clock, &*app.randomness),
        display_name,
        locale: locale.unwrap_or_default(),
        credentials: None,
        created_at: app.now_millis(),
    };
    let pair = app
        .carry_through(sign_up((**app).clone(), player, device_name))
        .await?;
    Ok(created(&format!("/v1/players/{}", pair.player.player_id), &pair))
}

/// Stores a new player and signs the device in, both or neither.
pub(super) async fn sign_up(
    app: App,
    player: NewPlayer,
    device_name: Option<DeviceName>,
) -> Result<TokenPair, Problem> {
    let transaction = app.db.transaction().await?;
    // Nobody may take a username between looking and storing: the constraint decides.
    let me = store::insert_player(&transaction, &player)
        .await
        .map_err(|error| {
            if violates(&error, "players_username_key", "players.username") {
                Problem::new(Code::UsernameTaken)
            } else {
                error.into()
            }
        })?;
    let pair = session::begin(&app, &transaction, me, device_name.as_ref()).await?;
    transaction.commit().await?;
    Ok(pair)
}

/// A name that nobody chose: enough to tell a few guests apart.
pub(super) fn made_up(app: &App) -> Result<DisplayName, Problem> {
    let number = u16::from_be_bytes(app.random()) % 9000 + 1000;
    DisplayName::parse(&format!("Guest {number}")).map_err(Problem::internal)
}
