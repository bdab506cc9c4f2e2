//! Waiting for what the service does by itself, through the contract: by long polls.

use std::time::Duration;

use serde_json::Value;

use crate::{Player, Service, Table};

/// Nothing that a test waits for takes longer than this; a test that waits in vain fails and does not hang.
const MOST: Duration = Duration::from_secs(60);

impl Player {
    /// The entries after `after`, as soon as there are some: a long poll. Another instance's entries are told with
    /// the next step of the clock only; where there are several, and the clock stands, see [`Self::view_when`].
    pub async fn news(&self, match_id: &str, after: i64) -> Vec<Value> {
        let path = format!("/v1/matches/{match_id}/history?after={after}&wait=25");
        let polling = async {
            loop {
                // Empty when the clock was moved while it waited: then it asks again.
                let page = self.get(&path).await.expect(200);
                if !page.array("/entries").is_empty() {
                    return page.array("/entries").to_vec();
                }
            }
        };
        let news = tokio::time::timeout(MOST, polling).await;
        news.unwrap_or_else(|_| panic!("nothing happened in {match_id} after version {after}"))
    }

    /// The view of a match as soon as it is as wished, whichever instance brings that about: asks again and again.
    pub async fn view_when(&self, match_id: &str, is_as_wished: impl Fn(&Value) -> bool) -> Value {
        let asking = async {
            loop {
                let view = self.view(match_id).await.expect(200);
                if is_as_wished(&view.body) {
                    return view.body;
                }
                tokio::task::yield_now().await;
            }
        };
        match tokio::time::timeout(MOST, asking).await {
            Ok(view) => view,
            Err(_) => panic!("not as wished: {}", self.view(match_id).await.text),
        }
    }

    /// The same player with new tokens: an access token is good for a quarter of an hour.
    pub async fn signed_in_again(&self) -> Self {
        let body = serde_json::json!({ "refresh_token": self.refresh_token });
        let pair = self.post("/v1/auth/refresh", &body).await.expect(200);
        self.signed_in(&pair.body)
    }
}

impl Table {
    /// Moves the clock so far that tokens run out, and signs everybody in again.
    pub async fn much_later(&mut self, service: &Service, millis: i64) {
        service.clock().advance(millis);
        for player in &mut self.players {
            *player = player.signed_in_again().await;
        }
    }
}
