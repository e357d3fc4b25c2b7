//! Expressions as signals over the positions of a trace, including temporal predicates: each is computed by its definition at every
//! point of the window that an interval needs.

use super::{Interval, NEVER};
use crate::{Predicate, Requirement};
use logic::{EvalError, Formula, Id, Node, Store, Trace, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A Boolean signal over a window of positions. Undefined values, such as a quotient by zero, count as false; call
/// [`Signal::require`] before reading them.
#[derive(Debug, Clone)]
pub(super) struct Signal {
    from: usize,
    values: Rc<[bool]>,
    /// The undefined positions, in order, each with the reason.
    undefined: Rc<[(usize, EvalError)]>,
}

impl Signal {
    pub(super) fn at(&self, position: usize) -> bool {
        self.values[position - self.from]
    }

    /// Fails if the signal is undefined somewhere between these positions, inclusive.
    pub(super) fn require(&self, from: usize, to: usize) -> Result<(), EvalError> {
        match self.undefined.iter().find(|(position, _)| (from..=to).contains(position)) {
            Some((_, error)) => Err(error.clone()),
            None => Ok(()),
        }
    }

    fn new(from: usize, values: impl Iterator<Item = Result<Value, EvalError>>) -> Result<Signal, EvalError> {
        let mut undefined = Vec::new();
        let mut truths = Vec::new();
        for (position, value) in (from..).zip(values) {
            truths.push(value.as_ref().is_ok_and(is_true));
            match value {
                Ok(_) => {}
                Err(error) if error.is_of_values() => undefined.push((position, error)),
                Err(error) => return Err(error),
            }
        }
        Ok(Signal { from, values: truths.into(), undefined: undefined.into() })
    }

    /// The last known position.
    pub(super) fn last(&self) -> usize {
        self.from + self.values.len() - 1
    }
}

/// All signals of a requirement on a trace; a lasso is unrolled far enough to decide every trigger.
pub(super) struct Signals<'a> {
    store: &'a Store,
    predicates: &'a [Predicate],
    trace: &'a Trace,
    /// The number of positions examined.
    positions: usize,
    /// The last position at which a trigger or the start of an interval matters.
    last_trigger: usize,
    /// The number of extra positions for which predicates are computed, because those near the end lack their future.
    margin: usize,
    /// The number of positions before an interval that `preBool` can refer to.
    reach: usize,
    /// Signals without predicates, which do not depend on the interval.
    plain: RefCell<FxHashMap<Formula, Signal>>,
}

impl<'a> Signals<'a> {
    pub(super) fn new(store: &'a Store, requirement: &'a Requirement, trace: &'a Trace) -> Self {
        let predicates = &requirement.predicates[..];
        let (positions, last_trigger, margin) = match trace.loop_start() {
            None => (trace.len(), trace.len() - 1, 0),
            Some(stem) => {
                let period = trace.len() - stem;
                let memory: usize = predicates.iter().map(|p| memory(p, period)).sum();
                let duration = requirement.timing.steps().map_or(0, |n| usize::try_from(n).unwrap_or(NEVER));
                // An interval that begins after the first iteration repeats an earlier one, and so does a trigger that comes an iteration
                // and a step later, once the predicates have settled. After it, one more iteration shows everything that will ever happen.
                let last_trigger = stem + 2 * period + 1 + memory;
                (
                    last_trigger.saturating_add(duration).saturating_add(2 + memory + period),
                    last_trigger,
                    memory,
                )
            }
        };
        Signals {
            store,
            predicates,
            trace,
            positions,
            last_trigger,
            margin,
            reach: predicates.len(),
            plain: RefCell::default(),
        }
    }

    /// The last position of the trace; [`NEVER`] on a lasso.
    pub(super) fn end(&self) -> usize {
        if self.trace.loop_start().is_some() { NEVER } else { self.trace.len() - 1 }
    }

    pub(super) fn period(&self) -> Option<usize> {
        self.trace.loop_start().map(|stem| self.trace.len() - stem)
    }

    pub(super) fn last_trigger(&self) -> usize {
        self.last_trigger
    }

    /// The number of positions examined.
    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// The corresponding position of the given trace.
    fn fold(&self, position: usize) -> usize {
        match self.trace.loop_start() {
            Some(stem) if position >= self.trace.len() => {
                stem + (position - stem) % (self.trace.len() - stem)
            }
            Some(_) | None => position,
        }
    }

    /// An expression over an interval, with its predicates cut at the ends of the interval.
    pub(super) fn over(&self, expression: Formula, interval: Interval) -> Result<Signal, EvalError> {
        if !self.store.has_holes(expression) {
            if let Some(signal) = self.plain.borrow().get(&expression) {
                return Ok(signal.clone());
            }
            let once = logic::partial_values(self.store, expression, self.trace)?;
            let signal =
                Signal::new(0, (0..self.positions).map(|t| once[self.fold(t)].clone().map(Value::Bool)))?;
            self.plain.borrow_mut().insert(expression, signal.clone());
            return Ok(signal);
        }
        let from = interval.lo.saturating_sub(self.reach);
        let to = interval.hi.min(self.positions - 1 + self.margin);
        let mut window = Window { interval, from, to, columns: Vec::new() };
        for predicate in self.predicates {
            let column = self.predicate(predicate, &window)?;
            window.columns.push(column);
        }
        Signal::new(from, self.values(expression.id(), from, to.min(self.positions - 1), &window.columns))
    }

    /// The values of an expression over the positions of a window.
    fn values<'s>(
        &'s self,
        id: Id,
        from: usize,
        to: usize,
        holes: &'s [Vec<Value>],
    ) -> impl Iterator<Item = Result<Value, EvalError>> + 's {
        (from..=to).map(move |t| {
            logic::eval_state(self.store, id, &mut |id, node| match node {
                Node::Hole(k) => Ok(holes[*k as usize][t - from].clone()),
                _ => logic::observed_value(self.store, id, self.trace, self.fold(t)),
            })
            .map_err(|cause| match cause.is_of_values() {
                true => EvalError::At { position: self.fold(t), cause: Box::new(cause) },
                false => cause,
            })
        })
    }

    /// As `values`, where every value must be defined.
    fn column(&self, id: Id, from: usize, to: usize, holes: &[Vec<Value>]) -> Result<Vec<Value>, EvalError> {
        self.values(id, from, to, holes).collect()
    }

    fn predicate(&self, predicate: &Predicate, window: &Window) -> Result<Vec<Value>, EvalError> {
        let signal = |what: Formula| self.column(what.id(), window.from, window.to, &window.columns);
        let steps = |n: u64| usize::try_from(n).unwrap_or(NEVER);
        let Interval { lo, hi } = window.interval;
        Ok(match *predicate {
            Predicate::Persisted { near, far, what } => {
                let failed = window.latest(&signal(what)?, false);
                window.each(|t| {
                    t.checked_sub(steps(far))
                        .is_some_and(|start| start >= lo && failed(t - steps(near)).is_none_or(|f| f < start))
                })
            }
            Predicate::Occurred { near, far, what } => {
                let held = window.latest(&signal(what)?, true);
                window.each(|t| {
                    t.checked_sub(steps(near)).is_some_and(|last| {
                        held(last).is_some_and(|h| h >= lo.max(t.saturating_sub(steps(far))))
                    })
                })
            }
            Predicate::PreviousOccurrence { event, then } => {
                let (occurred, then) = (window.latest(&signal(event)?, true), signal(then)?);
                window.each(|t| {
                    let previous = t.checked_sub(1).and_then(&occurred).filter(|&previous| previous >= lo);
                    previous.is_none_or(|previous| is_true(&then[previous - window.from]))
                })
            }
            Predicate::Previously { initially, what } => {
                let (initially, what) = (signal(initially)?, signal(what)?);
                window.each(|t| match t {
                    0 => is_true(&initially[0]),
                    // Beyond the reach of any expression, the value is never read.
                    _ => t > window.from && is_true(&what[t - 1 - window.from]),
                })
            }
            Predicate::PreviousValue { initially, what } => {
                let mut values = self.column(what.id(), window.from, window.to, &window.columns)?;
                let first = self.column(initially.id(), window.from, window.from, &window.columns)?;
                values.rotate_right(1);
                values[..1].clone_from_slice(&first);
                values
            }
            Predicate::FirstPoint => window.each(|t| t == 0),
            Predicate::Persists { near, far, what } => {
                let fails = window.next(&signal(what)?, false);
                window.each(|t| {
                    t.saturating_add(steps(far)) <= hi
                        && fails(t.saturating_add(steps(near))) > t.saturating_add(steps(far))
                })
            }
            Predicate::Occurs { near, far, what } => {
                let holds = window.next(&signal(what)?, true);
                window.each(|t| {
                    let held = holds(t.saturating_add(steps(near)));
                    held != NEVER && held <= hi.min(t.saturating_add(steps(far)))
                })
            }
            Predicate::NextOccurrence { event, then } => {
                let (occurs, then) = (window.next(&signal(event)?, true), signal(then)?);
                window.each(|t| match occurs(t + 1) {
                    NEVER => true,
                    next => next > hi || is_true(&then[next - window.from]),
                })
            }
        })
    }
}

/// The number of positions after the start of an interval in which a predicate may still change on a periodic signal.
fn memory(predicate: &Predicate, period: usize) -> usize {
    match *predicate {
        Predicate::Persisted { far, .. }
        | Predicate::Occurred { far, .. }
        | Predicate::Persists { far, .. }
        | Predicate::Occurs { far, .. } => usize::try_from(far).unwrap_or(NEVER / 8).min(NEVER / 8) + 1,
        Predicate::PreviousOccurrence { .. } | Predicate::NextOccurrence { .. } => 2 * period,
        Predicate::Previously { .. } | Predicate::PreviousValue { .. } | Predicate::FirstPoint => 1,
    }
}

/// The positions `from..=to` around an interval, and the predicates computed so far.
struct Window {
    interval: Interval,
    from: usize,
    to: usize,
    columns: Vec<Vec<Value>>,
}

impl Window {
    fn each(&self, holds: impl Fn(usize) -> bool) -> Vec<Value> {
        (self.from..=self.to).map(|t| Value::Bool(holds(t))).collect()
    }

    /// At each position, the latest one up to it with that value.
    fn latest(&self, signal: &[Value], value: bool) -> impl Fn(usize) -> Option<usize> + use<> {
        let from = self.from;
        let mut seen = None;
        let latest: Vec<Option<usize>> = signal
            .iter()
            .enumerate()
            .map(|(index, v)| {
                seen = if is_true(v) == value { Some(from + index) } else { seen };
                seen
            })
            .collect();
        move |t| t.checked_sub(from).and_then(|index| latest[index])
    }

    /// At each position, the next one from it on with that value, or [`NEVER`].
    fn next(&self, signal: &[Value], value: bool) -> impl Fn(usize) -> usize + use<> {
        let from = self.from;
        let mut seen = NEVER;
        let mut next: Vec<usize> = signal
            .iter()
            .enumerate()
            .rev()
            .map(|(index, v)| {
                seen = if is_true(v) == value { from + index } else { seen };
                seen
            })
            .collect();
        next.reverse();
        move |t| next.get(t - from).copied().unwrap_or(NEVER)
    }
}

fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}
