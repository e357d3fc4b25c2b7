//! A falsifier: random walks in doubles, long and short, until one violates the property and is confirmed.
//!
//! Slow processes (an integrator, a large counter) take thousands of steps, but in those nothing else happens. So the longest walks
//! keep their inputs.

use crate::engines::task::{Found, Task};
use crate::evidence::replay::confirm;
use crate::walk::sample::Walk;
use system::{Value, Var};

/// The lengths of the walks of a cycle.
const LENGTHS: [usize; 6] = [10, 40, 10, 200, 10, 1000];
/// The length of the longest walk, and the number of cycles in which it grows fourfold up to it.
const LONGEST: usize = 64_000;
const CYCLES: usize = 3;

/// Walks until the timeout or until `walks` walks are done.
pub(crate) fn falsify(task: Task<'_>, seed: u64, walks: usize) -> Option<Found> {
    let good = task.good();
    let mut walk: Walk<'_> = Walk::new(task.system, &[], seed);
    for round in 0..walks {
        let (cycle, place) = (round / LENGTHS.len(), round % LENGTHS.len());
        let quiet = cycle > 0 && place + 1 == LENGTHS.len();
        let length = if quiet { LONGEST >> (2 * (CYCLES - cycle.min(CYCLES))) } else { LENGTHS[place] };
        let mut alive = walk.begin(quiet);
        while alive && walk.rows.len() < length {
            if (task.stop)() {
                return None;
            }
            if walk.truth(good) == Some(false) {
                let rows = &walk.rows;
                let known = |var: Var, step: u32| -> Option<Value> {
                    match task.system.inputs.iter().position(|it| *it == var) {
                        Some(place) => rows.get(step as usize)?.get(place).cloned(),
                        None => walk.start.iter().find(|it| it.0 == var).map(|it| it.1.clone()),
                    }
                };
                if let Some(found) = confirm(task.whole, task.property, rows.len(), &known) {
                    return Some(Found::Invalid(found));
                }
                break;
            }
            alive = walk.step() && !(quiet && walk.repeats());
        }
        if (task.stop)() {
            return None;
        }
    }
    None
}
