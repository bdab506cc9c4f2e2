//! Finding a match: games, decks, matches, seats, invites.
//!
//! Whatever changes a match that waits is a [`Change`](crate::play::Change): one transaction that moves the
//! head, writes an entry and the rows beside it. `seating` holds what several operations do in one.

mod accept_invite;
mod cancel_match;
pub(crate) mod catalogue;
mod create_invite;
mod create_match;
mod departure;
mod entropy;
mod expire;
mod founding;
mod get_invite;
mod invite_code;
pub(crate) mod invite_page;
mod join_match;
mod leave_match;
mod list_open_matches;
pub(crate) mod matchmaking;
mod rematch;
mod revoke_invite;
mod seating;
mod start_match;
mod store;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use departure::{depart, go_on_departing};
pub(crate) use expire::{Waiting, expire_if_due};
pub(crate) use store::BOT_LEVELS;

use crate::app::App;
use crate::http::{Code, Problem};

/// How long an invite is good.
const INVITE_GOOD_FOR_MILLIS: i64 = 14 * 24 * 3600 * 1000;

/// How long a match waits for players.
fn waiting_millis(app: &App) -> i64 {
    i64::from(app.config.waiting_seconds) * 1000
}

/// The operations of this slice, below `/v1`.
pub(crate) fn configure(cfg: &mut ServiceConfig<'_>) {
    catalogue::configure(cfg);
    matchmaking::configure(cfg);
    cfg.service(create_match::create_match)
        .service(list_open_matches::list_open_matches)
        .service(cancel_match::cancel_match)
        .service(join_match::join_match)
        .service(leave_match::leave_match)
        .service(start_match::start_match)
        .service(create_invite::create_invite)
        .service(revoke_invite::revoke_invite)
        .service(get_invite::get_invite)
        .service(accept_invite::accept_invite)
        .service(rematch::rematch);
}

/// An answer to an opening question, as the database counts.
fn opening_answer(answer: u64) -> Result<i64, Problem> {
    // Above this, JavaScript cannot count.
    const LARGEST: i64 = (1 << 53) - 1;
    i64::try_from(answer)
        .ok()
        .filter(|answer| *answer <= LARGEST)
        .ok_or_else(|| {
            Problem::new(Code::InvalidBody).at(
                "/opening_answer",
                "invalid_value",
                "expected at most 2^53 - 1",
            )
        })
}
