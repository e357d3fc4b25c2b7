//! The picture of a timeline before layout: alternatives of lanes of pieces. Drawings use nothing else.

mod example;
pub mod paint;

use logic::{Formula, Trace};
use std::rc::Rc;

/// The traces of a formula: one of the alternatives happens.
#[derive(Debug, Clone)]
pub struct Picture {
    /// One of these happens; if there are none, nothing can.
    pub alternatives: Vec<Alternative>,
    /// What the reader asked about these traces.
    pub shows: Shows,
}

/// How the traces of a picture are related to the formula that the reader has in mind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shows {
    /// They are the ones that it allows.
    #[default]
    Allowed,
    /// They are the ones that violate it.
    Violations,
    /// They are the ones that it allows and another formula does not.
    Difference,
}

impl Shows {
    /// What it means if there are no such traces.
    pub fn nothing(self) -> &'static str {
        match self {
            Shows::Allowed => "it can never hold",
            Shows::Violations => "nothing violates it: it always holds",
            Shows::Difference => "there is no such trace",
        }
    }

    /// What it means if every trace is one of them.
    pub fn everything(self) -> &'static str {
        match self {
            Shows::Allowed => "it always holds: anything may happen",
            Shows::Violations => "everything violates it: it can never hold",
            Shows::Difference => "every trace is one",
        }
    }
}

/// Lanes on a common time axis, which all happen together.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// The lanes, at least one.
    pub lanes: Vec<Lane>,
}

/// One timeline, from the start.
#[derive(Debug, Clone)]
pub struct Lane {
    /// Its content. Every path through it ends in a [`Piece::Forever`], or none does: then time ends with the lane.
    pub piece: Piece,
}

/// A part of a lane.
#[derive(Debug, Clone)]
pub enum Piece {
    /// One step.
    Step(Moment),
    /// One after the other; empty if nothing happens.
    Sequence(Vec<Piece>),
    /// One of these happens; an empty sequence among them skips the others.
    Either(Vec<Piece>),
    /// Repetition with a minimum and an optional maximum count.
    Repeat(Box<Piece>, u64, Option<u64>),
    /// Infinite repetition.
    Forever(Box<Piece>),
}

/// A step and its condition.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The condition, a Boolean formula without temporal operators.
    pub condition: Formula,
    /// A trace of the whole formula that passes through this step, and its position there.
    pub example: Option<(Rc<Trace>, usize)>,
}
