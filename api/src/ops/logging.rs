//! What the service writes to its log.

use std::io::IsTerminal;

use tracing::{Level, Metadata};
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::config::{Config, LogFormat};

/// Starts to log to standard error as configured; the first call of a process counts.
pub fn start(config: &Config) {
    let filter = EnvFilter::try_new(&config.log_filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let lines = match config.log_format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let started = tracing_subscriber::registry()
        .with(filter)
        .with(FilterFn::new(is_no_false_alarm))
        .with(lines)
        .try_init();
    // Fails only if a log was started before, which then goes on.
    drop(started);
}

/// Whatever somebody sends that is no HTTP, actix takes for an error of the service and says so: anybody could
/// raise alarms. It says the same at a lower level as well, which stays.
fn is_no_false_alarm(metadata: &Metadata<'_>) -> bool {
    *metadata.level() != Level::ERROR || !metadata.target().starts_with("actix_http::h1")
}
