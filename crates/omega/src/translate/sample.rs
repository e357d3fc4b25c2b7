//! Values of formulas on random lassos, 64 at a time: they refute most wrong guesses at once.
//!
//! A column contains, for each position of the common shape, one bit per lasso. Until is the least fixed point of its expansion,
//! computed by visiting the positions backwards, twice around the loop.

use crate::translate::ltl::{Arena, Ltl, Op};
use rustc_hash::FxHashMap;

/// 64 lassos of one shape.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    loop_start: usize,
    /// By proposition and position.
    values: Vec<Vec<u64>>,
}

/// Samples of several shapes; deterministic for the same number of propositions.
pub(crate) fn samples(propositions: usize) -> Vec<Sample> {
    let mut rng = base::Random::new(1);
    [(1, 0), (2, 1), (3, 2), (4, 2), (5, 1), (6, 3), (8, 5), (9, 8)]
        .into_iter()
        .map(|(len, loop_start)| {
            let mut column = || (0..len).map(|_| rng.bits()).collect();
            Sample { loop_start, values: (0..propositions).map(|_| column()).collect() }
        })
        .collect()
}

impl Sample {
    /// The lassos on which a formula holds at the first position, as bits.
    pub(crate) fn holds(&self, arena: &Arena, root: Ltl) -> u64 {
        let len = self.values.first().map_or(1, Vec::len);
        let next = |position: usize| if position + 1 == len { self.loop_start } else { position + 1 };
        let mut known: FxHashMap<Ltl, Vec<u64>> = FxHashMap::default();
        let mut open = vec![root];
        while let Some(&f) = open.last() {
            let before = open.len();
            open.extend(arena.operands(f).into_iter().filter(|g| !known.contains_key(g)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let column = match arena.op(f) {
                Op::True => vec![!0; len],
                Op::False => vec![0; len],
                Op::Literal { atom, positive } => {
                    let flip = if *positive { 0 } else { !0 };
                    self.values[*atom as usize].iter().map(|bits| bits ^ flip).collect()
                }
                Op::And(operands) => fold(operands, &known, len, !0, |x, y| x & y),
                Op::Or(operands) => fold(operands, &known, len, 0, |x, y| x | y),
                Op::Next { steps, f, .. } => {
                    let ahead = |position: usize| {
                        let stem = self.loop_start.saturating_sub(position) as u64;
                        let whole = stem + steps.saturating_sub(stem) % (len - self.loop_start) as u64;
                        (0..(*steps).min(whole)).fold(position, |at, _| next(at))
                    };
                    (0..len).map(|position| known[f][ahead(position)]).collect()
                }
                Op::Until(span, a, b) => way(&known[a], &known[b], *span, next, 0, |a, b, on| b | (a & on)),
                Op::Release(span, a, b) => {
                    way(&known[a], &known[b], *span, next, !0, |a, b, on| b & (a | on))
                }
            };
            known.insert(f, column);
        }
        known[&root][0]
    }
}

fn fold(
    operands: &[Ltl],
    known: &FxHashMap<Ltl, Vec<u64>>,
    len: usize,
    neutral: u64,
    op: impl Fn(u64, u64) -> u64,
) -> Vec<u64> {
    let value = |position: usize| operands.iter().fold(neutral, |all, f| op(all, known[f][position]));
    (0..len).map(value).collect()
}

/// The fixed point of an expansion, starting from `first`.
fn way(
    a: &[u64],
    b: &[u64],
    span: Option<u64>,
    next: impl Fn(usize) -> usize,
    first: u64,
    expand: impl Fn(u64, u64, u64) -> u64,
) -> Vec<u64> {
    let len = b.len();
    if let Some(span) = span.filter(|&span| span < len as u64) {
        // No further than the span: the goal, and that many more steps.
        let mut column = b.to_vec();
        for _ in 0..span {
            column =
                (0..len).map(|position| expand(a[position], b[position], column[next(position)])).collect();
        }
        return column;
    }
    let mut column = vec![first; len];
    for _ in 0..2 {
        for position in (0..len).rev() {
            column[position] = expand(a[position], b[position], column[next(position)]);
        }
    }
    column
}
