//! The public keys of access tokens.

use actix_web::http::header;
use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::tokens::PublicKey;
use crate::app::App;

/// The public keys in use, as a JSON Web Key Set.
#[derive(Serialize, ToSchema)]
pub(super) struct AccessKeys {
    /// One per key that living tokens may name, the newest first.
    #[schema(max_items = 16)]
    keys: Vec<AccessKey>,
}

/// A public key, as a JSON Web Key.
#[derive(Serialize, ToSchema)]
pub(super) struct AccessKey {
    /// Always `OKP`.
    #[schema(examples("OKP"))]
    kty: &'static str,
    /// Always `Ed25519`.
    #[schema(examples("Ed25519"))]
    crv: &'static str,
    /// Always `EdDSA`.
    #[schema(examples("EdDSA"))]
    alg: &'static str,
    /// Always `sig`.
    #[serde(rename = "use")]
    #[schema(examples("sig"))]
    usage: &'static str,
    /// The name that tokens give in their header.
    #[schema(examples("1f8a0c9be2d47753"))]
    kid: String,
    /// The key, in base64url.
    #[schema(examples("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))]
    x: String,
}

/// List the keys of access tokens
///
/// The public halves of the keys that sign access tokens, for other services that want to check them.
#[utoipa::path(
    operation_id = "getAccessKeys",
    tag = "service",
    security(()),
    responses((status = 200, description = "The keys in use.", body = AccessKeys)),
)]
#[get("/.well-known/jwks.json")]
pub(super) async fn get_access_keys(app: web::Data<App>) -> HttpResponse {
    let keys = app
        .tokens
        .public_keys()
        .into_iter()
        .map(|PublicKey { kid, x }| AccessKey {
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            usage: "sig",
            kid,
            x,
        })
        .collect();
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=300"))
        .json(AccessKeys { keys })
}
