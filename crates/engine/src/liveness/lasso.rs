//! Lassos: infinite behaviours that repeat a loop for ever, found as violations of a safety property and replayed.
//!
//! A system watches for a repetition of its own state (A. Biere, C. Artho and V. Schuppan, "Liveness checking as safety checking",
//! FMICS 2002): at some step it saves its state, and its property fails at a step where the state is the saved one and the condition
//! has failed ever since. So the bounded search, the replay and the minimization of counterexamples serve for lassos too.

use crate::engines::explicit::cycle::Lasso;
use crate::evidence::minimize::minimize;
use crate::evidence::replay::confirm;
use crate::verdict::{Counterexample, Loop};
use system::{Expr, Origin, Pool, Run, Step, System, Type, Value, Var, complete, simulate};

/// A system that watches for a repetition of its state.
pub(crate) struct Watch {
    /// Its only property fails where a loop closes.
    pub(crate) system: System,
    /// The input that says when to save the state.
    save: Var,
    /// How the watched system counts its steps and inputs.
    inputs: Vec<Var>,
    free: Vec<Var>,
}

impl Watch {
    /// Watches a system with one property: the condition that must recur.
    pub(crate) fn new(small: &System) -> Watch {
        let mut system = small.clone();
        let condition = system.properties.first().map_or(Pool::TRUE, |it| it.value);
        system.properties.clear();
        let (inputs, states) = (system.inputs.clone(), system.state.clone());
        let free = states.iter().filter(|it| it.init.is_none()).map(|it| it.var).collect();
        let [save, saved, waited] = ["save", "saved", "waited"].map(|name| system.fresh_name(name));
        let save = system.add_input(&save, Type::Bool);
        let saved = system.add_state(&saved, Type::Bool, Some(Pool::FALSE));
        let waited = system.add_state(&waited, Type::Bool, Some(Pool::FALSE));
        let (save_now, is_saved, has_waited) = (system.expr(save), system.expr(saved), system.expr(waited));
        let saves = {
            let not_yet = system.pool.not(is_saved);
            system.pool.and([save_now, not_yet])
        };
        let mut closes = vec![is_saved, has_waited];
        for state in &states {
            let variable = system.variables[state.var.index()].clone();
            let name = system.fresh_name(&format!("{} then", variable.name));
            let any = system.pool.some_constant(variable.ty);
            let copy = system.add_state(&name, variable.ty, Some(any));
            let (now, then) = (system.expr(state.var), system.expr(copy));
            let next = system.pool.ite(saves, now, then);
            system.set_next(copy, next);
            closes.push(system.pool.eq(now, then));
        }
        let pool = &mut system.pool;
        let fails = pool.not(condition);
        let either = pool.or([is_saved, saves]);
        let goes_on = pool.or([saves, has_waited]);
        let waits = pool.and([fails, goes_on]);
        let closed = pool.and(closes);
        let open = pool.not(closed);
        system.set_next(saved, either);
        system.set_next(waited, waits);
        system.add_property("no loop", Origin::Unknown, open);
        Watch { system, save, inputs, free }
    }

    /// The lasso of a trace that violates the property.
    pub(crate) fn lasso(&self, found: &Counterexample) -> Option<Lasso> {
        let (_, steps) = found.run.steps.split_last()?;
        let value = |step: &Step, var: &Var| step.values.get(var.index()).cloned();
        let loop_start = steps.iter().position(|it| value(it, &self.save) == Some(Value::Bool(true)))?;
        let rows = steps.iter().map(|step| self.inputs.iter().map(|var| value(step, var)).collect());
        let start = self.free.iter().map(|var| Some((*var, value(steps.first()?, var)?)));
        Some(Lasso { start: start.collect::<Option<_>>()?, rows: rows.collect::<Option<_>>()?, loop_start })
    }

    /// The same lasso or a shorter and simpler one.
    pub(crate) fn simpler(&self, lasso: &Lasso, stop: &dyn Fn() -> bool) -> Option<Lasso> {
        let Lasso { start, rows, loop_start } = lasso;
        let known = |var: Var, step: u32| {
            if var == self.save {
                return Some(Value::Bool(step as usize == *loop_start));
            }
            // The step at which the loop closes has the inputs of its start.
            let row = rows.get(step as usize).unwrap_or(&rows[*loop_start]);
            let place = self.inputs.iter().position(|it| *it == var);
            let input = place.and_then(|place| row.get(place));
            input.or(start.iter().find(|it| it.0 == var).map(|it| &it.1)).cloned()
        };
        let found = confirm(&self.system, 0, rows.len() + 1, &known)?;
        self.lasso(&minimize(&self.system, 0, &found, stop))
    }
}

/// Replays a lasso: of the simplified system `small`, whose only property is the condition, exactly; of the whole system, for two
/// rounds of the loop. The result is the trace of the whole system up to the end of the first round.
pub(crate) fn replayed(
    whole: &System,
    condition: Expr,
    small: &System,
    lasso: &Lasso,
) -> Option<Counterexample> {
    let Lasso { start, rows, loop_start } = lasso;
    let (length, loop_start) = (rows.len(), *loop_start);
    let mut once = rows.clone();
    once.push(rows.get(loop_start)?.clone());
    let run = simulate(small, start, &once);
    let fails = |step: &Step, property: usize| step.properties.get(property) == Some(&Some(false));
    let fine = run.steps.iter().all(|step| step.assumed == Some(true));
    let closes = small.state.iter().all(|it| {
        let at = |step: usize| &run.steps[step].values[it.var.index()];
        at(length) == at(loop_start) && *at(length) != Value::Undefined
    });
    if !fine || !closes || !run.steps[loop_start..].iter().all(|step| fails(step, 0)) {
        return None;
    }
    let any = |var: Var| Value::any_of(whole.variables[var.index()].ty);
    let twice: Vec<Vec<Value>> = rows
        .iter()
        .chain(&rows[loop_start..])
        .map(|row| {
            let known = |var: &Var| small.inputs.iter().position(|it| it == var);
            whole
                .inputs
                .iter()
                .map(|var| known(var).map_or_else(|| any(*var), |it| row[it].clone()))
                .collect()
        })
        .collect();
    let given = |var: Var| start.iter().find(|it| it.0 == var).map_or_else(|| any(var), |it| it.1.clone());
    let free = whole.state.iter().filter(|it| it.init.is_none());
    let start: Vec<(Var, Value)> = free.map(|it| (it.var, given(it.var))).collect();
    let mut watched = whole.clone();
    let place = watched.add_property("recurs", Origin::Unknown, condition);
    // A slice leaves out inputs that assumptions define.
    let run = simulate(&watched, &start, &complete(whole, &start, &twice));
    let fine = run.steps.iter().all(|step| step.assumed == Some(true));
    if !fine || !run.steps[loop_start..].iter().all(|step| fails(step, place)) {
        return None;
    }
    let drifting = drifting(whole, &run, loop_start, length - loop_start);
    let mut steps = run.steps;
    steps.truncate(length);
    steps.iter_mut().for_each(|step| step.properties.truncate(place));
    Some(Counterexample {
        run: Run { steps },
        rounded: None,
        repeats: Some(Loop { start: loop_start, drifting }),
    })
}

/// The names of what differs between the first and the second round of the loop.
fn drifting(system: &System, run: &Run, loop_start: usize, length: usize) -> Vec<String> {
    let differs = |value: &dyn Fn(&Step) -> Option<Value>| {
        (loop_start..loop_start + length).any(|at| value(&run.steps[at]) != value(&run.steps[at + length]))
    };
    let shown = system.inputs.iter().copied().chain(system.state.iter().map(|it| it.var));
    let variables = shown.filter(|var| differs(&|step| step.values.get(var.index()).cloned()));
    let outputs = system.outputs.iter().enumerate();
    let outputs = outputs.filter(|(place, _)| differs(&|step| step.outputs.get(*place).cloned()));
    variables
        .map(|var| system.variables[var.index()].name.clone())
        .chain(outputs.map(|(_, it)| it.name.clone()))
        .collect()
}
