//! A compiled diagram: wires resolved, parameters evaluated, classes, sizes and sample times inferred.
//!
//! A plan keeps every block of the diagram except those that only carry wires (`From`, `Goto`, `InportShadow`) or show
//! something (`Scope`, `Display`, …); the hierarchy stays, so that subsystems can be checked on their own. Input `k` of a
//! subsystem is the output of the `Inport` with number `k + 1` inside, and its output `k` the input of that `Outport`.
//! Lowering uses nothing but the plan.

mod bus;
mod objects;
mod overrides;
mod parameters;
mod problem;
pub(crate) mod rules;
mod scope;
mod shapes;
pub(crate) mod sizes;
mod solver;
mod step;
mod stores;
mod times;
mod units;
pub(crate) mod variants;
mod wires;

use crate::blocks::{BlockKind, divide};
use crate::chart::{self, Chart};
use crate::diagram::{BlockId, Diagram, Port, SheetId};
use crate::matlab::{Around, Files};
use crate::value::{Class, Value};
pub(crate) use parameters::{clauses, entry, exact, finite};
pub(crate) use problem::{Fault, Outcome};
pub use problem::{Group, Problem, grouped};
use rustc_hash::FxHashMap;
pub(crate) use shapes::{Case, Known};
use solver::Solver;
pub use solver::{METHODS, Method};
use std::collections::{BTreeMap, BTreeSet};
pub use step::CHOSEN;
pub(crate) use step::SETTING;
pub(crate) use wires::port_number;

/// Compiles a diagram as far as possible. The workspace has the variables of data files; those of the model take precedence.
///
/// Shapes are inferred forward from sources, then backward to sources that inherit from their readers; a signal that nothing
/// determines is a scalar double. The step of the model is its fixed step; if that is `auto`, the greatest common divisor of the sample
/// times; without any sample time, 0.2 s, as in CoCoSim.
pub fn plan(diagram: &Diagram, workspace: &[(String, Value)]) -> Plan {
    plan_among(diagram, workspace, Around::NOTHING.files)
}

/// Compiles a diagram whose code and parameters may use other files: scripts, functions and data.
pub fn plan_among(diagram: &Diagram, workspace: &[(String, Value)], files: &dyn Files) -> Plan {
    let diagram = &*variants::chosen(diagram, workspace, files);
    let mut problems = Vec::new();
    let (mut charts, instances) = chart::instances(diagram);
    let scopes = scope::Scopes::new(diagram, workspace, files, &instances, &mut problems);
    let overrides = overrides::Overrides::of(diagram, &mut problems);
    for (block, number) in &instances {
        for data in &mut charts[*number].data {
            let class = objects::base(&scopes, *block, &data.class);
            if Class::named(&class).is_some() {
                data.class = class;
            }
        }
        if let Some(fault) = overrides.restate_chart(*block, &mut charts[*number]) {
            problems.push(Problem::new(&diagram.path(*block), BlockKind::Chart.name(), fault));
        }
    }
    let mut units = units::units(diagram, &scopes, &charts, &mut problems);
    units.iter_mut().for_each(|unit| overrides.restate(unit));
    let sheets = units::by_sheet(&units);
    divide(&mut units, &sheets);
    let mut lost = wires::connect(diagram, &mut units, &mut problems);
    let mut feeds = wires::feeds(&units, &sheets);
    let (stores, without) = stores::stores(&units, &mut problems);
    stores::feed(&stores, &units, &mut feeds);
    lost.extend(without);
    let names = bus::names(diagram, &units, &feeds);
    shapes::shapes(diagram, &mut units, &feeds, &names, &charts, &overrides, &mut problems);
    let solver = Solver::of(diagram);
    let start = step::start(diagram, &scopes, &mut problems);
    problems.extend(step::unknown(diagram, &scopes, &solver));
    let step = times::times(diagram, &scopes, &solver, start, &mut units, &feeds, &mut problems);
    let integrates = units.iter().any(|it| it.kind.is_integrated());
    let approximation = integrates.then(|| solver.note(step));
    let spoiled = spoiled(&units, lost, &problems);
    let name = diagram.name.clone();
    let mut plan = Plan {
        name,
        units,
        sheets,
        step,
        start,
        stop: step::stop(diagram, &scopes).map(|it| it - start),
        is_variable: solver.is_variable(),
        method: solver.method,
        approximation,
        stores,
        charts,
        problems,
        spoiled,
        missing: scopes.missing(),
    };
    plan.problems.extend(crate::lower::loops(&plan));
    plan
}

/// The units with a problem: their own, or that of a tag before one of their inputs.
fn spoiled(units: &[Unit], lost: Vec<(UnitId, Problem)>, problems: &[Problem]) -> BTreeMap<UnitId, Problem> {
    let by_path: FxHashMap<&str, &Problem> = problems.iter().rev().map(|it| (it.path.as_str(), it)).collect();
    let own = |(number, unit): (u32, &Unit)| {
        Some((UnitId(number), Problem::clone(by_path.get(unit.path.as_str())?)))
    };
    lost.into_iter().chain((0..).zip(units).filter_map(own)).collect()
}

/// The maximum number of ports of all blocks.
const PORTS: usize = 1 << 20;

/// The data files and scripts that the callbacks of a model use, by the names in the code (`load('x.mat')`, `run x`, `x`), and the names of
/// its enumerations, each of which is a file.
pub fn loads(diagram: &Diagram) -> Vec<String> {
    scope::loads(diagram)
}

/// The code of the callbacks of a model that may set variables.
pub fn callbacks(diagram: &Diagram) -> impl Iterator<Item = &str> {
    scope::callbacks(&diagram.settings)
}

/// A compiled model, ready to be lowered as far as it was understood.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    /// The name of the model.
    pub name: String,
    /// All blocks that compute, sheet by sheet.
    pub units: Vec<Unit>,
    /// The units of each sheet of the diagram, in its order.
    pub sheets: BTreeMap<SheetId, Vec<UnitId>>,
    /// The step of the model, in seconds.
    pub step: f64,
    /// The time at which a run starts, in seconds.
    pub start: f64,
    /// The time from the beginning to the end of a run, in seconds; none if it does not end.
    pub stop: Option<f64>,
    /// Whether the solver of the model chooses its step itself, so that another step is as good if it divides the sample times.
    pub is_variable: bool,
    /// How continuous states go from one step to the next.
    pub method: Method,
    /// What results about the model mean, if it has continuous states.
    pub approximation: Option<String>,
    /// For each reader and writer of a data store, its memory.
    pub stores: BTreeMap<UnitId, UnitId>,
    /// The Stateflow charts, with the ports of their blocks.
    pub charts: Vec<Chart>,
    /// What was not understood.
    pub problems: Vec<Problem>,
    /// The units that cannot be computed because of a problem. Algebraic loops are not included: lowering finds those that matter to it.
    pub spoiled: BTreeMap<UnitId, Problem>,
    /// The names in expressions that no variable or function has.
    pub missing: BTreeSet<String>,
}

/// The place of a unit in [`Plan::units`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u32);

/// A block with everything known about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// The block in the diagram.
    pub block: BlockId,
    /// The path in the model (`model/sub/block`), line breaks kept.
    pub path: String,
    /// The name of the block, line breaks kept.
    pub name: String,
    /// The block type. Links to libraries have been resolved, see [`crate::library`].
    pub kind: BlockKind,
    /// Every parameter as text, its own or the default: operators, modes, expressions.
    pub words: BTreeMap<String, String>,
    /// The evaluated numeric parameters; one that could not be evaluated is missing, and a problem says why.
    pub values: BTreeMap<String, Value>,
    /// Where each data input comes from; none if it is not connected.
    pub inputs: Vec<Option<Source>>,
    /// Where the control inputs come from, enable before trigger; none if one is not connected.
    pub controls: Vec<(Port, Option<Source>)>,
    /// What each output carries. An output of `If` is a Boolean: whether the action runs.
    pub outputs: Vec<Shape>,
    /// The sample time in steps of the model: 1 for every step; 0 for constants.
    pub every: u64,
    /// The first step at which it runs, below `every`.
    pub offset: u64,
    /// The sample time of its first input: period and offset in steps of the model.
    pub before: (u64, u64),
    /// Whether its time is continuous, so that it also runs at the stages of a solver between two steps.
    pub continuous: bool,
    /// The sheet inside a subsystem.
    pub inside: Option<SheetId>,
}

/// An output of a unit, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Source {
    /// The unit.
    pub unit: UnitId,
    /// Its output, from 0.
    pub output: u32,
}

/// What a wire carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Numbers of one class: `[n]` is a vector, `[r, c]` a matrix; entries go by columns.
    Signal {
        /// The class.
        class: Class,
        /// The size of each dimension.
        dimensions: Vec<usize>,
    },
    /// A bus: named elements in order.
    Bus(Vec<(String, Shape)>),
}

impl Unit {
    /// A problem of this unit.
    pub(crate) fn problem(&self, fault: Fault) -> Problem {
        Problem::new(&self.path, self.kind.name(), fault)
    }

    /// The output, from 0, that is the state of an integrator before anything resets it in this step; none if it is not shown.
    pub(crate) fn state_port(&self) -> Option<usize> {
        let shown = self.kind == BlockKind::Integrator && self.is_on("ShowStatePort");
        shown.then(|| self.outputs.len().saturating_sub(1))
    }

    /// Where a data input comes from.
    pub(crate) fn source(&self, input: usize) -> Option<Source> {
        self.inputs.get(input).copied().flatten()
    }
}

impl Plan {
    /// A unit.
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(id.0 as usize)
    }

    /// What an output carries.
    pub fn shape(&self, source: Source) -> Option<&Shape> {
        self.unit(source.unit)?.outputs.get(source.output as usize)
    }
}

impl Shape {
    /// A scalar double.
    pub(crate) fn scalar() -> Shape {
        Shape::Signal { class: Class::Double, dimensions: vec![1] }
    }

    /// The number of scalars.
    pub fn width(&self) -> usize {
        match self {
            Shape::Signal { dimensions, .. } => sizes::width(dimensions),
            Shape::Bus(elements) => {
                elements.iter().fold(0, |sum: usize, (_, shape)| sum.saturating_add(shape.width()))
            }
        }
    }
}

/// The class of each scalar of a shape.
pub(crate) fn classes(shape: &Shape) -> Vec<Class> {
    match shape {
        Shape::Signal { class, .. } => vec![*class; shape.width()],
        Shape::Bus(elements) => elements.iter().flat_map(|(_, shape)| classes(shape)).collect(),
    }
}

#[cfg(test)]
mod tests;
