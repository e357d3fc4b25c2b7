//! Monitors of requirements agree with the definitions: every template on every short trace, random formulas, long bounds, terms.

extern crate shall_system as system;

mod support;

use base::Random;
use logic::{Bound, Formula, Id, Node, RBig, Shape, Store, Trace, truth_table};
use requirement::oracle::judge;
use requirement::{Requirement, past, template};
use support::{Stepper, random_past};
use system::{Expr, Pool, System, Type, Value, add_formula, names, simulate};

/// A system with these Boolean inputs and nothing else.
fn inputs(names: &[String]) -> System {
    let mut system = System::default();
    for name in names {
        system.add_input(name, Type::Bool);
    }
    system
}

fn atoms(store: &Store, requirement: &Requirement) -> Vec<String> {
    let roots: Vec<Id> = requirement.expressions().map(Formula::id).collect();
    let name = |id: Id| match store.node(id) {
        Node::Var(symbol) => Some(store.name(*symbol).to_owned()),
        _ => None,
    };
    store.reachable(roots).into_iter().filter_map(name).collect()
}

fn add(system: &mut System, store: &mut Store, requirement: &Requirement) -> Expr {
    let bound = names(system);
    let formula = past(store, requirement).expect("every template has a formula of the past");
    let verdict = add_formula(system, store, formula, &|name| bound.get(name).copied());
    verdict.unwrap_or_else(|error| panic!("{}: {error}", requirement.key()))
}

#[test]
fn every_template_agrees_with_the_oracle_on_every_short_trace() {
    for steps in 0..=3 {
        let mut store = Store::default();
        for requirement in template::templates(&mut store, steps) {
            if steps > 0 && requirement.timing.steps().is_none() {
                continue;
            }
            let atoms = atoms(&store, &requirement);
            let mut system = inputs(&atoms);
            let verdict = add(&mut system, &mut store, &requirement);
            assert_eq!(system.check(), Vec::<String>::new());
            let stepper = Stepper::new(&system, &[verdict]);
            // Length 4, or 3 where there are four atoms, as there are 16 letters then.
            let depth = if atoms.len() > 3 { 3 } else { 4 };
            let mut open: Vec<(Vec<u64>, Vec<Value>)> = vec![(Vec::new(), stepper.start())];
            while let Some((word, state)) = open.pop() {
                for letter in 0..1u64 << atoms.len() {
                    let row: Vec<Value> =
                        (0..atoms.len()).map(|bit| Value::Bool(letter >> bit & 1 == 1)).collect();
                    let (read, next) = stepper.step(&state, &row);
                    let mut word = word.clone();
                    word.push(letter);
                    let mut trace = Trace::new(word.len(), None).expect("not empty");
                    for (bit, name) in atoms.iter().enumerate() {
                        let column = word.iter().map(|it| logic::Value::Bool(it >> bit & 1 == 1)).collect();
                        trace = trace.with(name, column).expect("a new name");
                    }
                    let expected = judge(&store, &requirement, &trace).expect("a verdict").holds();
                    assert_eq!(read[0], Value::Bool(expected), "{} n = {steps}: {word:?}", requirement.key());
                    if word.len() < depth {
                        open.push((word, next));
                    }
                }
            }
        }
    }
}

/// The verdicts of a formula on a word are those of `logic`.
fn agree(store: &mut Store, formula: Formula, word: &[u64], atoms: &[String]) {
    let mut system = inputs(atoms);
    let bound = names(&mut system);
    let verdict =
        add_formula(&mut system, store, formula, &|name| bound.get(name).copied()).expect("a monitor");
    system.add_property("holds", system::Origin::Unknown, verdict);
    for lemma in system.lemmas.clone() {
        system.add_property("lemma", system::Origin::Unknown, lemma);
    }
    let rows: Vec<Vec<Value>> = word
        .iter()
        .map(|letter| (0..atoms.len()).map(|bit| Value::Bool(letter >> bit & 1 == 1)).collect())
        .collect();
    let run = simulate(&system, &[], &rows);
    let expected = truth_table(store, formula, Shape::finite(word.len()), |atom, position| {
        let name = match store.node(atom) {
            Node::Var(symbol) => store.name(*symbol),
            other => panic!("{other:?}"),
        };
        let bit = atoms.iter().position(|it| it == name).expect("an atom");
        word[position] >> bit & 1 == 1
    });
    for (position, (step, expected)) in run.steps.iter().zip(expected).enumerate() {
        let shown = || logic::print(store, formula, &logic::SHALL);
        assert_eq!(step.properties[0], Some(expected), "{:?} at {position}", shown());
        assert!(step.properties[1..].iter().all(|it| *it == Some(true)), "a lemma of {:?}", shown());
    }
}

fn three(store: &mut Store) -> (Vec<String>, Vec<Formula>) {
    let names: Vec<String> = ["p", "q", "r"].map(str::to_owned).into();
    let formulas = names.iter().map(|name| {
        let symbol = store.symbol(name);
        store.var(symbol)
    });
    let formulas = formulas.collect();
    (names, formulas)
}

#[test]
fn random_formulas() {
    let mut rng = Random::new(11);
    for _ in 0..3000 {
        let mut store = Store::default();
        let (names, atoms) = three(&mut store);
        let formula = random_past(&mut store, &mut rng, &atoms, 4);
        let word: Vec<u64> = (0..24).map(|_| rng.below(8)).collect();
        agree(&mut store, formula, &word, &names);
    }
}

#[test]
fn every_template_agrees_with_its_formula_on_long_traces() {
    let mut rng = Random::new(13);
    let names: Vec<String> = template::ATOMS.map(str::to_owned).into();
    for steps in [0, 2, 6, 13] {
        let mut store = Store::default();
        for requirement in template::templates(&mut store, steps) {
            let formula = requirement::past(&mut store, &requirement).expect("no predicates");
            for rarity in [1, 4, 9] {
                let mut letter = rng.below(16);
                let word: Vec<u64> = (0..60)
                    .map(|_| {
                        if rng.below(rarity) == 0 {
                            letter ^= 1 << rng.below(4);
                        }
                        letter
                    })
                    .collect();
                agree(&mut store, formula, &word, &names);
            }
        }
    }
}

#[test]
fn long_bounds() {
    let mut rng = Random::new(12);
    let windows = [
        Bound::new(3, 100_000),
        Bound::new(0, 100_000),
        Bound::new(100, None),
        Bound::exactly(40),
        Bound::new(40, 60),
        Bound::new(90, 100),
        Bound::new(200, 260),
        Bound::new(33, 49),
        Bound::new(1, 1000),
        Bound::exactly(300),
    ];
    for (number, window) in windows.into_iter().enumerate() {
        for rarity in [2, 20, 150] {
            let mut store = Store::default();
            let (names, atoms) = three(&mut store);
            let (p, q) = (atoms[0], atoms[1]);
            let formulas = [
                store.once(window, p),
                store.historically(window, p),
                store.since(window, p, q),
                store.triggered(window, p, q),
            ];
            // Each atom stays as it is for a while.
            let mut letter = 0;
            let length = if number < 2 { 4000 } else { 1500 };
            let word: Vec<u64> = (0..length)
                .map(|_| {
                    if rng.below(rarity) == 0 {
                        letter ^= 1 << rng.below(2);
                    }
                    letter
                })
                .collect();
            for formula in formulas {
                agree(&mut store, formula, &word, &names);
            }
        }
    }
}

#[test]
fn few_states_where_few_are_needed() {
    let count = |window: Bound| {
        let mut store = Store::default();
        let (names, atoms) = three(&mut store);
        let formula = store.once(window, atoms[0]);
        let mut system = inputs(&names);
        let bound = system::names(&mut system);
        add_formula(&mut system, &mut store, formula, &|name| bound.get(name).copied())
            .map(|_| system.state.len())
    };
    for (window, states) in [
        (Bound::ALL, 1),
        (Bound::new(1, None), 1),
        (Bound::exactly(1), 1),
        (Bound::new(3, 100_000), 4),
        (Bound::upto(100_000), 1),
        (Bound::new(500_000, None), 1),
        (Bound::exactly(10), 10),
        (Bound::new(50_000, 100_000), 5),
    ] {
        assert_eq!(count(window), Ok(states), "{window:?}");
    }
    assert_eq!(
        count(Bound::exactly(5000)),
        Err(shall_system::MonitorError::TooLong(logic::memory::TooLong { steps: 5000 }))
    );
}

#[test]
fn within_needs_one_counter() {
    let mut store = Store::default();
    for requirement in template::templates(&mut store, 10_000) {
        if matches!(requirement.timing, requirement::Timing::Within(_) | requirement::Timing::For(_)) {
            let atoms = atoms(&store, &requirement);
            let mut system = inputs(&atoms);
            add(&mut system, &mut store, &requirement);
            assert!(system.state.len() <= 10, "{}: {}", requirement.key(), system.state.len());
        }
    }
}

/// The sentence on a system with `x: int`, `y: real`, `u: uint8`, `p: bool`, `mode` of `off`, `on`.
fn read(sentence: &str, rows: &[(i64, i64, i128, bool, u32)]) -> String {
    let mut system = System::default();
    let mode = system.pool.declare_enum("Mode", &["off", "on"]);
    let width = system::Width { signed: false, bits: 8 };
    for (name, ty) in [
        ("x", Type::Int),
        ("y", Type::Real),
        ("u", Type::Machine(width)),
        ("p", Type::Bool),
        ("mode", Type::Enum(mode)),
    ] {
        system.add_input(name, ty);
    }
    let parse = syntax::fretish::parse(sentence);
    let mut store = Store::default();
    let lowered = requirement::lower(&mut store, &parse, &requirement::Context::default());
    let requirement = lowered.requirement.unwrap_or_else(|| panic!("{sentence}: {:?}", lowered.diagnostics));
    let bound = names(&mut system);
    let formula = match past(&mut store, &requirement) {
        Ok(formula) => formula,
        Err(refusal) => return refusal.to_string(),
    };
    match add_formula(&mut system, &mut store, formula, &|name| bound.get(name).copied()) {
        Err(error) => error.to_string(),
        Ok(verdict) => {
            assert_eq!(system.check(), Vec::<String>::new(), "{sentence}");
            system.add_property("holds", system::Origin::Unknown, verdict);
            let rows: Vec<Vec<Value>> = rows
                .iter()
                .map(|&(x, y, u, p, mode)| {
                    let real = RBig::from(y) / RBig::from(2);
                    vec![
                        Value::Int(x.into()),
                        Value::Real(real),
                        Value::Machine(u),
                        Value::Bool(p),
                        Value::Enum(mode),
                    ]
                })
                .collect();
            let run = simulate(&system, &[], &rows);
            let shown = |it: Option<bool>| match it {
                Some(true) => '1',
                Some(false) => '0',
                None => '?',
            };
            run.steps.iter().map(|it| shown(it.properties[0])).collect()
        }
    }
}

#[test]
fn terms() {
    let rows = [(1, 1, 200, true, 0), (2, 5, 250, false, 1), (-3, 0, 0, true, 1)];
    for (sentence, expected) in [
        ("the sw shall always satisfy x > 0", "110"),
        ("the sw shall immediately satisfy x = 1.0", "111"),
        ("the sw shall always satisfy y < 2.5", "100"),
        ("the sw shall always satisfy x < y + 2", "111"),
        ("the sw shall always satisfy u + 100 > 300", "000"),
        ("the sw shall always satisfy u + 200 > 300", "110"),
        ("the sw shall always satisfy x / y <= 2", "11?"),
        ("the sw shall always satisfy y = 0 | x / y <= 2", "111"),
        ("the sw shall always satisfy x mod 2 = 1 | x = 2", "111"),
        ("the sw shall always satisfy x * x <= 4", "110"),
        ("the sw shall always satisfy x ^ 2 <= 4", "110"),
        ("the sw shall always satisfy abs(x) <= 2", "110"),
        ("the sw shall always satisfy max(x, y) >= 1", "110"),
        ("when p the sw shall immediately satisfy mode = off", "110"),
        ("the sw shall always satisfy preInt(0, x) < 2", "110"),
        ("the sw shall always satisfy preInt(x, x) + 1 >= x", "111"),
        ("the sw shall always satisfy x < nothing", "the model has no signal `nothing`"),
        ("the sw shall always satisfy mode = up", "the model has no signal `up`"),
        ("the sw shall always satisfy missing", "the model has no signal `missing`"),
        ("the sw shall always satisfy sin(y) <= 1", "???"),
    ] {
        assert_eq!(read(sentence, &rows), expected, "{sentence}");
    }
}

#[test]
fn constants_are_no_state() {
    let mut store = Store::default();
    let mut system = System::default();
    let top = store.top();
    let once = store.once(Bound::ALL, top);
    assert_eq!(add_formula(&mut system, &mut store, once, &|_| None), Ok(Pool::TRUE));
    assert!(system.state.is_empty());
}
