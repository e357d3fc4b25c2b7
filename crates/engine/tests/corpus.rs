//! The corpus of Lustre programs (`crates/lustre/tests/programs`): engines find the verdicts that the comments expect, and every
//! piece of evidence is checked once more. `expect unknown` is about search and simulation: there engines may know more.

mod support;

use lustre::{Callees, Options, read};
use shall_engine::{Answer, Config, Connect, Engine, NoSolver, verify};
use std::path::Path;
use support::{judged, seconds, z3};
use system::System;

/// What a program expects of a property: that it holds, or the step at which it fails first.
type Expected = (String, Result<(), usize>);

fn programs() -> Vec<(String, System, Vec<Expected>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lustre/tests/programs");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let comments: Vec<&str> = text.lines().filter_map(|it| it.strip_prefix("-- ")).collect();
        let valid = comments.iter().filter_map(|it| it.strip_prefix("expect valid "));
        let invalid =
            comments.iter().filter_map(|it| it.strip_prefix("expect invalid ")?.rsplit_once(" at "));
        let expected: Vec<Expected> = valid
            .map(|name| (name.to_owned(), Ok(())))
            .chain(invalid.map(|(name, step)| (name.to_owned(), Err(step.parse().unwrap()))))
            .collect();
        let contract = comments.contains(&"callees contract");
        let callees = if contract { Callees::Contract } else { Callees::Inline };
        let program = read(&text, &|_| None);
        let nodes = program.nodes();
        let there = |name: &str| {
            ["node ", "function ", "rec ", "lemma "].iter().any(|it| text.contains(&format!("{it}{name}(")))
        };
        let node =
            nodes.iter().find(|it| it.main).or(nodes.iter().rfind(|it| !it.imported && there(&it.name)));
        let Some(node) = node.filter(|_| !expected.is_empty()) else { continue };
        let system = program.system(&node.name, &Options { callees, only: None }).unwrap();
        found.push((file.file_name().unwrap().to_string_lossy().into_owned(), system, expected));
    }
    found
}

/// The verdicts of engines on all programs. What is said must be right; gives what is not said.
fn run(solver: &dyn Connect, time: u64) -> (usize, Vec<String>) {
    let (mut count, mut open) = (0, Vec::new());
    for (name, system, expected) in programs() {
        let places: Vec<usize> = expected
            .iter()
            .map(|(name, _)| system.properties.iter().position(|it| it.name == *name).unwrap())
            .collect();
        let left = seconds(time);
        let verdicts = verify(&system, &places, &Config::new(&left, solver));
        for (verdict, (property, expected)) in verdicts.iter().zip(&expected) {
            count += 1;
            match (judged(&system, verdict, solver), expected, &verdict.answer) {
                (Some(true), Ok(()), _) => {}
                (Some(false), Err(step), Answer::Invalid(it)) => {
                    assert!(it.run.steps.len() > *step, "{name}: {property} fails before {step}");
                }
                (None, _, answer) => open.push(format!("{name}: {property}: {answer:?}")),
                (found, _, _) => panic!("{name}: {property}: {found:?}, expected {expected:?}\n{system}"),
            }
        }
    }
    (count, open)
}

#[test]
fn with_a_solver_all_are_decided() {
    let Some(z3) = z3() else { return };
    let (count, open) = run(&z3, 20);
    assert!(count >= 80, "{count}");
    assert!(open.is_empty(), "{}", open.join("\n"));
}

#[test]
fn without_a_solver_nothing_wrong_is_said() {
    let (count, open) = run(&NoSolver, 1);
    assert!(open.len() * 3 < count, "{} of {count} are open:\n{}", open.len(), open.join("\n"));
}

/// Saturating counters, an automaton with many states and a protocol with any number of participants need the linear relations that
/// the invariants find: the other engines alone do not decide them.
#[test]
fn hard_programs_need_invariants() {
    let Some(z3) = z3() else { return };
    let others: Vec<Engine> = Engine::ALL.into_iter().filter(|it| *it != Engine::Invariants).collect();
    let hard = [
        ("hard_automaton.lus", "balance"),
        ("hard_protocol.lus", "all counted"),
        ("hard_saturating.lus", "on time"),
    ];
    let programs = programs();
    for (file, property) in hard {
        let (_, system, _) = programs.iter().find(|it| it.0 == file).unwrap();
        let place = system.properties.iter().position(|it| it.name == property).unwrap();
        let left = seconds(3);
        let without = Config { engines: &others, ..Config::new(&left, &z3) };
        let verdicts = verify(system, &[place], &without);
        assert_eq!(judged(system, &verdicts[0], &z3), None, "{file}: decided without invariants");
    }
}
