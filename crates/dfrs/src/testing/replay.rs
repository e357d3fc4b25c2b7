//! Running test vectors against a system: is each case a run of it, even the only one, and if not, where does it go wrong and why?
//!
//! The first row of a case gives the inputs at the start if its time is zero; each other row is a delay with
//! new inputs, after which the outputs of a stable state have to be those of the row. Systems with finitely many classes run compiled.

use crate::classes::Class;
use crate::closure::Closure;
use crate::machine::{Infinite, Machine, compile, gcd};
use crate::reading::{Clock, Reading, Semantics};
use crate::step::{self, Deadline, Refusal, entries};
use crate::system::{Dfrs, Kind, Sort};
use crate::vectors::{Case, Column, Vectors};
use logic::{RBig, Value, format_decimal};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

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
    /// The system reacts forever.
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
                Refusal::NotPositive => "time does not advance".to_owned(),
                Refusal::NotWhole => "the delay is not an integer".to_owned(),
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
                format!("{} keep reacting to each other", ids.join(", "))
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

/// The most states that the reactions to one row may pass through.
const LIMIT: usize = 10_000;

/// The same for a system that runs on values: one that counts forever is detected soon.
const EXACT_LIMIT: usize = 1_000;

/// The most reactions that are remembered.
const MEMO: usize = 100_000;

/// How rows are run: compiled, on classes and whole numbers of time units, or exactly, on values.
trait Engine {
    type State;

    /// Adds the stable states of the start; the inputs are those of the row if its time is zero. Whether reactions always end.
    fn start(&self, row: usize, found: &mut Vec<Self::State>) -> bool;

    /// Adds the stable states after a row. Whether reactions always end.
    fn advance(&self, state: &Self::State, row: usize, found: &mut Vec<Self::State>)
    -> Result<bool, Refusal>;

    /// Whether the outputs are those of the row.
    fn agrees(&self, state: &Self::State, row: usize) -> bool;

    /// Why no state agrees with a row.
    fn explain(&self, states: &[Self::State], row: usize, start: bool, refused: Option<Refusal>) -> Reason;
}

/// Runs a compiled system.
struct Compiled<'m, 'a> {
    machine: &'m Machine<'a>,
    vectors: &'m Vectors,
    /// For each column its slot, whether it is an input, and for each of its values the class.
    columns: Vec<(usize, bool, Vec<Class>)>,
    /// How many units of time make one of the vectors, and one of the machine.
    finer: (i64, i64),
    timed: Vec<usize>,
    /// What a state reacts with: test vectors come back to the same situations.
    memo: RefCell<FxHashMap<Box<[Class]>, Rc<Reactions>>>,
}

/// What a state comes to.
struct Reactions {
    stable: Vec<Box<[Class]>>,
    ends: bool,
}

impl Reactions {
    fn of(machine: &Machine<'_>, slots: &[Class]) -> Reactions {
        let Some(closure) = Closure::of(machine, slots, LIMIT) else {
            return Reactions { stable: Vec::new(), ends: false };
        };
        let stable = closure.stable().map(|state| closure.states[state].clone()).collect();
        Reactions { stable, ends: closure.cycle().is_none() }
    }
}

/// A state of a compiled system: slots, the time, and when each timer was reset.
#[derive(Clone, PartialEq)]
struct Run {
    slots: Box<[Class]>,
    time: i64,
    resets: Box<[i64]>,
}

impl<'m, 'a> Compiled<'m, 'a> {
    pub(crate) fn new(machine: &'m Machine<'a>, vectors: &'m Vectors) -> Compiled<'m, 'a> {
        let column = |column: &Column| {
            let slot = machine.slot(column.variable).unwrap_or_default();
            let variable = &machine.variables[slot];
            // An output value of no class is one that the system never has.
            let class = |value: &Value| variable.classes.class_of(value).unwrap_or(Class::MAX);
            (slot, variable.input, column.values.iter().map(class).collect())
        };
        let common = gcd(machine.units, vectors.units);
        Compiled {
            machine,
            vectors,
            columns: vectors.columns.iter().map(column).collect(),
            finer: (machine.units / common, vectors.units / common),
            memo: RefCell::default(),
            timed: (0..machine.rules.len()).filter(|&rule| !machine.rules[rule].windows.is_empty()).collect(),
        }
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, bool, Class)> {
        let cells = &self.vectors.cells[row * self.columns.len()..];
        self.columns
            .iter()
            .zip(cells)
            .map(|((slot, input, classes), &cell)| (*slot, *input, classes[cell as usize]))
    }

    fn time(&self, row: usize) -> i64 {
        self.vectors.times[row].saturating_mul(self.finer.0)
    }

    fn first(&self, row: usize) -> Run {
        let mut slots = self.machine.initial();
        if self.vectors.times[row] == 0 {
            for (slot, _, class) in self.row(row).filter(|(_, input, _)| *input) {
                slots[slot] = class;
                slots[self.machine.variables.len() + slot] = class;
            }
        }
        Run { slots: slots.into(), time: 0, resets: vec![0; self.machine.timers.len()].into() }
    }

    /// A delay with new inputs, before reactions.
    fn moved(&self, run: &Run, row: usize) -> Result<Run, Refusal> {
        let machine = self.machine;
        let time = self.time(row);
        if time <= run.time {
            return Err(Refusal::NotPositive);
        }
        if machine.semantics.clock == Clock::Discrete && (time - run.time) % self.finer.1 != 0 {
            return Err(Refusal::NotWhole);
        }
        let mut next = Run { slots: run.slots.clone(), time, resets: run.resets.clone() };
        machine.wait(&mut next.slots);
        if !self.timed.is_empty() {
            let later =
                if machine.semantics.reading == Reading::Synchronous { &next.slots } else { &run.slots };
            let ages = |timer: usize| run.time - run.resets[timer];
            for &number in &self.timed {
                let rule = &machine.rules[number];
                if machine.waits(rule, later)
                    && let Some((last, included)) = machine.last_delay(rule, self.finer.1, ages)
                    && (time - run.time > last || time - run.time == last && !included)
                {
                    let delay = RBig::from(last) / RBig::from(self.vectors.units * self.finer.0);
                    return Err(Refusal::Late(Deadline { delay, included, entry: number }));
                }
            }
        }
        for (slot, input, class) in self.row(row) {
            if input {
                next.slots[slot] = class;
            }
        }
        for (timer, ticker) in machine.timers.iter().enumerate() {
            next.slots[machine.first_timer() + timer] =
                ticker.ages.class_of(time - next.resets[timer], self.finer.1);
        }
        let forbidden =
            machine.restrictions.iter().position(|never| never.iter().all(|test| test.holds(&next.slots)));
        forbidden.map_or(Ok(next), |number| Err(Refusal::Restricted(number)))
    }

    /// Lets a run react, and adds the stable runs it comes to. Whether reactions always end.
    fn settle(&self, mut run: Run, found: &mut Vec<Run>) -> bool {
        let known = self.memo.borrow().get(&run.slots).cloned();
        let known = known.unwrap_or_else(|| {
            let reactions = Rc::new(Reactions::of(self.machine, &run.slots));
            let mut memo = self.memo.borrow_mut();
            if memo.len() < MEMO {
                memo.insert(run.slots.clone(), Rc::clone(&reactions));
            }
            reactions
        });
        if let [stable] = known.stable.as_slice() {
            run.slots.copy_from_slice(stable);
            add(self.rested(run), found);
        } else {
            for slots in &known.stable {
                add(self.rested(Run { slots: slots.clone(), ..run.clone() }), found);
            }
        }
        known.ends
    }

    fn rested(&self, mut run: Run) -> Run {
        for (reset, &age) in run.resets.iter_mut().zip(&run.slots[self.machine.first_timer()..]) {
            if age == 0 {
                *reset = run.time;
            }
        }
        run
    }
}

impl Engine for Compiled<'_, '_> {
    type State = Run;

    fn start(&self, row: usize, found: &mut Vec<Run>) -> bool {
        self.settle(self.first(row), found)
    }

    fn advance(&self, state: &Run, row: usize, found: &mut Vec<Run>) -> Result<bool, Refusal> {
        Ok(self.settle(self.moved(state, row)?, found))
    }

    fn agrees(&self, state: &Run, row: usize) -> bool {
        self.row(row).all(|(slot, input, class)| input || state.slots[slot] == class)
    }

    fn explain(&self, states: &[Run], row: usize, start: bool, refused: Option<Refusal>) -> Reason {
        let mut possible: Vec<Outcome> = Vec::new();
        let mut endless = Vec::new();
        let begun = if start && states.is_empty() { vec![self.first(row)] } else { Vec::new() };
        let moved = states.iter().filter_map(|state| self.moved(state, row).ok());
        for run in begun.into_iter().chain(moved) {
            let Some(closure) = Closure::of(self.machine, &run.slots, LIMIT) else { continue };
            for stable in closure.stable() {
                let value = |(place, it): (usize, &crate::machine::Slot)| {
                    (it.variable, it.classes.value(closure.states[stable][place]))
                };
                let outputs = self.machine.variables.iter().enumerate().filter(|(_, it)| !it.input);
                let outcome = Outcome { outputs: outputs.map(value).collect(), fired: closure.path(stable) };
                if !possible.iter().any(|other| other.outputs == outcome.outputs) {
                    possible.push(outcome);
                }
            }
            endless.extend(closure.cycle().into_iter().flat_map(|(_, rules)| rules));
        }
        reason(self.machine.dfrs, self.vectors, row, possible, &endless, refused)
    }
}

/// Runs a system that does not have finitely many classes.
struct Exact<'a> {
    pub(crate) dfrs: &'a Dfrs,
    pub(crate) semantics: Semantics,
    pub(crate) vectors: &'a Vectors,
}

impl Exact<'_> {
    fn row(&self, row: usize, kind: Kind) -> Vec<(usize, Value)> {
        let cells = &self.vectors.cells[row * self.vectors.columns.len()..];
        let values = self.vectors.columns.iter().zip(cells);
        let values = values.filter(|(column, _)| self.dfrs.variables[column.variable].kind == kind);
        values.map(|(column, &cell)| (column.variable, column.values[cell as usize].clone())).collect()
    }

    fn first(&self, row: usize) -> step::State {
        let mut state = step::initial(self.dfrs);
        if self.vectors.times[row] == 0 {
            for (variable, value) in self.row(row, Kind::Input) {
                state.before[variable] = value.clone();
                state.now[variable] = value;
            }
        }
        state
    }

    fn moved(&self, state: &step::State, row: usize) -> Result<step::State, Refusal> {
        let time = RBig::from(self.vectors.times[row]) / RBig::from(self.vectors.units);
        let by = time - &state.clock;
        step::delay(self.dfrs, self.semantics, state, &by, &self.row(row, Kind::Input))
    }
}

impl Engine for Exact<'_> {
    type State = step::State;

    fn start(&self, row: usize, found: &mut Vec<step::State>) -> bool {
        let settled = step::settle(self.dfrs, self.semantics, self.first(row), EXACT_LIMIT);
        settled.stable.into_iter().for_each(|(_, state)| add(state, found));
        !settled.endless
    }

    fn advance(
        &self,
        state: &step::State,
        row: usize,
        found: &mut Vec<step::State>,
    ) -> Result<bool, Refusal> {
        let settled = step::settle(self.dfrs, self.semantics, self.moved(state, row)?, EXACT_LIMIT);
        settled.stable.into_iter().for_each(|(_, state)| add(state, found));
        Ok(!settled.endless)
    }

    fn agrees(&self, state: &step::State, row: usize) -> bool {
        self.row(row, Kind::Output).iter().all(|(variable, value)| state.now[*variable] == *value)
    }

    fn explain(&self, states: &[step::State], row: usize, start: bool, refused: Option<Refusal>) -> Reason {
        let begun = if start && states.is_empty() { vec![self.first(row)] } else { Vec::new() };
        let moved = states.iter().filter_map(|state| self.moved(state, row).ok());
        let outputs = |state: &step::State| {
            let variables = self.dfrs.variables.iter().enumerate().filter(|(_, it)| it.kind == Kind::Output);
            variables.map(|(variable, _)| (variable, state.now[variable].clone())).collect()
        };
        let mut possible: Vec<Outcome> = Vec::new();
        let mut endless = Vec::new();
        for state in begun.into_iter().chain(moved) {
            let settled = step::settle(self.dfrs, self.semantics, state.clone(), EXACT_LIMIT);
            for (fired, state) in settled.stable {
                possible.push(Outcome { outputs: outputs(&state), fired });
            }
            if settled.endless {
                let reactions = step::react(self.dfrs, self.semantics, &state);
                endless.extend(reactions.iter().map(|reaction| reaction.entry));
            }
        }
        reason(self.dfrs, self.vectors, row, possible, &endless, refused)
    }
}

fn add<T: PartialEq>(state: T, found: &mut Vec<T>) {
    if !found.contains(&state) {
        found.push(state);
    }
}

fn reason(
    dfrs: &Dfrs,
    vectors: &Vectors,
    row: usize,
    possible: Vec<Outcome>,
    endless: &[usize],
    refused: Option<Refusal>,
) -> Reason {
    match (possible.is_empty(), refused) {
        (true, Some(refusal)) => Reason::Delay(refusal),
        (true, None) => {
            let mut requirements: Vec<usize> = endless
                .iter()
                .filter_map(|&entry| entries(dfrs).nth(entry))
                .map(|it| it.requirement)
                .collect();
            requirements.sort_unstable();
            requirements.dedup();
            Reason::Endless { requirements }
        }
        (false, _) => {
            let cells = &vectors.cells[row * vectors.columns.len()..];
            let expected = vectors.columns.iter().zip(cells);
            let expected =
                expected.filter(|(column, _)| dfrs.variables[column.variable].kind == Kind::Output);
            let expected = expected
                .map(|(column, &cell)| (column.variable, column.values[cell as usize].clone()))
                .collect();
            Reason::Outputs { expected, possible }
        }
    }
}
