//! What the tests take from the environment.

/// `TEST_DATABASE_URL`: a Postgres server to run on, instead of a private one.
pub(crate) fn test_database_url() -> Option<String> {
    variable("TEST_DATABASE_URL")
}

/// `REQUIRE_POSTGRES=1`: without Postgres the tests fail, they do not run on SQLite alone.
pub(crate) fn requires_postgres() -> bool {
    variable("REQUIRE_POSTGRES").is_some_and(|value| value == "1")
}

/// `SIMULATED_MATCHES`: how many matches are simulated on each database; 200 if nothing is said.
#[must_use]
pub fn simulated_matches() -> usize {
    let matches =
        variable("SIMULATED_MATCHES").map(|text| text.parse().expect("SIMULATED_MATCHES is a number"));
    matches.unwrap_or(200)
}

/// `SIMULATION_SEED`: the seed of the first world that is simulated; 1 if nothing is said.
#[must_use]
pub fn simulation_seed() -> u64 {
    let seed = variable("SIMULATION_SEED").map(|text| text.parse().expect("SIMULATION_SEED is a number"));
    seed.unwrap_or(1)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one reader of the tests' environment"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
