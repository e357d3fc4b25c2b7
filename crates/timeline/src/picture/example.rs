//! Examples: for each step of a picture, a trace through it that satisfies all lanes of its alternative.
//!
//! The lanes run in parallel over the positions of their expressions; what is reachable, and from where every lane can continue
//! forever (or end, on finite words), is computed once per alternative, and then a path through each step is searched in it.

use crate::expression::{Expr, Expressions};
use crate::language::positions::Positions;
use crate::language::product::{Path, Product};
use crate::limit::Limit;
use logic::{Formula, Id, Node, Sort, Store, Trace, Value, letters};
use omega::Guard;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A trace, and a position in it.
pub(crate) type Example = (Rc<Trace>, usize);

/// The maximum number of letters for which values are computed.
const LETTERS: usize = 256;

/// The examples of an alternative: for each lane, for each step of its expression from left to right.
pub(crate) fn examples(
    store: &Store,
    arena: &mut Expressions,
    atoms: &[Id],
    lanes: &[Expr],
) -> Result<Vec<Vec<Option<Example>>>, Limit> {
    let positions: Vec<Positions> =
        lanes.iter().map(|&lane| Positions::of(arena, lane)).collect::<Result<_, Limit>>()?;
    let values = Values::new(store, atoms);
    let possible = values.possible(arena);
    let infinite = lanes.iter().any(|&lane| arena.infinite(lane));
    let product = Product::new(&mut arena.guards, &positions, possible, infinite)?;
    let mut known: FxHashMap<Path, Option<Rc<Trace>>> = FxHashMap::default();
    let mut found = Vec::new();
    for (lane, positions) in positions.iter().enumerate() {
        let mut list = Vec::new();
        for position in 1..positions.guards.len() as u32 {
            let example = product.through(lane, position).and_then(|(path, place)| {
                let trace =
                    known.entry(path.clone()).or_insert_with(|| values.trace(arena, &path).map(Rc::new));
                trace.clone().map(|trace| (trace, place))
            });
            list.push(example);
        }
        found.push(list);
    }
    Ok(found)
}

/// How letters become values of variables.
struct Values<'a> {
    store: &'a Store,
    atoms: &'a [Id],
    /// If some atom is not a Boolean variable: the possible combinations of the atoms, with values.
    letters: Option<logic::Letters>,
}

impl<'a> Values<'a> {
    fn new(store: &'a Store, atoms: &'a [Id]) -> Values<'a> {
        let plain = atoms.iter().all(|&atom| matches!(store.node(atom), Node::Var(_)));
        let letters = if plain { None } else { letters(store, atoms, &[], &|_| Sort::Any, LETTERS).ok() };
        Values { store, atoms, letters }
    }

    /// The letters that can occur.
    fn possible(&self, arena: &mut Expressions) -> Guard {
        let Some(letters) = &self.letters else { return Guard::TRUE };
        let mut possible = Guard::FALSE;
        for letter in &letters.letters {
            let mut product = Guard::TRUE;
            for (atom, &truth) in letter.truths.iter().enumerate() {
                let variable = arena.guards.variable(atom as u32);
                let literal = if truth { variable } else { arena.guards.not(variable) };
                product = arena.guards.and(product, literal);
            }
            possible = arena.guards.or(possible, product);
        }
        possible
    }

    /// The trace along a path.
    fn trace(&self, arena: &Expressions, path: &Path) -> Option<Trace> {
        let truths: Vec<Vec<bool>> = path
            .guards
            .iter()
            .map(|&guard| arena.guards.example(guard, self.atoms.len()))
            .collect::<Option<_>>()?;
        let mut trace = Trace::new(truths.len(), path.loop_start).ok()?;
        match &self.letters {
            None => {
                for (k, &atom) in self.atoms.iter().enumerate() {
                    let Node::Var(symbol) = self.store.node(atom) else { return None };
                    let values = truths.iter().map(|truths| Value::Bool(truths[k])).collect();
                    trace = trace.with(self.store.name(*symbol), values).ok()?;
                }
            }
            Some(letters) => {
                let found: Vec<&logic::Letter> = truths
                    .iter()
                    .map(|truths| letters.letters.iter().find(|letter| letter.truths == *truths))
                    .collect::<Option<_>>()?;
                for k in 0..found.first()?.values.len() {
                    let Node::Var(symbol) = self.store.node(found[0].values[k].0) else { continue };
                    let values = found.iter().map(|letter| letter.values[k].1.clone()).collect();
                    trace = trace.with(self.store.name(*symbol), values).ok()?;
                }
            }
        }
        Some(trace)
    }
}

/// Keeps only the examples on which the formula holds, which should be all of them.
pub(crate) fn holding(store: &Store, formula: Formula, example: Option<Example>) -> Option<Example> {
    example.filter(|(trace, _)| logic::holds_at(store, formula, trace, 0) != Ok(false))
}
