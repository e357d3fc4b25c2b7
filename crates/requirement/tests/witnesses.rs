//! Example traces: found for every template, as short as can be, and true to their goal.

use logic::{Sort, Store, Trace, Value};
use shall_requirement::oracle::judge;
use shall_requirement::specification::Type;
use shall_requirement::witness::{Goal, Situation, Types, Witness, typical, witness};
use shall_requirement::{Context, Requirement, lower, template};

/// Whether a trace over the four atoms shows the goal, by the oracle alone: it tries every other response.
fn shows(store: &Store, requirement: &Requirement, trace: &Trace, goal: Goal) -> bool {
    let holds = |trace: &Trace| judge(store, requirement, trace).unwrap().holds();
    let with_response = |bits: u64| {
        let others = trace.names().iter().enumerate().filter(|(_, name)| *name != "res");
        let empty = Trace::new(trace.len(), None).unwrap();
        let same =
            others.fold(empty, |t, (column, name)| t.with(name, trace.values(column).to_vec()).unwrap());
        same.with("res", (0..trace.len()).map(|position| Value::Bool(bits >> position & 1 == 1)).collect())
            .unwrap()
    };
    match goal {
        Goal::Violated => !holds(trace),
        Goal::Satisfied => {
            holds(trace) && (0..1 << trace.len().min(7)).any(|bits| !holds(&with_response(bits)))
        }
    }
}

#[test]
fn every_template_has_both_examples_and_they_are_replayed() {
    for steps in [0, 1, 5] {
        let mut store = Store::default();
        for requirement in template::templates(&mut store, steps) {
            for goal in [Goal::Satisfied, Goal::Violated] {
                let found = witness(&mut store, &requirement, &Types::default(), goal)
                    .unwrap_or_else(|| panic!("{} {goal:?} n = {steps}", requirement.key()));
                assert!(
                    found.shortest && shows(&store, &requirement, &found.trace, goal),
                    "{} {goal:?}",
                    requirement.key()
                );
            }
        }
    }
}

/// A stretched trace is no longer than the one an exhaustive search over the two or three signals in use finds.
#[test]
fn stretched_examples_are_shortest() {
    let steps = 3;
    let mut store = Store::default();
    for requirement in template::templates(&mut store, steps) {
        if requirement.timing.steps().is_none()
            || requirement.condition.expression().is_some() && requirement.scope.mode().is_some()
        {
            continue;
        }
        for goal in [Goal::Satisfied, Goal::Violated] {
            let found = witness(&mut store, &requirement, &Types::default(), goal).unwrap().trace.len();
            let names: Vec<String> =
                witness(&mut store, &requirement, &Types::default(), goal).unwrap().trace.names().to_vec();
            let shorter = (1..found).any(|length| {
                (0..1u64 << (names.len() * length)).any(|number| {
                    let trace = names.iter().enumerate().fold(
                        Trace::new(length, None).unwrap(),
                        |trace, (k, name)| {
                            let bit = |position: usize| number >> (position * names.len() + k) & 1 == 1;
                            trace
                                .with(name, (0..length).map(|position| Value::Bool(bit(position))).collect())
                                .unwrap()
                        },
                    );
                    shows(&store, &requirement, &trace, goal)
                })
            });
            assert!(!shorter, "{} {goal:?}", requirement.key());
        }
    }
}

/// The example of a sentence as columns of digits, and why it holds or not.
#[track_caller]
fn check(sentence: &str, found: impl Fn(&mut Store, &Requirement) -> Option<Witness>, expected: &str) {
    let mut store = Store::default();
    let lowered = lower(&mut store, &syntax::fretish::parse(sentence), &Context::default());
    let requirement = lowered.requirement.unwrap_or_else(|| panic!("{sentence}: {:?}", lowered.diagnostics));
    let shown = found(&mut store, &requirement).map_or("none".into(), |Witness { trace, .. }| {
        let columns = trace.names().iter().enumerate().map(|(column, name)| {
            let digit = |value: &Value| if *value == Value::Bool(true) { '1' } else { '0' };
            format!("{name} {}", trace.values(column).iter().map(digit).collect::<String>())
        });
        columns.collect::<Vec<_>>().join(", ")
    });
    assert_eq!(shown, expected, "{sentence}");
}

#[test]
fn long_predicates_have_examples() {
    let satisfied = |store: &mut Store, requirement: &Requirement| {
        witness(store, requirement, &Types::default(), Goal::Satisfied)
    };
    let ones = "1".repeat(31);
    check(
        "when p the sw shall immediately satisfy persisted(30, q)",
        satisfied,
        &format!("p {}1, q {ones}", "0".repeat(30)),
    );
    check(
        "whenever p the sw shall within 40 ticks satisfy occurred(20, q)",
        satisfied,
        &format!("p 1{0}, q 1{0}", "0".repeat(40)),
    );
}

/// Examples have values of the declared types only.
#[test]
fn values_are_in_range() {
    let declared = [("x", "real 20..600"), ("n", "int 0..9"), ("s", "enum(idle, run)")];
    let types: Types =
        declared.into_iter().map(|(name, ty)| (name.to_string(), Type::parse(ty).unwrap())).collect();
    for (sentence, names, expected) in [
        ("when x < 80 the sw shall immediately satisfy q", "x", "20"),
        ("when n > 2.5 the sw shall immediately satisfy q", "n", "3"),
        ("when s != idle the sw shall immediately satisfy q", "s", "run"),
        ("when x < 10 the sw shall immediately satisfy q", "x", "none"),
    ] {
        let mut store = Store::default();
        let signals = [("x", Sort::Real), ("n", Sort::Int), ("s", Sort::Enum), ("q", Sort::Bool)];
        let signals = Some(signals.into_iter().map(|(name, sort)| (name.to_string(), sort)).collect());
        let context = Context { signals, ..Context::default() };
        let lowered = lower(&mut store, &syntax::fretish::parse(sentence), &context);
        let requirement = lowered.requirement.expect(sentence);
        for goal in [Goal::Satisfied, Goal::Violated] {
            let found = witness(&mut store, &requirement, &types, goal);
            let shown = found.map_or("none".to_string(), |Witness { trace, .. }| {
                let column = trace.names().iter().position(|name| name == names).expect("a column");
                match &trace.values(column)[0] {
                    Value::Num(number) => number.to_string(),
                    Value::Name(name) => name.clone(),
                    Value::Bool(_) => unreachable!("numbers and names"),
                }
            });
            assert_eq!(shown, expected, "{sentence} {goal:?}");
        }
    }
}

#[test]
fn typical_examples() {
    let answered =
        |store: &mut Store, it: &Requirement| typical(store, it, &Types::default(), Situation::Answered);
    let cut_short =
        |store: &mut Store, it: &Requirement| typical(store, it, &Types::default(), Situation::CutShort);
    check("when p the sw shall within 4 ticks satisfy q", answered, "p 0010000000, q 0000100000");
    check("when p the sw shall within 400 ticks satisfy q", answered, "none");
    check(
        "in m mode, when p the sw shall eventually satisfy q",
        answered,
        "m 011111110, p 000100000, q 000001000",
    );
    check("when p the sw shall until r satisfy q", answered, "p 00100000, r 00000100, q 00111000");
    check("when p the sw shall for 400 ticks satisfy q", answered, "none");
    check("when p the sw shall immediately satisfy !p", answered, "none");
    check(
        "in m mode, when p the sw shall within 4 ticks satisfy q",
        cut_short,
        "m 011100, p 001000, q 000000",
    );
    check("in m mode, the sw shall for 4 ticks satisfy q", cut_short, "m 01100, q 01100");
    check("in m mode, the sw shall within 1 tick satisfy q", cut_short, "none");
    check("when p the sw shall within 4 ticks satisfy q", cut_short, "none");
}
