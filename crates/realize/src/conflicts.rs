//! Minimal conflicts: sets of guarantees that are unrealizable together although each smaller set is realizable.
//!
//! One game with a selector for each guarantee has a winning region that is a function of the selected guarantees, so its minimal losing
//! sets are all conflicts at once. Where that game is too large, sets of guarantees are decided one by one, the largest of which nothing
//! is known first (MARCO: Liffiton, Previti, Malik, Marques-Silva 2016); what is found until the time is over counts.

use crate::arena::{Choice, Meaning, Owner, Pins};
use crate::fixpoint::{Budget, Solver};
use crate::game::{Game, Order, Piece};
use crate::solve::{Outcome, decide};
use crate::verdict::Gap;
use logic::bdd::{Bdd, Manager};

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

/// The number of nodes within which conflicts are looked for first.
const FEW_NODES: usize = 20_000;

/// The number of nodes within which it is decided whether a guarantee is needed for a conflict.
const SOME_NODES: usize = 400_000;

/// All minimal conflicts of an unrealizable game, or those that are found until the budget ends.
pub fn conflicts(game: &Game, order: Order, budget: Budget) -> Conflicts {
    match all(game, order, budget) {
        Ok(found) if found.gap.is_none() => found,
        Ok(_) | Err(_) => one_by_one(game, order, budget),
    }
}

/// A minimal conflict of an unrealizable game, and others if they are found without more work.
pub fn first_conflict(game: &Game, order: Order, budget: Budget) -> Conflicts {
    let few = budget.at_most(FEW_NODES);
    match all(game, order, few) {
        Ok(found) if !found.list.is_empty() || found.gap.is_none() => found,
        _ => {
            let whole: Vec<usize> = (0..game.guarantees.len()).collect();
            let list = shrunk(game, &whole, order, budget).into_iter().collect();
            Conflicts { list, gap: Some(Gap::OneConflict) }
        }
    }
}

/// All minimal conflicts, by a game with selectors.
fn all(game: &Game, order: Order, budget: Budget) -> Result<Conflicts, Gap> {
    if game.guarantees.len() == 1 {
        let list = match decide(game, order, budget) {
            Outcome::Realizable => Vec::new(),
            Outcome::Unrealizable => vec![Conflict { guarantees: vec![0], doubtful: Vec::new() }],
            Outcome::Unknown(gap) => return Err(gap),
        };
        return Ok(Conflicts { list, gap: None });
    }
    if game.guarantees.len() > SELECTORS {
        return Err(Gap::Guarantees(game.guarantees.len()));
    }
    let mut found = Conflicts::default();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let pieces = game.prepared().pieces(order, budget);
    for piece in pieces.iter().filter(|it| !it.answered) {
        let gap = of_piece(piece, order, budget, &mut sets)?;
        found.gap = found.gap.or(gap);
    }
    // What is a conflict in one piece may contain a conflict of another.
    sets.sort_by_key(|it| (it.len(), it.clone()));
    for set in sets {
        let is_inside = |it: &Conflict| it.guarantees.iter().all(|it| set.contains(it));
        if !found.list.iter().any(is_inside) {
            found.list.push(Conflict { guarantees: set, doubtful: Vec::new() });
        }
    }
    Ok(found)
}

/// Adds the minimal conflicts of a piece of a game. Returns why there may be more.
fn of_piece(
    piece: &Piece,
    order: Order,
    budget: Budget,
    found: &mut Vec<Vec<usize>>,
) -> Result<Option<Gap>, Gap> {
    let choice = Choice { order, opaque: Owner::System, selectors: true };
    let mut solver = Solver::new(&piece.prepared, choice, Pins::default(), budget)?;
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
    while lost != Bdd::FALSE {
        if found.len() == MOST {
            return Ok(Some(Gap::Conflicts(MOST)));
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
        found.push(guarantees.into_iter().map(|it| piece.of[it]).collect());
    }
    Ok(solver.arena.is_opaque().then_some(Gap::Nonlinear))
}

/// Conflicts by deciding sets of guarantees, each the largest of those of which nothing is known.
fn one_by_one(game: &Game, order: Order, budget: Budget) -> Conflicts {
    let count = game.guarantees.len();
    let mut found = Conflicts::default();
    // The sets of which nothing is known, as a function of selectors.
    let mut m = Manager::with_limit(budget.nodes);
    let mut open = Bdd::TRUE;
    while let Some(set) = largest(&m, open, count) {
        let outcome = decide(&game.part(&set), order, budget);
        let known = match outcome {
            Outcome::Unrealizable => match shrunk(game, &set, order, budget) {
                // A set that contains a conflict is known.
                Some(conflict) => {
                    let known = together(&mut m, &conflict.guarantees);
                    found.list.push(conflict);
                    known
                }
                None => Bdd::TRUE,
            },
            // So is a set inside a realizable one.
            Outcome::Realizable => {
                let outside: Vec<usize> = (0..count).filter(|it| !set.contains(it)).collect();
                let some = outside.iter().fold(Bdd::FALSE, |some, it| {
                    let one = m.variable(*it as u32);
                    m.or(some, one)
                });
                m.not(some)
            }
            Outcome::Unknown(gap) => {
                let is_over = gap == Gap::Time;
                found.gap = Some(gap);
                if is_over {
                    break;
                }
                let rest = (0..count).filter(|it| !set.contains(it));
                rest.fold(together(&mut m, &set), |all, it| {
                    let one = m.variable(it as u32);
                    let not = m.not(one);
                    m.and(all, not)
                })
            }
        };
        let unknown = m.not(known);
        open = m.and(open, unknown);
        let gap = match () {
            () if (budget.stop)() => Some(Gap::Time),
            () if m.is_full() => Some(Gap::Nodes(m.size())),
            () if found.list.len() == MOST => Some(Gap::Conflicts(MOST)),
            () => None,
        };
        if gap.is_some() {
            found.gap = gap;
            break;
        }
    }
    found.list.sort_by_key(|it| (it.guarantees.len(), it.guarantees.clone()));
    found
}

/// The set that a function of selectors contains and that has as many of the first guarantees as possible: no larger one is in it.
fn largest(m: &Manager, mut open: Bdd, count: usize) -> Option<Vec<usize>> {
    let mut left = vec![false; count];
    while let Some((variable, low, high)) = m.split(open) {
        left[variable as usize] = high == Bdd::FALSE;
        open = if high == Bdd::FALSE { low } else { high };
    }
    (open == Bdd::TRUE).then(|| (0..count).filter(|it| !left[*it]).collect())
}

fn together(m: &mut Manager, set: &[usize]) -> Bdd {
    set.iter().rev().fold(Bdd::TRUE, |all, it| {
        let one = m.variable(*it as u32);
        m.and(one, all)
    })
}

/// An unrealizable set within an unrealizable set, by leaving out many guarantees at once and then fewer. What is lost is often lost soon,
/// and what is not lost may be a large game, so only what is decided with few nodes counts.
fn roughly_shrunk(game: &Game, set: &[usize], order: Order, budget: Budget) -> Vec<usize> {
    let few = budget.at_most(FEW_NODES);
    let mut kept = set.to_vec();
    let mut size = kept.len() / 2;
    while size > 0 && !(budget.stop)() {
        let mut end = kept.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            let fewer: Vec<usize> = kept[..start].iter().chain(&kept[end..]).copied().collect();
            if decide(&game.part(&fewer), order, few) == Outcome::Unrealizable {
                kept = fewer;
            }
            end = start;
        }
        size /= 2;
    }
    kept
}

/// A conflict within an unrealizable set: leaves out guarantees while the rest is unrealizable. `None` if the time is over.
fn shrunk(game: &Game, set: &[usize], order: Order, budget: Budget) -> Option<Conflict> {
    let mut kept = roughly_shrunk(game, set, order, budget);
    let budget = budget.at_most(SOME_NODES);
    let mut doubtful = Vec::new();
    for guarantee in kept.clone().iter().rev() {
        let fewer: Vec<usize> = kept.iter().copied().filter(|it| it != guarantee).collect();
        match decide(&game.part(&fewer), order, budget) {
            Outcome::Unrealizable => kept = fewer,
            Outcome::Realizable => {}
            Outcome::Unknown(Gap::Time) => return None,
            Outcome::Unknown(_) => doubtful.push(*guarantee),
        }
    }
    doubtful.sort_unstable();
    Some(Conflict { guarantees: kept, doubtful })
}
