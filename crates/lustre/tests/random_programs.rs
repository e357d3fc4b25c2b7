//! Random programs: what the systems of nodes compute is what an interpreter of its own computes, no run of the interpreter violates a
//! property that is valid, and each counterexample is a run of the interpreter.
//!
//! `SHALL_ROUNDS=5000` tries more programs.

mod interpreter;

use base::Random;
use engine::{Answer, Config, NoSolver, verify};
use interpreter::{First, Program, Word, run};
use shall_lustre::{Callees, Options, read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use system::{System, Type, Value, simulate};

/// The number of steps of runs.
const STEPS: usize = 6;

#[test]
fn systems_and_verdicts_agree_with_the_interpreter() {
    let rounds = std::env::var("SHALL_ROUNDS").ok().and_then(|it| it.parse().ok()).unwrap_or(60);
    let mut tally = [0usize; 4];
    for round in 0..rounds {
        let mut rng = Random::new(round + 1);
        let program = Program::random(&mut rng);
        let text = program.text();
        let parsed = read(&text, &|_| None);
        assert!(!parsed.is_wrong(), "round {round}: {:?}\n{text}", parsed.diagnostics);
        let top = program.top();
        let options = Options { callees: Callees::Inline, only: None };
        let system =
            parsed.system(&top, &options).unwrap_or_else(|it| panic!("round {round}: {it:?}\n{text}"));
        same_values(&program, &system, &mut rng, round, &text);
        let found = verdicts(&system);
        for (place, answer) in found.iter().enumerate() {
            let Some(own) = program.property(&system.properties[place].name) else { continue };
            match answer {
                Answer::Valid(_) => {
                    tally[0] += 1;
                    never_fails(&program, own, &mut rng, round, &text);
                }
                Answer::Invalid(it) => {
                    tally[1] += 1;
                    let inputs: Vec<Vec<Word>> =
                        it.run.steps.iter().map(|step| words(&system, &step.values)).collect();
                    let fails = fails_somehow(&program, own, &inputs);
                    tally[3] += usize::from(fails.is_none());
                    assert!(
                        fails != Some(false),
                        "round {round}: {} does not fail on {inputs:?}\n{text}",
                        system.properties[place].name
                    );
                }
                Answer::Unknown(_) => tally[2] += 1,
            }
        }
        with_contracts(&program, &parsed, &mut rng, round, &text);
    }
    let all: usize = tally[..3].iter().sum();
    assert!(tally[0] * 10 > all && tally[1] * 10 > all && (tally[2] + tally[3]) * 10 < all, "{tally:?}");
}

fn verdicts(system: &System) -> Vec<Answer> {
    let places: Vec<usize> = (0..system.properties.len()).collect();
    // Steps instead of time, so that each run of the test does the same.
    let calls = AtomicUsize::new(0);
    let left = || Duration::from_secs(if calls.fetch_add(1, Ordering::Relaxed) < 2000 { 100 } else { 0 });
    verify(system, &places, &Config::new(&left, &NoSolver)).into_iter().map(|it| it.answer).collect()
}

/// If the contracts of all callees are kept, what is valid with contracts in place of bodies is valid.
fn with_contracts(
    program: &Program,
    parsed: &shall_lustre::Program,
    rng: &mut Random,
    round: u64,
    text: &str,
) {
    let kept = program.callees().into_iter().all(|name| {
        let options = Options::default();
        let system = parsed.system(&name, &options).expect("a system");
        verdicts(&system).iter().all(|it| matches!(it, Answer::Valid(_)))
    });
    if !kept {
        return;
    }
    let options = Options { callees: Callees::Contract, only: None };
    let system = parsed.system(&program.top(), &options).expect("a system");
    for (place, answer) in verdicts(&system).iter().enumerate() {
        if let (Answer::Valid(_), Some(own)) = (answer, program.property(&system.properties[place].name)) {
            never_fails(program, own, rng, round, text);
        }
    }
}

/// The values of the inputs of the node, from those of all variables of its system.
fn words(system: &System, values: &[Value]) -> Vec<Word> {
    let named = |name: &str| {
        let var = system.variable(name)?;
        match values.get(var.index())? {
            Value::Bool(it) => Some(Word::from(*it)),
            Value::Int(it) => Word::try_from(it).ok(),
            _ => None,
        }
    };
    ["a", "b", "n"].iter().map(|name| named(name).unwrap_or(0)).collect()
}

fn random_inputs(rng: &mut Random) -> Vec<Vec<Word>> {
    let row = |rng: &mut Random| vec![rng.below(2) as Word, rng.below(2) as Word, rng.below(4) as Word];
    (0..STEPS).map(|_| row(rng)).collect()
}

/// Outputs and properties of the system are those of the interpreter, for two choices of unknown first values.
fn same_values(program: &Program, system: &System, rng: &mut Random, round: u64, text: &str) {
    for first in [0, 1] {
        let inputs = random_inputs(rng);
        let (expected, claims) = run(program, &inputs, &mut First::All(first));
        let value = |ty: Type, word: Word| match ty {
            Type::Bool => Value::Bool(word == 1),
            _ => Value::Int(word.into()),
        };
        let rows: Vec<Vec<Value>> = inputs
            .iter()
            .map(|row| {
                let inputs = system.inputs.iter().map(|var| &system.variables[var.index()]);
                let word = |name: &str| match name {
                    "a" => row[0],
                    "b" => row[1],
                    "n" => row[2],
                    _ => first,
                };
                inputs.map(|it| value(it.ty, word(&it.name))).collect()
            })
            .collect();
        let start: Vec<_> = system
            .state
            .iter()
            .filter(|it| it.init.is_none())
            .map(|it| (it.var, value(system.variables[it.var.index()].ty, first)))
            .collect();
        let found = simulate(system, &start, &rows);
        for (step, row) in expected.iter().enumerate() {
            for (name, word) in program.outputs().iter().zip(row) {
                let it = found.value(system, step, name);
                let same = match it {
                    Some(Value::Bool(it)) => Word::from(*it) == *word,
                    Some(Value::Int(it)) => *it == (*word).into(),
                    _ => false,
                };
                assert!(
                    same,
                    "round {round}: {name} at {step} is {it:?}, not {word}, for {inputs:?}\n{text}\n{system}"
                );
            }
            for (place, property) in system.properties.iter().enumerate() {
                let Some(own) = program.property(&property.name) else { continue };
                let expected = Some(claims[step][own]);
                assert_eq!(
                    found.steps[step].properties[place], expected,
                    "round {round}: {} at {step} for {inputs:?}\n{text}\n{system}",
                    property.name
                );
            }
        }
    }
}

fn never_fails(program: &Program, property: usize, rng: &mut Random, round: u64, text: &str) {
    for _ in 0..40 {
        let inputs = random_inputs(rng);
        let (_, claims) = run(program, &inputs, &mut First::Random(rng));
        let step = claims.iter().position(|it| !it[property]);
        assert_eq!(step, None, "round {round}: property {property} is valid and fails on {inputs:?}\n{text}");
    }
}

/// Whether a property fails at the last step for some first values of unguarded memory; `None` if they are too many to try.
fn fails_somehow(program: &Program, property: usize, inputs: &[Vec<Word>]) -> Option<bool> {
    let mut fits = true;
    let found = (0..1u64 << BITS).any(|code| {
        let mut first = First::Code { code, drawn: 0 };
        let (_, claims) = run(program, inputs, &mut first);
        fits &= matches!(first, First::Code { drawn, .. } if drawn <= BITS);
        claims.last().is_some_and(|it| !it[property])
    });
    (found || fits).then_some(found)
}

/// The number of unknown first values that are tried in all combinations.
const BITS: u32 = 12;
