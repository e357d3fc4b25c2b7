//! `shall model observer`: the requirements of a component as blocks that observe them.

use super::Made;
use super::part::Part;
use crate::Error;
use crate::cli::model::{ModelPart, Observer};
use crate::commands::export::no_component;
use crate::files::write_file;
use crate::json::LeftOut;
use crate::render::visible;
use crate::tell;
use crate::workspace::Workspace;
use project::component::{Component, Symbol};
use project::mapping::{Direction, Signal, map, requests};
use project::monitors::{Question, attach};
use project::{Cache, Finding};
use requirement::specification::{Kind, Type};
use simulink::attach::Wire;
use simulink::observer::{insert, observer};
use system::System;

pub(super) fn run(command: &Observer) -> Result<Made, Error> {
    let workspace = Workspace::open(&command.project)?;
    let project = &workspace.project;
    let analysis = project.analyse(&mut Cache::default());
    let component = analysis.components.get(&command.component).ok_or_else(|| {
        let known: Vec<&str> = analysis.components.iter().map(|it| it.name.as_str()).collect();
        no_component(&command.component, &known)
    })?;
    let (mut system, signals) = free(component);
    let reading = requirement::Reading::AnyEnd;
    let question = Question { component: &command.component, only: &command.only, requests: &[], reading };
    let monitors = attach(project, &analysis, question, &mut system, &signals).map_err(Error::refused)?;
    if monitors.list.is_empty() {
        return Err(Error::Refused(match monitors.refused.first() {
            Some(it) => format!("no requirement can be observed; {}: {}", it.id, it.reason),
            None => "there is no requirement that can be observed".into(),
        }));
    }
    let properties: Vec<usize> = (0..system.properties.len()).collect();
    let system = system.slice(&properties);
    let diagram = match &command.model {
        None => {
            let step = project.config.step.as_ref().map_or(1.0, |step| step.seconds().to_f64().value());
            let name = command.into.file_stem().map(|it| it.to_string_lossy().into_owned());
            observer(&system, &name.unwrap_or_default(), step).map_err(Error::refused)?
        }
        Some(file) => {
            let (data, abstracted) = (command.data.clone(), Vec::new());
            let wanted = ModelPart { file: file.clone(), node: None, data, abstracted };
            let mut part = Part::open(&wanted)?;
            if !part.diagram.charts.is_empty() {
                return Err(Error::file(
                    file,
                    "Stateflow charts cannot be written, so the model cannot be extended",
                ));
            }
            let signals = part.signals();
            let used = system.inputs.iter().map(|var| &system.variables[var.index()].name);
            let used: Vec<&Symbol> = used.filter_map(|name| component.symbol(name)).collect();
            let requests = requests(project, &component.name, &command.map);
            let (mapped, findings) = map(project, component, &used, &signals, &requests);
            findings.iter().for_each(told);
            let wire = |variable: &str, path: &str| Wire {
                variable: variable.into(),
                path: path.into(),
                index: None,
            };
            let wires: Vec<Wire> =
                mapped.iter().map(|it| wire(&it.symbol.variable.name, &it.signal.path)).collect();
            let path = insert(&mut part.diagram, &system, part.step, &wires).map_err(Error::refused)?;
            tell(format_args!("the observer is `{}`", visible(&path)));
            part.diagram
        }
    };
    write_file(&command.into, simulink::write(&diagram))?;
    let left_out = monitors.refused.into_iter().map(|it| LeftOut { id: it.id, reason: it.reason }).collect();
    Ok(Made { files: vec![command.into.clone()], left_out })
}

fn told(finding: &Finding) {
    tell(format_args!("{}", visible(&finding.diagnostic.message)));
    tell(format_args!("  hint: {}", visible(&finding.diagnostic.hint)));
}

/// A system in which every variable that has no definition is an input, and these as signals.
fn free(component: &Component) -> (System, Vec<Signal>) {
    let (mut system, mut signals) = (System::default(), Vec::new());
    for symbol in &component.variables {
        let variable = &symbol.variable;
        let direction = match variable.kind {
            Kind::Input => Direction::Input,
            Kind::Output => Direction::Output,
            Kind::Internal | Kind::Mode if variable.definition.is_none() => Direction::Local,
            Kind::Internal | Kind::Mode | Kind::Constant | Kind::Function => continue,
        };
        let ty = match &variable.ty {
            Type::Bool => system::Type::Bool,
            Type::Int(_) => system::Type::Int,
            Type::Real(_) => system::Type::Real,
            Type::Enum(values) => system::Type::Enum(system.pool.declare_enum(&variable.name, values)),
        };
        system.add_input(&variable.name, ty);
        signals.push(Signal {
            name: variable.name.clone(),
            path: variable.name.clone(),
            ty: variable.ty.clone(),
            direction,
            width: 1,
        });
    }
    (system, signals)
}
