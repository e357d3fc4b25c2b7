//! Suites: tests for everything that requirements say, group by group.

use crate::determine::{Expected, determine};
use crate::group::{Goals, solved};
use crate::obligations::{Criterion, Mutant, Obligation, mutants, obligations};
use logic::{Store, Trace, Value};
use realize::{Budget, Correct, Member, NotPlayed, Order, game};
use requirement::specification::Variable;
use requirement::{Reading, Requirement, past};
use std::time::Duration;

/// What is wanted.
#[derive(Clone, Copy)]
pub struct Config<'a> {
    /// What must be shown.
    pub criteria: &'a [Criterion],
    /// Whether runs end.
    pub reading: Reading,
    /// Who chooses first.
    pub order: Order,
    /// Whether large proofs are checked, too.
    pub all_proofs: bool,
    /// Limits.
    pub budget: Budget<'a>,
    /// The remaining time, which groups share; the library reads no clock.
    pub left: &'a (dyn Fn() -> Duration + Sync),
}

/// Tests, and what they show.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The tests.
    pub tests: Vec<Test>,
    /// What must be shown, and whether it is.
    pub obligations: Vec<(Obligation, Status)>,
    /// Requirements with a small error, and whether a test tells them from the requirement.
    pub mutants: Vec<(Mutant, Fate)>,
    /// Groups of requirements that share outputs: each has its own tests.
    pub groups: Vec<Group>,
    /// Requirements without tests, and why.
    pub refused: Vec<(usize, NotPlayed)>,
    /// The number of tests and of steps of a suite with one shortest test for each thing that is shown.
    pub one_each: (usize, usize),
}

/// A group of requirements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The indices of its requirements, without assumptions.
    pub members: Vec<usize>,
    /// The names of its outputs.
    pub outputs: Vec<String>,
    /// Which systems the tests are runs of; `None` if that was not found out.
    pub correct: Option<Correct>,
}

/// A test: a run that satisfies every requirement of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The index of the group.
    pub group: usize,
    /// Inputs and outputs. A system may choose other outputs; the requirements decide whether they are right.
    pub trace: Trace,
    /// Outputs that would be wrong.
    pub violations: Vec<Violation>,
    /// Which outputs of the trace are the only correct ones.
    pub expected: Vec<Expected>,
}

/// Outputs that violate one requirement only.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The index of the requirement.
    pub member: usize,
    /// The step.
    pub step: usize,
    /// The outputs, in the place of those of the test.
    pub outputs: Vec<(String, Value)>,
}

/// Whether something is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// By a test, at a step.
    Covered {
        /// The index of the test.
        test: usize,
        /// The step.
        step: usize,
        /// Whether inputs can force it, whatever a correct system does, or why that is not known.
        forced: Result<bool, String>,
    },
    /// No run of a correct system shows it.
    Unreachable {
        /// The indices of requirements that forbid it; none if the assumptions, or nothing but its own form, forbid it.
        forbidden_by: Vec<usize>,
        /// Whether each of them is shown to be needed.
        minimal: bool,
        /// Whether the proof was checked, or why it was not.
        proof: Result<(), String>,
    },
    /// Not decided, and why.
    Unknown(String),
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A test tells it from the requirement.
    Killed(Killed),
    /// No run tells it from the requirement among systems that satisfy the others.
    Equivalent {
        /// Whether the proof was checked, or why it was not.
        proof: Result<(), String>,
    },
    /// Not decided, and why.
    Undecided(String),
}

/// How a mutant is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Killed {
    /// The index of the test.
    pub test: usize,
    /// The step at which the two verdicts differ.
    pub step: usize,
    /// The mutant accepts what violates the requirement there; otherwise it rejects the test itself.
    pub accepts: bool,
}

/// Makes a suite.
pub fn suite(store: &mut Store, variables: &[Variable], members: &[Member], config: Config) -> Suite {
    let whole = game(store, variables, members, config.reading);
    let mut components = whole.game.components();
    // The largest group comes last, so that it has the time that the others leave.
    components.sort_by_key(|it| it.guarantees.len());
    let count = components.len();
    let mut suite = Suite { refused: whole.refused.clone(), ..Suite::default() };
    for (done, component) in components.into_iter().enumerate() {
        let chosen: Vec<usize> = component.guarantees.iter().map(|it| whole.members[*it]).collect();
        let name = |it: &system::Var| whole.game.system.variables[it.index()].name.clone();
        let group = suite.groups.len();
        suite.groups.push(Group {
            members: chosen.clone(),
            outputs: component.outputs.iter().map(name).collect(),
            correct: None,
        });
        let goals = goals(store, variables, members, &chosen, config.criteria);
        let share = (config.left)() / u32::try_from(count - done).unwrap_or(u32::MAX).max(1);
        let until = (config.left)().saturating_sub(share);
        let stop = || (config.left)() <= until;
        let budget = Budget { stop: &stop, ..config.budget };
        let config = Config { budget, ..config };
        let (solved, mut game, mut known) = solved(store, variables, members, goals, group, config);
        let first = suite.tests.len();
        solved.add_to(&mut suite, store, members);
        if suite.groups[group].correct == Some(Correct::Winning) {
            determine(&mut game, &mut known, &mut suite.tests[first..], config);
        }
    }
    suite
}

/// What the tests of a group must show. Requirements that cannot be part of a game are not among the members.
fn goals(
    store: &mut Store,
    variables: &[Variable],
    members: &[Member],
    chosen: &[usize],
    criteria: &[Criterion],
) -> Goals {
    let mut goals = Goals { members: chosen.to_vec(), ..Goals::default() };
    for &member in chosen {
        let requirement: &Requirement = members[member].requirement;
        let Ok(verdict) = past(store, requirement) else { continue };
        goals.verdicts.push((member, verdict));
        goals
            .obligations
            .extend(obligations(store, (member, requirement), variables, criteria).unwrap_or_default());
        if criteria.contains(&Criterion::Mutants) {
            goals.mutants.extend(mutants(store, (member, requirement)).unwrap_or_default());
        }
    }
    goals
}
