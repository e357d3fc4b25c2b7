//! What changed, for people and for programs.

use crate::json;
use project::diff::{Change, Class, Diff, Witness};
use serde_json::{Value as Json, json};

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
        [("allowed before, not any more", &change.only_old), ("allowed now, not before", &change.only_new)]
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

/// The twin for programs.
pub(super) fn document(diff: &Diff, all: bool) -> Json {
    let witness = |witness: &Option<Witness>| {
        witness.as_ref().map(
            |witness| json!({ "steps": json::steps(&witness.trace), "old": witness.old, "new": witness.new }),
        )
    };
    let change = |change: &Change| {
        let edited = |edited: &project::diff::Edited| json!({ "what": edited.what, "old": edited.old, "new": edited.new });
        json!({
            "id": change.id,
            "was": change.was,
            "class": change.class.name(),
            "changes_meaning": change.class.changes_meaning(),
            "old": change.old,
            "new": change.new,
            "causes": change.causes,
            "only_old": witness(&change.only_old),
            "only_new": witness(&change.only_new),
            "reason": change.reason,
            "edited": change.edited.iter().map(edited).collect::<Vec<_>>(),
        })
    };
    let variable = |change: &project::diff::VariableChange| {
        let difference =
            |(what, old, new): &(&str, String, String)| json!({ "what": what, "old": old, "new": new });
        json!({
            "component": change.component,
            "name": change.name,
            "class": change.class.name(),
            "changes_meaning": change.changes_meaning(),
            "differences": change.differences.iter().map(difference).collect::<Vec<_>>(),
        })
    };
    json!({
        "requirements": diff.requirements.iter().filter(|found| all || is_worth_telling(found)).map(change).collect::<Vec<_>>(),
        "variables": diff.variables.iter().map(variable).collect::<Vec<_>>(),
        "step": diff.step.as_ref().map(|(old, new)| json!({ "old": old, "new": new })),
        "changes_meaning": diff.changes_meaning(),
        "undecided": diff.is_undecided(),
    })
}
