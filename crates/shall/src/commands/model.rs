//! `shall model`: a Simulink model from outside, and files made from it.
//!
//! [`open`] reads a model with its data files, and [`Opened::system`] lowers it, for every command that takes one.

mod data;
pub(crate) mod diagram;
mod folders;
mod fuzzy;
pub(crate) mod harness;
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
use base::counted;
use folders::Folders;
use schemars::JsonSchema;
use serde::Serialize;
use simulink::diagram::Diagram;
use simulink::info;
use simulink::lower::{Options, lower};
use simulink::matlab::{Around, Files};
use simulink::plan;
use simulink::plan::Group;
use simulink::plan::Plan;
use simulink::plan::Problem;
use simulink::plan::Shape;
use simulink::plan::grouped;
use simulink::{Limits, library};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syntax::nearest;

pub(crate) fn run(command: &Model) -> Result<Outcome, Error> {
    let (made, output) = match &command.question {
        Question::Info(info) => return describe(&info.command, info.output),
        Question::Diagram(diagram) => return diagram::run(&diagram.command, diagram.output),
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

/// What a command wrote.
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
    /// The data files that were read, and the libraries and models in other folders.
    pub(crate) data: Vec<String>,
    /// What could not be read, in the model or in its data.
    pub(crate) lost: Vec<Problem>,
    /// The problems that people have been told.
    told: RefCell<BTreeSet<String>>,
}

impl Opened {
    /// Everything that was not read or not understood.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.lost.iter().chain(&self.plan.problems)
    }

    /// What results rest on: how continuous blocks are approximated, and which blocks are replaced.
    pub(crate) fn premises(&self) -> Vec<String> {
        let replaced = self.plan.units.iter().filter(|it| it.kind == simulink::BlockKind::Abstract);
        let replaced = replaced.map(|it| {
            let path = it.path.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("`{path}` may do anything")
        });
        self.plan.approximation.iter().cloned().chain(replaced).collect()
    }

    /// Tells which data files were read, and these problems.
    pub(crate) fn complain<'t>(&self, problems: impl IntoIterator<Item = &'t Problem>) {
        self.data.iter().for_each(|path| tell(format_args!("data: {}", visible(path))));
        let problems: Vec<&Problem> = problems.into_iter().collect();
        for it in &problems {
            // What depends on the block of a problem refers to it by the path.
            self.told.borrow_mut().extend([it.to_string(), format!("`{}`: {}", it.path, it.message)]);
        }
        complain(problems);
        self.plan
            .approximation
            .iter()
            .for_each(|it| tell(format_args!("{it}: results are about this approximation")));
    }

    /// The system of the model, or of a subsystem; nothing if there is none, and why has been told.
    pub(crate) fn system(&self, at: Option<&str>) -> Option<System> {
        let told = |problems: Vec<Problem>| {
            let told = self.told.borrow();
            let is_new = |it: &&Problem| !told.contains(&it.to_string()) && !told.contains(&it.message);
            complain(problems.iter().filter(is_new));
            let paths = self.plan.units.iter().filter(|it| it.inside.is_some());
            let near = at.and_then(|at| nearest(at, paths.map(|it| it.path.as_str())));
            near.into_iter().for_each(|near| tell(format_args!("  did you mean `{near}`?")));
        };
        lower(&self.plan, at, &Options::default()).map_err(told).ok()
    }
}

/// Reads a model and its data files: those given, or else those that belong to it.
pub(crate) fn open(file: &Path, data: &[PathBuf], abstracted: &[String]) -> Result<Opened, Error> {
    open_at(file, data, abstracted, None)
}

/// Reads a model with another step than its own, in seconds.
pub(crate) fn open_at(
    file: &Path,
    data: &[PathBuf],
    abstracted: &[String],
    step: Option<f64>,
) -> Result<Opened, Error> {
    let reading = simulink::read(&read_bytes(file)?, &Limits::default());
    let mut diagram = reading.diagram;
    // Simulink calls a model as its file is called, whatever name was saved with it.
    if let Some(stem) = file.file_stem() {
        diagram.name = stem.to_string_lossy().into_owned();
    }
    diagram.settings.0.extend(step.map(|step| (plan::CHOSEN.to_owned(), step.to_string())));
    let lost = |message: String, hint: Option<String>| Problem {
        path: diagram.name.clone(),
        kind: "file".into(),
        message,
        hint,
        cause: None,
    };
    let mut problems: Vec<Problem> =
        reading.problems.iter().map(|problem| in_file(lost(problem.to_string(), None), problem)).collect();
    if diagram.sheets.is_empty() {
        let reason = problems.first().map_or("the file has no model", |problem| &problem.message);
        return Err(Error::file(file, reason));
    }
    let folders = Folders::around(file);
    data::add_folders(&folders, &diagram);
    let mut used = Vec::new();
    let others = others(file, &diagram, &folders, &mut used, &mut problems)?;
    let is_given = !data.is_empty();
    let mut data = if is_given { data.to_vec() } else { data::belonging(file, &diagram, &others, &folders) };
    let mut workspace = data::Workspace::new();
    for path in &data {
        data::read(path, &diagram.name, &folders, &mut workspace, &mut problems)?;
    }
    data.extend(folders.used());
    // Links that stay unresolved are listed by the plan, block by block.
    library::link(&mut diagram, &others);
    let several = |(name, paths): (String, Vec<PathBuf>)| {
        let paths: Vec<String> = paths.iter().map(|it| format!("`{}`", it.display())).collect();
        let paths = paths.join(", ");
        let text = format!(
            "different files have the name `{name}`: {paths}; put the one that is meant beside the model"
        );
        (name, text)
    };
    library::refuse(&mut diagram, &folders.several().into_iter().map(several).collect());
    let function = |name: &str| folders.find(name, &["m"]).and_then(|path| folders::read_code(&path));
    library::interpret(&mut diagram, &function);
    let mut systems = BTreeMap::new();
    for name in library::systems(&diagram) {
        let Some(path) = fuzzy::file(&name, &diagram, &folders) else { continue };
        systems.insert(name, folders::read_code(&path).unwrap_or_default());
        used.push(path);
    }
    library::infer(&mut diagram, &|name| systems.get(name).cloned());
    library::expand(&mut diagram);
    for path in abstracted {
        if !simulink::abstract_block(&mut diagram, path) {
            return Err(Error::file(file, format_args!("there is no block `{path}`")));
        }
    }
    // Code does not replace what is given.
    let files: &dyn Files = if is_given { Around::NOTHING.files } else { &folders };
    let mut plan = plan::plan_among(&diagram, &workspace, files);
    data.extend(folders.used());
    let mut hints: BTreeMap<String, String> = BTreeMap::new();
    for place in folders.places().take_while(|_| !is_given) {
        if plan.missing.is_empty() {
            break;
        }
        let search = data::Search::of(place, &diagram.name, &folders, &workspace);
        // A variable that is found may need others.
        for _ in 0..ROUNDS {
            let missing = plan.missing.iter().filter(|it| !hints.contains_key(*it)).cloned().collect();
            let (found, different) = search.fill(&missing, &mut workspace);
            hints.extend(different);
            if found.is_empty() {
                break;
            }
            data.extend(found);
            plan = plan::plan_among(&diagram, &workspace, files);
            data.extend(folders.used());
        }
    }
    hints.extend(folders.several().into_iter().map(several));
    for (name, hint) in hints {
        let is_about = |it: &&mut Problem| it.cause().contains(&format!("`{name}`"));
        let all = plan.problems.iter_mut().chain(plan.spoiled.values_mut());
        all.filter(is_about).for_each(|it| it.hint = Some(hint.clone()));
    }
    data.extend(used);
    data.sort();
    data.dedup();
    let data = data.iter().map(|path| path.display().to_string()).collect();
    Ok(Opened { diagram, plan, data, lost: problems, told: RefCell::default() })
}

/// The libraries and models that a model leads to, directly or through others. Notes those that are not beside it.
fn others(
    file: &Path,
    diagram: &Diagram,
    folders: &Folders,
    used: &mut Vec<PathBuf>,
    problems: &mut Vec<Problem>,
) -> Result<BTreeMap<String, Diagram>, Error> {
    let mut found: BTreeMap<String, Diagram> = BTreeMap::new();
    let mut open: Vec<String> = library::files(diagram).into_iter().collect();
    while let Some(name) = open.pop() {
        let own = file.file_stem().is_some_and(|it| it == name.as_str());
        if own || found.contains_key(&name) {
            continue;
        }
        let Some(path) = folders.find(&name, &["slx", "mdl"]) else { continue };
        let reading = simulink::read(&read_bytes(&path)?, &Limits::default());
        problems.extend(reading.problems.iter().map(|error| {
            let (message, cause) = (format!("{}: {error}", path.display()), Some(error.message.clone()));
            Problem { path: name.clone(), kind: "file".into(), message, hint: None, cause }
        }));
        open.extend(library::files(&reading.diagram));
        found.insert(name, reading.diagram);
        used.extend(Some(path).filter(|it| !folders.is_beside(it)));
    }
    Ok(found)
}

/// How often variables are searched for.
const ROUNDS: usize = 4;

fn describe(command: &Info, format: InfoFormat) -> Result<Outcome, Error> {
    let mut opened = open(&command.file, &command.data, &[])?;
    // A model is only fine if it can be run.
    if let Err(refused) = lower(&opened.plan, None, &Options::default()) {
        let is_new = |problem: &Problem| opened.problems().all(|it| it != problem);
        let new: Vec<Problem> = refused.into_iter().filter(is_new).collect();
        opened.lost.extend(new);
    }
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
    /// The data files that were read, and the libraries and models in other folders.
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

/// A problem of a file, with what others of the same kind have in common: not the place.
fn in_file(problem: Problem, error: &simulink::FileError) -> Problem {
    let cause = error.message.split(" (in `").next().map(str::to_owned);
    Problem { cause, ..problem }
}

/// The number of problems with one cause that are listed one by one.
const FEW: usize = 3;

/// Writes problems to standard error, with their hints; many with one cause are told together.
pub(crate) fn complain<'p>(problems: impl IntoIterator<Item = &'p Problem>) {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let groups = grouped(problems);
    let count = groups.iter().map(|group| group.problems.len()).sum();
    if groups.iter().any(|group| group.problems.len() > FEW) {
        tell(format_args!("{}: {}", counted(count, "problem"), counted(groups.len(), "cause")));
    }
    for Group { cause, problems } in groups {
        if problems.len() > FEW {
            let paths: Vec<String> =
                problems.iter().take(FEW).map(|it| format!("`{}`", visible(&one_line(&it.path)))).collect();
            let (paths, more) = (paths.join(", "), problems.len() - FEW);
            tell(format_args!("{} ({} times: {paths} and {more} more)", visible(cause), problems.len()));
        } else {
            for Problem { path, kind, message, .. } in &problems {
                tell(format_args!("{} ({}): {}", visible(&one_line(path)), visible(kind), visible(message)));
            }
        }
        if let Some(hint) = problems.first().and_then(|it| it.hint.as_ref()) {
            tell(format_args!("  hint: {}", visible(hint)));
        }
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
    /// What causes it; problems with the same cause go away together.
    cause: &'m str,
}

impl<'m> From<&'m Problem> for ModelProblem<'m> {
    fn from(problem: &'m Problem) -> ModelProblem<'m> {
        let Problem { path, kind, message, hint, .. } = problem;
        ModelProblem { path, kind, message, hint: hint.as_deref(), cause: problem.cause() }
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
