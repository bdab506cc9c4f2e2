//! Being told: streams, long polls, and the list of one's matches.

mod following;
mod instances;
mod long_polls;
mod my_matches;
