//! Requirements of one component in pairs: those that no implementation satisfies together ([`conflict`](super::conflict)), and those
//! that say the same ([`duplicate`](super::duplicate)).
//!
//! Few pairs need a close look: only requirements that share an output can conflict, and what they demand tells of most of them that they
//! do not ([`demand`]). The others are small games, which are decided exactly. What is known of a pair is
//! remembered as long as neither requirement changes.

mod demand;
mod game;

use super::{Open, conflict, duplicate};
use crate::component::Component;
use crate::finding::Finding;
use crate::parallel;
use crate::project::{Analysis, Known, Project};
use crate::reading::Reading;
use crate::set::{ComponentSet, set_of};
use demand::Demand;
pub(super) use game::Answer;
use requirement::specification::{ContractRole, Kind, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The largest number of pairs of a component that are compared by their outputs.
const COMPARED: usize = 1_000_000;
/// The largest number of pairs of a component that are looked at closely.
const GAMES: usize = 2_000;

/// What is known of the pairs of each component.
#[derive(Debug, Default)]
pub(super) struct Memory(FxHashMap<String, Pairs>);

/// The pairs of a component.
#[derive(Debug, Default)]
struct Pairs {
    /// Guarantees and assumptions, in the order of the documents.
    profiles: Vec<Arc<Profile>>,
    /// What is known of pairs of profiles, by their addresses.
    answers: FxHashMap<(usize, usize), Arc<Answer>>,
    /// Pairs of which there is something to say, by their places among the profiles.
    told: Vec<(usize, usize, Arc<Answer>)>,
    /// Places of requirements that say the same as an earlier one.
    duplicates: Vec<duplicate::Pair>,
    groups: duplicate::Groups,
    /// Whether all pairs were looked at.
    is_complete: bool,
}

/// What the pairs of a requirement depend on.
#[derive(Debug)]
pub(super) struct Profile {
    reading: Arc<Reading>,
    /// The state of the tables of its component.
    state: u64,
    pub(super) role: ContractRole,
    /// The kinds of variables that no table declares.
    undeclared: Vec<(String, Kind)>,
    /// The variables that it mentions, with definitions in place, in order.
    pub(super) variables: Vec<String>,
    /// Those of them that the component chooses, in order.
    outputs: Vec<String>,
    demand: Option<Demand>,
}

impl Profile {
    fn new(known: &Known, state: u64, component: &Component, set: &ComponentSet) -> Option<Profile> {
        let reading = known.reading.clone()?;
        let member = set.members.first()?;
        let mut variables: Vec<&Variable> = set.variables.iter().collect();
        variables.sort_by(|one, other| one.name.cmp(&other.name));
        let is_output = |it: &&Variable| matches!(it.kind, Kind::Output | Kind::Internal);
        let outputs: Vec<&Variable> = variables.iter().copied().filter(is_output).collect();
        let names = |list: &[&Variable]| list.iter().map(|it| it.name.clone()).collect();
        let undeclared = |it: &&Variable| {
            component
                .symbol(&it.name)
                .filter(|it| it.declaration.is_none())
                .map(|_| (it.name.clone(), it.kind))
        };
        Some(Profile {
            reading,
            state,
            role: known.role,
            undeclared: variables.iter().filter_map(undeclared).collect(),
            demand: Demand::new(&set.store, &member.requirement, &variables),
            variables: names(&variables),
            outputs: names(&outputs),
        })
    }

    fn is_current(&self, known: &Known, state: u64, component: &Component) -> bool {
        let same_kind = |(name, kind): &(String, Kind)| {
            component.symbol(name).is_some_and(|it| it.declaration.is_none() && it.variable.kind == *kind)
        };
        self.state == state
            && self.role == known.role
            && known.reading.as_ref().is_some_and(|it| Arc::ptr_eq(it, &self.reading))
            && self.undeclared.iter().all(same_kind)
    }

    /// Whether the two can conflict, as far as their outputs tell.
    fn may_conflict(&self, other: &Profile) -> bool {
        let is_shared = |it: &String| other.outputs.binary_search(it).is_ok();
        let fits =
            self.demand.as_ref().zip(other.demand.as_ref()).is_some_and(|(one, other)| one.fits(other));
        !fits && self.outputs.iter().any(is_shared)
    }
}

/// Adds what is wrong with pairs of requirements; returns those that could not be decided.
pub(super) fn check(
    project: &Project,
    analysis: &Analysis,
    states: &[u64],
    memory: &mut Memory,
    findings: &mut Vec<Finding>,
) -> Vec<Open> {
    let mut owned: Vec<Vec<&Known>> = vec![Vec::new(); states.len()];
    for known in &analysis.requirements {
        if let Some(component) = known.component
            && known.reading.as_ref().is_some_and(|reading| reading.is_sound())
        {
            owned[component].push(known);
        }
    }
    let mut old = std::mem::take(&mut memory.0);
    let mut undecided = Vec::new();
    for (at, (component, owned)) in analysis.components.iter().zip(owned).enumerate() {
        let before = old.remove(&component.name).unwrap_or_default();
        let around = Around { project, analysis, component, state: states[at] };
        let (known, pairs) = around.pairs(&owned, before);
        around.tell(&known, &pairs, findings, &mut undecided);
        memory.0.insert(component.name.clone(), pairs);
    }
    undecided
}

/// A component in its project.
pub(super) struct Around<'a> {
    pub(super) project: &'a Project,
    pub(super) analysis: &'a Analysis,
    pub(super) component: &'a Component,
    state: u64,
}

impl<'a> Around<'a> {
    /// The requirements that can be part of a pair, and what is known of the pairs.
    fn pairs(&self, owned: &[&'a Known], mut before: Pairs) -> (Vec<&'a Known>, Pairs) {
        let profiles = self.profiles(owned, &before);
        let (known, profiles): (Vec<&Known>, Vec<Arc<Profile>>) =
            owned.iter().copied().zip(profiles).filter_map(|(known, it)| Some((known, it?))).unzip();
        let address = |it: &Arc<Profile>| Arc::as_ptr(it) as usize;
        if profiles.iter().map(address).eq(before.profiles.iter().map(address)) {
            return (known, before);
        }
        let is_assumption = |it: &&Arc<Profile>| it.role == ContractRole::Assumption;
        let assumptions = |profiles: &[Arc<Profile>]| -> Vec<usize> {
            profiles.iter().filter(is_assumption).map(address).collect()
        };
        // A pair may be in conflict without an assumption, and not with it.
        if assumptions(&profiles) != assumptions(&before.profiles) {
            before.answers.clear();
        }
        let (candidates, is_complete) = candidates(&profiles);
        let key = |&(one, other): &(usize, usize)| (address(&profiles[one]), address(&profiles[other]));
        let missing: Vec<(usize, usize)> =
            candidates.iter().copied().filter(|it| !before.answers.contains_key(&key(it))).collect();
        let assumed: Vec<&Known> =
            known.iter().copied().filter(|it| it.role == ContractRole::Assumption).collect();
        let made = parallel::map(&missing, |&(one, other)| {
            Arc::new(game::judged(self, [known[one], known[other]], &assumed))
        });
        before.answers.extend(missing.iter().map(key).zip(made));
        let mut pairs = Pairs { is_complete, ..Pairs::default() };
        for pair in candidates {
            let Some(answer) = before.answers.get(&key(&pair)) else { continue };
            if **answer != Answer::Fine {
                pairs.told.push((pair.0, pair.1, answer.clone()));
            }
            pairs.answers.insert(key(&pair), answer.clone());
        }
        pairs.duplicates = duplicate::find(self, &known, &profiles, &mut before.groups);
        pairs.groups = before.groups;
        pairs.profiles = profiles;
        (known, pairs)
    }

    fn profiles(&self, owned: &[&Known], before: &Pairs) -> Vec<Option<Arc<Profile>>> {
        let by_reading: FxHashMap<usize, &Arc<Profile>> =
            before.profiles.iter().map(|it| (Arc::as_ptr(&it.reading) as usize, it)).collect();
        let old: Vec<Option<&Arc<Profile>>> = owned
            .iter()
            .map(|known| {
                let found = by_reading.get(&(Arc::as_ptr(known.reading.as_ref()?) as usize))?;
                found.is_current(known, self.state, self.component).then_some(*found)
            })
            .collect();
        let missing: Vec<&Known> =
            owned.iter().zip(&old).filter(|(_, old)| old.is_none()).map(|(known, _)| *known).collect();
        let made = parallel::map(&missing, |known| {
            let set = set_of(self.project, self.analysis, self.component, &[known]);
            Profile::new(known, self.state, self.component, &set).map(Arc::new)
        });
        let mut made = made.into_iter();
        old.into_iter().map(|old| old.cloned().or_else(|| made.next().flatten())).collect()
    }

    fn tell(&self, known: &[&Known], pairs: &Pairs, findings: &mut Vec<Finding>, undecided: &mut Vec<Open>) {
        let id = |known: &Known| self.project.entry(known.place).id.text.as_str();
        for (one, other, answer) in &pairs.told {
            let pair = [known[*one], known[*other]];
            match &**answer {
                Answer::Unknown(reason) => undecided.push(Open {
                    place: pair[1].place,
                    reason: format!("whether it conflicts with {} is unknown: {reason}", id(pair[0])),
                }),
                answer => findings.extend(conflict::finding(self.project, pair, answer)),
            }
        }
        for it in &pairs.duplicates {
            let pair = [known[it.first], known[it.second]];
            match &it.undecided {
                Some(reason) => undecided.push(Open {
                    place: pair[1].place,
                    reason: format!("whether it says the same as {} is unknown: {reason}", id(pair[0])),
                }),
                None => findings.push(duplicate::finding(self.project, pair)),
            }
        }
        if let (Some(first), false) = (known.first(), pairs.is_complete) {
            let name = &self.component.name;
            let reason = format!(
                "only the first {} pairs of requirements of {name} were compared",
                pairs.answers.len()
            );
            undecided.push(Open { place: first.place, reason });
        }
    }
}

/// Pairs of guarantees that may conflict, in order, and whether these are all.
fn candidates(profiles: &[Arc<Profile>]) -> (Vec<(usize, usize)>, bool) {
    let mut by_output: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, profile) in profiles.iter().enumerate() {
        if profile.role == ContractRole::Guarantee {
            profile.outputs.iter().for_each(|it| by_output.entry(it).or_default().push(at));
        }
    }
    let (mut found, mut compared) = (Vec::new(), 0_usize);
    for (second, profile) in profiles.iter().enumerate() {
        if profile.role != ContractRole::Guarantee {
            continue;
        }
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        for output in &profile.outputs {
            for &first in by_output[output.as_str()].iter().take_while(|it| **it < second) {
                if !seen.insert(first) {
                    continue;
                }
                compared += 1;
                if compared > COMPARED {
                    return (found, false);
                }
                if profiles[first].may_conflict(profile) {
                    if found.len() == GAMES {
                        return (found, false);
                    }
                    found.push((first, second));
                }
            }
        }
    }
    (found, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{project, pump};
    use base::Random;

    /// Requirements whose outputs fit together do not conflict, whatever their templates are.
    #[test]
    fn outputs_that_fit_exclude_conflicts() {
        let mut rng = Random::new(3);
        let mut count = [0; 3];
        let table = "p;input;bool\nq;input;bool\ny;output;bool\nz;output;bool\nn;output;int 0..3\ns;output;enum(a, b)";
        let conditions = ["p", "q", "p", "!q", "y", "n > 1"];
        let responses = [
            "y",
            "!y",
            "n = 2",
            "n != 2",
            "s = a",
            "s != a",
            "n > 1 & y",
            "y | z",
            "p => z",
            "y <=> z",
            "n < 2 xor y",
        ];
        let scopes = [
            "",
            "",
            "in p mode ",
            "before q ",
            "after q ",
            "only in p mode ",
            "only before q ",
            "only after p ",
        ];
        let timings = [
            "immediately",
            "at the next timepoint",
            "always",
            "never",
            "eventually",
            "within 2 ticks",
            "for 2 ticks",
            "after 2 ticks",
            "until C",
            "before C",
            "finally",
        ];
        for _ in 0..400 {
            let mut sentence = || {
                let (scope, timing) = (rng.pick(&scopes), rng.pick(&timings));
                let condition = rng.pick(&["", "when C ", "whenever C "]);
                let mut sentence =
                    format!("{scope}{condition}the Pump shall {timing} satisfy {}", rng.pick(&responses));
                while sentence.contains('C') {
                    sentence = sentence.replacen('C', rng.pick(&conditions), 1);
                }
                sentence
            };
            let pair = [sentence(), sentence()];
            let (project, _) = project(&[&pump(table, &[&pair[0], &pair[1]])]);
            let analysis = project.analyse(&mut crate::Cache::default());
            let around = Around {
                project: &project,
                analysis: &analysis,
                component: &analysis.components[0],
                state: 0,
            };
            let known: Vec<&Known> = analysis.requirements.iter().collect();
            let profiles: Vec<Arc<Profile>> =
                around.profiles(&known, &Pairs::default()).into_iter().flatten().collect();
            let [one, other] = &profiles[..] else { continue };
            let answer = game::judged(&around, [known[0], known[1]], &[]);
            let is_conflict = matches!(answer, Answer::Conflict(_));
            assert!(!matches!(answer, Answer::Unknown(_)), "{pair:?} {answer:?}");
            match one.may_conflict(other) {
                false => assert!(!is_conflict, "{pair:?}"),
                true => count[usize::from(is_conflict)] += 1,
            }
            count[2] += 1;
        }
        assert!(count[0] > 20 && count[1] > 5 && count[2] == 400, "{count:?}");
    }

    /// Too many pairs are named, not called fine.
    #[test]
    fn too_many_pairs_are_named() {
        let sentences: Vec<String> =
            (0..80).map(|it| format!("when x > {it} the Pump shall immediately satisfy y = {it}")).collect();
        let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let (_, checked) = project(&[&pump("x;input;int 0..99\ny;output;int 0..99", &sentences)]);
        let undecided: Vec<&str> = checked.undecided.iter().map(|it| it.reason.as_str()).collect();
        assert_eq!(undecided, ["only the first 2000 pairs of requirements of Pump were compared"]);
    }
}
