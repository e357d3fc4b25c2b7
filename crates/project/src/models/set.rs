//! The requirements of a component as a set that is judged together.
//!
//! Each sentence has its definitions in place. Inputs are chosen by the environment, outputs and internal variables without a definition by
//! the component. What cannot be part of the set is left out with the reason, and a verdict about the rest says so.

use super::monitors::{Around, Refused, Unknown, chosen, requirements, sentence};
use crate::component::Component;
use crate::project::{Analysis, Known, Place, Project};
use logic::Store;
use realize::{Budget, Conflicting, Member, NotPlayed, Order, Play, Repair, Set, repairs};
use requirement::specification::{ContractRole, Kind, Variable};
use requirement::{Reading, Requirement};

/// The set of a component.
#[derive(Debug)]
pub struct ComponentSet {
    /// The formulas of the requirements.
    pub store: Store,
    /// The requirements of the set.
    pub members: Vec<InSet>,
    /// The variables that they mention.
    pub variables: Vec<Variable>,
    /// The names of variables whose kind is not declared but inferred from their use.
    pub inferred: Vec<String>,
    /// Requirements that are not in the set, and why.
    pub left_out: Vec<Refused>,
}

/// A requirement of a set.
#[derive(Debug, Clone)]
pub struct InSet {
    /// Its id.
    pub id: String,
    /// Where it is.
    pub place: Place,
    /// What it says.
    pub requirement: Requirement,
    /// Whether it is about the environment.
    pub assumption: bool,
}

/// The requirements of a component, with all ids or those given.
///
/// # Errors
/// A component or requirement that the project does not have.
pub fn component_set(
    project: &Project,
    analysis: &Analysis,
    component: &str,
    only: &[String],
) -> Result<ComponentSet, Unknown> {
    let component = chosen(analysis, component)?;
    let known = requirements(project, analysis, component, only)?;
    Ok(set_of(project, analysis, component, &known))
}

/// The set of some requirements of a component.
pub(crate) fn set_of(
    project: &Project,
    analysis: &Analysis,
    component: &Component,
    known: &[&Known],
) -> ComponentSet {
    let mut set = ComponentSet {
        store: Store::default(),
        members: Vec::new(),
        variables: Vec::new(),
        inferred: Vec::new(),
        left_out: Vec::new(),
    };
    for known in known {
        let around = Around { project, analysis, component, requests: &[], signals: &[] };
        let id = project.entry(known.place).id.text.clone();
        match sentence(&around, known, &mut set.store) {
            Ok(found) => {
                for symbol in found.variables {
                    if set.variables.iter().all(|it| it.name != symbol.variable.name) {
                        set.variables.push(symbol.variable.clone());
                        if symbol.kind_inferred && symbol.variable.kind != Kind::Constant {
                            set.inferred.push(symbol.variable.name.clone());
                        }
                    }
                }
                let assumption = known.role == ContractRole::Assumption;
                let requirement = found.requirement;
                set.members.push(InSet { id, place: known.place, requirement, assumption });
            }
            Err(reason) => set.left_out.push(Refused { id, place: known.place, reason: reason.to_string() }),
        }
    }
    set
}

impl ComponentSet {
    /// The set as a game.
    pub fn game(&mut self, reading: Reading) -> Set {
        let members: Vec<Member> = self
            .members
            .iter()
            .map(|it| Member { id: &it.id, requirement: &it.requirement, assumption: it.assumption })
            .collect();
        realize::game(&mut self.store, &self.variables, &members, reading)
    }

    /// Ways out of a conflict: the members of a group, and those of them in conflict.
    pub fn repairs(
        &mut self,
        (group, conflict): (&[usize], &[usize]),
        play: Option<&Play>,
        (reading, order): (Reading, Order),
        budget: Budget,
    ) -> Vec<Repair> {
        let members: Vec<Member> = self
            .members
            .iter()
            .map(|it| Member { id: &it.id, requirement: &it.requirement, assumption: it.assumption })
            .collect();
        let (variables, members) = (self.variables.as_slice(), members.as_slice());
        let set = Conflicting { variables, members, group, conflict, reading, order };
        repairs(&mut self.store, set, play, budget)
    }

    /// A requirement that could not be made part of a game.
    pub fn refused(&self, (member, reason): &(usize, NotPlayed)) -> Refused {
        let it = &self.members[*member];
        Refused { id: it.id.clone(), place: it.place, reason: reason.to_string() }
    }
}
