//! Who plays: guests, registered players, their devices, and the tokens and keys behind them.
//!
//! [`Caller`] is the one thing other slices take from here: who asks, proven by an access token.

mod block_player;
mod caller;
mod change_password;
mod create_guest;
mod erase_me;
mod export_me;
mod follow;
mod get_access_keys;
mod get_me;
mod get_player;
mod key_commands;
mod keys;
mod list_blocks;
mod list_sessions;
mod login;
mod logout;
mod names;
mod password;
mod player;
mod profile_changes;
mod refresh_tokens;
mod register;
mod revocations;
mod revoke_other_sessions;
mod revoke_session;
mod session;
mod store;
mod tokens;
mod unblock_player;
mod update_me;
mod upgrade_guest;

use utoipa_actix_web::service_config::ServiceConfig;

pub use key_commands::{KeyCommandError, Resealed, list, reseal, rotate};
pub use keys::KeyError;

pub(crate) use caller::Caller;
pub(crate) use follow::follow_changes;
pub(crate) use keys::any_keys;
pub(crate) use password::PasswordHashing;
pub(crate) use profile_changes::{AsOf, ProfileChanges};
pub(crate) use revocations::{Revocations, is_revoked};
pub(crate) use session::sweep_sessions;
pub(crate) use store::{Blocks, blocked_between, blocks_among};
pub(crate) use tokens::{Tokens, rotate_keys};

/// The operations of this slice, below `/v1`.
pub(crate) fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(create_guest::create_guest)
        .service(register::register)
        .service(login::login)
        .service(refresh_tokens::refresh_tokens)
        .service(logout::logout)
        .service(list_sessions::list_sessions)
        .service(revoke_session::revoke_session)
        .service(revoke_other_sessions::revoke_other_sessions)
        .service(change_password::change_password)
        .service(get_me::get_me)
        .service(update_me::update_me)
        .service(erase_me::erase_me)
        .service(upgrade_guest::upgrade_guest)
        .service(export_me::export_me)
        .service(list_blocks::list_blocks)
        .service(block_player::block_player)
        .service(unblock_player::unblock_player)
        .service(get_player::get_player);
}

/// The operations of this slice at the root.
pub(crate) fn configure_root(cfg: &mut ServiceConfig<'_>) {
    cfg.service(get_access_keys::get_access_keys);
}
