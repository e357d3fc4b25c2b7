//! Outputs that leave a correct system no choice.

use super::{Memory, Walks};
use crate::game::Order;
use crate::verdict::Gap;
use crate::walk::Correct;
use system::{Value, Var};

impl Walks<'_, '_> {
    /// Whether every correct system gives an output this value, with these inputs, which it does not see yet if it is a Moore system; `None`
    /// if that is not known.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn is_determined(
        &mut self,
        memory: &Memory,
        inputs: &[(Var, Value)],
        (output, value): (Var, &Value),
    ) -> Result<Option<bool>, Gap> {
        if self.correct != Correct::Winning || self.is_vague() || self.solver.assumes_outputs() {
            return Ok(None);
        }
        let mut now = memory.0.clone();
        if self.solver.order == Order::Mealy {
            now.extend(inputs.iter().filter(|it| !self.outputs.contains(&it.0)).cloned());
        }
        let left = self.solver.arena.cofactor(self.safe, &now);
        let Some(same) = self.solver.arena.equals(output, value) else { return Ok(None) };
        let arena = &mut self.solver.arena;
        let others = arena.m.not(same);
        let others = arena.m.and(left, others);
        arena.check()?;
        Ok(Some(!arena.is_possible(others)?))
    }
}
