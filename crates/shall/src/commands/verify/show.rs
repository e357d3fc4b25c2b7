//! Verdicts for users: words, tables of counterexamples, JSON, and files for other tools.

use super::{condition, doubles, goal, why};
use crate::Error;
use crate::files::{create_folder, write_file};
use crate::json::{self, Values};
use crate::render::visible;
use crate::tell;
use draw::waveform::Group;
use draw::waveform::Mark;
use draw::waveform::Role;
use draw::waveform::svg;
use draw::waveform::vcd;
use engine::{Answer, Counterexample, Part, Verdict};
use logic::Trace;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use system::{Goal, Node, Origin, Run, State, System};

/// The verdict about a property.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Property<'v> {
    /// The property; the id, if it is a requirement of a project; the sentence, if it is one.
    name: String,
    /// The part of the model it belongs to.
    node: &'v str,
    /// The id of the requirement it comes from, or `null`.
    requirement: Option<&'v str>,
    /// `valid`, `invalid` or `unknown`; of what is to be reached, `reachable`, `unreachable` or `unknown`.
    verdict: &'static str,
    /// Why it is not decided, why it holds vacuously, or why the counterexample violates the requirement.
    reason: Option<String>,
    /// The engine that decided it.
    engine: &'static str,
    /// The number of first steps that are known to be free of violations.
    k: usize,
    /// The time that was spent on it.
    seconds: f64,
    /// Callees whose contracts replace their bodies.
    replaced: &'v [String],
    /// Those of them whose contracts are not proved: then `valid` is under that condition, and the exit code is 3.
    assumes: &'v [String],
    /// The step at which it fails or is reached, the last one of the trace; `null` if there is no trace, and if no single step violates
    /// it.
    violated_at: Option<usize>,
    /// If no single step violates it: the first step of the loop that the trace repeats for ever, up to its last step; otherwise
    /// `null`.
    loop_start: Option<usize>,
    /// The signals that do not repeat with the loop, such as a counter that only grows.
    drifting: &'v [String],
    /// The steps of the counterexample, as short and simple as was found: inputs, outputs and what a sentence is about, with `--inner`
    /// internals too; `null` unless it is invalid or reachable.
    trace: Option<Vec<Values>>,
    /// For Simulink models and with `--doubles`; otherwise `null`.
    doubles: Option<doubles::Doubles>,
    /// With `--why`, for a property that does not hold, or holds under a condition.
    why: Option<why::Why>,
}

/// How the verdicts of a part of a model are shown.
pub(super) struct Show<'a> {
    pub(super) part: &'a Part,
    /// Whether internals are shown too.
    pub(super) inner: bool,
    /// Whether the part is named.
    pub(super) with_node: bool,
    /// Why a property fails on a trace, in the words of its requirement, if it has one.
    pub(super) why: &'a dyn Fn(usize, &Trace) -> Option<String>,
    /// The signals that the requirement of a property is about, if it has one.
    pub(super) about: &'a dyn Fn(usize) -> Vec<String>,
    /// What every verdict rests on.
    pub(super) premises: &'a [String],
    /// Whether the requirement of a property, if it has one, requires nothing of infinite runs.
    pub(super) idle: &'a dyn Fn(usize) -> bool,
}

/// The names of a system in groups: inputs with the constants without a value that something depends on, outputs, and internals with what
/// the source does not name if `inner` is set.
pub(crate) fn groups(system: &System, inner: bool) -> Vec<Group> {
    let variable = |var: system::Var| system.variables[var.index()].name.clone();
    let outputs = |local: bool| {
        let outputs = system.outputs.iter().filter(move |it| it.local == local);
        outputs.map(|it| it.name.clone())
    };
    let is_free = |it: &State| it.init.is_none() && *system.pool.node(it.next) == Node::Var(it.var);
    let (constants, states): (Vec<&State>, Vec<&State>) = system.state.iter().partition(|it| is_free(it));
    let results = system.outputs.iter().map(|it| it.value).chain(system.properties.iter().map(|it| it.value));
    let read = system.cone(results);
    let constants = constants.iter().map(|it| it.var).filter(|it| read.contains(it));
    let given = system.inputs.iter().copied().chain(constants);
    let (auxiliary, given): (Vec<_>, Vec<_>) = given.partition(|it| system.auxiliary.contains(it));
    let mut groups = vec![
        Group { role: Role::Input, names: given.into_iter().map(variable).collect() },
        Group { role: Role::Output, names: outputs(false).collect() },
    ];
    if inner {
        let states = states.iter().map(|it| it.var).chain(auxiliary).map(variable);
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

impl<'a> Show<'a> {
    /// A verdict for people.
    pub(super) fn human(&self, verdict: &Verdict) -> String {
        let name = self.name(verdict);
        let name = if self.with_node { format!("{}: {name}", self.part.node) } else { name };
        let name = visible(&name);
        let listed =
            |names: &[String]| names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        let mut notes = verdict.engine.to_owned();
        if let Some(why) = self.vacuous(verdict) {
            notes += &format!("; {why}");
        }
        if !self.part.replaced.is_empty() {
            notes += &format!("; by the contracts of {}", listed(&self.part.replaced));
        }
        self.premises.iter().for_each(|premise| notes += &format!("; {premise}"));
        let notes = visible(&notes);
        match &verdict.answer {
            Answer::Valid(_) if goal(self.part, verdict) == Goal::Reached => {
                format!("{name}: unreachable ({notes})\n")
            }
            Answer::Valid(_) => {
                let given = condition(self.part, verdict);
                let given = if given.is_empty() {
                    String::new()
                } else {
                    format!(", given the contract of {}", listed(given))
                };
                format!("{name}: valid{} ({notes})\n", visible(&given))
            }
            Answer::Unknown(why) => {
                let mut why = why.to_string();
                self.premises.iter().for_each(|premise| why += &format!("; {premise}"));
                format!("{name}: not decided: {}\n", visible(&why))
            }
            Answer::Invalid(found) => {
                let last = found.run.steps.len().saturating_sub(1);
                let mut out = match goal(self.part, verdict) {
                    Goal::Holds => format!("{name}: invalid, {} ({notes})\n", manner(found)),
                    Goal::Reached => format!("{name}: reachable, at step {last} ({notes})\n"),
                };
                if let Some(trace) = self.trace(found) {
                    let mark = Some(last).filter(|_| found.repeats.is_none());
                    let groups = self.groups(verdict.property);
                    out += &indented(&trace, &groups, mark, "  ");
                    let drifting = self.drifting(found, &groups);
                    if !drifting.is_empty() {
                        let words = if drifting.len() == 1 { "does" } else { "do" };
                        let note =
                            format!("{} {words} not repeat, which makes no difference", listed(&drifting));
                        out.push_str(&format!("  {}\n", visible(&note)));
                    }
                    if let Some(why) = (self.why)(verdict.property, &trace) {
                        out.push_str(&format!("  {}\n", visible(&why)));
                    }
                }
                out
            }
        }
    }

    /// A verdict for programs, with what was found out about it.
    pub(super) fn document(
        &self,
        verdict: &'a Verdict,
        why: Option<why::Why>,
        doubles: Option<doubles::Doubles>,
    ) -> Property<'a> {
        let found = counterexample(verdict);
        let repeats = found.and_then(|it| it.repeats.as_ref());
        let trace = found.and_then(|found| self.trace(found));
        let reached = goal(self.part, verdict) == Goal::Reached;
        let (word, reason) = match &verdict.answer {
            Answer::Valid(_) if reached => ("unreachable", None),
            Answer::Invalid(_) if reached => ("reachable", None),
            Answer::Valid(_) => ("valid", self.vacuous(verdict).map(str::to_owned)),
            Answer::Invalid(_) => {
                ("invalid", trace.as_ref().and_then(|trace| (self.why)(verdict.property, trace)))
            }
            Answer::Unknown(why) => ("unknown", Some(why.to_string())),
        };
        let requirement = match self.part.system.properties.get(verdict.property).map(|it| &it.origin) {
            Some(Origin::Requirement(id)) => Some(id.as_str()),
            Some(Origin::Unknown | Origin::Text(_) | Origin::Contract { .. }) | None => None,
        };
        Property {
            name: self.name(verdict),
            node: &self.part.node,
            requirement,
            verdict: word,
            reason,
            engine: verdict.engine,
            k: verdict.depth,
            seconds: verdict.spent.as_secs_f64(),
            replaced: &self.part.replaced,
            assumes: condition(self.part, verdict),
            violated_at: found
                .filter(|it| it.repeats.is_none())
                .and_then(|it| it.run.steps.len().checked_sub(1)),
            loop_start: repeats.map(|it| it.start),
            drifting: repeats.map_or(&[], |it| &it.drifting),
            trace: trace.map(|trace| json::steps(&only(&trace, &self.groups(verdict.property)))),
            doubles,
            why,
        }
    }

    /// A trace as an indented table.
    pub(super) fn table(&self, trace: &Trace, mark: Option<usize>, indent: &str) -> String {
        indented(trace, &groups(&self.part.system, self.inner), mark, indent)
    }

    /// The names to show for a property: those of the model, and what its requirement is about.
    fn groups(&self, property: usize) -> Vec<Group> {
        let mut groups = groups(&self.part.system, self.inner);
        let mut names = (self.about)(property);
        names.retain(|name| groups.iter().all(|group| !group.names.contains(name)));
        names.sort();
        names.dedup();
        if !names.is_empty() {
            groups.push(Group { role: Role::Inner, names });
        }
        groups
    }

    /// Why a valid property says nothing about the model, if it does not.
    fn vacuous(&self, verdict: &Verdict) -> Option<&'static str> {
        match &verdict.answer {
            Answer::Valid(_) if verdict.vacuous => Some("the assumptions allow no run"),
            Answer::Valid(_) if (self.idle)(verdict.property) => {
                Some("it requires nothing of an infinite run")
            }
            Answer::Valid(_) | Answer::Invalid(_) | Answer::Unknown(_) => None,
        }
    }

    /// The names that are shown and do not repeat with the loop of a counterexample.
    fn drifting(&self, found: &Counterexample, groups: &[Group]) -> Vec<String> {
        let all = found.repeats.iter().flat_map(|it| &it.drifting);
        all.filter(|name| groups.iter().any(|group| group.names.contains(name))).cloned().collect()
    }

    /// The steps of a trace for programs.
    pub(super) fn steps(&self, trace: &Trace) -> Vec<Values> {
        json::steps(&only(trace, &groups(&self.part.system, self.inner)))
    }

    /// A run that was found, with all its values; in doubles where exact values do not exist.
    pub(super) fn trace(&self, found: &Counterexample) -> Option<Trace> {
        let trace = match &found.rounded {
            Some(rounded) => Run::decimal(rounded).trace(&self.part.system),
            None => found.run.trace(&self.part.system),
        };
        trace?.returning(found.repeats.as_ref().map(|it| it.start)).ok()
    }

    /// Writes each counterexample as a drawing, a table and a dump into a folder, with internals, so that it can be replayed.
    pub(super) fn save(&self, folder: &Path) -> Result<(), Error> {
        create_folder(folder)?;
        let mut taken = BTreeSet::new();
        for verdict in &self.part.verdicts {
            let Some(found) = counterexample(verdict) else { continue };
            let Some(trace) = self.trace(found) else { continue };
            let own = self.name(verdict);
            let own = if self.with_node { format!("{}.{own}", self.part.node) } else { own };
            let file = file_name(&own, &mut taken);
            let reason = (self.why)(verdict.property, &trace).unwrap_or_default();
            let last = trace.len() - 1;
            let step = found.repeats.as_ref().map_or(last, |it| it.start);
            let mark = Mark { step, label: self.name(verdict), reason };
            let happens = match goal(self.part, verdict) {
                Goal::Holds => manner(found),
                Goal::Reached => format!("is reached at step {last}"),
            };
            let title = format!("{}: {} {happens}", self.part.node, mark.label);
            let all = groups(&self.part.system, true);
            let shown = self.groups(verdict.property);
            for (ending, text) in [
                ("svg", svg(&trace, &shown, &title, Some(&mark))),
                ("csv", draw::table::csv(&only(&trace, &all))),
                ("vcd", vcd(&trace, &all, &self.part.node)),
            ] {
                write_file(&folder.join(format!("{file}.{ending}")), text)?;
            }
            tell(format_args!(
                "wrote {}.svg, .csv and .vcd",
                visible(&folder.join(&file).display().to_string())
            ));
        }
        Ok(())
    }

    fn name(&self, verdict: &Verdict) -> String {
        let property = self.part.system.properties.get(verdict.property);
        property.map_or(String::new(), |property| property.name.clone())
    }
}

/// How a property fails on a counterexample.
fn manner(found: &Counterexample) -> String {
    let last = found.run.steps.len().saturating_sub(1);
    match &found.repeats {
        None => format!("fails at step {last}"),
        Some(repeats) if repeats.start == last => format!("fails on a run that repeats step {last} for ever"),
        Some(repeats) => format!("fails on a run that repeats steps {} to {last} for ever", repeats.start),
    }
}

/// A trace as an indented table.
fn indented(trace: &Trace, groups: &[Group], mark: Option<usize>, indent: &str) -> String {
    let table = draw::table::grouped(trace, groups, mark);
    table.lines().map(|line| format!("{indent}{}\n", visible(line))).collect()
}

fn counterexample(verdict: &Verdict) -> Option<&Counterexample> {
    if let Answer::Invalid(found) = &verdict.answer { Some(found) } else { None }
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
    base::names::unique(&plain, "-", |name| taken.insert(name.to_ascii_lowercase()))
}
