//! Guards as formulas: short sums of products of a decision diagram (Minato 1993, after Morreale 1970), of the guard or of its
//! complement, whichever is shorter.

use logic::{Formula, Id, Store};
use omega::{Guard, Guards};
use rustc_hash::FxHashMap;

/// A product: variables with their signs.
pub type Cube = Vec<(u32, bool)>;

/// The maximum number of products in a sum; a guard that needs more is written as choices instead.
const CUBES: usize = 500;

/// An irredundant sum of products for a guard; `None` if it would be very long.
pub fn cover(guards: &mut Guards, guard: Guard) -> Option<Vec<Cube>> {
    between(guards, guard, guard).map(|(_, cubes)| cubes)
}

/// The number of literals in the shorter notation of a guard.
pub fn weight(guards: &mut Guards, guard: Guard) -> u64 {
    let literals = |cubes: Option<Vec<Cube>>| {
        cubes.map_or(u64::MAX, |cubes| cubes.iter().map(|cube| cube.len() as u64).sum())
    };
    let opposite = guards.not(guard);
    let (direct, indirect) = (cover(guards, guard), cover(guards, opposite));
    literals(direct).min(literals(indirect))
}

/// The formula of a guard, where variable `k` is atom `k`.
pub fn guard_formula(store: &mut Store, guards: &mut Guards, atoms: &[Id], guard: Guard) -> Formula {
    let opposite = guards.not(guard);
    let (direct, indirect) = (cover(guards, guard), cover(guards, opposite));
    let literals = |cubes: &Option<Vec<Cube>>| {
        cubes.as_ref().map_or(usize::MAX, |cubes| cubes.iter().map(Vec::len).sum())
    };
    match (literals(&direct), literals(&indirect)) {
        (usize::MAX, usize::MAX) => choices(store, guards, atoms, guard),
        (a, b) if a <= b => sum(store, atoms, &direct.unwrap_or_default()),
        _ => {
            let complement = sum(store, atoms, &indirect.unwrap_or_default());
            store.not(complement)
        }
    }
}

fn atom(store: &mut Store, atoms: &[Id], variable: u32) -> Formula {
    let known = atoms.get(variable as usize).and_then(|&id| store.as_formula(id));
    known.unwrap_or_else(|| {
        let symbol = store.symbol(&format!("atom_{variable}"));
        store.var(symbol)
    })
}

fn sum(store: &mut Store, atoms: &[Id], cubes: &[Cube]) -> Formula {
    let products: Vec<Formula> = cubes
        .iter()
        .map(|cube| {
            let literals: Vec<Formula> = cube
                .iter()
                .map(|&(variable, sign)| {
                    let atom = atom(store, atoms, variable);
                    if sign { atom } else { store.not(atom) }
                })
                .collect();
            store.and(literals)
        })
        .collect();
    store.or(products)
}

/// The guard as nested choices; recursion goes from variable to variable.
fn choices(store: &mut Store, guards: &Guards, atoms: &[Id], guard: Guard) -> Formula {
    fn go(
        store: &mut Store,
        guards: &Guards,
        atoms: &[Id],
        guard: Guard,
        known: &mut FxHashMap<Guard, Formula>,
    ) -> Formula {
        if let Some(&formula) = known.get(&guard) {
            return formula;
        }
        let formula = match guards.split(guard) {
            None => store.bool(guard == Guard::TRUE),
            Some((variable, low, high)) => {
                let atom = atom(store, atoms, variable);
                let (low, high) =
                    (go(store, guards, atoms, low, known), go(store, guards, atoms, high, known));
                let not = store.not(atom);
                let (yes, no) = (store.and2(atom, high), store.and2(not, low));
                store.or2(yes, no)
            }
        };
        known.insert(guard, formula);
        formula
    }
    go(store, guards, atoms, guard, &mut FxHashMap::default())
}

/// A function between two, and products whose sum it is.
fn between(guards: &mut Guards, lower: Guard, upper: Guard) -> Option<(Guard, Vec<Cube>)> {
    if lower == Guard::FALSE {
        return Some((Guard::FALSE, Vec::new()));
    }
    if upper == Guard::TRUE {
        return Some((Guard::TRUE, vec![Vec::new()]));
    }
    let (low, up) = (guards.split(lower), guards.split(upper));
    let top = low.map(|split| split.0).into_iter().chain(up.map(|split| split.0)).min()?;
    let halves = |split: Option<(u32, Guard, Guard)>, whole: Guard| match split {
        Some((variable, no, yes)) if variable == top => (no, yes),
        _ => (whole, whole),
    };
    let ((low0, low1), (up0, up1)) = (halves(low, lower), halves(up, upper));
    let without = |guards: &mut Guards, a: Guard, b: Guard| guards.choose(b, Guard::FALSE, a);
    let (need0, need1) = (without(guards, low0, up1), without(guards, low1, up0));
    let (f0, cubes0) = between(guards, need0, up0)?;
    let (f1, cubes1) = between(guards, need1, up1)?;
    let (left0, left1) = (without(guards, low0, f0), without(guards, low1, f1));
    let (left, both) = (guards.or(left0, left1), guards.and(up0, up1));
    let (shared, cubes) = between(guards, left, both)?;
    let with = |sign: bool| {
        move |mut cube: Cube| {
            cube.insert(0, (top, sign));
            cube
        }
    };
    // Positive literals first reads better.
    let all: Vec<Cube> =
        cubes1.into_iter().map(with(true)).chain(cubes0.into_iter().map(with(false))).chain(cubes).collect();
    if all.len() > CUBES {
        return None;
    }
    let variable = guards.variable(top);
    let chosen = guards.choose(variable, f1, f0);
    Some((guards.or(chosen, shared), all))
}

/// Transfers a guard to another arena, with renamed variables.
pub(crate) fn transfer(
    from: &Guards,
    to: &mut Guards,
    names: &[u32],
    guard: Guard,
    known: &mut FxHashMap<Guard, Guard>,
) -> Guard {
    if let Some(&there) = known.get(&guard) {
        return there;
    }
    let there = match from.split(guard) {
        None => guard,
        Some((variable, low, high)) => {
            let (low, high) = (transfer(from, to, names, low, known), transfer(from, to, names, high, known));
            let variable = to.variable(names[variable as usize]);
            to.choose(variable, high, low)
        }
    };
    known.insert(guard, there);
    there
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;
    use crate::testing::check::formula_guard;

    /// Every function of three atoms is written as an equivalent formula.
    #[test]
    fn formulas_mean_their_guards() {
        let mut world = World::new();
        world.read("[a & b & c]");
        for table in 0..256u32 {
            let guards = &mut world.arena.guards;
            let mut guard = Guard::FALSE;
            for row in (0..8).filter(|row| table >> row & 1 == 1) {
                let mut product = Guard::TRUE;
                for k in 0..3 {
                    let variable = guards.variable(k);
                    let literal = if row >> k & 1 == 1 { variable } else { guards.not(variable) };
                    product = guards.and(product, literal);
                }
                guard = guards.or(guard, product);
            }
            let formula = guard_formula(&mut world.store, guards, &world.atoms, guard);
            assert_eq!(formula_guard(&world.store, guards, &world.atoms, formula), Some(guard));
            let nested = choices(&mut world.store, guards, &world.atoms, guard);
            assert_eq!(formula_guard(&world.store, guards, &world.atoms, nested), Some(guard));
        }
    }

    #[test]
    fn short_formulas() {
        for (text, expected) in [
            ("[a & b | !a]", "[!a | b]"),
            ("[!(a & b)]", "[!a | !b]"),
            ("[(a | b) & (a | c)]", "[a | b & c]"),
            ("[!(a & b | !a & c)]", "[a & !b | !a & !c]"),
            ("[(a | b) & (c | d) & (e | f)]", "[!(!a & !b | !c & !d | !e & !f)]"),
        ] {
            let mut world = World::new();
            let expr = world.read(text);
            assert_eq!(world.show(expr), expected);
        }
    }
}
