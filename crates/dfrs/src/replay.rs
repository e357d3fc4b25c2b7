//! Running test vectors against a system: is each case a run of it, even the only one, and if not, where does it go wrong and why?
//!
//! The first row of a case gives the inputs at the start if its time is zero; each other row is a delay with
//! new inputs, after which the outputs of a stable state have to be those of the row. Systems with finitely many classes run compiled.

use crate::compile::compile;
use crate::machine::Infinite;
use crate::reading::Semantics;
use crate::replay_engine::{Compiled, Engine, Exact};
use crate::step::{Refusal, entries};
use crate::system::{Dfrs, Sort};
use crate::vectors::{Case, Vectors};
use logic::{RBig, Value, format_decimal};

/// What became of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseReport {
    /// Its name.
    pub name: String,
    /// How many rows it has.
    pub rows: usize,
    /// What was found.
    pub verdict: Verdict,
}

/// Whether a case fits the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every run with these inputs has these outputs.
    Deterministic,
    /// Some run has these outputs, but others do not: from this line on.
    Possible {
        /// The line.
        line: usize,
    },
    /// No run has these outputs.
    Wrong(Wrong),
}

/// The first row that no run has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The line in the text.
    pub line: usize,
    /// The time of the row.
    pub time: RBig,
    /// Why.
    pub reason: Reason,
}

/// Why no run has a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The outputs differ.
    Outputs {
        /// The outputs that the row expects.
        expected: Vec<(usize, Value)>,
        /// The outputs that there can be.
        possible: Vec<Outcome>,
    },
    /// The delay is not possible.
    Delay(Refusal),
    /// The system reacts for ever.
    Endless {
        /// The numbers of the requirements that do.
        requirements: Vec<usize>,
    },
}

/// What a system can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// All outputs.
    pub outputs: Vec<(usize, Value)>,
    /// The numbers of the entries that reacted.
    pub fired: Vec<usize>,
}

/// Runs all cases.
pub fn replay(dfrs: &Dfrs, semantics: Semantics, vectors: &Vectors) -> Vec<CaseReport> {
    match compile(dfrs, semantics) {
        Ok(machine) => run(&Compiled::new(&machine, vectors), vectors),
        Err(Infinite::Arithmetic { .. } | Infinite::TooManyValues { .. } | Infinite::Bound { .. }) => {
            run(&Exact { dfrs, semantics, vectors }, vectors)
        }
    }
}

fn run<E: Engine>(engine: &E, vectors: &Vectors) -> Vec<CaseReport> {
    let report = |case: &Case| CaseReport {
        name: case.name.clone(),
        rows: case.end - case.start,
        verdict: run_case(engine, vectors, case),
    };
    vectors.cases.iter().map(report).collect()
}

fn run_case<E: Engine>(engine: &E, vectors: &Vectors, case: &Case) -> Verdict {
    let mut states: Vec<E::State> = Vec::new();
    let mut next: Vec<E::State> = Vec::new();
    let mut ambiguous = None;
    for row in case.start..case.end {
        next.clear();
        let mut certain = true;
        let mut refused = None;
        if row == case.start {
            certain &= engine.start(row, &mut next);
            if vectors.times[row] != 0 {
                std::mem::swap(&mut states, &mut next);
                next.clear();
            }
        }
        for state in &states {
            match engine.advance(state, row, &mut next) {
                Ok(ends) => certain &= ends,
                Err(reason) => refused = refused.or(Some(reason)),
            }
        }
        certain &= refused.is_none();
        let all = next.len();
        next.retain(|state| engine.agrees(state, row));
        if next.is_empty() {
            let reason = engine.explain(&states, row, row == case.start, refused);
            let time = RBig::from(vectors.times[row]) / RBig::from(vectors.units);
            return Verdict::Wrong(Wrong { line: vectors.lines[row], time, reason });
        }
        if (!certain || next.len() < all) && ambiguous.is_none() {
            ambiguous = Some(vectors.lines[row]);
        }
        std::mem::swap(&mut states, &mut next);
    }
    ambiguous.map_or(Verdict::Deterministic, |line| Verdict::Possible { line })
}

impl Wrong {
    /// What is wrong, in words.
    pub fn words(&self, dfrs: &Dfrs) -> String {
        let id = |requirement: usize| dfrs.requirements.get(requirement).map_or("", |it| it.id.as_str());
        let by = |entry: usize| entries(dfrs).nth(entry).map_or("", |it| id(it.requirement));
        let what = match &self.reason {
            Reason::Outputs { expected, possible } => {
                let mut lines = Vec::new();
                for outcome in possible {
                    let differ: Vec<String> = expected
                        .iter()
                        .filter(|it| !outcome.outputs.contains(it))
                        .map(|(variable, value)| {
                            let found = outcome.outputs.iter().find(|(other, _)| other == variable);
                            let found =
                                found.map_or(String::new(), |(_, value)| show(dfrs, *variable, value));
                            let name = &dfrs.variables[*variable].name;
                            format!("`{name}` is {found}, not {}", show(dfrs, *variable, value))
                        })
                        .collect();
                    let fired: Vec<&str> = outcome.fired.iter().map(|&entry| by(entry)).collect();
                    let why = if fired.is_empty() {
                        "no requirement reacts".to_owned()
                    } else {
                        format!("by {}", fired.join(", "))
                    };
                    lines.push(format!("{} ({why})", differ.join(", ")));
                }
                lines.join("; or ")
            }
            Reason::Delay(refusal) => match refusal {
                Refusal::Unstable => "the system has to react first".to_owned(),
                Refusal::NotPositive => "time does not go on".to_owned(),
                Refusal::NotWhole => "the delay is not a whole number".to_owned(),
                Refusal::Late(deadline) => {
                    let most = if deadline.included { "at most" } else { "less than" };
                    format!("{} has to react after {most} {}", by(deadline.entry), decimal(&deadline.delay))
                }
                Refusal::NotAnInput(_) | Refusal::WrongSort(_) => "an input has no such value".to_owned(),
                Refusal::Restricted(number) => {
                    let rule = dfrs.restrictions.get(*number).map_or("", |it| it.origin.id.as_str());
                    format!("the environment never does this ({rule})")
                }
            },
            Reason::Endless { requirements } => {
                let ids: Vec<&str> = requirements.iter().map(|&it| id(it)).collect();
                format!("{} react to each other for ever", ids.join(", "))
            }
        };
        format!("at time {}: {what}", decimal(&self.time))
    }
}

/// A value in the words of the requirements.
pub fn show(dfrs: &Dfrs, variable: usize, value: &Value) -> String {
    match (value, dfrs.variables.get(variable).map(|it| &it.sort)) {
        (Value::Bool(true), Some(Sort::Bool { word: Some(word) })) => word.clone(),
        (Value::Bool(false), Some(Sort::Bool { word: Some(word) })) => format!("not {word}"),
        (Value::Bool(truth), _) => truth.to_string(),
        (Value::Num(number), _) => decimal(number),
        (Value::Name(name), _) => name.clone(),
    }
}

fn decimal(number: &RBig) -> String {
    format_decimal(number).unwrap_or_else(|| number.to_string())
}
