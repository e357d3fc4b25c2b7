//! Winning regions that searches in games with the same guarantees share. The memory of goals is not part of them.

use super::reachable::reachable;
use crate::arena::{Arena, Meaning, Owner};
use crate::fixpoint::Solver;
use crate::game::Order;
use crate::verdict::Gap;
use logic::bdd::Bdd;
use rustc_hash::FxHashMap;
use system::Expr;

/// The winning regions of games with the same variables, by their conditions; `None` for games that are not won.
#[derive(Debug)]
pub(crate) struct Regions {
    known: FxHashMap<Vec<Expr>, Option<Known>>,
    /// The number of steps that is enough to find out which states are reachable.
    rounds: usize,
}

/// The largest number of such steps.
const ROUNDS: usize = 32;

impl Default for Regions {
    fn default() -> Regions {
        Regions { known: FxHashMap::default(), rounds: ROUNDS }
    }
}

/// What is known about a game that is won.
#[derive(Clone, Debug)]
struct Known {
    winning: Portable,
    reachable: Option<Portable>,
    safe: Option<Portable>,
}

/// The same in an arena.
pub(super) struct Won {
    /// The states from which the system wins.
    pub(super) winning: Bdd,
    /// States that contain all reachable ones.
    pub(super) reachable: Bdd,
    /// What a correct step is, in states that are reachable.
    pub(super) safe: Bdd,
}

/// A diagram outside of its manager.
#[derive(Clone, Debug)]
pub(super) struct Portable {
    /// Each node after its children; 0 and 1 are the constants, and 2 is the first of the list.
    nodes: Vec<(Meaning, usize, usize)>,
    root: usize,
}

impl Regions {
    /// Regions of games in which few searches are made.
    pub(super) fn brief() -> Regions {
        Regions { rounds: 1, ..Regions::default() }
    }

    /// What is known about a game; `None` if the system does not win from all initial states.
    pub(super) fn winning(&mut self, solver: &mut Solver) -> Result<Option<Won>, Gap> {
        let game = &solver.prepared.game;
        let key: Vec<Expr> =
            game.guarantees.iter().map(|it| it.safety).chain(game.domain.iter().copied()).collect();
        // Latches of what must happen infinitely often are new in each game.
        let lasts = solver.prepared.goals.is_empty() && solver.prepared.fair.is_empty();
        if let Some(known) = self.known.get(&key).filter(|_| lasts) {
            let Some(Known { winning, reachable, safe }) = known else { return Ok(None) };
            let winning = winning.placed(&mut solver.arena);
            let reachable = reachable.as_ref().map_or(Bdd::TRUE, |it| it.placed(&mut solver.arena));
            let safe = match safe {
                Some(safe) => {
                    let safe = safe.placed(&mut solver.arena);
                    // Goals may mention more variables than the guarantees do.
                    [Owner::System, Owner::Environment].into_iter().fold(safe, |safe, it| {
                        let valid = solver.arena.valid(it);
                        solver.arena.m.and(safe, valid)
                    })
                }
                None => correct_steps(solver, winning, reachable)?,
            };
            solver.arena.check()?;
            return Ok(Some(Won { winning, reachable, safe }));
        }
        let region = solver.solve()?;
        if !region.won {
            if lasts {
                self.known.insert(key, None);
            }
            return Ok(None);
        }
        let Some(winning) = Portable::of(&solver.arena, region.states) else {
            let (winning, reachable) = (region.states, Bdd::TRUE);
            let safe = correct_steps(solver, winning, reachable)?;
            return Ok(Some(Won { winning, reachable, safe }));
        };
        // Without numbers in the memory, searches are short.
        let has_numbers = !solver.arena.numbers_of(Owner::State).is_empty();
        let reachable = has_numbers
            .then(|| reachable(solver.prepared, &winning, self.rounds, (solver.order, solver.arena.budget)))
            .flatten();
        let states = reachable.as_ref().map_or(Bdd::TRUE, |it| it.placed(&mut solver.arena));
        let steps = correct_steps(solver, region.states, states)?;
        if lasts {
            let safe = Portable::of(&solver.arena, steps);
            self.known.insert(key, Some(Known { winning, reachable, safe }));
        }
        Ok(Some(Won { winning: region.states, reachable: states, safe: steps }))
    }
}

/// What a correct step is, in states that are reachable.
fn correct_steps(solver: &mut Solver, winning: Bdd, reachable: Bdd) -> Result<Bdd, Gap> {
    let mut safe = solver.toward(winning)?;
    // A system that does not see the inputs keeps everything whatever they are.
    if solver.order == Order::Moore {
        let unsafe_now = solver.arena.m.not(safe);
        let beaten = solver.some(unsafe_now, solver.assumed, Owner::Environment)?;
        let unbeaten = solver.arena.m.not(beaten);
        safe = solver.arena.m.and(safe, unbeaten);
    }
    let safe = solver.arena.m.and(safe, solver.assumed);
    let safe = solver.arena.m.restrict(safe, reachable);
    // It is kept for other searches.
    solver.arena.check()?;
    Ok(safe)
}

impl Portable {
    /// A diagram of bits and comparisons; `None` if there is anything else in it.
    pub(super) fn of(arena: &Arena, root: Bdd) -> Option<Portable> {
        let mut places: FxHashMap<Bdd, usize> = FxHashMap::from_iter([(Bdd::FALSE, 0), (Bdd::TRUE, 1)]);
        let mut nodes = Vec::new();
        let mut open = vec![root];
        while let Some(f) = open.last().copied() {
            let Some((variable, low, high)) = arena.m.split(f).filter(|_| !places.contains_key(&f)) else {
                open.pop();
                continue;
            };
            let children = [low, high].map(|it| places.get(&it).copied());
            if let [Some(low), Some(high)] = children {
                let meaning = arena.meanings[variable as usize].clone();
                if matches!(meaning, Meaning::Opaque(_) | Meaning::Selector(_)) {
                    return None;
                }
                nodes.push((meaning, low, high));
                places.insert(f, nodes.len() + 1);
            } else {
                open.extend([low, high]);
            }
        }
        Some(Portable { root: places[&root], nodes })
    }

    /// The same in another arena.
    pub(super) fn placed(&self, arena: &mut Arena) -> Bdd {
        let mut found = vec![Bdd::FALSE, Bdd::TRUE];
        for (meaning, low, high) in &self.nodes {
            let condition = arena.placed(meaning);
            let node = arena.m.choose(condition, found[*high], found[*low]);
            found.push(node);
        }
        found[self.root]
    }
}
