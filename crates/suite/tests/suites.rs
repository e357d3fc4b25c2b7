//! Suites against brute force: every trace up to a length that satisfies all requirements.

// The shared module knows the crate by the name that it has in its own tests.
extern crate realize as shall_realize;

mod common;

use common::Text;
use logic::{Formula, RBig, Trace, Value, values};
use realize::Order;
use requirement::oracle::judge;
use requirement::specification::{Kind, Range, Type, Variable};
use requirement::{Watch, past, watch};
use shall_suite::{Criterion, Expected, Fate, Status, Suite};

/// Counts: tests; obligations covered, unreachable, unknown; mutants killed, equivalent, undecided.
fn counts(suite: &Suite) -> [usize; 7] {
    let status = |it: fn(&Status) -> bool| suite.obligations.iter().filter(|(_, status)| it(status)).count();
    let fate = |it: fn(&Fate) -> bool| suite.mutants.iter().filter(|(_, fate)| it(fate)).count();
    [
        suite.tests.len(),
        status(|it| matches!(it, Status::Covered { .. })),
        status(|it| matches!(it, Status::Unreachable { .. })),
        status(|it| matches!(it, Status::Unknown(_))),
        fate(|it| matches!(it, Fate::Killed(_))),
        fate(|it| matches!(it, Fate::Equivalent { .. })),
        fate(|it| matches!(it, Fate::Undecided(_))),
    ]
}

/// The values of a variable of few.
fn domain(variable: &Variable) -> Vec<Value> {
    match &variable.ty {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Int(Range { low: Some(low), high: Some(high) }) => {
            let from_low = |it: &RBig| Some(it + RBig::ONE).filter(|it| it <= high);
            std::iter::successors(Some(low.clone()), from_low).map(Value::Num).collect()
        }
        other => panic!("{other:?} has too many values"),
    }
}

/// All traces up to a length.
fn traces(variables: &[Variable], longest: usize) -> Vec<Trace> {
    let domains: Vec<Vec<Value>> = variables.iter().map(domain).collect();
    let mut all = Vec::new();
    for length in 1..=longest {
        let count: usize = domains.iter().map(|it| it.len().pow(length as u32)).product();
        for mut word in 0..count {
            let mut trace = Trace::new(length, None).expect("has a step");
            for (variable, domain) in variables.iter().zip(&domains) {
                let mut column = Vec::new();
                for _ in 0..length {
                    column.push(domain[word % domain.len()].clone());
                    word /= domain.len();
                }
                trace = trace.with(&variable.name, column).expect("fits");
            }
            all.push(trace);
        }
    }
    all
}

fn cell<'t>(trace: &'t Trace, name: &str, step: usize) -> Option<&'t Value> {
    Some(trace.value(trace.column(name)?, step))
}

/// Whether a trace ends at a step and is the same as another one before it, with the same inputs at it.
fn continues(variables: &[Variable], trace: &Trace, other: &Trace, step: usize) -> bool {
    let same = |it: &Variable, at: usize| cell(trace, &it.name, at) == cell(other, &it.name, at);
    let is_known = |it: &Variable| cell(trace, &it.name, 0).is_some();
    let known =
        |it: &Variable| (0..step).all(|at| same(it, at)) && (it.kind != Kind::Input || same(it, step));
    other.len() == step + 1 && variables.iter().filter(|it| is_known(it)).all(known)
}

/// Checks every answer about a set of requirements of variables with few values, in which no run gets stuck.
fn check(text: &str, longest: usize) {
    let mut set = Text::read(text);
    let made = set.suite(&Criterion::ALL);
    let [tests, _, _, unknown, _, _, undecided] = counts(&made);
    assert!(tests > 0 && unknown == 0 && undecided == 0, "{text}: {:?}", counts(&made));
    let requirements: Vec<_> = set.requirements.iter().map(|it| it.0.clone()).collect();
    for test in &made.tests {
        for it in &requirements {
            assert!(judge(&set.store, it, &test.trace).expect("all columns are there").holds(), "{text}");
        }
        for it in &test.violations {
            let wrong = |name: &str| it.outputs.iter().find(|it| it.0 == name).map(|it| it.1.clone());
            let mut trace = Trace::new(it.step + 1, None).expect("has a step");
            for (at, name) in test.trace.names().iter().enumerate() {
                let mut column = test.trace.values(at)[..=it.step].to_vec();
                if let Some(value) = wrong(name) {
                    column[it.step] = value;
                }
                trace = trace.with(name, column).expect("fits");
            }
            let verdict = judge(&set.store, &requirements[it.member], &trace).expect("all columns are there");
            assert!(!verdict.holds(), "{text}: {trace:?}");
        }
    }
    let verdicts: Vec<Formula> =
        requirements.iter().map(|it| past(&mut set.store, it).expect("looks back only")).collect();
    // Every prefix satisfies what must hold at every step; what is only owed may stay open until the end.
    let all = traces(&set.variables, longest);
    let good: Vec<&Trace> = all
        .iter()
        .filter(|trace| {
            verdicts
                .iter()
                .all(|it| values(&set.store, *it, trace).is_ok_and(|it| *it.last().unwrap_or(&false)))
        })
        .collect();
    let shows = |formula: Formula| {
        good.iter().find(|trace| values(&set.store, formula, trace).is_ok_and(|it| it.contains(&true)))
    };
    for (obligation, status) in &made.obligations {
        if let Status::Unreachable { proof, .. } = status {
            assert_eq!(*proof, Ok(()), "{text}: {}", obligation.text);
            let shown = shows(obligation.formula);
            assert!(shown.is_none(), "{text}: {} is unreachable, but for {shown:?}", obligation.text);
        }
        if let Status::Covered { test, step, .. } = status {
            let holds = values(&set.store, obligation.formula, &made.tests[*test].trace)
                .expect("all columns are there");
            assert!(holds[*step], "{text}: {}", obligation.text);
        }
    }
    // What is owed may come later: a system is wrong where it violates something already.
    let watches: Vec<Watch> =
        requirements.iter().map(|it| watch(&mut set.store, it).expect("looks back only")).collect();
    let is_wrong = |trace: &Trace, it: Formula| {
        values(&set.store, it, trace).expect("all columns are there").contains(&true)
    };
    let possible: Vec<&Trace> = all
        .iter()
        .filter(|trace| watches.iter().all(|it| !is_wrong(trace, it.bad) && !is_wrong(trace, it.left)))
        .collect();
    for test in &made.tests {
        for Expected { output, only } in &test.expected {
            for (step, only) in only.iter().enumerate().take(longest) {
                let mut others =
                    possible.iter().filter(|it| continues(&set.variables, &test.trace, it, step));
                let value = cell(&test.trace, output, step);
                let other = others.find(|it| cell(it, output, step) != value);
                assert_eq!(
                    *only,
                    Some(other.is_none()),
                    "{text}: {output} at {step} of {:?}: {other:?}",
                    test.trace
                );
            }
        }
    }
    for (mutant, fate) in &made.mutants {
        let Fate::Equivalent { proof } = fate else { continue };
        assert_eq!(*proof, Ok(()), "{text}: {:?}", mutant.mutation);
        let verdict = verdicts[mutant.member];
        let others = |trace: &&Trace| {
            verdicts.iter().enumerate().all(|(at, it)| {
                at == mutant.member
                    || values(&set.store, *it, trace).is_ok_and(|it| *it.last().unwrap_or(&false))
            })
        };
        let cut = |trace: &Trace, formula: Formula| {
            *values(&set.store, formula, trace).expect("fits").last().expect("has a step")
        };
        let before = |trace: &Trace| {
            // The steps before the last one are those of a correct system.
            let holds = values(&set.store, verdict, trace).expect("fits");
            holds[..holds.len() - 1].iter().all(|it| *it)
        };
        for trace in all.iter().filter(others).filter(|it| before(it)) {
            assert_eq!(
                cut(trace, verdict),
                cut(trace, mutant.formula),
                "{text}: {:?} {trace:?}",
                mutant.mutation
            );
        }
    }
}

#[test]
fn answers_agree_with_brute_force() {
    for text in [
        "in p: bool\nout q: bool\nwhen p the lamp shall immediately satisfy q",
        "in p: bool\nout q: bool\nwhenever p the lamp shall at the next timepoint satisfy q",
        "in p: bool\nout q: bool\nwhen p the lamp shall within 2 ticks satisfy q",
        "in p: bool\nout q: bool\nwhen p the lamp shall for 1 tick satisfy q",
        "in p m: bool\nout q: bool\nin m mode when p the lamp shall until p satisfy q",
        "in p: bool\nout q: bool\nwhen p the lamp shall eventually satisfy q",
        "in p: bool\nout q r: bool\nwhenever p the lamp shall immediately satisfy q | r\nwhenever !p the lamp shall immediately satisfy !q",
        "in p: bool\nout q: bool\nassume the lamp shall always satisfy p | FTP\nwhenever p the lamp shall immediately satisfy q",
    ] {
        check(text, 4);
    }
}

/// A number in the memory.
#[test]
fn answers_about_numbers_agree_with_brute_force() {
    for text in [
        "in p: bool\nout n: int 0..3\nthe lamp shall immediately satisfy n = 0\nthe lamp shall always satisfy FTP | n - preInt(0, n) <= 1\nwhenever p the lamp shall immediately satisfy n = preInt(0, n)",
        "in n: int 0..3\nout q: bool\nwhen n > preInt(1, n) the lamp shall at the next timepoint satisfy q\nwhenever n < preInt(1, n) the lamp shall immediately satisfy q",
    ] {
        check(text, 4);
    }
}

#[test]
fn what_others_forbid_is_unreachable_because_of_them() {
    let mut set = Text::read(
        "in a b: bool
         out q r: bool
         whenever a the lamp shall immediately satisfy q
         the lamp shall always satisfy !r
         whenever r the lamp shall immediately satisfy !q",
    );
    let made = set.suite(&[Criterion::Moments]);
    let triggered = made.obligations.iter().find(|it| it.0.member == 2 && it.0.text == "triggered");
    let expected = Status::Unreachable { forbidden_by: vec![1], minimal: true, proof: Ok(()) };
    assert_eq!(triggered.map(|it| &it.1), Some(&expected));
}

#[test]
fn sets_that_no_system_satisfies_have_tests_with_help_or_none() {
    let mut set = Text::read(
        "in a b: bool
         out q: bool
         whenever a the lamp shall immediately satisfy q
         whenever b the lamp shall immediately satisfy !q",
    );
    let made = set.suite(&[Criterion::Moments]);
    assert_eq!(made.groups[0].correct, Some(realize::Correct::NoneWins));
    assert_eq!(counts(&made)[1..4], [8, 0, 0], "{:?}", made.obligations);
    let why = Err("no system satisfies the requirements".to_owned());
    let is_said = |it: &Status| matches!(it, Status::Covered { forced, .. } if *forced == why);
    assert!(made.obligations.iter().all(|it| is_said(&it.1)), "{:?}", made.obligations);
    let mut set = Text::read("out q: bool\nthe lamp shall always satisfy q\nthe lamp shall never satisfy q");
    let made = set.suite(&[Criterion::Moments]);
    assert_eq!(made.groups[0].correct, Some(realize::Correct::NoRun));
    assert_eq!(made.tests.len(), 0);
}

/// Where it is not known whether inputs can force something, that is said, with the reason.
#[test]
fn what_is_not_known_about_forcing_is_said() {
    let cases = [
        (
            "in p: bool\nout q r: bool\nassume the lamp shall always satisfy q | r\nwhenever p the lamp shall immediately satisfy q",
            "assumptions are about outputs",
        ),
        (
            "in x y: real\nout q: bool\nwhenever x * y > 2.0 the lamp shall immediately satisfy q",
            "comparisons that are not linear decide",
        ),
    ];
    for (text, why) in cases {
        let made = Text::read(text).suite(&[Criterion::Moments]);
        let forced = made.obligations.iter().filter_map(|it| match &it.1 {
            Status::Covered { forced, .. } => Some(forced),
            _ => None,
        });
        let forced: Vec<&Result<bool, String>> = forced.collect();
        assert!(!forced.is_empty(), "{:?}", made.obligations);
        assert!(forced.iter().all(|it| **it == Err(why.to_owned())), "{text}: {forced:?}");
    }
}

/// Proofs say what a system that does not see the inputs must foresee.
#[test]
fn proofs_about_systems_that_do_not_see_the_inputs_are_checked() {
    for text in [
        "in p: bool
         out y z: bool
         whenever !p the lamp shall immediately satisfy y
         whenever p the lamp shall immediately satisfy y | z
         whenever y the lamp shall immediately satisfy !z",
        "in p: bool
         in n: real
         out q: bool
         out m: real
         whenever p the lamp shall immediately satisfy m > 3.0
         whenever n > 5.0 the lamp shall immediately satisfy q & m < 9.0
         whenever m > 20.0 the lamp shall at the next timepoint satisfy !q",
    ] {
        let made = Text::read(text).suite_in(&Criterion::ALL, Order::Moore);
        let unreachable = made.obligations.iter().filter_map(|it| match &it.1 {
            Status::Unreachable { proof, .. } => Some(proof),
            _ => None,
        });
        let equivalent = made.mutants.iter().filter_map(|it| match &it.1 {
            Fate::Equivalent { proof } => Some(proof),
            _ => None,
        });
        let proofs: Vec<&Result<(), String>> = unreachable.chain(equivalent).collect();
        assert!(!proofs.is_empty() && proofs.iter().all(|it| it.is_ok()), "{text}: {proofs:?}");
    }
}

/// What became of an obligation, by its text.
fn status<'s>(made: &'s Suite, member: usize, text: &str) -> Option<&'s Status> {
    made.obligations.iter().find(|it| it.0.member == member && it.0.text == text).map(|it| &it.1)
}

/// A number that grows by at most one is 25 after 25 steps, and never below zero; that it has no smallest value does not matter.
#[test]
fn far_goals_are_reached_and_those_that_never_come_are_not() {
    let mut set = Text::read(
        "out n: real
         out y: bool
         the lamp shall immediately satisfy n = 0.0
         the lamp shall always satisfy FTP | n = preReal(0.0, n) | n = preReal(0.0, n) + 1.0
         whenever n >= 25.0 the lamp shall immediately satisfy y
         whenever n <= -5.0 the lamp shall immediately satisfy y",
    );
    let made = set.suite(&[Criterion::Moments]);
    let Some(Status::Covered { test, step, .. }) = status(&made, 2, "triggered") else {
        panic!("{:?}", made.obligations);
    };
    assert!(*step >= 25 && made.tests[*test].trace.len() > *step);
    let never = status(&made, 3, "triggered");
    assert!(matches!(never, Some(Status::Unreachable { .. })), "{never:?}");
}
