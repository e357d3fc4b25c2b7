//! Where the readings of a system differ: what each of them makes of it, and a shortest run after which two of them can show different outputs.
//!
//! The runs are searched in discrete time, with delays that bring a timer to the start of a class; this finds differences and does not prove that there are none.

use crate::classes::Class;
use crate::explore::{Budget, Environment, Stop};
use crate::findings::{Analysis, What, analyse};
use crate::machine::compile;
use crate::machine::{Infinite, Machine};
use crate::reading::{Reading, Semantics};
use crate::semantics::walk::{self, Still};
use crate::system::Dfrs;
use logic::Value;
use rustc_hash::FxHashSet;

/// What one reading makes of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The reading.
    pub reading: Reading,
    /// Stable states.
    pub states: usize,
    /// Pairs of requirements that assign different values at the same time.
    pub conflicts: usize,
    /// Pairs of requirements whose order matters.
    pub order_matters: usize,
    /// Sets of requirements that react forever.
    pub time_locks: usize,
    /// Sets of requirements that can react forever.
    pub possible_time_locks: usize,
    /// Requirements that do nothing, or nothing of their own.
    pub idle_requirements: usize,
    /// Why the search is not complete; `None` if it is.
    pub stopped: Option<Stop>,
}

/// A run after which two readings can show different outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The two readings.
    pub readings: (Reading, Reading),
    /// Delays, each with all inputs after it.
    pub steps: Vec<(i64, Vec<(usize, Value)>)>,
    /// The outputs that the first can show.
    pub first: Vec<Vec<(usize, Value)>>,
    /// The outputs that the second can show.
    pub second: Vec<Vec<(usize, Value)>>,
}

/// What each reading makes of a system.
pub fn summaries(dfrs: &Dfrs, environment: Environment, budget: Budget) -> Result<Vec<Summary>, Infinite> {
    let summary = |reading| {
        let analysis = analyse(dfrs, Semantics::discrete(reading), environment, budget)?;
        Ok(summarise(reading, &analysis))
    };
    Reading::ALL.into_iter().map(summary).collect()
}

fn summarise(reading: Reading, analysis: &Analysis) -> Summary {
    let count = |which: fn(&What) -> bool| analysis.findings.iter().filter(|it| which(&it.what)).count();
    Summary {
        reading,
        states: analysis.states,
        conflicts: count(|it| matches!(it, What::WriteConflict { .. })),
        order_matters: count(|it| matches!(it, What::OrderMatters)),
        time_locks: count(|it| matches!(it, What::TimeLock)),
        possible_time_locks: count(|it| matches!(it, What::PossibleTimeLock)),
        idle_requirements: count(|it| {
            matches!(it, What::NeverEnabled | What::Redundant { .. } | What::NoOutputEffect)
        }),
        stopped: analysis.stopped,
    }
}

/// The states that each of the two may be in.
type Joint = (Vec<Still>, Vec<Still>);

/// Those, and how they were reached: from which place in the queue, after which delay, with which inputs.
type Reached = (Joint, Option<(usize, i64, usize)>);

/// A shortest run after which two readings can show different outputs, searched through at most this number of pairs of states.
pub fn difference(
    dfrs: &Dfrs,
    readings: (Reading, Reading),
    limit: usize,
) -> Result<Option<Difference>, Infinite> {
    let one = compile(dfrs, Semantics::discrete(readings.0))?;
    let two = compile(dfrs, Semantics::discrete(readings.1))?;
    let start = (walk::settle(&one, walk::start(&one), LIMIT), walk::settle(&two, walk::start(&two), LIMIT));
    let mut seen: FxHashSet<Joint> = FxHashSet::from_iter([start.clone()]);
    let mut queue: Vec<Reached> = vec![(start, None)];
    let mut next = 0;
    while next < queue.len() {
        let joint = queue[next].0.clone();
        let mut delays = Vec::new();
        joint.0.iter().for_each(|still| walk::delays(&one, still, &mut delays));
        joint.1.iter().for_each(|still| walk::delays(&two, still, &mut delays));
        delays.sort_unstable();
        delays.dedup();
        for by in delays {
            for inputs in 0..one.combinations() {
                let after = (follow(&one, &joint.0, by, inputs), follow(&two, &joint.1, by, inputs));
                let (Some(first), Some(second)) = after else { continue };
                let shown = (outputs(&one, &first), outputs(&two, &second));
                let step = Some((next, by, inputs));
                if shown.0 != shown.1 {
                    queue.push(((first, second), step));
                    let steps = steps(&one, &queue);
                    let first = shown.0.iter().map(|classes| named(&one, classes)).collect();
                    let second = shown.1.iter().map(|classes| named(&two, classes)).collect();
                    return Ok(Some(Difference { readings, steps, first, second }));
                }
                let joint = (first, second);
                if seen.len() < limit && seen.insert(joint.clone()) {
                    queue.push((joint, step));
                }
            }
        }
        next += 1;
    }
    Ok(None)
}

const LIMIT: usize = 1_000;

/// The stable states after a step, from those that can make it; `None` if none can.
fn follow(machine: &Machine<'_>, from: &[Still], by: i64, inputs: usize) -> Option<Vec<Still>> {
    let moved: Vec<Still> = from.iter().filter_map(|still| walk::wait(machine, still, by, inputs)).collect();
    if moved.is_empty() {
        return None;
    }
    let mut stable: Vec<Still> =
        moved.into_iter().flat_map(|still| walk::settle(machine, still, LIMIT)).collect();
    stable.sort_unstable();
    stable.dedup();
    Some(stable)
}

fn outputs(machine: &Machine<'_>, stills: &[Still]) -> Vec<Vec<Class>> {
    let places: Vec<usize> =
        (0..machine.variables.len()).filter(|&place| !machine.variables[place].input).collect();
    let mut shown: Vec<Vec<Class>> =
        stills.iter().map(|still| places.iter().map(|&place| still.slots[place]).collect()).collect();
    shown.sort_unstable();
    shown.dedup();
    shown
}

fn named(machine: &Machine<'_>, classes: &[Class]) -> Vec<(usize, Value)> {
    let outputs = machine.variables.iter().filter(|it| !it.input);
    outputs.zip(classes).map(|(it, &class)| (it.variable, it.classes.value(class))).collect()
}

/// The steps to the last of the queue.
fn steps(machine: &Machine<'_>, queue: &[Reached]) -> Vec<(i64, Vec<(usize, Value)>)> {
    let mut steps = Vec::new();
    let mut at = queue.len().checked_sub(1);
    while let Some((from, by, combination)) = at.and_then(|at| queue[at].1) {
        let mut slots = machine.initial();
        let before = slots.clone();
        machine.choose(&before, &mut slots, combination);
        let inputs = machine.variables.iter().enumerate().filter(|(_, it)| it.input);
        steps.push((by, inputs.map(|(place, it)| (it.variable, it.classes.value(slots[place]))).collect()));
        at = Some(from);
    }
    steps.reverse();
    steps
}
