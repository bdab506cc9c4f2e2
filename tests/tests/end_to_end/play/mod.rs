//! Playing: what counts, what is seen, and what time does.

mod absence;
mod away;
mod deadlines;
mod exactly_once;
mod limits;
mod secrecy;
mod statements;
mod whole_matches;
