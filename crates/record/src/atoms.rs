//! What is true at one step: Boolean columns and comparisons, from the columns of a block. All arithmetic is exact.
//!
//! A comparison of a column with a constant is decided on ranges (`ranges`), one with arithmetic in lanes (`arithmetic`). Everything else
//! is evaluated step by step.

use crate::arithmetic::{Arithmetic, constant};
use crate::columns::{Bits, Block, Cells, Kind};
use crate::program::{Previous, Program};
use crate::ranges::{Narrow, Ranges, packed};
use logic::{Arith, EvalError, Id, Node, Rel, Store, Term, Value, eval_state};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An atom, with the columns it reads.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    /// A Boolean column.
    Truth { column: usize },
    /// A number column and a constant.
    Compare { column: usize, ranges: Box<Ranges> },
    /// A column of names and a name.
    Is { column: usize, name: String, equal: bool },
    /// A comparison of terms over columns of numbers.
    Arithmetic(Box<Arithmetic>),
    /// Any other comparison, evaluated step by step.
    General { id: Id, columns: FxHashMap<Id, usize> },
}

/// What atoms read besides columns.
pub(crate) struct Context<'c> {
    pub(crate) store: &'c Store,
    /// Whether a temporal formula holds at a row of the block; `None` if that is undefined.
    pub(crate) holds: &'c dyn Fn(Id, usize) -> Option<bool>,
    pub(crate) previous: &'c Values,
    /// The columns that are compared with constants.
    pub(crate) narrow: &'c BTreeMap<usize, Narrow>,
}

/// The previous values of terms, for each row of a block.
pub(crate) type Values = FxHashMap<Id, Vec<Result<Value, EvalError>>>;

impl Atom {
    /// The atom of a node that is used as a formula.
    pub(crate) fn new(store: &Store, id: Id, program: &mut Program, kind: &dyn Fn(&str) -> Kind) -> Atom {
        match store.node(id) {
            Node::Var(symbol) => {
                Atom::Truth { column: program.input(store.name(*symbol).to_owned(), Kind::Truth) }
            }
            Node::Call(..) => Atom::Truth { column: program.input(called(store, id), Kind::Truth) },
            Node::Rel(rel, a, b) => {
                let sides = [(*rel, *a, *b), (rel.flipped(), *b, *a)];
                let simple =
                    sides.into_iter().find_map(|(rel, a, b)| compared(store, rel, a, b, program, kind));
                if let Some(simple) = simple {
                    return simple;
                }
                match Arithmetic::new(store, id, program, kind) {
                    Some(arithmetic) => Atom::Arithmetic(Box::new(arithmetic)),
                    None => Atom::General { id, columns: columns(store, id, program, kind) },
                }
            }
            _ => Atom::General { id, columns: columns(store, id, program, kind) },
        }
    }

    /// The columns it reads.
    pub(crate) fn columns(&self) -> Vec<usize> {
        match self {
            Atom::Truth { column } | Atom::Compare { column, .. } | Atom::Is { column, .. } => vec![*column],
            Atom::Arithmetic(arithmetic) => arithmetic.columns.values().copied().collect(),
            Atom::General { columns, .. } => columns.values().copied().collect(),
        }
    }

    /// The column that it compares with a constant.
    pub(crate) fn compared(&self) -> Option<usize> {
        if let Atom::Compare { column, .. } = self { Some(*column) } else { None }
    }

    /// Whether its value can be undefined, as after a division by zero.
    pub(crate) fn can_be_undefined(&self, store: &Store) -> bool {
        let id = match self {
            Atom::Truth { .. } | Atom::Compare { .. } | Atom::Is { .. } => return false,
            Atom::Arithmetic(arithmetic) => arithmetic.id,
            Atom::General { id, .. } => *id,
        };
        let partial = |node: &Node| match node {
            Node::Arith(Arith::Div, _, by) => constant(store, by.id()).is_none_or(|by| by.is_zero()),
            Node::Arith(Arith::Mod | Arith::Pow, ..) => true,
            _ => false,
        };
        store.reachable([id]).into_iter().any(|id| partial(store.node(id)))
    }

    /// Where it holds and where it fails in a block; the two are complements except where it is undefined.
    pub(crate) fn evaluate(
        &mut self,
        block: &Block,
        context: &Context,
        holds: &mut Bits,
        fails: &mut Bits,
    ) -> Option<(u64, EvalError)> {
        match self {
            Atom::Truth { column } => {
                if let Cells::Truths(bits) = &block.columns[*column].cells {
                    holds.copy_from_slice(&**bits);
                }
            }
            Atom::Compare { column, ranges } => {
                if let Cells::Numbers(numbers) = &block.columns[*column].cells {
                    ranges.evaluate(numbers, context.narrow.get(column), block.rows, holds);
                }
            }
            Atom::Is { column, name, equal } => {
                if let Cells::Names(names) = &block.columns[*column].cells {
                    let wanted = names.find(name);
                    let (groups, _) = names.cells.as_chunks::<64>();
                    for (word, cells) in holds.iter_mut().zip(groups).take(block.rows.div_ceil(64)) {
                        let is = wanted.map_or(0, |wanted| packed(cells, |cell| cell == wanted));
                        *word = if *equal { is } else { !is };
                    }
                }
            }
            Atom::Arithmetic(arithmetic) => {
                return match arithmetic.evaluate(block, holds, fails) {
                    Some(undefined) => {
                        undefined.map(|row| (block.start + row as u64, EvalError::DivisionByZero))
                    }
                    None => exactly(arithmetic, block, context, holds, fails),
                };
            }
            Atom::General { id, columns } => {
                return general(*id, columns, block, context, holds, fails);
            }
        }
        None
    }
}

/// The columns that a node reads at the step at which it is evaluated, by its variables and calls.
pub(crate) fn columns(
    store: &Store,
    id: Id,
    program: &mut Program,
    kind: &dyn Fn(&str) -> Kind,
) -> FxHashMap<Id, usize> {
    let mut columns = FxHashMap::default();
    for below in store.reachable_until([id], Node::needs_context) {
        let name = match store.node(below) {
            Node::Var(symbol) => store.name(*symbol).to_owned(),
            Node::Call(..) => called(store, below),
            _ => continue,
        };
        let kind = kind(&name);
        columns.insert(below, program.input(name, kind));
    }
    columns
}

/// The value of a node at a row of a block.
pub(crate) fn value(
    id: Id,
    columns: &FxHashMap<Id, usize>,
    block: &Block,
    row: usize,
    context: &Context,
) -> Result<Value, EvalError> {
    eval_state(context.store, id, &mut |id, node| match node {
        Node::Pre(..) => context.previous[&id][row].clone(),
        Node::Unary(..) | Node::Binary(..) => {
            (context.holds)(id, row).map(Value::Bool).ok_or(EvalError::DivisionByZero)
        }
        _ => match columns.get(&id) {
            Some(&column) => Ok(block.columns[column].value(row)),
            None => Err(EvalError::UnfilledHole),
        },
    })
}

/// The values of a term one step before each row.
pub(crate) fn shifted(
    term: &mut Previous,
    block: &Block,
    context: &Context,
) -> Vec<Result<Value, EvalError>> {
    let mut values = Vec::with_capacity(block.rows);
    for row in 0..block.rows {
        let before = term.last.take();
        let initial = || value(term.initial.id, &term.initial.columns, block, row, context);
        values.push(before.unwrap_or_else(initial));
        term.last = Some(value(term.term.id, &term.term.columns, block, row, context));
    }
    values
}

/// Evaluates a comparison with arithmetic step by step, for a block whose numbers are too large for lanes.
fn exactly(
    arithmetic: &mut Arithmetic,
    block: &Block,
    context: &Context,
    holds: &mut Bits,
    fails: &mut Bits,
) -> Option<(u64, EvalError)> {
    let Context { store, holds: known, narrow, .. } = *context;
    let mut previous = Values::default();
    for term in &mut arithmetic.previous {
        let values = shifted(term, block, &Context { store, holds: known, previous: &previous, narrow });
        previous.insert(term.id, values);
    }
    let context = Context { store, holds: known, previous: &previous, narrow };
    general(arithmetic.id, &arithmetic.columns, block, &context, holds, fails)
}

fn general(
    id: Id,
    columns: &FxHashMap<Id, usize>,
    block: &Block,
    context: &Context,
    holds: &mut Bits,
    fails: &mut Bits,
) -> Option<(u64, EvalError)> {
    holds.fill(0);
    fails.fill(0);
    let mut wrong = None;
    for row in 0..block.rows {
        match value(id, columns, block, row, context) {
            Ok(Value::Bool(truth)) => {
                let bits = if truth { &mut *holds } else { &mut *fails };
                bits[row / 64] |= 1 << (row % 64);
            }
            Ok(_) => wrong = wrong.or(Some((row, EvalError::NotBoolean { name: called(context.store, id) }))),
            Err(error) => wrong = wrong.or(Some((row, error))),
        }
    }
    wrong.map(|(row, error)| (block.start + row as u64, error))
}

/// The name of the column of a call: its text.
pub(crate) fn called(store: &Store, id: Id) -> String {
    logic::print(store, id, &logic::SHALL).unwrap_or_default()
}

/// A comparison of a column with a constant.
fn compared(
    store: &Store,
    rel: Rel,
    variable: Term,
    constant: Term,
    program: &mut Program,
    kind: &dyn Fn(&str) -> Kind,
) -> Option<Atom> {
    let Node::Var(symbol) = store.node(variable) else { return None };
    let name = store.name(*symbol).to_owned();
    match (kind(&name), store.node(constant)) {
        (Kind::Name, Node::Value(value)) if matches!(rel, Rel::Eq | Rel::Ne) => Some(Atom::Is {
            column: program.input(name, Kind::Name),
            name: store.name(*value).to_owned(),
            equal: rel == Rel::Eq,
        }),
        (Kind::Number, _) => {
            let ranges = Box::new(Ranges::new(rel, crate::arithmetic::constant(store, constant.id())?));
            Some(Atom::Compare { column: program.input(name, Kind::Number), ranges })
        }
        _ => None,
    }
}
