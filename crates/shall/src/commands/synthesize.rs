//! `shall synthesize`: a reference controller for the requirements of a component, in Lustre.

use crate::cli::realize::{EndReading, Synthesize};
use crate::files::write_file;
use crate::render::visible;
use crate::solver::Driver;
use crate::workspace::Workspace;
use crate::{Error, Outcome, tell};
use export::system::lustre;
use project::Cache;
use project::set::component_set;
use realize::{Budget, Config, Order, Outcome as Verdict, report};
use requirement::Reading;
use std::time::{Duration, Instant};

pub(crate) fn run(command: &Synthesize) -> Result<Outcome, Error> {
    let begun = Instant::now();
    let timeout = Duration::from_secs(command.timeout);
    let left = || timeout.saturating_sub(begun.elapsed());
    let stop = || left().is_zero();
    let reading = match command.reading {
        EndReading::Endless => Reading::Endless,
        EndReading::AnyEnd => Reading::AnyEnd,
    };
    let order = if command.moore { Order::Moore } else { Order::Mealy };
    let solver = Driver::chosen(&command.solver)?;
    let workspace = Workspace::open(&command.path)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let mut set =
        component_set(&workspace.project, &analysis, &command.component, &[]).map_err(Error::refused)?;
    let played = set.game(reading);
    let refused = played.refused.iter().map(|it| set.refused(it));
    let left_out: Vec<_> = set.left_out.iter().cloned().chain(refused).collect();
    let mut outcome = if left_out.is_empty() { Outcome::Fine } else { Outcome::Inconclusive };
    for it in &left_out {
        tell(format_args!("{}: not judged: {}", visible(&it.id), visible(&it.reason)));
    }
    let budget = Budget { stop: &stop, ..Budget::DEFAULT };
    let config = Config { order, budget, left: &left, solver: &solver, all_conflicts: false };
    let mut text = String::new();
    for (place, judged) in report(&played.game, config).into_iter().enumerate() {
        let ids: Vec<&str> =
            judged.component.guarantees.iter().map(|it| played.game.guarantees[*it].id.as_str()).collect();
        let ids = visible(&ids.join(", "));
        match (&judged.outcome, &judged.strategy, &judged.certificate) {
            (Verdict::Realizable, Some(strategy), Some(Ok(()))) => {
                let node = format!("{}_{}", command.component, place + 1);
                let written = lustre(&strategy.controller(), &node, &[]).map_err(Error::refused)?;
                for id in strategy.without_property() {
                    let id = visible(id);
                    text.push_str(&format!(
                        "-- {id} is kept and has no property: at a single step, it demands nothing or the outputs satisfy it by themselves\n"
                    ));
                }
                // Groups may share enumerations, and each is declared once.
                for line in written.text.lines() {
                    if !line.starts_with("type ") || !text.lines().any(|it| it == line) {
                        text.push_str(line);
                        text.push('\n');
                    }
                }
            }
            (Verdict::Realizable, _, certificate) => {
                let why = match certificate {
                    Some(Err(why)) => why.to_string(),
                    _ => "there is no strategy".to_owned(),
                };
                tell(format_args!("{ids}: realizable, but no controller is written: {why}"));
                outcome = outcome.max(Outcome::Inconclusive);
            }
            (Verdict::Unrealizable, ..) => {
                tell(format_args!("{ids}: unrealizable; `shall realize` shows the conflict"));
                outcome = outcome.max(Outcome::Findings);
            }
            (Verdict::Unknown(gap), ..) => {
                tell(format_args!("{ids}: unknown: {gap}"));
                outcome = outcome.max(Outcome::Inconclusive);
            }
        }
    }
    write_file(&command.output, text)?;
    Ok(outcome)
}
