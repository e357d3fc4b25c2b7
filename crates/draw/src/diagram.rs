//! Drawings of a requirement's [`Scene`]: [`text()`] for a terminal, [`svg()`] as a file.
//!
//! In both, time runs from left to right, lanes are below each other, and words say what is required, so that nobody
//! has to learn symbols first. Marks that extend beyond the scene are cut at its end.

mod layout;
mod svg;
mod text;

pub use svg::{bare, sheet, svg};
pub use text::text;

use requirement::diagram::{Lane, Mark, MarkKind, Role, Scene};

/// What a mark requires of the response, in the words of the drawing.
fn demand(kind: MarkKind) -> Option<&'static str> {
    match kind {
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger => None,
        MarkKind::Must => Some("must hold"),
        MarkKind::MustNot => Some("must not hold"),
        MarkKind::Somewhere => Some("must hold once or more"),
        MarkKind::SomewhereNot => Some("must be false once or more"),
    }
}

/// The word for the role of a lane.
fn role_word(role: Role) -> &'static str {
    match role {
        Role::Mode => "mode",
        Role::Scope => "scope",
        Role::Condition => "condition",
        Role::Trigger => "trigger",
        Role::Stop => "stop",
        Role::Response => "response",
    }
}

/// Whether a lane shows an expression that is true or false at each step, like a signal.
fn is_signal(role: Role) -> bool {
    match role {
        Role::Mode | Role::Condition | Role::Stop => true,
        Role::Scope | Role::Trigger | Role::Response => false,
    }
}

/// The name of a lane: its label on one line, or its role if there is no label.
fn lane_name(lane: &Lane) -> String {
    let label = crate::terminal::plain(&lane.label);
    if label.is_empty() { role_word(lane.role).to_owned() } else { label }
}

/// The visible marks of a lane, from left to right.
fn visible(scene: &Scene, lane: &Lane) -> Vec<Mark> {
    let seen = |mark: &&Mark| mark.from <= mark.to && mark.from < scene.length;
    let cut = |mark: &Mark| Mark { to: mark.to.min(scene.length - 1), ..mark.clone() };
    let mut marks: Vec<Mark> = lane.marks.iter().filter(seen).map(cut).collect();
    marks.sort_by_key(|mark| mark.from);
    marks
}
