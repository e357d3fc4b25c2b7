//! `shall export`: the whole project for another tool.

use super::import::roles;
use crate::cli::Output;
use crate::cli::exchange::{Dialect, Export, Form, Sql, Target};
use crate::files::{is_standard, read_bytes, write_file};
use crate::json::LeftOut;
use crate::render::visible;
use crate::workspace::{FILE, ProjectSet, Workspace};
use crate::{Error, Outcome, tell};
use ::export::specification::sql::Engine;
use ::export::specification::{self as targets, Written};
use exchange::{Limits, Profile, Records};
use project::exchange::{specification, to_fret, to_records};
use project::{Analysis, Cache, Project};
use requirement::specification::Component;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file and what to say about it.
#[derive(Default)]
pub(super) struct Made {
    pub(super) bytes: Vec<u8>,
    pub(super) renamed: Vec<Renamed>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) warnings: Vec<Warning>,
    pub(super) unwritten: Vec<Unwritten>,
}

/// The exported file. Without `-o` the file itself is written to standard output.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Exported<'c> {
    /// The file.
    file: &'c Path,
    /// Names that had to change.
    renamed: Vec<Renamed>,
    /// Requirements that are not in the file.
    left_out: Vec<LeftOut>,
    /// Requirements that are in the file, and that the other tool misjudges.
    warnings: Vec<Warning>,
    /// Parts of requirements that a sheet or ReqIF document has no column for.
    unwritten: Vec<Unwritten>,
}

/// A part of requirements that the file has no column for.
#[derive(Serialize, JsonSchema)]
pub(super) struct Unwritten {
    /// The name of the role or attribute.
    part: String,
    /// The column that would take it.
    column: String,
    /// The ids of the requirements.
    requirements: Vec<String>,
}

/// A name that had to change.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Renamed {
    /// The name in the project.
    pub(super) from: String,
    /// The name in the file.
    pub(super) to: String,
}

/// A requirement to be careful with.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Warning {
    /// The id of the requirement.
    pub(super) id: String,
    /// What is wrong.
    pub(super) reason: String,
}

impl Made {
    /// Tells what is left out and what to be careful with.
    pub(super) fn tell(&self) {
        for LeftOut { id, reason } in &self.left_out {
            tell(format_args!("warning: `{}` is left out: {}", visible(id), visible(reason)));
        }
        for Warning { id, reason } in &self.warnings {
            tell(format_args!("warning: `{}` {}", visible(id), visible(reason)));
        }
    }
}

pub(crate) fn run(command: &Export, output: Output) -> Result<Outcome, Error> {
    let file = command.file.as_deref().unwrap_or(Path::new("-"));
    let opened = || {
        let workspace = Workspace::open(&command.project)?;
        let analysis = workspace.project.analyse(&mut Cache::default());
        Ok::<_, Error>((workspace, analysis))
    };
    let made = match command.target {
        Target::FretJson => fret(command)?,
        Target::Csv | Target::Xlsx | Target::Reqif => {
            let (workspace, analysis) = opened()?;
            sheet(command, &workspace, &analysis, file)?
        }
        Target::Smv | Target::Cocospec | Target::Ogma | Target::Copilot | Target::C2po | Target::Json => {
            let (workspace, analysis) = opened()?;
            let chosen = Chosen::of(&workspace.project, &analysis, command.component.as_deref())?;
            let target = formula_target(command.target).unwrap_or(targets::Target::Json);
            let form = match command.form {
                Form::Past => targets::Form::Past,
                Form::Future => targets::Form::FutureFinite,
                Form::FutureInfinite => targets::Form::FutureInfinite,
            };
            chosen.formulas(target, &targets::Options { form, modes: command.modes })?
        }
        Target::Sql => {
            let (workspace, analysis) = opened()?;
            Chosen::of(&workspace.project, &analysis, command.component.as_deref())?.sql(&command.sql)
        }
    };
    made.tell();
    for Unwritten { part, column, requirements } in &made.unwritten {
        let shown: Vec<String> = requirements.iter().take(3).map(|id| format!("`{}`", visible(id))).collect();
        let more = requirements.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let (part, column) = (visible(part), visible(column));
        let message = format!("the {part} of {}{more} is not written", shown.join(", "));
        tell(format_args!(
            "warning: {message}: the file has no column for it; add a column `{column}` to it"
        ));
    }
    let is_whole = made.left_out.is_empty() && made.unwritten.is_empty();
    let outcome = if is_whole { Outcome::Fine } else { Outcome::Findings };
    write_file(file, &made.bytes)?;
    if !is_standard(file) {
        let Made { renamed, left_out, warnings, unwritten, .. } = made;
        output.show(String::new, || Exported { file, renamed, left_out, warnings, unwritten })?;
    }
    Ok(outcome)
}

/// A file of FRET: one project, or all of a folder of projects.
fn fret(command: &Export) -> Result<Made, Error> {
    let one = |workspace: &Workspace| {
        let sidecar = kept(&workspace.root, workspace.project.config.fret.as_ref())?;
        let analysis = workspace.project.analyse(&mut Cache::default());
        Ok::<_, Error>(to_fret(&workspace.project, &analysis, sidecar.as_ref()))
    };
    let project = match ProjectSet::open(&command.project)? {
        None => one(&Workspace::open(&command.project)?)?,
        Some(ProjectSet { root, fret, projects, .. }) => {
            let weave = kept(&root, fret.as_ref())?.unwrap_or_default();
            let projects = projects.into_iter().map(|(name, folder)| {
                let folder = root.join(folder);
                if !folder.join(FILE).is_file() {
                    return Err(Error::file(&folder, format_args!("the project `{name}` is not there")));
                }
                Ok((name, one(&Workspace::open(&folder)?)?))
            });
            exchange::fret::join(&weave, projects.collect::<Result<_, Error>>()?)
        }
    };
    Ok(Made { bytes: exchange::fret::write(&project).into_bytes(), ..Made::default() })
}

/// What is kept in a file beside the project file.
fn kept(root: &Path, name: Option<&String>) -> Result<Option<Json>, Error> {
    let Some(path) = name.map(|name| root.join(name)) else { return Ok(None) };
    serde_json::from_slice(&read_bytes(&path)?).map(Some).map_err(Error::about(&path))
}

/// A sheet: a new one, or the one that exists with the rows that changed.
fn sheet(command: &Export, workspace: &Workspace, analysis: &Analysis, file: &Path) -> Result<Made, Error> {
    let config = &workspace.project.config;
    let roles = roles(Some(&config.profile), &command.profile)?;
    let profile = Profile::from_map(&roles).map_err(Error::refused)?;
    let limits = Limits::default();
    let mut missed = Vec::new();
    let mut wanted = |file: Option<&Records>| {
        let (records, unwritten) = to_records(&workspace.project, analysis, file, &profile);
        missed = unwritten;
        records
    };
    let bytes = match file.is_file() {
        true => update(command.target, &read_bytes(file)?, &profile, limits, |file| wanted(Some(file)))
            .map_err(Error::about(file))?,
        false => {
            let records = wanted(None);
            let zipped = file.extension().is_some_and(|end| end == "reqifz");
            let title = config.name.clone().unwrap_or_else(|| "Requirements".into());
            let head = exchange::reqif::Head { title, ..exchange::reqif::Head::default() };
            match command.target {
                Target::Csv => Ok(exchange::csv::write(&records)),
                Target::Xlsx => exchange::xlsx::write(&records),
                _ => exchange::reqif::write(&hierarchical(records, &profile), &profile, &head).and_then(
                    |document| if zipped { exchange::reqif::archived(document) } else { Ok(document) },
                ),
            }
            .map_err(Error::refused)?
        }
    };
    let unwritten =
        missed.into_iter().map(|it| Unwritten { part: it.part, column: it.column, requirements: it.ids });
    Ok(Made { bytes, unwritten: unwritten.collect(), ..Made::default() })
}

/// The hierarchy of a ReqIF document allows one parent, which must be in the document; other parents become an attribute.
fn hierarchical(mut records: Records, profile: &Profile) -> Records {
    if let Some(column) = profile.column(exchange::Role::Parent, &records.columns) {
        let known: BTreeSet<&str> = records.records.iter().map(|record| record.id.as_str()).collect();
        let parents = records.records.iter().filter_map(|record| record.fields.get(column)?.as_deref());
        if !parents.filter(|parent| !parent.is_empty()).all(|parent| known.contains(parent)) {
            records.columns[column] = "traces to".into();
        }
    }
    records
}

fn update(
    target: Target,
    bytes: &[u8],
    profile: &Profile,
    limits: Limits,
    mut wanted: impl FnMut(&Records) -> Records,
) -> Result<Vec<u8>, exchange::FileError> {
    match target {
        Target::Csv => {
            let old = exchange::csv::read(bytes, profile, limits)?;
            exchange::csv::update(bytes, profile, &old.changes_to(&wanted(&old)), limits)
        }
        Target::Xlsx => {
            let old = exchange::xlsx::read(bytes, profile, limits)?;
            exchange::xlsx::update(bytes, profile, &old.changes_to(&wanted(&old)), limits)
        }
        _ => {
            let old = exchange::reqif::read(bytes, profile, limits)?;
            exchange::reqif::update(bytes, profile, &old.changes_to(&wanted(&old)), limits)
        }
    }
}

/// The requirements that are written.
pub(super) struct Chosen {
    pub(super) store: logic::Store,
    pub(super) components: Vec<Component>,
    pub(super) left_out: Vec<LeftOut>,
    /// The columns of recorded traces that the project reads variables from.
    pub(super) columns: BTreeMap<String, String>,
}

impl Chosen {
    /// Forgets the definitions of variables that a trace has: a recorded value is what happened, whatever its definition says.
    pub(super) fn recorded(&mut self, is_recorded: impl Fn(&str) -> bool) {
        for variable in self.components.iter_mut().flat_map(|component| &mut component.variables) {
            variable.definition = variable.definition.take().filter(|_| !is_recorded(&variable.name));
        }
    }

    /// All requirements of a project, or those of one component.
    pub(super) fn of(
        project: &Project,
        analysis: &Analysis,
        component: Option<&str>,
    ) -> Result<Chosen, Error> {
        let mut store = logic::Store::default();
        let (mut components, mut left_out) = specification(project, analysis, &mut store);
        if let Some(name) = component {
            if !components.iter().any(|component| component.name == name) {
                let known: Vec<&str> = components.iter().map(|component| component.name.as_str()).collect();
                return Err(no_component(name, &known));
            }
            components.retain(|component| component.name == name);
            let others = |left: &project::exchange::LeftOut| {
                left.component.as_ref().is_none_or(|component| component == name)
            };
            left_out.retain(others);
        }
        let left_out = left_out.into_iter().map(|it| LeftOut { id: it.id, reason: it.reason }).collect();
        Ok(Chosen { store, components, left_out, columns: project.config.columns.clone() })
    }

    /// The file of a target.
    pub(super) fn formulas(
        mut self,
        target: targets::Target,
        options: &targets::Options,
    ) -> Result<Made, Error> {
        let Written { text, renamed, left_out, warnings } =
            targets::write(&mut self.store, &self.components, target, options).map_err(Error::refused)?;
        let warnings =
            warnings.into_iter().map(|it| Warning { id: it.id, reason: it.reason.to_owned() }).collect();
        Ok(Made { renamed: changed(renamed), warnings, ..self.made(text, left_out) })
    }

    /// One statement of SQL.
    pub(super) fn sql(mut self, sql: &Sql) -> Made {
        let engine = engine(sql.dialect);
        let Sql { table, run, order, .. } = sql;
        let options =
            targets::sql::Options { engine, table: table.clone(), run: run.clone(), order: order.clone() };
        let targets::sql::Query { text, left_out, rounded, .. } =
            targets::sql::write(&mut self.store, &self.components, &options);
        let warnings = rounded.into_iter().map(|id| Warning { id, reason: ROUNDED.to_owned() }).collect();
        Made { warnings, ..self.made(text, left_out) }
    }

    /// A text, with all that is left out.
    pub(super) fn made(self, text: String, unable: Vec<targets::LeftOut>) -> Made {
        let unable = unable.into_iter().map(|it| LeftOut { id: it.id, reason: it.reason });
        let left_out = self.left_out.into_iter().chain(unable).collect();
        Made { bytes: text.into_bytes(), left_out, ..Made::default() }
    }
}

/// The engine of a dialect.
pub(super) fn engine(dialect: Dialect) -> Engine {
    match dialect {
        Dialect::Duckdb => Engine::DuckDb,
        Dialect::Spark => Engine::Spark,
        Dialect::Trino => Engine::Trino,
        Dialect::Bigquery => Engine::BigQuery,
        Dialect::Datafusion => Engine::DataFusion,
        Dialect::Postgres => Engine::Postgres,
        Dialect::Sqlite => Engine::Sqlite,
    }
}

/// What to know about a requirement that computes with floating-point numbers.
pub(super) const ROUNDED: &str = "depends on floating-point numbers that are rounded";

/// The names that had to change.
pub(super) fn changed(renamed: Vec<targets::names::Renamed>) -> Vec<Renamed> {
    renamed.into_iter().map(|it| Renamed { from: it.original, to: it.emitted }).collect()
}

/// The writer of a target that gets formulas.
pub(super) fn formula_target(target: Target) -> Option<targets::Target> {
    match target {
        Target::FretJson | Target::Csv | Target::Xlsx | Target::Reqif | Target::Sql => None,
        Target::Smv => Some(targets::Target::Smv),
        Target::Cocospec => Some(targets::Target::CoCoSpec),
        Target::Ogma => Some(targets::Target::Ogma),
        Target::Copilot => Some(targets::Target::Copilot),
        Target::C2po => Some(targets::Target::C2po),
        Target::Json => Some(targets::Target::Json),
    }
}

/// A component that the project does not have.
pub(super) fn no_component(name: &str, known: &[&str]) -> Error {
    let hint = match (syntax::nearest(name, known.iter().copied()), known) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => "it has none".to_string(),
        (None, known) => format!("it has {}", known.join(", ")),
    };
    Error::Usage(format!("the project has no component `{name}`; {hint}"))
}
