//! The contracts of a Lustre program as games, for `shall realize`, `shall play` and `shall synthesize`.

use crate::cli::Output;
use crate::commands::source::{Hints, Source};
use crate::{Error, Outcome};
use lustre::Node;
use realize::Game;
use std::path::Path;
use system::Goal;

/// Whether a path is that of a Lustre program; otherwise it is that of a project. A program has nodes, a project has components with
/// requirements: an option that names what the other one has is an error.
pub(crate) fn is_program(
    path: &Path,
    component: Option<&str>,
    requirements: &[String],
    node: Option<&str>,
) -> Result<bool, Error> {
    let is_program = path.extension().is_some_and(|it| it == "lus");
    let path = path.display();
    let wrong = match (is_program, component, requirements, node) {
        (true, Some(_), ..) => "`--component`",
        (true, _, [_, ..], _) => "`--requirement`",
        (false, .., Some(_)) => {
            return Err(Error::Usage(format!(
                "`--node` needs a Lustre program, and {path} is a project; `--component` names one of its components"
            )));
        }
        _ => return Ok(is_program),
    };
    Err(Error::Usage(format!(
        "{wrong} needs a project, and {path} is a Lustre program; `--node` names one of its nodes"
    )))
}

/// The game of each node with `--%REALIZABLE` and of each imported node with a contract, or of the node or contract that is named.
pub(crate) fn games(path: &Path, node: Option<&str>) -> Result<Vec<(String, Game)>, Error> {
    let source = Source::open(path, &Hints::default())?;
    source.complain(Output::Human);
    if source.is_wrong() {
        return Err(Error::Reported(Outcome::Findings));
    }
    let program = source.program()?;
    if program.has_watched_sets() {
        let message =
            "contracts with sets or maps over numbers are verified, but not judged for realizability";
        return Err(Error::refused(message));
    }
    let is_judged = |it: &Node| it.realizable.is_some() || it.imported && it.contract;
    let chosen: Vec<Node> = match node {
        None => program.nodes().into_iter().filter(is_judged).collect(),
        Some(name) => {
            let known = program.nodes().into_iter().chain(program.contracts());
            let named = known.filter(|it| it.name == *name);
            let contracts: Vec<String> = program.contracts().into_iter().map(|it| it.name).collect();
            named.filter(|it| is_judged(it) || it.contract || contracts.contains(&it.name)).collect()
        }
    };
    if chosen.is_empty() {
        let which = node.map_or("no node".to_owned(), |it| format!("`{it}` is not a node that"));
        return Err(Error::Usage(format!(
            "{which} has `--%REALIZABLE`, which names the inputs that the environment chooses, or a contract without a body"
        )));
    }
    let mut games = Vec::new();
    for node in chosen {
        let game = match &node.realizable {
            Some(environment) => {
                let chosen = source.system(&node.name).map_err(|it| Error::Reported(it.outcome))?;
                Game::of_contract(chosen.system, &node.inputs, environment)
            }
            None => {
                let mut observer =
                    program.observer(&node.name).map_err(|it| Error::refused(&it[0].message))?;
                // That a mode can be reached is not what an implementation must achieve.
                observer.properties.retain(|it| it.goal == Goal::Holds);
                let all: Vec<String> = node.inputs.iter().chain(&node.outputs).cloned().collect();
                Game::of_contract(observer, &all, &node.inputs)
            }
        };
        games.push((node.name, game));
    }
    Ok(games)
}
