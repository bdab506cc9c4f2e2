//! The operations of the contract that the tests call, by name.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{Answer, Client, EventStream, Request, fresh_key};

impl Client {
    /// `createMatch` under a key of its own.
    pub async fn create_match(&self, setup: &Value) -> Answer {
        self.create_match_request(setup, &fresh_key()).send().await
    }

    /// `createMatch`, to be sent.
    #[must_use]
    pub fn create_match_request(&self, setup: &Value, key: &str) -> Request {
        self.request(Method::POST, "/v1/matches").key(key).json(setup)
    }

    /// `listOpenMatches`
    pub async fn open_matches(&self) -> Answer {
        self.get("/v1/matches").await
    }

    /// `getMatch`
    pub async fn view(&self, match_id: &str) -> Answer {
        self.get(&format!("/v1/matches/{match_id}")).await
    }

    /// `joinMatch`
    pub async fn join(&self, match_id: &str) -> Answer {
        self.join_saying(match_id, &json!({})).await
    }

    /// `joinMatch` with an opening answer or entropy.
    pub async fn join_saying(&self, match_id: &str, body: &Value) -> Answer {
        self.post(&format!("/v1/matches/{match_id}/seats"), body).await
    }

    /// `leaveMatch`
    pub async fn leave(&self, match_id: &str) -> Answer {
        self.delete(&format!("/v1/matches/{match_id}/seats/me")).await
    }

    /// `startMatch`
    pub async fn start_match(&self, match_id: &str, body: &Value) -> Answer {
        self.post(&format!("/v1/matches/{match_id}/start"), body).await
    }

    /// `cancelMatch`
    pub async fn cancel(&self, match_id: &str) -> Answer {
        self.delete(&format!("/v1/matches/{match_id}")).await
    }

    /// `createInvite`
    pub async fn create_invite(&self, match_id: &str) -> Answer {
        let path = format!("/v1/matches/{match_id}/invite");
        self.request(Method::POST, &path).send().await
    }

    /// `revokeInvite`
    pub async fn revoke_invite(&self, match_id: &str) -> Answer {
        self.delete(&format!("/v1/matches/{match_id}/invite")).await
    }

    /// `getInvite`
    pub async fn invite(&self, code: &str) -> Answer {
        self.get(&format!("/v1/invites/{code}")).await
    }

    /// `acceptInvite`
    pub async fn accept_invite(&self, code: &str) -> Answer {
        self.post(&format!("/v1/invites/{code}/acceptance"), &json!({}))
            .await
    }

    /// `submitAction`
    pub async fn act(&self, match_id: &str, action: &Value, expected_version: i64, key: &str) -> Answer {
        self.act_request(match_id, action, expected_version, key)
            .send()
            .await
    }

    /// `submitAction`, to be sent.
    #[must_use]
    pub fn act_request(&self, match_id: &str, action: &Value, expected_version: i64, key: &str) -> Request {
        let path = format!("/v1/matches/{match_id}/actions");
        let body = json!({"action": action, "expected_version": expected_version});
        self.request(Method::POST, &path).key(key).json(&body)
    }

    /// `listHistory`, one page.
    pub async fn history_page(&self, match_id: &str, after: i64, limit: i64) -> Answer {
        self.get(&format!(
            "/v1/matches/{match_id}/history?after={after}&limit={limit}"
        ))
        .await
    }

    /// `listHistory`, page after page: every entry after `after`.
    pub async fn history(&self, match_id: &str, mut after: i64) -> Vec<Value> {
        let mut entries = Vec::new();
        loop {
            let page = self.history_page(match_id, after, 100).await.expect(200);
            assert_eq!(page.body["match_id"], match_id);
            entries.extend(page.array("/entries").iter().cloned());
            if page.body["has_more"] == false {
                return entries;
            }
            let last = entries.last().expect("a page before others has entries");
            after = last["version"].as_i64().expect("an entry has a version");
        }
    }

    /// `listHistory` that waits for the first entry after `after`.
    pub async fn long_poll(&self, match_id: &str, after: i64, wait_seconds: i64) -> Answer {
        self.get(&format!(
            "/v1/matches/{match_id}/history?after={after}&wait={wait_seconds}"
        ))
        .await
    }

    /// `streamMatch`, the entries after `after`.
    pub async fn stream(&self, match_id: &str, after: i64) -> EventStream {
        let path = format!("/v1/matches/{match_id}/stream?after={after}");
        self.request(Method::GET, &path).open().await
    }

    /// `streamMyMatches`
    pub async fn my_stream(&self) -> EventStream {
        self.request(Method::GET, "/v1/me/stream").open().await
    }

    /// `listMyMatches`
    pub async fn my_matches(&self, query: &str) -> Answer {
        self.get(&format!("/v1/me/matches{query}")).await
    }

    /// `replayMatch`, for a seat or for everything.
    pub async fn replay(&self, match_id: &str, version: i64, seat: Option<i64>) -> Answer {
        let query = seat.map_or_else(String::new, |seat| format!("?seat={seat}"));
        self.get(&format!("/v1/matches/{match_id}/replay/{version}{query}"))
            .await
    }

    /// `resignMatch`
    pub async fn resign(&self, match_id: &str) -> Answer {
        self.about_match(match_id, "resignation").await
    }

    /// `returnToMatch`
    pub async fn return_to(&self, match_id: &str) -> Answer {
        self.about_match(match_id, "return").await
    }

    /// `rematch`
    pub async fn rematch(&self, match_id: &str) -> Answer {
        self.about_match(match_id, "rematch").await
    }

    async fn about_match(&self, match_id: &str, what: &str) -> Answer {
        let path = format!("/v1/matches/{match_id}/{what}");
        self.request(Method::POST, &path).send().await
    }

    /// `eraseMe`
    pub async fn erase(&self) -> Answer {
        self.delete("/v1/me").await
    }

    /// `blockPlayer`
    pub async fn block(&self, player_id: &str) -> Answer {
        let path = format!("/v1/me/blocks/{player_id}");
        self.request(Method::PUT, &path).send().await
    }

    /// `createTicket`
    pub async fn seek(&self, wish: &Value) -> Answer {
        self.post("/v1/matchmaking/tickets", wish).await
    }

    /// `getTicket`
    pub async fn ticket(&self, ticket_id: &str) -> Answer {
        self.get(&format!("/v1/matchmaking/tickets/{ticket_id}")).await
    }

    /// `cancelTicket`
    pub async fn cancel_ticket(&self, ticket_id: &str) -> Answer {
        self.delete(&format!("/v1/matchmaking/tickets/{ticket_id}")).await
    }
}
