//! k-induction over pairwise different states (Sheeran, Singh, Stålmarck, FMCAD 2000), on top of shared invariants.
//!
//! The base case is bounded model checking; in the induction step, two states are required to differ only once a model makes them
//! equal. New invariants of other engines are added at every step.

use crate::engines::task::{Found, Task};
use crate::solver::context::{Context, Start};
use crate::verdict::{Proof, Why};
use system::{Expr, Value, Var};

/// Tries k up to `most`, with at most `patience` milliseconds for each query (0: any time); `None` if no k suffices.
pub(crate) fn induction(task: Task<'_>, most: usize, patience: u32) -> Result<Option<Found>, Why> {
    let mut base = task.context(Start::Initial)?;
    base.limit(patience);
    let mut step = Step::new(task)?;
    step.context.limit(patience);
    for k in 0..=u32::try_from(most).unwrap_or(u32::MAX - 1) {
        if let Some(found) = base_case(task, &mut *base, k)? {
            return Ok(Some(found));
        }
        if let Some(found) = step.grow(k + 1)? {
            // A shortest violation may return to its first state if the initial constraints mention inputs.
            let earlier = if step.distinct { base_case(task, &mut *base, k + 1)? } else { None };
            return Ok(Some(earlier.unwrap_or(found)));
        }
    }
    Ok(None)
}

fn base_case(task: Task<'_>, base: &mut dyn Context, k: u32) -> Result<Option<Found>, Why> {
    task.assume(base, k, Start::Initial)?;
    let good = base.literal(task.system, task.good(), k)?;
    if task.shared.depth() <= k as usize {
        if base.solve(&[!good])? {
            return Ok(Some(Found::Invalid(task.counterexample(base, k)?)));
        }
        if k == 0 && !base.solve(&[])? {
            let proof = Proof::Ends { length: 1 };
            return Ok(Some(Found::Valid(task.certificate(&task.system.pool, &[], proof))));
        }
        task.shared.revive();
        task.shared.deepen(k as usize + 1);
    }
    base.clause(&[good])?;
    Ok(None)
}

struct Step<'a> {
    task: Task<'a>,
    context: Box<dyn Context + 'a>,
    invariants: Vec<Expr>,
    /// Whether any two states were required to differ.
    distinct: bool,
    /// The last step for which everything is asserted.
    last: u32,
}

impl<'a> Step<'a> {
    fn new(task: Task<'a>) -> Result<Step<'a>, Why> {
        let mut context = task.context(Start::Free)?;
        task.assume(&mut *context, 0, Start::Free)?;
        Ok(Step { task, context, invariants: Vec::new(), distinct: false, last: 0 })
    }

    /// Whether the property holds after `k` steps at which it holds.
    fn grow(&mut self, k: u32) -> Result<Option<Found>, Why> {
        let task = self.task;
        let good = self.context.literal(task.system, task.good(), k - 1)?;
        self.context.clause(&[good])?;
        self.last = k;
        for state in &task.system.state {
            self.context.touch(task.system, state.var, k - 1)?;
            self.context.touch(task.system, state.var, k)?;
        }
        task.assume(&mut *self.context, k, Start::Free)?;
        for step in 0..=k {
            // Old invariants at the new step, new ones at all steps.
            let known: &[Expr] = if step == k { &self.invariants } else { &[] };
            let known = known.to_vec();
            self.assert(&known, step)?;
        }
        self.learn()?;
        let good = self.context.literal(task.system, task.good(), k)?;
        loop {
            match self.context.solve(&[!good]) {
                Ok(false) => {
                    let proof = Proof::Induction { k: k as usize, distinct: self.distinct };
                    return Ok(Some(Found::Valid(task.certificate(
                        &task.system.pool,
                        &self.invariants,
                        proof,
                    ))));
                }
                Ok(true) => {}
                Err(Why::Undecided) => return Ok(None),
                Err(why) => return Err(why),
            }
            if self.learn()? {
                continue;
            }
            // States that differ only in the whole system do not repeat there.
            if !task.back.is_empty() {
                return Ok(None);
            }
            let Some((a, b)) = self.repeated()? else { return Ok(None) };
            let same = match self.context.same(task.system, a, b) {
                Err(Why::Unsupported(_)) => return Ok(None),
                same => same?,
            };
            self.context.clause(&[!same])?;
            self.distinct = true;
        }
    }

    /// Adds new invariants; false if there are none.
    fn learn(&mut self) -> Result<bool, Why> {
        let new = self.task.shared.invariants(self.invariants.len());
        for step in 0..=self.last {
            self.assert(&new, step)?;
        }
        self.invariants.extend(&new);
        Ok(!new.is_empty())
    }

    fn assert(&mut self, invariants: &[Expr], step: u32) -> Result<(), Why> {
        for invariant in invariants {
            let literal = self.context.literal(self.task.system, *invariant, step)?;
            self.context.clause(&[literal])?;
        }
        Ok(())
    }

    /// Two steps with the same state in the model, if there are any.
    fn repeated(&mut self) -> Result<Option<(u32, u32)>, Why> {
        let states: Vec<Var> = self.task.system.state.iter().map(|it| it.var).collect();
        if self.last == 0 || states.is_empty() {
            return Ok(None);
        }
        let wanted: Vec<(Var, u32)> =
            (0..=self.last).flat_map(|step| states.iter().map(move |var| (*var, step))).collect();
        let values = match self.context.values(self.task.system, &wanted) {
            Ok(values) => values,
            // Irrational numbers count as different.
            Err(Why::NotReplayed | Why::Undecided) => return Ok(None),
            Err(why) => return Err(why),
        };
        let rows: Vec<&[Value]> = values.chunks(states.len()).collect();
        for (b, row) in rows.iter().enumerate() {
            if let Some(a) = rows[..b].iter().position(|it| it == row && !it.contains(&Value::Undefined)) {
                return Ok(Some((a as u32, b as u32)));
            }
        }
        Ok(None)
    }
}
