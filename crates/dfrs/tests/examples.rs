//! The example systems: each document lowers without errors to the system of its snapshot (`tests/systems`), its
//! entries read back from their own English, and all of it is fast. `UPDATE=1` writes the snapshots anew.

extern crate shall_dfrs as dfrs;

#[path = "../../export/tests/dfrs_common/mod.rs"]
mod common;

use common::{EXAMPLES, parse as system};
use shall_dfrs::{Dfrs, dump, english, lower, read};
use std::path::Path;
use std::time::Instant;

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/dfrs/{name}.req"));
    std::fs::read_to_string(path).expect("the example is there")
}

#[test]
fn snapshots() {
    for name in EXAMPLES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/systems/{name}.txt"));
        let lowered = lower(&read(&text(name)));
        assert_eq!(lowered.diagnostics, [], "{name}");
        let found = dump(&lowered.system.expect("no error, so there is a system"));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &found).expect("the snapshot can be written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(found, expected, "{name}");
    }
}

/// The entries without their places in the text.
fn shape(system: &Dfrs) -> String {
    dump(system)
        .lines()
        .map(|line| line.split_once(": ").map_or(line, |pair| pair.1))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn entries_read_back_from_their_english() {
    for name in EXAMPLES {
        let original = system(&text(name));
        let mut again = String::new();
        for (index, variable) in original.variables.iter().enumerate() {
            if variable.kind != shall_dfrs::Kind::Timer {
                let fact = english::fact(&original, index, shall_dfrs::Moment::Now, &variable.initial);
                again.push_str(&format!("Initially, {fact}.\n"));
            }
        }
        for function in &original.functions {
            for entry in &function.entries {
                again.push_str(&english::entry(&original, &function.component, entry));
                again.push('\n');
            }
        }
        let mut expected = original;
        expected.restrictions.clear();
        assert_eq!(shape(&system(&again)), shape(&expected), "{again}");
    }
}

/// Prints how long all examples take from text to system: `cargo test --release -p shall-dfrs speed -- --nocapture`.
#[test]
fn speed() {
    let texts = EXAMPLES.map(text);
    let start = Instant::now();
    let entries: usize = texts
        .iter()
        .map(|text| system(text).functions.iter().map(|found| found.entries.len()).sum::<usize>())
        .sum();
    println!("{entries} entries of {} systems in {:?}", texts.len(), start.elapsed());
}
