//! The meaning of a requirement as a scene: a typical stretch of time with the mode, the interval, a trigger, and where the response
//! is due. `export` draws it as SVG and as text.

use crate::{Condition, Fields, Requirement, Scope, Timing};

/// A stretch of time with one lane per part of a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// The number of steps shown.
    pub length: usize,
    /// The lanes, from top to bottom.
    pub lanes: Vec<Lane>,
}

/// A labelled line of the scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// The label of the lane, in the user's words.
    pub label: String,
    /// The part of the requirement that it shows.
    pub role: Role,
    /// The marks on it.
    pub marks: Vec<Mark>,
}

/// The part of a requirement that a lane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Role {
    Mode,
    Scope,
    Condition,
    Trigger,
    Stop,
    Response,
}

/// A marked stretch, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// First step.
    pub from: usize,
    /// Last step.
    pub to: usize,
    /// The meaning of the mark.
    pub kind: MarkKind,
    /// A short text next to it, such as a duration.
    pub label: Option<String>,
}

/// The kinds of mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// The lane's expression holds here.
    Holds,
    /// The requirement applies here.
    Applies,
    /// A trigger.
    Trigger,
    /// The response must hold at every step here.
    Must,
    /// The response must hold at no step here.
    MustNot,
    /// The response must hold at one or more steps here.
    Somewhere,
    /// The response must be absent at one or more steps here.
    SomewhereNot,
}

const LENGTH: usize = 16;
/// The number of steps shown for a duration, whatever it is.
const SHOWN_STEPS: usize = 4;

/// The scene of a requirement; labels are the user's own expressions.
pub fn scene(requirement: &Requirement, fields: &Fields) -> Scene {
    let text =
        |field: &Option<crate::Field>| field.as_ref().map_or(String::new(), |field| field.text.clone());
    let mark = |from: usize, to: usize, kind: MarkKind| Mark { from, to, kind, label: None };
    let end = LENGTH - 1;
    let (modes, lo, hi) = match requirement.scope {
        Scope::Global => (vec![], 0, end),
        Scope::In(_) => (vec![(2, 12)], 2, 12),
        Scope::NotIn(_) | Scope::OnlyIn(_) => (vec![(0, 1), (13, end)], 2, 12),
        Scope::Before(_) => (vec![(13, end)], 0, 12),
        Scope::After(_) => (vec![(0, 1)], 2, end),
        Scope::OnlyBefore(_) => (vec![(2, 4)], 2, end),
        Scope::OnlyAfter(_) => (vec![(10, 12)], 0, 12),
    };
    let mut lanes = Vec::new();
    if requirement.scope.mode().is_some() {
        let marks = modes.into_iter().map(|(from, to)| mark(from, to, MarkKind::Holds)).collect();
        lanes.push(Lane { label: text(&fields.scope_mode), role: Role::Mode, marks });
    }
    let scope = if requirement.scope.denies() { "denied here" } else { "applies here" };
    lanes.push(Lane { label: scope.into(), role: Role::Scope, marks: vec![mark(lo, hi, MarkKind::Applies)] });

    let rise = lo + 2;
    let triggers = match requirement.condition {
        Condition::Null => lo..=lo,
        Condition::Regular(_) => rise..=rise,
        Condition::Holding(_) => rise..=rise + 1,
    };
    if requirement.condition.expression().is_some() {
        lanes.push(Lane {
            label: text(&fields.condition),
            role: Role::Condition,
            marks: vec![mark(rise, rise + 1, MarkKind::Holds)],
        });
    }
    let trigger = *triggers.start();
    let marks = triggers.map(|t| mark(t, t, MarkKind::Trigger)).collect();
    lanes.push(Lane { label: "trigger".into(), role: Role::Trigger, marks });

    let stop = trigger + SHOWN_STEPS + 1;
    if requirement.timing.stop().is_some() {
        lanes.push(Lane {
            label: text(&fields.stop),
            role: Role::Stop,
            marks: vec![mark(stop, stop, MarkKind::Holds)],
        });
    }
    let marks = due(requirement, trigger, stop, hi);
    lanes.push(Lane { label: text(&fields.response), role: Role::Response, marks });
    Scene { length: LENGTH, lanes }
}

/// Where the response to one trigger is due.
fn due(requirement: &Requirement, trigger: usize, stop: usize, hi: usize) -> Vec<Mark> {
    let (must, somewhere, other) = match requirement.scope.denies() {
        false => (MarkKind::Must, MarkKind::Somewhere, MarkKind::MustNot),
        true => (MarkKind::MustNot, MarkKind::SomewhereNot, MarkKind::Somewhere),
    };
    let mark = |from: usize, to: usize, kind: MarkKind| Mark { from, to, kind, label: None };
    let lasting = |to: usize, kind: MarkKind, steps: u64| Mark {
        from: trigger,
        to,
        kind,
        label: Some(steps_label(steps)),
    };
    let after = trigger + SHOWN_STEPS;
    match requirement.timing {
        Timing::Immediately => vec![mark(trigger, trigger, must)],
        Timing::Next => vec![mark(trigger + 1, trigger + 1, must)],
        Timing::Finally => vec![mark(hi, hi, must)],
        Timing::Always if requirement.scope.denies() => vec![mark(trigger, hi, somewhere)],
        Timing::Always => vec![mark(trigger, hi, must)],
        Timing::Never => vec![mark(trigger, hi, other)],
        Timing::Eventually if requirement.scope.denies() => vec![mark(trigger, hi, must)],
        Timing::Eventually => vec![mark(trigger, hi, somewhere)],
        Timing::Within(n) if requirement.scope.denies() => vec![lasting(after, must, n)],
        Timing::Within(n) => vec![lasting(after, somewhere, n)],
        Timing::For(n) if requirement.scope.denies() => vec![lasting(after, somewhere, n)],
        Timing::For(n) => vec![lasting(after, must, n)],
        // Denied: unless it comes early, it must not hold at the point itself.
        Timing::After(n) if requirement.scope.denies() => {
            let label = format!("unless it held in the {} before", steps_label(n + 1));
            vec![Mark { label: Some(label), ..mark(after + 1, after + 1, MarkKind::MustNot) }]
        }
        Timing::After(n) => {
            vec![lasting(after, MarkKind::MustNot, n), mark(after + 1, after + 1, MarkKind::Must)]
        }
        Timing::Until(_) if requirement.scope.denies() => vec![mark(trigger, stop - 1, somewhere)],
        Timing::Until(_) => vec![mark(trigger, stop - 1, must)],
        Timing::Before(_) if requirement.scope.denies() => vec![mark(trigger, stop - 1, must)],
        Timing::Before(_) => vec![mark(trigger, stop - 1, somewhere)],
    }
}

/// `1 step`, `3 steps`.
pub(crate) fn steps_label(steps: u64) -> String {
    if steps == 1 { "1 step".into() } else { format!("{steps} steps") }
}
