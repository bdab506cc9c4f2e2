//! Telling watchers what has just happened.
//!
//! After a commit [`Hub::committed`] tells the watchers of this instance at once; [`follow`](follow::follow)
//! carries it to other instances and finds what was lost on the way. A stream or a long poll waits at the hub
//! and then reads the log like anybody else, so the three ways to follow a match show the same.

mod event_stream;
mod follow;
mod hub;
mod list_my_matches;
mod listening;
mod news;
mod player_news;
mod registry;
mod store;
mod stream_match;
mod stream_my_matches;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use follow::follow;
pub(crate) use hub::Hub;
pub(crate) use listening::Listening;

/// The operations of this slice, below `/v1`.
pub(crate) fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(list_my_matches::list_my_matches)
        .service(stream_match::stream_match)
        .service(stream_my_matches::stream_my_matches);
}
