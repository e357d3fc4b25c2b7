//! FRET projects judged together, group by group: the verdicts are those below, and each controller, written as Lustre and read back, satisfies
//! all requirements of its group, which are observed anew.

use super::{SECONDS, Sum, valid};
use crate::conformance::exchange::{imported, with_variables};
use crate::failure::{OrFail, Result};
use crate::files;
use exchange::Limits;
use exchange::fret;
use export::system::lustre;
use lustre::{Options, read};
use project::exchange::from_fret;
use project::monitors::add_requirement;
use project::set::{ComponentSet, component_set};
use project::{Cache, Project};
use realize::{Budget, Component, Order, Outcome, Set, Strategy, judge};
use requirement::Reading;
use shall::solver::Driver;
use std::path::Path;
use std::time::{Duration, Instant};
use system::{Expr, Origin};

/// A file with projects, and what is known about them.
struct Case {
    file: &'static str,
    /// A list of variables beside it.
    variables: Option<&'static str>,
    /// Requirements that are left out.
    without: &'static [&'static str],
    /// The numbers of groups that are realizable, unrealizable and unknown.
    expected: [usize; 3],
}

const CASES: [Case; 10] = [
    Case { expected: [5, 1, 0], ..Case::of("fret-cases/LiquidMixer/LM_reqts_and_vars.json") },
    Case { expected: [1, 2, 0], ..Case::of("fret-cases/FiniteStateMachine/fsm_reqts_and_vars.json") },
    Case { expected: [1, 0, 0], without: &["LPC_REACH_HOVER_06"], ..Case::of(LPC_MINI) },
    Case { expected: [0, 1, 0], without: &["LPC_REACH_HOVER_12"], ..Case::of(LPC_MINI) },
    Case { expected: [0, 1, 0], ..Case::of("fret-cases/LiftPlusCruise/LPC_full_reqts_and_vars.json") },
    Case { expected: [16, 4, 3], ..Case::of("fret-cases/LMCPS/LM_requirements.json") },
    Case { expected: [74, 2, 2], ..Case::of("fret-fm21/GPCA/Requirements/Infusion_Manager.json") },
    Case { expected: [38, 0, 1], ..Case::of("fret-fm21/LMCPS/Requirements/LMCPS.json") },
    Case { expected: [39, 0, 1], ..Case::of("fret-fm21/Liquid_Mixer/Requirements/Liquid_mixer.json") },
    Case {
        expected: [14, 0, 0],
        variables: Some("hardens/requirements_vars.json"),
        ..Case::of("hardens/requirements.json")
    },
];

const LPC_MINI: &str = "fret-cases/LiftPlusCruise/LPC_mini_reqts_and_vars.json";

impl Case {
    const fn of(file: &'static str) -> Case {
        Case { file, variables: None, without: &[], expected: [0; 3] }
    }
}

/// Judges all projects below a folder; prints a line for each file.
pub(super) fn check(folder: &Path, driver: &Driver, wrong: &mut Vec<String>) -> Result {
    println!(
        "{:<28} {:>10} {:>12} {:>7} {:>9} {:>12} {:>11}",
        "project", "realizable", "unrealizable", "unknown", "seconds", "certificates", "controllers"
    );
    for case in &CASES {
        let bytes = files::bytes(&folder.join(case.file))?;
        let file = fret::read(&bytes, Limits::default()).about(case.file)?;
        let mut sum = Sum::default();
        let mut counts = [0; 3];
        for given in fret::split(&file.project) {
            let mut project = Project::default();
            imported(&mut project, &from_fret(&given));
            if let Some(list) = case.variables {
                with_variables(&mut project, &folder.join(list))?;
            }
            judged(&project, case, driver, &mut (&mut counts, &mut sum));
        }
        let name = case.file.rsplit('/').next().unwrap_or(case.file).trim_end_matches(".json");
        let [real, unreal, unknown] = counts;
        println!(
            "{name:<28} {real:>10} {unreal:>12} {unknown:>7} {:>9.3} {:>12} {:>11}",
            sum.seconds,
            format!("{}/{}", sum.checked, sum.strategies),
            format!("{}/{}", sum.read_back, sum.controllers)
        );
        if counts != case.expected {
            wrong.push(format!("{}: {counts:?}, expected {:?}", case.file, case.expected));
        }
        wrong.extend(sum.problems.drain(..).map(|it| format!("{}: {it}", case.file)));
    }
    Ok(())
}

/// Judges all groups of a project.
fn judged(project: &Project, case: &Case, driver: &Driver, (counts, sum): &mut (&mut [usize; 3], &mut Sum)) {
    let analysis = project.analyse(&mut Cache::default());
    for component in analysis.components.iter() {
        let chosen = |id: &String| !case.without.contains(&id.as_str());
        let Ok(all) = component_set(project, &analysis, &component.name, &[]) else { continue };
        let ids: Vec<String> = all.members.iter().map(|it| it.id.clone()).filter(chosen).collect();
        let Ok(mut set) = component_set(project, &analysis, &component.name, &ids) else { continue };
        let played = set.game(Reading::Endless);
        for group in played.game.components() {
            let part = played.game.part(&group.guarantees);
            let started = Instant::now();
            let stop = || started.elapsed() > Duration::from_secs(SECONDS);
            let judged = judge(&part, Order::Mealy, Budget { stop: &stop, ..Budget::DEFAULT });
            sum.seconds += started.elapsed().as_secs_f64();
            counts[match judged.outcome {
                Outcome::Realizable => 0,
                Outcome::Unrealizable => 1,
                Outcome::Unknown(_) => 2,
            }] += 1;
            let named = || {
                let ids = group.guarantees.iter().map(|it| played.game.guarantees[*it].id.as_str());
                format!("{}: {}", component.name, ids.collect::<Vec<_>>().join(", "))
            };
            let strategy = match judged.strategy {
                Some(Ok(strategy)) => strategy,
                Some(Err(why)) => {
                    println!("    {}: no strategy: {why}", named());
                    continue;
                }
                None => continue,
            };
            if !sum.certificate(&strategy, driver) {
                println!("    {}: certificate not decided in time", named());
            }
            if judged.outcome == Outcome::Realizable {
                let read_back = satisfied(&strategy, (&mut set, &played, &group), driver);
                if read_back == Ok(false) {
                    println!("    {}: controller not decided in time", named());
                }
                sum.controller(read_back.map_err(|it| format!("{}: {it}", component.name)));
            }
        }
    }
}

/// Whether a controller that is written as Lustre and read back satisfies all requirements of a group; `Err` if it does not.
fn satisfied(
    strategy: &Strategy,
    (set, played, group): (&mut ComponentSet, &Set, &Component),
    driver: &Driver,
) -> std::result::Result<bool, String> {
    let written = lustre(&strategy.controller(), "controller", &[]).map_err(|it| it.to_string())?;
    let program = read(&written.text, &|_| None);
    let mut system = program
        .system("controller", &Options::default())
        .map_err(|it| format!("a controller cannot be read back: {:?}", it.first()))?;
    let known: Vec<(&str, Option<Expr>)> =
        written.names.iter().map(|(name, original)| (original.as_str(), system.named(name))).collect();
    let binding = |name: &str| known.iter().find(|it| it.0 == name).and_then(|it| it.1);
    system.properties.clear();
    for guarantee in &group.guarantees {
        let member = &set.members[played.members[*guarantee]];
        let origin = Origin::Requirement(member.id.clone());
        let observed = (&member.requirement, Reading::Endless);
        add_requirement(&mut system, &mut set.store, (&member.id, origin), observed, &binding)
            .map_err(|it| format!("{} cannot be observed: {it}", member.id))?;
    }
    valid(&system, driver)
}
