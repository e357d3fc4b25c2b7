//! A falsifier: random walks in doubles, long and short, until one violates the property and is confirmed.
//!
//! Slow processes (an integrator, a large counter) take thousands of steps, but in those nothing else happens. So the longest walks
//! keep their inputs.

use crate::engines::task::{Found, Task};
use crate::evidence::replay::confirm;
use crate::verdict::Counterexample;
use crate::walk::sample::Walk;
use system::{Value, Var};

/// The lengths of the walks of a cycle.
const LENGTHS: [usize; 6] = [10, 40, 10, 200, 10, 1000];
/// The length of the longest walk, and the number of cycles in which it grows fourfold up to it.
const LONGEST: usize = 64_000;
const CYCLES: usize = 3;

/// Walks until the timeout, until `walks` walks are done, or until the property is violated.
pub(crate) fn falsify(task: Task<'_>, seed: u64, walks: usize) -> Option<Found> {
    falsify_each(task, &[task.property], seed, walks).pop().map(|it| Found::Invalid(it.1))
}

/// Walks until the timeout, until `walks` walks are done, or until every property of the task's system is violated. The properties are
/// those at `places` of the whole system. Returns each violation with the index of its property in the task's system.
pub(crate) fn falsify_each(
    task: Task<'_>,
    places: &[usize],
    seed: u64,
    walks: usize,
) -> Vec<(usize, Counterexample)> {
    let mut found = Vec::new();
    let mut open: Vec<usize> = (0..places.len().min(task.system.properties.len())).collect();
    let mut walk: Walk<'_> = Walk::new(task.system, &[], seed);
    for round in 0..walks {
        let (cycle, place) = (round / LENGTHS.len(), round % LENGTHS.len());
        let quiet = cycle > 0 && place + 1 == LENGTHS.len();
        let length = if quiet { LONGEST >> (2 * (CYCLES - cycle.min(CYCLES))) } else { LENGTHS[place] };
        let mut alive = walk.begin(quiet);
        // What this walk violates in doubles, whether or not it does in exact numbers.
        let mut violated: Vec<usize> = Vec::new();
        while alive && walk.rows.len() < length {
            if (task.stop)() {
                return found;
            }
            let fails = |it: &usize| walk.truth(task.system.properties[*it].value) == Some(false);
            let now: Vec<usize> =
                open.iter().copied().filter(|it| !violated.contains(it) && fails(it)).collect();
            for property in now {
                violated.push(property);
                if let Some(counterexample) = replayed(task, places[property], &walk) {
                    found.push((property, counterexample));
                    open.retain(|it| *it != property);
                }
            }
            if open.iter().all(|it| violated.contains(it)) {
                break;
            }
            alive = walk.step() && !(quiet && walk.repeats());
        }
        if open.is_empty() || (task.stop)() {
            return found;
        }
    }
    found
}

/// The counterexample that a walk is, if it is one in exact numbers.
fn replayed(task: Task<'_>, property: usize, walk: &Walk<'_>) -> Option<Counterexample> {
    let known = |var: Var, step: u32| -> Option<Value> {
        match task.system.inputs.iter().position(|it| *it == var) {
            Some(place) => walk.rows.get(step as usize)?.get(place).cloned(),
            None => walk.start.iter().find(|it| it.0 == var).map(|it| it.1.clone()),
        }
    };
    confirm(task.whole, property, walk.rows.len(), &known)
}
