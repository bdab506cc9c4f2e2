//! Another name or language.

use actix_web::{HttpResponse, patch, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::caller::Caller;
use super::names::{DisplayName, Locale};
use super::player::Me;
use super::store;
use crate::app::App;
use crate::http::{Code, Problem, RawBody};

/// What to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateMe {
    /// What opponents see.
    display_name: Option<DisplayName>,
    /// The language the player reads, as a tag.
    locale: Option<Locale>,
}

/// Change the caller's account
///
/// Changes the name that opponents see, or the language. Running and ended matches show the new name at once.
#[utoipa::path(
    operation_id = "updateMe",
    tag = "accounts",
    request_body(content = UpdateMe, example = json!({"display_name": "Anna", "locale": "de"})),
    responses((status = 200, description = "The account as it is now.", body = Me)),
)]
#[patch("/me")]
pub(super) async fn update_me(
    app: web::Data<App>,
    caller: Caller,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let UpdateMe { display_name, locale } = body.parse()?;
    let shared = (**app).clone();
    let me = app
        .carry_through(async move {
            let transaction = shared.db.transaction().await?;
            let me = if display_name.is_none() && locale.is_none() {
                store::player(&transaction, caller.player_id).await?
            } else {
                let (name, locale) = (display_name.as_ref(), locale.as_ref());
                let now = shared.now_millis();
                store::change_profile(&transaction, caller.player_id, name, locale, now).await?
            };
            transaction.commit().await?;
            shared.profile_changes.note(caller.player_id);
            Ok(me)
        })
        .await?
        .ok_or(Code::SessionRevoked)?;
    Ok(HttpResponse::Ok().json(me))
}
