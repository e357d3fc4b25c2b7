//! Goals that the environment forces, whatever a correct system does.
//!
//! The search goes backward: a state is good if some inputs lead every correct step to the goal or to a state that was good before.

use super::{Correct, Memory, Walks};
use crate::arena::Owner;
use crate::position::Choice;
use crate::verdict::Gap;
use logic::bdd::Bdd;
use system::Expr;

/// How the environment forces a goal, whatever a correct system does.
#[derive(Clone, Debug)]
pub struct Forcing {
    hit: Bdd,
    /// The states from which the goal is reached within more and more steps.
    layers: Vec<Bdd>,
}

impl Forcing {
    /// The largest number of steps that it takes.
    pub fn steps(&self) -> usize {
        self.layers.len()
    }
}

impl Walks<'_, '_> {
    /// How the environment can force a goal whatever a correct system does; `None` if it cannot.
    ///
    /// # Errors
    /// A limit was reached, assumptions are about outputs, or comparisons are not linear.
    pub fn forcing(&mut self, goal: Expr) -> Result<Option<Forcing>, Gap> {
        if self.correct != Correct::Winning {
            return Ok(None);
        }
        if self.solver.assumes_outputs() {
            return Err(Gap::AssumedOutputs);
        }
        if self.is_vague() {
            return Err(Gap::Nonlinear);
        }
        let hit = self.solver.arena.truth(goal);
        let start = self.start();
        let mut layers: Vec<Bdd> = Vec::new();
        let mut now = Bdd::FALSE;
        loop {
            let more = self.forced_from(hit, now)?;
            layers.push(more);
            if self.holds_in(more, &start) {
                return Ok(Some(Forcing { hit, layers }));
            }
            if self.is_done(more, now, layers.len())?
                || self.is_late(layers.len())
                    && self.cut_off(&start, more, |walks, states| walks.forced_from(hit, states))?.is_some()
            {
                return Ok(None);
            }
            now = more;
        }
    }

    /// The states from which a goal is forced at the next step, or these states are reached.
    fn forced_from(&mut self, hit: Bdd, states: Bdd) -> Result<Bdd, Gap> {
        let good = self.forced_inputs(hit, states)?;
        let more = self.solver.some(good, Bdd::TRUE, Owner::Environment)?;
        let more = self.solver.arena.m.restrict(more, self.reachable);
        let more = self.solver.arena.tidy(more);
        self.solver.arena.check()?;
        Ok(more)
    }

    /// Inputs by which a goal is forced from here on; `None` if it is not.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn inputs(&mut self, forcing: &Forcing, memory: &Memory) -> Result<Option<Choice>, Gap> {
        let Some(layer) = forcing.layers.iter().position(|it| self.holds_in(*it, memory)) else {
            return Ok(None);
        };
        let before = layer.checked_sub(1).map_or(Bdd::FALSE, |it| forcing.layers[it]);
        let good = self.forced_inputs(forcing.hit, before)?;
        let Some(all) = self.chosen(good, memory, &[])? else { return Ok(None) };
        Ok(Some(all.into_iter().filter(|it| !self.outputs.contains(&it.0)).collect()))
    }

    /// Inputs after which every correct step hits the goal or reaches these states.
    fn forced_inputs(&mut self, hit: Bdd, states: Bdd) -> Result<Bdd, Gap> {
        let step = self.solver.arena.step(states);
        let later = self.solver.arena.m.compose(states, &step);
        let here = self.solver.arena.m.or(hit, later);
        let avoided = self.solver.arena.m.not(here);
        let escapes = self.some_outputs(self.safe, avoided)?;
        let caught = self.solver.arena.m.not(escapes);
        let caught = self.solver.arena.m.and(caught, self.solver.assumed);
        self.solver.arena.check()?;
        Ok(caught)
    }
}
