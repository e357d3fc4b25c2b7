//! Proofs that correct systems never show something, for the checker of certificates in `engine`, which shares no code with the search.
//!
//! A set of states contains the initial ones; no step that keeps the guarantees leaves it for another state from which they can be kept, and
//! none shows the goal. That the guarantees cannot be kept from all other states is a proof of its own: a strategy of the environment. A Moore
//! system does not see the inputs, so its outputs are right for all of them: also for those that the proof names for each state and output,
//! with which other outputs would be wrong.

use super::Walks;
use crate::arena::Owner;
use crate::certificate::{Extent, Unchecked, counterstrategy};
use crate::express::{Builder, Last};
use crate::game::Order;
use crate::verdict::Gap;
use engine::{Certificate, NoSolver, Proof, check};
use logic::bdd::Bdd;
use rustc_hash::FxHashMap;
use system::{Expr, Origin, Pool, System, Type, Var};

/// A proof about all runs.
#[derive(Clone, Debug)]
pub struct Unreachable {
    system: System,
    certificate: Certificate,
}

impl Unreachable {
    /// Checks the proof.
    ///
    /// # Errors
    /// It is rejected or not decided.
    pub fn check(&self, stop: &(dyn Fn() -> bool + Sync)) -> Result<(), Unchecked> {
        match check(&self.system, 0, &self.certificate, &NoSolver, stop) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Unchecked::Rejected),
            Err(why) => Err(Unchecked::Undecided(why)),
        }
    }

    /// The number of expressions in it.
    pub fn size(&self) -> usize {
        self.certificate.pool.reachable([self.certificate.invariant]).len()
    }

    /// The same proof with another set of states: to see that the checker notices.
    #[must_use]
    pub fn with_states(&self, change: impl FnOnce(&mut Pool, Expr) -> Expr) -> Unreachable {
        let mut other = self.clone();
        other.certificate.invariant = change(&mut other.certificate.pool, self.certificate.invariant);
        other
    }
}

impl Walks<'_, '_> {
    /// The proof that the goal of the last search is unreachable: no correct step shows it; nor does `wrong` hold at a step after correct
    /// ones that keeps all guarantees but one and has the inputs of a correct step.
    ///
    /// # Errors
    /// The last search found it, or the proof cannot be written down.
    pub fn proof(&mut self, goal: Expr, wrong: Option<(usize, Expr)>) -> Result<Unreachable, Unchecked> {
        self.proved(goal, wrong).map_err(Unchecked::NoStrategy)
    }

    fn proved(&mut self, goal: Expr, wrong: Option<(usize, Expr)>) -> Result<Unreachable, Gap> {
        let closed = self.closed.ok_or(Gap::NoValue)?;
        let arena = &mut self.solver.arena;
        let open = arena.m.not(closed);
        let states =
            [open, self.reachable, self.winning].into_iter().fold(Bdd::TRUE, |all, it| arena.m.and(all, it));
        arena.check()?;
        let prepared = self.solver.prepared;
        let game = &prepared.game;
        let mut system = game.system.clone();
        let mut builder = Builder::new(&mut system);
        let inside = builder.truth(&self.solver.arena, states)?;
        let winning = builder.truth(&self.solver.arena, self.winning)?;
        let foreseen: FxHashMap<Var, Expr> = match self.solver.order {
            Order::Mealy => FxHashMap::default(),
            Order::Moore => {
                let good = self.solver.toward(self.winning)?;
                let arena = &mut self.solver.arena;
                let bad = arena.m.not(good);
                let bad = arena.m.and(bad, self.solver.assumed);
                let bad = arena.m.restrict(bad, states);
                builder.moves(arena, bad, Owner::Environment, &Last::default())?.into_iter().collect()
            }
        };
        let later: FxHashMap<Var, Expr> = system.state.iter().map(|it| (it.var, it.next)).collect();
        let winning = system.pool.substitute(&[winning], &|var| later.get(&var).copied())[0];
        let place = |guarantee: usize| self.core.iter().position(|it| *it == guarantee);
        let wrong = wrong.and_then(|(guarantee, expr)| Some((place(guarantee)?, expr)));
        let kept: Vec<Expr> = game.guarantees.iter().map(|it| it.safety).collect();
        let name = system.fresh_name("kept#");
        let latch = system.add_state(&name, Type::Bool, Some(Pool::TRUE));
        let so_far = system.expr(latch);
        // With the inputs of a correct step, other outputs are wrong.
        let mut other_outputs: FxHashMap<Var, Expr> = FxHashMap::default();
        for var in self.outputs.iter().filter(|_| wrong.is_some()) {
            let (like, ty) = (&system.variables[var.index()].name, system.variables[var.index()].ty);
            let name = system.fresh_name(&format!("{like}#"));
            let other = system.add_input(&name, ty);
            other_outputs.insert(*var, system.expr(other));
        }
        let assumed = system.assumptions.clone();
        let pool = &mut system.pool;
        let mut correct = pool.and(kept.iter().chain(&game.domain).copied().chain([winning]));
        if self.solver.order == Order::Moore {
            let allowed = pool.and(assumed.iter().copied());
            let right = pool.implies(allowed, correct);
            let also = pool.substitute(&[right], &|var| foreseen.get(&var).copied())[0];
            correct = pool.and([correct, also]);
        }
        let shown = pool.and([correct, goal]);
        let mut good = pool.not(shown);
        if let Some((place, expr)) = wrong {
            let others = kept.iter().enumerate().filter(|it| it.0 != place).map(|it| *it.1);
            let others = others.chain(game.domain.iter().copied()).chain(assumed).chain([expr]);
            let others = pool.and(others.collect::<Vec<Expr>>());
            let others = pool.substitute(&[others], &|var| other_outputs.get(&var).copied())[0];
            let both = pool.and([correct, others]);
            let not_both = pool.not(both);
            good = pool.and([good, not_both]);
        }
        let good = pool.implies(so_far, good);
        let ranges = pool.and(system.lemmas.iter().copied());
        let inside = pool.implies(so_far, inside);
        let invariant = pool.and([ranges, inside]);
        let still = pool.and([so_far, correct]);
        system.set_next(latch, still);
        system.properties.clear();
        system.add_property("unreachable", Origin::Unknown, good);
        let proof = Proof::Induction { k: 1, distinct: false };
        let certificate = Certificate { pool: system.pool.clone(), invariant, proof, recurrence: None };
        Ok(Unreachable { system, certificate })
    }

    /// The proof that no system keeps the guarantees from the states that are not winning; `None` if all are.
    ///
    /// # Errors
    /// It cannot be written down.
    pub fn proof_of_losses(&mut self) -> Result<Option<Unreachable>, Unchecked> {
        if self.winning == Bdd::TRUE {
            return Ok(None);
        }
        let region = self.solver.solve().map_err(Unchecked::NoStrategy)?;
        let strategy = counterstrategy(&mut self.solver, &region, Extent::Everywhere)?;
        let (system, certificate) = (strategy.system, strategy.certificate);
        Ok(Some(Unreachable { system, certificate }))
    }
}
