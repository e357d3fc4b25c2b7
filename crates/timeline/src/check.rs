//! Checks: whether expressions, automata and pictures have the same language.
//!
//! What is checked was made by elimination and rewriting; the check goes back to automata by positions
//! ([`to_buchi`]) and compares languages by graphs of finite words, so no step is its own witness.

use crate::eliminate::Words;
use crate::expression::{Expr, Expressions};
use crate::limit::{Fuel, Limit};
use crate::paint::piece_expression;
use crate::picture::Picture;
use crate::positions::{Positions, to_buchi};
use crate::search::Reference;
use crate::timeline::Timeline;
use logic::{Id, Store};
use omega::{Buchi, Guard, Step};
use rustc_hash::FxHashMap;

/// The most states of the automaton of a picture.
const STATES: usize = 100_000;

/// Whether an expression has the language of an automaton whose guards are those of the arena.
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
    automaton(&timeline.expressions, &timeline.atoms, &timeline.alternatives, timeline.words)
}

/// The expressions that a picture shows: for each alternative its lanes.
pub fn picture_expressions(
    store: &Store,
    arena: &mut Expressions,
    atoms: &[Id],
    picture: &Picture,
) -> Result<Vec<Vec<Expr>>, Limit> {
    let lanes = |arena: &mut Expressions, lanes: &[crate::picture::Lane]| {
        lanes.iter().map(|lane| piece_expression(store, arena, atoms, &lane.piece)).collect()
    };
    picture.alternatives.iter().map(|alternative| lanes(arena, &alternative.lanes)).collect()
}

/// The automaton of a picture over given atoms, whose words are infinite if any lane's are.
pub fn picture_to_buchi(store: &Store, atoms: &[Id], picture: &Picture) -> Result<Buchi, Limit> {
    let mut arena = Expressions::new(omega::Guards::default());
    let alternatives = picture_expressions(store, &mut arena, atoms, picture)?;
    let infinite = alternatives.iter().flatten().any(|&lane| arena.infinite(lane));
    automaton(&arena, atoms, &alternatives, if infinite { Words::Infinite } else { Words::Finite })
}

fn automaton(
    arena: &Expressions,
    atoms: &[Id],
    alternatives: &[Vec<Expr>],
    words: Words,
) -> Result<Buchi, Limit> {
    let mut whole = Buchi {
        guards: arena.guards.clone(),
        atoms: atoms.to_vec(),
        initial: 0,
        steps: vec![Vec::new()],
        accepting: vec![false],
    };
    for lanes in alternatives {
        let lanes: Vec<Positions> =
            lanes.iter().map(|&lane| Positions::of(arena, lane)).collect::<Result<_, Limit>>()?;
        add(&mut whole, &lanes, words)?;
    }
    Ok(whole)
}

/// Adds the words of all lanes together. A state is the positions of the lanes, and which lane is to go round next; nothing leads
/// back to the start, so the first steps of all alternatives are those of one state.
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
