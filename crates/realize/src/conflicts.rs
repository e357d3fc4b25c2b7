//! Minimal conflicts: sets of guarantees that are unrealizable together although each smaller set is realizable.
//!
//! One game with a selector for each guarantee has a winning region that is a function of the selected guarantees, so its minimal losing
//! sets are all conflicts at once. Where that game is too large, one conflict is found by leaving out guarantees one by one.

use crate::arena::{Meaning, Owner};
use crate::fixpoint::{Budget, Solver};
use crate::game::{Game, Order};
use crate::solve::{Outcome, decide};
use crate::verdict::Gap;
use logic::bdd::Bdd;

/// The conflicts of a game.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Conflicts {
    /// Indices of guarantees, ascending in each; the smallest conflicts first.
    pub list: Vec<Conflict>,
    /// Why there may be more.
    pub gap: Option<Gap>,
}

/// A set of guarantees that is unrealizable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Indices of the guarantees, ascending.
    pub guarantees: Vec<usize>,
    /// Those of them of which it is not known whether the rest is unrealizable without them.
    pub doubtful: Vec<usize>,
}

/// The largest number of guarantees with selectors.
const SELECTORS: usize = 64;
/// The largest number of conflicts.
const MOST: usize = 1000;

/// The number of nodes within which all conflicts are looked for if one is enough.
const FEW_NODES: usize = 20_000;

/// All minimal conflicts of an unrealizable game, or at least one.
pub fn conflicts(game: &Game, order: Order, budget: Budget) -> Conflicts {
    all(game, order, budget).unwrap_or_else(|gap| only_one(game, order, budget, gap))
}

/// A minimal conflict of an unrealizable game, and others if they are found without more work.
pub fn first_conflict(game: &Game, order: Order, budget: Budget) -> Conflicts {
    let few = Budget { nodes: budget.nodes.min(FEW_NODES), ..budget };
    all(game, order, few).unwrap_or_else(|_| only_one(game, order, budget, Gap::OneConflict))
}

fn only_one(game: &Game, order: Order, budget: Budget, gap: Gap) -> Conflicts {
    Conflicts { list: one(game, order, budget).into_iter().collect(), gap: Some(gap) }
}

/// All minimal conflicts, by a game with selectors.
fn all(game: &Game, order: Order, budget: Budget) -> Result<Conflicts, Gap> {
    if game.guarantees.len() == 1 {
        let only = Conflict { guarantees: vec![0], doubtful: Vec::new() };
        return Ok(Conflicts { list: vec![only], gap: None });
    }
    if game.guarantees.len() > SELECTORS {
        return Err(Gap::Guarantees(game.guarantees.len()));
    }
    let prepared = game.prepared();
    let mut solver = Solver::new(&prepared, order, Owner::System, true, budget)?;
    let region = solver.solve()?;
    let mut lost = solver.at_start(region.states)?;
    let m = &mut solver.arena.m;
    lost = m.not(lost);
    let selectors: Vec<(usize, u32)> = solver
        .arena
        .meanings
        .iter()
        .enumerate()
        .filter_map(|(place, it)| match it {
            Meaning::Selector(guarantee) => Some((*guarantee, place as u32)),
            _ => None,
        })
        .collect();
    let mut found = Conflicts::default();
    while lost != Bdd::FALSE {
        if found.list.len() == MOST {
            found.gap = Some(Gap::Conflicts(MOST));
            break;
        }
        // The function is monotone: selecting more keeps it lost. Leave out as much as possible.
        let mut rest = lost;
        let mut guarantees = Vec::new();
        for (guarantee, variable) in &selectors {
            let without = m.fixed(rest, *variable, false);
            if without == Bdd::FALSE {
                guarantees.push(*guarantee);
                rest = m.fixed(rest, *variable, true);
            } else {
                rest = without;
            }
        }
        let mut together = Bdd::TRUE;
        for (_, variable) in selectors.iter().filter(|it| guarantees.contains(&it.0)) {
            let selected = m.variable(*variable);
            together = m.and(together, selected);
        }
        let others = m.not(together);
        lost = m.and(lost, others);
        if m.is_full() {
            return Err(Gap::Nodes(m.size()));
        }
        found.list.push(Conflict { guarantees, doubtful: Vec::new() });
    }
    if solver.arena.is_opaque() {
        found.gap = Some(Gap::Nonlinear);
    }
    found.list.sort_by_key(|it| (it.guarantees.len(), it.guarantees.clone()));
    Ok(found)
}

/// One conflict: leaves out guarantees while the rest is unrealizable.
fn one(game: &Game, order: Order, budget: Budget) -> Option<Conflict> {
    let mut kept: Vec<usize> = (0..game.guarantees.len()).collect();
    let mut doubtful = Vec::new();
    for guarantee in (0..game.guarantees.len()).rev() {
        let fewer: Vec<usize> = kept.iter().copied().filter(|it| *it != guarantee).collect();
        match decide(&game.part(&fewer), order, budget) {
            Outcome::Unrealizable => kept = fewer,
            Outcome::Realizable => {}
            Outcome::Unknown(Gap::Time) => return None,
            Outcome::Unknown(_) => doubtful.push(guarantee),
        }
    }
    doubtful.sort_unstable();
    Some(Conflict { guarantees: kept, doubtful })
}
