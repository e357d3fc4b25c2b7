//! From expressions to the picture: runs become repetitions with their counts, unions ways in parallel, and back again, so that a
//! picture can be checked.
//!
//! Recursion is as deep as the expression or the picture, which is limited.

use crate::example::{Example, examples, holding};
use crate::expression::{Expr, Expressions, Node};
use crate::guard::guard_formula;
use crate::limit::Limit;
use crate::measure::{Run, run, runs};
use crate::picture::{Alternative, Lane, Moment, Picture, Piece};
use crate::timeline::Timeline;
use logic::{Formula, Id, Store};
use omega::{Guard, Guards};
use rustc_hash::FxHashMap;

/// How deeply a picture may be nested.
const DEPTH: u32 = 400;

/// How many steps an alternative may have to get examples.
const EXAMPLES: u64 = 400;

/// How many steps a repetition may have when it is written out.
const COPIES: u64 = 10_000;

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
    Ok(Picture { alternatives })
}

/// The piece that shows an expression. The steps have examples from a list, by the place of the step in the expression, read from
/// left to right as a tree.
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
    /// The piece of an expression whose first step is number `place`.
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

/// The expression that a piece shows.
pub fn piece_expression(
    store: &Store,
    arena: &mut Expressions,
    atoms: &[Id],
    piece: &Piece,
) -> Result<Expr, Limit> {
    read(store, arena, atoms, piece, 0)
}

fn read(
    store: &Store,
    arena: &mut Expressions,
    atoms: &[Id],
    piece: &Piece,
    depth: u32,
) -> Result<Expr, Limit> {
    if depth > DEPTH {
        return Err(Limit::Depth);
    }
    let all = |arena: &mut Expressions, pieces: &[Piece]| -> Result<Vec<Expr>, Limit> {
        pieces.iter().map(|piece| read(store, arena, atoms, piece, depth + 1)).collect()
    };
    match piece {
        Piece::Step(moment) => {
            let guard =
                formula_guard(store, &mut arena.guards, atoms, moment.condition).ok_or(Limit::Translation)?;
            Ok(arena.step(guard))
        }
        Piece::Sequence(pieces) => {
            let parts = all(arena, pieces)?;
            let early = parts.iter().rev().skip(1).any(|&part| arena.infinite(part));
            if early { Err(Limit::Sorts) } else { Ok(arena.sequence(parts)) }
        }
        Piece::Either(pieces) => {
            let parts: Vec<Expr> =
                all(arena, pieces)?.into_iter().filter(|&part| part != Expr::EMPTY).collect();
            let mixed = parts.iter().any(|&part| arena.infinite(part) != arena.infinite(parts[0]));
            if mixed { Err(Limit::Sorts) } else { Ok(arena.union(parts)) }
        }
        Piece::Forever(body) => {
            let body = read(store, arena, atoms, body, depth + 1)?;
            finite(arena, body)?;
            Ok(arena.omega(body))
        }
        Piece::Repeat(body, least, most) => {
            let body = read(store, arena, atoms, body, depth + 1)?;
            finite(arena, body)?;
            if *least.max(&most.unwrap_or(0)) > COPIES {
                return Err(Limit::Size);
            }
            let mut parts = vec![body; *least as usize];
            match most {
                None => parts.push(arena.star(body)),
                Some(most) => {
                    let optional = arena.union([Expr::EPSILON, body]);
                    parts.extend(vec![optional; most.saturating_sub(*least) as usize]);
                }
            }
            Ok(arena.sequence(parts))
        }
    }
}

/// Only finite words can be repeated.
fn finite(arena: &Expressions, expr: Expr) -> Result<(), Limit> {
    if arena.infinite(expr) { Err(Limit::Sorts) } else { Ok(()) }
}

/// The guard of a Boolean formula over atoms; `None` if it is about anything else.
pub fn formula_guard(store: &Store, guards: &mut Guards, atoms: &[Id], formula: Formula) -> Option<Guard> {
    let number: FxHashMap<Id, u32> = atoms.iter().zip(0..).map(|(&atom, number)| (atom, number)).collect();
    let mut made: FxHashMap<Id, Guard> = FxHashMap::default();
    for id in store.reachable_until([formula.id()], |node| !is_connective(node)) {
        let of = |f: &Formula| made.get(&f.id()).copied();
        let guard = match store.node(id) {
            _ if number.contains_key(&id) => Some(guards.variable(number[&id])),
            logic::Node::True => Some(Guard::TRUE),
            logic::Node::False => Some(Guard::FALSE),
            logic::Node::Not(f) => of(f).map(|f| guards.not(f)),
            logic::Node::And(fs) => {
                fs.iter().map(of).try_fold(Guard::TRUE, |all, f| f.map(|f| guards.and(all, f)))
            }
            logic::Node::Or(fs) => {
                fs.iter().map(of).try_fold(Guard::FALSE, |any, f| f.map(|f| guards.or(any, f)))
            }
            logic::Node::Implies(a, b) => of(a).zip(of(b)).map(|(a, b)| guards.choose(a, b, Guard::TRUE)),
            logic::Node::Iff(a, b) => of(a).zip(of(b)).map(|(a, b)| guards.iff(a, b)),
            logic::Node::Xor(a, b) => of(a).zip(of(b)).map(|(a, b)| {
                let same = guards.iff(a, b);
                guards.not(same)
            }),
            _ => None,
        };
        if let Some(guard) = guard {
            made.insert(id, guard);
        }
    }
    made.get(&formula.id()).copied()
}

fn is_connective(node: &logic::Node) -> bool {
    use logic::Node as N;
    matches!(node, N::Not(_) | N::And(_) | N::Or(_) | N::Implies(..) | N::Iff(..) | N::Xor(..))
}
