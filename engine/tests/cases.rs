//! Every hand-worked case: exact lines, exact codes, exact order.

#[path = "support/scenario/mod.rs"]
mod scenario;

use scenario::CaseFile;

fn play(text: &str, cases: usize) {
    let file = CaseFile::parse(text).expect("the case file can be read");
    assert_eq!(file.cases.len(), cases, "cases were added or lost");
    let differences: Vec<String> = file
        .cases
        .iter()
        .filter_map(|case| {
            let outcome = file.play(case);
            outcome
                .difference
                .map(|difference| format!("{}: {difference}\n{}", case.id, outcome.trace))
        })
        .collect();
    assert!(differences.is_empty(), "{differences:#?}");
}

#[test]
fn duel_quartett() {
    play(include_str!("cases/duel_quartett.yaml"), 13);
}

#[test]
fn supertrump() {
    play(include_str!("cases/supertrump.yaml"), 10);
}

#[test]
fn pairs() {
    play(include_str!("cases/pairs.yaml"), 4);
}

#[test]
fn vdb_supertrumpf() {
    play(include_str!("cases/vdb_supertrumpf.yaml"), 8);
}

#[test]
fn vdb_quartett() {
    play(include_str!("cases/vdb_quartett.yaml"), 6);
}

#[test]
fn corners() {
    play(include_str!("cases/corners.yaml"), 59);
}
