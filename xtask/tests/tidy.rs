//! The project keeps its own rules, and its generated documents are up to date.

use std::process::Command;

#[track_caller]
fn check(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_project_is_tidy() {
    check(&["tidy"]);
}

#[test]
fn generated_documents_are_up_to_date() {
    check(&["docs", "--check"]);
}
