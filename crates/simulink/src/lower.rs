//! A plan as a `system::System`: every scalar of every signal is an expression over inputs and states.
//!
//! `layout` says which block computes a scalar, `order` in which order, `run` goes over all blocks, `work` has states, names and
//! conversions; how each kind of block computes is in its definition (`blocks`). Real numbers are exact; in double arithmetic the
//! system computes what Simulink does, up to rounding, and `single` values are rounded to single precision. A division by zero has no value
//! in exact arithmetic and is infinite in doubles. Unsupported blocks are ignored as long as no output or property depends on them.

mod layout;
mod order;
mod run;
mod work;

#[cfg(test)]
mod tests;

use crate::diagram::SheetId;
use crate::plan::Fault;
use crate::plan::Plan;
use crate::plan::Problem;
use crate::plan::SETTING;
use crate::plan::Shape;
pub(crate) use layout::Layout;
use run::Pass;
use system::System;
pub(crate) use work::Activity;
pub(crate) use work::Kept;
pub(crate) use work::Signal;
pub(crate) use work::Work;

/// The maximum number of scalars: each one is an expression of its own.
const MAX_SCALARS: usize = 1 << 22;

/// Options for making a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether inner signals also become outputs of the system, named by their paths.
    pub locals: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { locals: true }
    }
}

/// Lowers a model, or one subsystem on its own, to a system.
///
/// Without a path, the ports at the root are the inputs and outputs. With the path of a subsystem, its ports are, its inputs may
/// have any values, and it runs at every step. A scalar port `x` is named `x`; a wider one becomes `x_1`, `x_2` and so on, matrices by
/// columns, buses by their elements. Inner signals are named by their relative paths (`Sub/Gain`), further outputs of a block
/// with their numbers (`Sub/Demux:2`); inside a conditional subsystem that does not run, they show what it would compute.
///
/// # Errors
///
/// An unknown path, problems of the model as a whole, and the blocks that outputs or properties depend on and that are not supported or
/// were not understood.
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
        // Try again without the blocks that failed and what depends on them.
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

/// Checks that the model is understood as a whole and not too large.
fn fits(plan: &Plan) -> Result<(), Vec<Problem>> {
    let is_whole = |it: &&Problem| it.path == plan.name && it.kind != SETTING;
    let whole: Vec<Problem> = plan.problems.iter().filter(is_whole).cloned().collect();
    if !whole.is_empty() {
        return Err(whole);
    }
    let inputs = plan.units.iter().flat_map(|it| &it.inputs).flatten().filter_map(|it| plan.shape(*it));
    let widths = plan.units.iter().flat_map(|it| &it.outputs).chain(inputs).map(Shape::width);
    if widths.fold(0usize, usize::saturating_add) <= MAX_SCALARS {
        return Ok(());
    }
    let message = format!("its signals have more than {MAX_SCALARS} numbers in total");
    Err(vec![Problem::new(&plan.name, "Model", Fault::hint(message, "reduce the sizes of its signals"))])
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
