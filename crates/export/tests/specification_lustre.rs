//! Contracts agree with the oracle: the written text is read back by the Lustre front end, becomes a system, and is run on
//! all short traces; the nodes of the library agree with `logic`, for all small bounds.

mod lustre_common;

use logic::{Binary, Bound, Formula, Shape, Store, Trace, Unary, Value, truth_table};
use lustre_common::{program, system, truths};
use requirement::oracle::judge;
use requirement::specification::{Component, ContractRole, Item, Kind, Range, Type, Variable};
use requirement::template::{ATOMS, templates};
use requirement::{Condition, Requirement, Scope, Timing};
use shall_export::specification::{Options, Target, Written, write};
use system::System;

fn variable(name: &str, kind: Kind, ty: Type) -> Variable {
    Variable {
        name: name.into(),
        kind,
        ty,
        unit: None,
        definition: None,
        phrase: None,
        description: String::new(),
    }
}

fn component(names: &[&str], requirements: &[(String, Requirement)]) -> Component {
    let items = requirements.iter().map(|(id, requirement)| Item {
        id: id.clone(),
        role: ContractRole::of_id(id),
        text: "a sentence".into(),
        requirement: requirement.clone(),
    });
    Component {
        name: "sw".into(),
        variables: names.iter().map(|name| variable(name, Kind::Output, Type::Bool)).collect(),
        items: items.collect(),
    }
}

fn contract(store: &mut Store, component: Component, modes: bool) -> Written {
    let options = Options { modes, ..Options::default() };
    write(store, &[component], Target::CoCoSpec, &options).expect("there is a file")
}

/// The contract of a component, and the system of a node that has it and leaves its outputs free.
fn lowered(store: &mut Store, component: Component, modes: bool) -> (Written, System) {
    let written = contract(store, component, modes);
    let signature = written.text.lines().find_map(|line| line.strip_prefix("contract ")).expect("a contract");
    let (name, rest) = signature.split_once('(').expect("inputs");
    let (inputs, outputs) = rest.trim_end_matches(");").split_once(") returns (").expect("outputs");
    let names = |list: &str| {
        let names = list.split("; ").filter_map(|it| it.split(':').next());
        names.collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "{}\nnode sw({inputs}) returns ({outputs});\n(*@contract import {name}({}) returns ({}); *)\nlet tel\n",
        written.text,
        names(inputs),
        names(outputs)
    );
    let system = system(&program(&text), "sw");
    (written, system)
}

/// The name in the project of a name in the file.
fn original(written: &Written, emitted: &str) -> String {
    let known = written.renamed.iter().find(|it| it.emitted == emitted);
    known.map_or(emitted.to_string(), |it| it.original.clone())
}

/// The name in the file of a name in the project.
fn emitted<'a>(written: &'a Written, original: &'a str) -> &'a str {
    let known = written.renamed.iter().find(|it| it.original == original);
    known.map_or(original, |it| it.emitted.as_str())
}

/// A value in a trace, whose number has the values of the atoms as bits, position by position.
fn value(number: usize, atoms: usize, atom: usize, position: usize) -> bool {
    number >> (position * atoms + atom) & 1 == 1
}

/// Runs all 264 templates with a duration; returns the number of compared verdicts.
fn compare(steps: u64, length: usize, modes: bool, only: impl Fn(&Requirement) -> bool) -> usize {
    let mut store = Store::default();
    let all = templates(&mut store, steps).into_iter().filter(|it| only(it));
    let all: Vec<(String, Requirement)> = all.map(|it| (it.key().to_string(), it)).collect();
    let (written, system) = lowered(&mut store, component(&ATOMS, &all), modes);
    assert_eq!(written.left_out, []);
    let modes =
        system.properties.iter().filter(|it| it.name.contains("].") && it.name.contains(".ensure[")).count();
    assert_eq!(system.properties.len(), all.len() + usize::from(modes > 0));
    let mut compared = 0;
    for (place, (key, requirement)) in all.iter().enumerate() {
        let used = [
            requirement.scope.mode().is_some(),
            requirement.condition.expression().is_some(),
            requirement.timing.stop().is_some(),
            true,
        ];
        let atoms: Vec<&str> =
            ATOMS.iter().zip(used).filter(|(_, used)| *used).map(|(name, _)| *name).collect();
        let traces = 1_usize << (atoms.len() * length);
        let emitted: Vec<&str> = atoms.iter().map(|atom| emitted(&written, atom)).collect();
        let promise = |it: &&system::Property| it.name.ends_with(&format!("].{key}"));
        let mode = |it: &&system::Property| {
            let label = it.name.split_once("].").and_then(|(_, rest)| rest.split_once(".ensure["));
            label.is_some_and(|(label, _)| original(&written, label) == *key)
        };
        let property = system.properties.iter().find(promise).or_else(|| system.properties.iter().find(mode));
        let property = property.unwrap_or_else(|| panic!("{place}: {key}\n{}", written.text));
        let mut holds = truths(&system, property.value, &emitted, length);
        if mode(&property) {
            // A mode holds on a trace if at every step its ensures follow from its requires.
            for step in 1..length {
                let before = holds[step - 1].clone();
                let now = holds[step].iter_mut().enumerate();
                now.for_each(|(number, it)| *it &= before[number % before.len()]);
            }
        }
        // The verdicts of many traces come from the past formula, which other tests compare with the oracle.
        let past = requirement::past(&mut store, requirement).expect("templates have past formulas");
        let expected = values(&store, past, length, traces, |name, number, step| {
            atoms
                .iter()
                .position(|atom| *atom == name)
                .is_some_and(|atom| value(number, atoms.len(), atom, step))
        });
        for (holds, expected) in holds.iter().zip(&expected) {
            assert!(*holds == expected[..holds.len()], "{key} n={steps}\n{}", written.text);
        }
        for step in (0..length).filter(|step| atoms.len() * (step + 1) <= 12) {
            for (number, &found) in holds[step].iter().enumerate().take(1 << (atoms.len() * (step + 1))) {
                let mut trace = Trace::new(step + 1, None).expect("a trace");
                for (atom, name) in atoms.iter().enumerate() {
                    let column =
                        (0..=step).map(|at| Value::Bool(value(number, atoms.len(), atom, at))).collect();
                    trace = trace.with(name, column).expect("distinct names");
                }
                let verdict = judge(&store, requirement, &trace).expect("Boolean traces can be judged");
                assert_eq!(found, verdict.holds(), "{key} n={steps} on\n{trace:?}\n{}", written.text);
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn all_templates_agree_with_the_oracle() {
    let timed = |it: &Requirement| it.timing.steps().is_some();
    let mut compared = compare(0, 4, false, |_| true);
    for steps in 1..=3 {
        compared += compare(steps, 4, false, timed);
    }
    assert!(compared > 1_000_000, "{compared}");
}

#[test]
fn modes_agree_with_the_oracle_too() {
    assert!(compare(0, 3, true, |it| matches!(it.scope, Scope::In(_))) > 10_000);
}

/// A requirement with this past formula.
fn now(formula: Formula) -> Requirement {
    Requirement {
        scope: Scope::Global,
        condition: Condition::Null,
        component: "sw".into(),
        timing: Timing::Finally,
        response: formula,
        predicates: Vec::new(),
    }
}

/// Compares contracts of formulas about p and q with `logic`, on all traces of a length.
fn compare_formulas(length: usize, make: impl Fn(&mut Store, Formula, Formula) -> Vec<Formula>) {
    let mut store = Store::default();
    let [p, q] = ["p", "q"].map(|name| {
        let symbol = store.symbol(name);
        store.var(symbol)
    });
    let formulas = make(&mut store, p, q);
    let both = formulas.iter().any(|f| store.reachable([f.id()]).contains(&q.id()));
    let atoms = if both { 2 } else { 1 };
    let all: Vec<(String, Requirement)> =
        formulas.iter().enumerate().map(|(number, &f)| (number.to_string(), now(f))).collect();
    let (written, system) = lowered(&mut store, component(&["p", "q"], &all), false);
    assert_eq!(written.left_out, []);
    let traces = 1_usize << (atoms * length);
    for (formula, property) in formulas.iter().zip(&system.properties) {
        let found = truths(&system, property.value, &["p", "q"][..atoms], length);
        let text = logic::print(&store, *formula, &logic::SHALL).expect("it can be printed");
        let expected = values(&store, *formula, length, traces, |name, number, step| {
            value(number, atoms, usize::from(name == "q"), step)
        });
        for (step, (found, expected)) in found.iter().zip(&expected).enumerate() {
            for (number, found) in found.iter().enumerate() {
                assert_eq!(*found, expected[number], "{}: {text} at {step} of {number:b}", property.name);
            }
        }
    }
}

/// The value of a formula at each step of each trace, according to `logic`.
fn values(
    store: &Store,
    formula: Formula,
    length: usize,
    traces: usize,
    holds: impl Fn(&str, usize, usize) -> bool,
) -> Vec<Vec<bool>> {
    let mut all = vec![Vec::with_capacity(traces); length];
    for start in (0..traces).step_by(64) {
        let words = truth_table(store, formula, Shape::finite(length), |atom, step| {
            let logic::Node::Var(symbol) = store.node(atom) else { panic!("an atom that is no variable") };
            let holds = |bit: &usize| holds(store.name(*symbol), start + bit, step);
            (0..64).filter(holds).fold(0_u64, |word, bit| word | 1 << bit)
        });
        for (column, word) in all.iter_mut().zip(words) {
            column.extend((0..64.min(traces - start)).map(|bit| word >> bit & 1 == 1));
        }
    }
    all
}

fn bounds(most: u64) -> impl Iterator<Item = Bound> {
    (0..=most).flat_map(move |lo| (lo..=most).map(Some).chain([None]).map(move |hi| Bound::new(lo, hi)))
}

#[test]
fn windows_mean_what_logic_says() {
    compare_formulas(7, |store, p, _| {
        let all = bounds(4).flat_map(|bound| [(Unary::Once, bound), (Unary::Historically, bound)]);
        all.map(|(op, bound)| store.unary(op, bound, p)).collect()
    });
    // Delays with counters are used from 4 steps on.
    compare_formulas(12, |store, p, _| bounds(9).map(|bound| store.once(bound, p)).collect());
    compare_formulas(15, |store, p, _| {
        [(8, 10), (9, 11), (9, 12), (10, 12)].map(|(lo, hi)| store.once(Bound::new(lo, hi), p)).to_vec()
    });
}

#[test]
fn ways_mean_what_logic_says() {
    compare_formulas(7, |store, p, q| {
        let all = bounds(4).flat_map(|bound| [(Binary::Since, bound), (Binary::Triggered, bound)]);
        let mut all: Vec<Formula> = all.map(|(op, bound)| store.binary(op, bound, p, q)).collect();
        let both = store.and2(p, q);
        all.push(store.since(Bound::ALL, p, both));
        all.push(store.first_point());
        all
    });
}

#[test]
fn long_bounds_are_short_texts() {
    let mut store = Store::default();
    let symbol = store.symbol("p");
    let p = store.var(symbol);
    let long = store.once(Bound::upto(100_000), p);
    let wide = store.historically(Bound::new(40_000, 100_000), p);
    let exact = store.once(Bound::exactly(60_000), p);
    let too_long = store.once(Bound::exactly(100_000), p);
    let all = [long, wide, exact, too_long].map(now);
    let all: Vec<(String, Requirement)> =
        all.into_iter().enumerate().map(|(number, it)| (number.to_string(), it)).collect();
    let written = contract(&mut store, component(&["p"], &all), false);
    assert!(written.text.contains("guarantee \"0\" OT(100000, p);"), "{}", written.text);
    assert!(written.text.contains("holds = later(40000, OT(60000, p));"), "{}", written.text);
    assert!(written.text.len() < 8_000, "{}", written.text);
    let left: Vec<&str> = written.left_out.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(left, ["3"]);
    // `within` has a counter instead of a delay line.
    let mut store = Store::default();
    let within: Vec<(String, Requirement)> = templates(&mut store, 500_000)
        .into_iter()
        .filter(|it| matches!(it.timing, Timing::Within(_)) && !it.scope.denies())
        .map(|it| (it.key().to_string(), it))
        .collect();
    let written = contract(&mut store, component(&ATOMS, &within), false);
    assert_eq!(written.left_out, [], "{}", written.text);
}

#[test]
fn ranges_of_inputs_are_assumed() {
    let mut store = Store::default();
    let ten = Range { low: Some(0.into()), high: Some(10.into()) };
    let component = Component {
        name: "sw".into(),
        variables: vec![
            variable("x", Kind::Input, Type::Int(ten.clone())),
            variable("y", Kind::Output, Type::Real(ten.clone())),
            variable("z", Kind::Input, Type::Real(ten)),
        ],
        items: Vec::new(),
    };
    let written = contract(&mut store, component, false);
    assert!(written.text.contains("assume 0 <= x and x <= 10;"), "{}", written.text);
    assert!(written.text.contains("assume 0.0 <= z and z <= 10.0;"), "{}", written.text);
    assert!(!written.text.contains("<= y"), "{}", written.text);
}
