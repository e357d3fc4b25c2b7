//! Requirements on infinite runs of random models, against a search written here: the model, stepped through all its states, together
//! with the automaton of the negated formula. It shares neither monitors nor engines with what is tested.

extern crate dfrs;

#[path = "../../dfrs/tests/support/random.rs"]
mod made;
#[path = "../../system/tests/support/mod.rs"]
mod support;

use base::Random;
use engine::{Answer, Config, NoSolver, check, verify};
use logic::{Bound, Formula, Id, Store, Trace};
use omega::decide::Setting;
use requirement::{Context, Ending, Requirement};
use rustc_hash::FxHashMap;
use shall_project::monitors::add_requirement;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use support::Stepper;
use system::{Expr, Origin, System, Type, Value};

/// A random Lustre program: two inputs, three Booleans with memory, and a counter that starts again.
fn program(rng: &mut Random) -> String {
    let mut text = "node n(a, b: bool) returns (p, q, r: bool; k: int);\nlet\n".to_owned();
    for name in ["p", "q", "r"] {
        let first = ["false", "true", "a"][rng.below(3)];
        let _ = writeln!(text, "  {name} = {first} -> {};", condition(rng, 3));
    }
    let size = 2 + rng.below::<u32>(3);
    let _ = writeln!(text, "  k = 0 -> if {} then (pre k + 1) mod {size} else pre k;", condition(rng, 1));
    if rng.below::<u32>(3) == 0 {
        text += "  assert a or b;\n";
    }
    text + "tel\n"
}

/// A condition on inputs and memory.
fn condition(rng: &mut Random, depth: u32) -> String {
    if depth == 0 || rng.below::<u32>(5) == 0 {
        let atoms = ["a", "b", "pre p", "pre q", "pre r", "(pre k = 1)", "(pre k > 0)", "true"];
        return atoms[rng.below(atoms.len() as u64) as usize].to_owned();
    }
    let (left, right) = (condition(rng, depth - 1), condition(rng, depth - 1));
    match rng.below::<u32>(4) {
        0 => format!("not ({left})"),
        1 => format!("(({left}) and ({right}))"),
        2 => format!("(if {left} then {right} else {})", condition(rng, depth - 1)),
        _ => format!("(({left}) or ({right}))"),
    }
}

/// A sentence about the given conditions; names can also be modes.
fn sentence(rng: &mut Random, names: &[&str], conditions: &[&str]) -> String {
    let mode = names[rng.below(names.len() as u64) as usize];
    let mut some = || conditions[rng.below(conditions.len() as u64) as usize];
    let [held, trigger, response, stop] = [some(), some(), some(), some()];
    let scope = match rng.below::<u32>(9) {
        0 => format!("while {held} "),
        1 => format!("except while {held} "),
        2 => format!("before {mode} "),
        3 => format!("after {mode} "),
        4 => format!("only while {held} "),
        5 => format!("only after {mode} "),
        6 => format!("only before {mode} "),
        _ => String::new(),
    };
    let condition = match rng.below::<u32>(3) {
        0 => format!("when {trigger} "),
        1 => format!("whenever {trigger} "),
        _ => String::new(),
    };
    let timing = match rng.below::<u32>(7) {
        0 | 1 => "eventually".to_owned(),
        2 => "finally".to_owned(),
        3 => format!("until {stop}"),
        4 => format!("before {stop}"),
        5 => "always".to_owned(),
        _ => "never".to_owned(),
    };
    let shall = if scope.starts_with("only") { "shall the c" } else { "the c shall" };
    format!("{scope}{condition}{shall} {timing} satisfy {response}")
}

/// The states of a model, and its steps with what can be seen at them.
struct Explored {
    edges: Vec<Vec<(Vec<bool>, usize)>>,
    /// Whether some state has no step that the assumptions allow.
    ends: bool,
}

/// Steps a system through all its states; each step shows which of some formulas about its outputs hold.
fn explored(system: &System, store: &Store, atoms: &[Id]) -> Option<Explored> {
    let mut complete = system.clone();
    let inputs = system.inputs.iter().map(|var| system.variables[var.index()].name.clone());
    let names: Vec<String> = inputs.chain(system.outputs.iter().map(|it| it.name.clone())).collect();
    let read: Vec<Expr> = names.iter().map(|name| complete.named(name).expect("a signal")).collect();
    let types: Vec<Type> = read.iter().map(|it| complete.pool.type_of(*it)).collect();
    let allowed = complete.pool.and(complete.assumptions.clone());
    let first = complete.pool.and(complete.initial.clone());
    let mut all = read.clone();
    all.extend([allowed, first]);
    let stepper = Stepper::new(&complete, &all);
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for var in &complete.inputs {
        let values: Vec<Value> = match complete.variables[var.index()].ty {
            Type::Bool => [false, true].map(Value::Bool).into(),
            Type::Enum(id) => {
                (0..complete.pool.enumeration(id).literals.len() as u32).map(Value::Enum).collect()
            }
            // Inputs are compared with 0, 1 and 2.
            Type::Int => (-1..=3).map(|it| Value::Int(it.into())).collect(),
            Type::Machine(_) | Type::Real => return None,
        };
        let longer = |row: &Vec<Value>| {
            values.iter().map(|it| row.iter().cloned().chain([it.clone()]).collect()).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    let start = complete.state.iter().map(|it| match it.init {
        Some(init) => system::evaluate(&complete.pool, init, |_| Value::Undefined),
        // The models read no memory before it is set.
        None => Value::any_of(complete.variables[it.var.index()].ty),
    });
    let start: Vec<Value> = start.collect();
    let mut numbers: FxHashMap<(bool, String), usize> = FxHashMap::default();
    let mut states = vec![(true, start.clone())];
    numbers.insert((true, format!("{start:?}")), 0);
    let mut found = Explored { edges: Vec::new(), ends: false };
    while let Some((is_first, state)) = states.get(found.edges.len()).cloned() {
        let mut edges = Vec::new();
        for row in &rows {
            let (mut seen, next) = stepper.step(&state, row);
            let (initially, assumed) = (seen.pop()?, seen.pop()?);
            if assumed != Value::Bool(true) || is_first && initially != Value::Bool(true) {
                continue;
            }
            let empty = Trace::new(1, None).expect("one position");
            let trace = names.iter().zip(&types).zip(&seen).fold(empty, |trace, ((name, ty), value)| {
                let value = system::simulate::observed(&complete.pool, *ty, value).expect("defined");
                trace.with(name, vec![value]).expect("distinct names")
            });
            let holds = |atom: &Id| {
                let atom = store.as_formula(*atom).expect("atoms are formulas");
                logic::holds_at(store, atom, &trace, 0).expect("a truth value")
            };
            let letter: Vec<bool> = atoms.iter().map(holds).collect();
            let key = (false, format!("{next:?}"));
            let number = *numbers.entry(key).or_insert_with(|| {
                states.push((false, next));
                states.len() - 1
            });
            if !edges.contains(&(letter.clone(), number)) {
                edges.push((letter, number));
            }
        }
        found.ends |= edges.is_empty();
        found.edges.push(edges);
        if states.len() > 3000 {
            return None;
        }
    }
    Some(found)
}

/// Whether some infinite run violates the requirement, and whether some run cannot go on. `None` if there are too many states.
fn violated(system: &System, store: &mut Store, requirement: &Requirement) -> Option<(bool, bool)> {
    let formula: Formula = requirement::future(store, requirement, Ending::Infinite).expect("a formula");
    let negated = store.not(formula);
    let automaton = omega::translate(store, negated, omega::Limits::default()).expect("a small automaton");
    let model = explored(system, store, &automaton.atoms)?;
    let mut pairs = vec![(0, automaton.initial)];
    let mut numbers: FxHashMap<(usize, u32), usize> = [((0, automaton.initial), 0)].into_iter().collect();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    while let Some(&(state, place)) = pairs.get(edges.len()) {
        let mut targets = Vec::new();
        for (letter, next) in &model.edges[state] {
            for step in &automaton.steps[place as usize] {
                if automaton.guards.value(step.guard, letter) {
                    let pair = (*next, step.target);
                    targets.push(*numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    }));
                }
            }
        }
        edges.push(targets);
    }
    let returns = |from: usize| {
        let mut seen = vec![false; edges.len()];
        let mut open = edges[from].clone();
        while let Some(at) = open.pop() {
            if at == from {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(&edges[at]);
            }
        }
        false
    };
    let accepting = |it: &usize| automaton.accepting[pairs[*it].1 as usize];
    Some(((0..edges.len()).filter(accepting).any(returns), model.ends))
}

/// For every template and all infinite words: what is monitored is what the formula of the future says.
#[test]
fn monitors_mean_the_same_as_the_formula_of_the_future() {
    for steps in [0, 2] {
        let mut store = Store::default();
        for requirement in requirement::template::templates(&mut store, steps) {
            if steps > 0 && requirement.timing.steps().is_none() {
                continue;
            }
            let future = requirement::future(&mut store, &requirement, Ending::Infinite).expect("a formula");
            let parts = requirement::parts(&mut store, &requirement, requirement::Reading::Endless);
            let parts = parts.expect("two formulas");
            let safe = store.globally(Bound::ALL, parts.safety);
            let again = parts.live.unwrap_or(store.top());
            let again = store.finally(Bound::ALL, again);
            let recurs = store.globally(Bound::ALL, again);
            let both = store.and2(safe, recurs);
            let found = omega::decide::equivalent(&mut store, future, both, Setting::default());
            assert_eq!(found, Ok(None), "{} with n = {steps}", requirement.key());
        }
    }
}

/// How many verdicts there were of each kind.
#[derive(Default, Debug)]
struct Tally {
    valid: usize,
    certified: usize,
    prefix: usize,
    lasso: usize,
    unknown: usize,
    large: usize,
}

/// Compares verdicts about one sentence on a model without properties.
fn compare(model: &System, text: &str, tally: &mut Tally) {
    let mut store = Store::default();
    let sorts = {
        let inputs = model.inputs.iter().map(|var| &model.variables[var.index()]);
        let inputs = inputs.map(|it| (it.name.clone(), it.ty.sort()));
        let outputs = model.outputs.iter().map(|it| (it.name.clone(), model.pool.type_of(it.value).sort()));
        inputs.chain(outputs).collect()
    };
    let context = Context { signals: Some(sorts), ..Context::default() };
    let lowered = requirement::lower(&mut store, &syntax::fretish::parse(text), &context);
    let requirement = lowered.requirement.unwrap_or_else(|| panic!("{text}: {:?}", lowered.diagnostics));
    let Some((expected, ends)) = violated(model, &mut store, &requirement) else {
        tally.large += 1;
        return;
    };
    let mut system = model.clone();
    let known = system::names(&mut system);
    let binding = |name: &str| known.get(name).copied();
    let named = (text, Origin::Unknown);
    let property = add_requirement(
        &mut system,
        &mut store,
        named,
        (&requirement, requirement::Reading::Endless),
        &binding,
    );
    let property = property.unwrap_or_else(|error| panic!("{text}: {error}"));
    let begun = Instant::now();
    let left = || Duration::from_secs(20).saturating_sub(begun.elapsed());
    let verdict = verify(&system, &[property], &Config::new(&left, &NoSolver)).remove(0);
    match &verdict.answer {
        Answer::Valid(certificate) => {
            assert!(!expected, "valid: {text}\n{system}");
            tally.valid += 1;
            let checked = check(&system, property, certificate, &NoSolver, &|| false);
            tally.certified += usize::from(checked == Ok(true));
        }
        Answer::Invalid(found) => {
            // The violation of a prefix counts even if no infinite run continues it.
            let excused = ends && found.repeats.is_none();
            assert!(expected || excused, "invalid: {text}\n{system}{}", found.run.show(&system));
            let trace = found.run.trace(&system).expect("steps");
            let trace = trace.returning(found.repeats.as_ref().map(|it| it.start)).expect("a loop");
            let judged = requirement::oracle::judge(&store, &requirement, &trace).expect("a verdict");
            assert!(!judged.holds(), "{text}\n{}", found.run.show(&system));
            match &found.repeats {
                Some(_) => tally.lasso += 1,
                None => tally.prefix += 1,
            }
        }
        Answer::Unknown(why) => {
            tally.unknown += 1;
            println!("{why}: {text}\n{system}");
        }
    }
}

#[test]
fn lustre_programs() {
    let mut rng = Random::new(16);
    let mut tally = Tally::default();
    for _ in 0..120 {
        let text = program(&mut rng);
        let read = lustre::read(&text, &|_| None);
        let system = read.system("n", &lustre::Options::default());
        let system = system.unwrap_or_else(|found| panic!("{found:?}\n{text}"));
        for _ in 0..3 {
            let conditions = ["a", "b", "p", "q", "r", "k = 1", "k > 1", "p & q", "!r"];
            let sentence = sentence(&mut rng, &["p", "q", "r", "a"], &conditions);
            compare(&system, &sentence, &mut tally);
        }
    }
    assert!(tally.valid > 60 && tally.lasso > 30 && tally.prefix > 60, "{tally:?}");
    assert!(tally.unknown == 0 && tally.large == 0, "{tally:?}");
    assert!(tally.certified * 10 > tally.valid * 9, "{tally:?}");
}

#[test]
fn controlled_english() {
    let mut rng = Random::new(17);
    let mut tally = Tally::default();
    let mut models = 0;
    while models < 80 {
        let made = made::random(&mut rng);
        let Ok(system) = dfrs::discrete::lower(&made, dfrs::Reading::ALL[models % 3]) else { continue };
        models += 1;
        let first = if made.variables[0].sort == dfrs::Sort::Int { ["a = 1", "a > 1"] } else { ["a", "!a"] };
        let conditions = [first[0], first[1], "x = blue", "x = dark_red"];
        let modes = ["(x = blue)", "(x = dark_red)"];
        for _ in 0..2 {
            let sentence = sentence(&mut rng, &modes, &conditions);
            compare(&system, &sentence, &mut tally);
        }
    }
    assert!(tally.valid > 30 && tally.lasso > 15 && tally.prefix > 15, "{tally:?}");
    assert!(tally.unknown == 0 && tally.large < 20, "{tally:?}");
}
