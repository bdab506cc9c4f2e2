//! A match of each game to watch: `quartett demo`.
//!
//! It starts a service of its own on a free port and an empty database, and uses nothing but its HTTP API:
//! a smoke test for any installation.

use std::io::Write;
use std::path::PathBuf;

use quartett_engine::{GameKind, Seed};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::application::{Application, BuildError};
use crate::config::Config;
use crate::parts::Parts;

/// A match that takes more of the guest's actions than this does not end.
const ACTIONS_MAX: usize = 3000;

/// Why the demonstration failed.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The service does not start.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A file or the output cannot be written.
    #[error(transparent)]
    Output(#[from] std::io::Error),
    /// The service does not answer.
    #[error("no answer: {0}")]
    NoAnswer(#[from] reqwest::Error),
    /// The service answers something else than it should.
    #[error("{step}: {found}")]
    Wrong {
        /// What was asked.
        step: String,
        /// What came.
        found: String,
    },
}

fn wrong<T>(step: impl Into<String>, found: impl std::fmt::Display) -> Result<T, DemoError> {
    Err(DemoError::Wrong {
        step: step.into(),
        found: found.to_string(),
    })
}

/// Plays one match of each game with a guest and bots, writes the notation of each to `output`, replays it
/// and checks it.
///
/// # Errors
///
/// [`DemoError`] with the first thing that is not as it should be.
pub async fn run(output: &mut impl Write) -> Result<(), DemoError> {
    let folder = Folder::make()?;
    let database = format!("sqlite://{}", folder.0.join("demo.db").display());
    let settings = [
        ("DATABASE_URL", database.as_str()),
        ("LISTEN", "127.0.0.1:0"),
        ("RATE_LIMITS", "off"),
    ];
    let config = Config::read(|name| {
        let setting = settings.iter().find(|(known, _)| *known == name);
        setting.map(|(_, value)| (*value).to_owned())
    })
    .map_err(|error| DemoError::Wrong {
        step: "settings".to_owned(),
        found: error.to_string(),
    })?;
    let application = Application::build(config, Parts::real()).await?;
    let shutdown = application.shutdown();
    let guest = Guest {
        url: application.url().to_owned(),
        client: Client::new(),
        token: None,
    };
    let running = tokio::spawn(application.run());
    let outcome = play_all(guest, output).await;
    shutdown.begin();
    if let Err(error) = running.await {
        return wrong("stopping", error);
    }
    outcome
}

async fn play_all(mut guest: Guest, output: &mut impl Write) -> Result<(), DemoError> {
    let signed_in = guest
        .post("/v1/auth/guest", &json!({"display_name": "Demo"}), None)
        .await?;
    guest.token = text(&signed_in["access_token"]).map(str::to_owned);
    for game in GameKind::ALL {
        play(&guest, game, output).await?;
    }
    writeln!(
        output,
        "All five games were played to their ends, replayed and checked."
    )?;
    Ok(())
}

/// One match of one game: played, replayed, checked.
async fn play(guest: &Guest, game: GameKind, output: &mut impl Write) -> Result<(), DemoError> {
    let deck = match game {
        GameKind::DuelQuartett | GameKind::Supertrump | GameKind::Pairs => "wohnbau",
        GameKind::VdbSupertrumpf | GameKind::VdbQuartett => "sportwaffen",
    };
    let new = json!({
        "game": {"type": game.id()}, "deck_id": deck, "seats": 3, "visibility": "invite",
        "bots": [{"level": "easy"}, {"level": "hard"}],
    });
    let key = format!("demo-create-{}-{game:?}", guest.url);
    let mut view = guest.post("/v1/matches", &new, Some(&key)).await?;
    let path = format!("/v1/matches/{}", text(&view["match_id"]).unwrap_or_default());
    for action in 0..ACTIONS_MAX {
        if view["status"] != "active" {
            break;
        }
        let Some(legal) = view["legal_actions"].as_array().filter(|legal| !legal.is_empty()) else {
            // A long run of bot turns goes on behind the answer.
            view = guest.get(&path).await?;
            continue;
        };
        // Any pick will do; this one does not always take the first.
        let chosen = &legal[action * 7 % legal.len()];
        let body = json!({"action": chosen, "expected_version": view["version"]});
        let key = format!("demo-action-{action:06}");
        view = guest.post(&format!("{path}/actions"), &body, Some(&key)).await?["view"].take();
    }
    if view["status"] != "ended" {
        return wrong(
            format!("{} after {ACTIONS_MAX} actions", game.id()),
            &view["status"],
        );
    }
    let lines = notation(guest, &path, &view).await?;
    check(guest, &path, &view).await?;
    writeln!(output, "{}", lines.join("\n"))?;
    writeln!(
        output,
        "  {} entries, replayed and checked: {}\n",
        view["version"], view["result"]["reason"]
    )?;
    Ok(())
}

/// Every line of the match, with its entries counted.
async fn notation(guest: &Guest, path: &str, view: &Value) -> Result<Vec<String>, DemoError> {
    let mut lines = Vec::new();
    let mut after = 0;
    loop {
        let page = guest
            .get(&format!("{path}/history?after={after}&limit=500"))
            .await?;
        for entry in page["entries"].as_array().into_iter().flatten() {
            after += 1;
            if entry["version"] != after {
                return wrong("the history has a gap", &entry["version"]);
            }
            let events = entry["events"].as_array().into_iter().flatten();
            lines.extend(events.filter_map(|event| text(&event["notation"]).map(str::to_owned)));
            if entry["version"] == view["version"] && entry["hash"] != view["head_hash"] {
                return wrong("the last entry is not the head", &entry["hash"]);
            }
        }
        if page["has_more"] != true {
            return Ok(lines);
        }
    }
}

/// The replay ends where the match does, and the revealed seed is the one that was promised.
async fn check(guest: &Guest, path: &str, view: &Value) -> Result<(), DemoError> {
    let replayed = guest.get(&format!("{path}/replay/{}", view["version"])).await?;
    for member in ["table", "result", "head_hash", "seed"] {
        if replayed[member] != view[member] {
            return wrong(format!("the replay has another {member}"), &replayed[member]);
        }
    }
    let mut seed = [0; 32];
    let mut commitment = [0; 32];
    let id = uuid::Uuid::parse_str(text(&view["match_id"]).unwrap_or_default());
    let seed_read = hex::decode_to_slice(text(&view["seed"]).unwrap_or_default(), &mut seed);
    let commitment_read = hex::decode_to_slice(
        text(&view["seed_commitment"]).unwrap_or_default(),
        &mut commitment,
    );
    match (id, seed_read, commitment_read) {
        (Ok(id), Ok(()), Ok(())) if Seed(seed).commitment(id.as_bytes()).0 == commitment => Ok(()),
        _ => wrong("the seed is not the one that was promised", &view["seed"]),
    }
}

fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

/// A client that knows the address and the contract.
struct Guest {
    url: String,
    client: Client,
    token: Option<String>,
}

impl Guest {
    async fn get(&self, path: &str) -> Result<Value, DemoError> {
        self.send(Method::GET, path, None, None).await
    }

    async fn post(&self, path: &str, body: &Value, key: Option<&str>) -> Result<Value, DemoError> {
        self.send(Method::POST, path, Some(body), key).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<Value, DemoError> {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await?;
        let status = response.status();
        if matches!(status, StatusCode::OK | StatusCode::CREATED) {
            Ok(response.json().await?)
        } else {
            wrong(format!("{path} answers {status}"), response.text().await?)
        }
    }
}

/// A folder that goes with the demonstration.
struct Folder(PathBuf);

impl Folder {
    fn make() -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("quartett-demo-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is a few kilobytes in the system's folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
