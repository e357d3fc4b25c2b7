//! Compiling and running C programs with suites: the program of an example under the strictest warnings, and all of its mutants as one
//! program. Files are temporary and are removed.

use crate::{mutate, walks};
use export::harness;
use shall_dfrs::suite::Suite;
use shall_dfrs::{Dfrs, Semantics};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What became of the mutants of a C program.
pub(crate) struct Outcome {
    /// Mutants, without the program itself.
    pub(crate) mutants: usize,
    /// Told from the program by the suite.
    pub(crate) killed: usize,
    /// Told from it only by long random walks.
    pub(crate) missed: Vec<String>,
    /// Told from it by neither.
    pub(crate) alike: Vec<String>,
}

/// Where the example systems and their programs are.
pub(crate) fn place(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(of)
}

/// Reads an example system.
pub(crate) fn system(name: &str) -> Dfrs {
    let text =
        std::fs::read_to_string(place(&format!("../../examples/dfrs/{name}.req"))).expect("it is there");
    shall_dfrs::lower(&shall_dfrs::read(&text)).system.expect("it has no errors")
}

/// Whether there is a C compiler.
pub(crate) fn has_compiler() -> bool {
    Command::new("cc").arg("--version").output().is_ok_and(|it| it.status.success())
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("shall-suite-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is a place for temporary files");
    folder
}

fn compile(folder: &Path, arguments: &[&str]) {
    let found = Command::new("cc").current_dir(folder).args(arguments).output().expect("the compiler starts");
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
}

/// Runs a suite on the program of an example; what it says if it fails.
pub(crate) fn passes(name: &str, dfrs: &Dfrs, suite: &Suite) -> Result<(), String> {
    let folder = folder(&format!("{name}-{}", suite.cases.len()));
    let write =
        |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("files can be written");
    write("tested.h", &harness::header(dfrs));
    write("suite.c", &harness::c(dfrs, suite));
    let program = place(&format!("tests/reference/{name}.c"));
    let program = program.to_string_lossy();
    let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I."];
    compile(&folder, &[&strict[..], &["-o", "test", "suite.c", &program]].concat());
    let found = Command::new(folder.join("test")).output().expect("the test starts");
    let said = String::from_utf8_lossy(&found.stdout).into_owned();
    std::fs::remove_dir_all(&folder).ok();
    if found.status.success() { Ok(()) } else { Err(said) }
}

/// Runs a suite on at most `most` mutants of the program of an example, and random walks on those that survive.
pub(crate) fn mutants(
    name: &str,
    dfrs: &Dfrs,
    semantics: Semantics,
    suite: &Suite,
    most: usize,
    walks: usize,
) -> Outcome {
    let folder = folder(&format!("{name}-mutants"));
    let write =
        |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("files can be written");
    let text = std::fs::read_to_string(place(&format!("tests/reference/{name}.c"))).expect("it is there");
    let mutants = mutate::sample(mutate::mutants(&text), most);
    write("tested.h", &harness::header(dfrs));
    write("suite.c", &harness::c(dfrs, suite));
    write("walks.c", &harness::c(dfrs, &walks::walks(dfrs, semantics, walks, 60)));
    write("mutants.c", &mutate::program(&mutants));
    compile(&folder, &["-std=c99", "-w", "-I.", "-Dmain=run_suite", "-c", "suite.c"]);
    compile(&folder, &["-std=c99", "-w", "-I.", "-Dmain=run_walks", "-c", "walks.c"]);
    compile(&folder, &["-std=c99", "-w", "-I.", "-o", "test", "mutants.c", "suite.o", "walks.o"]);
    let found = Command::new(folder.join("test")).output().expect("the test starts");
    std::fs::remove_dir_all(&folder).ok();
    let mut outcome =
        Outcome { mutants: mutants.len() - 1, killed: 0, missed: Vec::new(), alike: Vec::new() };
    let said = String::from_utf8_lossy(&found.stdout).into_owned();
    let results: Vec<Vec<&str>> = said
        .lines()
        .filter_map(|line| line.strip_prefix('='))
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(results.len(), mutants.len(), "every mutant runs to its end");
    for (mutant, result) in mutants.iter().zip(results) {
        match (result[1], result[2]) {
            ("1", _) => outcome.killed += 1,
            (_, "1") => outcome.missed.push(mutant.words.clone()),
            _ if result[0] == "0" => {}
            _ => outcome.alike.push(mutant.words.clone()),
        }
    }
    outcome
}
