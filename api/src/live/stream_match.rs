//! A match as it happens.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use utoipa::openapi::{RefOr, Response};

use super::event_stream::{self, Due, Told};
use super::hub::MatchWatch;
use super::listening::Listening;
use crate::accounts::Caller;
use crate::app::App;
use crate::history::{hold, part};
use crate::http::{Code, Problem, RawQuery, problems};
use crate::ids::{MatchId, PlayerId};

/// The header in which a client that comes back says how far it got.
const LAST_EVENT_ID: &str = "Last-Event-ID";

/// So many entries go into one piece: the connection holds no more than one.
const ENTRIES_PER_PIECE: u32 = 20;

/// From where on.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StreamMatch {
    /// The version the caller has: entries after it. From the beginning if absent. `Last-Event-ID` counts
    /// before it.
    #[serde(default)]
    #[param(value_type = Option<u64>)]
    after: u64,
}

problems! { StreamMatchProblems: InvalidCursor, VersionAhead, MatchFrozen }

/// How the stream is documented.
struct MatchEvents;

impl utoipa::IntoResponses for MatchEvents {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        event_stream::documented(
            "Events called `entry`, whose `id` is the version of an entry and whose `data` is a `LogEntry` as JSON.",
            EXAMPLE,
        )
    }
}

const EXAMPLE: &str = concat!(
    "retry: 2000\n\n",
    "id: 7\nevent: entry\n",
    r#"data: {"version":7,"at":"2026-07-01T12:00:00.000Z","by":"player","seat":1,"#,
    r#""action":{"type":"flip_card","flip_card":{"place":3}},"#,
    r#""events":[{"type":"card_flipped","notation":"flip B 3 W07 card","#,
    r#""card_flipped":{"seat":1,"place":3,"card":{"number":"W07","side":"card"}}}],"#,
    r#""hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}"#,
    "\n\n:\n\n",
);

/// Follow a match as it happens
///
/// Server-sent events: each entry of the log once and in order, as `listHistory` shows it at that moment, first
/// those that are there and then each as it is added. A client that comes back sends the last id it got. A
/// comment comes at least every 15 seconds. The stream ends when the token expires, the session is revoked or the
/// service stops; come back after `retry`, with a fresh token if need be. A stream is never the only way: the
/// history tells the same.
#[utoipa::path(
    operation_id = "streamMatch",
    tag = "live",
    params(
        ("match_id" = MatchId, Path, description = "The match."),
        ("Last-Event-ID" = Option<u64>, Header, description = "The last id the caller got: entries after it."),
        StreamMatch,
    ),
    responses(MatchEvents, StreamMatchProblems),
)]
#[get("/matches/{match_id}/stream")]
pub(super) async fn stream_match(
    app: web::Data<App>,
    caller: Caller,
    match_id: web::Path<MatchId>,
    query: RawQuery,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let match_id = match_id.into_inner();
    // Watched before it is read: what is added in between is told.
    let watch = app.hub.watch_match(match_id);
    let mut held = hold(&app, match_id, caller.player_id).await?;
    let StreamMatch { after } = query.parse()?;
    let after = last_event_id(&request)?.unwrap_or(after);
    // Judged before the stream begins, while there can still be another answer.
    part(&app, &mut held, caller.player_id, after, 1).await?;
    drop(held);
    let listening = Listening::begin(&app, caller)?;
    let entries = Entries {
        app,
        match_id,
        player: caller.player_id,
        after,
        watch,
    };
    Ok(event_stream::answer(listening, entries))
}

/// What `Last-Event-ID` says. An empty one says nothing: so a client begins that got no id.
fn last_event_id(request: &HttpRequest) -> Result<Option<u64>, Problem> {
    let Some(value) = request.headers().get(LAST_EVENT_ID) else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or("not a number").trim();
    if text.is_empty() {
        return Ok(None);
    }
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let version = text.parse().ok().filter(|_| is_plain);
    version.map(Some).ok_or_else(|| {
        Problem::new(Code::InvalidCursor).at(
            format!("/{LAST_EVENT_ID}"),
            "invalid_value",
            "expected an id of this stream: a version",
        )
    })
}

/// The entries of a match after a version.
struct Entries {
    app: web::Data<App>,
    match_id: MatchId,
    player: PlayerId,
    after: u64,
    watch: MatchWatch,
}

impl Told for Entries {
    async fn due(&mut self) -> Result<Due, Problem> {
        let mut held = hold(&self.app, self.match_id, self.player).await?;
        let part = part(&self.app, &mut held, self.player, self.after, ENTRIES_PER_PIECE).await?;
        drop(held);
        self.after = part.last;
        let mut events = String::new();
        for entry in &part.entries {
            events += &event_stream::event(Some(entry.version), "entry", entry)?;
        }
        Ok(Due {
            events,
            is_all: part.last == part.version,
        })
    }

    async fn news(&mut self) {
        self.watch.later_than(self.after).await;
    }
}
