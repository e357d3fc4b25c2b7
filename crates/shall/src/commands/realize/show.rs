//! What `shall realize` tells people.

use super::{Conflict, Group, Questions, Realized};
use crate::render::visible;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The sentences of requirements, by id.
#[derive(Default)]
pub(super) struct Texts(BTreeMap<String, String>);

impl Texts {
    pub(super) fn add(&mut self, id: &str, text: &str) {
        self.0.insert(id.to_owned(), text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

pub(super) fn human(realized: &Realized, texts: &Texts) -> String {
    let mut out = String::new();
    for group in &realized.components {
        add_group(&mut out, group, texts);
    }
    for it in &realized.not_judged {
        let _ = writeln!(out, "{}: not judged: {}", visible(&it.id), visible(&it.reason));
    }
    if !realized.inferred.is_empty() {
        let names: Vec<String> = realized.inferred.iter().map(|it| format!("`{}`", visible(it))).collect();
        let _ =
            writeln!(out, "warning: nothing declares who chooses {}: inferred from use", names.join(", "));
    }
    for name in &realized.stuck {
        let name = visible(name);
        let _ = writeln!(
            out,
            "warning: the environment of `{name}` cannot always keep the assumptions; verdicts may hold for that reason alone"
        );
    }
    let count = realized.components.len();
    let groups = if count == 1 { "group" } else { "groups" };
    let reading = match realized.reading {
        "endless" => "runs are endless",
        _ => "runs may end at any step",
    };
    let order = match realized.order {
        "moore" => ", outputs come before inputs",
        _ => "",
    };
    let _ = writeln!(out, "{}: {count} {groups} of requirements, {reading}{order}", realized.verdict);
    out
}

fn add_group(out: &mut String, group: &Group, texts: &Texts) {
    let outputs = match group.outputs.as_slice() {
        [] => "no outputs".to_owned(),
        outputs => outputs.join(", "),
    };
    let certified = match group.certificate.as_deref() {
        Some("checked") => ", certificate checked".to_owned(),
        Some(why) => format!(", certificate {why}"),
        None => String::new(),
    };
    let _ =
        writeln!(out, "{} ({}): {}{certified}", visible(&group.component), visible(&outputs), group.verdict);
    let _ = writeln!(out, "  requirements: {}", visible(&group.requirements.join(", ")));
    if let Some(reason) = &group.reason {
        let _ = writeln!(out, "  reason: {}", visible(reason));
    }
    if group.outputs.is_empty() && group.verdict == "unrealizable" {
        let _ =
            writeln!(out, "  hint: it speaks of inputs only; is it an assumption? (`- role: assumption`)");
    }
    for conflict in &group.conflicts {
        add_conflict(out, conflict, texts);
    }
    if let Some(more) = &group.more {
        let _ = writeln!(out, "  there may be more conflicts: {}", visible(more));
    }
    if let Some(questions) = &group.questions {
        add_questions(out, questions);
    }
    out.push('\n');
}

fn add_questions(out: &mut String, it: &Questions) {
    let _ = writeln!(out, "  all have a run in common: {}", visible(&it.consistent));
    let _ = writeln!(out, "  every finite run can go on: {}", visible(&it.free_of_dead_ends));
    let _ = writeln!(out, "  the assumptions can always be kept: {}", visible(&it.assumptions_possible));
    let _ = writeln!(out, "  whatever the component has done before: {}", visible(&it.well_separated));
    for it in &it.requirements {
        let mut notes = Vec::new();
        if it.satisfiable != "yes" {
            notes.push(format!("satisfiable: {}", it.satisfiable));
        }
        match it.trigger.as_deref() {
            None | Some("forced") => {}
            Some("impossible") => notes.push("it is never triggered".to_owned()),
            Some("needs the system") => {
                notes.push("it is triggered only if the component wants it".to_owned())
            }
            Some(other) => notes.push(format!("trigger: {other}")),
        }
        match it.redundant.as_str() {
            "no" => {}
            "yes" => notes.push("it follows from the others".to_owned()),
            other => notes.push(format!("redundant: {other}")),
        }
        if !notes.is_empty() {
            let _ = writeln!(out, "  {}: {}", visible(&it.id), visible(&notes.join("; ")));
        }
    }
}

fn add_conflict(out: &mut String, conflict: &Conflict, texts: &Texts) {
    let _ = writeln!(out, "  conflict: {}", visible(&conflict.requirements.join(", ")));
    for id in &conflict.requirements {
        if let Some(text) = texts.0.get(id) {
            let _ = writeln!(out, "    {}: {}", visible(id), visible(text));
        }
    }
    if !conflict.not_shown_needed.is_empty() {
        let _ =
            writeln!(out, "    not shown to be needed: {}", visible(&conflict.not_shown_needed.join(", ")));
    }
    if conflict.trace.is_some() {
        out.push('\n');
        conflict.table.lines().for_each(|line| {
            let _ = writeln!(out, "    {line}");
        });
        out.push('\n');
    }
    if !conflict.demands.is_empty() {
        let _ = writeln!(out, "    at the last step, of all outputs");
        for it in &conflict.demands {
            let _ = writeln!(out, "      {} leaves {}", visible(&it.requirement), visible(&it.leaves));
        }
    }
    for it in &conflict.violated {
        let _ = writeln!(out, "    here {} is violated: {}", visible(&it.requirement), visible(&it.reason));
    }
    for it in &conflict.repairs {
        let extent = if it.whole_group { "" } else { " (removes this conflict, perhaps not all)" };
        let _ = writeln!(out, "    repair: {}{extent}", visible(&it.text));
    }
}
