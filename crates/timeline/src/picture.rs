//! The picture of a timeline before it has a place on paper: alternatives of lanes of pieces. Drawings read nothing else.

mod example;
pub mod paint;

use logic::{Formula, Trace};
use std::rc::Rc;

/// What a formula allows: one of the alternatives happens.
#[derive(Debug, Clone)]
pub struct Picture {
    /// One of these happens; none can if there are none.
    pub alternatives: Vec<Alternative>,
}

/// Lanes on a common time axis: all of them happen together.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// At least one.
    pub lanes: Vec<Lane>,
}

/// One line of time, from the start.
#[derive(Debug, Clone)]
pub struct Lane {
    /// What happens. Every way through it ends in a [`Piece::Forever`], or none does: then time ends with the lane.
    pub piece: Piece,
}

/// A part of a lane.
#[derive(Debug, Clone)]
pub enum Piece {
    /// One step.
    Step(Moment),
    /// One after the other; nothing happens if there are none.
    Sequence(Vec<Piece>),
    /// One of these happens; an empty sequence among them is a way to skip the others.
    Either(Vec<Piece>),
    /// So many times one after the other: at least, and at most if there is a limit.
    Repeat(Box<Piece>, u64, Option<u64>),
    /// Again and again, forever.
    Forever(Box<Piece>),
}

/// A step: what must be true at it.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The condition, a Boolean formula without temporal operators.
    pub condition: Formula,
    /// A trace of the whole formula that passes through this step, and where it does.
    pub example: Option<(Rc<Trace>, usize)>,
}
