//! The variables of two versions of a project.

use crate::component::Symbol;
use crate::project::Analysis;

/// A variable that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableChange {
    /// Its component.
    pub component: String,
    /// Its name.
    pub name: String,
    /// What became of it.
    pub class: VariableClass,
    /// What differs, as what it is, what it was, what it is now; empty if it is new or gone.
    pub differences: Vec<(&'static str, String, String)>,
}

/// What differs in words alone: a phrase changes what sentences say only where it is written in another way.
pub(super) const IN_WORDS: [&str; 2] = ["phrase", "description"];

/// What became of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum VariableClass {
    Added,
    Removed,
    Changed,
}

impl VariableClass {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            VariableClass::Added => "added",
            VariableClass::Removed => "removed",
            VariableClass::Changed => "changed",
        }
    }
}

impl VariableChange {
    /// Whether more than words about it changed. A variable that is new or gone changes nothing by itself.
    pub fn changes_meaning(&self) -> bool {
        self.differences.iter().any(|(what, ..)| !IN_WORDS.contains(what))
    }
}

/// The variables that differ: those of the new version in its order, then those that are gone.
pub(super) fn changes(old: &Analysis, new: &Analysis) -> Vec<VariableChange> {
    let mut changes = Vec::new();
    let missing = |from: &Analysis, other: &Analysis, class| {
        let all = from
            .components
            .iter()
            .flat_map(|component| component.variables.iter().map(move |symbol| (component, symbol)));
        all.filter(|(component, symbol)| {
            other
                .components
                .get(&component.name)
                .and_then(|other| other.symbol(&symbol.variable.name))
                .is_none()
        })
        .map(|(component, symbol)| VariableChange {
            component: component.name.clone(),
            name: symbol.variable.name.clone(),
            class,
            differences: Vec::new(),
        })
        .collect::<Vec<_>>()
    };
    for component in new.components.iter() {
        for symbol in &component.variables {
            let before =
                old.components.get(&component.name).and_then(|old| old.symbol(&symbol.variable.name));
            let differences = before.map_or(Vec::new(), |before| differences(before, symbol));
            if !differences.is_empty() {
                let (component, name) = (component.name.clone(), symbol.variable.name.clone());
                changes.push(VariableChange { component, name, class: VariableClass::Changed, differences });
            }
        }
    }
    changes.extend(missing(new, old, VariableClass::Added));
    changes.extend(missing(old, new, VariableClass::Removed));
    changes
}

/// What differs between two versions of a variable; what is only inferred follows from the sentences and does not count.
pub(super) fn differences(old: &Symbol, new: &Symbol) -> Vec<(&'static str, String, String)> {
    let (before, after) = (&old.variable, &new.variable);
    let mut found = Vec::new();
    let mut look = |what: &'static str, old: String, new: String| {
        if old != new {
            found.push((what, old, new));
        }
    };
    if !(old.kind_inferred && new.kind_inferred) {
        look("kind", before.kind.name().into(), after.kind.name().into());
    }
    if !(old.type_inferred && new.type_inferred) {
        look("type", before.ty.to_string(), after.ty.to_string());
    }
    look("unit", before.unit.clone().unwrap_or_default(), after.unit.clone().unwrap_or_default());
    look(
        "definition",
        before.definition.clone().unwrap_or_default(),
        after.definition.clone().unwrap_or_default(),
    );
    look("phrase", before.phrase.clone().unwrap_or_default(), after.phrase.clone().unwrap_or_default());
    look("description", before.description.clone(), after.description.clone());
    found
}
