#![expect(clippy::cast_possible_truncation, reason = "there are at most six seats")]
//! Reads rule cases (see `tests/cases`), plays them and says the first difference.
//!
//! A case starts from an exact position, plays steps and says what must come out, line by line.

mod decks;
mod options;
mod position;
mod run;

use decks::SmallDeck;
use run::Run;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    #[serde(default)]
    decks: BTreeMap<String, SmallDeck>,
    /// The cases, in order.
    pub(crate) cases: Vec<Case>,
}

/// One worked case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// Its id.
    pub(crate) id: String,
    #[serde(default, rename = "title")]
    _title: Option<String>,
    mode: String,
    #[serde(default)]
    deck: Option<String>,
    seats: Vec<String>,
    turn: String,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    hands: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    stacks: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    board: Vec<String>,
    #[serde(default)]
    laid: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    score: BTreeMap<String, Score>,
    #[serde(default)]
    start_events: Option<Vec<String>>,
    #[serde(default)]
    steps: Vec<Step>,
    #[serde(default)]
    after: Map<String, Value>,
}

/// What was won before: how many, or which.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Score {
    Count(usize),
    Which(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    #[serde(rename = "do")]
    action: Vec<Value>,
    #[serde(default)]
    events: Option<Vec<String>>,
    #[serde(default)]
    rejection: Option<String>,
}

/// What came out of a case: what it printed, and the first difference from what it says.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// `{"id", "start_events", "steps", "after"}`.
    pub(crate) trace: Value,
    /// The first difference, if there is one.
    pub(crate) difference: Option<String>,
}

impl CaseFile {
    /// Reads YAML or JSON.
    pub(crate) fn parse(text: &str) -> Result<CaseFile, String> {
        serde_saphyr::from_str(text).map_err(|error| error.to_string())
    }

    /// Plays one case of the file.
    pub(crate) fn play(&self, case: &Case) -> Outcome {
        match case.set_up(&self.decks) {
            Ok((played, opening)) => Run::of(case, played).play(&opening),
            Err(reason) => Outcome {
                trace: json!({"id": case.id, "error": reason}),
                difference: Some(reason),
            },
        }
    }
}
