//! The names of a file: components, functions, enumerations, the variables of each component, labels of requirements.
//!
//! Names of the whole file are taken first; the variables of a component must differ from them, and from those of other
//! components only if the target has one namespace for all (`flat`).

use super::names::{Names, Renamed, Rules, changes};
use logic::RBig;
use requirement::specification::{Component, Kind, Type, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What a target requires of its names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Space {
    pub(super) rules: Rules,
    /// Whether the variables of all components share one namespace.
    pub(super) flat: bool,
    /// Whether different enumerations may share the name of a value.
    pub(super) shared_values: bool,
    /// What is appended to the names of components.
    pub(super) suffix: &'static str,
    /// Whether requirements have labels that must be legal names.
    pub(super) labels: bool,
}

/// The names of a file.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The name of each component.
    pub(super) components: Vec<String>,
    pub(super) enumerations: Vec<Enumeration>,
    /// The variables of each component.
    pub(super) scopes: Vec<Scope>,
    /// The labels of the requirements of each component.
    pub(super) labels: Vec<Vec<String>>,
    pub(super) renamed: Vec<Renamed>,
}

/// An enumeration; variables with equal lists of values share it.
#[derive(Debug)]
pub(super) struct Enumeration {
    pub(super) values: Vec<String>,
    pub(super) name: String,
    pub(super) emitted: Vec<String>,
}

/// The variables of a component.
#[derive(Debug, Default)]
pub(super) struct Scope {
    variables: BTreeMap<String, Entry>,
    /// The values of all its enumerations.
    values: BTreeSet<String>,
}

/// A variable.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) emitted: String,
    pub(super) kind: Kind,
    pub(super) sort: Ty,
    /// Whether its type excludes negative values.
    pub(super) non_negative: bool,
}

/// The type of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ty {
    Bool,
    Int,
    Real,
    /// The enumeration with this number.
    Enum(usize),
    /// A value whose enumeration is still unknown.
    Value(String),
}

impl Layout {
    pub(super) fn new(components: &[Component], space: Space) -> Layout {
        let mut layout = Layout::default();
        let mut names = Names::new(space.rules);
        for component in components {
            let wanted = format!("{}{}", component.name, space.suffix);
            let emitted = names.take(&wanted);
            if emitted != wanted {
                layout.rename(None, component.name.clone(), &emitted);
            }
            layout.components.push(emitted);
        }
        let of_kind = |component: &Component, function: bool| {
            let mine = component.variables.iter().filter(|it| (it.kind == Kind::Function) == function);
            mine.map(|it| it.name.clone()).collect::<Vec<_>>()
        };
        let functions: Vec<String> =
            components.iter().flat_map(|component| of_kind(component, true)).collect();
        let functions = names.take_all(functions.iter().map(String::as_str));
        layout.renamed.extend(changes(None, &functions));
        for variable in components.iter().flat_map(|component| &component.variables) {
            layout.enumerate(variable, &mut names, space);
        }
        for component in components {
            let mine = of_kind(component, false);
            let emitted = if space.flat {
                let twice = |name: &str| {
                    let owners =
                        components.iter().filter(|other| of_kind(other, false).iter().any(|it| it == name));
                    owners.count() > 1
                };
                let take = |name: &String| match twice(name) {
                    true => (name.clone(), names.take(&format!("{}_{name}", component.name))),
                    false => (name.clone(), names.take(name)),
                };
                mine.iter().map(take).collect()
            } else {
                names.clone().take_all(mine.iter().map(String::as_str))
            };
            layout.renamed.extend(changes(Some(&component.name), &emitted));
            let scope = layout.scope(component, &emitted, &functions);
            layout.scopes.push(scope);
        }
        for component in components {
            let take = |id: &String| if space.labels { names.take(id) } else { id.clone() };
            let ids: Vec<String> = component.items.iter().map(|item| item.id.clone()).collect();
            let labels: Vec<String> = ids.iter().map(take).collect();
            for (id, label) in ids.into_iter().zip(&labels).filter(|(id, label)| &id != label) {
                layout.rename(Some(component.name.clone()), id, label);
            }
            layout.labels.push(labels);
        }
        layout
    }

    fn rename(&mut self, component: Option<String>, original: String, emitted: &str) {
        self.renamed.push(Renamed { component, original, emitted: emitted.to_owned() });
    }

    fn enumerate(&mut self, variable: &Variable, names: &mut Names, space: Space) {
        let Type::Enum(values) = &variable.ty else { return };
        if self.enumerations.iter().any(|it| &it.values == values) {
            return;
        }
        let name = names.take(&format!("{}_type", variable.name));
        let known = |value: &String| {
            let earlier = self.enumerations.iter().filter(|_| space.shared_values);
            let place = |it: &Enumeration| {
                it.values.iter().position(|other| other == value).map(|at| it.emitted[at].clone())
            };
            earlier.filter_map(place).next()
        };
        let old: Vec<Option<String>> = values.iter().map(known).collect();
        let emitted: Vec<String> =
            values.iter().zip(old).map(|(value, old)| old.unwrap_or_else(|| names.take(value))).collect();
        let map = values.iter().cloned().zip(emitted.iter().cloned()).collect();
        for entry in changes(None, &map) {
            if !self.renamed.contains(&entry) {
                self.renamed.push(entry);
            }
        }
        self.enumerations.push(Enumeration { values: values.clone(), name, emitted });
    }

    fn scope(
        &self,
        component: &Component,
        emitted: &BTreeMap<String, String>,
        functions: &BTreeMap<String, String>,
    ) -> Scope {
        let mut scope = Scope::default();
        for variable in &component.variables {
            let sort = match &variable.ty {
                Type::Bool => Ty::Bool,
                Type::Int(_) => Ty::Int,
                Type::Real(_) => Ty::Real,
                Type::Enum(values) => {
                    scope.values.extend(values.iter().cloned());
                    Ty::Enum(self.enumerations.iter().position(|it| &it.values == values).unwrap_or_default())
                }
            };
            let non_negative = match &variable.ty {
                Type::Int(range) | Type::Real(range) => {
                    range.low.as_ref().is_some_and(|low| *low >= RBig::ZERO)
                }
                Type::Bool | Type::Enum(_) => false,
            };
            let map = if variable.kind == Kind::Function { functions } else { emitted };
            let emitted = map.get(&variable.name).cloned().unwrap_or_default();
            scope
                .variables
                .insert(variable.name.clone(), Entry { emitted, kind: variable.kind, sort, non_negative });
        }
        scope
    }

    /// The written name of a value of an enumeration.
    pub(super) fn value(&self, enumeration: usize, value: &str) -> Option<&str> {
        let it = self.enumerations.get(enumeration)?;
        it.values.iter().position(|other| other == value).map(|at| it.emitted[at].as_str())
    }
}

impl Scope {
    /// The variable or function with this name.
    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.variables.get(name)
    }

    /// Writes each variable as a function of its number and its name says.
    pub(super) fn respell(&mut self, spelled: impl Fn(usize, &str) -> String) {
        for (number, (name, entry)) in self.variables.iter_mut().enumerate() {
            entry.emitted = spelled(number, name);
        }
    }

    /// Adds a Boolean of the target itself, unless a variable has its name.
    pub(super) fn add(&mut self, name: &str) {
        let entry =
            Entry { emitted: name.to_owned(), kind: Kind::Internal, sort: Ty::Bool, non_negative: false };
        self.variables.entry(name.to_owned()).or_insert(entry);
    }

    /// Whether some variable of the component has this value.
    pub(super) fn is_value(&self, name: &str) -> bool {
        self.values.contains(name)
    }
}
