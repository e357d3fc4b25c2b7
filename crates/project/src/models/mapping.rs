//! Which signal of a model each variable of a component is.
//!
//! What is said explicitly counts: on the command line, then in the project file. Otherwise a signal has the variable's name, or one
//! that differs in case, in signs between letters and a trailing `_1` alone. A model is a list of [`Signal`]s here, whatever its language is.

use crate::component::{Component, Symbol};
use crate::finding::Finding;
use crate::project::{Analysis, Project};
use diagnostics::Code;
use diagnostics::Diagnostic;
use diagnostics::Span;
use logic::RBig;
use lustre::Node;
use requirement::specification::Kind;
use requirement::specification::Range;
use requirement::specification::Type;
use syntax::nearest;
use system::Pool;
use system::System;
use system::Type as Sort;

diagnostics::codes! {
    UNKNOWN_SIGNAL "E0519" "The model has no signal for a variable.",
        "A requirement can be checked against a model only if each of its variables is a signal of the model.",
        "| level | input | real |\n\nnode tank(fill: real) …" => "[model.Tank]\nmap = { level = \"fill\" }";
    SIGNAL_TYPE "E0520" "A variable and its signal have different types.",
        "Comparing a Boolean with a number, or with a value of another enumeration, says nothing about the model.",
        "| level | input | real |\n\nnode tank(level: bool) …" => "| level | input | bool |";
    UNKNOWN_MAPPED "E0521" "The project file names a component or variable that does not exist.",
        "A line of the project file with a typo in a name has no effect, and nobody would notice.",
        "[model.pump]\nmap = { levle = \"fill\" }\n\nwhen level > 3 the pump shall immediately satisfy on"
            => "[model.pump]\nmap = { level = \"fill\" }\n\nwhen level > 3 the pump shall immediately satisfy on";
    SIGNAL_DIRECTION "W0509" "A variable and its signal have different directions.",
        "In the requirements the environment decides the value, and in the model the model does, or the other way round. One \
         of the two is a mistake.",
        "| level | input | real |\n\nnode tank(fill: real) returns (level: real); …" => "| level | output | real |";
}

/// A signal of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// Its own name.
    pub name: String,
    /// Where it is in the model, which no other signal has.
    pub path: String,
    /// Its values.
    pub ty: Type,
    /// Who decides it.
    pub direction: Direction,
    /// How many values it has at a step.
    pub width: usize,
}

/// Who decides a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The environment.
    Input,
    /// The model, for others to see.
    Output,
    /// The model, for itself.
    Local,
}

/// What is said about a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The variable.
    pub variable: String,
    /// The name or path of its signal.
    pub signal: String,
    /// Where the project file says so, variable and signal; otherwise the command line does.
    pub places: Option<[Span; 2]>,
}

/// A variable with its signal.
#[derive(Debug, Clone, Copy)]
pub struct Mapped<'a> {
    /// The variable.
    pub symbol: &'a Symbol,
    /// The signal.
    pub signal: &'a Signal,
}

/// What the project file and the command line say about a component; the command line comes first, and counts.
pub fn requests(project: &Project, component: &str, said: &[(String, String)]) -> Vec<Request> {
    let said = said.iter().map(|(variable, signal)| Request {
        variable: variable.clone(),
        signal: signal.clone(),
        places: None,
    });
    let written = project.config.models.get(component).map_or(&[][..], |model| &model.map);
    let written = written.iter().map(|pair| Request {
        variable: pair.variable.clone(),
        signal: pair.signal.clone(),
        places: Some([pair.variable_at, pair.signal_at]),
    });
    said.chain(written).collect()
}

/// What the project file says about components and variables that do not exist: of all models, or of that of one component.
pub(crate) fn check(project: &Project, analysis: &Analysis, only: Option<&str>, findings: &mut Vec<Finding>) {
    let models = project.config.models.iter().filter(|(name, _)| only.is_none_or(|only| only == *name));
    for (name, model) in models {
        let component = analysis.components.get(name);
        for pair in &model.map {
            let message = match component {
                None => format!("there is no component `{name}`"),
                Some(component) if component.symbol(&pair.variable).is_none() => {
                    format!("`{name}` has no variable `{}`", pair.variable)
                }
                Some(_) => continue,
            };
            let known = component.map_or(Vec::new(), |it| it.variables.iter().collect());
            let near = nearest(&pair.variable, known.iter().map(|it| it.variable.name.as_str()));
            let near = match component {
                Some(_) => near,
                None => nearest(name, analysis.components.iter().map(|it| it.name.as_str())),
            };
            let hint = near.map_or("remove the line".to_owned(), |near| format!("did you mean `{near}`?"));
            findings.push(Finding::in_config(Diagnostic::new(
                UNKNOWN_MAPPED,
                pair.variable_at,
                message,
                hint,
            )));
        }
    }
}

/// The signals of variables, and what is wrong. A variable that has no signal, or one of another type, is not among them.
pub fn map<'a>(
    project: &Project,
    component: &Component,
    variables: &[&'a Symbol],
    signals: &'a [Signal],
    requests: &[Request],
) -> (Vec<Mapped<'a>>, Vec<Finding>) {
    let (mut mapped, mut findings) = (Vec::new(), Vec::new());
    for symbol in variables {
        let request = requests.iter().find(|request| request.variable == symbol.variable.name);
        let found = match request {
            Some(request) => said(signals, &request.signal),
            None => alike(signals, &symbol.variable.name),
        };
        let place = request.and_then(|request| request.places).map(|[_, signal]| signal);
        let mut report = |code: Code, message: String, hint: String| {
            let diagnostic = Diagnostic::new(code, Span::new(0, 0), message, hint);
            findings.push(located(project, symbol, place, diagnostic));
        };
        let signal = match found {
            Ok(signal) => signal,
            Err(Missing { message, hint }) => {
                report(UNKNOWN_SIGNAL, format!("`{}`: {message}", symbol.variable.name), hint);
                continue;
            }
        };
        if let Some(why) = misfit(symbol, signal) {
            let message = format!("`{}` cannot be the signal `{}`: {why}", symbol.variable.name, signal.path);
            let hint = format!("map it to another signal: `--map {}=SIGNAL`", symbol.variable.name);
            report(SIGNAL_TYPE, message, hint);
            continue;
        }
        if let Some(message) = against(symbol, signal) {
            let hint = format!("change its kind in `{}`, or map it to another signal", component.name);
            report(SIGNAL_DIRECTION, message, hint);
        }
        mapped.push(Mapped { symbol, signal });
    }
    (mapped, findings)
}

struct Missing {
    message: String,
    hint: String,
}

/// The signal of a path or name.
fn said<'a>(signals: &'a [Signal], wanted: &str) -> Result<&'a Signal, Missing> {
    let named: Vec<&Signal> = match signals.iter().find(|it| it.path == wanted) {
        Some(signal) => vec![signal],
        None => signals.iter().filter(|it| it.name == wanted).collect(),
    };
    if named.is_empty() {
        let message = format!("the model has no signal `{wanted}`");
        return Err(Missing { message, hint: near(signals, wanted) });
    }
    one(&named)
}

/// The signal that has a variable's name, or almost. What others see comes before what the model keeps to itself.
fn alike<'a>(signals: &'a [Signal], name: &str) -> Result<&'a Signal, Missing> {
    let plain = normal(name);
    let same = |signal: &&Signal| signal.name == name;
    let close = |signal: &&Signal| normal(&signal.name) == plain;
    let tests: [&dyn Fn(&&'a Signal) -> bool; 2] = [&same, &close];
    for fits in tests {
        let (open, local): (Vec<&Signal>, Vec<&Signal>) =
            signals.iter().filter(fits).partition(|it| it.direction != Direction::Local);
        let found = if open.is_empty() { local } else { open };
        if !found.is_empty() {
            return one(&found);
        }
    }
    Err(Missing {
        message: "the model has no signal with this name".into(),
        hint: format!("{}; choose one with `--map {name}=SIGNAL`", near(signals, name)),
    })
}

fn one<'a>(found: &[&'a Signal]) -> Result<&'a Signal, Missing> {
    if let [signal] = found {
        return Ok(signal);
    }
    let paths: Vec<String> = found.iter().take(SHOWN).map(|it| format!("`{}`", it.path)).collect();
    Err(Missing {
        message: format!("{} signals have this name", found.len()),
        hint: format!("map it to one of {}", paths.join(", ")),
    })
}

/// How many signals a hint lists.
const SHOWN: usize = 8;

/// A hint with the nearest names, or with all if none is near.
fn near(signals: &[Signal], wanted: &str) -> String {
    let plain = normal(wanted);
    let names = signals.iter().map(|it| it.name.as_str());
    if let Some(near) = nearest(wanted, names.clone()) {
        return format!("did you mean `{near}`?");
    }
    let similar = |name: &&str| {
        let name = normal(name);
        !plain.is_empty() && !name.is_empty() && (name.contains(&plain) || plain.contains(&name))
    };
    let mut listed: Vec<&str> = names.clone().filter(similar).take(SHOWN).collect();
    if listed.is_empty() {
        let open = signals.iter().filter(|it| it.direction != Direction::Local);
        listed = open.map(|it| it.name.as_str()).take(SHOWN).collect();
    }
    format!("its signals are {}", listed.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", "))
}

/// A name without case, underscores, and the number that tools add to the name of a port.
fn normal(name: &str) -> String {
    let name = name.strip_suffix("_1").unwrap_or(name);
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Why the values of a signal cannot be those of a variable, if they cannot.
fn misfit(symbol: &Symbol, signal: &Signal) -> Option<String> {
    if signal.width != 1 {
        return Some(format!("it has {} values at each step", signal.width));
    }
    let variable = &symbol.variable.ty;
    let differ = || Some(format!("the signal is `{}`, but the variable is `{variable}`", signal.ty));
    match (variable, &signal.ty) {
        // What nobody declared is compared where it is used.
        _ if symbol.type_inferred => None,
        (Type::Bool, Type::Bool) => None,
        (Type::Int(_) | Type::Real(_), Type::Int(_) | Type::Real(_)) => None,
        (Type::Enum(values), Type::Enum(known)) => {
            let missing = values.iter().find(|value| !known.contains(value))?;
            Some(format!("it has no value `{missing}`"))
        }
        (Type::Bool | Type::Int(_) | Type::Real(_) | Type::Enum(_), _) => differ(),
    }
}

/// Whether variable and signal are decided by opposite sides, in words.
fn against(symbol: &Symbol, signal: &Signal) -> Option<String> {
    let name = &symbol.variable.name;
    match (symbol.variable.kind, signal.direction) {
        _ if symbol.kind_inferred => None,
        (Kind::Input, Direction::Output) => {
            Some(format!("`{name}` is an input, but the model decides `{}`", signal.path))
        }
        (Kind::Output, Direction::Input) => {
            Some(format!("`{name}` is an output, but `{}` is an input of the model", signal.path))
        }
        _ => None,
    }
}

/// A finding where a signal is said, or where the variable is declared or first used.
fn located(project: &Project, symbol: &Symbol, said: Option<Span>, diagnostic: Diagnostic) -> Finding {
    let at = |span: Span| Diagnostic { span, ..diagnostic.clone() };
    if let Some(span) = said {
        return Finding::in_config(at(span));
    }
    if let Some(place) = symbol.declaration {
        let name = &project.documents[place.document].tables[place.table].rows[place.row].declaration.name;
        return Finding::new(place.document, at(name.span));
    }
    let Some(used) = symbol.uses.first() else { return Finding::in_config(diagnostic) };
    let span = Analysis::in_document(project, used.place, used.span);
    let requirement = Some(project.entry(used.place).id.text.clone());
    Finding { requirement, ..Finding::new(used.place.document, at(span)) }
}

/// The signals of a node of a Lustre program: its own inputs, outputs and local variables, and those of its callees.
pub fn lustre_signals(system: &System, node: &Node) -> Vec<Signal> {
    // The parts of a record, an array or a set belong to their variable.
    let is_part = |name: &str, of: &String| {
        name.strip_prefix(of.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '{']))
    };
    let direction = |name: &str| {
        if node.inputs.iter().any(|it| is_part(name, it)) {
            Direction::Input
        } else if node.outputs.iter().any(|it| is_part(name, it)) {
            Direction::Output
        } else {
            Direction::Local
        }
    };
    let mut signals = system_signals(system);
    signals.iter_mut().for_each(|it| it.direction = direction(&it.name));
    signals
}

/// The signals of a system.
pub fn system_signals(system: &System) -> Vec<Signal> {
    let inputs = system.inputs.iter().map(|var| &system.variables[var.index()]);
    let inputs = inputs.map(|it| (&it.name, it.ty, Direction::Input));
    let outputs = system.outputs.iter().map(|it| {
        let direction = if it.local { Direction::Local } else { Direction::Output };
        (&it.name, system.pool.type_of(it.value), direction)
    });
    inputs
        .chain(outputs)
        .map(|(name, ty, direction)| Signal {
            name: name.clone(),
            path: name.clone(),
            ty: values(&system.pool, ty),
            direction,
            width: 1,
        })
        .collect()
}

fn values(pool: &Pool, ty: Sort) -> Type {
    match ty {
        Sort::Bool => Type::Bool,
        Sort::Int => Type::Int(Range::default()),
        Sort::Machine(width) => Type::Int(Range {
            low: Some(RBig::from(width.least())),
            high: Some(RBig::from(width.greatest())),
        }),
        Sort::Real => Type::Real(Range::default()),
        Sort::Enum(id) => Type::Enum(pool.enumeration(id).literals.clone()),
    }
}
