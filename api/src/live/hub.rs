//! Who waits for news of what.
//!
//! Everybody who waits for something reads it from the log or the database afterwards: what is told here is
//! that it is worth looking. So nothing is lost when a notice is; the heads of everything that is watched are
//! also [polled](super::follow), and then it is only late.

use std::sync::Arc;

use tokio::sync::Notify;

use super::news::{self, News, Outbox};
use super::player_news::{PlayerNews, Standing};
use super::registry::{Registry, Watch};
use super::store;
use crate::app::App;
use crate::http::Problem;
use crate::ids::{MatchId, PlayerId, SessionId};
use crate::play::Table;

/// The watchers of this instance, and what other instances are to be told.
pub(crate) struct Hub {
    /// The newest version of each.
    pub(super) matches: Arc<Registry<MatchId, u64>>,
    pub(super) players: Arc<Registry<PlayerId, PlayerNews>>,
    /// Whether it has ended.
    pub(super) sessions: Arc<Registry<SessionId, bool>>,
    /// For other instances, where there can be some.
    pub(super) outbox: Option<Outbox>,
    /// Wakes whoever polls.
    pub(super) look: Notify,
}

impl Hub {
    /// Nobody watches yet.
    pub(crate) fn new(is_shared: bool) -> Self {
        Self {
            matches: Registry::new(),
            players: Registry::new(),
            sessions: Registry::new(),
            outbox: is_shared.then(Outbox::new),
            look: Notify::new(),
        }
    }

    /// Tells that a match has new entries, after they were committed. Never waits.
    pub(crate) fn committed(&self, table: &Table) {
        let news = News::of(table);
        self.tell(&news);
        if let Some(outbox) = &self.outbox {
            outbox.put(news);
        }
    }

    /// Tells the watchers of this instance.
    fn tell(&self, news: &News) {
        self.reached(news.match_id, news.version);
        for player in &news.players {
            let standing = Standing {
                match_id: news.match_id,
                version: news.version,
                my_turn: news.awaited == Some(*player),
            };
            self.players
                .tell(*player, |known| known.note(standing, news.is_over));
        }
    }

    /// A match has this version, or a later one.
    pub(super) fn reached(&self, match_id: MatchId, version: u64) {
        self.matches.tell(match_id, |known| {
            let is_new = version > *known;
            *known = version.max(*known);
            is_new
        });
    }

    /// Takes in what another instance told, or this one: it hears itself, and then knows it already.
    pub(super) fn hear(&self, payload: &str) {
        match news::read(payload) {
            Some(news) => news.iter().for_each(|news| self.tell(news)),
            None => self.look.notify_one(),
        }
    }

    /// Watches a match. Watch first and read then: what comes between the two is told.
    pub(crate) fn watch_match(&self, match_id: MatchId) -> MatchWatch {
        MatchWatch {
            watch: self.matches.watch(match_id),
            heard: 0,
        }
    }

    /// Watches the matches of a player, from how they stand now.
    pub(super) async fn watch_player(
        &self,
        app: &App,
        player: PlayerId,
    ) -> Result<Watch<PlayerId, PlayerNews>, Problem> {
        let watch = self.players.watch(player);
        if !watch.newest(PlayerNews::is_complete) {
            let as_of = watch.newest(PlayerNews::told);
            let running = store::running(app.db.read(), &[player]).await?;
            let running: Vec<Standing> = running.into_iter().map(|(_, standing)| standing).collect();
            self.players.tell(player, |known| known.compare(&running, as_of));
        }
        Ok(watch)
    }
}

/// Somebody watches a match.
pub(crate) struct MatchWatch {
    watch: Watch<MatchId, u64>,
    /// What woke it last: it does so once, even if the log does not go that far.
    heard: u64,
}

impl MatchWatch {
    /// Completes when the match is said to have entries after `version`.
    pub(crate) async fn later_than(&mut self, version: u64) {
        let known = version.max(self.heard);
        self.watch.wait_for(|newest| *newest > known).await;
        self.heard = self.watch.newest(|newest| *newest);
    }
}
