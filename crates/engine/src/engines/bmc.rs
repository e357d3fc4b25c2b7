//! Bounded model checking: is there a violation at step 0, 1, 2, …? (Biere et al., TACAS 1999.)
//!
//! Every violation is replayed. If the assumptions allow no further step, the property holds at every step, because there are no more
//! steps.

use crate::engines::task::{Found, Task};
use crate::solver::context::Start;
use crate::verdict::{Proof, Why};

/// Looks for a violation in the first `length` steps; `None` if there is none.
pub(crate) fn bmc(task: Task<'_>, length: usize) -> Result<Option<Found>, Why> {
    let mut context = task.context(Start::Initial)?;
    for step in 0..u32::try_from(length).unwrap_or(u32::MAX) {
        task.assume(&mut *context, step, Start::Initial)?;
        let good = context.literal(task.system, task.good(), step)?;
        if task.shared.depth() <= step as usize {
            if context.solve(&[!good])? {
                return Ok(Some(Found::Invalid(task.counterexample(&mut *context, step)?)));
            }
            // Few systems deadlock, and most of those do so at once, so later steps are not checked every time.
            if step.is_power_of_two() || step == 0 {
                if !context.solve(&[])? {
                    let proof = Proof::Ends { length: step as usize + 1 };
                    return Ok(Some(Found::Valid(task.certificate(&task.system.pool, &[], proof))));
                }
                task.shared.revive();
            }
            task.shared.deepen(step as usize + 1);
        }
        context.clause(&[good])?;
    }
    Ok(None)
}
