//! How far a lasso must be unrolled before its formula is evaluated.
//!
//! A future operator needs operands that repeat with the loop, but what a past operator says can differ from
//! round to round at first. Each node is given the position from which it repeats; future operators repeat
//! as soon as their operands do, and a past operator repeats once its window lies where its operand does.

use crate::node::{Binary, Formula, Id, Node, Unary};
use crate::store::Store;
use crate::truth::Shape;
use rustc_hash::FxHashMap;

/// The shape on which a formula is evaluated: on a lasso the loop begins only where the operands of all
/// future operators repeat. Large bounds of past operators make it long; ask before evaluating what others
/// wrote.
pub fn unrolled(store: &Store, root: Formula, shape: Shape) -> Shape {
    unroll(store, &store.reachable([root.id()]), shape)
}

pub(crate) fn unroll(store: &Store, ids: &[Id], shape: Shape) -> Shape {
    let Some(start) = shape.loop_start else { return shape };
    let round = shape.len - start;
    let mut repeats_from: FxHashMap<Id, usize> = FxHashMap::default();
    let mut needed = start;
    for &id in ids {
        let node = store.node(id);
        let operands =
            node.children().filter_map(|child| repeats_from.get(&child)).fold(start, |a, &b| a.max(b));
        // An unbounded past operator has seen all of the loop one round after its operands repeat.
        let looking_back = match node {
            Node::Unary(Unary::Once | Unary::Historically, bound, _)
            | Node::Binary(Binary::Since | Binary::Triggered, bound, _, _) => {
                let steps = bound.hi.unwrap_or(bound.lo.saturating_add(round as u64));
                usize::try_from(steps).unwrap_or(usize::MAX)
            }
            Node::Pre(..) => 1,
            Node::Unary(Unary::Finally | Unary::Globally, ..)
            | Node::Binary(Binary::Until | Binary::Release, ..) => {
                needed = needed.max(operands);
                0
            }
            _ => 0,
        };
        repeats_from.insert(id, operands.saturating_add(looking_back));
    }
    let rounds = (needed - start).div_ceil(round);
    let loop_start = start.saturating_add(rounds.saturating_mul(round));
    Shape { len: loop_start.saturating_add(round), loop_start: Some(loop_start) }
}
