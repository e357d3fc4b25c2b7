//! Simpler games for environments that promise something about several numbers together, such as that they add up to one.
//!
//! Eliminating such numbers compares each bound with each other one, and if numbers are also in the memory, the sets of states grow at each
//! step. Two games are simpler because in them the comparisons are about one number each. If the environment promises only the range of
//! each number, it is stronger: a system that wins all the same wins. If it chooses from a few points, the corners of its promises and points
//! between them, it is weaker: an environment that wins all the same wins. If neither decides, nothing is known.

use crate::arena::{Choice, Owner, Pins};
use crate::fixpoint::{Budget, Region, Solver};
use crate::game::{Game, Order, Prepared};
use crate::quantify::Values;
use dashu_ratio::RBig;
use logic::bdd::Bdd;
use system::{Expr, Type, Var};

/// The largest number of nodes of a simpler game.
const NODES: usize = 100_000;
/// The largest number of steps in a simpler game.
const STEPS: usize = 24;
/// The largest number of numbers that an environment chooses.
const NUMBERS: usize = 8;
/// The largest number of corners.
const CORNERS: usize = 12;

/// The region of a simpler game, if it decides the game.
pub(crate) fn approximated<'g, 'b>(
    prepared: &'g Prepared,
    order: Order,
    budget: Budget<'b>,
) -> Option<(Solver<'g, 'b>, Region)> {
    if !may_promise_together(&prepared.game) {
        return None;
    }
    let budget = Budget { nodes: budget.nodes.min(NODES), steps: budget.steps.min(STEPS), ..budget };
    let choice = Choice { order, opaque: Owner::Environment, selectors: false };
    let simplified: [(Simplify<'g, 'b>, bool); 2] = [(with_ranges, true), (with_points, false)];
    simplified.into_iter().find_map(|(simplify, by_system)| {
        let mut solver = Solver::new(prepared, choice, Pins::default(), budget).ok()?;
        if !promises_together(&solver) {
            return None;
        }
        simplify(&mut solver)?;
        solver.arena.check().ok()?;
        let region = solver.solve().ok()?;
        (region.won == by_system && (by_system || !solver.arena.is_opaque())).then_some((solver, region))
    })
}

/// Changes what the environment chooses from; `None` if that is too much.
type Simplify<'g, 'b> = fn(&mut Solver<'g, 'b>) -> Option<()>;

/// Whether a game has numbers in its memory and an assumption about several numbers of the environment.
fn may_promise_together(game: &Game) -> bool {
    let system = &game.system;
    let is_number = |it: &Var| matches!(system.variables[it.index()].ty, Type::Int | Type::Real);
    let is_chosen = |it: &&Var| is_number(it) && system.inputs.contains(it) && !game.is_output(**it);
    let is_together = |it: &Expr| system.pool.variables([*it]).iter().filter(is_chosen).count() > 1;
    system.state.iter().any(|it| is_number(&it.var)) && system.assumptions.iter().any(is_together)
}

/// Whether there are numbers in the memory, and promises about several numbers of a step and nothing else.
fn promises_together(solver: &Solver) -> bool {
    let arena = &solver.arena;
    let numbers = arena.numbers_of(Owner::Environment);
    let atoms = arena.atoms_in(solver.assumed);
    let is_chosen = |it: &Var| numbers.contains(it);
    !arena.numbers_of(Owner::State).is_empty()
        && numbers.len() <= NUMBERS
        && atoms.iter().any(|it| it.1.form.len() > 1)
        && atoms.iter().all(|it| it.1.form.iter().all(|it| is_chosen(&it.0)))
}

/// Leaves of the promises the range of each number.
fn with_ranges(solver: &mut Solver) -> Option<()> {
    let mut all = Bdd::TRUE;
    for (_, range) in ranges(solver)? {
        all = solver.arena.m.and(all, range);
    }
    solver.assumed = all;
    Some(())
}

/// What the promises say about each number, whatever the others are.
fn ranges(solver: &mut Solver) -> Option<Vec<(Var, Bdd)>> {
    let numbers = solver.arena.numbers_of(Owner::Environment);
    let mut ranges = Vec::new();
    for var in &numbers {
        let others: Vec<Var> = numbers.iter().copied().filter(|it| it != var).collect();
        ranges.push((*var, solver.arena.exists_numbers(solver.assumed, &others).ok()?));
    }
    Some(ranges)
}

/// Leaves to the environment the corners of its promises, the points in the middle between two of them, and the one in the middle of all.
fn with_points(solver: &mut Solver) -> Option<()> {
    let mut corners = vec![Values::default()];
    for (var, range) in ranges(solver)? {
        let ends = ends(solver, var, range);
        let with = |it: &Values, end: &RBig| {
            let mut it = it.clone();
            it.numbers.insert(var, end.clone());
            it
        };
        corners = corners.iter().flat_map(|it| ends.iter().map(move |end| with(it, end))).collect();
        if corners.len() > 1 << NUMBERS {
            return None;
        }
    }
    corners.retain(|it| solver.arena.with_numbers(solver.assumed, it) != Bdd::FALSE);
    if corners.is_empty() || corners.len() > CORNERS {
        return None;
    }
    let mut points = corners.clone();
    for (place, one) in corners.iter().enumerate() {
        points.extend(corners[place + 1..].iter().map(|other| middle(&[one, other])));
    }
    points.push(middle(&corners.iter().collect::<Vec<_>>()));
    let is_whole = |it: &Values| {
        it.numbers.iter().all(|(var, number)| solver.arena.type_of(*var) != Type::Int || number.is_int())
    };
    points.retain(is_whole);
    solver.points = points;
    Some(())
}

/// The ends of a range that are within it.
fn ends(solver: &mut Solver, var: Var, range: Bdd) -> Vec<RBig> {
    let thresholds = solver.arena.atoms_in(range).into_iter().filter_map(|(_, atom)| {
        let coefficient = atom.coefficient(var)?.clone();
        Some(atom.limit / RBig::from(coefficient))
    });
    let mut ends: Vec<RBig> = thresholds.collect();
    ends.sort();
    ends.dedup();
    ends.retain(|end| {
        let value = Values { bits: Vec::new(), numbers: [(var, end.clone())].into_iter().collect() };
        solver.arena.with_numbers(range, &value) != Bdd::FALSE
    });
    ends
}

/// The point in the middle of some points.
fn middle(points: &[&Values]) -> Values {
    let mut middle = Values::default();
    let share = RBig::ONE / RBig::from(points.len());
    for (var, number) in points.iter().flat_map(|it| &it.numbers) {
        *middle.numbers.entry(*var).or_insert(RBig::ZERO) += number * &share;
    }
    middle
}
