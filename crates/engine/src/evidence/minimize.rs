//! Readable counterexamples: as short as possible, then with few changes of inputs, then with simple values.
//!
//! A greedy search: it drops steps, undoes input changes and replaces values with simpler ones, as long as the trace still refutes the
//! property. Every change makes the trace smaller in that order, so the search ends; the work is bounded too. It is deterministic.

mod simple;

use crate::evidence::replay::confirm;
use crate::verdict::Counterexample;
use simple::{simpler, simpler_values};
use system::{Step, System, Value, Var, simulate};

/// The maximum number of evaluated expressions.
const WORK: usize = 1_000_000;

/// A trace that refutes the same property and is at most as long, with no more changes of inputs and values at least as simple; the
/// best one so far when `stop` returns true.
pub fn minimize(
    system: &System,
    property: usize,
    found: &Counterexample,
    stop: &dyn Fn() -> bool,
) -> Counterexample {
    smaller(system, property, found, stop).unwrap_or_else(|| found.clone())
}

fn smaller(
    system: &System,
    property: usize,
    found: &Counterexample,
    stop: &dyn Fn() -> bool,
) -> Option<Counterexample> {
    if stop() {
        return None;
    }
    let mut sliced = system.slice(&[property]);
    sliced.outputs.clear();
    sliced.lemmas.clear();
    let first = found.run.steps.first()?;
    let at = |step: &Step, var: Var| step.values.get(var.index()).cloned();
    let free: Vec<Var> = sliced.state.iter().filter(|it| it.init.is_none()).map(|it| it.var).collect();
    let mut rows = Vec::with_capacity(found.run.steps.len());
    for step in &found.run.steps {
        rows.push(sliced.inputs.iter().map(|var| at(step, *var)).collect::<Option<Vec<Value>>>()?);
    }
    let start: Vec<Value> = free.iter().map(|var| at(first, *var)).collect::<Option<_>>()?;
    let exact = found.rounded.is_none();
    let expressions = sliced.pool.reachable(sliced.roots()).len().max(1);
    let left = WORK / if exact { expressions } else { 4 * expressions };
    let mut search = Search { system: &sliced, free: &free, exact, left, rows, start, stop };
    search
        .accepts(&search.start.clone(), &search.rows.clone())
        .filter(|length| *length == search.rows.len())?;
    search.shorten();
    while search.left > 0 && (search.settle() | search.simplify()) {}
    let known = |var: Var, step: u32| {
        let row = search.rows.get(step as usize)?;
        match sliced.inputs.iter().position(|it| *it == var) {
            Some(place) => row.get(place).cloned(),
            None => free.iter().position(|it| *it == var).and_then(|place| search.start.get(place).cloned()),
        }
    };
    confirm(system, property, search.rows.len(), &known)
}

/// The best trace so far, of a system with one property.
struct Search<'a> {
    system: &'a System,
    /// The states whose initial value is free.
    free: &'a [Var],
    exact: bool,
    /// The number of steps that may still be computed.
    left: usize,
    rows: Vec<Vec<Value>>,
    start: Vec<Value>,
    stop: &'a dyn Fn() -> bool,
}

impl Search<'_> {
    /// The number of steps after which the property is violated, if all assumptions hold until then.
    fn accepts(&mut self, start: &[Value], rows: &[Vec<Value>]) -> Option<usize> {
        if (self.stop)() {
            self.left = 0;
        }
        let enough = rows.len() <= self.left;
        self.left = self.left.saturating_sub(rows.len());
        if !enough {
            return None;
        }
        if !self.exact {
            let known = |var: Var, step: u32| match self.system.inputs.iter().position(|it| *it == var) {
                Some(place) => rows[step as usize].get(place).cloned(),
                None => self.free.iter().position(|it| *it == var).map(|place| start[place].clone()),
            };
            return confirm(self.system, 0, rows.len(), &known).map(|it| it.run.steps.len());
        }
        let given: Vec<(Var, Value)> = self.free.iter().copied().zip(start.iter().cloned()).collect();
        let run = simulate(self.system, &given, rows);
        let last = run.steps.iter().position(|it| it.properties.first() == Some(&Some(false)))?;
        run.steps[..=last].iter().all(|it| it.assumed == Some(true)).then_some(last + 1)
    }

    /// Keeps a trace, cut after the violation, if it still refutes the property.
    fn offer(&mut self, start: &[Value], mut rows: Vec<Vec<Value>>) -> bool {
        match self.accepts(start, &rows) {
            None => false,
            Some(length) => {
                rows.truncate(length);
                self.rows = rows;
                self.start = start.to_vec();
                true
            }
        }
    }

    /// Drops steps: long stretches first.
    fn shorten(&mut self) {
        let mut stretch = self.rows.len() / 2;
        while stretch > 0 && self.left > 0 {
            let mut from = 0;
            while from + stretch < self.rows.len() {
                let mut rows = self.rows.clone();
                rows.drain(from..from + stretch);
                if !self.offer(&self.start.clone(), rows) {
                    from += stretch;
                }
            }
            stretch /= 2;
        }
    }

    /// Makes inputs keep their values.
    fn settle(&mut self) -> bool {
        let mut better = false;
        for place in 0..self.system.inputs.len() {
            let ty = self.system.variables[self.system.inputs[place].index()].ty;
            let constants =
                [Some(Value::any_of(ty)), self.cell(0, place), self.cell(self.rows.len() - 1, place)];
            let changes = |rows: &[Vec<Value>]| changes(rows, place);
            if changes(&self.rows) > 0 {
                better |=
                    constants.into_iter().flatten().any(|value| self.put(place, 0..self.rows.len(), &value));
            }
            let mut step = 0;
            while step < self.rows.len() && self.left > 0 {
                let segment = self.segment(place, step);
                let old = changes(&self.rows);
                let (before, after) =
                    (step.checked_sub(1).and_then(|it| self.cell(it, place)), self.cell(segment.end, place));
                let changed = segment.start == step
                    && [before, after].into_iter().flatten().any(|value| {
                        let mut rows = self.rows.clone();
                        rows[segment.clone()].iter_mut().for_each(|row| row[place] = value.clone());
                        changes(&rows) < old && self.offer(&self.start.clone(), rows)
                    });
                better |= changed;
                // The following steps may now be settled too.
                step = if changed { step } else { segment.end.max(step + 1) };
            }
        }
        better
    }

    /// Replaces values with simpler ones.
    fn simplify(&mut self) -> bool {
        let mut better = false;
        for place in 0..self.system.inputs.len() {
            let mut step = 0;
            while step < self.rows.len() && self.left > 0 {
                let segment = self.segment(place, step);
                let Some(old) = self.cell(step, place) else { break };
                let found = simpler_values(self.system, self.system.inputs[place], &old)
                    .into_iter()
                    .any(|value| self.put(place, segment.clone(), &value));
                better |= found;
                if !found {
                    step = segment.end;
                }
            }
        }
        for place in 0..self.free.len() {
            while self.left > 0 {
                let values = simpler_values(self.system, self.free[place], &self.start[place]);
                let found = values.into_iter().any(|value| {
                    let mut start = self.start.clone();
                    start[place] = value;
                    self.offer(&start, self.rows.clone())
                });
                if !found {
                    break;
                }
                better = true;
            }
        }
        better
    }

    /// Sets an input to one value over a range of steps, unless that makes the trace worse.
    fn put(&mut self, place: usize, steps: std::ops::Range<usize>, value: &Value) -> bool {
        let mut rows = self.rows.clone();
        rows[steps.clone()].iter_mut().for_each(|row| row[place] = value.clone());
        let (new, old) = (changes(&rows, place), changes(&self.rows, place));
        let simple = || self.rows[steps].iter().any(|row| simpler(value, &row[place]));
        (new < old || (new == old && simple())) && self.offer(&self.start.clone(), rows)
    }

    /// The steps around the given one in which an input keeps its value.
    fn segment(&self, place: usize, step: usize) -> std::ops::Range<usize> {
        let same = |other: &usize| self.rows[*other][place] == self.rows[step][place];
        let end = (step..self.rows.len()).take_while(same).last().unwrap_or(step) + 1;
        (0..=step).rev().take_while(same).last().unwrap_or(step)..end
    }

    fn cell(&self, step: usize, place: usize) -> Option<Value> {
        self.rows.get(step)?.get(place).cloned()
    }
}

/// The number of times an input changes.
fn changes(rows: &[Vec<Value>], place: usize) -> usize {
    rows.windows(2).filter(|pair| pair[0][place] != pair[1][place]).count()
}
