//! Drawings of a requirement's [`Scene`]: [`text()`] for a terminal, [`svg()`] as a file of its own.
//!
//! Both put time from left to right and one lane under the other, and both say in words what is demanded, so that
//! nobody has to learn symbols first. Marks that leave the scene are cut at its end.

pub(crate) mod canvas;
mod glyphs;
mod layout;
mod mark;
pub(crate) mod measure;
pub(crate) mod style;
mod svg;
mod text;

pub use svg::{bare, sheet, svg};
pub use text::text;

use requirement::diagram::{Lane, Mark, MarkKind, Role, Scene};

/// What a mark demands of the response, in the words of the drawing.
fn demand(kind: MarkKind) -> Option<&'static str> {
    match kind {
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger => None,
        MarkKind::Must => Some("must hold"),
        MarkKind::MustNot => Some("must not hold"),
        MarkKind::Somewhere => Some("must hold once or more"),
        MarkKind::SomewhereNot => Some("must be false once or more"),
    }
}

/// The word for a part of a requirement.
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

/// What a lane is called: its label on one line, or its part where there is none.
fn lane_name(lane: &Lane) -> String {
    let label = crate::words::plain(&lane.label);
    if label.is_empty() { role_word(lane.role).to_owned() } else { label }
}

/// The marks of a lane that can be seen, from left to right.
fn visible(scene: &Scene, lane: &Lane) -> Vec<Mark> {
    let seen = |mark: &&Mark| mark.from <= mark.to && mark.from < scene.length;
    let cut = |mark: &Mark| Mark { to: mark.to.min(scene.length - 1), ..mark.clone() };
    let mut marks: Vec<Mark> = lane.marks.iter().filter(seen).map(cut).collect();
    marks.sort_by_key(|mark| mark.from);
    marks
}

/// Whether some mark has a label: then a few steps stand for a duration, and the drawing is not to scale.
fn has_durations(scene: &Scene) -> bool {
    scene.lanes.iter().flat_map(|lane| &lane.marks).any(|mark| mark.label.is_some())
}
