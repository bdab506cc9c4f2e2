//! Players who go on whatever happens to the service or its database, and know what they were promised.

use reqwest::Method;
use serde_json::{Value, json};

use crate::scripted::Dice;
use crate::setups::{open_match, with_options};
use crate::{Answer, Client, Player, Request, finished, fresh_key};

/// Why a step was not made.
#[derive(Debug)]
pub enum Interruption {
    /// The service is gone.
    NoAnswer,
    /// It answered 503 with this code.
    Refused(String),
}

/// What a player wants and does not know yet whether it happened.
#[derive(Clone)]
struct Intent {
    action: Value,
    expected_version: i64,
    key: String,
}

/// Per version what was acknowledged: an action and whose.
type Acknowledged = Vec<(i64, usize, Value)>;

/// Two who play one match after the other.
pub struct Play {
    players: [Player; 2],
    /// Matches that have ended, with what was acknowledged in each.
    over: Vec<(String, Acknowledged)>,
    match_id: String,
    dice: Dice,
    pending: Option<(usize, Intent)>,
    acknowledged: Acknowledged,
}

impl Play {
    /// Brings two together, while everything is well.
    pub async fn new(client: &Client, number: usize) -> Self {
        let mut players = Vec::new();
        for name in ["Ann", "Bob"] {
            let body = json!({"display_name": format!("{name} {number}")});
            let pair = client.post("/v1/auth/guest", &body).await.expect(201);
            players.push(client.signed_in(&pair.body));
        }
        let players: [Player; 2] = players
            .try_into()
            .unwrap_or_else(|_| unreachable!("two were made"));
        let match_id = begin(&players).await.expect("the service runs");
        Self {
            players,
            over: Vec::new(),
            match_id,
            dice: Dice::new(number as u64),
            pending: None,
            acknowledged: Vec::new(),
        }
    }

    /// Goes on at the service at `url`.
    pub fn move_to(&mut self, url: &str) {
        self.players = self.players.each_ref().map(|player| player.moved_to(url));
    }

    /// Whether an action was sent and not acknowledged.
    #[must_use]
    pub const fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// One action: the one that is pending, or a new one.
    ///
    /// # Errors
    ///
    /// When the service does not take it now. It is pending then.
    pub async fn step(&mut self) -> Result<(), Interruption> {
        let (by, intent) = match &self.pending {
            Some(pending) => pending.clone(),
            None => self.intend().await?,
        };
        let Intent {
            action,
            expected_version,
            key,
        } = &intent;
        // From here on it may happen, whether or not an answer comes.
        self.pending = Some((by, intent.clone()));
        let request = self.players[by].act_request(&self.match_id, action, *expected_version, key);
        let answer = sent(request, 200).await?;
        assert_eq!(
            answer.number("/version"),
            expected_version + 1,
            "nobody else moves in this match"
        );
        assert_eq!(&answer.body["entries"][0]["action"], action);
        self.acknowledged.push((expected_version + 1, by, action.clone()));
        self.pending = None;
        Ok(())
    }

    async fn intend(&mut self) -> Result<(usize, Intent), Interruption> {
        if self.view_of(0).await?.body["status"] == "ended" {
            let next = begin(&self.players).await?;
            let ended = std::mem::replace(&mut self.match_id, next);
            self.over.push((ended, std::mem::take(&mut self.acknowledged)));
        }
        for by in 0..self.players.len() {
            let view = self.view_of(by).await?;
            if let Some(legal) = view.body["legal_actions"].as_array() {
                let intent = Intent {
                    action: self.dice.pick(legal).clone(),
                    expected_version: view.number("/version"),
                    key: fresh_key(),
                };
                return Ok((by, intent));
            }
        }
        panic!("the match runs and nobody has anything to do");
    }

    async fn view_of(&self, by: usize) -> Result<Answer, Interruption> {
        let path = format!("/v1/matches/{}", self.match_id);
        sent(self.players[by].request(Method::GET, &path), 200).await
    }

    /// Every acknowledged action stands once at its version, and nothing else does.
    pub async fn check(&self) {
        let present = (self.match_id.clone(), self.acknowledged.clone());
        for (match_id, acknowledged) in self.over.iter().chain([&present]) {
            let view = self.players[0].view(match_id).await.expect(200);
            let entries = self.players[0].history(match_id, 0).await;
            finished::check_log(&entries, view.number("/version"));
            for (version, by, action) in acknowledged {
                let entry = &entries[usize::try_from(version - 1).expect("a version")];
                assert_eq!(&entry["action"], action);
                assert_eq!(entry["seat"], *by);
            }
            let stored = entries
                .iter()
                .filter(|entry| entry.get("action").is_some())
                .count();
            assert_eq!(stored, acknowledged.len(), "every action counts once");
        }
    }
}

/// Begins a match of the two; one that was half begun when it was interrupted is left as it is.
async fn begin(players: &[Player; 2]) -> Result<String, Interruption> {
    let setup = open_match("vdb_supertrumpf", "sportwaffen", 2);
    let setup = with_options(setup, &json!({"rounds": 1000}));
    let [host, guest] = players;
    let created = sent(host.create_match_request(&setup, &fresh_key()), 201).await?;
    let match_id = created.text_at("/match_id");
    let join = guest.request(Method::POST, &format!("/v1/matches/{match_id}/seats"));
    sent(join, 200).await?;
    Ok(match_id)
}

/// The answer, which has this status or says to come back later.
async fn sent(request: Request, status: u16) -> Result<Answer, Interruption> {
    let answer = request.try_send().await.map_err(|_| Interruption::NoAnswer)?;
    if answer.status == 503 {
        return Err(Interruption::Refused(answer.text_at("/code")));
    }
    Ok(answer.expect(status))
}
