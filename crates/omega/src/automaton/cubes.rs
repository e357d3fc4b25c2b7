//! Guards as short sums of products (Minato 1992, after Morreale 1970): prime and irredundant, for labels and texts.

use crate::automaton::{Guard, Guards};
use rustc_hash::FxHashMap;

/// A product of literals.
pub type Cube = Vec<(u32, bool)>;

/// Products whose sum is the guard; none of them, and none of their literals, can be left out.
pub fn cubes(guards: &Guards, guard: Guard) -> Vec<Cube> {
    // The intermediate diagrams are discarded.
    let mut guards = guards.clone();
    let mut known = FxHashMap::default();
    let (_, cubes) = between(&mut guards, guard, guard, &mut known);
    let mut cubes = cubes;
    cubes.iter_mut().for_each(|cube| cube.sort_unstable());
    cubes.sort();
    cubes
}

type Known = FxHashMap<(Guard, Guard), (Guard, Vec<Cube>)>;

/// Products whose sum lies between two functions. The recursion depth is the number of variables.
fn between(guards: &mut Guards, lower: Guard, upper: Guard, known: &mut Known) -> (Guard, Vec<Cube>) {
    if lower == Guard::FALSE {
        return (Guard::FALSE, Vec::new());
    }
    if upper == Guard::TRUE {
        return (Guard::TRUE, vec![Vec::new()]);
    }
    if let Some(found) = known.get(&(lower, upper)) {
        return found.clone();
    }
    let tops = [lower, upper].map(|f| guards.split(f).map_or(u32::MAX, |(variable, ..)| variable));
    let top = tops[0].min(tops[1]);
    let sides = |guards: &Guards, f: Guard| match guards.split(f) {
        Some((variable, low, high)) if variable == top => (low, high),
        _ => (f, f),
    };
    let ((lower0, lower1), (upper0, upper1)) = (sides(guards, lower), sides(guards, upper));
    let needs = |guards: &mut Guards, lower: Guard, upper: Guard| {
        let not = guards.not(upper);
        guards.and(lower, not)
    };
    // What needs the variable to be false, and what needs it to be true; then the rest without it.
    let only0 = needs(guards, lower0, upper1);
    let (sum0, cubes0) = between(guards, only0, upper0, known);
    let only1 = needs(guards, lower1, upper0);
    let (sum1, cubes1) = between(guards, only1, upper1, known);
    let (rest0, rest1) = (needs(guards, lower0, sum0), needs(guards, lower1, sum1));
    let (rest, both) = (guards.or(rest0, rest1), guards.and(upper0, upper1));
    let (sum, cubes) = between(guards, rest, both, known);
    let variable = guards.variable(top);
    let split = guards.choose(variable, sum1, sum0);
    let total = guards.or(split, sum);
    let with = |value: bool, cubes: Vec<Cube>| {
        cubes.into_iter().map(move |mut cube| {
            cube.push((top, value));
            cube
        })
    };
    let all: Vec<Cube> = with(false, cubes0).chain(with(true, cubes1)).chain(cubes).collect();
    known.insert((lower, upper), (total, all.clone()));
    (total, all)
}
