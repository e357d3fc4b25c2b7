//! The meaning of formulas on traces.
//!
//! [`truth_table`] evaluates the Boolean and temporal structure over any [`Truth`], so that one pass can handle many traces of the
//! same shape; [`values`] evaluates real traces, with exact terms. Both visit the nodes below the root once, children first, and
//! compute one column of values per node. A lasso is unrolled first: a future operator needs operands that repeat with the loop, but
//! the value of a past operator can differ between the first iterations. Future operators repeat as soon as their operands do, past
//! ones once their window lies where the operand repeats.

mod online;
mod truth;
mod value;

use crate::store::{Binary, Formula, Id, Node, Store, Unary};
use crate::trace::{Trace, Value};
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use truth::{Kleene, binary, unary};
use value::{as_truth, operate, shown};

pub use online::Online;
pub use truth::{Shape, Truth};
pub use value::{EvalError, eval_state};

/// The longest unrolled trace that [`values`] accepts.
pub const MAX_POSITIONS: usize = 1 << 24;

/// The value of a formula at each position of a shape. `leaf` returns the value of an atom (a Boolean variable, a hole, a call, a
/// comparison) at a position.
///
/// The time is linear in the positions and nodes; on a lasso they are those of [`unrolled`].
pub fn truth_table<T: Truth>(
    store: &Store,
    root: Formula,
    shape: Shape,
    mut leaf: impl FnMut(Id, usize) -> T,
) -> Vec<T> {
    let ids = store.reachable_until([root.id()], |node| !is_connective(node));
    let long = unroll(store, &ids, shape);
    let mut columns = Columns::new(store, &ids, root.id());
    for &id in &ids {
        let take = |child| Ok::<_, Infallible>(columns.take(child));
        let Ok(connected) = connect(store.node(id), long, take);
        let column = connected.unwrap_or_else(|| {
            let round: Vec<T> = (0..shape.len).map(|position| leaf(id, position)).collect();
            spread(shape, long, |position| round[position].clone())
        });
        columns.put(id, column);
    }
    let mut result = columns.take(root.id());
    result.truncate(shape.len);
    result
}

/// The value of a formula at each position of a trace.
///
/// An undefined term, such as a quotient by zero, has no effect where the rest decides: `y != 0 -> x / y > 2` is true where y is 0.
pub fn values(store: &Store, formula: Formula, trace: &Trace) -> Result<Vec<bool>, EvalError> {
    let truths = kleene_values(store, formula, trace)?;
    (0..trace.len()).map(|position| truths.at(position)).collect()
}

/// As [`values`], where an undefined value is an error only at its own position.
pub fn partial_values(
    store: &Store,
    formula: Formula,
    trace: &Trace,
) -> Result<Vec<Result<bool, EvalError>>, EvalError> {
    let truths = kleene_values(store, formula, trace)?;
    Ok((0..trace.len()).map(|position| truths.at(position)).collect())
}

/// The value of a formula at one position of a trace; see [`values`].
pub fn holds_at(store: &Store, formula: Formula, trace: &Trace, position: usize) -> Result<bool, EvalError> {
    kleene_values(store, formula, trace)?.at(position)
}

/// Boolean values, and why some are undefined.
struct Truths {
    values: Vec<Kleene>,
    undefined: Option<EvalError>,
}

impl Truths {
    fn at(&self, position: usize) -> Result<bool, EvalError> {
        match self.values.get(position) {
            None => Err(EvalError::NoSuchPosition { position }),
            Some(Kleene::True) => Ok(true),
            Some(Kleene::False) => Ok(false),
            Some(Kleene::Undefined) => Err(self.undefined.clone().unwrap_or(EvalError::UnfilledHole)),
        }
    }
}

fn kleene_values(store: &Store, formula: Formula, trace: &Trace) -> Result<Truths, EvalError> {
    let shape = trace.shape();
    let ids = store.reachable_until([formula.id()], |node| matches!(node, Node::Call(..)));
    let long = unroll(store, &ids, shape);
    if long.len > MAX_POSITIONS.max(shape.len) {
        return Err(EvalError::LoopTooLong);
    }
    let mut undefined = None;
    let mut columns: Columns<Column> = Columns::new(store, &ids, formula.id());
    for &id in &ids {
        let take = |child| columns.take(child).into_truths(store, child);
        let column = match connect(store.node(id), long, take)? {
            Some(truths) => Column::Truths(truths),
            None => Column::Values(term_column(store, id, trace, long, &mut columns, &mut undefined)?),
        };
        columns.put(id, column);
    }
    let mut values = columns.take(formula.id()).into_truths(store, formula.id())?;
    values.truncate(shape.len);
    Ok(Truths { values, undefined })
}

/// The column of a Boolean or temporal node from those of its operands; `None` for atoms and terms.
fn connect<T: Truth, E>(
    node: &Node,
    shape: Shape,
    mut take: impl FnMut(Id) -> Result<Vec<T>, E>,
) -> Result<Option<Vec<T>>, E> {
    let mut take = |f: Formula| take(f.id());
    Ok(Some(match node {
        Node::True => vec![T::constant(true); shape.len],
        Node::False => vec![T::constant(false); shape.len],
        Node::Not(f) => negated(take(*f)?),
        Node::And(operands) => {
            let mut all = vec![T::constant(true); shape.len];
            for &f in operands {
                all = pointwise(all, &take(f)?, T::and_with);
            }
            all
        }
        Node::Or(operands) => {
            let mut any = vec![T::constant(false); shape.len];
            for &f in operands {
                any = pointwise(any, &take(f)?, T::or_with);
            }
            any
        }
        Node::Implies(a, b) => pointwise(negated(take(*a)?), &take(*b)?, T::or_with),
        Node::Xor(a, b) => pointwise(take(*a)?, &take(*b)?, exclusive_or),
        Node::Iff(a, b) => pointwise(negated(take(*a)?), &take(*b)?, exclusive_or),
        Node::Unary(op, bound, f) => unary(*op, *bound, take(*f)?, shape),
        Node::Binary(op, bound, a, b) => binary(*op, *bound, take(*a)?, take(*b)?, shape),
        _ => return Ok(None),
    }))
}

fn is_connective(node: &Node) -> bool {
    node.is_operator() || matches!(node, Node::True | Node::False)
}

fn negated<T: Truth>(mut x: Vec<T>) -> Vec<T> {
    x.iter_mut().for_each(T::negate);
    x
}

fn pointwise<T: Truth>(mut x: Vec<T>, y: &[T], op: impl Fn(&mut T, &T)) -> Vec<T> {
    x.iter_mut().zip(y).for_each(|(a, b)| op(a, b));
    x
}

fn exclusive_or<T: Truth>(a: &mut T, b: &T) {
    let mut both = a.clone();
    both.and_with(b);
    both.negate();
    a.or_with(b);
    a.and_with(&both);
}

/// The values per position of a shape, repeated over all positions of the unrolled one.
fn spread<T>(shape: Shape, long: Shape, at: impl Fn(usize) -> T) -> Vec<T> {
    (0..long.len).filter_map(|position| shape.fold(position as u128)).map(at).collect()
}

/// The value of a variable or call at one position of a trace.
pub fn observed_value(store: &Store, id: Id, trace: &Trace, position: usize) -> Result<Value, EvalError> {
    let column = observed_column(store, id, trace)?;
    Ok(trace.value(column, position).clone())
}

/// The column of a variable, or of a call by its text.
fn observed_column(store: &Store, id: Id, trace: &Trace) -> Result<usize, EvalError> {
    match store.node(id) {
        Node::Var(symbol) => {
            let name = store.name(*symbol);
            trace.column(name).ok_or_else(|| EvalError::MissingColumn { name: name.to_owned() })
        }
        _ => {
            let name = shown(store, id);
            trace.column(&name).ok_or(EvalError::UndefinedFunction { name })
        }
    }
}

/// The column of an atom or a term on a trace.
fn term_column(
    store: &Store,
    id: Id,
    trace: &Trace,
    long: Shape,
    columns: &mut Columns<Column>,
    undefined: &mut Option<EvalError>,
) -> Result<Vec<Option<Value>>, EvalError> {
    let shape = trace.shape();
    let observed =
        |column: usize| spread(shape, long, |position| Some(trace.value(column, position).clone()));
    let node = store.node(id);
    match node {
        Node::Var(_) | Node::Call(..) => return observed_column(store, id, trace).map(observed),
        Node::Pre(initial, t) => {
            let initial = columns.take(initial.id()).into_values();
            let mut past = columns.take(t.id()).into_values();
            past.pop();
            return Ok(initial.into_iter().take(1).chain(past).collect());
        }
        _ => {}
    }
    let operands: FxHashMap<Id, Vec<Option<Value>>> =
        node.children().map(|child| (child, columns.take(child).into_values())).collect();
    let mut at = |position: usize| {
        let missing = || undefined.clone().unwrap_or(EvalError::UnfilledHole);
        let operand = |child: Id| operands[&child][position].as_ref().ok_or_else(missing);
        let located = |cause: EvalError| match cause {
            EvalError::At { .. } => cause,
            _ => EvalError::At {
                position: shape.fold(position as u128).unwrap_or(position),
                cause: Box::new(cause),
            },
        };
        match operate(store, node, operand) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_of_values() => {
                undefined.get_or_insert_with(|| located(error));
                Ok(None)
            }
            Err(error) => Err(located(error)),
        }
    };
    (0..long.len).map(&mut at).collect()
}

/// The values of a node at all positions of a trace; `None` where it is undefined.
#[derive(Clone)]
enum Column {
    Truths(Vec<Kleene>),
    Values(Vec<Option<Value>>),
}

impl Column {
    fn into_truths(self, store: &Store, id: Id) -> Result<Vec<Kleene>, EvalError> {
        match self {
            Column::Truths(truths) => Ok(truths),
            Column::Values(values) => {
                let truth = |(position, value): (usize, &Option<Value>)| match value {
                    None => Ok(Kleene::Undefined),
                    Some(value) => as_truth(value).map(Kleene::from).ok_or_else(|| EvalError::At {
                        position,
                        cause: Box::new(EvalError::NotBoolean { name: shown(store, id) }),
                    }),
                };
                values.iter().enumerate().map(truth).collect()
            }
        }
    }

    fn into_values(self) -> Vec<Option<Value>> {
        let value = |truth: Kleene| match truth {
            Kleene::False => Some(Value::Bool(false)),
            Kleene::Undefined => None,
            Kleene::True => Some(Value::Bool(true)),
        };
        match self {
            Column::Truths(truths) => truths.into_iter().map(value).collect(),
            Column::Values(values) => values,
        }
    }
}

/// The columns computed so far. Each is kept until its last use.
struct Columns<C> {
    readers: FxHashMap<Id, usize>,
    columns: FxHashMap<Id, C>,
}

impl<C: Clone> Columns<C> {
    fn new(store: &Store, ids: &[Id], root: Id) -> Columns<C> {
        let mut readers: FxHashMap<Id, usize> = FxHashMap::default();
        for child in ids.iter().flat_map(|&id| store.children(id)).chain([root]) {
            *readers.entry(child).or_default() += 1;
        }
        Columns { readers, columns: FxHashMap::default() }
    }

    fn put(&mut self, id: Id, column: C) {
        self.columns.insert(id, column);
    }

    fn take(&mut self, id: Id) -> C {
        let readers = self.readers.entry(id).or_default();
        *readers = readers.saturating_sub(1);
        let column = if *readers == 0 { self.columns.remove(&id) } else { self.columns.get(&id).cloned() };
        column.expect("children are evaluated before their parents")
    }
}

/// The shape on which a formula is evaluated: on a lasso, the loop begins only where the operands of all future operators repeat.
/// Large bounds of past operators make it long; check the length before evaluating untrusted formulas.
pub fn unrolled(store: &Store, root: Formula, shape: Shape) -> Shape {
    unroll(store, &store.reachable([root.id()]), shape)
}

fn unroll(store: &Store, ids: &[Id], shape: Shape) -> Shape {
    let Some(start) = shape.loop_start else { return shape };
    let round = shape.len - start;
    let mut repeats_from: FxHashMap<Id, usize> = FxHashMap::default();
    let mut needed = start;
    for &id in ids {
        let node = store.node(id);
        let operands =
            node.children().filter_map(|child| repeats_from.get(&child)).fold(start, |a, &b| a.max(b));
        // An unbounded past operator has seen the whole loop one iteration after its operands repeat.
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

#[cfg(test)]
mod tests;
