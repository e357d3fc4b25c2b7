//! `shall synthesize`: a reference controller for requirements, in Lustre, C or Rust or as a table, with what they leave open.

use super::play::only;
use super::realize::contracts;
use crate::cli::realize::{EndReading, Form, Synthesize};
use crate::files::{write_beside, write_file};
use crate::render::visible;
use crate::solver::Driver;
use crate::workspace::Workspace;
use crate::{Error, Outcome, tell};
use base::listed;
use export::system::lustre;
use export::system::program::{self, Language, Options};
use export::system::table::table;
use project::Cache;
use project::set::component_set;
use realize::{Budget, Config, Freedom, Game, Order, Outcome as Verdict, Strategy, synthesize};
use requirement::Reading;
use std::time::{Duration, Instant};
use system::{System, Value, Var};

/// The largest number of rows of a table that people read.
const ROWS: usize = 64;

/// One of this number of parts of the remaining time is for the check of a certificate, and for what is left open.
const CHECK: usize = 4;

pub(crate) fn run(command: &Synthesize) -> Result<Outcome, Error> {
    let begun = Instant::now();
    let timeout = Duration::from_secs(command.timeout);
    let left = || timeout.saturating_sub(begun.elapsed());
    let stop = || left().is_zero();
    let order = if command.moore { Order::Moore } else { Order::Mealy };
    let solver = Driver::chosen(&command.solver)?;
    let Chosen { name, game, mut outcome } = chosen(command)?;
    let budget = Budget { stop: &stop, ..Budget::DEFAULT };
    let config = Config { order, budget, left: &left, solver: &solver, all_conflicts: false };
    let mut found = Vec::new();
    let groups = game.components();
    for (done, group) in groups.iter().enumerate() {
        let ids: Vec<&str> = group.guarantees.iter().map(|it| game.guarantees[*it].id.as_str()).collect();
        let part = game.part(&group.guarantees);
        match config.shared(groups.len() - done, |config| controller(&part, config, &solver)) {
            Ok(strategy) => found.push(strategy),
            Err((why, ends)) => {
                tell(format_args!("{}: {why}", visible(&ids.join(", "))));
                outcome = outcome.max(ends);
            }
        }
    }
    if groups.is_empty() {
        return Err(Error::refused(format!("{}: there is no requirement to satisfy", visible(&name))));
    }
    if found.is_empty() {
        return Ok(outcome);
    }
    let systems: Vec<System> = found.iter().map(Strategy::controller).collect();
    match command.to {
        Form::Lustre => write_file(&command.output, in_lustre(&name, &found, &systems)?)?,
        Form::C => write_program(command, Language::C, &name, &found)?,
        Form::Rust => write_program(command, Language::Rust, &name, &found)?,
        Form::Table => {
            let (text, is_whole) = tables(&systems);
            write_file(&command.output, text)?;
            outcome = outcome.max(if is_whole { Outcome::Fine } else { Outcome::Inconclusive });
        }
    }
    for (done, strategy) in found.iter().enumerate() {
        config.shared(CHECK * (found.len() - done), |config| tell_freedom(strategy, config, &solver));
    }
    Ok(outcome)
}

/// What is to be controlled.
struct Chosen {
    name: String,
    game: Game,
    outcome: Outcome,
}

fn chosen(command: &Synthesize) -> Result<Chosen, Error> {
    let Synthesize { path, component, node, .. } = command;
    if contracts::is_program(path, component.as_deref(), &[], node.as_deref())? {
        let games = contracts::games(path, node.as_deref())?;
        let all: Vec<String> = games.iter().map(|it| it.0.clone()).collect();
        let name = only(&all, "node")?;
        let game = games.into_iter().find(|it| it.0 == name).map(|it| it.1).unwrap_or_default();
        return Ok(Chosen { name, game, outcome: Outcome::Fine });
    }
    let reading = match command.reading {
        EndReading::Endless => Reading::Endless,
        EndReading::AnyEnd => Reading::AnyEnd,
    };
    let workspace = Workspace::open(path)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let all: Vec<String> = analysis.components.iter().map(|it| it.name.clone()).collect();
    let name = component.clone().map_or_else(|| only(&all, "component"), Ok)?;
    let mut set = component_set(&workspace.project, &analysis, &name, &[]).map_err(Error::refused)?;
    let played = set.game(reading);
    let refused = played.refused.iter().map(|it| set.refused(it));
    let left_out: Vec<_> = set.left_out.iter().cloned().chain(refused).collect();
    for it in &left_out {
        tell(format_args!("{}: not judged: {}", visible(&it.id), visible(&it.reason)));
    }
    let outcome = if left_out.is_empty() { Outcome::Fine } else { Outcome::Inconclusive };
    Ok(Chosen { name, game: played.game, outcome })
}

/// The controller of a group with a checked certificate; otherwise why there is none, and how the command then ends.
fn controller(part: &Game, config: Config, solver: &Driver) -> Result<Strategy, (String, Outcome)> {
    let judged = synthesize(part, config.order, config.budget);
    let strategy = match judged.outcome {
        Verdict::Realizable => judged.strategy,
        Verdict::Unrealizable => {
            let why = "unrealizable; `shall realize` shows the conflict";
            return Err((why.to_owned(), Outcome::Findings));
        }
        Verdict::Unknown(gap) => return Err((format!("unknown: {gap}"), Outcome::Inconclusive)),
    };
    let open =
        |why: String| (format!("realizable, but no controller is written: {why}"), Outcome::Inconclusive);
    let strategy = strategy.ok_or_else(|| open("there is no strategy".to_owned()))?;
    let strategy = strategy.map_err(|why| open(why.to_string()))?;
    config
        .shared(CHECK, |config| strategy.check(solver, config.budget.stop))
        .map_err(|why| open(why.to_string()))?;
    Ok(strategy)
}

fn in_lustre(name: &str, found: &[Strategy], systems: &[System]) -> Result<String, Error> {
    let mut text = String::new();
    for (place, (strategy, system)) in found.iter().zip(systems).enumerate() {
        let written = lustre(system, &format!("{name}_{}", place + 1), &[]).map_err(Error::refused)?;
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
    Ok(text)
}

fn write_program(
    command: &Synthesize,
    language: Language,
    name: &str,
    found: &[Strategy],
) -> Result<(), Error> {
    let ids = found.iter().flat_map(|it| &it.kept).map(|it| it.0.clone());
    let notes = vec![format!("A controller of {name} that satisfies {}.", listed(ids))];
    let options = Options { language, name: name.to_owned(), outputs_first: command.moore, notes };
    let systems: Vec<System> = found.iter().map(Strategy::controller).collect();
    let written = program::write(&systems, &options).map_err(Error::refused)?;
    if written.rounds {
        tell(
            "real numbers are doubles in the program, which round; the controller is proved for exact numbers",
        );
    }
    write_beside(&command.output, written.header.as_deref(), written.text)
}

/// The tables of controllers, and whether none is too large.
fn tables(systems: &[System]) -> (String, bool) {
    let (mut text, mut is_whole) = (String::new(), true);
    for system in systems {
        let outputs = listed(system.outputs.iter().map(|it| visible(&it.name)));
        match table(system, ROWS).and_then(|it| it.markdown()) {
            Some(table) => {
                let between = if text.is_empty() { "" } else { "\n" };
                text.push_str(&format!("{between}## {outputs}\n\n{table}"));
            }
            None => {
                tell(format_args!(
                    "{outputs}: the table has more than {ROWS} rows or very long ones; `--to lustre`, `--to c` and `--to rust` write the controller"
                ));
                is_whole = false;
            }
        }
    }
    (text, is_whole)
}

/// Tells what the requirements leave open.
fn tell_freedom(strategy: &Strategy, config: Config, solver: &Driver) {
    let system = &strategy.system;
    let shown = |var: Var, value: &Value| match value {
        Value::Bool(truth) => u8::from(*truth).to_string(),
        value => system.pool.show_value(system.variables[var.index()].ty, value),
    };
    let engine = engine::Config::new(config.left, solver);
    for (var, freedom) in strategy.freedom(&engine) {
        let name = visible(&system.variables[var.index()].name);
        match freedom {
            Freedom::Determined => tell(format_args!("{name}: determined by the requirements at every step")),
            Freedom::Open { inputs, value, other } => {
                let last = inputs.last().map(Vec::as_slice).unwrap_or_default();
                let given: Vec<String> = last
                    .iter()
                    .map(|(var, value)| {
                        format!("{}={}", visible(&system.variables[var.index()].name), shown(*var, value))
                    })
                    .collect();
                let given =
                    if given.is_empty() { String::new() } else { format!(", with {}", given.join(" ")) };
                let step = inputs.len().saturating_sub(1);
                tell(format_args!(
                    "{name}: left open, for example at step {step}{given}: {}, and {} is allowed, too",
                    shown(var, &value),
                    shown(var, &other)
                ));
            }
            Freedom::Unknown(why) => tell(format_args!("{name}: perhaps left open: {why}")),
        }
    }
}
