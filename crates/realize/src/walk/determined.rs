//! Outputs that leave a correct system no choice.

use super::{Memory, Walks};
use crate::game::Order;
use crate::linear::Linear;
use crate::quantify::Values;
use crate::verdict::Gap;
use crate::walk::Correct;
use dashu_ratio::RBig;
use logic::bdd::Bdd;
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
        let Some(same) = self.equals(output, value) else { return Ok(None) };
        let arena = &mut self.solver.arena;
        let others = arena.m.not(same);
        let others = arena.m.and(left, others);
        arena.check()?;
        Ok(Some(!arena.is_possible(others)?))
    }

    /// Whether a variable has a value, as a diagram.
    fn equals(&mut self, var: Var, value: &Value) -> Option<Bdd> {
        let arena = &mut self.solver.arena;
        let mut values = Values::default();
        arena.set(&mut values, var, value);
        if let Some(block) = arena.blocks[var.index()] {
            let bits = block.first..block.first + block.width;
            return Some(bits.fold(Bdd::TRUE, |all, it| {
                let bit = arena.m.variable(it);
                let is_set = values.bits.get(it as usize).copied().unwrap_or(false);
                let bit = if is_set { bit } else { arena.m.not(bit) };
                arena.m.and(all, bit)
            }));
        }
        let number = Linear::constant(values.numbers.get(&var)?.clone());
        let difference = Linear::variable(var).plus(&-RBig::ONE, &number);
        let at_most = arena.below_zero(&difference, true);
        let at_least = arena.below_zero(&difference.times(&-RBig::ONE), true);
        Some(arena.m.and(at_most, at_least))
    }
}
