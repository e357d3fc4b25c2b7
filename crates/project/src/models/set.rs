//! The requirements of a component as a set that is judged together.
//!
//! Each sentence has its definitions in place. Inputs are chosen by the environment, outputs and internal variables without a definition by
//! the component. What cannot be part of the set is left out with the reason, and a verdict about the rest says so.

use super::monitors::{Around, Refused, Unknown, chosen, requirements, sentence};
use crate::component::Component;
use crate::project::{Analysis, Known, Place, Project};
use logic::{Node, Store};
use realize::{Budget, Conflicting, Member, NotPlayed, Order, Play, Repair, Set, repairs};
use requirement::specification::{ContractRole, Kind, Variable};
use requirement::{Reading, Requirement};
use rustc_hash::{FxHashMap, FxHashSet};
use system::places::Union;

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

impl InSet {
    /// The requirement as a member of a game.
    pub fn member(&self) -> Member<'_> {
        Member { id: &self.id, requirement: &self.requirement, assumption: self.assumption }
    }
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
        let all: Vec<usize> = (0..self.members.len()).collect();
        self.game_of(&all, reading)
    }

    /// Some members as a game. Members of the game are indices of this set.
    pub fn game_of(&mut self, chosen: &[usize], reading: Reading) -> Set {
        let mentioned: FxHashSet<&str> = chosen.iter().flat_map(|it| self.mentioned(*it)).collect();
        let variables: Vec<Variable> =
            self.variables.iter().filter(|it| mentioned.contains(it.name.as_str())).cloned().collect();
        let members: Vec<Member> = chosen.iter().map(|it| self.members[*it].member()).collect();
        let mut set = realize::game(&mut self.store, &variables, &members, reading);
        set.members.iter_mut().for_each(|it| *it = chosen[*it]);
        set.refused.iter_mut().for_each(|it| it.0 = chosen[it.0]);
        set
    }

    /// Members that share outputs, directly or through others; all assumptions are in each group. The whole is realizable exactly if
    /// each group is.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let is_output = |it: &Variable| matches!(it.kind, Kind::Output | Kind::Internal);
        let outputs: FxHashMap<&str, usize> = self
            .variables
            .iter()
            .filter(|it| is_output(it))
            .zip(0..)
            .map(|(it, at)| (it.name.as_str(), at))
            .collect();
        let touched = |member: usize| -> Vec<usize> {
            self.mentioned(member).filter_map(|name| outputs.get(name).copied()).collect()
        };
        let mut union = Union::new(outputs.len());
        let assumed: Vec<usize> = (0..self.members.len()).filter(|it| self.members[*it].assumption).collect();
        let of_assumptions: Vec<usize> = assumed.iter().flat_map(|it| touched(*it)).collect();
        let of: Vec<Vec<usize>> = (0..self.members.len()).map(touched).collect();
        for outputs in of.iter().chain([&of_assumptions]) {
            outputs.windows(2).for_each(|pair| union.join(pair[0], pair[1]));
        }
        let mut groups: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
        for member in (0..self.members.len()).filter(|it| !self.members[*it].assumption) {
            let root = of[member].first().map(|it| union.find(*it));
            match groups.iter_mut().find(|it| root.is_some() && it.0 == root) {
                Some((_, group)) => group.push(member),
                None => groups.push((root, vec![member])),
            }
        }
        let with_assumptions =
            |(_, group): (_, Vec<usize>)| group.into_iter().chain(assumed.iter().copied()).collect();
        // Assumptions alone are a group, too.
        if groups.is_empty() && !assumed.is_empty() {
            groups.push((None, Vec::new()));
        }
        groups.into_iter().map(with_assumptions).collect()
    }

    /// The names that a member mentions.
    fn mentioned(&self, member: usize) -> impl Iterator<Item = &str> {
        let roots = self.members[member].requirement.roots();
        self.store.reachable(roots).into_iter().filter_map(|id| match self.store.node(id) {
            Node::Var(symbol) => Some(self.store.name(*symbol)),
            _ => None,
        })
    }

    /// Ways out of a conflict: the members of a group, and those of them in conflict.
    pub fn repairs(
        &mut self,
        (group, conflict): (&[usize], &[usize]),
        play: Option<&Play>,
        (reading, order): (Reading, Order),
        budget: Budget,
    ) -> Vec<Repair> {
        let members: Vec<Member> = self.members.iter().map(InSet::member).collect();
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
