//! What monitors and queries watch: the formulas of each requirement, over one list of variables for all components.
//!
//! Definitions take the place of the names they define. A variable that several components have with the same type is one variable, as
//! in a recorded trace; if the types differ, each gets the name of its component before its own.

use super::definition::{Defined, Definitions, names};
use super::{Inexpressible, LeftOut};
use logic::{Formula, Id, Node, Store};
use requirement::specification::{Component, Kind, Variable};
use requirement::{Watch, watch};
use std::collections::{BTreeMap, BTreeSet};

/// A requirement, or anything else with the formulas of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Its id.
    pub id: String,
    /// The sentence.
    pub text: String,
    /// Its formulas.
    pub watch: Watch,
}

/// Subjects with their variables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subjects {
    /// The variables whose values come from outside.
    pub variables: Vec<Variable>,
    /// The requirements.
    pub list: Vec<Subject>,
    /// What has no such formulas.
    pub left_out: Vec<LeftOut>,
}

impl Subject {
    /// The formulas that are watched: violated now, violated at the step before, violated if the run ends here, triggered.
    pub fn formulas(&self) -> [Formula; 4] {
        let Watch { bad, bad_at_end, left, trigger, .. } = self.watch;
        [bad, left, bad_at_end, trigger]
    }

    /// The names of the variables in them.
    pub fn names(&self, store: &Store) -> BTreeSet<String> {
        self.formulas().into_iter().flat_map(|formula| names(store, formula.id())).collect()
    }
}

impl Subjects {
    /// The requirements of components.
    pub fn of(store: &mut Store, components: &[Component]) -> Subjects {
        let mut subjects = Subjects::default();
        for component in components {
            let definitions = Definitions::of(store, component, |_, _| true);
            let mut own: BTreeMap<&str, String> = BTreeMap::new();
            for (at, variable) in component.variables.iter().enumerate() {
                match definitions.get(component, at) {
                    Some(Defined::Written(_) | Defined::Replaced) => continue,
                    Some(Defined::Failed(why)) => {
                        let reason = format_args!("{why}; the variable is an input");
                        subjects.left_out.push(LeftOut::new(&variable.name, reason));
                    }
                    None if variable.kind == Kind::Function => continue,
                    None => {}
                }
                own.insert(&variable.name, subjects.take(component, variable, components));
            }
            for item in &component.items {
                match watch(store, &item.requirement) {
                    Ok(found) => {
                        let watch = map(found, |formula| {
                            let formula = definitions.apply(store, formula);
                            let id = renamed(store, formula.id(), &own);
                            let formula = store.as_formula(id).unwrap_or(formula);
                            logic::simplify(store, formula)
                        });
                        subjects.list.push(Subject { id: item.id.clone(), text: item.text.clone(), watch });
                    }
                    Err(why) => subjects.left_out.push(LeftOut::new(&item.id, Inexpressible::Formula(why))),
                }
            }
        }
        subjects
    }

    /// The name of a variable of a component among all of them.
    fn take(&mut self, component: &Component, variable: &Variable, all: &[Component]) -> String {
        let differs = |other: &Variable| other.name == variable.name && other.ty != variable.ty;
        let clashes = all.iter().flat_map(|component| &component.variables).any(differs);
        let name = match clashes {
            true => format!("{}.{}", component.name, variable.name),
            false => variable.name.clone(),
        };
        if !self.variables.iter().any(|known| known.name == name) {
            self.variables.push(Variable { name: name.clone(), ..variable.clone() });
        }
        name
    }
}

fn map(watch: Watch, mut change: impl FnMut(Formula) -> Formula) -> Watch {
    Watch {
        bad: change(watch.bad),
        bad_at_end: change(watch.bad_at_end),
        left: change(watch.left),
        trigger: change(watch.trigger),
        scope: change(watch.scope),
        active: watch.active.map(change),
    }
}

fn renamed(store: &mut Store, id: Id, names: &BTreeMap<&str, String>) -> Id {
    store.map(id, |store, id| match store.node(id) {
        Node::Var(symbol) => {
            let name = store.name(*symbol);
            let new = names.get(name).filter(|new| *new != name)?.clone();
            let symbol = store.symbol(&new);
            Some(store.var(symbol).id())
        }
        _ => None,
    })
}
