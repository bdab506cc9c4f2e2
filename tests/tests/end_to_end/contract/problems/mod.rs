//! Requests that do not fit are refused as the document says, whatever the operation: what is sent is made
//! from the document itself.

mod addresses;
mod bodies;
mod matches;
mod scene;
mod tokens;
