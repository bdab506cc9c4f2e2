//! The caller's matches as they move.

use std::collections::BTreeMap;

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::openapi::{RefOr, Response};

use super::event_stream::{self, Due, Told};
use super::listening::Listening;
use super::player_news::{PlayerNews, Standing, Unread};
use super::registry::Watch;
use crate::accounts::Caller;
use crate::app::App;
use crate::http::Problem;
use crate::ids::{MatchId, PlayerId};

/// That a match has moved.
#[derive(Debug, Serialize)]
struct MatchHint {
    match_id: MatchId,
    version: u64,
    my_turn: bool,
}

/// That the caller must list again.
#[derive(Debug, Serialize)]
struct Sync {}

/// How the stream is documented.
struct MyMatchEvents;

impl utoipa::IntoResponses for MyMatchEvents {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        event_stream::documented(
            "Events called `sync`, which say list again, and `hint`, whose `data` names a match of the caller's, the \
             version it has reached and whether it is the caller's turn there, as JSON.",
            EXAMPLE,
        )
    }
}

const EXAMPLE: &str = concat!(
    "retry: 2000\n\nevent: sync\ndata: {}\n\nevent: hint\n",
    r#"data: {"match_id":"018f2f6e-7c3a-7b3e-9a55-0d8f5d9b7a10","version":12,"my_turn":true}"#,
    "\n\n:\n\n",
);

/// Follow one's matches as they move
///
/// Server-sent events without ids. Every stream begins with `sync`: call `listMyMatches` then. After that a `hint`
/// tells that a match has moved; of many moves of one match a slow reader gets the newest. A further `sync` comes
/// when something cannot be told one by one. For the rest it is like `streamMatch`.
#[utoipa::path(operation_id = "streamMyMatches", tag = "live", responses(MyMatchEvents))]
#[get("/me/stream")]
pub(super) async fn stream_my_matches(app: web::Data<App>, caller: Caller) -> Result<HttpResponse, Problem> {
    let listening = Listening::begin(&app, caller)?;
    let watch = app.hub.watch_player(&app, caller.player_id).await?;
    let hints = Hints { watch, read: None };
    Ok(event_stream::answer(listening, hints))
}

/// What is new in a player's matches.
struct Hints {
    watch: Watch<PlayerId, PlayerNews>,
    /// Up to where it was told; `None` before the first `sync`.
    read: Option<u64>,
}

impl Told for Hints {
    async fn due(&mut self) -> Result<Due, Problem> {
        let read = self.read;
        let (unread, told) = self.watch.newest(|news| {
            let unread = read.map_or(Unread::All, |read| news.unread(read));
            (unread, news.told())
        });
        self.read = Some(told);
        let mut events = String::new();
        match unread {
            Unread::All => events += &event_stream::event(None, "sync", &Sync {})?,
            Unread::Some(standings) => {
                for standing in standings {
                    let Standing {
                        match_id,
                        version,
                        my_turn,
                    } = standing;
                    let hint = MatchHint {
                        match_id,
                        version,
                        my_turn,
                    };
                    events += &event_stream::event(None, "hint", &hint)?;
                }
            }
        }
        Ok(Due { events, is_all: true })
    }

    async fn news(&mut self) {
        let read = self.read.unwrap_or(0);
        self.watch.wait_for(|news| news.told() > read).await;
    }
}
