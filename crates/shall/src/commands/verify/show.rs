//! What a user sees of verdicts: words, tables of counterexamples, their twins in JSON, and files for other tools.

use crate::render::visible;
use crate::workspace::write_atomically;
use crate::{json, tell};
use engine::{Answer, Counterexample, Verdict};
use export::waveform::{Group, Mark, Role, svg, vcd};
use logic::Trace;
use model::{Origin, Property, Run, System};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::path::Path;

/// How the verdicts of a system are shown.
pub(crate) struct Show<'a> {
    pub(crate) node: &'a str,
    pub(crate) system: &'a System,
    /// Whether internals are shown too.
    pub(crate) inner: bool,
    /// For each property of the system how many seconds it took.
    pub(crate) seconds: &'a [f64],
    /// Why a property fails on a trace, in the words of its requirement, if it has one: [`requirement::failure`] says it.
    pub(crate) why: &'a dyn Fn(&Property, &Trace) -> Option<String>,
}

/// The names of a system in groups: inputs, outputs, and internals if they are asked for.
pub(crate) fn groups(system: &System, inner: bool) -> Vec<Group> {
    let variable = |var: model::Var| system.variables[var.index()].name.clone();
    let outputs = |local: bool| {
        let outputs = system.outputs.iter().filter(move |it| it.local == local);
        outputs.map(|it| it.name.clone())
    };
    let mut groups = vec![
        Group { role: Role::Input, names: system.inputs.iter().copied().map(variable).collect() },
        Group { role: Role::Output, names: outputs(false).collect() },
    ];
    if inner {
        let states = system.state.iter().map(|it| variable(it.var));
        groups.push(Group { role: Role::Inner, names: outputs(true).chain(states).collect() });
    }
    groups
}

/// The columns of a trace that are in groups, in their order.
pub(crate) fn only(trace: &Trace, groups: &[Group]) -> Trace {
    let empty = Trace::new(trace.len(), trace.loop_start());
    let names = groups.iter().flat_map(|group| &group.names);
    let columns = names.filter_map(|name| Some((name, trace.values(trace.column(name)?).to_vec())));
    let all = empty
        .and_then(|empty| columns.into_iter().try_fold(empty, |all, (name, values)| all.with(name, values)));
    all.unwrap_or_else(|_| trace.clone())
}

impl Show<'_> {
    /// A verdict for people.
    pub(crate) fn human(&self, verdict: &Verdict) -> String {
        let name = visible(&self.name(verdict));
        let vacuous = if verdict.vacuous { "; the assumptions allow no run" } else { "" };
        match &verdict.answer {
            Answer::Valid(_) => format!("{name}: valid ({}{vacuous})\n", verdict.engine),
            Answer::Unknown(why) => format!("{name}: not decided: {}\n", visible(&why.to_string())),
            Answer::Invalid(found) => {
                let last = found.run.steps.len().saturating_sub(1);
                let mut out = format!("{name}: invalid, fails at step {last} ({})\n", verdict.engine);
                if let Some(trace) = whole(self.system, found) {
                    let table = export::table::grouped(&trace, &groups(self.system, self.inner), Some(last));
                    table.lines().for_each(|line| out.push_str(&format!("  {}\n", visible(line))));
                    if let Some(why) = self.why(verdict, &trace) {
                        out.push_str(&format!("  {}\n", visible(&why)));
                    }
                }
                out
            }
        }
    }

    /// A verdict for programs.
    pub(crate) fn document(&self, verdict: &Verdict) -> Json {
        let trace = counterexample(verdict).and_then(|found| whole(self.system, found));
        let (word, reason) = match &verdict.answer {
            Answer::Valid(_) if verdict.vacuous => {
                ("valid", Some("the assumptions allow no run".to_string()))
            }
            Answer::Valid(_) => ("valid", None),
            Answer::Invalid(_) => ("invalid", trace.as_ref().and_then(|trace| self.why(verdict, trace))),
            Answer::Unknown(why) => ("unknown", Some(why.to_string())),
        };
        let requirement = match self.system.properties.get(verdict.property).map(|it| &it.origin) {
            Some(Origin::Requirement(id)) => Some(id.as_str()),
            Some(Origin::Unknown | Origin::Text(_) | Origin::Contract { .. }) | None => None,
        };
        let seen = trace.map(|trace| only(&trace, &groups(self.system, self.inner)));
        json!({
            "name": self.system.properties.get(verdict.property).map(|property| property.name.clone()),
            "node": self.node,
            "requirement": requirement,
            "verdict": word,
            "reason": reason,
            "engine": verdict.engine,
            "k": verdict.depth,
            "seconds": self.seconds.get(verdict.property),
            "violated_at": counterexample(verdict).and_then(|it| it.run.steps.len().checked_sub(1)),
            "trace": seen.map(|trace| json::steps(&trace)),
        })
    }

    /// Writes each counterexample as a drawing, a table and a dump into a folder, with internals, so that it can be replayed.
    pub(crate) fn save(&self, folder: &Path, verdicts: &[Verdict]) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(failed)?;
        let mut taken = BTreeSet::new();
        for verdict in verdicts {
            let Some(found) = counterexample(verdict) else { continue };
            let Some(trace) = whole(self.system, found) else { continue };
            let file = file_name(&self.name(verdict), &mut taken);
            let reason = self.why(verdict, &trace).unwrap_or_default();
            let mark = Mark { step: trace.len() - 1, label: self.name(verdict), reason };
            let title = format!("{}: {} fails at step {}", self.node, mark.label, mark.step);
            let all = groups(self.system, true);
            let shown = groups(self.system, self.inner);
            for (ending, text) in [
                ("svg", svg(&trace, &shown, &title, Some(&mark))),
                ("csv", export::table::csv(&only(&trace, &all))),
                ("vcd", vcd(&trace, &all, self.node)),
            ] {
                write_atomically(&folder.join(format!("{file}.{ending}")), text.as_bytes())?;
            }
            tell(format_args!(
                "wrote {}.svg, .csv and .vcd",
                visible(&folder.join(&file).display().to_string())
            ));
        }
        Ok(())
    }

    fn name(&self, verdict: &Verdict) -> String {
        self.system.properties.get(verdict.property).map_or(String::new(), |property| property.name.clone())
    }

    fn why(&self, verdict: &Verdict, trace: &Trace) -> Option<String> {
        (self.why)(self.system.properties.get(verdict.property)?, trace)
    }
}

fn counterexample(verdict: &Verdict) -> Option<&Counterexample> {
    if let Answer::Invalid(found) = &verdict.answer { Some(found) } else { None }
}

/// The run that refutes a property with all its values; in doubles where exact values do not exist.
fn whole(system: &System, found: &Counterexample) -> Option<Trace> {
    match &found.rounded {
        Some(rounded) => Run::decimal(rounded).trace(system),
        None => found.run.trace(system),
    }
}

/// A name for a file that looks like the property's, and that no other has.
fn file_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let mut plain: String = name.chars().map(kept).take(80).collect();
    if plain.trim_matches(['.', '_']).is_empty() {
        plain = "property".into();
    }
    let plain = plain.trim_start_matches('.').to_owned();
    // Some file systems do not tell upper from lower case.
    let free = |name: &String| !taken.contains(&name.to_ascii_lowercase());
    let names = std::iter::once(plain.clone()).chain((2..).map(|n| format!("{plain}-{n}")));
    let name = names.into_iter().find(free).unwrap_or(plain);
    taken.insert(name.to_ascii_lowercase());
    name
}
