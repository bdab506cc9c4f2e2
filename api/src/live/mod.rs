//! Telling watchers what has just happened.
//!
//! After a commit [`Hub::committed`] tells the watchers of this instance at once; [`follow`](follow::follow)
//! carries it to other instances and finds what was lost on the way. A stream or a long poll waits at the hub
//! and then reads the log like anybody else, so the three ways to follow a match show the same.

mod follow;
mod hub;
mod news;
mod player_news;
mod registry;
mod store;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use follow::follow;
pub(crate) use hub::{Hub, MatchWatch};

/// The operations of this slice, below `/v1`.
pub(crate) const fn configure(_: &mut ServiceConfig<'_>) {}
