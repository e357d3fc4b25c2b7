//! What changed, for people and for programs.

use crate::json::{self, Values};
use project::diff::{Change, Class, Diff, VariableChange, Witness};
use schemars::JsonSchema;
use serde::Serialize;

/// One paragraph for each requirement, then variables, then a summary.
pub(super) fn human(diff: &Diff, all: bool) -> String {
    let mut out = String::new();
    for change in diff.requirements.iter().filter(|change| all || is_worth_telling(change)) {
        paragraph(change, &mut out);
    }
    if let Some((old, new)) = &diff.step {
        out.push_str(&format!("step: {old} -> {new}\n"));
    }
    for change in &diff.variables {
        out.push_str(&format!("variable {}.{}: {}\n", change.component, change.name, change.class.name()));
        for (what, old, new) in &change.differences {
            out.push_str(&format!("  {what}: {} -> {}\n", or_nothing(Some(old)), or_nothing(Some(new))));
        }
    }
    let count = |class: Class| diff.requirements.iter().filter(|change| change.class == class).count();
    let counts: Vec<String> = Class::ALL
        .into_iter()
        .filter(|&class| count(class) > 0)
        .map(|class| format!("{} {}", count(class), class.name()))
        .collect();
    let what = if counts.is_empty() { "there are none".into() } else { counts.join(", ") };
    out.push_str(&format!("requirements: {what}\n"));
    out
}

fn is_worth_telling(change: &Change) -> bool {
    change.class != Class::Unchanged || !change.edited.is_empty()
}

fn paragraph(change: &Change, out: &mut String) {
    out.push_str(&format!("{}: {}", change.id, change.class.name()));
    if let Some(was) = &change.was {
        out.push_str(&format!(", was {was}"));
    }
    out.push('\n');
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (old, new) = (change.old.as_deref().map(one_line), change.new.as_deref().map(one_line));
    let same = old == new;
    if change.class != Class::Unchanged {
        for (word, text) in [("old", old.filter(|_| !same)), ("new", new)] {
            if let Some(text) = text {
                out.push_str(&format!("  {}: {text}\n", if same { "sentence" } else { word }));
            }
        }
        if !change.causes.is_empty() {
            let start = if same { "the sentence is the same, but " } else { "also, " };
            out.push_str(&format!("  {start}{}\n", change.causes.join(", and ")));
        }
    }
    if let Some(reason) = &change.reason {
        out.push_str(&format!("  {reason}\n"));
    }
    for edited in &change.edited {
        let [old, new] = [&edited.old, &edited.new].map(|text| or_nothing(text.as_ref()));
        out.push_str(&format!("  {}: {} -> {}\n", edited.what, one_line(&old), one_line(&new)));
    }
    for (title, witness) in
        [("allowed before, no longer", &change.only_old), ("allowed now, not before", &change.only_new)]
    {
        if let Some(Witness { trace, old, new }) = witness {
            out.push_str(&format!("\n  {title}, the shortest trace:\n\n"));
            draw::table::text(trace).lines().for_each(|line| out.push_str(&format!("    {line}\n")));
            out.push_str(&format!("\n    old {old}\n    new {new}\n"));
        }
    }
    out.push('\n');
}

fn or_nothing(text: Option<&String>) -> String {
    text.filter(|text| !text.is_empty()).cloned().unwrap_or_else(|| "(nothing)".into())
}

/// What changed between two versions.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Differences<'d> {
    /// The requirements of the new version in its order, then the removed ones; unchanged ones only with `--all`.
    requirements: Vec<ChangedRequirement<'d>>,
    /// The variables that differ.
    variables: Vec<ChangedVariable<'d>>,
    /// The steps if they differ, else `null`.
    step: Option<StepLengths<'d>>,
    /// Whether the project requires something else than before.
    changes_meaning: bool,
    /// Whether the class of a requirement is `undecided`.
    undecided: bool,
}

/// A requirement in two versions.
#[derive(Serialize, JsonSchema)]
struct ChangedRequirement<'d> {
    /// Its id, in the new version if it is there.
    id: &'d str,
    /// The old id if it has a new one, else `null`.
    was: Option<&'d str>,
    /// `unchanged`, `renamed`, `reworded`, `added`, `removed`, `stronger`, `weaker`, `changed` or `undecided`.
    class: &'static str,
    /// Whether it requires something else than before.
    changes_meaning: bool,
    /// The old sentence; `null` if there is none.
    old: Option<&'d str>,
    /// The new sentence; `null` if there is none.
    new: Option<&'d str>,
    /// What changed around the sentence, in words.
    causes: &'d [String],
    /// A trace that the old version allows and the new one does not; `null` if there is none.
    only_old: Option<VersionTrace<'d>>,
    /// A trace that the new version allows and the old one does not.
    only_new: Option<VersionTrace<'d>>,
    /// Why it is undecided, or why there is no trace.
    reason: Option<&'d str>,
    /// What changed beside the sentence: the `title`, the `rationale`, the `document`, an attribute such as `attribute status`.
    edited: Vec<Difference<'d>>,
}

/// A trace that tells two versions apart.
#[derive(Serialize, JsonSchema)]
struct VersionTrace<'d> {
    /// The steps, each with a value for every name.
    steps: Vec<Values>,
    /// What the old version says about it.
    old: &'d str,
    /// What the new version says about it.
    new: &'d str,
}

/// Something in two versions.
#[derive(Serialize, JsonSchema)]
struct Difference<'d> {
    /// What it is.
    what: &'d str,
    /// The old text.
    old: Option<&'d str>,
    /// The new text.
    new: Option<&'d str>,
}

/// A variable in two versions.
#[derive(Serialize, JsonSchema)]
struct ChangedVariable<'d> {
    /// Its component.
    component: &'d str,
    /// Its name.
    name: &'d str,
    /// `added`, `removed` or `changed`.
    class: &'static str,
    /// Whether requirements can mean something else because of it.
    changes_meaning: bool,
    /// What differs: `kind`, `type`, `unit`, `definition`, `phrase` or `description`.
    differences: Vec<Difference<'d>>,
}

/// The length of a step in two versions.
#[derive(Serialize, JsonSchema)]
struct StepLengths<'d> {
    /// The old one.
    old: &'d str,
    /// The new one.
    new: &'d str,
}

/// The differences for programs.
pub(super) fn document<'d>(diff: &'d Diff, all: bool) -> Differences<'d> {
    let change = |change: &'d Change| {
        let Change { id, was, class, old, new, causes, only_old, only_new, reason, edited } = change;
        let edited = edited.iter().map(|it| Difference {
            what: &it.what,
            old: it.old.as_deref(),
            new: it.new.as_deref(),
        });
        ChangedRequirement {
            id,
            was: was.as_deref(),
            class: class.name(),
            changes_meaning: class.changes_meaning(),
            old: old.as_deref(),
            new: new.as_deref(),
            causes,
            only_old: only_old.as_ref().map(apart),
            only_new: only_new.as_ref().map(apart),
            reason: reason.as_deref(),
            edited: edited.collect(),
        }
    };
    Differences {
        requirements: diff.requirements.iter().filter(|it| all || is_worth_telling(it)).map(change).collect(),
        variables: diff.variables.iter().map(variable).collect(),
        step: diff.step.as_ref().map(|(old, new)| StepLengths { old, new }),
        changes_meaning: diff.changes_meaning(),
        undecided: diff.is_undecided(),
    }
}

fn apart(Witness { trace, old, new }: &Witness) -> VersionTrace<'_> {
    VersionTrace { steps: json::steps(trace), old, new }
}

fn variable(change: &VariableChange) -> ChangedVariable<'_> {
    let differences =
        change.differences.iter().map(|(what, old, new)| Difference { what, old: Some(old), new: Some(new) });
    ChangedVariable {
        component: &change.component,
        name: &change.name,
        class: change.class.name(),
        changes_meaning: change.changes_meaning(),
        differences: differences.collect(),
    }
}
