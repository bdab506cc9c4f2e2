//! The environment, read once: every setting of the service, checked together.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `DATABASE_URL` | `postgres://…` or `sqlite://path` | `sqlite://./quartett.db` |
//! | `LISTEN` | address and port; port 0 takes a free one | `127.0.0.1:8080` |
//! | `PUBLIC_URL` | how clients reach the service; it names the issuer of tokens | none: tokens are issued by `quartett` |
//! | `SEAL_KEY` | 64 hex digits that seal private keys and seeds | required with Postgres; else made beside the SQLite file |
//! | `SEAL_KEY_NEW` | 64 hex digits, for `quartett keys reseal` alone | none |
//! | `POOL_SIZE` | connections to Postgres, or readers of the SQLite file | 16, or 4 |
//! | `RATE_LIMITS` | `on` or `off` | `on` |
//! | `LOG_FORMAT` | `text` or `json` | `text` |
//! | `RUST_LOG` | what to log, in the words of `tracing-subscriber` | `info`, less of libraries |
//! | `METRICS_LISTEN` | address and port of the metrics listener; nothing is served there yet | none |
//! | `CORS_ORIGINS` | origins of web frontends, separated by commas | none |
//! | `TRUSTED_PROXIES` | addresses or networks whose `X-Forwarded-For` is believed, separated by commas | none |
//! | `WAITING_SECONDS` | how long a match waits for players before it is cancelled | 1209600, fourteen days |
//! | `PASSWORD_MEMORY_KIB` | memory of one password hash | 19456, which is also the least |
//! | `PASSWORD_PASSES` | passes of one password hash | 2, which is also the least |

mod network;
mod seal_key;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

pub use network::{InvalidNetwork, Network};
pub use seal_key::{InvalidSealKey, SealKey};

/// What the libraries say about their own starting and stopping helps nobody.
const DEFAULT_LOG_FILTER: &str = "info,actix_server=warn,sea_orm_migration=warn";

/// Where matches are stored.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseLocation {
    /// A Postgres database, as a URL that may hold a password.
    Postgres(String),
    /// A file of its own, for one instance.
    Sqlite(PathBuf),
}

impl std::fmt::Debug for DatabaseLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            // The URL may hold a password, and settings are printed in logs and panics.
            Self::Postgres(_) => f.write_str("Postgres(..)"),
            Self::Sqlite(path) => f.debug_tuple("Sqlite").field(path).finish(),
        }
    }
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines: one JSON object per line.
    Json,
}

/// What one password hash costs (Argon2id, one lane).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordCost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over that memory.
    pub passes: u32,
}

impl PasswordCost {
    /// The least that is allowed: 19 MiB and two passes.
    pub const LEAST: Self = Self {
        memory_kib: 19 * 1024,
        passes: 2,
    };
}

/// Every setting of the service.
#[derive(Debug, Clone)]
pub struct Config {
    /// `DATABASE_URL`
    pub database: DatabaseLocation,
    /// `LISTEN`
    pub listen: SocketAddr,
    /// `PUBLIC_URL`, without a slash at its end
    pub public_url: Option<String>,
    /// `SEAL_KEY`
    pub seal_key: Option<SealKey>,
    /// `SEAL_KEY_NEW`
    pub seal_key_new: Option<SealKey>,
    /// `POOL_SIZE`
    pub pool_size: u32,
    /// `RATE_LIMITS`
    pub rate_limits: bool,
    /// `LOG_FORMAT`
    pub log_format: LogFormat,
    /// `RUST_LOG`
    pub log_filter: String,
    /// `METRICS_LISTEN`
    pub metrics_listen: Option<SocketAddr>,
    /// `CORS_ORIGINS`
    pub cors_origins: Vec<String>,
    /// `TRUSTED_PROXIES`
    pub trusted_proxies: Vec<Network>,
    /// `WAITING_SECONDS`
    pub waiting_seconds: u32,
    /// `PASSWORD_MEMORY_KIB` and `PASSWORD_PASSES`
    pub password_cost: PasswordCost,
    /// Threads that answer requests: one per processor.
    pub workers: usize,
}

/// Everything that is wrong with the environment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.faults))]
pub struct ConfigError {
    /// One line per wrong variable.
    pub faults: Vec<String>,
}

fn lines(faults: &[String]) -> String {
    let mut text = "the environment cannot be used:".to_owned();
    for fault in faults {
        text.push_str("\n  ");
        text.push_str(fault);
    }
    text
}

impl Config {
    /// Reads the environment of this process.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] with every fault at once.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one reader of the environment"
    )]
    pub fn from_environment() -> Result<Self, ConfigError> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// Reads the variables that `lookup` knows; an empty one counts as absent.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] with every fault at once.
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let mut reader = Reader {
            lookup,
            faults: Vec::new(),
        };
        let database = reader
            .read("DATABASE_URL", database)
            .unwrap_or_else(default_database);
        let on_postgres = matches!(database, DatabaseLocation::Postgres(_));
        let seal_key: Option<SealKey> = reader.parse("SEAL_KEY");
        if on_postgres && seal_key.is_none() && !reader.is_set("SEAL_KEY") {
            reader
                .faults
                .push("SEAL_KEY is required with Postgres: 64 hex digits, the same on every instance".into());
        }
        let config = Self {
            database,
            listen: reader
                .parse("LISTEN")
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            public_url: reader.read("PUBLIC_URL", public_url),
            seal_key,
            seal_key_new: reader.parse("SEAL_KEY_NEW"),
            pool_size: reader
                .number("POOL_SIZE", 2, 1000)
                .unwrap_or(if on_postgres { 16 } else { 4 }),
            rate_limits: reader.read("RATE_LIMITS", on_or_off).unwrap_or(true),
            log_format: reader.read("LOG_FORMAT", log_format).unwrap_or(LogFormat::Text),
            log_filter: reader
                .value("RUST_LOG")
                .unwrap_or_else(|| DEFAULT_LOG_FILTER.to_owned()),
            metrics_listen: reader.parse("METRICS_LISTEN"),
            cors_origins: reader.list("CORS_ORIGINS", origin),
            trusted_proxies: reader.list("TRUSTED_PROXIES", |text| {
                text.parse().map_err(|fault: InvalidNetwork| fault.to_string())
            }),
            waiting_seconds: reader
                .number("WAITING_SECONDS", 60, 366 * 24 * 3600)
                .unwrap_or(14 * 24 * 3600),
            password_cost: PasswordCost {
                memory_kib: reader
                    .number("PASSWORD_MEMORY_KIB", PasswordCost::LEAST.memory_kib, 1024 * 1024)
                    .unwrap_or(PasswordCost::LEAST.memory_kib),
                passes: reader
                    .number("PASSWORD_PASSES", PasswordCost::LEAST.passes, 64)
                    .unwrap_or(PasswordCost::LEAST.passes),
            },
            workers: std::thread::available_parallelism().map_or(2, std::num::NonZero::get),
        };
        if reader.faults.is_empty() {
            Ok(config)
        } else {
            Err(ConfigError {
                faults: reader.faults,
            })
        }
    }

    /// Who issues tokens: the same on every instance.
    #[must_use]
    pub fn issuer(&self) -> &str {
        self.public_url.as_deref().unwrap_or("quartett")
    }
}

/// Looks variables up and collects what is wrong with them.
struct Reader<L> {
    lookup: L,
    faults: Vec<String>,
}

impl<L: Fn(&str) -> Option<String>> Reader<L> {
    fn value(&self, name: &str) -> Option<String> {
        (self.lookup)(name)
            .map(|value| value.trim().to_owned())
            .filter(|value| !value.is_empty())
    }

    fn is_set(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    fn read<T>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        match parse(&self.value(name)?) {
            Ok(value) => Some(value),
            Err(fault) => {
                // The value itself is not repeated: it may be a secret in the wrong variable.
                self.faults.push(format!("{name}: {fault}"));
                None
            }
        }
    }

    fn parse<T: FromStr<Err: std::fmt::Display>>(&mut self, name: &str) -> Option<T> {
        self.read(name, |text| {
            text.parse().map_err(|fault: T::Err| fault.to_string())
        })
    }

    fn number(&mut self, name: &str, least: u32, most: u32) -> Option<u32> {
        self.read(name, |text| {
            text.parse()
                .ok()
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| format!("expected a number from {least} to {most}"))
        })
    }

    fn list<T>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, String>) -> Vec<T> {
        self.read(name, |text| {
            text.split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(&parse)
                .collect()
        })
        .unwrap_or_default()
    }
}

fn default_database() -> DatabaseLocation {
    DatabaseLocation::Sqlite(PathBuf::from("./quartett.db"))
}

fn database(text: &str) -> Result<DatabaseLocation, String> {
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        return Ok(DatabaseLocation::Postgres(text.to_owned()));
    }
    match text.strip_prefix("sqlite://") {
        Some(path) if !path.is_empty() && !path.contains([':', '?']) => {
            Ok(DatabaseLocation::Sqlite(PathBuf::from(path)))
        }
        Some(_) | None => Err("expected postgres://… or sqlite://path".to_owned()),
    }
}

fn public_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    match rest {
        Some(rest) if !rest.is_empty() && !rest.contains(['?', '#', ' ']) => Ok(url.to_owned()),
        Some(_) | None => Err("expected http://… or https://… without query".to_owned()),
    }
}

fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected on or off".to_owned()),
    }
}

fn log_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("expected text or json".to_owned()),
    }
}

fn origin(text: &str) -> Result<String, String> {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    match rest {
        Some(host) if !host.is_empty() && !host.contains(['/', '*', ' ']) => Ok(text.to_ascii_lowercase()),
        Some(_) | None => Err("expected origins such as https://play.example".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, DatabaseLocation, LogFormat, PasswordCost};

    fn read(pairs: &[(&str, &str)]) -> Result<Config, Vec<String>> {
        Config::read(|name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
        .map_err(|error| error.faults)
    }

    #[test]
    fn an_empty_environment_runs_on_a_file_for_this_machine_alone() {
        let config = read(&[]).unwrap();
        assert_eq!(config.database, DatabaseLocation::Sqlite("./quartett.db".into()));
        assert!(config.listen.ip().is_loopback());
        assert!(config.rate_limits);
        assert_eq!(config.password_cost, PasswordCost::LEAST);
        assert_eq!(config.issuer(), "quartett");
    }

    #[test]
    fn every_fault_is_told_at_once_and_no_value_is_repeated() {
        let faults = read(&[
            ("DATABASE_URL", "postgres://user:hunter2@db/quartett"),
            ("LISTEN", "everywhere"),
            ("POOL_SIZE", "0"),
            ("RATE_LIMITS", "maybe"),
            ("CORS_ORIGINS", "*"),
            ("TRUSTED_PROXIES", "10.0.0.0/64"),
            ("PASSWORD_MEMORY_KIB", "1024"),
        ])
        .unwrap_err();
        let all = faults.join("\n");
        for name in [
            "SEAL_KEY",
            "LISTEN",
            "POOL_SIZE",
            "RATE_LIMITS",
            "CORS_ORIGINS",
            "TRUSTED_PROXIES",
            "PASSWORD_MEMORY_KIB",
        ] {
            assert!(all.contains(name), "{name} is not among the faults:\n{all}");
        }
        assert!(!all.contains("hunter2") && !all.contains("everywhere"));
    }

    #[test]
    fn a_full_environment_is_read() {
        let config = read(&[
            ("DATABASE_URL", "postgres://db/quartett"),
            ("SEAL_KEY", &"ab".repeat(32)),
            ("PUBLIC_URL", "https://play.example/"),
            ("LOG_FORMAT", "json"),
            ("CORS_ORIGINS", "https://a.example, https://b.example"),
            ("TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8"),
        ])
        .unwrap();
        assert_eq!(config.issuer(), "https://play.example");
        assert_eq!(config.log_format, LogFormat::Json);
        assert_eq!(config.cors_origins.len(), 2);
        assert_eq!(config.trusted_proxies.len(), 2);
        assert!(!format!("{config:?}").contains("abab"), "the seal key is printed");
    }
}
