//! The value of one state: arithmetic, comparisons and connectives on known operands, exactly.
//!
//! An undefined value, such as a quotient by zero, has no effect where the other operands decide. What needs a position (variables,
//! temporal operators, `pre`) comes from the caller.

use crate::print::print;
use crate::store::{Arith, Fun, Id, Node, Rel, Store, Term};
use crate::trace::Value;
use dashu_int::IBig;
use dashu_int::ops::{Abs, BitTest, RemEuclid};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::fmt;

/// The largest magnitude of an exponent.
const MAX_POWER: i64 = 10_000;
/// The maximum number of bits of a power.
const MAX_BITS: usize = 1 << 22;

/// Why a formula has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// A variable has no column.
    MissingColumn {
        /// The variable.
        name: String,
    },
    /// An uninterpreted function has no column.
    UndefinedFunction {
        /// The text of the call.
        name: String,
    },
    /// Something used as a Boolean is not one.
    NotBoolean {
        /// The variable or the printed term.
        name: String,
    },
    /// Something used as a number is not one.
    NotNumber {
        /// The variable or the printed term.
        name: String,
    },
    /// Two values of different kinds are compared.
    Incomparable {
        /// The printed comparison.
        name: String,
    },
    /// A function has too few or too many arguments.
    WrongArguments {
        /// The printed term.
        name: String,
    },
    /// A division, a remainder or a negative power of zero.
    DivisionByZero,
    /// A remainder of numbers that are not integers.
    ModOfNonInteger,
    /// A power whose exponent is not an integer.
    FractionalExponent,
    /// A power that is too large to be computed.
    PowerTooLarge,
    /// A hole that was not filled.
    UnfilledHole,
    /// The trace has no such position.
    NoSuchPosition {
        /// The position.
        position: usize,
    },
    /// The bounds of past operators under future ones reach too far back for a trace with a loop.
    LoopTooLong,
    /// An error at a position of a trace.
    At {
        /// The position.
        position: usize,
        /// The error there.
        cause: Box<EvalError>,
    },
}

/// The value of a formula or term in one state. `leaf` returns the values of variables, holes, calls, `pre` and temporal operators;
/// the rest is computed.
pub fn eval_state(
    store: &Store,
    id: Id,
    leaf: &mut dyn FnMut(Id, &Node) -> Result<Value, EvalError>,
) -> Result<Value, EvalError> {
    let mut values: FxHashMap<Id, Result<Value, EvalError>> = FxHashMap::default();
    for id in store.reachable_until([id], Node::needs_context) {
        let node = store.node(id);
        let value = if node.needs_context() {
            leaf(id, node)
        } else {
            operate(store, node, |child| values[&child].as_ref().map_err(Clone::clone))
        };
        match value {
            Err(error) if !error.is_of_values() => return Err(error),
            value => values.insert(id, value),
        };
    }
    values.remove(&id).unwrap_or(Err(EvalError::UnfilledHole))
}

impl EvalError {
    /// Whether the error depends on values, as in a division by zero, so that it does not matter where the rest decides.
    pub fn is_of_values(&self) -> bool {
        match self {
            EvalError::DivisionByZero
            | EvalError::ModOfNonInteger
            | EvalError::FractionalExponent
            | EvalError::PowerTooLarge => true,
            EvalError::At { cause, .. } => cause.is_of_values(),
            EvalError::MissingColumn { .. }
            | EvalError::UndefinedFunction { .. }
            | EvalError::NotBoolean { .. }
            | EvalError::NotNumber { .. }
            | EvalError::Incomparable { .. }
            | EvalError::WrongArguments { .. }
            | EvalError::UnfilledHole
            | EvalError::NoSuchPosition { .. }
            | EvalError::LoopTooLong => false,
        }
    }
}

/// The value of a junction: an operand with the decisive value decides, whatever the others are.
fn junction(
    operands: impl Iterator<Item = Result<bool, EvalError>>,
    decisive: bool,
) -> Result<Value, EvalError> {
    let mut undefined = None;
    for operand in operands {
        match operand {
            Ok(truth) if truth == decisive => return Ok(Value::Bool(decisive)),
            Ok(_) => {}
            Err(error) if error.is_of_values() => undefined = undefined.or(Some(error)),
            Err(error) => return Err(error),
        }
    }
    undefined.map_or(Ok(Value::Bool(!decisive)), Err)
}

/// One operation on known operands.
pub(crate) fn operate<'v>(
    store: &Store,
    node: &Node,
    get: impl Fn(Id) -> Result<&'v Value, EvalError> + Copy,
) -> Result<Value, EvalError> {
    let truth = |id: Id| as_truth(get(id)?).ok_or_else(|| EvalError::NotBoolean { name: shown(store, id) });
    let number = |t: Term| as_number(store, t, get(t.id())?);
    Ok(match node {
        Node::True => Value::Bool(true),
        Node::False => Value::Bool(false),
        Node::Not(f) => Value::Bool(!truth(f.id())?),
        Node::And(operands) => junction(operands.iter().map(|f| truth(f.id())), false)?,
        Node::Or(operands) => junction(operands.iter().map(|f| truth(f.id())), true)?,
        Node::Xor(a, b) => Value::Bool(truth(a.id())? != truth(b.id())?),
        Node::Implies(a, b) => {
            junction([truth(a.id()).map(|premise| !premise), truth(b.id())].into_iter(), true)?
        }
        Node::Iff(a, b) => Value::Bool(truth(a.id())? == truth(b.id())?),
        Node::Bool(f) => Value::Bool(truth(f.id())?),
        Node::Rel(rel, a, b) => Value::Bool(related(store, *rel, *a, *b, get)?),
        Node::Num(value, _) => Value::Num(value.clone()),
        Node::Value(symbol) => Value::Name(store.name(*symbol).to_owned()),
        Node::Neg(t) => Value::Num(-number(*t)?.clone()),
        Node::Arith(op, a, b) => Value::Num(arithmetic(*op, number(*a)?, number(*b)?)?),
        Node::Fun(fun, arguments) => {
            let numbers = arguments.iter().map(|&t| number(t)).collect::<Result<Vec<_>, _>>()?;
            let value = match (fun, numbers.as_slice()) {
                (Fun::Abs, [one]) => Some((*one).clone().abs()),
                (Fun::Abs, _) => None,
                (Fun::Min, numbers) => numbers.iter().min().map(|&n| n.clone()),
                (Fun::Max, numbers) => numbers.iter().max().map(|&n| n.clone()),
            };
            Value::Num(
                value.ok_or_else(|| EvalError::WrongArguments { name: format!("{fun:?}").to_lowercase() })?,
            )
        }
        Node::Ite(c, a, b) => get(if truth(c.id())? { a.id() } else { b.id() })?.clone(),
        Node::Var(symbol) => return Err(EvalError::MissingColumn { name: store.name(*symbol).to_owned() }),
        Node::Call(symbol, _) => {
            return Err(EvalError::UndefinedFunction { name: store.name(*symbol).to_owned() });
        }
        Node::Hole(_) | Node::Pre(..) | Node::Unary(..) | Node::Binary(..) => {
            return Err(EvalError::UnfilledHole);
        }
    })
}

/// The printed form of a term, for a message.
pub(crate) fn shown(store: &Store, id: Id) -> String {
    print(store, id, &crate::print::dialect::SHALL).unwrap_or_else(|_| "a term".to_owned())
}

/// The Boolean, if it is one.
pub(crate) fn as_truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(b) => Some(*b),
        Value::Num(_) | Value::Name(_) => None,
    }
}

fn as_number<'v>(store: &Store, t: Term, value: &'v Value) -> Result<&'v RBig, EvalError> {
    match value {
        Value::Num(n) => Ok(n),
        Value::Bool(_) | Value::Name(_) => Err(EvalError::NotNumber { name: shown(store, t.id()) }),
    }
}

fn related<'v>(
    store: &Store,
    rel: Rel,
    a: Term,
    b: Term,
    get: impl Fn(Id) -> Result<&'v Value, EvalError>,
) -> Result<bool, EvalError> {
    let (x, y) = (get(a.id())?, get(b.id())?);
    match (rel, x, y) {
        (_, Value::Num(x), Value::Num(y)) => Ok(rel.holds(x, y)),
        (Rel::Eq | Rel::Ne, Value::Bool(x), Value::Bool(y)) => Ok(rel.holds(x, y)),
        (Rel::Eq | Rel::Ne, Value::Name(x), Value::Name(y)) => Ok(rel.holds(x, y)),
        (Rel::Eq | Rel::Ne, _, _) => {
            let name = format!("{} and {}", shown(store, a.id()), shown(store, b.id()));
            Err(EvalError::Incomparable { name })
        }
        (Rel::Lt | Rel::Le | Rel::Gt | Rel::Ge, _, _) => {
            as_number(store, a, x)?;
            as_number(store, b, y)?;
            Err(EvalError::NotNumber { name: shown(store, a.id()) })
        }
    }
}

fn arithmetic(op: Arith, a: &RBig, b: &RBig) -> Result<RBig, EvalError> {
    match op {
        Arith::Add => Ok(a + b),
        Arith::Sub => Ok(a - b),
        Arith::Mul => Ok(a * b),
        Arith::Div if b.is_zero() => Err(EvalError::DivisionByZero),
        Arith::Div => Ok(a / b),
        Arith::Mod if !a.is_int() || !b.is_int() => Err(EvalError::ModOfNonInteger),
        Arith::Mod if b.is_zero() => Err(EvalError::DivisionByZero),
        Arith::Mod => Ok(RBig::from(IBig::from(a.numerator().rem_euclid(b.numerator())))),
        Arith::Pow => power(a, b),
    }
}

fn power(base: &RBig, exponent: &RBig) -> Result<RBig, EvalError> {
    if !exponent.is_int() {
        return Err(EvalError::FractionalExponent);
    }
    let small = i64::try_from(exponent.numerator()).ok().filter(|e| e.abs() <= MAX_POWER);
    let exponent = small.and_then(|e| isize::try_from(e).ok()).ok_or(EvalError::PowerTooLarge)?;
    if base.is_zero() && exponent < 0 {
        return Err(EvalError::DivisionByZero);
    }
    let bits = base.numerator().bit_len().max(base.denominator().bit_len());
    if bits.saturating_mul(exponent.unsigned_abs()) > MAX_BITS {
        return Err(EvalError::PowerTooLarge);
    }
    Ok(base.pow(exponent))
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::MissingColumn { name } => write!(f, "the trace has no column `{name}`"),
            EvalError::UndefinedFunction { name } => {
                write!(f, "`{name}` has no meaning, and the trace has no column of that name")
            }
            EvalError::NotBoolean { name } => write!(f, "`{name}` is not a Boolean"),
            EvalError::NotNumber { name } => write!(f, "`{name}` is not a number"),
            EvalError::Incomparable { name } => write!(f, "`{name}` are of different kinds"),
            EvalError::WrongArguments { name } => write!(f, "`{name}` has the wrong number of arguments"),
            EvalError::DivisionByZero => write!(f, "division by zero"),
            EvalError::ModOfNonInteger => write!(f, "`mod` of numbers that are not whole"),
            EvalError::FractionalExponent => write!(f, "the exponent of a power is not whole"),
            EvalError::PowerTooLarge => write!(f, "a power is too large"),
            EvalError::UnfilledHole => write!(f, "a part of the formula is not filled in"),
            EvalError::NoSuchPosition { position } => write!(f, "the trace has no position {position}"),
            EvalError::LoopTooLong => write!(f, "the bounds reach back too far for a trace with a loop"),
            EvalError::At { position, cause } => write!(f, "at position {position}: {cause}"),
        }
    }
}

impl std::error::Error for EvalError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    /// `x` is 7, `y` is 1/2, `p` is true, `mode` is `on`; everything else is missing.
    fn check(input: &str, expected: &str) {
        let mut store = Store::default();
        let f = read(&mut store, input);
        let mut leaf = |_: Id, node: &Node| match node {
            Node::Var(symbol) => match store.name(*symbol) {
                "x" => Ok(Value::Num(RBig::from(7))),
                "y" => Ok(Value::Num(RBig::from_parts(IBig::from(1), 2u8.into()))),
                "p" => Ok(Value::Bool(true)),
                "mode" => Ok(Value::Name("on".to_owned())),
                name => Err(EvalError::MissingColumn { name: name.to_owned() }),
            },
            Node::Unary(..) => Ok(Value::Bool(false)),
            _ => Err(EvalError::UnfilledHole),
        };
        let shown = match eval_state(&store, f.id(), &mut leaf) {
            Ok(Value::Bool(b)) => b.to_string(),
            Ok(other) => format!("{other:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected, "{input}");
    }

    #[test]
    fn values() {
        for (input, expected) in [
            ("p", "true"),
            ("(! p)", "false"),
            ("(& p (G p))", "false"),
            ("(-> (G p) p)", "true"),
            ("(xor p (F p))", "true"),
            ("(= x 7)", "true"),
            ("(= x 7.0)", "true"),
            ("(= (* y 2) 1)", "true"),
            ("(= (/ x 2) 3.5)", "true"),
            ("(= (mod x 4) 3)", "true"),
            ("(= (mod (neg x) 4) 1)", "true"),
            ("(= (mod x (neg 4)) 3)", "true"),
            ("(= (^ x 2) 49)", "true"),
            ("(= (^ y (neg 3)) 8)", "true"),
            ("(= (neg (abs (neg x))) (neg x))", "true"),
            ("(= (min x y 3) y)", "true"),
            ("(= (max x y 3) x)", "true"),
            ("(= (ite p x y) 7)", "true"),
            ("(= mode 'on)", "true"),
            ("(!= mode 'off)", "true"),
            ("(= p (> x y))", "true"),
            ("(> (/ x 0) 1)", "division by zero"),
            ("(> (mod x 0) 1)", "division by zero"),
            ("(> (mod y 2) 1)", "`mod` of numbers that are not whole"),
            ("(> (^ x y) 1)", "the exponent of a power is not whole"),
            ("(> (^ x 10001) 1)", "a power is too large"),
            ("(> (^ (^ x 10000) 10000) 1)", "a power is too large"),
            ("(> (^ 0 (neg 1)) 1)", "division by zero"),
            ("(| p (> z 1))", "the trace has no column `z`"),
            ("(& x p)", "`x` is not a Boolean"),
            ("(< (+ p 1) 2)", "`p` is not a number"),
            ("(= mode x)", "`mode and x` are of different kinds"),
            ("(< mode x)", "`mode` is not a number"),
            ("(< (abs x y) x)", "`abs` has the wrong number of arguments"),
        ] {
            check(input, expected);
        }
    }
}
