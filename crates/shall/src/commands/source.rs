//! A file with a model in it, whatever its language: what is wrong with it, and the system of one of its parts.

use super::dfrs::Loaded;
use super::model::{ModelProblem, Opened, open_at};
use crate::Error;
use crate::Outcome;
use crate::cli::Output;
use crate::cli::dfrs::{Letter, Source as EnglishFile};
use crate::files::read_text;
use crate::json;
use crate::render;
use crate::render::visible;
use crate::tell;
use dfrs::discrete::{lower, plain};
use dfrs::{Kind, Reading};
use lustre::Options;
use lustre::Program;
use lustre::read;
use project::mapping::{Direction, Signal, lustre_signals, system_signals};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use syntax::Diagnostic;
use system::System;

/// A model.
pub(crate) enum Source {
    Lustre {
        file: String,
        text: String,
        program: Program,
    },
    Simulink(Opened),
    /// Requirements in controlled English, under the name of their file.
    English {
        name: String,
        loaded: Loaded,
        reading: Reading,
    },
}

/// How a model is read, where its file does not say it.
#[derive(Default)]
pub(crate) struct Hints<'c> {
    /// Data files of a Simulink model, which otherwise are found beside it.
    pub(crate) data: &'c [PathBuf],
    /// Blocks of a Simulink model that are replaced with free inputs.
    pub(crate) abstracted: &'c [String],
    /// The step of a Simulink model in seconds, instead of its own.
    pub(crate) step: Option<f64>,
    /// The reading of controlled English, which otherwise is the synchronous one.
    pub(crate) semantics: Option<Letter>,
    /// The words of controlled English.
    pub(crate) dictionary: Option<&'c Path>,
    /// Whether it is in controlled English, whatever its name.
    pub(crate) english: bool,
}

/// The system of a part of a model.
pub(crate) struct Chosen {
    /// The name of the part.
    pub(crate) node: String,
    pub(crate) system: System,
    /// What requirements can be mapped to.
    pub(crate) signals: Vec<Signal>,
}

/// Why a part of a model has no system. People have been told.
pub(crate) struct Refused {
    pub(crate) outcome: Outcome,
    /// What was found about this part, besides what was found in the file.
    pub(crate) found: Vec<Diagnostic>,
}

impl Source {
    /// Reads a model.
    pub(crate) fn open(file: &Path, hints: &Hints) -> Result<Source, Error> {
        let &Hints { data, abstracted, step, semantics, dictionary, english } = hints;
        let ends_in =
            |endings: &[&str]| file.extension().is_some_and(|it| endings.iter().any(|end| it == *end));
        if english || ends_in(&["req"]) {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let source = EnglishFile { file: file.into(), dictionary: dictionary.map(Path::to_path_buf) };
            let reading = semantics.unwrap_or(Letter::C).reading();
            return Ok(Source::English { name, loaded: Loaded::read(&source)?, reading });
        }
        if semantics.is_some() || dictionary.is_some() {
            return Err(Error::usage(
                "--semantics and --dictionary are for models in controlled English (`.req`)",
            ));
        }
        if ends_in(&["mdl", "slx"]) {
            return open_at(file, data, abstracted, step).map(Source::Simulink);
        }
        let text = read_text(file)?;
        let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
        let program = read(&text, &|name| std::fs::read_to_string(folder.join(name)).ok());
        Ok(Source::Lustre { file: file.display().to_string(), text, program })
    }

    /// Whether it has errors that make it useless.
    pub(crate) fn is_wrong(&self) -> bool {
        match self {
            Source::Lustre { program, .. } => program.is_wrong(),
            Source::Simulink(_) => false,
            Source::English { loaded, .. } => loaded.system.is_none(),
        }
    }

    /// How a command that finds nothing wrong ends: of a file that was not read as a whole, nothing is known.
    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            Source::Simulink(opened) if !opened.lost.is_empty() => Outcome::Inconclusive,
            Source::Lustre { .. } | Source::Simulink(_) => Outcome::Fine,
            Source::English { loaded, .. } => loaded.outcome(),
        }
    }

    /// Whether a part of it has something that could not be understood, even if nothing depends on it.
    pub(crate) fn has_problems(&self, node: &str) -> bool {
        let Source::Simulink(Opened { plan, .. }) = self else { return false };
        let path = if node == plan.name || node.starts_with(&format!("{}/", plan.name)) {
            node.to_owned()
        } else {
            format!("{}/{node}", plan.name)
        };
        let inside = format!("{path}/");
        plan.problems.iter().any(|it| it.path == path || it.path.starts_with(&inside))
    }

    /// The data files that were read with it.
    pub(crate) fn data(&self) -> &[String] {
        match self {
            Source::Lustre { .. } | Source::English { .. } => &[],
            Source::Simulink(opened) => &opened.data,
        }
    }

    /// What results about it rest on.
    pub(crate) fn premises(&self) -> Vec<String> {
        match self {
            Source::Lustre { .. } | Source::English { .. } => Vec::new(),
            Source::Simulink(opened) => opened.premises(),
        }
    }

    /// The step in seconds that was chosen for a model without continuous blocks whose solver chooses its step itself; the premises have
    /// that of others.
    pub(crate) fn chosen_step(&self) -> Option<f64> {
        match self {
            Source::Simulink(Opened { plan, .. }) if plan.approximation.is_none() => {
                plan.is_variable.then_some(plan.step)
            }
            Source::Lustre { .. } | Source::Simulink(_) | Source::English { .. } => None,
        }
    }

    /// Whether the modelled machine computes in doubles.
    pub(crate) fn computes_in_doubles(&self) -> bool {
        matches!(self, Source::Simulink(_))
    }

    /// Tells people what was found.
    pub(crate) fn complain(&self, output: Output) {
        if output != Output::Human && !self.is_wrong() {
            return;
        }
        match self {
            Source::Lustre { program, .. } => self.tell(&program.diagnostics),
            Source::Simulink(opened) => opened.complain(opened.problems()),
            Source::English { loaded, .. } => loaded.complain(),
        }
    }

    /// The requested part. Of a Lustre program: the named node, the one marked as main, or the last one with a body;
    /// of a Simulink model: the subsystem with that path, or all of it. Controlled English has only one part.
    pub(crate) fn node(&self, name: Option<&str>) -> Result<String, Error> {
        let program = match self {
            Source::Lustre { program, .. } => program,
            Source::Simulink(opened) => return Ok(name.unwrap_or(&opened.plan.name).to_owned()),
            Source::English { name: own, .. } if name.is_none_or(|name| name == own) => {
                return Ok(own.clone());
            }
            Source::English { name: own, .. } => {
                return Err(Error::Usage(format!("there is no such node; there is `{own}`")));
            }
        };
        let nodes = program.nodes();
        let found = match name {
            Some(name) => nodes.iter().find(|node| node.name == name),
            None => {
                let own = |node: &&lustre::Node| !node.imported && !node.included;
                let main = nodes.iter().find(|node| node.main);
                main.or(nodes.iter().rfind(own)).or(nodes.iter().rfind(|node| !node.imported))
            }
        };
        found.map(|node| node.name.clone()).ok_or_else(|| {
            let known: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
            Error::Usage(format!("there is no such node; there are {}", known.join(", ")))
        })
    }

    /// The program, for those who look at its nodes one by one.
    pub(crate) fn program(&self) -> Result<&Program, Error> {
        match self {
            Source::Lustre { program, .. } => Ok(program),
            Source::Simulink(_) => Err(Error::usage(
                "--modular and --compositional are for contracts in Lustre; `--node PATH` checks a subsystem on its own",
            )),
            Source::English { .. } => {
                Err(Error::usage("--modular and --compositional are for contracts in Lustre"))
            }
        }
    }

    /// The system of a part.
    pub(crate) fn system(&self, node: &str) -> Result<Chosen, Refused> {
        let refused = |outcome| Refused { outcome, found: Vec::new() };
        match self {
            Source::Lustre { program, .. } => {
                let system = program.system(node, &Options::default()).map_err(|found| {
                    self.tell(&found);
                    Refused { outcome: Outcome::Findings, found }
                })?;
                let nodes = program.nodes();
                let signals =
                    nodes.iter().find(|it| it.name == node).map(|node| lustre_signals(&system, node));
                Ok(Chosen { node: node.to_owned(), system, signals: signals.unwrap_or_default() })
            }
            Source::Simulink(opened) => {
                let at = (node != opened.plan.name).then_some(node);
                let system = opened.system(at).ok_or(refused(Outcome::Findings))?;
                let signals = system_signals(&system);
                Ok(Chosen { node: node.to_owned(), system, signals })
            }
            Source::English { loaded, reading, .. } => {
                let dfrs = loaded.system.as_ref().ok_or(refused(Outcome::Findings))?;
                let system = lower(dfrs, *reading).map_err(|refusal| {
                    tell(format_args!("not decided: {}", visible(&refusal.to_string())));
                    refused(Outcome::Inconclusive)
                })?;
                // Requirements are about the variables, not about how the environment sets them.
                let mut signals = system_signals(&system);
                signals.retain_mut(|signal| {
                    let mut inputs = dfrs.variables.iter().filter(|it| it.kind == Kind::Input);
                    let is_variable = signal.direction == Direction::Output;
                    if inputs.any(|it| plain(&it.name) == signal.name) {
                        signal.direction = Direction::Input;
                    }
                    is_variable
                });
                Ok(Chosen { node: node.to_owned(), system, signals })
            }
        }
    }

    /// What was found, for programs.
    pub(crate) fn diagnostics(&self) -> Diagnostics<'_> {
        self.diagnostics_and(&[])
    }

    /// What was found, and what was found about some of the nodes.
    pub(crate) fn diagnostics_and<'m>(&'m self, more: &'m [Diagnostic]) -> Diagnostics<'m> {
        match self {
            Source::Lustre { program, .. } => {
                let found = json::diagnostics(&program.diagnostics);
                Diagnostics::Text(found.into_iter().chain(json::diagnostics(more)).collect())
            }
            Source::English { loaded, .. } => Diagnostics::Text(json::diagnostics(&loaded.diagnostics)),
            Source::Simulink(opened) => {
                Diagnostics::Simulink(opened.problems().map(ModelProblem::from).collect())
            }
        }
    }

    /// Tells people what was found in a program.
    pub(crate) fn tell(&self, found: &[Diagnostic]) {
        if let Source::Lustre { file, text, .. } = self {
            found.iter().for_each(|found| tell(render::document(file, text, found)));
        }
    }
}

/// What was found in a model: diagnostics of a text (Lustre, controlled English), or problems of a Simulink model.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Diagnostics<'m> {
    Text(Vec<json::Diagnostic<'m>>),
    Simulink(Vec<ModelProblem<'m>>),
}
