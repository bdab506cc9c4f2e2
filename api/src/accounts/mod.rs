//! Who plays: guests, registered players, their devices, and the tokens and keys behind them.
//!
//! [`Caller`] is the one thing other slices take from here: who asks, proven by an access token.

mod caller;
mod create_guest;
mod get_access_keys;
mod get_me;
mod keys;
mod login;
mod logout;
mod names;
mod password;
mod player;
mod refresh_tokens;
mod register;
mod revocations;
mod session;
mod store;
mod tokens;

use utoipa_actix_web::service_config::ServiceConfig;

pub use keys::KeyError;

pub(crate) use caller::Caller;
pub(crate) use keys::{Purpose, StoredKey, any_keys, ensure_key};
pub(crate) use password::PasswordHashing;
pub(crate) use player::{Me, PlayerKind};
pub(crate) use revocations::{Revocations, follow_revocations};
pub(crate) use tokens::{Tokens, rotate_keys};

/// The operations of this slice, below `/v1`.
pub(crate) fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(create_guest::create_guest)
        .service(register::register)
        .service(login::login)
        .service(refresh_tokens::refresh_tokens)
        .service(logout::logout)
        .service(get_me::get_me);
}

/// The operations of this slice at the root.
pub(crate) fn configure_root(cfg: &mut ServiceConfig<'_>) {
    cfg.service(get_access_keys::get_access_keys);
}
