//! The Lustre monitors agree with the oracle: the Lustre front end, which shares no code with the writer, reads the written
//! program, and every node is run on all traces up to length 3.

mod lustre_common;

use ::lustre::Program;
use lustre_common::{program, system, truths};
use requirement::oracle::{Interval, judge};
use requirement::vectors::{Setting, Templates};
use shall_export::vectors::lustre;
use system::{System, Value, simulate};

/// The inputs of each monitor, in the order of the signals of a setting.
const INPUTS: [&str; 4] = ["MODE", "COND", "STOP", "RES"];

/// The monitor of a template.
fn monitor(program: &Program, key: &requirement::Key) -> System {
    system(program, &format!("monitor_{}", shall_export::vectors::identifier(key)))
}

/// All settings of a length in which only some atoms ever hold, in the order of `truths`.
fn settings(length: usize, steps: u64, atoms: &[usize]) -> impl Iterator<Item = Setting> {
    (0..1_u32 << (length * atoms.len())).map(move |number| {
        let holds = |atom: usize, position: usize| {
            let used = atoms.iter().position(|&used| used == atom);
            used.is_some_and(|used| number >> (position * atoms.len() + used) & 1 == 1)
        };
        // Adjacent intervals are not merged, because their boundaries do not matter.
        let signals = [0, 1, 2, 3].map(|atom| {
            let points = (0..length).filter(|&position| holds(atom, position));
            points.map(|position| Interval { lo: position, hi: position }).collect()
        });
        Setting { length, steps, signals }
    })
}

/// Compares the monitors of a program with the oracle on all traces up to length 3. Returns the first that differs, or the
/// number of compared verdicts.
fn compare(templates: &Templates, text: &str) -> Result<usize, String> {
    let program = program(text);
    let mut compared = 0;
    for row in &templates.rows {
        let mut system = monitor(&program, &row.key);
        let used = [
            (row.requirement.scope.mode().is_some(), 0),
            (row.requirement.condition.expression().is_some(), 1),
            (row.requirement.timing.stop().is_some(), 2),
            (true, 3),
        ];
        let atoms: Vec<usize> = used.into_iter().filter(|&(used, _)| used).map(|(_, atom)| atom).collect();
        let names: Vec<&str> = atoms.iter().map(|&atom| INPUTS[atom]).collect();
        let holds = system.named("holds").expect("an output");
        let found = truths(&system, holds, &names, 3);
        for length in 1..=3 {
            for (number, setting) in settings(length, templates.steps, &atoms).enumerate() {
                let verdict = judge(&templates.store, &row.requirement, &setting.trace()).unwrap();
                if found[length - 1][number] != verdict.holds() {
                    return Err(format!("{} on {setting}", row.key));
                }
                compared += 1;
            }
        }
    }
    Ok(compared)
}

#[test]
fn monitors_say_what_the_oracle_says() {
    let mut compared = 0;
    for steps in 0..=3 {
        let timed = |timing: &str| ["within", "for", "after"].contains(&timing);
        let mut templates = Templates::new(steps, |key| steps == 0 || timed(key.timing));
        let program = lustre::program(&mut templates).expect("the past can be monitored");
        compared += compare(&templates, &program).unwrap_or_else(|differs| panic!("n {steps}: {differs}"));
    }
    assert!(compared > 250_000, "{compared}");
}

#[test]
fn broken_monitors_are_noticed() {
    let mut templates = Templates::new(1, |key| ["in", "after"].contains(&key.scope));
    let program = lustre::program(&mut templates).expect("the past can be monitored");
    for (right, wrong) in [
        ("= p and (true -> pre", "= p and (false -> pre"),
        ("= p or (false -> pre", "= p or (true -> pre"),
        ("and (q or (false -> pre", "and (q or (true -> pre"),
        ("= true -> pre p", "= false -> pre p"),
        ("= false -> pre p", "= true -> pre p"),
        ("(n + 1 -> ", "(0 -> "),
        ("= age <= n;", "= age < n;"),
        ("pre age + 1", "pre age + 2"),
        (" => ", " and "),
    ] {
        assert!(program.contains(right), "{right}");
        assert!(compare(&templates, &program.replace(right, wrong)).is_err(), "{right}");
    }
}

#[test]
fn longer_traces_fill_the_counters() {
    for steps in [2, 5] {
        let mut templates = Templates::new(steps, |_| true);
        let program = program(&lustre::program(&mut templates).expect("the past can be monitored"));
        let systems: Vec<System> = templates.rows.iter().map(|row| monitor(&program, &row.key)).collect();
        for setting in requirement::vectors::random(12, Some(steps), 40, steps) {
            let verdicts = templates.verdicts(&setting).unwrap_or_else(|dissent| panic!("{dissent}"));
            for ((row, system), expected) in templates.rows.iter().zip(&systems).zip(verdicts) {
                let value = |atom, position| Value::Bool(setting.holds(atom, position));
                let inputs: Vec<Vec<Value>> = (0..setting.length)
                    .map(|position| (0..4).map(|atom| value(atom, position)).collect())
                    .collect();
                let run = simulate(system, &[], &inputs);
                let last = run.value(system, setting.length - 1, "holds").and_then(Value::truth);
                assert_eq!(last, Some(expected), "{} on {setting}", row.key);
            }
        }
    }
}

#[test]
fn main_runs_all_monitors() {
    let mut templates = Templates::new(2, |_| true);
    let program = program(&lustre::program(&mut templates).expect("the past can be monitored"));
    let nodes = program.nodes();
    let main = nodes.iter().find(|node| node.name == "main").expect("a main node");
    assert_eq!(main.inputs, INPUTS);
    let keys: Vec<&str> =
        main.outputs.iter().map(|it| it.strip_prefix("PT_").expect("named after templates")).collect();
    let called: Vec<&str> =
        main.calls.iter().map(|it| it.strip_prefix("monitor_").expect("a monitor")).collect();
    assert_eq!(keys.len(), 264);
    assert_eq!(keys, called);
    for node in nodes.iter().filter(|node| node.name.starts_with("monitor_")) {
        assert_eq!(node.inputs, INPUTS);
        assert_eq!(node.outputs, ["holds"]);
    }
}

/// The keywords of Kind 2, from the lexer of its development version.
const KEYWORDS: &str = "
type datatype int uint sint uint8 uint16 uint32 uint64 int8 int16 int32 int64 real bool subrange of
subtype struct enum history map set const param transparent opaque imported node function returns
var let tel con noc assert check reachable invariant provided from at within contract import true
false not and xor forall exists or in if then else elsif fi when cond otherwise end frame div mod
any choose current condact activate initial default every restart merge pre fby mode assume
guarantee require ensure weakly assumption_vars with match lsh rsh include
";

#[test]
fn names_are_legal() {
    let mut templates = Templates::new(3, |_| true);
    let program = program(&lustre::program(&mut templates).expect("the past can be monitored"));
    for node in program.nodes() {
        let locals = system(&program, &node.name).outputs.into_iter().map(|it| it.name);
        let locals = locals.filter(|name| !name.contains(['.', '(']));
        for name in std::iter::once(node.name.clone()).chain(node.inputs).chain(node.outputs).chain(locals) {
            assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
            assert!(!KEYWORDS.split_whitespace().any(|word| word == name), "{name}");
        }
    }
}
