//! The diagram understood: wires resolved, parameters evaluated, classes, sizes and sample times found.
//!
//! A plan keeps every block of the diagram except those that only carry wires (`From`, `Goto`, annotations); the hierarchy
//! stays, so that subsystems can be checked on their own. Everything here is a plain table; lowering reads nothing else.

use crate::diagram::{BlockId, SheetId};
use crate::value::{Class, Value};
use std::collections::BTreeMap;

/// A model that is ready to be lowered, as far as it could be understood.
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
    /// What was not understood.
    pub troubles: Vec<Trouble>,
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
    /// The block type; for library blocks that are built in, the name that they have here.
    pub kind: String,
    /// Parameters that are words: operators, signs, modes.
    pub words: BTreeMap<String, String>,
    /// Parameters that are numbers, evaluated.
    pub values: BTreeMap<String, Value>,
    /// Where each data input comes from; none if it is not connected.
    pub inputs: Vec<Option<Source>>,
    /// Where the control input comes from.
    pub control: Option<(crate::diagram::Port, Source)>,
    /// What each output carries.
    pub outputs: Vec<Shape>,
    /// The sample time in steps of the model: 1 for every step; 0 for constants.
    pub every: u64,
    /// The inside of a subsystem.
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

/// A part of the model that could not be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// The path of the block, or of the model.
    pub path: String,
    /// The block type.
    pub kind: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What could be done instead.
    pub hint: Option<String>,
}

impl Shape {
    /// The number of scalars.
    pub fn width(&self) -> usize {
        match self {
            Shape::Signal { dimensions, .. } => dimensions.iter().product(),
            Shape::Bus(elements) => elements.iter().map(|(_, shape)| shape.width()).sum(),
        }
    }
}
