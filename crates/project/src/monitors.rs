//! Requirements of a component as properties of a model: each sentence, with its definitions put in and its variables mapped to signals,
//! becomes a monitor.
//!
//! A requirement that cannot be monitored is refused with the reason; it never counts as checked. As in contracts, the declared ranges of
//! inputs are assumed.

use crate::component::{Component, Symbol};
use crate::expansion::{expanded, readable_definition};
use crate::finding::Finding;
use crate::mapping::{self, Direction, Mapped, Signal, Wish};
use crate::project::{Analysis, Known, Place, Project};
use crate::reading::{Parsed, context};
use logic::{Bound, Node, Numeral, RBig, Rel, Store, Unary};
use requirement::specification::{Kind, Range, Type};
use requirement::{Requirement, lower, past};
use rustc_hash::FxHashMap;
use syntax::nearest;
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
    /// Ranges of inputs that are assumed, in words.
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

/// A requirement that is no property.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Refused {
    pub id: String,
    pub place: Place,
    pub reason: String,
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The component.
    pub component: &'a str,
    /// The ids of the requirements; all if there are none.
    pub only: &'a [String],
    /// What is said about variables.
    pub wishes: &'a [Wish],
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
) -> Result<Monitors, String> {
    let component = chosen(analysis, question.component)?;
    wishes_are_known(component, question.wishes)?;
    let known = requirements(project, analysis, component, question.only)?;
    let mut monitors = Monitors::default();
    let mut read = Vec::new();
    for known in known {
        let around = Around { project, analysis, component, wishes: question.wishes, signals };
        match sentence(&around, known, &mut monitors.store) {
            Ok(found) => read.push((known.place, found)),
            Err(reason) => monitors.refuse(project, known.place, reason),
        }
    }
    let mut variables: Vec<&Symbol> = Vec::new();
    for symbol in read.iter().flat_map(|(_, sentence)| &sentence.variables) {
        if variables.iter().all(|it| it.variable.name != symbol.variable.name) {
            variables.push(symbol);
        }
    }
    let (mapped, findings) = mapping::map(project, component, &variables, signals, question.wishes);
    monitors.findings = findings;
    mapping::check(project, analysis, Some(&component.name), &mut monitors.findings);
    let known = system::names(system);
    let exprs: FxHashMap<&str, Expr> = mapped
        .iter()
        .filter_map(|it| Some((it.symbol.variable.name.as_str(), *known.get(&it.signal.path)?)))
        .collect();
    let binding = |name: &str| exprs.get(name).copied();
    for it in &mapped {
        monitors.assume(system, it, &binding);
    }
    for (place, sentence) in read {
        match monitors.add(project, system, place, &sentence, &mapped, &binding) {
            Ok(()) => {}
            Err(reason) => monitors.refuse(project, place, reason),
        }
    }
    Ok(monitors)
}

/// A sentence with its definitions put in.
struct Sentence<'a> {
    requirement: Requirement,
    /// The variables that must be signals.
    variables: Vec<&'a Symbol>,
}

impl Monitors {
    fn refuse(&mut self, project: &Project, place: Place, reason: String) {
        self.refused.push(Refused { id: project.entry(place).id.text.clone(), place, reason });
    }

    fn add(
        &mut self,
        project: &Project,
        system: &mut System,
        place: Place,
        sentence: &Sentence,
        mapped: &[Mapped],
        binding: &dyn Fn(&str) -> Option<Expr>,
    ) -> Result<(), String> {
        let mut signals = Vec::new();
        for symbol in &sentence.variables {
            let name = &symbol.variable.name;
            let found = mapped.iter().find(|it| it.symbol.variable.name == *name);
            let found = found.ok_or_else(|| format!("`{name}` is no signal of the model"))?;
            signals.push((name.clone(), found.signal.path.clone()));
        }
        let requirement = sentence.requirement.clone();
        let formula = past(&mut self.store, &requirement).map_err(|refusal| refusal.to_string())?;
        let value =
            add_formula(system, &mut self.store, formula, binding).map_err(|error| error.to_string())?;
        let id = project.entry(place).id.text.clone();
        let property = system.add_property(&id, Origin::Requirement(id.clone()), value);
        if let Some(sides) = self.sides(system, &requirement, binding) {
            system.set_sides(property, sides);
        }
        self.list.push(Monitored { id, place, property, requirement, signals });
        Ok(())
    }

    /// A and B of a requirement whose formula is `H (A -> B)`; of `H B`, A is always true.
    fn sides(
        &mut self,
        system: &mut System,
        requirement: &Requirement,
        binding: &dyn Fn(&str) -> Option<Expr>,
    ) -> Option<(Expr, Expr)> {
        let formula = past(&mut self.store, requirement).ok()?;
        let Node::Unary(Unary::Historically, Bound::ALL, inner) = *self.store.node(formula) else {
            return None;
        };
        let (premise, conclusion) = match *self.store.node(inner) {
            Node::Implies(premise, conclusion) => (premise, conclusion),
            _ => (self.store.top(), inner),
        };
        let premise = add_formula(system, &mut self.store, premise, binding).ok()?;
        let conclusion = add_formula(system, &mut self.store, conclusion, binding).ok()?;
        Some((premise, conclusion))
    }

    /// Assumes that an input is in its range.
    fn assume(&mut self, system: &mut System, it: &Mapped, binding: &dyn Fn(&str) -> Option<Expr>) {
        let variable = &it.symbol.variable;
        let is_input = variable.kind == Kind::Input && it.signal.direction == Direction::Input;
        let (Type::Int(range) | Type::Real(range), true, false) =
            (&variable.ty, is_input, it.symbol.type_inferred)
        else {
            return;
        };
        if range.is_open() {
            return;
        }
        let Range { low, high } = range;
        let symbol = self.store.symbol(&variable.name);
        let value = self.store.term_var(symbol);
        let mut ends = Vec::new();
        for (rel, end) in [(Rel::Ge, low), (Rel::Le, high)] {
            let Some(end) = end else { continue };
            let end: RBig = end.clone();
            let numeral = if end.is_int() { Numeral::Int } else { Numeral::Real };
            let number = self.store.num(end, numeral);
            ends.push(self.store.rel(rel, value, number));
        }
        let within = self.store.and(ends);
        if let Ok(within) = add_formula(system, &mut self.store, within, binding) {
            system.assumptions.push(within);
            self.assumed.push(format!("{}: {}", variable.name, variable.ty));
        }
    }
}

fn chosen<'a>(analysis: &'a Analysis, name: &str) -> Result<&'a Component, String> {
    analysis.components.get(name).ok_or_else(|| {
        let known: Vec<&str> = analysis.components.iter().map(|it| it.name.as_str()).collect();
        match nearest(name, known.iter().copied()) {
            Some(near) => format!("the project has no component `{name}`: did you mean `{near}`?"),
            None => format!("the project has no component `{name}`; it has {}", known.join(", ")),
        }
    })
}

/// The project file is checked by itself; what is said besides must be about something.
fn wishes_are_known(component: &Component, wishes: &[Wish]) -> Result<(), String> {
    for wish in wishes.iter().filter(|it| it.places.is_none()) {
        if component.symbol(&wish.variable).is_none() {
            let known = component.variables.iter().map(|it| it.variable.name.as_str());
            let near =
                nearest(&wish.variable, known).map_or(String::new(), |it| format!(": did you mean `{it}`?"));
            return Err(format!("`{}` has no variable `{}`{near}", component.name, wish.variable));
        }
    }
    Ok(())
}

/// The requirements that are asked for, in the order of the documents. What has no sentence promises nothing.
fn requirements<'a>(
    project: &Project,
    analysis: &'a Analysis,
    component: &Component,
    only: &[String],
) -> Result<Vec<&'a Known>, String> {
    let id = |known: &Known| project.entry(known.place).id.text.clone();
    let owned = |known: &&Known| {
        known.component.and_then(|at| analysis.components.at(at)).is_some_and(|it| it.name == component.name)
    };
    let mine: Vec<&Known> = analysis.requirements.iter().filter(owned).collect();
    for wanted in only {
        if mine.iter().all(|known| id(known) != *wanted) {
            let ids: Vec<String> = mine.iter().map(|known| id(known)).collect();
            let near = nearest(wanted, ids.iter().map(String::as_str));
            let near = near.map_or(String::new(), |it| format!(": did you mean `{it}`?"));
            return Err(format!("`{}` has no requirement `{wanted}` in FRETish{near}", component.name));
        }
    }
    Ok(mine.into_iter().filter(|known| only.is_empty() || only.contains(&id(known))).collect())
}

/// What a sentence is read in.
struct Around<'a> {
    project: &'a Project,
    analysis: &'a Analysis,
    component: &'a Component,
    wishes: &'a [Wish],
    signals: &'a [Signal],
}

/// Reads a sentence with its definitions put in, or says why it cannot be monitored.
fn sentence<'a>(around: &Around<'a>, known: &Known, store: &mut Store) -> Result<Sentence<'a>, String> {
    let &Around { project, analysis, component, wishes, signals } = around;
    let text = project.sentence(known.place).ok_or("it has no sentence")?;
    let reading = known.reading.as_ref().ok_or("it is no FRETish sentence")?;
    if !reading.is_sound() {
        return Err("the sentence has errors".into());
    }
    // What is said to be a signal is one, also if it has a definition.
    let is_said = |name: &str| wishes.iter().any(|wish| wish.variable == name);
    let defined = |name: &str| {
        let symbol = component.symbol(name).filter(|_| !is_said(name))?;
        let text = symbol.variable.definition.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
        symbol.number().is_none().then_some((symbol, text))
    };
    // As in contracts, `->` is Lustre's.
    let definition = |name: &str| {
        let (symbol, text) = defined(name)?;
        readable_definition(symbol).filter(|_| !text.contains("->"))
    };
    let text = expanded(text, &definition)?;
    let parsed = Parsed::of(&text);
    let names = parsed.names.iter().filter(|name| !name.called);
    let mut variables: Vec<&Symbol> = Vec::new();
    for name in names {
        if defined(&name.name).is_some() {
            return Err(format!("the definition of `{}` is no expression of sentences", name.name));
        }
        let is_value = |it: &Signal| matches!(&it.ty, Type::Enum(values) if values.contains(&name.name));
        let is_value = component.enumeration_of(&name.name).is_some() || signals.iter().any(is_value);
        let symbol = match component.symbol(&name.name) {
            Some(symbol) if symbol.number().is_some() => continue,
            Some(symbol) if symbol.declaration.is_some() => symbol,
            // The value of an enumeration, of the project or of the model.
            _ if is_value => continue,
            Some(symbol) => symbol,
            None => return Err(format!("`{}` is not declared", name.name)),
        };
        if variables.iter().all(|it| it.variable.name != name.name) {
            variables.push(symbol);
        }
    }
    let roles: Vec<_> =
        parsed.names.iter().map(|name| analysis.components.role(known.component, &name.name)).collect();
    let lowered = lower(store, &parsed.parse, &context(&parsed, project.config.step.clone(), &roles));
    let requirement = lowered.requirement.ok_or("a definition does not fit where its name stands")?;
    Ok(Sentence { requirement, variables })
}
