//! Loops whose number of rounds is not a constant: as many rounds as there may be, each with the condition on which the loop ends.
//!
//! A round runs as if all rounds before had run to their ends, so that counters stay constants. What a variable is after the loop is then a
//! choice between its values at the ends of the loop. The limit is on rounds, not on values: a loop that may go on is refused.

use super::arrays::{Array, common};
use super::{Machine, Memory};
use crate::blocks::logic::relation;
use crate::matlab::{Expression, Index, Kind, Statement};
use crate::plan::{Fault, Outcome};
use crate::value::Class;
use std::collections::BTreeMap;
use system::{Expr, Node, Pool};

/// The maximum number of rounds.
const MAX_ROUNDS: usize = 300;

/// A range whose last number is a signal.
pub(super) struct Range<'r> {
    /// The variable of the loop.
    pub(super) name: &'r str,
    /// The first number, the step and the class.
    pub(super) range: (f64, f64, Class),
    /// The last number, and its value.
    pub(super) last: &'r Expression,
    pub(super) end: Array,
}

/// What may differ after a loop: variables, persistent ones (whether each is set, and its value), and whether the function was left.
#[derive(Clone)]
struct Snapshot {
    variables: BTreeMap<String, Array>,
    persistent: BTreeMap<String, (Expr, Option<Array>)>,
    returned: Expr,
}

impl Machine<'_, '_, '_> {
    pub(super) fn while_loop(
        &mut self,
        condition: &Expression,
        body: &[Statement],
        guard: Expr,
        function: &str,
    ) -> Outcome<()> {
        self.rounds(body, guard, function, MAX_ROUNDS, |machine, _| machine.truth(condition, Pool::TRUE))
    }

    /// A loop over a range whose last number is a signal, which has a limit.
    pub(super) fn range_loop(
        &mut self,
        range: Range<'_>,
        body: &[Statement],
        guard: Expr,
        function: &str,
    ) -> Outcome<()> {
        let Range { name, range: (first, step, class), last, end } = range;
        let class = common(class, end.class);
        let limit = self.limit_of(last, &end, guard);
        let end = end.only()?;
        let most = limit.map(|limit| ((limit - first) / step).floor() + 1.0).filter(|_| step > 0.0);
        let Some(most) = most.filter(|it| *it < MAX_ROUNDS as f64) else {
            let message =
                format!("a loop may have more than {MAX_ROUNDS} rounds: the limit of its range is not known");
            return Err(Fault::hint(message, "limit it before the loop, as in `assert(n <= 10)`"));
        };
        self.rounds(body, guard, function, most.max(0.0) as usize, |machine, round| {
            let number = machine.work.constant(first + step * round as f64, class)?;
            let holds = relation(machine.work, "<=", number, end)?;
            machine.set(name, Array { class, rows: 1, columns: 1, scalars: vec![number] }, Pool::TRUE)?;
            Ok(holds)
        })
    }

    /// The greatest value that an expression may have: by its type, by `min` with a constant, or by an assertion.
    fn limit_of(&mut self, expression: &Expression, value: &Array, guard: Expr) -> Option<f64> {
        let of_class = match value.class {
            Class::Integer(bits, signed) => Some(Class::range(bits, signed).1),
            Class::Boolean => Some(1.0),
            Class::Double | Class::Single => None,
        };
        let asserted = expression.name().and_then(|it| self.frame().limits.get(it).copied());
        let asserted = asserted.filter(|it| it.1 == guard).map(|it| it.0);
        let smallest = match &expression.kind {
            Kind::At(inner, Index::Call(arguments)) if inner.name() == Some("min") => {
                arguments.iter().find_map(|it| match it.kind {
                    Kind::Number(number) => Some(number),
                    _ => None,
                })
            }
            _ => None,
        };
        [of_class, asserted, smallest].into_iter().flatten().reduce(f64::min)
    }

    /// Rounds of a loop up to a number of them, each if its condition holds.
    fn rounds(
        &mut self,
        body: &[Statement],
        guard: Expr,
        function: &str,
        most: usize,
        mut condition: impl FnMut(&mut Self, usize) -> Outcome<Expr>,
    ) -> Outcome<()> {
        let before = self.snapshot();
        self.frame().returned = None;
        self.frame().loops.push((Pool::FALSE, Pool::FALSE));
        let mut ends: Vec<(Expr, Snapshot)> = Vec::new();
        let mut goes_on = true;
        for round in 0..=most {
            let start = self.snapshot();
            let holds = condition(self, round)?;
            let stops = self.pool().not(holds);
            ends.push((stops, start));
            if holds == Pool::FALSE {
                goes_on = false;
                break;
            }
            if round == most {
                break;
            }
            self.assume(holds);
            self.run(body, Pool::TRUE, function)?;
            let size = self.frame().variables.values().map(|it| it.scalars.len() + 1).sum();
            self.work.reserve(size, 4)?;
            let (left, _) = self.frame().loops.last().copied().unwrap_or((Pool::FALSE, Pool::FALSE));
            let returned = self.frame().returned.unwrap_or(Pool::FALSE);
            let leaves = self.pool().or([left, returned]);
            if leaves != Pool::FALSE {
                ends.push((leaves, self.snapshot()));
                let stays = self.pool().not(leaves);
                self.assume(stays);
            }
            self.frame().returned = None;
            if let Some(last) = self.frame().loops.last_mut() {
                *last = (Pool::FALSE, Pool::FALSE);
            }
            if leaves == Pool::TRUE {
                goes_on = false;
                break;
            }
        }
        self.frame().loops.pop();
        if goes_on && most == MAX_ROUNDS {
            return Err(Fault::hint(
                format!("the number of iterations of a loop is not known to be at most {MAX_ROUNDS}"),
                "use `for` with a constant range and `break`, or a counter in the condition",
            ));
        }
        let Some((_, mut result)) = ends.pop() else { return Ok(()) };
        for (ends, there) in ends.into_iter().rev() {
            result = self.chosen(ends, &there, &result)?;
        }
        let result = self.chosen(guard, &result, &before)?;
        self.restore(result);
        Ok(())
    }

    fn snapshot(&mut self) -> Snapshot {
        let value = |kept: &super::Kept| (kept.is_set, kept.value.as_ref().map(|it| it.0.clone()));
        let persistent = self.persistent.iter().map(|(name, kept)| (name.clone(), value(kept))).collect();
        let frame = self.frame();
        let returned = frame.returned.unwrap_or(Pool::FALSE);
        Snapshot { variables: frame.variables.clone(), persistent, returned }
    }

    fn restore(&mut self, snapshot: Snapshot) {
        let Snapshot { variables, persistent, returned } = snapshot;
        self.frame().variables = variables;
        self.frame().returned = Some(returned).filter(|it| *it != Pool::FALSE);
        for (name, (is_set, value)) in persistent {
            if let Some(kept) = self.persistent.get_mut(&name) {
                kept.is_set = is_set;
                if let (Some((now, _)), Some(value)) = (&mut kept.value, value) {
                    *now = value;
                }
            }
        }
    }

    /// One snapshot where a condition holds, otherwise the other. A variable that one of them does not have is not read there.
    fn chosen(&mut self, holds: Expr, a: &Snapshot, b: &Snapshot) -> Outcome<Snapshot> {
        let mut variables = b.variables.clone();
        for (name, new) in &a.variables {
            let value = match b.variables.get(name) {
                Some(old) if holds != Pool::TRUE => self.merged(name, holds, new, old)?,
                _ => new.clone(),
            };
            variables.insert(name.clone(), value);
        }
        let mut persistent = BTreeMap::new();
        let names: Vec<String> = a.persistent.keys().chain(b.persistent.keys()).cloned().collect();
        for name in names {
            let first = seen(&self.persistent, &name);
            let of = |it: &Snapshot| it.persistent.get(&name).cloned();
            let ((x, new), (y, old)) = (of(a).unwrap_or((first.0, None)), of(b).unwrap_or((first.0, None)));
            let is_set = self.pool().ite(holds, x, y);
            let value = match (new.or(first.1.clone()), old.or(first.1)) {
                (Some(new), Some(old)) => Some(self.merged(&name, holds, &new, &old)?),
                _ => None,
            };
            persistent.insert(name, (is_set, value));
        }
        let returned = self.pool().ite(holds, a.returned, b.returned);
        Ok(Snapshot { variables, persistent, returned })
    }

    /// What variables are where a condition holds, as far as they are choices by it.
    fn assume(&mut self, holds: Expr) {
        let otherwise = self.pool().not(holds);
        let mut all = std::mem::take(&mut self.frame().variables);
        for scalar in all.values_mut().flat_map(|it| &mut it.scalars) {
            while let Node::Ite(condition, yes, no) = *self.pool().node(*scalar) {
                *scalar = match condition {
                    it if it == holds => yes,
                    it if it == otherwise => no,
                    _ => break,
                };
            }
        }
        self.frame().variables = all;
    }
}

/// Whether a persistent variable was set before the step, and its value then.
fn seen(memory: &Memory, name: &str) -> (Expr, Option<Array>) {
    let Some(kept) = memory.get(name) else { return (Pool::FALSE, None) };
    let value = kept
        .value
        .as_ref()
        .map(|(array, states)| Array { scalars: states.iter().map(|it| it.seen).collect(), ..array.clone() });
    (kept.set.map_or(Pool::TRUE, |it| it.seen), value)
}
