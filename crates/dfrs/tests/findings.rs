//! What the analyses say about the examples, as `dfrs.md` says they should;
//! every finding about something that happens has a scenario, and so was run.

mod support;

use shall_dfrs::explore::{Budget, Environment};
use shall_dfrs::findings::{Grade, What, analyse};
use shall_dfrs::{Dfrs, Reading, Semantics};
use support::{NPP, PC, VM5, VM6, line, system, tis};

/// All findings but notes, one on each line, with the number of instants of the scenario.
fn check(name: &str, dfrs: &Dfrs, semantics: Semantics, environment: Environment, expected: &[&str]) {
    let analysis = analyse(dfrs, semantics, environment, Budget::default()).expect("finite");
    assert_eq!(analysis.stopped, None, "{name}");
    let lines: Vec<String> = analysis
        .findings
        .iter()
        .filter(|finding| finding.grade != Grade::Note)
        .map(|finding| line(dfrs, finding))
        .collect();
    assert_eq!(lines, expected, "{name} {semantics:?} {environment:?}");
    for finding in &analysis.findings {
        let silent = matches!(finding.what, What::NeverEnabled | What::DeadValue { .. });
        assert!(silent || finding.scenario.is_some(), "{name}: {}", line(dfrs, finding));
    }
}

const SYNCHRONOUS: Semantics =
    Semantics { reading: Reading::Synchronous, clock: shall_dfrs::Clock::Discrete };

#[test]
fn examples_under_the_default_reading() {
    let free = Environment::Free;
    for clock in [shall_dfrs::Clock::Discrete, shall_dfrs::Clock::Dense] {
        let semantics = Semantics { clock, ..SYNCHRONOUS };
        check("VM5", &system(VM5), semantics, free, &[]);
        check("VM6", &system(VM6), semantics, free, &[]);
        check(
            "TIS",
            &tis(17, 11),
            semantics,
            free,
            &[
                "Warning reset dropped: flashing_timer [REQ001] 3",
                "Warning reset dropped: flashing_timer [REQ010] 4",
                "Warning reset dropped: flashing_timer [REQ011] 4",
                "Warning reset dropped: flashing_timer [REQ012] 4",
                "Warning redundant like [] [REQ005] 2",
                "Warning redundant like [REQ004] [REQ009] 3",
                "Warning no way back: flashing_mode no flashing [REQ005] 2",
                "Warning never ends: indication_lights both [REQ006] 2",
            ],
        );
    }
    let lock = ["Error conflict on overridden_mode [REQ005 REQ008] 3", "Error TimeLock [REQ005 REQ008] 3"];
    check("NPP", &system(NPP), SYNCHRONOUS, free, &lock);
    let single = Environment::OneAtATime;
    check("NPP", &system(NPP), SYNCHRONOUS, single, &["Warning redundant like [] [REQ008] 3"]);
    let pc = [
        "Warning uncovered: left_priority_button = true & right_priority_button = true & was left_priority_button = false & was right_priority_button = false [] 2",
        "Warning redundant like [] [REQ007] 3",
        "Warning redundant like [] [REQ008] 3",
    ];
    check("PC", &system(PC), SYNCHRONOUS, free, &pc);
}

#[test]
fn milliseconds_are_no_harder_than_ticks() {
    let analysis =
        analyse(&tis(340, 220), SYNCHRONOUS, Environment::Free, Budget::default()).expect("finite");
    let ticks = analyse(&tis(17, 11), SYNCHRONOUS, Environment::Free, Budget::default()).expect("finite");
    assert_eq!(analysis.situations, ticks.situations);
}

#[test]
fn readings_differ() {
    let locks = ["Error conflict on overridden_mode [REQ005 REQ008] 4", "Error TimeLock [REQ005 REQ008] 4"];
    check("NPP", &system(NPP), Semantics::discrete(Reading::Literal), Environment::OneAtATime, &locks);
    for (name, text, differ) in [("VM5", VM5, false), ("PC", PC, false), ("NPP", NPP, true)] {
        let dfrs = system(text);
        let found = shall_dfrs::compare::difference(&dfrs, (Reading::Literal, Reading::Synchronous), 3_000)
            .expect("finite");
        assert_eq!(found.is_some(), differ, "{name}");
    }
    let rows =
        shall_dfrs::compare::summaries(&tis(17, 11), Environment::Free, Budget::default()).expect("finite");
    assert!(
        rows[0].order_matters > 0 && rows[1].order_matters > 0 && rows[2].order_matters == 0,
        "{rows:#?}"
    );
}

#[test]
fn tiny_examples_of_the_paper() {
    let one = |rules: &str| system(&format!("in i: bool = false\nout o: int = 0\ncomponent c\n{rules}"));
    let free = Environment::Free;
    let inconsistent = one("R1: i = true => o := 1\nR2: i = true => o := 2");
    check(
        "inconsistent",
        &inconsistent,
        SYNCHRONOUS,
        free,
        &["Error conflict on o [R1 R2] 2", "Error TimeLock [R1 R2] 2"],
    );
    let complete = one("R1: i = true => o := 1\nR2: i = false => o := 2");
    check("complete", &complete, SYNCHRONOUS, free, &["Warning no way back: o 0 [] 1"][1..]);
    let analysis = analyse(&complete, SYNCHRONOUS, free, Budget::default()).expect("finite");
    assert!(analysis.plainly_consistent && analysis.coverage.silent == 0);
    let unreachable = one("R1: i = true & i = false => o := 1");
    check(
        "unreachable",
        &unreachable,
        SYNCHRONOUS,
        free,
        &["Warning NeverEnabled [R1] -", "Warning dead value: o 1 [R1] -"],
    );
}

/// A light that goes off ten seconds after the button was pressed: pressing it again while the light is on does not give another ten.
#[test]
fn a_dropped_reset_is_named() {
    let dropped = |rules: &str, reading: Reading| -> Vec<String> {
        let text = "in button: bool = false\nout light: bool = false\ntimer since\ncomponent c\n";
        let light = system(&format!(
            "{text}{rules}\nOFF: light = true & since >= 10 & since <= 10 => light := false"
        ));
        let analysis = analyse(&light, Semantics::discrete(reading), Environment::Free, Budget::default())
            .expect("finite");
        let lines = analysis.findings.iter().map(|finding| line(&light, finding));
        lines.filter(|line| line.contains("reset dropped")).collect()
    };
    let event = "ON: was button = false & button = true => reset since; light := true";
    assert_eq!(dropped(event, Reading::Synchronous), ["Warning reset dropped: since [ON] 4"]);
    assert_eq!(dropped(event, Reading::Current), [""; 0]);
    let lasting = "ON: button = true => reset since; light := true";
    assert_eq!(dropped(lasting, Reading::Synchronous), ["Note reset dropped: since [ON] 3"]);
    // A reset that is a requirement of its own is not dropped.
    let split = "ON: was button = false & button = true => light := true\nR: was button = false & button = true => reset since";
    assert_eq!(dropped(split, Reading::Synchronous), [""; 0]);
}

#[test]
fn a_budget_is_kept() {
    let budget = Budget { nodes: 10, ..Budget::default() };
    let analysis = analyse(&system(PC), SYNCHRONOUS, Environment::Free, budget).expect("finite");
    assert!(analysis.stopped.is_some() && analysis.states == 10);
}

#[test]
fn restrictions_remove_what_never_happens() {
    let text = format!(
        "{NPP}\nnever was water_pressure >= 1000 & water_pressure < 1000 & blockage_button = true & was blockage_button = false"
    );
    let lines = ["Warning redundant like [] [REQ008] 3"];
    check("NPP", &system(&text), SYNCHRONOUS, Environment::Free, &lines);
}

#[test]
fn transition_system_of_the_vending_machine() {
    let dfrs = system(VM6);
    let machine = shall_dfrs::compile(&dfrs, SYNCHRONOUS).expect("finite");
    let tiots = shall_dfrs::tiots::tiots(&machine, &[1, 10], 100_000);
    assert!(
        tiots.complete && tiots.transitions.iter().all(|it| it.from < tiots.states && it.to < tiots.states)
    );
    let partial = shall_dfrs::tiots::tiots(&machine, &[1, 10], 50);
    assert!(!partial.complete && partial.states == 50);
}
