//! How much better each level of bots plays than the one below, in every game and with every number of seats.
//!
//! `cargo run --release -p quartett-engine --example strength -- 5000` plays the deals 0 to 4999 of each: every
//! deal twice with levels alternating by seat, exchanged the second time, on the deck the game was built for.
//! `share` is the paired share of wins (a shared win counts by share, equal strength gives one half). Under
//! rules version 1 it printed:
//!
//! ```text
//! game              seats  levels             share   95 % interval
//! duel_quartett         2  medium over easy    0.757   0.750 to 0.764
//! duel_quartett         2  hard   over medium  0.820   0.814 to 0.826
//! duel_quartett         3  medium over easy    0.821   0.814 to 0.827
//! duel_quartett         3  hard   over medium  0.869   0.864 to 0.875
//! duel_quartett         4  medium over easy    0.864   0.859 to 0.869
//! duel_quartett         4  hard   over medium  0.885   0.880 to 0.890
//! duel_quartett         5  medium over easy    0.857   0.852 to 0.862
//! duel_quartett         5  hard   over medium  0.870   0.865 to 0.875
//! duel_quartett         6  medium over easy    0.872   0.867 to 0.877
//! duel_quartett         6  hard   over medium  0.878   0.873 to 0.883
//! supertrump            2  medium over easy    0.997   0.995 to 0.998
//! supertrump            2  hard   over medium  0.790   0.783 to 0.797
//! supertrump            3  medium over easy    0.945   0.940 to 0.949
//! supertrump            3  hard   over medium  0.708   0.701 to 0.716
//! supertrump            4  medium over easy    0.947   0.942 to 0.951
//! supertrump            4  hard   over medium  0.693   0.685 to 0.701
//! supertrump            5  medium over easy    0.877   0.871 to 0.883
//! supertrump            5  hard   over medium  0.622   0.614 to 0.629
//! supertrump            6  medium over easy    0.887   0.881 to 0.893
//! supertrump            6  hard   over medium  0.653   0.645 to 0.661
//! pairs                 2  medium over easy    0.998   0.998 to 0.999
//! pairs                 2  hard   over medium  0.810   0.803 to 0.817
//! pairs                 3  medium over easy    0.998   0.998 to 0.999
//! pairs                 3  hard   over medium  0.722   0.714 to 0.731
//! pairs                 4  medium over easy    0.997   0.996 to 0.998
//! pairs                 4  hard   over medium  0.739   0.731 to 0.748
//! pairs                 5  medium over easy    0.997   0.996 to 0.998
//! pairs                 5  hard   over medium  0.691   0.682 to 0.700
//! pairs                 6  medium over easy    0.996   0.995 to 0.997
//! pairs                 6  hard   over medium  0.699   0.691 to 0.708
//! vdb_supertrumpf       2  medium over easy    0.999   0.999 to 1.000
//! vdb_supertrumpf       2  hard   over medium  0.847   0.841 to 0.853
//! vdb_supertrumpf       3  medium over easy    0.991   0.989 to 0.993
//! vdb_supertrumpf       3  hard   over medium  0.693   0.685 to 0.701
//! vdb_supertrumpf       4  medium over easy    0.992   0.990 to 0.994
//! vdb_supertrumpf       4  hard   over medium  0.684   0.676 to 0.692
//! vdb_quartett          3  medium over easy    0.814   0.807 to 0.820
//! vdb_quartett          3  hard   over medium  0.811   0.805 to 0.818
//! vdb_quartett          4  medium over easy    0.916   0.911 to 0.920
//! vdb_quartett          4  hard   over medium  0.837   0.831 to 0.844
//! ```

#![expect(clippy::print_stdout, reason = "printing the table is what it is for")]

#[path = "../tests/support/strength.rs"]
mod strength;

use strength::contests;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let deals = std::env::args().nth(1).map_or(Ok(5000), |deals| deals.parse())?;
    println!("game              seats  levels             share   95 % interval");
    for contest in contests() {
        println!("{contest}  {}", contest.play(deals));
    }
    Ok(())
}
