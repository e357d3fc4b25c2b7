//! Block diagrams: blocks where their file places them, and lines between them; with the values of a step, if there are any.
//!
//! A sheet is data that knows nothing about where it comes from. Blocks without a place are put into columns (`layout`).

mod layout;
mod svg;

pub use svg::{bare, sheet, svg};

/// A sheet of a block diagram.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheet {
    /// What it shows.
    pub title: String,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// The name below it; empty if it is not shown.
    pub name: String,
    /// What it is, for tooltips and screen readers.
    pub about: String,
    /// Its outline.
    pub outline: Outline,
    /// What is written in it.
    pub label: String,
    /// Its left, upper, right and lower border; none if it has no place.
    pub place: Option<[i32; 4]>,
    /// Where its outputs are.
    pub facing: Facing,
    /// What is written at each input. A round block has places without a port (none).
    pub inputs: Vec<Option<String>>,
    /// What is written at each control input, which are on the side of the block.
    pub controls: Vec<String>,
    /// What is written at each output.
    pub outputs: Vec<String>,
    /// Whether something is wrong with it.
    pub marked: bool,
    /// The sheet inside it, for programs that open it: the attribute `data-opens`.
    pub opens: Option<String>,
}

/// The outline of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outline {
    /// A rectangle.
    #[default]
    Rectangle,
    /// A circle, with its inputs from the top over the back to the bottom.
    Round,
    /// A triangle that points forward.
    Triangle,
    /// A rectangle with round ends: a port of the sheet.
    Pill,
    /// A filled bar, which only joins or splits lines.
    Bar,
}

/// The side of a block that its outputs are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Facing {
    #[default]
    Right,
    Down,
    Left,
    Up,
}

/// A line from an output to an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The block that it starts at, and its output, from 0.
    pub from: (usize, usize),
    /// The block that it ends at, and its input.
    pub to: (usize, End),
    /// Where it bends: offsets, each from the one before it, the first from the output.
    pub route: Vec<(i32, i32)>,
    /// The name of its signal, or nothing.
    pub name: String,
    /// The value of its signal in the step that is shown.
    pub value: Option<String>,
    /// Its signal, for programs that write values into the drawing: the attributes `data-signal` of the line and `data-value` of the
    /// text.
    pub signal: Option<String>,
}

/// Where a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// An input, from 0; places of a round block without a port do not count.
    Input(usize),
    /// A control input, from 0.
    Control(usize),
}
