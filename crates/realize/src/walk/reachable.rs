//! Which states correct systems reach, more or less: what searches need not look at.
//!
//! The states after one correct step from anywhere, after two, and so on, each with the initial ones, are fewer and fewer, and every
//! reachable state is among them. They show how the memory of different requirements hangs together: that one of two latches is set only with
//! the other, that a number is what a latch says about it, or what a counter that began with the run says about everything else.

use super::pruned;
use super::regions::Portable;
use crate::arena::{Arena, Choice as Roles, Meaning, Owner, Pins};
use crate::fixpoint::{Budget, Solver};
use crate::game::{Game, Order, Prepared};
use crate::linear::Linear;
use crate::verdict::Gap;
use logic::bdd::{Bdd, Variables};
use rustc_hash::FxHashMap;
use system::{Expr, Var};

/// The largest number of nodes.
const NODES: usize = 200_000;

/// States that contain all that are reachable by steps into a winning region; `None` if that is too much to find out.
pub(super) fn reachable(
    prepared: &Prepared,
    winning: &Portable,
    rounds: usize,
    (order, budget): (Order, Budget),
) -> Option<Portable> {
    let (game, later) = with_later(&pruned(prepared.game.clone(), &[]));
    let game = Prepared { game, goals: Vec::new(), fair: Vec::new() };
    let budget = budget.at_most(NODES);
    let roles = Roles { order, opaque: Owner::Environment, selectors: false };
    let mut solver = Solver::new(&game, roles, Pins::default(), budget).ok()?;
    let mut images = Images::new(&mut solver, winning, later).ok()?;
    let mut found = None;
    let mut states = Bdd::TRUE;
    for _ in 0..rounds {
        let Ok(next) = images.after(&mut solver, states) else { break };
        if next == states {
            break;
        }
        states = next;
        found = Portable::of(&solver.arena, states);
    }
    found
}

/// A game with another variable for each state, and an expression that it has the value of the state one step later.
fn with_later(game: &Game) -> (Game, Vec<(Var, Var, Expr)>) {
    let mut new = game.clone();
    let mut later = Vec::new();
    for state in &game.system.state {
        let name = new.system.fresh_name(&format!("{}'", game.system.variables[state.var.index()].name));
        let var = new.system.add_state(&name, game.system.variables[state.var.index()].ty, None);
        let value = new.system.expr(var);
        later.push((state.var, var, new.system.pool.eq(value, state.next)));
    }
    let exprs: FxHashMap<Var, Expr> = later.iter().map(|it| (it.0, new.system.expr(it.1))).collect();
    let lemmas = new.system.pool.substitute(&game.system.lemmas, &|var| exprs.get(&var).copied());
    new.system.lemmas.extend(lemmas);
    (new, later)
}

/// What a step does to sets of states.
struct Images {
    safe: Bdd,
    initial: Bdd,
    later: Vec<(Var, Var, Bdd)>,
    /// The bits and numbers that are left out after each part of the relation.
    done: Vec<(Variables, Vec<Var>)>,
}

impl Images {
    fn new(solver: &mut Solver, winning: &Portable, later: Vec<(Var, Var, Expr)>) -> Result<Images, Gap> {
        let winning = winning.placed(&mut solver.arena);
        let safe = solver.toward(winning)?;
        let safe = solver.arena.m.and(safe, solver.assumed);
        let system = &solver.prepared.game.system;
        let mut initial = Bdd::TRUE;
        let mut parts = Vec::new();
        for (now, var, expr) in later {
            let value = solver.arena.initial(now);
            let part = solver.arena.truth(expr);
            parts.push((now, var, part));
            if let Some(same) = value.and_then(|it| solver.arena.equals(now, &it)) {
                initial = solver.arena.m.and(initial, same);
            }
            solver.arena.check()?;
        }
        if solver.arena.is_opaque() {
            return Err(Gap::Nonlinear);
        }
        let arena = &solver.arena;
        // Each variable is left out after the last part that it occurs in.
        let mut last: FxHashMap<Var, usize> = FxHashMap::default();
        for (place, (.., part)) in parts.iter().enumerate() {
            for variable in arena.m.support(*part).iter() {
                match &arena.meanings[variable as usize] {
                    Meaning::Bit(var, _) => drop(last.insert(*var, place)),
                    Meaning::Atom(atom) => last.extend(atom.form.iter().map(|it| (it.0, place))),
                    Meaning::Opaque(_) | Meaning::Selector(_) => {}
                }
            }
        }
        let all = system.state.iter().map(|it| it.var).chain(system.inputs.iter().copied());
        let mut all: Vec<Var> = all.filter(|var| parts.iter().all(|it| it.1 != *var)).collect();
        all.sort_unstable_by_key(|it| arena.turn(*it));
        let done = (0..parts.len()).map(|place| {
            let mine = all.iter().filter(|it| last.get(it).copied().unwrap_or(0) == place);
            let (bits, numbers): (Vec<Var>, Vec<Var>) =
                mine.partition(|it| arena.blocks[it.index()].is_some());
            (bits.into_iter().flat_map(|it| arena.block(it).iter().collect::<Vec<_>>()).collect(), numbers)
        });
        let done = done.collect();
        Ok(Images { safe, initial, later: parts, done })
    }

    /// The states after one step from some states, and the initial ones.
    fn after(&mut self, solver: &mut Solver, states: Bdd) -> Result<Bdd, Gap> {
        let arena = &mut solver.arena;
        let mut relation = arena.m.and(self.safe, states);
        for ((.., part), done) in self.later.iter().zip(&self.done) {
            relation = arena.m.and_exists(relation, *part, &done.0);
            relation = arena.exists_numbers(relation, &done.1)?;
            relation = arena.tidy(relation);
            arena.check()?;
        }
        let image = self.renamed(arena, relation);
        let all = arena.m.or(image, self.initial);
        let all = arena.tidy(all);
        arena.check()?;
        Ok(all)
    }

    /// A set of later states as one of states.
    fn renamed(&self, arena: &mut Arena, f: Bdd) -> Bdd {
        let mut all: Vec<Bdd> = (0..arena.meanings.len() as u32).map(|it| arena.m.variable(it)).collect();
        for (now, later, _) in &self.later {
            for (to, from) in arena.block(*now).iter().zip(arena.block(*later).iter()) {
                all[from as usize] = arena.m.variable(to);
            }
        }
        for (variable, atom) in arena.atoms_in(f) {
            let mut term = atom.linear();
            term.constant -= &atom.limit;
            for (now, later, _) in &self.later {
                term = term.replace(*later, &Linear::variable(*now));
            }
            all[variable as usize] = arena.below_zero(&term, atom.or_equal);
        }
        arena.m.compose(f, &all)
    }
}
