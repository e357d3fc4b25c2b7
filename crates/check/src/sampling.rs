//! Models that are easy to find: traces that are constant except for a few steps, many at a time. A model that is found exists; if
//! none is found, the search must decide.

use base::Random;
use logic::{Formula, Id, Shape, Store, truth_table};

/// Traces that are evaluated together, one bit each.
const LANES: usize = 16;
type Bundle = [u64; LANES];

/// The number of pieces of a trace; each repeats one letter.
const PIECES: usize = 5;

/// The number of bundles to try.
const TRIES: u64 = 6;

/// Longer windows are left to the search.
const LONGEST: u64 = 5_000;

/// Whether a formula holds on one of the traces, at the end or at the start. The horizon is the number of steps that the formula
/// refers to; traces change where that could matter.
pub(crate) fn found(
    store: &Store,
    formula: Formula,
    atoms: &[Id],
    letters: &[&[bool]],
    horizon: u64,
    at_end: bool,
) -> bool {
    if horizon > LONGEST || letters.is_empty() {
        return false;
    }
    let horizon = horizon as usize;
    let shape = Shape::finite(horizon + 10);
    let mut rng = Random::new(1);
    (0..TRIES).any(|_| {
        let starts: [[usize; PIECES]; LANES] = std::array::from_fn(|_| starts(&mut rng, horizon));
        let mut truths = vec![[[0_u64; LANES]; PIECES]; atoms.len()];
        for (lane, bit) in (0..LANES).flat_map(|lane| (0..64).map(move |bit| (lane, bit))) {
            for piece in 0..PIECES {
                let letter = letters[rng.below(letters.len())];
                for (truths, &truth) in truths.iter_mut().zip(letter) {
                    truths[piece][lane] |= u64::from(truth) << bit;
                }
            }
        }
        let mut complete = true;
        let holds = truth_table(store, formula, shape, |atom, position| {
            let Some(truths) = atoms.iter().position(|&id| id == atom).map(|at| &truths[at]) else {
                complete = false;
                return [0; LANES];
            };
            let bundle: Bundle = std::array::from_fn(|lane| {
                let piece = starts[lane].iter().rposition(|&start| start <= position).unwrap_or(0);
                truths[piece][lane]
            });
            bundle
        });
        // The value of a past-time formula at a position is about the trace that ends there.
        let asked = if at_end { &holds[..] } else { &holds[..1] };
        complete && asked.iter().flatten().any(|&bits| bits != 0)
    })
}

/// The starts of the pieces of a trace: some at once, the last ones where a window that began with a piece ends.
fn starts(rng: &mut Random, horizon: usize) -> [usize; PIECES] {
    let first = 1 + rng.below(2);
    let second = first + 1 + rng.below(2);
    let window = [0, first, second][rng.below(3)] + horizon + rng.below(3);
    let third = window.max(second + 1);
    [0, first, second, third, third + 1 + rng.below(2)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::symbolic::{Asked, shortest_model};
    use requirement::template::{ATOMS, templates};

    /// Every model found exists, and most existing models are found: otherwise lint would be slow.
    #[test]
    fn samples_agree_with_the_search() {
        let mut store = Store::default();
        let (mut sampled, mut there) = (0, 0);
        for steps in [1, 4] {
            for requirement in templates(&mut store, steps) {
                let atoms = ATOMS.map(|name| {
                    let symbol = store.symbol(name);
                    store.var(symbol).id()
                });
                let letters: Vec<Vec<bool>> =
                    (0..16).map(|bits| (0..4).map(|atom| bits >> atom & 1 == 1).collect()).collect();
                let slices: Vec<&[bool]> = letters.iter().map(Vec::as_slice).collect();
                let formula = requirement::past(&mut store, &requirement).expect("templates have one");
                for formula in [formula, store.not(formula)] {
                    let model = shortest_model(&mut store, formula, &atoms, &letters, Asked::AtEnd);
                    let exists = model.expect("templates are small").is_some();
                    let found = found(&store, formula, &atoms, &slices, steps, true);
                    assert!(exists || !found, "{}", requirement.key());
                    there += usize::from(exists);
                    sampled += usize::from(found);
                }
            }
        }
        assert!(sampled * 100 >= there * 98, "{sampled} of {there}");
    }
}
