//! A service in a process of its own, to be killed.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use tokio::sync::mpsc;

use crate::Database;

/// Nothing that a healthy service does takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// The example `service`, running. Killed when dropped, and by itself when this process is gone.
pub struct Process {
    child: Child,
    orders: ChildStdin,
    lines: mpsc::UnboundedReceiver<String>,
    url: String,
}

impl Process {
    /// Starts it on `database` and waits until it listens.
    pub async fn start(database: &Database) -> Self {
        Self::start_with(database, &[]).await
    }

    /// The same with other settings in its environment.
    pub async fn start_with(database: &Database, settings: &[(&str, &str)]) -> Self {
        Self::start_as(Command::new(program()), database, settings).await
    }

    /// The same for one whose disk may [run full](Self::fill_disk): it is told, and not killed.
    pub async fn start_on_small_disk(database: &Database) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\""]).arg(program());
        Self::start_as(command, database, &[]).await
    }

    async fn start_as(mut command: Command, database: &Database, settings: &[(&str, &str)]) -> Self {
        let mut child = command
            .env_clear()
            .env("DATABASE_URL", database.url())
            .env("LISTEN", "127.0.0.1:0")
            .env("SEAL_KEY", "5a".repeat(32))
            .env("RATE_LIMITS", "off")
            .env("RUST_LOG", "warn")
            .envs(settings.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the service's process can be started");
        let orders = child.stdin.take().expect("its input is piped");
        let output = child.stdout.take().expect("its output is piped");
        let (said, lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if said.send(line).is_err() {
                    return;
                }
            }
        });
        let mut process = Self {
            child,
            orders,
            lines,
            url: String::new(),
        };
        let line = process.line("listening on ").await;
        process.url = line;
        process
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its number in the system.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The memory it takes, as the system counts it.
    #[must_use]
    pub fn resident_kib(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).expect("a Linux system");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.expect("a process has memory")
    }

    /// From now on it can write nothing.
    pub fn fill_disk(&self) {
        self.limit_files("0:unlimited");
    }

    /// It can write again.
    pub fn free_disk(&self) {
        self.limit_files("unlimited:unlimited");
    }

    /// Sets the size that its files may have, as the system enforces it.
    fn limit_files(&self, bytes: &str) {
        let process = self.child.id().to_string();
        let set = Command::new("prlimit")
            .args(["--pid", &process, &format!("--fsize={bytes}")])
            .status();
        assert!(set.is_ok_and(|status| status.success()), "prlimit sets a limit");
    }

    /// From now on whoever comes to this failpoint stays there.
    pub async fn hold_at(&mut self, failpoint: &str) {
        writeln!(self.orders, "hold {failpoint}").expect("the process takes orders");
        let armed = self.line("holding at ").await;
        assert_eq!(armed, failpoint);
    }

    /// Waits until somebody has come to the failpoint.
    pub async fn reached(&mut self, failpoint: &str) {
        let reached = self.line("reached ").await;
        assert_eq!(reached, failpoint);
    }

    /// `kill -9`, and waits until it is gone.
    pub fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        // `Child::kill` sends SIGKILL. It fails only if the process is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The rest of the next line that begins like this.
    async fn line(&mut self, beginning: &str) -> String {
        let found = async {
            while let Some(line) = self.lines.recv().await {
                if let Some(rest) = line.strip_prefix(beginning) {
                    return Some(rest.to_owned());
                }
            }
            None
        };
        match tokio::time::timeout(PATIENCE, found).await {
            Ok(Some(rest)) => rest,
            Ok(None) => panic!("the service's process ended before it said {beginning:?}"),
            Err(_) => panic!("the service's process does not say {beginning:?}"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Cargo builds examples with the tests and puts them beside them.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own file");
    let folder = test.parent().and_then(std::path::Path::parent);
    let program = folder
        .expect("tests lie in a target folder")
        .join("examples/service");
    assert!(
        program.exists(),
        "{} is missing: run `cargo test -p quartett-tests`, or `cargo build -p quartett-tests --examples` \
         before a single test",
        program.display()
    );
    program
}
