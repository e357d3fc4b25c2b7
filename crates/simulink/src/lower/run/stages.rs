//! Continuous states from one step to the next: an explicit Runge-Kutta method on all of them together.
//!
//! At each stage after the first, the states and the time are those of the stage, and every block whose time is continuous is computed
//! again. Inputs of the system, discrete blocks, blocks with memory and conditions of subsystems keep their values of the step, as in
//! Simulink.

use super::{Pass, Place, Role, Task, classes};
use crate::blocks::{Flow, Instance, Lowering};
use crate::plan::{Fault, Outcome, UnitId};
use std::collections::{BTreeMap, BTreeSet};
use system::Expr;

/// The values of the states of each block, or their derivatives.
type States = BTreeMap<UnitId, Vec<Expr>>;

impl Pass<'_> {
    /// Computes the next values of all continuous states. The tasks are in order.
    pub(super) fn integrate(&mut self, tasks: &[Place]) {
        let flow = |id: &UnitId| match self.layout.unit(*id).kind.definition().lowering {
            Lowering::Flow(flow) if self.work.kept.contains_key(id) => Some((*id, flow)),
            _ => None,
        };
        let flows: Vec<(UnitId, &'static Flow)> = self.layout.units.iter().filter_map(flow).collect();
        if flows.is_empty() {
            return;
        }
        let (kept, values) = (self.work.kept.clone(), self.work.values.clone());
        let start: States =
            flows.iter().map(|(id, _)| (*id, kept[id].iter().map(|it| it.seen).collect())).collect();
        let method = self.layout.plan.method;
        let mut slopes = vec![self.slopes(&flows)];
        for (weights, time) in method.stages.iter().zip(method.times) {
            for (id, _) in &flows {
                let states = self.advanced(&start[id], *id, weights, &slopes);
                let Some(kept) = self.work.kept.get_mut(id) else { continue };
                kept.iter_mut().zip(states).for_each(|(kept, state)| kept.seen = state);
            }
            self.work.stage = *time;
            self.recompute(tasks);
            slopes.push(self.slopes(&flows));
            self.work.values.clone_from(&values);
        }
        self.work.stage = (0, 1);
        self.work.kept = kept;
        for (id, flow) in flows {
            let next = self.advanced(&start[&id], id, method.weights, &slopes);
            let unit = self.layout.unit(id);
            let block = Instance { id, unit, signals: &[] };
            for (place, next) in next.into_iter().enumerate() {
                match (flow.limited)(&mut self.work, &block, place, next) {
                    Ok(next) => {
                        let kept = self.work.kept[&id][place];
                        self.work.update(id, kept, next);
                    }
                    Err(fault) => self.fails(id, fault),
                }
            }
        }
    }

    /// The derivatives of all states with the present values; those of a block that fails are empty.
    fn slopes(&mut self, flows: &[(UnitId, &'static Flow)]) -> States {
        let mut slopes = States::new();
        for &(id, flow) in flows {
            if self.failed.contains_key(&Task::Unit(id)) {
                continue;
            }
            if self.depends_on_failed(Task::Unit(id), true) {
                self.failed.insert(Task::Unit(id), None);
                continue;
            }
            let unit = self.layout.unit(id);
            let found = self.signals(id, true).and_then(|signals| {
                let block = Instance { id, unit, signals: &signals };
                let states = block.states(&self.work);
                self.work.reserve(states.len(), 1)?;
                (flow.slopes)(&mut self.work, &block, &states)
            });
            match found {
                Ok(found) => drop(slopes.insert(id, found)),
                Err(fault) => self.fails(id, fault),
            }
        }
        slopes
    }

    fn fails(&mut self, id: UnitId, fault: Fault) {
        let problem = self.problem(id, fault);
        self.failed.insert(Task::Unit(id), Some(problem));
    }

    /// The states of a block after a step along weighted slopes.
    fn advanced(
        &mut self,
        start: &[Expr],
        id: UnitId,
        weights: &[(i64, u32)],
        slopes: &[States],
    ) -> Vec<Expr> {
        let step = self.layout.plan.step;
        let mut states = start.to_vec();
        for (place, state) in states.iter_mut().enumerate() {
            let mut sum = self.work.ratio(0, 1);
            for (&(numerator, denominator), slopes) in weights.iter().zip(slopes) {
                let Some(&slope) = slopes.get(&id).and_then(|it| it.get(place)) else { continue };
                let weight = self.work.ratio(numerator, denominator);
                let term = self.work.pool().mul(weight, slope);
                sum = self.work.pool().add(sum, term);
            }
            let Ok(step) = self.work.real(step) else { continue };
            let change = self.work.pool().mul(step, sum);
            *state = self.work.pool().add(*state, change);
        }
        states
    }

    /// Computes what depends on continuous states and time again.
    fn recompute(&mut self, places: &[Place]) {
        let mut changed: BTreeSet<Task> = BTreeSet::new();
        for place in places {
            let task = match place {
                Place::Task(task) => *task,
                Place::Loop(tasks) => {
                    let is_known = tasks.iter().all(|it| !self.failed.contains_key(it));
                    // A call happens at a step.
                    if is_known
                        && self.called(tasks).is_none()
                        && tasks.iter().any(|it| self.moves(*it, &changed))
                    {
                        // What remembers something would remember it twice.
                        let remembers = |it: &Task| self.block(*it).is_some_and(|it| self.is_memory(it));
                        if tasks.iter().any(remembers) || self.solve(tasks).is_err() {
                            let problem = self.loop_problem(tasks);
                            self.failed.extend(tasks.iter().map(|it| (*it, problem.clone())));
                        }
                        changed.extend(tasks);
                    }
                    continue;
                }
            };
            if self.failed.contains_key(&task) || self.left_out.contains(&task) || !self.moves(task, &changed)
            {
                continue;
            }
            let outcome = match task {
                Task::Unit(id) => self.unit(id),
                Task::Port(id, output) => self.again(id, output),
                Task::State(id) => self.show_state(id),
                Task::Sheet(_) | Task::Loop(_) => Ok(()),
            };
            match (outcome, self.block(task)) {
                (Ok(()), _) => drop(changed.insert(task)),
                (Err(fault), Some(id)) => self.fails(id, fault),
                (Err(_), None) => {}
            }
        }
    }

    /// Whether a task has another value at a stage than at its step.
    fn moves(&self, task: Task, changed: &BTreeSet<Task>) -> bool {
        let depends = || self.needs(task, false).iter().any(|it| changed.contains(it));
        match task {
            Task::Unit(id) => {
                let unit = self.layout.unit(id);
                let flows = unit.kind.is_integrated();
                let computes = self.layout.role(id) == Role::Compute;
                let timed = unit.inputs.iter().all(Option::is_none);
                computes && unit.continuous && !self.is_memory(id) && (flows || timed || depends())
            }
            Task::Port(..) => depends(),
            Task::State(_) => true,
            Task::Sheet(_) | Task::Loop(_) => false,
        }
    }

    fn is_memory(&self, id: UnitId) -> bool {
        self.work.stateful.contains(&id) && !self.layout.unit(id).kind.is_integrated()
    }

    /// An output of a conditional subsystem: what is computed inside if it runs, otherwise what it is in this step.
    fn again(&mut self, id: UnitId, output: usize) -> Outcome<()> {
        let Some(outport) = self.layout.outport(id, output) else { return Ok(()) };
        let signal = self.signals(outport, true)?.into_iter().next().unwrap_or_default();
        let unit = self.layout.unit(id);
        let active = unit.inside.and_then(|it| self.work.activity.get(&it)).map(|it| it.active);
        let (Some(active), Some(shape)) = (active, unit.outputs.get(output)) else { return Ok(()) };
        let before = self.work.values.get(&(id, output)).cloned().unwrap_or_default();
        let mut values = Vec::new();
        for (element, (class, before)) in classes(shape).into_iter().zip(before).enumerate() {
            let given = self.work.conform(self.layout.unit(outport), class, signal.at(element)?);
            values.push(self.work.pool().ite(active, given, before));
        }
        self.work.values.insert((id, output), values);
        Ok(())
    }
}
