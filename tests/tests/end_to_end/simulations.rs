//! Simulated matches from a seed: any game, seats, options and policies, with players who stay away, resign and
//! return, with restarts, and with requests that come twice at the same moment, on one instance and on two.
//! When all are over, what is stored and what is told is held against everything that must be true of it.
//!
//! 200 matches on each database, of which every ten share a world with its own database. Ten thousand:
//!
//! ```sh
//! SIMULATED_MATCHES=10000 cargo test --release -p quartett-tests --test end_to_end simulations -- --nocapture
//! ```
//!
//! A world that failed is named by its seed: `SIMULATION_SEED=<seed> SIMULATED_MATCHES=10` plays it alone.

use quartett_tests::simulation::{Tally, simulate};
use quartett_tests::{Database, both, simulated_matches, simulation_seed};

both!(simulated_matches_keep_every_promise);

/// How many matches share a world.
const MATCHES_PER_WORLD: usize = 10;

async fn simulated_matches_keep_every_promise(database: Database) {
    let matches = simulated_matches();
    let first_seed = simulation_seed();
    let mut tally = Tally::default();
    for (world, seed) in (0..matches.div_ceil(MATCHES_PER_WORLD)).zip(first_seed..) {
        let count = MATCHES_PER_WORLD.min(matches - world * MATCHES_PER_WORLD);
        let database = database.another().await;
        let played = tokio::spawn(async move { simulate(&database, seed, count).await });
        tally += played
            .await
            .unwrap_or_else(|_| panic!("the world of seed {seed} is broken"));
    }
    assert_eq!(tally.matches, matches);
    if matches >= 200 {
        let reached = [
            tally.actions,
            tally.duplicates,
            tally.conflicts,
            tally.deadlines,
            tally.resignations,
            tally.returns,
            tally.rematches,
            tally.abandoned,
            tally.restarts,
        ];
        assert!(
            reached.iter().all(|count| *count > 0),
            "everything happened: {tally:?}"
        );
    }
    quartett_tests::report(&format!("{tally:?}"));
}
