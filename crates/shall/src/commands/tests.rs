//! `shall tests`: tests for everything that requirements say.

mod model;
mod program;
mod run;
mod show;
mod write;

use crate::cli::Output;
use crate::cli::realize::EndReading;
use crate::cli::tests::{Criterion, Tests, Wanted};
use crate::files::write_file;
use crate::json::{LeftOut, Named, Values, steps};
use crate::workspace::Workspace;
use crate::{Error, Outcome};
use project::mapping::requests;
use project::monitors::Refused;
use project::set::{ComponentSet, InSet, component_set};
use project::{Cache, Project};
use realize::{Budget, Correct, Member, Order};
use requirement::Reading;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use suite::{Config, Fate, Status, Suite, rehearse, suite};

/// Tests, and what they show.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Tested {
    /// `endless`: runs go on for ever; `any-end`: a run may end after any step, as in FRET.
    reading: &'static str,
    /// `mealy`: outputs may depend on the inputs of the same step; `moore`: only on earlier ones.
    order: &'static str,
    /// The time it took.
    seconds: f64,
    /// The tests.
    tests: Vec<Test>,
    /// What must be shown, and whether it is.
    obligations: Vec<Obligation>,
    /// Requirements with a small error.
    mutants: Mutants,
    /// The size of a suite with one shortest test for each thing that is shown, for comparison.
    one_each: Size,
    /// Groups of requirements that share outputs; each has its own tests.
    groups: Vec<Group>,
    /// Requirements without tests.
    not_tested: Vec<LeftOut>,
    /// The tests that were run against a system.
    runs: Vec<run::Ran>,
    /// What came of strategies that were run against correct systems; `null` if that is not asked for.
    rehearsal: Option<Rehearsed>,
    /// The files that were written.
    files: Vec<PathBuf>,
}

/// A run that satisfies every requirement of its group.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Test {
    /// Its name, which is unique.
    name: String,
    /// The component.
    component: String,
    /// The index of the group.
    group: usize,
    /// Inputs and outputs, step by step. A system may choose other outputs where the requirements leave a choice: whether they are right
    /// is for the requirements to say, after each step.
    steps: Vec<Values>,
    /// For each step, the outputs that every correct system gives there.
    forced: Vec<Vec<String>>,
    /// For each step, the outputs that a correct system may choose. Of outputs in neither list, that is not known.
    free: Vec<Vec<String>>,
    /// Outputs that would violate one requirement only.
    wrong: Vec<Wrong>,
    #[serde(skip)]
    trace: logic::Trace,
}

/// Outputs that would be wrong.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Wrong {
    /// The id of the requirement that they violate.
    requirement: String,
    /// The step.
    step: usize,
    /// The outputs, in the place of those of the test.
    outputs: Values,
}

/// Something that tests must show.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Obligation {
    /// The id of the requirement.
    requirement: String,
    /// `moments`, `causes`, `decisions` or `boundaries`.
    kind: &'static str,
    /// What must be shown.
    text: String,
    /// `covered`; `unreachable`: proved that no correct system shows it; `unknown`.
    status: &'static str,
    /// The name of a test that shows it; otherwise `null`.
    test: Option<String>,
    /// The step at which the test shows it; otherwise `null`.
    step: Option<usize>,
    /// Whether inputs can force it whatever a correct system does; `null` if it is not covered, or that is not known.
    forced: Option<bool>,
    /// The requirements that forbid it, if it is unreachable; none if the assumptions or its own form do.
    forbidden_by: Vec<String>,
    /// Whether each of these is shown to be needed; `null` if it is reachable or unknown.
    minimal: Option<bool>,
    /// Whether the proof was checked by a program that shares nothing with the search; `null` if it is not unreachable.
    checked: Option<bool>,
    /// Why it is unknown, why the proof was not checked, or why it is not known whether inputs can force it; otherwise `null`.
    reason: Option<String>,
    /// `shown` or `not shown` by the system that the tests were run against; otherwise `null`.
    result: Option<&'static str>,
}

/// Requirements with a small error.
#[derive(Serialize, JsonSchema, Default)]
pub(crate) struct Mutants {
    /// The number that tests tell from the requirement.
    killed: usize,
    /// The number that is proved equal to the requirement, as far as correct systems go.
    equivalent: usize,
    /// The number that is not decided.
    undecided: usize,
    /// Each of them.
    list: Vec<Mutant>,
}

/// A requirement with a small error.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Mutant {
    /// The id of the requirement.
    requirement: String,
    /// The kind of error, such as `bound off by one`.
    kind: &'static str,
    /// The formula, which holds at the last step of the traces that it accepts.
    formula: String,
    /// `killed`, `equivalent` or `undecided`.
    status: &'static str,
    /// The name of a test that kills it; otherwise `null`.
    test: Option<String>,
    /// The step at which the verdicts differ; otherwise `null`.
    step: Option<usize>,
    /// It accepts wrong outputs of that step; otherwise it rejects the test itself. `null` if it is not killed.
    accepts: Option<bool>,
    /// Whether the proof was checked by a program that shares nothing with the search; `null` if it is not equivalent.
    checked: Option<bool>,
    /// Why it is undecided, or why the proof was not checked; otherwise `null`.
    reason: Option<String>,
}

/// What came of strategies that were run against correct systems.
#[derive(Serialize, JsonSchema, Default)]
pub(crate) struct Rehearsed {
    /// The number of strategies.
    strategies: usize,
    /// The number of times that one was run against a system.
    runs: usize,
    /// What a correct system did not show, and why.
    not_shown: Vec<String>,
}

/// The size of a suite.
#[derive(Serialize, JsonSchema, Default)]
pub(crate) struct Size {
    /// The number of tests.
    tests: usize,
    /// The number of steps of all of them.
    steps: usize,
}

/// Requirements that share outputs.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Group {
    /// The component.
    component: String,
    /// The ids of its requirements.
    requirements: Vec<String>,
    /// Its outputs.
    outputs: Vec<String>,
    /// Which systems the tests are runs of: `correct`: those that satisfy the requirements whatever the environment does; `unrealizable`:
    /// there are none, so the tests need the help of the environment; `unknown`: it is not known whether there are any; `contradictory`:
    /// no run satisfies the requirements; `timeout`.
    systems: &'static str,
}

pub(crate) fn run(command: &Tests, output: Output) -> Result<Outcome, Error> {
    let begun = Instant::now();
    let reading = reading_of(&command.wanted);
    let order = if command.wanted.moore { Order::Moore } else { Order::Mealy };
    let mut tested = Tested {
        reading: reading.name(),
        order: order.name(),
        seconds: 0.0,
        tests: Vec::new(),
        obligations: Vec::new(),
        mutants: Mutants::default(),
        one_each: Size::default(),
        groups: Vec::new(),
        not_tested: Vec::new(),
        runs: Vec::new(),
        rehearsal: command.tried.rehearse.map(|_| Rehearsed::default()),
        files: Vec::new(),
    };
    let mut failed = None;
    each_component(&command.wanted, (begun, command.check_proofs), |done| {
        let Done { name, set, left_out, made, config, project } = done;
        // A step takes a second if the project does not say.
        let step = project.config.step.as_ref().map_or(1.0, |it| it.seconds().to_f64().value());
        let map = requests(project, name, &command.tried.map);
        let map: Vec<(String, String)> = map.into_iter().map(|it| (it.variable, it.signal)).collect();
        tested.add(name, set, left_out, &made);
        let written = command.into.as_deref().map_or(Ok(()), |folder| {
            write::write(&mut tested, (folder, &command.to), (name, set, &made), step)
        });
        let ran = run::run(&mut tested, (&command.tried, &map), (name, set, &made), config);
        if let Err(error) = written.and(ran) {
            failed.get_or_insert(error);
        }
        if let (Some(systems), Some(rehearsed)) = (command.tried.rehearse, &mut tested.rehearsal) {
            rehearsed.add(set, (&made, usize::from(systems)), config);
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    tested.seconds = begun.elapsed().as_secs_f64();
    for (file, text) in
        [(&command.tried.junit, run::junit as fn(&Tested) -> String), (&command.tried.html, run::html)]
    {
        if let Some(file) = file {
            write_file(file, text(&tested))?;
        }
    }
    output.show(|| show::human(&tested), || &tested)?;
    Ok(tested.outcome().max(run::outcome(&tested.runs)))
}

fn reading_of(wanted: &Wanted) -> Reading {
    match wanted.reading {
        EndReading::Endless => Reading::Endless,
        EndReading::AnyEnd => Reading::AnyEnd,
    }
}

/// The criteria that are asked for; all by default.
pub(super) fn criteria_of(wanted: &Wanted) -> Vec<suite::Criterion> {
    let all = suite::Criterion::ALL.to_vec();
    if wanted.criteria.is_empty() {
        return all;
    }
    let chosen = |it: &Criterion| match it {
        Criterion::Moments => suite::Criterion::Moments,
        Criterion::Causes => suite::Criterion::Causes,
        Criterion::Decisions => suite::Criterion::Decisions,
        Criterion::Boundaries => suite::Criterion::Boundaries,
        Criterion::Mutants => suite::Criterion::Mutants,
    };
    let chosen: Vec<suite::Criterion> = wanted.criteria.iter().map(chosen).collect();
    all.into_iter().filter(|it| chosen.contains(it)).collect()
}

/// A component with its suite.
pub(super) struct Done<'a> {
    pub(super) name: &'a str,
    pub(super) set: &'a mut ComponentSet,
    /// Requirements without tests.
    pub(super) left_out: Vec<Refused>,
    pub(super) made: Suite,
    pub(super) config: Config<'a>,
    pub(super) project: &'a Project,
}

/// Makes a suite for each component that is asked for.
pub(super) fn each_component(
    wanted: &Wanted,
    (begun, all_proofs): (Instant, bool),
    mut work: impl FnMut(Done),
) -> Result<(), Error> {
    let timeout = Duration::from_secs(wanted.timeout);
    let workspace = Workspace::open(&wanted.path)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let names: Vec<String> = match &wanted.component {
        Some(name) => vec![name.clone()],
        None => analysis.components.iter().map(|it| it.name.clone()).collect(),
    };
    let criteria = criteria_of(wanted);
    let order = if wanted.moore { Order::Moore } else { Order::Mealy };
    let mut sets = Vec::new();
    for name in &names {
        let set = component_set(&workspace.project, &analysis, name, &wanted.only);
        sets.push(set.map_err(Error::refused)?);
    }
    let sizes: Vec<usize> = sets.iter().map(|it| it.members.len()).collect();
    for (done, (name, mut set)) in names.iter().zip(sets).enumerate() {
        // A component has a share of the time by the number of its requirements.
        let rest = timeout.saturating_sub(begun.elapsed()).as_secs_f64();
        let share = sizes[done] as f64 / sizes[done..].iter().sum::<usize>().max(1) as f64;
        let until = begun.elapsed() + Duration::from_secs_f64(rest * share);
        let left = || until.saturating_sub(begun.elapsed());
        let stop = || left().is_zero();
        let budget = Budget { stop: &stop, ..Budget::DEFAULT };
        let reading = reading_of(wanted);
        let config = Config { criteria: &criteria, reading, order, all_proofs, budget, left: &left };
        let members: Vec<Member> = set.members.iter().map(InSet::member).collect();
        let made = suite(&mut set.store, &set.variables, &members, config);
        let refused = made.refused.iter().map(|it| set.refused(it));
        let left_out = set.left_out.iter().cloned().chain(refused).collect();
        work(Done { name, set: &mut set, left_out, made, config, project: &workspace.project });
    }
    Ok(())
}

/// The name of a test of a component.
pub(super) fn test_name(component: &str, test: usize) -> String {
    format!("{component}-{}", test + 1)
}

impl Test {
    /// A test; its group is counted from `first_group` on.
    pub(super) fn new(
        component: &str,
        at: usize,
        first_group: usize,
        test: &suite::Test,
        ids: &[&str],
    ) -> Test {
        let wrong = |it: &suite::Violation| Wrong {
            requirement: ids[it.member].to_owned(),
            step: it.step,
            outputs: Named(it.outputs.iter().map(|(name, value)| (name.clone(), value.into())).collect()),
        };
        Test {
            name: test_name(component, at),
            component: component.to_owned(),
            group: first_group + test.group,
            steps: steps(&test.trace),
            forced: outputs(test, true),
            free: outputs(test, false),
            wrong: test.violations.iter().map(wrong).collect(),
            trace: test.trace.clone(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The test as a table. Outputs that a correct system may choose are in parentheses.
    pub(super) fn table(&self) -> String {
        draw::table::with_free(&self.trace, |name, step| self.free[step].iter().any(|it| it == name))
    }
}

/// The outputs of each step of a test that are the only correct ones, or that are not.
fn outputs(test: &suite::Test, only: bool) -> Vec<Vec<String>> {
    let of_step = |step: usize| {
        let chosen = test.expected.iter().filter(|it| it.only[step] == Some(only));
        chosen.map(|it| it.output.clone()).collect()
    };
    (0..test.trace.len()).map(of_step).collect()
}

impl Rehearsed {
    fn add(&mut self, set: &mut ComponentSet, made: (&Suite, usize), config: Config) {
        let members: Vec<Member> = set.members.iter().map(InSet::member).collect();
        let done = rehearse(&mut set.store, &set.variables, &members, made, config);
        self.strategies += done.strategies;
        self.runs += done.runs;
        self.not_shown.extend(done.not_shown.into_iter().map(|(at, why)| {
            let it = &made.0.obligations[at].0;
            format!("{}: {}: {why}", set.members[it.member].id, it.text)
        }));
    }
}

impl Tested {
    fn add(&mut self, component: &str, set: &ComponentSet, left_out: Vec<Refused>, made: &Suite) {
        let id = |member: usize| set.members[member].id.clone();
        let first_group = self.groups.len();
        let name = |test: usize| test_name(component, test);
        self.not_tested.extend(left_out.into_iter().map(|it| LeftOut { id: it.id, reason: it.reason }));
        self.groups.extend(made.groups.iter().map(|it| Group {
            component: component.to_owned(),
            requirements: it.members.iter().map(|it| id(*it)).collect(),
            outputs: it.outputs.clone(),
            systems: match it.correct {
                Some(Correct::Winning) => "correct",
                Some(Correct::NoneWins) => "unrealizable",
                Some(Correct::Unknown(_)) => "unknown",
                Some(Correct::NoRun) => "contradictory",
                None => "timeout",
            },
        }));
        let ids: Vec<&str> = set.members.iter().map(|it| it.id.as_str()).collect();
        let tests = made.tests.iter().enumerate();
        self.tests.extend(tests.map(|(at, it)| Test::new(component, at, first_group, it, &ids)));
        for (obligation, status) in &made.obligations {
            let mut shown = Obligation {
                requirement: id(obligation.member),
                kind: obligation.criterion.name(),
                text: obligation.text.clone(),
                status: "unknown",
                test: None,
                step: None,
                forced: None,
                forbidden_by: Vec::new(),
                minimal: None,
                checked: None,
                reason: None,
                result: None,
            };
            match status {
                Status::Covered { test, step, forced } => {
                    shown.status = "covered";
                    (shown.test, shown.step) = (Some(name(*test)), Some(*step));
                    (shown.forced, shown.reason) = (forced.clone().ok(), forced.clone().err());
                }
                Status::Unreachable { forbidden_by, minimal, proof } => {
                    shown.status = "unreachable";
                    (shown.checked, shown.reason) = (Some(proof.is_ok()), proof.clone().err());
                    shown.forbidden_by = forbidden_by.iter().map(|it| id(*it)).collect();
                    shown.minimal = Some(*minimal);
                }
                Status::Unknown(reason) => shown.reason = Some(reason.clone()),
            }
            self.obligations.push(shown);
        }
        for (mutant, fate) in &made.mutants {
            let mut shown = Mutant {
                requirement: id(mutant.member),
                kind: mutant.mutation.name(),
                formula: logic::print(&set.store, mutant.formula, &logic::SHALL).unwrap_or_default(),
                status: "undecided",
                test: None,
                step: None,
                accepts: None,
                checked: None,
                reason: None,
            };
            match fate {
                Fate::Killed(it) => {
                    shown.status = "killed";
                    self.mutants.killed += 1;
                    (shown.test, shown.step, shown.accepts) =
                        (Some(name(it.test)), Some(it.step), Some(it.accepts));
                }
                Fate::Equivalent { proof } => {
                    shown.status = "equivalent";
                    (shown.checked, shown.reason) = (Some(proof.is_ok()), proof.clone().err());
                    self.mutants.equivalent += 1;
                }
                Fate::Undecided(reason) => {
                    self.mutants.undecided += 1;
                    shown.reason = Some(reason.clone());
                }
            }
            self.mutants.list.push(shown);
        }
        self.one_each.tests += made.one_each.0;
        self.one_each.steps += made.one_each.1;
    }

    fn outcome(&self) -> Outcome {
        let is = |systems: &str| self.groups.iter().any(|it| it.systems == systems);
        if is("unrealizable") || is("contradictory") {
            return Outcome::Findings;
        }
        let open = self.obligations.iter().any(|it| it.status == "unknown")
            || self.mutants.undecided > 0
            || self.rehearsal.as_ref().is_some_and(|it| !it.not_shown.is_empty());
        match open || is("unknown") || is("timeout") || !self.not_tested.is_empty() {
            true => Outcome::Inconclusive,
            false => Outcome::Fine,
        }
    }
}
