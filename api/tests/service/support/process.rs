//! The real program as a process of its own: for what is seen only from outside.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Response};
use serde_json::Value;

use super::{Home, SEAL_KEY};

/// It ends with its owner.
pub(crate) struct Process {
    pub(crate) url: String,
    child: Child,
    log: PathBuf,
    client: Client,
    _home: Arc<Home>,
}

impl Process {
    /// Starts it with `variables` and nothing else of this environment, and waits until it listens.
    pub(crate) fn start(home: &Arc<Home>, variables: &[(&str, &str)]) -> Self {
        let log = home.folder().join("log");
        let mut child = Command::new(env!("CARGO_BIN_EXE_quartett"))
            .env_clear()
            .env("DATABASE_URL", &home.database_url)
            .env("SEAL_KEY", SEAL_KEY)
            .env("LISTEN", "127.0.0.1:0")
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut first_line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut first_line).unwrap();
        let url = first_line.trim().strip_prefix("listening on ").unwrap();
        Self {
            url: url.to_owned(),
            child,
            log,
            client: Client::new(),
            _home: home.clone(),
        }
    }

    /// `127.0.0.1:port`
    pub(crate) fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Response {
        let request = self.client.post(format!("{}{path}", self.url));
        request.json(body).send().await.unwrap()
    }

    /// The processor time that all its threads have taken.
    pub(crate) fn processor_time(&self) -> Duration {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let nanos = threads.filter_map(|thread| {
            // Its first field is the time on a processor in nanoseconds. A thread may be gone in the meantime.
            let schedule = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
            schedule.split(' ').next()?.parse::<u64>().ok()
        });
        Duration::from_nanos(nanos.sum())
    }

    /// Kills it, and tells what it has logged.
    pub(crate) fn kill(&mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::fs::read_to_string(&self.log).unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Killed already, as a rule.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
