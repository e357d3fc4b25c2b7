//! What is true at one step: Boolean columns and comparisons, from the columns of a block. All arithmetic is exact.
//!
//! A comparison of a column with a constant is decided on the digits of the cell: for each number of decimal places there is a range
//! of digits for which it holds. Comparisons with arithmetic are computed in lanes (`arithmetic`). Everything else is evaluated step by
//! step.

use crate::arithmetic::{Arithmetic, constant};
use crate::cell::shortest;
use crate::columns::{Bits, Block, Cells, Kind, MAX_SCALE, Numbers, WORDS, decimal};
use crate::program::{Previous, Program};
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::{Arith, EvalError, Id, Node, Rel, Store, Term, Value, eval_state};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

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

/// The digits for which a comparison with a constant holds, for each number of decimal places.
#[derive(Debug, Clone)]
pub(crate) struct Ranges {
    rel: Rel,
    constant: RBig,
    /// Inclusive; for `!=`, the digits for which it does not hold.
    ranges: [(i64, i64); MAX_SCALE + 1],
    /// The same for doubles.
    doubles: (f64, f64),
}

/// What atoms read besides columns.
pub(crate) struct Context<'c> {
    pub(crate) store: &'c Store,
    /// Whether a temporal formula holds at a row of the block; `None` if that is undefined.
    pub(crate) holds: &'c dyn Fn(Id, usize) -> Option<bool>,
    pub(crate) previous: &'c Values,
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

    /// Whether it compares a column with a constant.
    pub(crate) fn is_comparison(&self) -> bool {
        matches!(self, Atom::Compare { .. })
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
                    ranges.evaluate(numbers, block.rows, holds);
                }
            }
            Atom::Is { column, name, equal } => {
                if let Cells::Names(names) = &block.columns[*column].cells {
                    let wanted = names.find(name);
                    for (word, cells) in holds.iter_mut().zip(names.cells[..block.rows].chunks(64)) {
                        *word = packed(cells, |cell| (Some(cell) == wanted) == *equal);
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
    let Context { store, holds: known, .. } = *context;
    let mut previous = Values::default();
    for term in &mut arithmetic.previous {
        let values = shifted(term, block, &Context { store, holds: known, previous: &previous });
        previous.insert(term.id, values);
    }
    let context = Context { store, holds: known, previous: &previous };
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

impl Ranges {
    fn new(rel: Rel, constant: RBig) -> Ranges {
        let mut ranges = [(1, 0); MAX_SCALE + 1];
        for (scale, range) in ranges.iter_mut().enumerate() {
            let scaled = &constant / decimal(1, scale as u8);
            let (floor, ceil): (IBig, IBig) = (scaled.floor(), scaled.ceil());
            // Beyond 64 bits there are no digits: the limits are one more than that.
            let least = |number: &IBig| match i64::try_from(number) {
                Ok(number) => (number, true),
                Err(_) if *number < IBig::ZERO => (i64::MIN, true),
                Err(_) => (i64::MAX, false),
            };
            let most = |number: &IBig| match i64::try_from(number) {
                Ok(number) => (number, true),
                Err(_) if *number < IBig::ZERO => (i64::MIN, false),
                Err(_) => (i64::MAX, true),
            };
            let (lo, hi) = match rel {
                Rel::Gt => (least(&(&floor + IBig::ONE)), (i64::MAX, true)),
                Rel::Ge => (least(&ceil), (i64::MAX, true)),
                Rel::Lt => ((i64::MIN, true), most(&(&ceil - IBig::ONE))),
                Rel::Le => ((i64::MIN, true), most(&floor)),
                Rel::Eq | Rel::Ne => (least(&ceil), most(&floor)),
            };
            if lo.1 && hi.1 {
                *range = (lo.0, hi.0);
            }
        }
        let doubles = doubles(rel, &constant);
        Ranges { rel, constant, ranges, doubles }
    }

    fn evaluate(&self, numbers: &Numbers, rows: usize, holds: &mut Bits) {
        let negated = self.rel == Rel::Ne;
        if !numbers.doubles.is_empty() {
            let (lo, hi) = self.doubles;
            // After a cell without a value there are no more doubles.
            let known = &numbers.doubles[..rows.min(numbers.doubles.len())];
            for (word, numbers) in holds.iter_mut().zip(known.chunks(64)) {
                let inside = packed(numbers, |number| (lo <= number) & (number <= hi));
                *word = if negated { !inside } else { inside };
            }
            return;
        }
        let chunks = numbers.digits[..rows].chunks(64).zip(numbers.scales[..rows].chunks(64));
        for (word, (digits, scales)) in holds.iter_mut().zip(chunks) {
            let first = scales[0];
            let inside = if scales.iter().all(|&scale| scale == first) {
                let (lo, hi) = self.ranges[usize::from(first)];
                packed(digits, |number| (lo <= number) & (number <= hi))
            } else {
                let pairs = digits.iter().zip(scales).enumerate();
                pairs.fold(0, |word, (at, (&number, &scale))| {
                    let (lo, hi) = self.ranges[usize::from(scale)];
                    word | u64::from((lo <= number) & (number <= hi)) << at
                })
            };
            *word = if negated { !inside } else { inside };
        }
        for (row, number) in &numbers.others {
            let bit = 1 << (row % 64);
            if self.rel.holds(number, &self.constant) {
                holds[row / 64] |= bit;
            } else {
                holds[row / 64] &= !bit;
            }
        }
    }
}

/// The doubles whose shortest decimals are related to a constant, as a range; for `!=`, those of which it is not true. The shortest
/// decimals of doubles ascend as they do, so only the few around the constant are looked at.
fn doubles(rel: Rel, constant: &RBig) -> (f64, f64) {
    let side = |number: f64| match shortest(number) {
        Some(decimal) => decimal.cmp(constant),
        None if number < 0.0 => Ordering::Less,
        None => Ordering::Greater,
    };
    let mut below = constant.to_f64().value().next_down();
    while side(below) != Ordering::Less {
        below = below.next_down();
    }
    while side(below.next_up()) == Ordering::Less {
        below = below.next_up();
    }
    let least = below.next_up();
    let above = if side(least) == Ordering::Equal { least.next_up() } else { least };
    match rel {
        Rel::Gt => (above, f64::INFINITY),
        Rel::Ge => (least, f64::INFINITY),
        Rel::Lt => (f64::NEG_INFINITY, below),
        Rel::Le => (f64::NEG_INFINITY, above.next_down()),
        Rel::Eq | Rel::Ne => (least, above.next_down()),
    }
}

/// The truths of up to 64 cells as a word.
#[inline]
fn packed<T: Copy>(cells: &[T], holds: impl Fn(T) -> bool) -> u64 {
    cells.iter().enumerate().fold(0, |word, (at, &cell)| word | u64::from(holds(cell)) << at)
}

const _: () = assert!(WORDS * 64 == crate::columns::BLOCK);
