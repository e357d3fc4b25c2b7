//! A plan as a `system::System`: every scalar of every signal is an expression over inputs and states.
//!
//! `wires` says which block computes a scalar, `order` in which order, `run` goes over all blocks, `work` has states, names and
//! conversions; `blocks` sends each kind to its family, and each family is a file. Real numbers are exact; in double arithmetic the
//! system computes what Simulink does, up to rounding. `single` is computed as `double`. A division by zero has no value in exact
//! arithmetic, and is infinite in doubles. What is not supported does no harm as long as no output or property depends on it.

mod arithmetic;
mod blocks;
mod control;
mod discrete;
mod formula;
mod functions;
mod limits;
mod logic;
mod lookup;
mod matrices;
mod memory;
mod order;
mod parameters;
mod run;
mod wires;
mod work;

#[cfg(test)]
mod tests;

use crate::diagram::SheetId;
use crate::plan::{Plan, Shape, Trouble};
pub(crate) use parameters::exact;
use run::Pass;
use system::System;
use wires::Layout;

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
pub fn lower(plan: &Plan, at: Option<&str>, options: &Options) -> Result<System, Vec<Trouble>> {
    let top = top(plan, at).map_err(|it| vec![it])?;
    let whole: Vec<Trouble> = plan.troubles.iter().filter(|it| it.path == plan.name).cloned().collect();
    if !whole.is_empty() {
        return Err(whole);
    }
    let inputs = plan.units.iter().flat_map(|it| &it.inputs).flatten().filter_map(|it| plan.shape(*it));
    let widths = plan.units.iter().flat_map(|it| &it.outputs).chain(inputs).map(Shape::width);
    if widths.fold(0usize, usize::saturating_add) > MAX_SCALARS {
        let message = format!("its signals have more than {MAX_SCALARS} numbers together");
        let hint = Some("lower the sizes of its signals".to_owned());
        return Err(vec![Trouble { path: plan.name.clone(), kind: "Model".to_owned(), message, hint }]);
    }
    let layout = Layout::new(plan, top);
    if let Some(trouble) = layout.refusal() {
        return Err(vec![trouble]);
    }
    let mut pass = Pass::new(&layout);
    pass.compute();
    if !pass.is_complete() {
        let troubles = pass.needed_troubles();
        if !troubles.is_empty() {
            return Err(troubles);
        }
        // Once more without what depends on them.
        pass = pass.without_tainted();
        pass.compute();
    }
    Ok(pass.finish(options))
}

fn top(plan: &Plan, at: Option<&str>) -> Result<SheetId, Trouble> {
    let trouble = |message: String, hint: &str| Trouble {
        path: at.unwrap_or(&plan.name).to_owned(),
        kind: "SubSystem".to_owned(),
        message,
        hint: Some(hint.to_owned()),
    };
    let Some(at) = at else {
        let root = plan.sheets.keys().next().copied();
        return root.ok_or_else(|| trouble("the model has no blocks".to_owned(), "give a model with blocks"));
    };
    let plain = |path: &str| path.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = plain(at);
    let full = format!("{}/{wanted}", plain(&plan.name));
    let found = plan.units.iter().find(|unit| {
        let path = plain(&unit.path);
        unit.inside.is_some() && (path == wanted || path == full)
    });
    found.and_then(|unit| unit.inside).ok_or_else(|| {
        trouble(format!("there is no subsystem `{at}`"), "give the path of a subsystem, as `model/subsystem`")
    })
}
