//! Players to each other: their names, whom they block, and that they can go.

mod blocks;
mod erasure;
mod names;
