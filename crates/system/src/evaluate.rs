//! The values of expressions from the values of variables, over exact numbers or doubles.
//!
//! An [`Evaluator`] lists the nodes below its roots once, children first; each evaluation is a loop over that list.
//! Undefined values propagate like any other: a conjunction with a false operand is still false.

use crate::arithmetic::{MAX_BITS, bit_operation, low_bits};
use crate::expr::{Expr, Function, Node, Pool, Type, Var, Width};
use crate::value::{Real, Value};
use dashu_int::IBig;
use dashu_int::ops::{BitTest, DivRemEuclid};
use std::cmp::Ordering;

/// The nodes below some roots, in the order in which they are computed.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// The nodes, children first. A child is named by its place in this list, so that a step reads one list from its start to its end.
    nodes: Vec<Node>,
    types: Vec<Type>,
    /// The place of each node of the pool.
    places: Vec<u32>,
}

impl Evaluator {
    /// Prepares the evaluation of some expressions.
    pub fn new(pool: &Pool, roots: impl IntoIterator<Item = Expr>) -> Evaluator {
        let order = pool.reachable(roots);
        let mut places = vec![u32::MAX; order.last().map_or(0, |last| last.index() + 1)];
        for (place, expr) in order.iter().enumerate() {
            places[expr.index()] = place as u32;
        }
        let nodes = order.iter().map(|it| pool.node(*it).with_children(|child| Expr(places[child.index()])));
        let (nodes, types) = (nodes.collect(), order.iter().map(|it| pool.type_of(*it)).collect());
        Evaluator { nodes, types, places }
    }

    /// The values of all nodes, given those of the variables; read them with [`get`](Evaluator::get).
    pub fn values<R: Real>(&self, pool: &Pool, variable: impl Fn(Var) -> Value<R>) -> Vec<Value<R>> {
        let mut values = Vec::with_capacity(self.nodes.len());
        self.update(pool, &mut values, variable);
        values
    }

    /// As [`values`](Evaluator::values), overwriting the values of an earlier evaluation: constants are not computed again.
    pub fn update<R: Real>(
        &self,
        pool: &Pool,
        values: &mut Vec<Value<R>>,
        variable: impl Fn(Var) -> Value<R>,
    ) {
        let again = values.len() == self.nodes.len();
        if !again {
            values.clear();
        }
        for (place, node) in self.nodes.iter().enumerate() {
            let value = match node {
                node if again && node.is_constant() => continue,
                Node::Var(var) => {
                    let value = variable(*var);
                    if fits(pool, self.types[place], &value) { value } else { Value::Undefined }
                }
                node => operated(node, |child| self.types[child.index()], |child| &values[child.index()]),
            };
            if again {
                values[place] = value;
            } else {
                values.push(value);
            }
        }
    }

    /// The value of a root, or of a node below one.
    pub fn get<'v, R>(&self, values: &'v [Value<R>], expr: Expr) -> &'v Value<R> {
        let place = self.places.get(expr.index()).map(|place| *place as usize);
        place.and_then(|place| values.get(place)).unwrap_or(&Value::Undefined)
    }
}

/// The value of one expression.
pub fn evaluate<R: Real>(pool: &Pool, expr: Expr, variable: impl Fn(Var) -> Value<R>) -> Value<R> {
    Evaluator::new(pool, [expr]).values(pool, variable).pop().unwrap_or(Value::Undefined)
}

/// Whether a value belongs to a type; an undefined one belongs to every type.
pub fn fits<R>(pool: &Pool, ty: Type, value: &Value<R>) -> bool {
    match (ty, value) {
        (_, Value::Undefined)
        | (Type::Bool, Value::Bool(_))
        | (Type::Int, Value::Int(_))
        | (Type::Real, Value::Real(_)) => true,
        (Type::Machine(width), Value::Machine(value)) => width.wrap(*value) == *value,
        (Type::Enum(id), Value::Enum(place)) => (*place as usize) < pool.enumeration(id).literals.len(),
        (Type::Bool | Type::Int | Type::Machine(_) | Type::Real | Type::Enum(_), _) => false,
    }
}

/// The value of a node whose operands have the values that `get` returns.
pub fn operate<'v, R: Real + 'v>(pool: &Pool, node: &Node, get: impl Fn(Expr) -> &'v Value<R>) -> Value<R> {
    operated(node, |expr| pool.type_of(expr), get)
}

fn operated<'v, R: Real + 'v>(
    node: &Node,
    type_of: impl Fn(Expr) -> Type,
    get: impl Fn(Expr) -> &'v Value<R>,
) -> Value<R> {
    let wrapped = |like: Expr, value: i128| match type_of(like) {
        Type::Machine(width) => Value::Machine(width.wrap(value)),
        Type::Bool | Type::Int | Type::Real | Type::Enum(_) => Value::Undefined,
    };
    match node {
        Node::Bool(value) => Value::Bool(*value),
        Node::Int(value) => Value::Int(value.clone()),
        Node::Machine(_, value) => Value::Machine(*value),
        Node::Real(value) => Value::Real(R::from_exact(value)),
        Node::Literal(_, place) => Value::Enum(*place),
        Node::Var(_) => Value::Undefined,
        Node::Not(a) => get(*a).truth().map_or(Value::Undefined, |truth| Value::Bool(!truth)),
        Node::And(operands) => junction(operands.iter().map(|it| get(*it)), false),
        Node::Or(operands) => junction(operands.iter().map(|it| get(*it)), true),
        Node::Eq(a, b) => match (get(*a), get(*b)) {
            (Value::Real(x), Value::Real(y)) => ordered(x.order(y), Ordering::is_eq),
            (Value::Undefined, _) | (_, Value::Undefined) => Value::Undefined,
            (x, y) => Value::Bool(x == y),
        },
        Node::Lt(a, b) => ordered(order(get(*a), get(*b)), Ordering::is_lt),
        Node::Le(a, b) => ordered(order(get(*a), get(*b)), Ordering::is_le),
        Node::Ite(c, a, b) => match get(*c).truth() {
            Some(truth) => get(if truth { *a } else { *b }).clone(),
            None if get(*a) == get(*b) => get(*a).clone(),
            None => Value::Undefined,
        },
        Node::Cast(ty, a) => cast(*ty, get(*a)),
        Node::Apply(function, arguments) => apply(*function, arguments.iter().map(|it| get(*it))),
        Node::Neg(a) => match get(*a) {
            Value::Int(x) => Value::Int(-x.clone()),
            Value::Machine(x) => wrapped(*a, x.wrapping_neg()),
            Value::Real(x) => Value::Real(x.negated()),
            Value::Bool(_) | Value::Enum(_) | Value::Undefined => Value::Undefined,
        },
        Node::BitNot(a) => match get(*a) {
            Value::Machine(x) => wrapped(*a, !x),
            _ => Value::Undefined,
        },
        Node::Bits(op, a, b) => match (get(*a), get(*b), type_of(*a)) {
            (Value::Machine(x), Value::Machine(y), Type::Machine(width)) => {
                Value::Machine(bit_operation(*op, width, *x, *y))
            }
            _ => Value::Undefined,
        },
        Node::Add(a, b) => match (get(*a), get(*b)) {
            (Value::Int(x), Value::Int(y)) => Value::Int(x + y),
            (Value::Machine(x), Value::Machine(y)) => wrapped(*a, x.wrapping_add(*y)),
            (Value::Real(x), Value::Real(y)) => real(x.plus(y)),
            _ => Value::Undefined,
        },
        Node::Mul(a, b) => match (get(*a), get(*b)) {
            (Value::Int(x), Value::Int(y)) if x.bit_len() + y.bit_len() <= MAX_BITS => Value::Int(x * y),
            (Value::Machine(x), Value::Machine(y)) => wrapped(*a, x.wrapping_mul(*y)),
            (Value::Real(x), Value::Real(y)) => real(x.times(y)),
            _ => Value::Undefined,
        },
        Node::Div(a, b) => match (get(*a), get(*b)) {
            (Value::Real(x), Value::Real(y)) => real(x.over(y)),
            _ => Value::Undefined,
        },
        Node::IntDiv(a, b) => match (get(*a), get(*b)) {
            (Value::Int(x), Value::Int(y)) if !y.is_zero() => Value::Int(x.div_rem_euclid(y).0),
            (Value::Machine(x), Value::Machine(y)) if *y != 0 => wrapped(*a, x.wrapping_div(*y)),
            _ => Value::Undefined,
        },
        Node::Mod(a, b) => match (get(*a), get(*b)) {
            (Value::Int(x), Value::Int(y)) if !y.is_zero() => Value::Int(IBig::from(x.div_rem_euclid(y).1)),
            (Value::Machine(x), Value::Machine(y)) if *y != 0 => wrapped(*a, x.wrapping_rem(*y)),
            _ => Value::Undefined,
        },
    }
}

fn junction<'v, R: 'v>(operands: impl Iterator<Item = &'v Value<R>>, decisive: bool) -> Value<R> {
    let mut known = true;
    for operand in operands {
        match operand.truth() {
            Some(truth) if truth == decisive => return Value::Bool(decisive),
            Some(_) => {}
            None => known = false,
        }
    }
    if known { Value::Bool(!decisive) } else { Value::Undefined }
}

fn ordered<R>(order: Option<Ordering>, holds: fn(Ordering) -> bool) -> Value<R> {
    order.map_or(Value::Undefined, |order| Value::Bool(holds(order)))
}

fn order<R: Real>(a: &Value<R>, b: &Value<R>) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
        (Value::Machine(x), Value::Machine(y)) => Some(x.cmp(y)),
        (Value::Real(x), Value::Real(y)) => x.order(y),
        _ => None,
    }
}

fn real<R>(value: Option<R>) -> Value<R> {
    value.map_or(Value::Undefined, Value::Real)
}

fn cast<R: Real>(ty: Type, value: &Value<R>) -> Value<R> {
    let wrap = |width: Width, value: i128| Value::Machine(width.wrap(value));
    match (ty, value) {
        (Type::Real, Value::Int(x)) => Value::Real(R::from_exact(&x.clone().into())),
        (Type::Machine(width), Value::Int(x)) => wrap(width, low_bits(x)),
        (Type::Machine(width), Value::Machine(x)) => wrap(width, *x),
        (Type::Int, Value::Machine(x)) => Value::Int(IBig::from(*x)),
        (Type::Int, Value::Real(x)) => x.whole().map_or(Value::Undefined, Value::Int),
        _ => Value::Undefined,
    }
}

fn apply<'v, R: Real + 'v>(function: Function, arguments: impl Iterator<Item = &'v Value<R>>) -> Value<R> {
    let reals: Option<Vec<&R>> = arguments
        .map(|argument| match argument {
            Value::Real(x) => Some(x),
            _ => None,
        })
        .collect();
    real(reals.and_then(|reals| R::apply(function, &reals)))
}
