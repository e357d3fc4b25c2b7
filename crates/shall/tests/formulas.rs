//! Every example in `docs/formulas.md` can be read, and those that are said to mean the same do.
//!
//! An example is a code span in a column `example` of a table, or a line of a block with the language `formula`:
//! one formula, or two with `≡` between them.

use std::path::Path;
use std::process::Command;

/// What `shall compare` says about two formulas, and its exit code.
fn compare(left: &str, right: &str) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_shall"))
        .args(["compare", "--", left, right])
        .env("NO_COLOR", "1")
        .output()
        .expect("the program starts");
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), output.status.code().expect("an exit code"))
}

#[track_caller]
fn check(example: &str) {
    let (left, right) = example.split_once('≡').unwrap_or((example, example));
    let (said, code) = compare(left.trim(), right.trim());
    // A formula that was read may be undecided against itself, but two that are said to be equal must be.
    let undecided = code == 3 && left == right;
    assert!(undecided || code == 0 && said.contains("\nequal"), "{example}\n{said}");
}

#[test]
fn every_example_can_be_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formulas.md");
    let text = std::fs::read_to_string(path).expect("the page can be read");
    let (mut fence, mut column, mut examples) = (None, None, 0);
    for line in text.lines() {
        match (line.strip_prefix("```"), fence) {
            (Some(language), None) => fence = Some(language),
            (Some(_), Some(_)) => fence = None,
            (None, Some("formula")) => {
                check(line);
                examples += 1;
            }
            (None, Some(_)) => {}
            (None, None) => {
                // `\|` in a cell is not the end of it.
                let line = line.replace("\\|", "\0");
                let cells: Vec<&str> = line.split('|').map(str::trim).collect();
                if cells.len() < 2 {
                    column = None;
                } else if let Some(found) = cells.iter().position(|&cell| cell == "example") {
                    column = Some(found);
                } else if let Some(cell) = column.and_then(|column: usize| cells.get(column)) {
                    for example in cell.split('`').skip(1).step_by(2) {
                        check(&example.replace('\0', "|"));
                        examples += 1;
                    }
                }
            }
        }
    }
    assert!(examples > 60, "only {examples} examples were found");
}
