//! Suites of the example systems: everything that can be covered is, every mutant is killed or equivalent, and another engine
//! ([`dfrs::replay`]) agrees: with cases on the system, with kills on mutants, and with equivalence on long random walks.

#[path = "suite_c/walks.rs"]
mod walks;

use shall_dfrs::replay::{Reason, Verdict, replay};
use shall_dfrs::step::Refusal;
use shall_dfrs::suite::{Case, Fate, Obligation, Options, Status, Suite, Tally, csv, generate};
use shall_dfrs::vectors::read_vectors;
use shall_dfrs::{Dfrs, Reading, Semantics, lower, read};
use std::path::Path;

fn example(name: &str) -> Dfrs {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/dfrs/{name}.req"));
    system(&std::fs::read_to_string(path).expect("the example is there"))
}

fn system(text: &str) -> Dfrs {
    let lowered = lower(&read(text));
    lowered.system.unwrap_or_else(|| panic!("{:#?}", lowered.diagnostics))
}

fn suite(dfrs: &Dfrs) -> Suite {
    generate(dfrs, Options::default()).expect("it is finite")
}

fn verdicts(dfrs: &Dfrs, semantics: Semantics, cases: &[Case]) -> Vec<Verdict> {
    let vectors = read_vectors(dfrs, &csv(dfrs, cases)).expect("what is written can be read");
    replay(dfrs, semantics, &vectors).into_iter().map(|it| it.verdict).collect()
}

/// What cannot be covered, in words.
fn uncovered(dfrs: &Dfrs, suite: &Suite) -> Vec<String> {
    let open = suite.obligations.iter().filter(|it| !it.0.pair() && !matches!(it.1, Status::Covered(_)));
    open.map(|(obligation, status)| format!("{status:?}: {}", obligation.words(dfrs))).collect()
}

fn check(name: &str, expected: &[&str]) {
    let dfrs = example(name);
    let suite = suite(&dfrs);
    assert_eq!(uncovered(&dfrs, &suite), expected, "{name}");
    for kind in [Obligation::fires, Obligation::decides, Obligation::bound, Obligation::pair] {
        assert_eq!(suite.tally(kind).unknown, 0, "{name}");
    }
    assert_eq!(suite.score().unknown, 0, "{name}");
    assert!(suite.vectors() <= 20 * dfrs.requirements.len(), "{name}: {} vectors", suite.vectors());
    let found = verdicts(&dfrs, Semantics::default(), &suite.cases);
    assert!(found.iter().all(|it| *it == Verdict::Deterministic), "{name}");
    let walks = walks::walks(&dfrs, Semantics::default(), 10, 60);
    for (number, (mutant, fate)) in suite.mutants.iter().enumerate() {
        let body = mutant.apply(&dfrs);
        let why = || format!("{name} {}: {}", dfrs.requirements[mutant.requirement].id, mutant.words);
        match fate {
            Fate::Killed(case) if number % 4 == 0 => {
                let found = verdicts(&body, Semantics::default(), &suite.cases[*case..=*case]);
                assert_ne!(found, [Verdict::Deterministic], "{}", why());
            }
            Fate::Killed(_) => {}
            Fate::Equivalent => {
                // A mutant may ask to be sampled sooner; that is no difference.
                for verdict in verdicts(&body, Semantics::default(), &walks.cases) {
                    let late = matches!(&verdict, Verdict::Wrong(it) if matches!(it.reason, Reason::Delay(Refusal::Late(_))));
                    assert!(late || verdict == Verdict::Deterministic, "{}: {verdict:?}", why());
                }
            }
            Fate::Unknown => panic!("{}", why()),
        }
    }
}

#[test]
fn vending_machines() {
    check(
        "vending_machine_5",
        &[
            "Unreachable: REQ004: `the request timer is lower than or equal to 30.0` fails and decides",
            "Unreachable: REQ004: `the request timer is lower than or equal to 30.0` at 31",
            "Unreachable: REQ005: `the request timer is lower than or equal to 50.0` fails and decides",
            "Unreachable: REQ005: `the request timer is lower than or equal to 50.0` at 51",
        ],
    );
    check(
        "vending_machine_6",
        &[
            "Unreachable: REQ004: `the request timer is lower than or equal to 30` fails and decides",
            "Unreachable: REQ004: `the request timer is lower than or equal to 30` at 31",
            "Unreachable: REQ005: `the request timer is lower than or equal to 50` fails and decides",
            "Unreachable: REQ005: `the request timer is lower than or equal to 50` at 51",
            "Unreachable: REQ006: `the request timer is equal to 3` at 4",
        ],
    );
}

#[test]
fn safety_injection() {
    check(
        "safety_injection",
        &[
            "Unreachable: REQ001: `the water pressure was lower than 900` fails and decides",
            "Unreachable: REQ002: `the water pressure was lower than 1000` fails and decides",
            "Unreachable: REQ003: `the water pressure was greater than or equal to 900` fails and decides",
            "Unreachable: REQ004: `the water pressure was greater than or equal to 1000` fails and decides",
            "Ambiguous: REQ008 reacts",
        ],
    );
}

#[test]
fn priority_command() {
    check("priority_command", &["Unreachable: REQ007 reacts", "Unreachable: REQ008 reacts"]);
}

#[test]
fn turn_indicator() {
    check(
        "turn_indicator",
        &[
            "Unreachable: REQ005 reacts",
            "Unreachable: REQ015: `the turn indicator lever was not idle` fails and decides",
            "Unreachable: REQ016: `the emergency flashing was not off` fails and decides",
            "Unreachable: REQ017: `the emergency flashing was not off` fails and decides",
        ],
    );
}

#[test]
fn other_readings_have_suites_too() {
    for reading in Reading::ALL {
        for name in ["vending_machine_5", "priority_command"] {
            let dfrs = example(name);
            let suite = generate(&dfrs, Options { reading, ..Options::default() }).expect("it is finite");
            let found = verdicts(&dfrs, Semantics::discrete(reading), &suite.cases);
            assert!(found.iter().all(|it| *it == Verdict::Deterministic), "{name} {reading:?}");
            assert_eq!(suite.score().unknown, 0, "{name} {reading:?}");
            assert_eq!(suite.tally(Obligation::fires).unknown, 0, "{name} {reading:?}");
        }
    }
}

#[test]
fn systems_without_tests() {
    let contradiction = "When input1 is true, the system shall assign 1 to output1.\n\
                         When input1 is true, the system shall assign 2 to output1.";
    let found = suite(&system(contradiction));
    assert_eq!(found.tally(Obligation::fires), Tally { ambiguous: 2, ..Tally::default() });
    let never = "When input1 is true, and input1 is false, the system shall assign 1 to output1.";
    let found = suite(&system(never));
    assert_eq!(found.tally(Obligation::fires), Tally { unreachable: 1, ..Tally::default() });
}

#[test]
fn a_suite_is_the_same_every_time() {
    let dfrs = example("vending_machine_6");
    assert_eq!(suite(&dfrs), suite(&dfrs));
}
