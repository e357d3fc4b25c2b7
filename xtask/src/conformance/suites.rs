//! Tests from requirements: the suites of projects of FRET. The numbers are those that are written here, and a suite has at most a third of
//! the steps of one with a test for each goal. All proofs are checked. What can be forced is shown by the synthesized controller and by random
//! correct systems.

use crate::conformance::exchange::{imported, with_variables};
use crate::failure::{OrFail, Result, no_problems};
use crate::files;
use exchange::{Limits, fret};
use project::exchange::from_fret;
use project::set::{ComponentSet, InSet, component_set};
use project::{Cache, Project};
use realize::{Budget, Member, Order};
use requirement::Reading;
use std::path::Path;
use std::time::{Duration, Instant};
use suite::{Config, Criterion, Fate, Rehearsal, Status, Suite, rehearse, suite};

/// The time limit for a set; a tenth of it is enough on one processor.
const SECONDS: Duration = Duration::from_secs(200);

/// The number of random correct systems.
const SYSTEMS: usize = 20;

/// A set of requirements with its expected suite.
struct Expected {
    name: &'static str,
    /// The file of the project.
    file: &'static str,
    /// A list of variables beside it.
    variables: Option<&'static str>,
    /// The ids of requirements that are left out.
    without: &'static [&'static str],
    /// The numbers of obligations covered and unreachable, of mutants killed and equivalent.
    counts: [usize; 4],
    /// The number of goals that are not decided.
    open: usize,
}

const SETS: [Expected; 4] = [
    Expected {
        name: "liquid mixer",
        file: "fret-cases/LiquidMixer/LM_reqts_and_vars.json",
        variables: None,
        without: &[],
        counts: [175, 0, 251, 12],
        open: 0,
    },
    Expected {
        name: "finite state machine",
        file: "fret-cases/FiniteStateMachine/fsm_reqts_and_vars.json",
        variables: None,
        without: &[],
        counts: [175, 42, 225, 14],
        open: 0,
    },
    // With 6 ticks it contradicts itself.
    Expected {
        name: "lift plus cruise",
        file: "fret-cases/LiftPlusCruise/LPC_mini_reqts_and_vars.json",
        variables: None,
        without: &["LPC_REACH_HOVER_06"],
        counts: [268, 54, 319, 66],
        open: 0,
    },
    Expected {
        name: "HARDENS",
        file: "hardens/requirements.json",
        variables: Some("hardens/requirements_vars.json"),
        without: &[],
        counts: [1250, 104, 1332, 120],
        open: 0,
    },
];

/// Makes the suites; prints a line for each set.
pub(crate) fn check(folder: &Path) -> Result {
    let folder = folder.join("realizability");
    let mut problems = Vec::new();
    println!(
        "{:<22} {:>5} {:>5}  {:>17}  {:>7} {:>11} {:>6} {:>10} {:>8}",
        "requirements",
        "tests",
        "steps",
        "one test each",
        "covered",
        "unreachable",
        "killed",
        "equivalent",
        "seconds"
    );
    for it in &SETS {
        let mut set = read(&folder, it)?;
        for order in [Order::Mealy, Order::Moore] {
            let begun = Instant::now();
            let (made, took, rehearsal) = made(&mut set, order, begun);
            let found = match order {
                Order::Mealy => judged(it, &made, took),
                Order::Moore => Vec::new(),
            };
            let found = found.into_iter().chain(unchecked(&made)).chain(rehearsed(&made, &rehearsal));
            problems.extend(found.map(|what| format!("{} ({}): {what}", it.name, order.name())));
        }
    }
    no_problems(problems)
}

/// The requirements of the component of a project.
fn read(folder: &Path, it: &Expected) -> Result<ComponentSet> {
    let mut project = Project::default();
    let file = fret::read(&files::bytes(&folder.join(it.file))?, Limits::default()).about(it.file)?;
    imported(&mut project, &from_fret(&file.project));
    if let Some(list) = it.variables {
        with_variables(&mut project, &folder.join(list))?;
    }
    let analysis = project.analyse(&mut Cache::default());
    let largest = analysis.components.iter().max_by_key(|it| it.variables.len());
    let name = largest.map(|it| it.name.clone()).unwrap_or_default();
    let all = component_set(&project, &analysis, &name, &[]).or_fail()?;
    let chosen = |id: &String| !it.without.contains(&id.as_str());
    let ids: Vec<String> = all.members.iter().map(|it| it.id.clone()).filter(chosen).collect();
    component_set(&project, &analysis, &name, &ids).or_fail()
}

/// The suite of a set with all criteria, how long it took, and how its strategies did.
fn made(set: &mut ComponentSet, order: Order, begun: Instant) -> (Suite, Duration, Rehearsal) {
    let left = || SECONDS.saturating_sub(begun.elapsed());
    let stop = || left().is_zero();
    let config = Config {
        criteria: &Criterion::ALL,
        reading: Reading::Endless,
        order,
        all_proofs: true,
        budget: Budget { stop: &stop, ..Budget::DEFAULT },
        left: &left,
    };
    let members: Vec<Member> = set.members.iter().map(InSet::member).collect();
    let made = suite(&mut set.store, &set.variables, &members, config);
    let took = begun.elapsed();
    let rehearsal = rehearse(&mut set.store, &set.variables, &members, (&made, SYSTEMS), config);
    (made, took, rehearsal)
}

/// Prints what came of strategies, and returns what was not shown.
fn rehearsed(made: &Suite, rehearsal: &Rehearsal) -> Vec<String> {
    let Rehearsal { strategies, runs, not_shown } = rehearsal;
    println!("{:<22} {strategies} strategies in {runs} runs, {} not shown", "", not_shown.len());
    let text = |it: &(usize, String)| format!("{}: {}", made.obligations[it.0].0.text, it.1);
    not_shown.iter().map(text).collect()
}

/// Prints the numbers of a suite, and returns what is not as expected.
fn judged(it: &Expected, made: &Suite, took: Duration) -> Vec<String> {
    let status = |is: fn(&Status) -> bool| made.obligations.iter().filter(|it| is(&it.1)).count();
    let fate = |is: fn(&Fate) -> bool| made.mutants.iter().filter(|it| is(&it.1)).count();
    let counts = [
        status(|it| matches!(it, Status::Covered { .. })),
        status(|it| matches!(it, Status::Unreachable { .. })),
        fate(|it| matches!(it, Fate::Killed(_))),
        fate(|it| matches!(it, Fate::Equivalent { .. })),
    ];
    let open = made.obligations.len() + made.mutants.len() - counts.iter().sum::<usize>();
    let steps: usize = made.tests.iter().map(|it| it.trace.len()).sum();
    let (tests, (each, each_steps)) = (made.tests.len(), made.one_each);
    let [covered, unreachable, killed, equivalent] = counts;
    println!(
        "{:<22} {tests:>5} {steps:>5}  {each:>8} {each_steps:>8}  {covered:>7} {unreachable:>11} {killed:>6} {equivalent:>10} {:>8.2}",
        it.name,
        took.as_secs_f64()
    );
    let mut problems = Vec::new();
    if counts != it.counts {
        problems.push(format!("expected {:?}, found {counts:?}", it.counts));
    }
    if open != it.open {
        problems.push(format!("{open} goals are not decided, expected {}", it.open));
    }
    if 3 * steps > each_steps {
        problems.push(format!("{steps} steps are more than a third of {each_steps}"));
    }
    problems
}

/// The proofs that are not checked, and why.
fn unchecked(made: &Suite) -> Vec<String> {
    let mut problems = Vec::new();
    for (obligation, status) in &made.obligations {
        if let Status::Unreachable { proof: Err(why), .. } = status {
            problems.push(format!("{}: the proof is not checked: {why}", obligation.text));
        }
    }
    for (_, fate) in &made.mutants {
        if let Fate::Equivalent { proof: Err(why) } = fate {
            problems.push(format!("the proof of a mutant is not checked: {why}"));
        }
    }
    problems
}
