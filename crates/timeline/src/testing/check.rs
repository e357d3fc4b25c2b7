//! Checks: whether expressions, automata and pictures have the same language.
//!
//! What is checked is the result of elimination and rewriting; the check converts back to automata by positions ([`to_buchi`]) and
//! compares languages by graphs of finite words, so no step verifies itself.

use crate::eliminate::Words;
use crate::expression::{Expr, Expressions};
use crate::language::positions::{Positions, to_buchi};
use crate::limit::{Fuel, Limit};
use crate::picture::paint::DEPTH;
use crate::picture::{Lane, Picture, Piece};
use crate::simplify::search::Reference;
use crate::timeline::Timeline;
use logic::{Class, Formula, Id, Store};
use omega::{Buchi, Guard, Guards, Step};
use rustc_hash::FxHashMap;

/// The maximum number of states of the automaton of a timeline.
const STATES: usize = 100_000;

/// The maximum number of steps of an unrolled repetition.
const COPIES: u64 = 10_000;

/// Whether an expression has the language of an automaton with guards of the arena.
pub fn has_language(
    arena: &mut Expressions,
    expr: Expr,
    automaton: &Buchi,
    words: Words,
    fuel: &mut Fuel,
) -> Result<bool, Limit> {
    Reference::new(arena, automaton, words, &[expr])?.is(arena, expr, fuel)
}

/// Whether two expressions have the same language.
pub fn same_language(arena: &mut Expressions, a: Expr, b: Expr, fuel: &mut Fuel) -> Result<bool, Limit> {
    if a == b {
        return Ok(true);
    }
    if a == Expr::EMPTY {
        return same_language(arena, b, a, fuel);
    }
    let words = if arena.infinite(a) { Words::Infinite } else { Words::Finite };
    let automaton = to_buchi(arena, &[], a)?;
    Reference::new(arena, &automaton, words, &[b])?.is(arena, b, fuel)
}

/// The automaton of a timeline: some alternative, all of its lanes.
pub fn timeline_to_buchi(timeline: &Timeline) -> Result<Buchi, Limit> {
    let arena = &timeline.expressions;
    let mut whole = Buchi {
        guards: arena.guards.clone(),
        atoms: timeline.atoms.clone(),
        initial: 0,
        steps: vec![Vec::new()],
        accepting: vec![false],
    };
    for lanes in &timeline.alternatives {
        let lanes: Vec<Positions> =
            lanes.iter().map(|&lane| Positions::of(arena, lane)).collect::<Result<_, Limit>>()?;
        add(&mut whole, &lanes, timeline.words)?;
    }
    Ok(whole)
}

/// The expressions of a picture: the lanes of each alternative.
pub fn picture_expressions(
    store: &Store,
    arena: &mut Expressions,
    atoms: &[Id],
    picture: &Picture,
) -> Result<Vec<Vec<Expr>>, Limit> {
    let lanes = |arena: &mut Expressions, lanes: &[Lane]| {
        lanes.iter().map(|lane| piece_expression(store, arena, atoms, &lane.piece)).collect()
    };
    picture.alternatives.iter().map(|alternative| lanes(arena, &alternative.lanes)).collect()
}

/// Adds the words of all lanes together. A state consists of the positions of the lanes, and the lane that must close its loop next;
/// nothing leads back to the start, so all alternatives share one initial state.
fn add(whole: &mut Buchi, lanes: &[Positions], words: Words) -> Result<(), Limit> {
    let start = (vec![0; lanes.len()], 0, false);
    let base = whole.steps.len() as u32;
    let mut found = vec![start.clone()];
    let mut numbers: FxHashMap<(Vec<u32>, usize, bool), u32> = FxHashMap::default();
    let mut next = 0;
    while next < found.len() {
        let (at, due, _) = found[next].clone();
        let mut ways: Vec<(Vec<u32>, Guard, Vec<bool>)> = vec![(Vec::new(), Guard::TRUE, Vec::new())];
        for (lane, positions) in lanes.iter().enumerate() {
            let mut longer = Vec::new();
            for (targets, guard, marks) in &ways {
                for &(target, marked) in &positions.follow[at[lane] as usize] {
                    let both = whole.guards.and(*guard, positions.guards[target as usize]);
                    if both != Guard::FALSE {
                        longer.push((
                            [targets.as_slice(), &[target]].concat(),
                            both,
                            [marks.as_slice(), &[marked]].concat(),
                        ));
                    }
                }
            }
            ways = longer;
        }
        for (targets, guard, marks) in ways {
            let mut due = due;
            while due < lanes.len() && marks[due] {
                due += 1;
            }
            let round = due == lanes.len();
            let state = (targets, if round { 0 } else { due }, round);
            let target = *numbers.entry(state.clone()).or_insert_with(|| {
                found.push(state.clone());
                whole.steps.push(Vec::new());
                whole.accepting.push(match words {
                    Words::Infinite => round,
                    Words::Finite => state.0.iter().zip(lanes).all(|(&at, lane)| lane.last[at as usize]),
                });
                whole.steps.len() as u32 - 1
            });
            let from = if next == 0 { 0 } else { base as usize + next - 1 };
            whole.steps[from].push(Step { guard, target });
        }
        if whole.steps.len() > STATES {
            return Err(Limit::States);
        }
        next += 1;
    }
    whole.accepting[0] |= words == Words::Finite && lanes.iter().all(|lane| lane.last[0]);
    Ok(())
}

/// The expression of a piece.
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

/// The guard of a Boolean formula over atoms; `None` if it contains anything else.
pub(crate) fn formula_guard(
    store: &Store,
    guards: &mut Guards,
    atoms: &[Id],
    formula: Formula,
) -> Option<Guard> {
    let number: FxHashMap<Id, u32> = atoms.iter().zip(0..).map(|(&atom, number)| (atom, number)).collect();
    let mut made: FxHashMap<Id, Guard> = FxHashMap::default();
    for id in store.reachable_until([formula.id()], |node| node.class() != Class::Connective) {
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
