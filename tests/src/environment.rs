//! What the tests take from the environment.

/// `TEST_DATABASE_URL`: a Postgres server to run on, instead of a private one.
pub(crate) fn test_database_url() -> Option<String> {
    variable("TEST_DATABASE_URL")
}

/// `REQUIRE_POSTGRES=1`: without Postgres the tests fail, they do not run on SQLite alone.
pub(crate) fn requires_postgres() -> bool {
    variable("REQUIRE_POSTGRES").is_some_and(|value| value == "1")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one reader of the tests' environment"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
