//! `shall model lustre`: a model as a Lustre program, with the requirements of a component as an imported contract.

use super::Made;
use super::part::Part;
use crate::Error;
use crate::cli::model::Lustre;
use crate::commands::export::no_component;
use crate::files::{is_standard, write_file};
use crate::json::LeftOut;
use crate::render::visible;
use crate::tell;
use crate::workspace::Workspace;
use export::specification::{self as targets, Target};
use export::system::{Attached, Parts, Text, lustre, lustre_in_parts};
use project::mapping::Signal;
use project::mapping::map;
use project::mapping::requests;
use project::monitors::requests_are_known;
use project::{Cache, component::Symbol, exchange::specification};
use serde_json::json;
use simulink::attach::converted;
use std::path::Path;
use system::{System, Type};

pub(super) fn run(command: &Lustre) -> Result<Made, Error> {
    let mut part = Part::open(&command.model)?;
    let node = part.path.rsplit('/').next().unwrap_or(&part.path).to_owned();
    let (mut left_out, mut mapped) = (Vec::new(), Vec::new());
    let text = match (&command.requirements, &command.component) {
        (Some(project), Some(component)) => {
            let contract = contract(project, component)?;
            let signals = part.signals();
            mapped = contract.mapped(component, command, &signals)?;
            let mut system = part.system.clone();
            let attached = contract.attached(&mut system, &node, &mapped)?;
            part.system = system;
            left_out = contract.left_out;
            written(&part, &node, &[attached])?
        }
        _ => written(&part, &node, &[])?,
    };
    let place = |name: &str| format!("{}/{name}", part.path);
    let names =
        text.names.iter().map(|(lustre, name)| json!({"lustre": lustre, "name": name, "path": place(name)}));
    let variables = mapped
        .iter()
        .map(|(variable, signal)| json!({"variable": variable, "name": signal, "path": place(signal)}));
    let trace = json!({
        "model": part.diagram.name,
        "system": part.path,
        "component": command.component,
        "names": names.collect::<Vec<_>>(),
        "variables": variables.collect::<Vec<_>>(),
    });
    write_file(&command.into, text.text)?;
    let mut files = vec![command.into.clone()];
    if !is_standard(&command.into) {
        let beside = command.into.with_extension("trace.json");
        write_file(&beside, format!("{trace:#}\n"))?;
        files.push(beside);
    }
    Ok(Made { files, left_out })
}

/// The program; each subsystem is a node.
fn written(part: &Part, node: &str, contracts: &[Attached]) -> Result<Text, Error> {
    let is_alias = |signal: &str| part.carriers.contains(block_of(signal));
    let parts = Parts { paths: part.subsystems.clone(), is_alias: &is_alias };
    lustre_in_parts(&part.system, node, contracts, &parts).map_err(Error::refused)
}

/// The block of a signal: without the number of its output and of its element.
fn block_of(signal: &str) -> &str {
    let without = |text, sign: char| match str::rsplit_once(text, sign) {
        Some((block, number)) if number.chars().all(|it| it.is_ascii_digit()) => block,
        _ => text,
    };
    without(without(signal, '_'), ':')
}

/// A contract as it is exported, with the head of its declaration.
struct Contract {
    workspace: Workspace,
    analysis: project::Analysis,
    text: String,
    name: String,
    /// The variable and the type of each input and output.
    inputs: Vec<(String, String)>,
    outputs: Vec<(String, String)>,
    left_out: Vec<LeftOut>,
}

/// The contract of a component.
fn contract(project: &Path, component: &str) -> Result<Contract, Error> {
    let workspace = Workspace::open(project)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let mut store = logic::Store::default();
    let (mut components, unread) = specification(&workspace.project, &analysis, &mut store);
    if components.iter().all(|it| it.name != component) {
        let known: Vec<&str> = components.iter().map(|it| it.name.as_str()).collect();
        return Err(no_component(component, &known));
    }
    components.retain(|it| it.name == component);
    let made = targets::write(&mut store, &components, Target::CoCoSpec, &targets::Options::default());
    let made = made.map_err(Error::refused)?;
    let unread = unread.iter().filter(|it| it.component.as_deref().is_none_or(|other| other == component));
    let left_out = unread
        .map(|it| LeftOut { id: it.id.clone(), reason: it.reason.clone() })
        .chain(made.left_out.iter().map(|it| LeftOut { id: it.id.clone(), reason: it.reason.clone() }))
        .collect();
    let original = |emitted: &str| {
        let own = made.renamed.iter().find(|it| it.emitted == emitted && it.component.is_some());
        own.map_or(emitted, |it| it.original.as_str()).to_owned()
    };
    let head = made.text.lines().find_map(|line| line.strip_prefix("contract "));
    let parts = head.and_then(|head| {
        let (name, rest) = head.split_once('(')?;
        let (inputs, rest) = rest.split_once(") returns (")?;
        Some((name.trim(), inputs, rest.split_once(')')?.0))
    });
    let (name, inputs, outputs) = parts.ok_or_else(|| {
        Error::Refused(format!(
            "`{component}` has no requirement that a contract can express, so there is no contract"
        ))
    })?;
    let declared = |list: &str| -> Vec<(String, String)> {
        let pairs = list.split(';').filter_map(|it| it.split_once(':'));
        pairs.map(|(name, ty)| (original(name.trim()), ty.trim().to_owned())).collect()
    };
    let (inputs, outputs, name) = (declared(inputs), declared(outputs), name.to_owned());
    Ok(Contract { workspace, analysis, text: made.text, name, inputs, outputs, left_out })
}

impl Contract {
    /// Each variable of the contract with its signal.
    fn mapped(
        &self,
        component: &str,
        command: &Lustre,
        signals: &[Signal],
    ) -> Result<Vec<(String, String)>, Error> {
        let project = &self.workspace.project;
        let missing = || Error::Internal("the component of the contract is missing".into());
        let found = self.analysis.components.get(component).ok_or_else(missing)?;
        let variables = self.inputs.iter().chain(&self.outputs);
        let symbols: Vec<&Symbol> = variables.filter_map(|(name, _)| found.symbol(name)).collect();
        let requests = requests(project, component, &command.map);
        requests_are_known(found, &requests).map_err(Error::refused)?;
        let (mapped, findings) = map(project, found, &symbols, signals, &requests);
        for finding in &findings {
            tell(format_args!("{}", visible(&finding.diagnostic.message)));
            tell(format_args!("  hint: {}", visible(&finding.diagnostic.hint)));
        }
        let pairs: Vec<(String, String)> =
            mapped.iter().map(|it| (it.symbol.variable.name.clone(), it.signal.path.clone())).collect();
        match self.inputs.iter().chain(&self.outputs).find(|(name, _)| pairs.iter().all(|it| it.0 != *name)) {
            None => Ok(pairs),
            Some((name, _)) => {
                Err(Error::Refused(format!("`{name}` of the contract is not a signal of the model")))
            }
        }
    }

    /// The contract over the signals, converted where types differ.
    fn attached(
        &self,
        system: &mut System,
        node: &str,
        mapped: &[(String, String)],
    ) -> Result<Attached, Error> {
        let signal = |variable: &str| mapped.iter().find(|it| it.0 == variable).map(|it| it.1.clone());
        let other_type = |variable: &str, ty: &str, signal: &str| {
            Error::Refused(format!("`{variable}` is {ty}, but `{signal}` is not"))
        };
        let mut outputs = Vec::new();
        for (variable, ty) in &self.outputs {
            let signal = signal(variable).unwrap_or_default();
            let own = system.named(&signal);
            let own = own.ok_or_else(|| Error::Refused(format!("there is no signal `{signal}`")))?;
            let wanted = wanted(ty, system.pool.type_of(own));
            let value = converted(&mut system.pool, own, wanted);
            let value = value.ok_or_else(|| other_type(variable, ty, &signal))?;
            if value == own {
                outputs.push(signal);
                continue;
            }
            let name = system.fresh_name(&format!("{signal}_{ty}"));
            system.add_output(&name, value);
            outputs.push(name);
        }
        let plain: Vec<String> = self.inputs.iter().filter_map(|(variable, _)| signal(variable)).collect();
        let contract = Attached { text: self.text.clone(), name: self.name.clone(), inputs: plain, outputs };
        // Names do not depend on conversions, and conversions need the names.
        let names = lustre(system, node, std::slice::from_ref(&contract)).map_err(Error::refused)?.names;
        let mut inputs = Vec::new();
        for ((variable, ty), signal) in self.inputs.iter().zip(&contract.inputs) {
            let own = system.named(signal).map(|it| system.pool.type_of(it)).unwrap_or(Type::Bool);
            let name = names.iter().find(|(_, name)| name == signal).map_or(signal, |(name, _)| name);
            inputs.push(match (own, wanted(ty, own)) {
                (own, wanted) if own == wanted => signal.clone(),
                (Type::Machine(_) | Type::Real, Type::Int) => format!("(int {name})"),
                (Type::Int, Type::Real) => format!("(real {name})"),
                (Type::Machine(_), Type::Real) => format!("(real (int {name}))"),
                (Type::Bool, Type::Int) => format!("(if {name} then 1 else 0)"),
                (Type::Bool, Type::Real) => format!("(if {name} then 1.0 else 0.0)"),
                (Type::Int, Type::Bool) => format!("({name} <> 0)"),
                (Type::Real, Type::Bool) => format!("({name} <> 0.0)"),
                (Type::Machine(_), Type::Bool) => format!("((int {name}) <> 0)"),
                _ => return Err(other_type(variable, ty, signal)),
            });
        }
        Ok(Attached { inputs, ..contract })
    }
}

/// The type that a contract names; an enumeration must be that of the model.
fn wanted(name: &str, own: Type) -> Type {
    match name {
        "bool" => Type::Bool,
        "int" => Type::Int,
        "real" => Type::Real,
        _ => own,
    }
}
