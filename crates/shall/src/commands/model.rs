//! `shall model`: a Simulink model from outside, and files made from it.
//!
//! [`open`] reads a model with its data files, and [`Opened::system`] lowers it, for every command that takes one.

mod harness;
mod lustre;
mod observer;
mod part;

use crate::cli::Output;
use crate::cli::model::{Info, InfoFormat, Model, Question};
use crate::files::read_bytes;
use crate::json::LeftOut;
use crate::render::visible;
use crate::{Error, Outcome, print, tell};
use ::system::System;
use schemars::JsonSchema;
use serde::Serialize;
use simulink::diagram::Diagram;
use simulink::info;
use simulink::lower::{Options, lower};
use simulink::plan::Plan;
use simulink::plan::Problem;
use simulink::plan::Shape;
use simulink::plan::loads;
use simulink::plan::plan;
use simulink::value::Value;
use simulink::{Limits, library, mat};
use std::path::{Path, PathBuf};
use syntax::nearest;

pub(crate) fn run(command: &Model) -> Result<Outcome, Error> {
    let (made, output) = match &command.question {
        Question::Info(info) => return describe(&info.command, info.output),
        Question::Lustre(lustre) => (lustre::run(&lustre.command)?, lustre.output),
        Question::Observer(observer) => (observer::run(&observer.command)?, observer.output),
        Question::Harness(harness) => (harness::run(&harness.command)?, harness.output),
    };
    if output == Output::Human {
        for LeftOut { id, reason } in &made.left_out {
            tell(format_args!("{} is left out: {}", visible(id), visible(reason)));
        }
    } else {
        output.show(String::new, || &made)?;
    }
    Ok(if made.left_out.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

/// What `shall model lustre`, `observer` or `harness` wrote.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Made {
    /// The files.
    files: Vec<PathBuf>,
    /// Requirements that are not in them.
    left_out: Vec<LeftOut>,
}

/// A model file, understood with the variables of its data files.
pub(crate) struct Opened {
    pub(crate) diagram: Diagram,
    pub(crate) plan: Plan,
    /// The data files that were read.
    pub(crate) data: Vec<String>,
    /// What could not be read, in the model or in its data.
    pub(crate) lost: Vec<Problem>,
}

impl Opened {
    /// Everything that was not read or not understood.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.lost.iter().chain(&self.plan.problems)
    }

    /// Tells which data files were read, and these problems.
    pub(crate) fn complain<'t>(&self, problems: impl IntoIterator<Item = &'t Problem>) {
        self.data.iter().for_each(|path| tell(format_args!("data: {}", visible(path))));
        problems.into_iter().for_each(complain);
    }

    /// The system of the model, or of a subsystem; nothing if there is none, and why has been told.
    pub(crate) fn system(&self, at: Option<&str>) -> Option<System> {
        let told = |problems: Vec<Problem>| {
            problems.iter().for_each(complain);
            let paths = self.plan.units.iter().filter(|it| it.inside.is_some());
            let near = at.and_then(|at| nearest(at, paths.map(|it| it.path.as_str())));
            near.into_iter().for_each(|near| tell(format_args!("  did you mean `{near}`?")));
        };
        lower(&self.plan, at, &Options::default()).map_err(told).ok()
    }
}

/// Reads a model and its data files: those given, or else those that belong to it.
pub(crate) fn open(file: &Path, data: &[PathBuf]) -> Result<Opened, Error> {
    let reading = simulink::read(&read_bytes(file)?, &Limits::default());
    let mut diagram = reading.diagram;
    // Simulink calls a model as its file is called, whatever name was saved with it.
    if let Some(stem) = file.file_stem() {
        diagram.name = stem.to_string_lossy().into_owned();
    }
    let lost = |message: String, hint: Option<String>| Problem {
        path: diagram.name.clone(),
        kind: "file".into(),
        message,
        hint,
    };
    let mut problems: Vec<Problem> =
        reading.problems.iter().map(|problem| lost(problem.to_string(), None)).collect();
    if diagram.sheets.is_empty() {
        let reason = problems.first().map_or("the file has no model", |problem| &problem.message);
        return Err(Error::file(file, reason));
    }
    let data = if data.is_empty() { belonging(file, &diagram) } else { data.to_vec() };
    let mut workspace: Vec<(String, Value)> = vec![];
    for path in &data {
        let read = mat::read(&read_bytes(path)?, mat::Limits::default()).map_err(Error::about(path))?;
        // A variable that is refused takes the place of one that was read before.
        workspace.retain(|(name, _)| read.refused.iter().all(|it| it.variable.as_ref() != Some(name)));
        workspace.extend(read.variables);
        let refused = read.refused.iter();
        problems
            .extend(refused.map(|error| lost(format!("{}: {error}", path.display()), error.hint.clone())));
    }
    // Links that stay unresolved are listed by the plan, block by block.
    library::expand(&mut diagram);
    let plan = plan(&diagram, &workspace);
    let data = data.iter().map(|path| path.display().to_string()).collect();
    Ok(Opened { diagram, plan, data, lost: problems })
}

/// The data files beside a model: `NAME.mat` and `NAME_data.mat` where the model is called `NAME` or `NAME_…`, and those that its
/// callbacks load.
fn belonging(file: &Path, diagram: &Diagram) -> Vec<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let named = loads(diagram);
    let belongs = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(stem) = name.strip_suffix(".mat") else { return false };
        let base = stem.strip_suffix("_data").unwrap_or(stem);
        let loaded = named.iter().any(|load| *load == name || load == stem);
        let rest = diagram.name.strip_prefix(base).filter(|_| !base.is_empty());
        loaded || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(belongs).collect();
    found.sort();
    found
}

fn describe(command: &Info, format: InfoFormat) -> Result<Outcome, Error> {
    let opened = open(&command.file, &command.data)?;
    let info = info::info(&opened.plan);
    let document = |output: Output| print(output.text(&Described::of(&info, &opened)) + "\n");
    match format {
        InfoFormat::Json => document(Output::Json)?,
        InfoFormat::JsonLines => document(Output::JsonLines)?,
        InfoFormat::FretJson => {
            print(format_args!("{:#}\n", info.fret(&command.file.display().to_string())))?
        }
        InfoFormat::Human => print(crate::render::lines(&info.text()))?,
    }
    if matches!(format, InfoFormat::Human | InfoFormat::FretJson) {
        opened.complain(opened.problems());
    }
    Ok(if opened.problems().next().is_none() { Outcome::Fine } else { Outcome::Findings })
}

/// A Simulink model.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Described<'m> {
    /// Its name.
    model: &'m str,
    /// Its step in seconds.
    step: f64,
    /// The model and its subsystems, as far as they have ports.
    components: Vec<Component<'m>>,
    /// The data files that were read.
    data: &'m [String],
    /// What could not be read or understood.
    problems: Vec<ModelProblem<'m>>,
}

/// The model or a subsystem.
#[derive(Serialize, JsonSchema)]
struct Component<'m> {
    /// Its path.
    path: &'m str,
    /// Its ports: inputs, then outputs, each by number.
    ports: Vec<Port<'m>>,
}

/// A port.
#[derive(Serialize, JsonSchema)]
struct Port<'m> {
    /// Its name.
    name: &'m str,
    /// The path of its block.
    path: &'m str,
    /// `input` or `output`.
    direction: &'static str,
    /// Its number, from 1.
    number: usize,
    /// Its compiled type.
    #[serde(rename = "type")]
    shape: Type<'m>,
    /// The number of values it carries.
    width: usize,
    /// The number of steps of the model from one value to the next; 0 for a constant.
    every: u64,
}

/// A compiled type: a class with dimensions, or a bus.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Type<'m> {
    Signal {
        /// Such as `double` or `boolean`.
        class: &'static str,
        /// The size in each dimension.
        dimensions: &'m [usize],
    },
    Bus {
        /// The elements of the bus.
        bus: Vec<Element<'m>>,
    },
}

/// An element of a bus.
#[derive(Serialize, JsonSchema)]
struct Element<'m> {
    /// Its name.
    name: &'m str,
    /// Its compiled type.
    #[serde(rename = "type")]
    shape: Type<'m>,
}

impl<'m> Described<'m> {
    fn of(info: &'m info::Info, opened: &'m Opened) -> Described<'m> {
        let port = |port: &'m info::Port| Port {
            name: &port.name,
            path: &port.path,
            direction: if port.is_input { "input" } else { "output" },
            number: port.number,
            shape: (&port.shape).into(),
            width: port.shape.width(),
            every: port.every,
        };
        let component = |it: &'m info::Component| Component {
            path: &it.path,
            ports: it.ports.iter().map(port).collect(),
        };
        Described {
            model: &info.name,
            step: info.step,
            components: info.components.iter().map(component).collect(),
            data: &opened.data,
            problems: opened.problems().map(ModelProblem::from).collect(),
        }
    }
}

impl<'m> From<&'m Shape> for Type<'m> {
    fn from(shape: &'m Shape) -> Type<'m> {
        match shape {
            Shape::Signal { class, dimensions } => Type::Signal { class: class.name(), dimensions },
            Shape::Bus(elements) => Type::Bus {
                bus: elements.iter().map(|(name, shape)| Element { name, shape: shape.into() }).collect(),
            },
        }
    }
}

/// Writes a problem to standard error, with its hint.
pub(crate) fn complain(problem: &Problem) {
    let path = problem.path.split_whitespace().collect::<Vec<&str>>().join(" ");
    tell(format_args!("{} ({}): {}", visible(&path), visible(&problem.kind), visible(&problem.message)));
    if let Some(hint) = &problem.hint {
        tell(format_args!("  hint: {}", visible(hint)));
    }
}

/// Something in a Simulink model that could not be read or understood.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ModelProblem<'m> {
    /// The path of the block, or the name of the model.
    path: &'m str,
    /// The kind of the block, or `file`.
    kind: &'m str,
    /// What is wrong.
    message: &'m str,
    /// What to do about it, or `null`.
    hint: Option<&'m str>,
}

impl<'m> From<&'m Problem> for ModelProblem<'m> {
    fn from(problem: &'m Problem) -> ModelProblem<'m> {
        let Problem { path, kind, message, hint } = problem;
        ModelProblem { path, kind, message, hint: hint.as_deref() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use simulink::value::Class;

    #[test]
    fn types() {
        let signal = || Shape::Signal { class: Class::Double, dimensions: vec![2, 3] };
        for (shape, json) in [
            (signal(), r#"{"class":"double","dimensions":[2,3]}"#),
            (
                Shape::Bus(vec![("x".into(), signal())]),
                r#"{"bus":[{"name":"x","type":{"class":"double","dimensions":[2,3]}}]}"#,
            ),
        ] {
            assert_eq!(Output::JsonLines.text(&Type::from(&shape)), json);
        }
    }
}
