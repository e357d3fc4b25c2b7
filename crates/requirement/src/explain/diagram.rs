//! The meaning of a requirement as a scene: a typical stretch of time with the mode, the interval, a trigger, and where the response
//! is due. `export` draws it as SVG and as text.

use crate::{Condition, Fields, Requirement, Scope, Timing};

/// A stretch of time with one lane per part of a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// The number of steps shown.
    pub length: usize,
    /// Whether a duration is too long for the scene, and shown with fewer steps than it has.
    pub shortened: bool,
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
/// The number of steps shown for a duration that is too long for the scene.
const SHOWN_STEPS: usize = 4;
/// The longest duration that is shown as it is.
const LONGEST_SHOWN: u64 = 6;

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
    let marks = triggers.clone().map(|t| mark(t, t, MarkKind::Trigger)).collect();
    lanes.push(Lane { label: "trigger".into(), role: Role::Trigger, marks });

    let stop = triggers.start() + SHOWN_STEPS + 1;
    if requirement.timing.stop().is_some() {
        lanes.push(Lane {
            label: text(&fields.stop),
            role: Role::Stop,
            marks: vec![mark(stop, stop, MarkKind::Holds)],
        });
    }
    let due: Vec<Vec<Mark>> = triggers.map(|trigger| due(requirement, trigger, stop, hi)).collect();
    let response = text(&fields.response);
    match together(&due) {
        Some(marks) => lanes.push(Lane { label: response, role: Role::Response, marks }),
        None => {
            for (marks, number) in due.into_iter().zip(["1st", "2nd"]) {
                let label = format!("{number} trigger: {response}");
                lanes.push(Lane { label, role: Role::Response, marks });
            }
        }
    }
    let shortened = requirement.timing.steps().is_some_and(|steps| steps > LONGEST_SHOWN);
    Scene { length: LENGTH, shortened, lanes }
}

/// Where the response to any of the triggers is due, if that can be said on one lane: what must hold at each of some steps, and of
/// some others, must hold at each of them all.
fn together(due: &[Vec<Mark>]) -> Option<Vec<Mark>> {
    let [first, others @ ..] = due else { return None };
    if others.is_empty() {
        return Some(first.clone());
    }
    let [first] = &first[..] else { return None };
    let mut whole = first.clone();
    for other in others {
        let [other] = &other[..] else { return None };
        let at_each_step = matches!(other.kind, MarkKind::Must | MarkKind::MustNot);
        let touches = other.from <= whole.to + 1;
        if !at_each_step || !touches || other.kind != whole.kind || other.label.is_some() {
            return None;
        }
        whole.to = whole.to.max(other.to);
    }
    Some(vec![whole])
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
    let shown = |steps: u64| match usize::try_from(steps) {
        Ok(shown) if steps <= LONGEST_SHOWN => shown,
        _ => SHOWN_STEPS,
    };
    let after = trigger + requirement.timing.steps().map_or(0, shown);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, lower};

    /// The marks of the lanes of the response, and whether the scene is shortened.
    fn check(sentence: &str, expected: &str) {
        let mut store = logic::Store::default();
        let parse = syntax::fretish::parse(sentence);
        let fields = Fields::of(syntax::fretish::Sentence::of(&parse.tree));
        let requirement =
            lower(&mut store, &parse, &Context::default()).requirement.expect("a valid sentence");
        let scene = scene(&requirement, &fields);
        let lanes = scene.lanes.iter().filter(|lane| lane.role == Role::Response).map(|lane| {
            let marks: Vec<String> =
                lane.marks.iter().map(|mark| format!("{:?} {}-{}", mark.kind, mark.from, mark.to)).collect();
            format!("{}: {}", lane.label, marks.join(", "))
        });
        let lanes: Vec<String> = lanes.collect();
        let scale = if scene.shortened { " (shortened)" } else { "" };
        assert_eq!(format!("{}{scale}", lanes.join("; ")), expected, "{sentence}");
    }

    #[test]
    fn every_trigger_has_its_response() {
        check("when p the sw shall immediately satisfy q", "q: Must 2-2");
        check("whenever p the sw shall immediately satisfy q", "q: Must 2-3");
        check("whenever p the sw shall at the next timepoint satisfy q", "q: Must 3-4");
        check("whenever p the sw shall always satisfy q", "q: Must 2-15");
        check("whenever p the sw shall never satisfy q", "q: MustNot 2-15");
        check("whenever p the sw shall until r satisfy q", "q: Must 2-6");
        check(
            "whenever p the sw shall within 3 ticks satisfy q",
            "1st trigger: q: Somewhere 2-5; 2nd trigger: q: Somewhere 3-6",
        );
        check(
            "whenever p the sw shall for 2 ticks satisfy q",
            "1st trigger: q: Must 2-4; 2nd trigger: q: Must 3-5",
        );
        check(
            "whenever p the sw shall after 1 tick satisfy q",
            "1st trigger: q: MustNot 2-3, Must 4-4; 2nd trigger: q: MustNot 3-4, Must 5-5",
        );
        check(
            "whenever p the sw shall eventually satisfy q",
            "1st trigger: q: Somewhere 2-15; 2nd trigger: q: Somewhere 3-15",
        );
    }

    #[test]
    fn short_durations_are_to_scale() {
        check("when p the sw shall within 1 tick satisfy q", "q: Somewhere 2-3");
        check("in m mode, when p the sw shall for 6 ticks satisfy q", "q: Must 4-10");
        check(
            "in m mode, whenever p the sw shall after 6 ticks satisfy q",
            "1st trigger: q: MustNot 4-10, Must 11-11; 2nd trigger: q: MustNot 5-11, Must 12-12",
        );
        check("when p the sw shall within 7 ticks satisfy q", "q: Somewhere 2-6 (shortened)");
    }
}
