//! A service of its own for each test, on a database that goes with it.

mod process;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quartett_api::clock::{ManualClock, SeededRandomness};
use quartett_api::{Application, Code, Config, Parts, Shutdown};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::Value;

pub(crate) use process::Process;

/// Seals what these services keep, so that a test can open it.
pub(crate) const SEAL_KEY: &str = "5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e";

/// When a test begins: noon on the first of July 2026, UTC.
pub(crate) const BEGINNING_MILLIS: i64 = 1_782_907_200_000;

/// Where a service keeps what it must not forget; it outlives the service.
pub(crate) struct Home {
    /// `DATABASE_URL`
    pub(crate) database_url: String,
    folder: tempfile::TempDir,
}

impl Home {
    /// An empty database: a file, or one more on the Postgres server that `TEST_DATABASE_URL` names.
    pub(crate) async fn new() -> Self {
        #[expect(clippy::disallowed_methods, reason = "says where the tests of this run store")]
        let server = std::env::var("TEST_DATABASE_URL");
        let folder = tempfile::tempdir().unwrap();
        let database_url = match server {
            Err(_) => format!("sqlite://{}/q.db", folder.path().display()),
            Ok(server) => {
                let name = format!("q_{}", uuid::Uuid::from_bytes(fresh_bytes()).simple());
                let admin = sea_orm::Database::connect(&server).await.unwrap();
                admin
                    .execute_unprepared(&format!("CREATE DATABASE {name}"))
                    .await
                    .unwrap();
                admin.close().await.unwrap();
                let (start, _) = server.rsplit_once('/').unwrap();
                format!("{start}/{name}")
            }
        };
        Self { database_url, folder }
    }

    /// Whether several services can share it.
    pub(crate) fn is_shared(&self) -> bool {
        self.database_url.starts_with("postgres")
    }

    /// A connection beside those of the service.
    pub(crate) async fn connect(&self) -> DatabaseConnection {
        sea_orm::Database::connect(&self.database_url).await.unwrap()
    }

    /// The folder of a database file.
    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// The settings of a service here: `variables`, and what a test needs besides.
    pub(crate) fn config(&self, variables: &[(&str, &str)]) -> Config {
        let mut config = Config::read(|name| {
            let defaults = [
                ("DATABASE_URL", self.database_url.as_str()),
                ("LISTEN", "127.0.0.1:0"),
                ("SEAL_KEY", SEAL_KEY),
                ("POOL_SIZE", "4"),
            ];
            variables
                .iter()
                .chain(&defaults)
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        })
        .unwrap();
        config.workers = 1;
        config
    }
}

fn fresh_bytes() -> [u8; 16] {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).unwrap();
    bytes
}

/// A running service.
pub(crate) struct Service {
    pub(crate) url: String,
    pub(crate) clock: ManualClock,
    pub(crate) client: Client,
    pub(crate) home: Arc<Home>,
    shutdown: Shutdown,
    running: tokio::task::JoinHandle<std::io::Result<()>>,
}

/// Somebody signed in.
pub(crate) struct Player {
    pub(crate) id: String,
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl From<Value> for Player {
    fn from(pair: Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            id: text(&pair["player"]["player_id"]),
            access: text(&pair["access_token"]),
            refresh: text(&pair["refresh_token"]),
        }
    }
}

impl Service {
    /// Starts on a database of its own.
    pub(crate) async fn start(variables: &[(&str, &str)]) -> Self {
        let home = Arc::new(Home::new().await);
        Self::start_in(&home, ManualClock::at(BEGINNING_MILLIS), variables).await
    }

    /// Starts where another service may have been before.
    pub(crate) async fn start_in(home: &Arc<Home>, clock: ManualClock, variables: &[(&str, &str)]) -> Self {
        // Two services on one database must not draw the same ids.
        static STARTS: AtomicU64 = AtomicU64::new(1);
        let parts = Parts {
            clock: Arc::new(clock.clone()),
            randomness: Arc::new(SeededRandomness::new(STARTS.fetch_add(1, Ordering::Relaxed))),
            ..Parts::real()
        };
        let application = Application::build(home.config(variables), parts).await.unwrap();
        let url = application.url().to_owned();
        let shutdown = application.shutdown();
        let running = tokio::spawn(application.run());
        Self {
            url,
            clock,
            client: Client::new(),
            home: home.clone(),
            shutdown,
            running,
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path).json(body).send().await.unwrap()
    }

    /// Calls as a player.
    pub(crate) async fn call(&self, player: &Player, method: Method, path: &str) -> Response {
        let request = self.request(method, path).bearer_auth(&player.access);
        request.send().await.unwrap()
    }

    /// Calls as a player, with a body.
    pub(crate) async fn send(&self, player: &Player, method: Method, path: &str, body: &Value) -> Response {
        let request = self.request(method, path).bearer_auth(&player.access);
        request.json(body).send().await.unwrap()
    }

    /// A guest of this name.
    pub(crate) async fn guest(&self, name: &str) -> Player {
        let body = serde_json::json!({"display_name": name, "device_name": format!("{name}'s phone")});
        json(self.post("/v1/auth/guest", &body).await, 201).await.into()
    }

    /// A registered player of this name.
    pub(crate) async fn registered(&self, name: &str, password: &str) -> Player {
        let body = serde_json::json!({"username": name, "password": password});
        json(self.post("/v1/auth/register", &body).await, 201)
            .await
            .into()
    }

    /// A new match of this setup, made by `player` under `key`.
    pub(crate) async fn create_match(&self, player: &Player, key: &str, setup: &Value) -> Value {
        let request = self
            .request(Method::POST, "/v1/matches")
            .bearer_auth(&player.access);
        let request = request.header("idempotency-key", key).json(setup);
        json(request.send().await.unwrap(), 201).await
    }

    pub(crate) async fn refresh(&self, refresh_token: &str) -> Response {
        let body = serde_json::json!({"refresh_token": refresh_token});
        self.post("/v1/auth/refresh", &body).await
    }

    pub(crate) async fn stop(self) {
        self.shutdown.begin();
        self.running.await.unwrap().unwrap();
    }
}

/// Checks the status of an answer, and gives its body.
pub(crate) async fn json(response: Response, status: u16) -> Value {
    let found = response.status().as_u16();
    let text = response.text().await.unwrap();
    assert_eq!(found, status, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Checks that an answer is 204 and has no body.
pub(crate) async fn nothing(response: Response) {
    let found = response.status();
    let text = response.text().await.unwrap();
    assert_eq!((found, text.as_str()), (StatusCode::NO_CONTENT, ""));
}

/// Checks that an answer is a problem with this code, and gives its body.
pub(crate) async fn problem(response: Response, code: Code) -> Value {
    let headers = response.headers().clone();
    let status = response.status();
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["code"], code.name(), "{body}");
    assert_eq!(status.as_u16(), code.status().as_u16());
    assert_eq!(headers["content-type"], "application/problem+json");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert_eq!(headers["cache-control"], "no-store");
    if status == StatusCode::UNAUTHORIZED {
        let challenge = headers["www-authenticate"].to_str().unwrap();
        assert!(challenge.starts_with("Bearer"));
    }
    assert_eq!(body["type"], format!("/problems/{}", code.name()));
    assert_eq!(body["request_id"], headers["x-request-id"].to_str().unwrap());
    body
}
