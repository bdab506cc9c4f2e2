//! The match as it is, and acting in it.
//!
//! One action goes this way: `submit_action` reads the request, `act` judges it on the [`Table`] that
//! [`Tables`] remembers, [`Table::record`] makes the entry and the bots' entries behind it, `append` stores
//! them at exactly that head or not at all, and [`show`] makes the answer. Changes that touch other tables
//! as well (joining, starting) go through [`Change`].

mod act;
mod append;
mod bots;
mod change;
mod due;
mod get_match;
mod presence;
mod replay;
mod resign_match;
mod return_to_match;
pub(crate) mod show;
pub(crate) mod store;
mod submit_action;
mod table;
mod tables;
mod visibility;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use append::{
    Intent, close_if_over, insert, number, phase_number, phase_numbered, result_text, status_number,
};
pub(crate) use bots::play_on_behind;
pub(crate) use change::{Change, filled};
pub(crate) use due::look_after;
pub(crate) use replay::Past;
pub(crate) use store::wake_at;
pub(crate) use table::{Draft, Invitation, NewEntry, Recorded, SeatedPlayer, Table};
pub(crate) use tables::{HeldTable, Tables, read, read_players, refresh};

use crate::wire::PayloadError;

/// The operations of this slice, below `/v1`.
pub(crate) fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(submit_action::submit_action)
        .service(get_match::get_match)
        .service(resign_match::resign_match)
        .service(return_to_match::return_to_match);
}
