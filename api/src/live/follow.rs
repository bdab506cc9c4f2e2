//! What goes on behind the watchers: telling other instances, hearing them, and looking for oneself.
//!
//! None of this stands on the path of an action: that only puts a word into the hub's outbox.

use std::collections::HashMap;

use tokio::task::JoinSet;

use super::player_news::{PlayerNews, Standing};
use super::store;
use crate::app::App;
use crate::config::DatabaseLocation;
use crate::db::{Heard, Listener, Notifier};
use crate::ids::{MatchId, PlayerId};

/// At most one statement with notices in this time; what happens meanwhile goes together.
const NOTICES_EVERY_MILLIS: i64 = 25;

/// How often everything that is watched is looked at, so that what no notice told is told all the same.
const LOOK_EVERY_MILLIS: i64 = 1_000;

/// Before another try to listen or to tell.
const PAUSE_MILLIS: i64 = 500;

/// Who hears nothing for so long listens anew: a connection that leads nowhere is silent as well.
const SILENCE_MILLIS: i64 = 30_000;

/// How many are asked for in one statement.
const MATCHES_PER_STATEMENT: usize = 512;
const PLAYERS_PER_STATEMENT: usize = 64;

/// Starts it all. Each task ends by itself when the shutdown has begun.
pub(crate) fn follow(app: &App, tasks: &mut JoinSet<()>) {
    tasks.spawn(until_shutdown(app.clone(), look(app.clone())));
    tasks.spawn(until_shutdown(app.clone(), end_sessions(app.clone())));
    if let DatabaseLocation::Postgres(url) = &app.config.database {
        tasks.spawn(until_shutdown(app.clone(), send(app.clone(), url.clone())));
        tasks.spawn(until_shutdown(app.clone(), hear(app.clone(), url.clone())));
    }
}

async fn until_shutdown(app: App, task: impl Future<Output = ()>) {
    tokio::select! {
        () = app.shutdown.begun() => {}
        () = task => {}
    }
}

async fn pause(app: &App, millis: i64) {
    app.clock.sleep_until(app.now_millis() + millis).await;
}

/// Looks at everything that is watched, again and again.
async fn look(app: App) {
    loop {
        if let Err(error) = look_at_matches(&app).await {
            tracing::warn!(%error, "watched matches were not looked at");
        }
        if let Err(error) = look_at_players(&app).await {
            tracing::warn!(%error, "matches of watching players were not looked at");
        }
        tokio::select! {
            () = pause(&app, LOOK_EVERY_MILLIS) => {}
            () = app.hub.look.notified() => {}
        }
    }
}

async fn look_at_matches(app: &App) -> Result<(), sea_orm::DbErr> {
    let watched: Vec<MatchId> = app.hub.matches.keys();
    for some in watched.chunks(MATCHES_PER_STATEMENT) {
        for (match_id, version) in store::versions(app.db.read(), some).await? {
            app.hub.reached(match_id, version);
        }
    }
    Ok(())
}

async fn look_at_players(app: &App) -> Result<(), sea_orm::DbErr> {
    let watching: Vec<PlayerId> = app.hub.players.keys();
    for some in watching.chunks(PLAYERS_PER_STATEMENT) {
        let told = |player: &PlayerId| Some((*player, app.hub.players.newest(*player, PlayerNews::told)?));
        let told: Vec<(PlayerId, u64)> = some.iter().filter_map(told).collect();
        let mut running: HashMap<PlayerId, Vec<Standing>> = HashMap::new();
        for (player, standing) in store::running(app.db.read(), some).await? {
            running.entry(player).or_default().push(standing);
        }
        for (player, as_of) in told {
            let running = running.remove(&player).unwrap_or_default();
            app.hub
                .players
                .tell(player, |known| known.compare(&running, as_of));
        }
    }
    Ok(())
}

/// Tells other instances.
async fn send(app: App, url: String) {
    let Some(outbox) = &app.hub.outbox else {
        return;
    };
    let mut notifier = None;
    loop {
        outbox.filled().await;
        app.failpoints.hit("before_notices").await;
        let opened = match notifier.take() {
            Some(notifier) => Ok(notifier),
            None => Notifier::open(&url).await,
        };
        let sent = match opened {
            Ok(opened) => opened.send(&outbox.take()).await.map(|()| opened),
            Err(error) => Err(error),
        };
        match sent {
            Ok(opened) => {
                notifier = Some(opened);
                pause(&app, NOTICES_EVERY_MILLIS).await;
            }
            Err(error) => {
                tracing::warn!(%error, "notices were not sent");
                pause(&app, PAUSE_MILLIS).await;
                outbox.lost_some();
            }
        }
    }
}

/// Hears what other instances tell.
async fn hear(app: App, url: String) {
    loop {
        let ended = match Listener::open(&url).await {
            Ok(listener) => {
                // Listening first, then looking: what was told before is found by looking.
                app.hub.look.notify_one();
                listen(&app, listener).await
            }
            Err(error) => Err(error),
        };
        if let Err(error) = ended {
            tracing::warn!(%error, "notices are not heard");
            pause(&app, PAUSE_MILLIS).await;
        }
    }
}

/// Listens until the connection is lost, or so silent that it may be.
async fn listen(app: &App, mut listener: Listener) -> Result<(), sea_orm::sqlx::Error> {
    loop {
        let heard = tokio::select! {
            heard = listener.next() => heard?,
            () = pause(app, SILENCE_MILLIS) => return Ok(()),
        };
        match heard {
            Heard::Notice(payload) => {
                app.failpoints.hit("notice_heard").await;
                app.hub.hear(&payload);
            }
            Heard::Reconnected => app.hub.look.notify_one(),
        }
    }
}

/// Ends the streams of sessions that were revoked.
async fn end_sessions(app: App) {
    let mut changes = app.revocations.changes();
    while changes.changed().await.is_ok() {
        for session in app.hub.sessions.keys() {
            if app.revocations.has(session) {
                app.hub.sessions.tell(session, |ended| {
                    *ended = true;
                    true
                });
            }
        }
    }
}
