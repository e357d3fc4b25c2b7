//! Test vectors against the example systems: Table 3 of the paper, and what is wrong with a wrong row. The public
//! vectors are replayed by `cargo xtask conformance`.

mod support;

use shall_dfrs::replay::{Verdict, replay};
use shall_dfrs::vectors::read_vectors;
use shall_dfrs::{Dfrs, Reading, Semantics};
use support::{NPP, VM5, VM6, system, tis};

/// What each case comes to, separated by `; `.
fn outcome(dfrs: &Dfrs, semantics: Semantics, text: &str) -> String {
    let vectors = match read_vectors(dfrs, text) {
        Ok(vectors) => vectors,
        Err(problem) => return format!("{}:{}: {}", problem.line, problem.column, problem.message),
    };
    let verdicts = replay(dfrs, semantics, &vectors).into_iter().map(|report| match report.verdict {
        Verdict::Deterministic => "sure".to_owned(),
        Verdict::Possible { line } => format!("possible, line {line}"),
        Verdict::Wrong(wrong) => format!("line {}, {}", wrong.line, wrong.words(dfrs)),
    });
    verdicts.collect::<Vec<_>>().join("; ")
}

fn check(dfrs: &Dfrs, reading: Reading, text: &str, expected: &str) {
    assert_eq!(outcome(dfrs, Semantics::discrete(reading), text), expected, "{reading:?}: {text}");
}

/// Table 3, with the one lights output of the public variant.
const TABLE_3: &str =
    "TIME (ms),the voltage,the emergency flashing,the turn indicator lever,the indication lights
0,80,off,right,off
7918,81,off,left,left
8258,81,off,left,off
8478,81,off,left,left
8818,81,off,left,off
";

#[test]
fn table_3_of_the_paper() {
    let dfrs = tis(340, 220);
    check(&dfrs, Reading::Synchronous, TABLE_3, "sure");
    let literal = outcome(&dfrs, Semantics::discrete(Reading::Literal), TABLE_3);
    assert!(literal == "sure" || literal.starts_with("possible"), "{literal}");
    // The previous mode stays what it was, so that REQ002 reacts at every sample and the timer never gets old.
    let current = outcome(&dfrs, Semantics::discrete(Reading::Current), TABLE_3);
    assert!(current.starts_with("line 4, at time 8258: "), "{current}");
    assert_eq!(outcome(&dfrs, Semantics::dense(Reading::Synchronous), TABLE_3), "sure");
}

#[test]
fn what_is_wrong_is_said() {
    let vm = system(VM5);
    let header = "time,The_Coin_Sensor,I: the coffee-request button,O: the_system_mode,coffee_machine_output,the_request_timer";
    for (rows, expected) in [
        (
            "0,0,0,1,0,0\n2,1,0,choice,strong,0\n4,0,0,choice,0,0\n5,0,1,preparing weak coffee,0,0\n15,0,0,idle,weak,0",
            "sure",
        ),
        (
            "0,0,0,1,0,0\n69,0,1,2,0,0",
            "line 3, at time 69: `system_mode` is idle, not preparing strong coffee (no requirement reacts)",
        ),
        ("0,0,0,1,0,0\n2,1,0,1,0,0", "line 3, at time 2: `system_mode` is choice, not idle (by REQ001)"),
        (
            "0,0,0,1,0,0\n2,1,0,0,0,0\n3,0,0,0,0,0\n4,0,1,3,0,0\n35,0,0,1,1,0",
            "line 6, at time 35: REQ004 has to react after at most 30",
        ),
        ("0,0,0,1,0,0\n0,0,0,1,0,0", "line 3, at time 0: time does not advance"),
        ("0,0,0,5,0,0", "2:4: `5` is not a value of `system_mode` that the requirements know"),
        ("0,0,maybe,0,0,0", "2:3: `maybe` is not a value of `coffee_request_button`"),
        ("now,0,0,0,0,0", "2:1: `now` is not a time"),
        ("0,0", "2:0: 2 fields, but the header has 6"),
    ] {
        check(&vm, Reading::Synchronous, &format!("{header}\n{rows}\n"), expected);
    }
    check(&vm, Reading::Synchronous, "time,lamp\n", "1:2: there is no variable `lamp`");
    check(&vm, Reading::Synchronous, "coin_sensor\n", "1:0: the vectors need one column `time`");
    check(&vm, Reading::Synchronous, "", "1:0: there is no header");
    let npp = "time,water_pressure,blockage_button\n1,900,0\n2,1000,0\n3,900,1\n";
    check(
        &system(NPP),
        Reading::Synchronous,
        npp,
        "line 4, at time 3: REQ005, REQ008 keep reacting to each other",
    );
    let vm6 = "case,time,coin_sensor,coffee_request_button,system_mode,coffee_machine_output
Fig. 4,0,0,0,idle,undefined output
Fig. 4,2,1,0,choice,undefined output
Fig. 4,5,0,0,choice,undefined output
Fig. 4,12,0,1,preparing weak coffee,undefined output
Fig. 4,32,0,0,reset,weak coffee
Fig. 4,35,0,0,idle,undefined output
late,0,0,0,idle,undefined output
late,40,0,0,choice,undefined output
";
    check(
        &system(VM6),
        Reading::Synchronous,
        vm6,
        "sure; line 9, at time 40: `system_mode` is idle, not choice (no requirement reacts)",
    );
}

#[test]
fn decimals_unknown_values_and_choices() {
    let half = system(
        "in a: bool = false\nout x: p, q = p\ntimer t\ncomponent c\nR1: x = p & t >= 1.5 & t < 2.5 => x := q",
    );
    let rows = "time,x\n0,p\n1.5,q\n";
    assert_eq!(outcome(&half, Semantics::dense(Reading::Synchronous), rows), "sure");
    let late = "time,x\n0,p\n2.5,p\n";
    let expected = "line 3, at time 2.5: R1 has to react after less than 2.5";
    assert_eq!(outcome(&half, Semantics::dense(Reading::Synchronous), late), expected);
    check(&half, Reading::Synchronous, rows, "line 3, at time 1.5: the delay is not an integer");
    let either = system(
        "in a: bool = false\nout x: p, q, r = p\ncomponent c\nR1: x = p & a = true => x := q\nR2: x = p & a = true => x := r",
    );
    check(&either, Reading::Synchronous, "time,a,x\n0,0,p\n1,1,q\n2,1,q\n", "possible, line 3");
    let expected = "line 3, at time 1: `x` is q, not p (by R1); or `x` is r, not p (by R2)";
    check(&either, Reading::Synchronous, "time,a,x\n0,0,p\n1,1,p\n", expected);
    let vectors = read_vectors(&tis(17, 11), "time,turn_indicator_lever\n0,0\n1,3\n").expect("vectors");
    assert_eq!(vectors.notes.len(), 1);
    assert_eq!((vectors.notes[0].line, vectors.notes[0].column), (3, 2));
}

#[test]
fn numbers_that_are_computed_run_exactly() {
    let counter = system(
        "in a: bool = false\nout n: int = 0\ncomponent c\nR1: was a = false & a = true & n = $n => n := $n + 1",
    );
    assert!(shall_dfrs::compile(&counter, Semantics::default()).is_err());
    // Reading C would count forever: the sum changes the output each time.
    let once = system("in a: int = 0\nout n: int = 0\ncomponent c\nR1: n != $a => n := $a + 0");
    check(&once, Reading::Synchronous, "time,a,n\n0,0,0\n1,5,5\n2,-7,-7\n", "sure");
    let expected = "line 3, at time 1: `n` is 5, not 4 (by R1)";
    check(&once, Reading::Synchronous, "time,a,n\n0,0,0\n1,5,4\n", expected);
}
