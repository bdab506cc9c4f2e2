//! A match to watch: `quartett demo`.

/// Why the demo cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// It is not part of this build yet.
    #[error("the demo is not part of this build yet")]
    Absent,
}

/// Plays a match against a service of its own.
///
/// # Errors
///
/// [`DemoError`] when it cannot be shown.
pub async fn run() -> Result<(), DemoError> {
    Err(DemoError::Absent)
}
