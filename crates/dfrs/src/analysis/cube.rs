//! Cubes: for each slot a set of classes.
//!
//! Whether guards can hold together in a cube is decided by intersecting sets, without a search of states.

use crate::classes::{Class, ClassSet};
use crate::machine::{Machine, Rule, Test};

/// For each slot, the classes it may have.
pub(crate) type Cube = Vec<ClassSet>;

/// All states.
pub(crate) fn full(machine: &Machine<'_>) -> Cube {
    let values = || machine.variables.iter().map(|it| all(it.classes.count()));
    values().chain(values()).chain(machine.timers.iter().map(|it| all(it.ages.count()))).collect()
}

/// One state.
pub(crate) fn point(slots: &[Class]) -> Cube {
    slots.iter().map(|&class| 1 << class).collect()
}

/// Whether a state is in a cube.
pub(crate) fn contains(cube: &Cube, slots: &[Class]) -> bool {
    cube.iter().zip(slots).all(|(set, class)| set >> class & 1 == 1)
}

/// Whether all these guards can hold together in a cube. A test of two slots against each other counts as possible.
pub(crate) fn possible(cube: &Cube, rules: &[&Rule]) -> bool {
    let mut cube = cube.clone();
    for test in rules.iter().flat_map(|rule| &rule.all) {
        if !restrict(&mut cube, test) {
            return false;
        }
    }
    let clauses: Vec<&[Test]> = rules.iter().flat_map(|rule| rule.any.iter().map(Vec::as_slice)).collect();
    some(&cube, &clauses)
}

fn some(cube: &Cube, clauses: &[&[Test]]) -> bool {
    let Some((clause, rest)) = clauses.split_first() else { return true };
    clause.iter().any(|test| {
        let mut part = cube.clone();
        restrict(&mut part, test) && some(&part, rest)
    })
}

fn restrict(cube: &mut Cube, test: &Test) -> bool {
    match test {
        Test::In(slot, set) => {
            cube[*slot] &= set;
            cube[*slot] != 0
        }
        Test::Same(..) => true,
    }
}

fn all(classes: usize) -> ClassSet {
    (1 << classes) - 1
}
