//! Outputs that always have an answer, whatever the memory and all other variables are.
//!
//! A display that copies a value, or an alarm that may always sound, never keeps a game from being won: the guarantees that mention such
//! an output can be left out, and then others may have an answer, too. What is left is often many small games in the place of a large
//! one. The output of a guarantee that was left out is chosen last, by a strategy that sees everything else.

use crate::arena::{Choice, Owner, Pins};
use crate::fixpoint::{Budget, Solver};
use crate::game::{Game, Guarantee, Order, Prepared};
use logic::bdd::Bdd;
use rustc_hash::{FxHashMap, FxHashSet};
use system::{Expr, Var};

/// An output that has an answer to everything.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    /// The guarantees that it satisfies: all that mention it and are not those of an output before it in the list.
    pub(crate) guarantees: Vec<usize>,
    /// The output.
    pub(crate) output: Var,
}

impl Answered {
    /// The game of its guarantees in which everything else is chosen by the environment.
    pub(crate) fn prepared(&self, game: &Game) -> Prepared {
        prepared(alone(game, self.output, &self.guarantees))
    }
}

/// A game without anything that must happen infinitely often.
fn prepared(game: Game) -> Prepared {
    Prepared { game, goals: Vec::new(), fair: Vec::new() }
}

/// With fewer outputs nothing is gained.
const FEW: usize = 4;
/// The largest number of guarantees of one output.
const MOST: usize = 12;
/// The largest number of nodes of the game of one output.
const NODES: usize = 20_000;

/// Whether outputs have an answer to what guarantees demand, as far as that was tried.
pub(crate) type Tried = FxHashMap<(Var, Vec<Expr>), bool>;

/// Outputs with an answer to everything, besides variables that are asked about. A strategy of one may depend on outputs that come
/// later in the list.
pub(crate) fn answered(
    game: &Game,
    besides: &FxHashSet<Var>,
    tried: &mut Tried,
    order: Order,
    budget: Budget,
) -> Vec<Answered> {
    let system = &game.system;
    let assumed = system.assumptions.iter().chain(&game.fair).chain(&system.initial).copied();
    if game.outputs.len() < FEW || game.cone(assumed).iter().any(|it| game.is_output(*it)) {
        return Vec::new();
    }
    let cones: Vec<FxHashSet<Var>> = game.guarantees.iter().map(|it| game.cone(it.roots())).collect();
    let mut kept = besides.clone();
    for (it, cone) in game.guarantees.iter().zip(&cones) {
        if it.live.is_some() {
            kept.extend(cone);
        }
    }
    // A condition of several outputs binds them together.
    let of_domain: Vec<Vec<Var>> = game.domain.iter().map(|it| system.pool.variables([*it])).collect();
    of_domain.iter().filter(|it| it.len() > 1).for_each(|it| kept.extend(it));
    let mut left = vec![true; game.guarantees.len()];
    let mut open: Vec<(Var, usize)> =
        game.outputs.iter().filter(|it| !kept.contains(it)).map(|it| (*it, usize::MAX)).collect();
    let mut found = Vec::new();
    loop {
        let before = open.len();
        open.retain_mut(|(output, last)| {
            let mine = |it: &usize| left[*it] && cones[*it].contains(output);
            let guarantees: Vec<usize> = (0..left.len()).filter(mine).collect();
            let has_range = of_domain.iter().any(|it| it.contains(output));
            if guarantees.len() > MOST || guarantees.len() == *last || guarantees.is_empty() && !has_range {
                return true;
            }
            *last = guarantees.len();
            let key = (*output, guarantees.iter().map(|it| game.guarantees[*it].safety).collect());
            let answers = *tried
                .entry(key)
                .or_insert_with(|| always_answers(alone(game, *output, &guarantees), order, budget));
            if answers {
                guarantees.iter().for_each(|it| left[*it] = false);
                found.push(Answered { output: *output, guarantees });
            }
            !answers
        });
        if open.len() == before {
            return found;
        }
    }
}

/// The game of some guarantees in which only one output is left to the system. The other ones are in their ranges.
fn alone(game: &Game, output: Var, guarantees: &[usize]) -> Game {
    let mut new = game.clone();
    new.outputs = vec![output];
    new.guarantees = guarantees.iter().map(|it| game.guarantees[*it].clone()).collect();
    let mut cone = game.cone(new.guarantees.iter().flat_map(Guarantee::roots));
    cone.insert(output);
    let pool = &game.system.pool;
    let inside = |it: &system::Expr| pool.variables([*it]).iter().all(|var| cone.contains(var));
    let mentions = |it: &system::Expr| pool.variables([*it]).contains(&output);
    let (domain, others): (Vec<_>, Vec<_>) = game.domain.iter().partition(|it| mentions(it));
    new.domain = domain;
    new.fair.clear();
    new.system.assumptions.extend(others);
    new.system.assumptions.retain(inside);
    new.system.lemmas.retain(inside);
    new.system.initial.clear();
    new.system.inputs.retain(|it| cone.contains(it));
    new.system.state.retain(|it| cone.contains(&it.var));
    new
}

/// Whether an output keeps its guarantees for one step in every state.
fn always_answers(game: Game, order: Order, budget: Budget) -> bool {
    let prepared = prepared(game);
    let choice = Choice { order, opaque: Owner::Environment, selectors: false };
    let budget = budget.at_most(NODES);
    let before = Solver::new(&prepared, choice, Pins::default(), budget)
        .and_then(|mut solver| solver.before(Bdd::TRUE));
    before == Ok(Bdd::TRUE)
}
