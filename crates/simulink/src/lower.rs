//! A plan as a `model::System`: every scalar of every signal is an expression over inputs and states.
//!
//! `layout` says which block computes a scalar, `order` in which order, `run` goes over all blocks, `work` has states, names and
//! conversions; how each kind of block computes is in its definition ([`crate::blocks`]). Real numbers are exact; in double arithmetic the
//! system computes what Simulink does, up to rounding. `single` is computed as `double`. A division by zero has no value in exact
//! arithmetic, and is infinite in doubles. What is not supported does no harm as long as no output or property depends on it.

mod layout;
mod order;
mod run;
mod work;

#[cfg(test)]
mod tests;

use crate::diagram::SheetId;
use crate::plan::{Fault, Plan, Problem, Shape};
pub(crate) use layout::Layout;
use model::System;
use run::Pass;
pub(crate) use work::{Activity, Kept, Signal, Work};

/// Each scalar of each signal is an expression of its own; there are so many at most.
const MAX_SCALARS: usize = 1 << 22;

/// How a system is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether inner signals are outputs of the system too, named by their paths.
    pub locals: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { locals: true }
    }
}

/// The system of a model, or of one subsystem on its own.
///
/// Without a path, the ports at the root are the inputs and outputs. With the path of a subsystem, its ports are: then its inputs may
/// have any values, and it runs at every step. A port `x` of one number is `x`; of several, `x_1`, `x_2` and so on, matrices by
/// columns, buses by their elements. Inner signals are named by their paths below that (`Sub/Gain`), further outputs of a block
/// with their numbers (`Sub/Demux:2`); inside a conditional subsystem that does not run they show what it would compute.
///
/// # Errors
///
/// An unknown path, what is not understood of the model as a whole, and the blocks that the outputs or properties depend on and that
/// have no meaning here or were not understood.
pub fn lower(plan: &Plan, at: Option<&str>, options: &Options) -> Result<System, Vec<Problem>> {
    let top = top(plan, at).map_err(|it| vec![it])?;
    fits(plan)?;
    let layout = Layout::new(plan, top);
    if let Some(problem) = layout.refusal() {
        return Err(vec![problem]);
    }
    let mut pass = Pass::new(&layout);
    pass.compute();
    if !pass.is_complete() {
        let problems = pass.needed_problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        // Once more without what depends on them.
        pass = pass.without_tainted();
        pass.compute();
    }
    Ok(pass.finish(options))
}

/// The algebraic loops of a model: signals that depend on themselves within a step.
pub(crate) fn loops(plan: &Plan) -> Vec<Problem> {
    match (top(plan, None), fits(plan)) {
        (Ok(root), Ok(())) => Pass::new(&Layout::new(plan, root)).loops(),
        _ => Vec::new(),
    }
}

/// That the model is understood as a whole, and not too large.
fn fits(plan: &Plan) -> Result<(), Vec<Problem>> {
    let whole: Vec<Problem> = plan.problems.iter().filter(|it| it.path == plan.name).cloned().collect();
    if !whole.is_empty() {
        return Err(whole);
    }
    let inputs = plan.units.iter().flat_map(|it| &it.inputs).flatten().filter_map(|it| plan.shape(*it));
    let widths = plan.units.iter().flat_map(|it| &it.outputs).chain(inputs).map(Shape::width);
    if widths.fold(0usize, usize::saturating_add) <= MAX_SCALARS {
        return Ok(());
    }
    let message = format!("its signals have more than {MAX_SCALARS} numbers together");
    Err(vec![Problem::new(&plan.name, "Model", Fault::hint(message, "lower the sizes of its signals"))])
}

fn top(plan: &Plan, at: Option<&str>) -> Result<SheetId, Problem> {
    let problem = |message: String, hint: &str| {
        Problem::new(at.unwrap_or(&plan.name), "SubSystem", Fault::hint(message, hint))
    };
    let Some(at) = at else {
        let root = plan.sheets.keys().next().copied();
        return root.ok_or_else(|| problem("the model has no blocks".to_owned(), "give a model with blocks"));
    };
    let plain = |path: &str| path.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = plain(at);
    let full = format!("{}/{wanted}", plain(&plan.name));
    let found = plan.units.iter().find(|unit| {
        let path = plain(&unit.path);
        unit.inside.is_some() && (path == wanted || path == full)
    });
    found.and_then(|unit| unit.inside).ok_or_else(|| {
        problem(format!("there is no subsystem `{at}`"), "give the path of a subsystem, as `model/subsystem`")
    })
}
