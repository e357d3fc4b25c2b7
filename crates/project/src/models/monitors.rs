//! Requirements of a component as properties of a model: each sentence, with its definitions in place and its variables mapped to signals,
//! becomes a monitor.
//!
//! A requirement that cannot be monitored is refused with the reason; it never counts as checked. As in contracts, the declared ranges of
//! inputs are assumed, and so are requirements in the role of assumptions, unless it is asked whether one of them holds.

use crate::component::{Component, Symbol};
use crate::diff::within;
use crate::expansion::{Problem, expand};
use crate::finding::Finding;
use crate::mapping::{self, Direction, Mapped, Request, Signal};
use crate::project::{Analysis, Known, Place, Project};
use logic::Bound;
use logic::Formula;
use logic::Node;
use logic::Store;
use logic::Unary;
use requirement::specification::ContractRole;
use requirement::specification::Kind;
use requirement::specification::NotAnExpression;
use requirement::specification::Type;
use requirement::{Reading, Refusal, Requirement, parts, past};
use rustc_hash::FxHashMap;
use std::fmt;
use syntax::nearest;
use system::MonitorError;
use system::{Expr, Origin, System, add_formula};

/// The monitors of a component.
#[derive(Debug, Default)]
pub struct Monitors {
    /// The formulas of the requirements.
    pub store: Store,
    /// The requirements that are properties now.
    pub list: Vec<Monitored>,
    /// Those that are not, and why.
    pub refused: Vec<Refused>,
    /// What is wrong with the mapping.
    pub findings: Vec<Finding>,
    /// Ranges of inputs and requirements that are assumed, in words.
    pub assumed: Vec<String>,
}

/// A requirement that is a property of a system.
#[derive(Debug, Clone)]
pub struct Monitored {
    /// Its id.
    pub id: String,
    /// Where it is.
    pub place: Place,
    /// The property.
    pub property: usize,
    /// What it says, with definitions in the place of the names that they define.
    pub requirement: Requirement,
    /// Its variables and the signals that they are, by name and path.
    pub signals: Vec<(String, String)>,
}

/// A requirement that is not a property.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Refused {
    pub id: String,
    pub place: Place,
    pub reason: String,
}

/// What must hold at every step, and what at infinitely many.
type Meaning = (Formula, Option<Formula>);

fn meaning(store: &mut Store, requirement: &Requirement, reading: Reading) -> Result<Meaning, NoMonitor> {
    match reading {
        // The formula of the past, as it is shown: once violated, it stays false.
        Reading::AnyEnd => past(store, requirement).map(|safety| (safety, None)),
        Reading::Endless => parts(store, requirement, reading).map(|parts| (parts.safety, parts.live)),
    }
    .map_err(NoMonitor::Meaning)
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The component.
    pub component: &'a str,
    /// The ids of the requirements; all if there are none.
    pub only: &'a [String],
    /// What is said about variables.
    pub requests: &'a [Request],
    /// When a trace ends.
    pub reading: Reading,
}

/// Something that the project does not have, with a name like it where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unknown {
    Component { name: String, near: Option<String>, known: Vec<String> },
    Variable { component: String, name: String, near: Option<String> },
    Requirement { component: String, id: String, near: Option<String> },
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let near = match self {
            Unknown::Component { name, near, known } => {
                write!(f, "the project has no component `{name}`")?;
                if near.is_none() {
                    write!(f, "; it has {}", known.join(", "))?;
                }
                near
            }
            Unknown::Variable { component, name, near } => {
                write!(f, "`{component}` has no variable `{name}`")?;
                near
            }
            Unknown::Requirement { component, id, near } => {
                write!(f, "`{component}` has no requirement `{id}` in FRETish")?;
                near
            }
        };
        near.as_ref().map_or(Ok(()), |near| write!(f, ": did you mean `{near}`?"))
    }
}

impl std::error::Error for Unknown {}

/// Why a requirement is not a property.
pub(super) enum Reason {
    Errors,
    Expansion(Problem),
    Definition(String, NotAnExpression),
    Undeclared(String),
    Misfit,
    Probability,
    NoSignal(String),
    Fairness,
    Monitor(NoMonitor),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reason::Errors => write!(f, "the sentence has errors"),
            Reason::Expansion(problem) => problem.fmt(f),
            Reason::Definition(name, why) => write!(f, "the definition of `{name}` {why}"),
            Reason::Undeclared(name) => write!(f, "`{name}` is not declared"),
            Reason::Misfit => write!(f, "a definition does not fit where its name is used"),
            Reason::Probability => {
                write!(f, "it states a probability, which is about all runs, and formulas are about one")
            }
            Reason::NoSignal(name) => write!(f, "`{name}` is not a signal of the model"),
            Reason::Fairness => write!(f, "an assumption about what eventually happens is not supported"),
            Reason::Monitor(reason) => reason.fmt(f),
        }
    }
}

/// Why a requirement has no monitor in a system.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum NoMonitor {
    Meaning(Refusal),
    Formula(MonitorError),
}

impl fmt::Display for NoMonitor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NoMonitor::Meaning(refusal) => refusal.fmt(f),
            NoMonitor::Formula(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NoMonitor {}

/// Adds a requirement in one reading to a system as a property, with its condition and response where it has them, and returns its
/// index.
///
/// # Errors
/// The requirement has no formula of the past, or the formula does not fit the system.
pub fn add_requirement(
    system: &mut System,
    store: &mut Store,
    (name, origin): (&str, Origin),
    (requirement, reading): (&Requirement, Reading),
    binding: &dyn Fn(&str) -> Option<Expr>,
) -> Result<usize, NoMonitor> {
    let (formula, recurrence) = meaning(store, requirement, reading)?;
    let value = add_formula(system, store, formula, binding).map_err(NoMonitor::Formula)?;
    let recurs = recurrence.map(|it| add_formula(system, store, it, binding));
    let recurs = recurs.transpose().map_err(NoMonitor::Formula)?;
    let property = system.add_property(name, origin, value);
    if let Some(recurs) = recurs {
        system.set_recurs(property, recurs);
    } else if let Some(sides) = sides(system, store, formula, binding) {
        system.set_sides(property, sides);
    }
    Ok(property)
}

/// A and B of a formula `H (A -> B)` or `A -> B`; of any other, A is always true.
fn sides(
    system: &mut System,
    store: &mut Store,
    formula: Formula,
    binding: &dyn Fn(&str) -> Option<Expr>,
) -> Option<(Expr, Expr)> {
    let inner = match *store.node(formula) {
        Node::Unary(Unary::Historically, Bound::ALL, inner) => inner,
        _ => formula,
    };
    let (premise, conclusion) = match *store.node(inner) {
        Node::Implies(premise, conclusion) => (premise, conclusion),
        _ => (store.top(), inner),
    };
    let premise = add_formula(system, store, premise, binding).ok()?;
    let conclusion = add_formula(system, store, conclusion, binding).ok()?;
    Some((premise, conclusion))
}

/// Adds the requirements of a component to a system. A signal's path is its name in the system.
///
/// # Errors
/// A component, requirement or variable that the project does not have.
pub fn attach(
    project: &Project,
    analysis: &Analysis,
    question: Question,
    system: &mut System,
    signals: &[Signal],
) -> Result<Monitors, Unknown> {
    let component = chosen(analysis, question.component)?;
    requests_are_known(component, question.requests)?;
    let known = requirements(project, analysis, component, question.only)?;
    let mut monitors = Monitors::default();
    let mut read = Vec::new();
    for known in known {
        let around = Around { project, analysis, component, requests: question.requests, signals };
        match sentence(&around, known, &mut monitors.store) {
            Ok(found) => read.push((known, found)),
            Err(reason) => monitors.refuse(project, known.place, &reason),
        }
    }
    let mut variables: Vec<&Symbol> = Vec::new();
    for symbol in read.iter().flat_map(|(_, sentence)| &sentence.variables) {
        if variables.iter().all(|it| it.variable.name != symbol.variable.name) {
            variables.push(symbol);
        }
    }
    let (mapped, findings) = mapping::map(project, component, &variables, signals, question.requests);
    monitors.findings = findings;
    mapping::check(project, analysis, Some(&component.name), &mut monitors.findings);
    let exprs = expressions(system, &mapped);
    let binding = |name: &str| exprs.get(name).copied();
    for it in &mapped {
        monitors.assume(system, it, &binding);
    }
    for (known, sentence) in read {
        let is_assumed = is_assumed(project, known, question.only);
        let added = match is_assumed {
            true => monitors.assume_requirement(
                project,
                system,
                known.place,
                (&sentence, question.reading),
                &mapped,
                &binding,
            ),
            false => {
                monitors.add(project, system, known.place, (&sentence, question.reading), &mapped, &binding)
            }
        };
        if let Err(reason) = added {
            monitors.refuse(project, known.place, &reason);
        }
    }
    Ok(monitors)
}

/// The expressions of the variables that have a signal, by name.
fn expressions<'a>(system: &mut System, mapped: &[Mapped<'a>]) -> FxHashMap<&'a str, Expr> {
    let known = system::names(system);
    let expression = |it: &Mapped<'a>| Some((it.symbol.variable.name.as_str(), *known.get(&it.signal.path)?));
    mapped.iter().filter_map(expression).collect()
}

/// A sentence with its definitions in place.
pub(super) struct Sentence<'a> {
    pub(super) requirement: Requirement,
    /// The variables that must be signals.
    pub(super) variables: Vec<&'a Symbol>,
}

impl Monitors {
    /// Assumes also the declared ranges of inputs of the model that no requirement mentions, so that no counterexample leaves them.
    pub fn assume_others(
        &mut self,
        project: &Project,
        analysis: &Analysis,
        question: Question,
        system: &mut System,
        signals: &[Signal],
    ) {
        let Ok(component) = chosen(analysis, question.component) else { return };
        let mentioned = |name: &str| self.list.iter().flat_map(|it| &it.signals).any(|it| it.0 == name);
        let others = component.variables.iter().filter(|it| it.declaration.is_some());
        let others: Vec<&Symbol> = others.filter(|it| !mentioned(&it.variable.name)).collect();
        // What has no signal is not part of this model.
        let (mapped, _) = mapping::map(project, component, &others, signals, question.requests);
        let taken: Vec<&String> = self.list.iter().flat_map(|it| &it.signals).map(|it| &it.1).collect();
        let mapped: Vec<Mapped> = mapped.into_iter().filter(|it| !taken.contains(&&it.signal.path)).collect();
        let exprs = expressions(system, &mapped);
        for it in &mapped {
            self.assume(system, it, &|name| exprs.get(name).copied());
        }
    }

    fn refuse(&mut self, project: &Project, place: Place, reason: &Reason) {
        let (id, reason) = (project.entry(place).id.text.clone(), reason.to_string());
        self.refused.push(Refused { id, place, reason });
    }

    fn add(
        &mut self,
        project: &Project,
        system: &mut System,
        place: Place,
        (sentence, reading): (&Sentence, Reading),
        mapped: &[Mapped],
        binding: &dyn Fn(&str) -> Option<Expr>,
    ) -> Result<(), Reason> {
        let signals = sentence.signals(mapped)?;
        let requirement = sentence.requirement.clone();
        let id = project.entry(place).id.text.clone();
        let named = (id.as_str(), Origin::Requirement(id.clone()));
        let property = add_requirement(system, &mut self.store, named, (&requirement, reading), binding)
            .map_err(Reason::Monitor)?;
        self.list.push(Monitored { id, place, property, requirement, signals });
        Ok(())
    }

    /// Assumes that the environment keeps a requirement.
    fn assume_requirement(
        &mut self,
        project: &Project,
        system: &mut System,
        place: Place,
        (sentence, reading): (&Sentence, Reading),
        mapped: &[Mapped],
        binding: &dyn Fn(&str) -> Option<Expr>,
    ) -> Result<(), Reason> {
        sentence.signals(mapped)?;
        let meaning = meaning(&mut self.store, &sentence.requirement, reading);
        let (safety, None) = meaning.map_err(Reason::Monitor)? else { return Err(Reason::Fairness) };
        let value = add_formula(system, &mut self.store, safety, binding)
            .map_err(|error| Reason::Monitor(NoMonitor::Formula(error)))?;
        system.assumptions.push(value);
        let text = project.sentence(place).unwrap_or_default().split_whitespace().collect::<Vec<_>>();
        self.assumed.push(format!("{}: {}", project.entry(place).id.text, text.join(" ")));
        Ok(())
    }

    /// Assumes that what the environment decides is in its range.
    fn assume(&mut self, system: &mut System, it: &Mapped, binding: &dyn Fn(&str) -> Option<Expr>) {
        let variable = &it.symbol.variable;
        let is_input = variable.kind != Kind::Output && it.signal.direction == Direction::Input;
        let (Type::Int(range) | Type::Real(range), true, false) =
            (&variable.ty, is_input, it.symbol.type_inferred)
        else {
            return;
        };
        if range.is_open() {
            return;
        }
        let within = within(&mut self.store, &variable.name, &variable.ty);
        if let Ok(within) = add_formula(system, &mut self.store, within, binding) {
            system.assumptions.push(within);
            self.assumed.push(format!("{}: {}", variable.name, variable.ty));
        }
    }
}

impl Sentence<'_> {
    /// The variables and the signals that they are.
    fn signals(&self, mapped: &[Mapped]) -> Result<Vec<(String, String)>, Reason> {
        let signal = |symbol: &&Symbol| {
            let name = &symbol.variable.name;
            let found = mapped.iter().find(|it| it.symbol.variable.name == *name);
            let found = found.ok_or_else(|| Reason::NoSignal(name.clone()))?;
            Ok((name.clone(), found.signal.path.clone()))
        };
        self.variables.iter().map(signal).collect()
    }
}

/// Whether a requirement is assumed: an assumption that nobody asks about.
fn is_assumed(project: &Project, known: &Known, only: &[String]) -> bool {
    known.role == ContractRole::Assumption && !only.contains(&project.entry(known.place).id.text)
}

pub(super) fn chosen<'a>(analysis: &'a Analysis, name: &str) -> Result<&'a Component, Unknown> {
    analysis.components.get(name).ok_or_else(|| {
        let known: Vec<String> = analysis.components.iter().map(|it| it.name.clone()).collect();
        let near = nearest(name, known.iter().map(String::as_str)).map(String::from);
        Unknown::Component { name: name.into(), near, known }
    })
}

/// Checks that what is said about variables is about variables of the component. The project file is checked by itself.
///
/// # Errors
/// The first variable that the component does not have.
pub fn requests_are_known(component: &Component, requests: &[Request]) -> Result<(), Unknown> {
    let is_unknown =
        |request: &&Request| request.places.is_none() && component.symbol(&request.variable).is_none();
    let Some(request) = requests.iter().find(is_unknown) else { return Ok(()) };
    let known = component.variables.iter().map(|it| it.variable.name.as_str());
    let near = nearest(&request.variable, known).map(String::from);
    Err(Unknown::Variable { component: component.name.clone(), name: request.variable.clone(), near })
}

/// The requirements that are asked for, and all assumptions, in the order of the documents. What has no sentence promises
/// nothing.
pub(super) fn requirements<'a>(
    project: &Project,
    analysis: &'a Analysis,
    component: &Component,
    only: &[String],
) -> Result<Vec<&'a Known>, Unknown> {
    let id = |known: &Known| project.entry(known.place).id.text.clone();
    let owned = |known: &&Known| {
        known.component.and_then(|at| analysis.components.at(at)).is_some_and(|it| it.name == component.name)
    };
    let mine: Vec<&Known> = analysis.requirements.iter().filter(owned).collect();
    for wanted in only {
        if mine.iter().all(|known| id(known) != *wanted) {
            let ids: Vec<String> = mine.iter().map(|known| id(known)).collect();
            let near = nearest(wanted, ids.iter().map(String::as_str)).map(String::from);
            return Err(Unknown::Requirement { component: component.name.clone(), id: wanted.clone(), near });
        }
    }
    let wanted =
        |known: &&Known| only.is_empty() || only.contains(&id(known)) || is_assumed(project, known, only);
    Ok(mine.into_iter().filter(wanted).collect())
}

/// What a sentence is read in.
pub(super) struct Around<'a> {
    pub(super) project: &'a Project,
    pub(super) analysis: &'a Analysis,
    pub(super) component: &'a Component,
    pub(super) requests: &'a [Request],
    pub(super) signals: &'a [Signal],
}

/// Reads a sentence with its definitions in place, or says why it cannot be monitored.
pub(super) fn sentence<'a>(
    around: &Around<'a>,
    known: &Known,
    store: &mut Store,
) -> Result<Sentence<'a>, Reason> {
    let &Around { project, analysis, component, requests, signals } = around;
    if known.reading.as_ref().is_some_and(|reading| !reading.is_sound()) {
        return Err(Reason::Errors);
    }
    if known.reading.as_ref().is_some_and(|reading| reading.parsed.probability().is_some()) {
        return Err(Reason::Probability);
    }
    // What is said to be a signal is one, also if it has a definition.
    let is_replaced = |name: &str| requests.iter().all(|request| request.variable != name);
    let expanded = expand(store, project, analysis, known, &is_replaced).map_err(Reason::Expansion)?;
    let mut variables: Vec<&Symbol> = Vec::new();
    for name in expanded.names.iter().filter(|name| !name.called).map(|name| &name.name) {
        let definition = component.symbol(name).filter(|_| is_replaced(name)).and_then(Symbol::expansion);
        if let Some(reason) = definition.and_then(|definition| definition.expression().err()) {
            return Err(Reason::Definition(name.clone(), reason));
        }
        let is_value = |it: &Signal| matches!(&it.ty, Type::Enum(values) if values.contains(name));
        let is_value = component.enumeration_of(name).is_some() || signals.iter().any(is_value);
        match component.symbol(name) {
            Some(symbol) if symbol.number().is_some() => {}
            Some(symbol) if symbol.declaration.is_some() => variables.push(symbol),
            // The value of an enumeration, of the project or of the model.
            _ if is_value => {}
            Some(symbol) => variables.push(symbol),
            None => return Err(Reason::Undeclared(name.clone())),
        }
    }
    let requirement = expanded.lowered.requirement.ok_or(Reason::Misfit)?;
    Ok(Sentence { requirement, variables })
}
