//! `shall simulate`: a model, run on given inputs, with what that says about its assumptions and properties.

pub(crate) mod inputs;
mod step;

use super::source::{Chosen, Diagnostics, Refused};
use super::verify::show::{groups, only};
use crate::cli::Output;
use crate::cli::model::{Arithmetic, RunFormat, Simulate};
use crate::files::write_file;
use crate::json::{self, Values};
use crate::render::visible;
use crate::trace_file::TraceFile;
use crate::{Error, Outcome, print, tell};
use base::counted;
use draw::waveform::{Group, Mark, svg, vcd};
use logic::Trace;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use system::Goal;
use system::Run;
use system::System;
use system::simulate;

pub(crate) fn run(command: &Simulate, output: Output) -> Result<Outcome, Error> {
    let trace = command.trace.as_deref().map(TraceFile::read).transpose()?;
    let (source, every) = step::chosen(command, trace.as_ref())?;
    source.complain(output);
    if source.is_wrong() {
        return refused(source.diagnostics(), output);
    }
    let Chosen { node, system, .. } = match source.system(&source.node(command.node.as_deref())?) {
        Ok(chosen) => chosen,
        Err(Refused { found, .. }) => return refused(source.diagnostics_and(&found), output),
    };
    let file = match trace {
        Some(trace) => trace,
        None if system.inputs.is_empty() => TraceFile::of_steps(step::shown(command, &source, every)),
        None => return Err(Error::usage(format_args!("`{node}` has inputs: give them with `--trace`"))),
    };
    let usual = if source.computes_in_doubles() { Arithmetic::Double } else { Arithmetic::Exact };
    let arithmetic = command.arithmetic.unwrap_or(usual);
    let run = match arithmetic {
        Arithmetic::Exact => {
            let (start, rows) = inputs::of(&system, &node, &file)?;
            simulate(&system, &start, &rows)
        }
        Arithmetic::Double => {
            let (start, rows) = inputs::of(&system, &node, &file)?;
            let mut run = simulate::<f64>(&system, &start, &step::held(rows, every));
            run.steps = run.steps.into_iter().step_by(every).collect();
            run.decimal()
        }
    };
    let findings = Findings::of(&system, &run);
    let trace = run.trace(&system).ok_or_else(|| {
        Error::file(command.trace.as_deref().unwrap_or(&command.file), "the trace has no step")
    })?;
    let unseen = !command.inner && system.outputs.iter().all(|it| it.local) && system.properties.is_empty();
    if unseen && output == Output::Human {
        tell(format_args!("`{}` has no outputs; its inner signals are shown", visible(&node)));
    }
    if let (Output::Human, None, Some(step)) = (output, &command.trace, source.chosen_step()) {
        tell(format_args!("a step of {step} s is used, because the solver of the model has a variable one"));
    }
    let groups = groups(&system, command.inner || unseen);
    match output {
        Output::Human => {
            let text = written(command.format, &trace, &groups, &node, &findings);
            write_file(command.into.as_deref().unwrap_or(Path::new("-")), text)?;
            let words = findings.words(&groups, &trace);
            // A file for another program has nothing else in it.
            match (command.format, &command.into) {
                (RunFormat::Table, None) => {
                    words.iter().try_for_each(|line| print(format_args!("{line}\n")))?
                }
                (RunFormat::Table | RunFormat::Csv | RunFormat::Vcd | RunFormat::Svg, _) => {
                    words.iter().for_each(tell)
                }
            }
        }
        Output::Json | Output::JsonLines => {
            let arithmetic = match arithmetic {
                Arithmetic::Exact => "exact",
                Arithmetic::Double => "double",
            };
            let document = Simulated {
                node: Some(&node),
                arithmetic,
                steps: json::steps(&only(&trace, &groups)),
                undefined: missing(&groups, &trace),
                assumptions_violated_at: findings.broken,
                properties: findings.documents(),
                premises: source.premises(),
                data: source.data(),
                diagnostics: source.diagnostics(),
            };
            print(output.text(&document) + "\n")?;
        }
    }
    // What is shown is right, but not all of the model could be run.
    let partly = if source.has_problems(&node) { Outcome::Findings } else { Outcome::Fine };
    Ok(findings.outcome().max(source.outcome()).max(partly))
}

/// What programs learn about a model that cannot be simulated.
fn refused(diagnostics: Diagnostics, output: Output) -> Result<Outcome, Error> {
    if output != Output::Human {
        let document = Simulated {
            node: None,
            arithmetic: "exact",
            steps: Vec::new(),
            undefined: Vec::new(),
            assumptions_violated_at: None,
            properties: Vec::new(),
            premises: Vec::new(),
            data: &[],
            diagnostics,
        };
        print(output.text(&document) + "\n")?;
    }
    Ok(Outcome::Failure)
}

fn written(format: RunFormat, trace: &Trace, groups: &[Group], node: &str, findings: &Findings) -> String {
    let mark = findings.mark();
    match format {
        RunFormat::Table => {
            let table = draw::table::grouped(trace, groups, mark.as_ref().map(|mark| mark.step));
            table.lines().map(|line| format!("{}\n", visible(line))).collect()
        }
        RunFormat::Csv => draw::table::csv(&only(trace, groups)),
        RunFormat::Vcd => vcd(trace, groups, node),
        RunFormat::Svg => {
            svg(trace, groups, &format!("{node}: {}", counted(trace.len(), "step")), mark.as_ref())
        }
    }
}

/// Names that are to be shown and have no value at some step.
fn missing<'g>(groups: &'g [Group], trace: &Trace) -> Vec<&'g String> {
    let names = groups.iter().flat_map(|group| &group.names);
    names.filter(|name| trace.column(name).is_none()).collect()
}

/// What a run says about assumptions and properties.
struct Findings {
    /// The first step at which an assumption fails.
    broken: Option<usize>,
    /// The first step at which it is not known whether the assumptions hold.
    unsure: Option<usize>,
    properties: Vec<Judged>,
}

struct Judged {
    name: String,
    /// The first step at which it fails.
    fails: Option<usize>,
    /// The first step at which it has no value.
    undefined: Option<usize>,
}

impl Findings {
    fn of(system: &System, run: &Run) -> Findings {
        let assumed = |truth: Option<bool>| run.steps.iter().position(|step| step.assumed == truth);
        let judged = |(place, property): (usize, &system::Property)| {
            let first = |truth: Option<bool>| {
                run.steps.iter().position(|step| step.properties.get(place) == Some(&truth))
            };
            Judged { name: property.name.clone(), fails: first(Some(false)), undefined: first(None) }
        };
        Findings {
            broken: assumed(Some(false)),
            unsure: assumed(None),
            // One run says little about what some run is to reach.
            properties: system
                .properties
                .iter()
                .enumerate()
                .filter(|it| it.1.goal == Goal::Holds)
                .map(judged)
                .collect(),
        }
    }

    /// Whether a step counts: all assumptions hold up to it.
    fn counts(&self, step: usize) -> bool {
        self.broken.is_none_or(|broken| step < broken)
    }

    fn outcome(&self) -> Outcome {
        let counts = |step: Option<usize>| step.is_some_and(|step| self.counts(step));
        let sure = |step: Option<usize>| counts(step) && self.unsure.is_none_or(|unsure| step < Some(unsure));
        if self.properties.iter().any(|it| sure(it.fails)) {
            Outcome::Findings
        } else if self.properties.iter().any(|it| counts(it.fails) || counts(it.undefined)) {
            Outcome::Inconclusive
        } else {
            Outcome::Fine
        }
    }

    /// The step at which the first property fails.
    fn mark(&self) -> Option<Mark> {
        let failing = self.properties.iter().filter_map(|it| Some((it.fails?, it)));
        let (step, first) = failing.filter(|(step, _)| self.counts(*step)).min_by_key(|(step, _)| *step)?;
        Some(Mark { step, label: first.name.clone(), reason: String::new() })
    }

    fn words(&self, groups: &[Group], trace: &Trace) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for name in missing(groups, trace) {
            lines.push(format!("{}: not shown, because it has no value at some step", visible(name)));
        }
        if let Some(step) = self.broken {
            lines.push(format!("an assumption fails at step {step}; from there on nothing is required"));
        } else if let Some(step) = self.unsure {
            lines.push(format!("whether the assumptions hold at step {step} has no value"));
        }
        for it in &self.properties {
            let name = visible(&it.name);
            lines.push(match (it.fails, it.undefined) {
                (Some(step), _) if self.counts(step) => format!("{name}: fails at step {step}"),
                (_, Some(step)) if self.counts(step) => format!("{name}: has no value at step {step}"),
                (Some(step), _) => format!("{name}: fails at step {step}, after the assumption"),
                (None, _) => format!("{name}: holds at every step"),
            });
        }
        lines
    }

    fn documents(&self) -> Vec<PropertyOnRun<'_>> {
        let mut all = Vec::new();
        for Judged { name, fails, undefined } in &self.properties {
            let holds = match (fails, undefined) {
                (Some(_), _) => Some(false),
                (None, Some(_)) => None,
                (None, None) => Some(true),
            };
            all.push(PropertyOnRun { name, holds, violated_at: *fails, undefined_at: *undefined });
        }
        all
    }
}

/// A run of a model.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Simulated<'r> {
    /// The part of the model; `null` if the model cannot be run.
    node: Option<&'r str>,
    /// `exact` or `double`.
    arithmetic: &'static str,
    /// The steps, each with a value for every name; `--trace` reads them back. Doubles are their shortest decimals.
    steps: Vec<Values>,
    /// Names that have no value at some step and are left out of `steps`.
    undefined: Vec<&'r String>,
    /// The first step at which an assumption fails, or `null`; from there on nothing is required.
    assumptions_violated_at: Option<usize>,
    /// The properties.
    properties: Vec<PropertyOnRun<'r>>,
    /// What the values rest on: how continuous blocks of a Simulink model are approximated, and blocks that `--abstract` replaces.
    premises: Vec<String>,
    /// The data files that were read with a Simulink model.
    data: &'r [String],
    /// What was found in the model.
    diagnostics: Diagnostics<'r>,
}

/// A property on a run.
#[derive(Serialize, JsonSchema)]
struct PropertyOnRun<'r> {
    /// Its name.
    name: &'r str,
    /// Whether it holds; `null` if it fails at no step but has no value at some step.
    holds: Option<bool>,
    /// The first step at which it fails, or `null`.
    violated_at: Option<usize>,
    /// The first step at which it has no value, or `null`.
    undefined_at: Option<usize>,
}
