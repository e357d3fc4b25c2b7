//! From expressions to the picture: runs become repetitions with their counts, unions become parallel branches.
//!
//! The recursion is as deep as the expression, which is limited.

use crate::expression::guard::guard_formula;
use crate::expression::measure::{Run, run, runs};
use crate::expression::{Expr, Expressions, Node};
use crate::limit::Limit;
use crate::picture::example::{Example, examples, holding};
use crate::picture::{Alternative, Lane, Moment, Picture, Piece, Shows};
use crate::timeline::Timeline;
use logic::{Formula, Id, Store};
use omega::Guard;
use rustc_hash::FxHashMap;

/// The maximum nesting depth of a picture.
pub(crate) const DEPTH: u32 = 400;

/// The maximum number of steps of an alternative with examples.
const EXAMPLES: u64 = 400;

/// The picture of a timeline, with examples that satisfy the formula where they are found.
pub fn picture(store: &mut Store, timeline: &mut Timeline, formula: Formula) -> Result<Picture, Limit> {
    let mut alternatives = Vec::new();
    for lanes in timeline.alternatives.clone() {
        let arena = &mut timeline.expressions;
        let steps: u64 = lanes.iter().map(|&lane| arena.measure(lane).leaves).fold(0, u64::saturating_add);
        let found =
            if steps <= EXAMPLES { examples(store, arena, &timeline.atoms, &lanes).ok() } else { None };
        let mut drawn = Vec::new();
        for (k, &lane) in lanes.iter().enumerate() {
            let list = found.as_ref().and_then(|found| found.get(k));
            let list: Vec<Option<Example>> = list
                .map(|list| list.iter().map(|example| holding(store, formula, example.clone())).collect())
                .unwrap_or_default();
            let mut example = |place: u64| list.get(place as usize).cloned().flatten();
            drawn.push(Lane { piece: paint(store, arena, &timeline.atoms, lane, &mut example)? });
        }
        alternatives.push(Alternative { lanes: drawn });
    }
    Ok(Picture { alternatives, shows: Shows::default() })
}

/// The piece of an expression. The examples of its steps come from a list, by the index of the step in the expression, read from left
/// to right as a tree.
pub(crate) fn paint(
    store: &mut Store,
    arena: &mut Expressions,
    atoms: &[Id],
    expr: Expr,
    example: &mut dyn FnMut(u64) -> Option<Example>,
) -> Result<Piece, Limit> {
    if arena.measure(expr).depth > DEPTH {
        return Err(Limit::Depth);
    }
    let mut painter = Painter { store, arena, atoms, example, labels: FxHashMap::default() };
    Ok(painter.piece(expr, 0))
}

struct Painter<'a> {
    store: &'a mut Store,
    arena: &'a mut Expressions,
    atoms: &'a [Id],
    example: &'a mut dyn FnMut(u64) -> Option<Example>,
    labels: FxHashMap<Guard, Formula>,
}

impl Painter<'_> {
    /// The piece of an expression whose first step has index `place`.
    fn piece(&mut self, expr: Expr, place: u64) -> Piece {
        match self.arena.node(expr).clone() {
            Node::Empty => Piece::Either(Vec::new()),
            Node::Epsilon => Piece::Sequence(Vec::new()),
            Node::Step(guard) => {
                let known = self.labels.get(&guard).copied();
                let condition = known
                    .unwrap_or_else(|| guard_formula(self.store, &mut self.arena.guards, self.atoms, guard));
                self.labels.insert(guard, condition);
                Piece::Step(Moment { condition, example: (self.example)(place) })
            }
            Node::Star(_) => self.run(run(self.arena, expr), place),
            Node::Omega(body) => Piece::Forever(Box::new(self.piece(body, place))),
            Node::Sequence(parts) => {
                let mut pieces = Vec::new();
                let mut next = place;
                let mut part = 0;
                for (run, count) in runs(self.arena, &parts) {
                    let leaves =
                        parts[part..part + count].iter().map(|&part| self.arena.measure(part).leaves);
                    let after = next + leaves.sum::<u64>();
                    pieces.push(self.run(run, next));
                    (next, part) = (after, part + count);
                }
                match pieces.len() {
                    1 => pieces.remove(0),
                    _ => Piece::Sequence(pieces),
                }
            }
            Node::Union(parts) => {
                let whole = run(self.arena, expr);
                if whole.body != expr {
                    return self.run(whole, place);
                }
                let mut ways = Vec::new();
                let mut next = place;
                for &part in parts.iter() {
                    ways.push(self.piece(part, next));
                    next += self.arena.measure(part).leaves;
                }
                Piece::Either(ways)
            }
        }
    }

    fn run(&mut self, run: Run, place: u64) -> Piece {
        let body = self.piece(run.body, place);
        match (run.least, run.most) {
            (1, Some(1)) => body,
            (least, most) => Piece::Repeat(Box::new(body), least, most),
        }
    }
}
