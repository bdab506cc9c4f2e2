//! Runs rule cases: `cargo run -q -p quartett-engine --example scenario -- [--trace] FILE...`
//!
//! Prints `ID ok` or `ID` with the first difference, or with `--trace` one JSON line per case, and ends with
//! `N passed, M failed`; the exit status is 1 if any failed.
#![expect(clippy::print_stdout, reason = "a command line tool prints")]

#[path = "../tests/support/scenario/mod.rs"]
mod scenario;

use scenario::CaseFile;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (flags, files): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    let trace = flags.iter().any(|flag| flag == "--trace");
    let (mut passed, mut failed) = (0, 0);
    for path in &files {
        let read = std::fs::read_to_string(path).map_err(|error| error.to_string());
        let file = match read.and_then(|text| CaseFile::parse(&text)) {
            Ok(file) => file,
            Err(reason) => {
                println!("{path} cannot be read: {reason}");
                failed += 1;
                continue;
            }
        };
        for case in &file.cases {
            let outcome = file.play(case);
            match outcome.difference {
                Some(difference) => {
                    failed += 1;
                    println!("{} {difference}", case.id);
                }
                None => {
                    passed += 1;
                    if !trace {
                        println!("{} ok", case.id);
                    }
                }
            }
            if trace {
                println!("{}", outcome.trace);
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed > 0 || files.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
