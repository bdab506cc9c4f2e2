//! How much better each level of bots plays than the one below, in every game and with every number of seats.
//!
//! `cargo run --release -p quartett-engine --example strength -- 2000` plays the deals 0 to 1999 of each.

#![expect(clippy::print_stdout, reason = "printing the table is what it is for")]

#[path = "../tests/support/strength.rs"]
mod strength;

use strength::contests;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let deals = std::env::args().nth(1).map_or(Ok(2000), |deals| deals.parse())?;
    println!("game              seats  levels             share   95 % interval");
    for contest in contests() {
        println!("{contest}  {}", contest.play(deals));
    }
    Ok(())
}
