//! The shortest lassos, found by exhaustive search, many at a time.

use logic::{Formula, Id, Shape, Store, truth_table};

/// Lassos of one length and loop that are evaluated together, one bit each; if there are more, they are not tried.
type Bundle = [u64; 64];
const MAX_WORDS: u64 = 64 * 64;

/// A shortest lasso on which a formula holds, as letter indices and the start of its loop. `None` if there is none short enough to be
/// tried.
pub(crate) fn shortest(
    store: &Store,
    formula: Formula,
    atoms: &[Id],
    letters: &[Vec<bool>],
) -> Option<(Vec<usize>, usize)> {
    let count = letters.len() as u64;
    let words = |length: usize| count.checked_pow(length as u32).filter(|&words| words <= MAX_WORDS);
    // One letter has only lassos of one step.
    let longest = if count == 1 { 1 } else { 16 };
    (1..=longest).map_while(|length| Some((length, words(length)?))).find_map(|(length, words)| {
        (0..length).rev().find_map(|start| {
            let shape = Shape::lasso(length, start);
            let letter = |word: u64, position: usize| (word / count.pow(position as u32) % count) as usize;
            let holds = truth_table(store, formula, shape, |atom, position| {
                let atom = atoms.iter().position(|&id| id == atom);
                let mut bits: Bundle = [0; 64];
                for word in 0..words {
                    if atom.is_some_and(|atom| letters[letter(word, position)][atom]) {
                        bits[word as usize / 64] |= 1 << (word % 64);
                    }
                }
                bits
            });
            let found = (0..words).find(|&word| holds[0][word as usize / 64] >> (word % 64) & 1 == 1)?;
            Some(((0..length).map(|position| letter(found, position)).collect(), start))
        })
    })
}
