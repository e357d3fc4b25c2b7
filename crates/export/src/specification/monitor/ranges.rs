//! What the arithmetic of a requirement needs: integers of at most 64 bits, divisors that are never zero, and whether real numbers
//! are rounded.

use crate::specification::Inexpressible;
use logic::{Arith, Fun, Id, Node, RBig, Rel, Store, Term};
use requirement::specification::{Range, Type};
use std::collections::BTreeMap;

/// The integers of a variable: the width of its type in bits, and the least and greatest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Integers {
    pub(super) width: u8,
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Integers {
    /// 32 bits, unless the declared range needs 64.
    pub(super) fn of(range: &Range) -> Result<Integers, Inexpressible> {
        let end = |end: &Option<RBig>, open: i64| match end {
            None => Ok(open),
            Some(value) => whole(value)
                .and_then(|value| i64::try_from(value).ok())
                .ok_or_else(|| Inexpressible::Large(value.to_string())),
        };
        let (low, high) = (end(&range.low, i32::MIN.into())?, end(&range.high, i32::MAX.into())?);
        if low >= i32::MIN.into() && high <= i32::MAX.into() {
            return Ok(Integers { width: 32, low: i32::MIN.into(), high: i32::MAX.into() });
        }
        let (low, high) = (end(&range.low, i64::MIN)?, end(&range.high, i64::MAX)?);
        Ok(Integers { width: 64, low, high })
    }

    /// Whether values of the type can be outside the declared range.
    pub(super) fn is_narrow(self) -> bool {
        self.width == 64 && (self.low, self.high) != (i64::MIN, i64::MAX)
    }
}

#[derive(Clone, Copy)]
enum Value {
    /// An integer between two numbers.
    Int(i128, i128),
    /// A real number, and whether it is the rounded result of a computation.
    Real {
        rounded: bool,
    },
    Other,
}

/// Whether a comparison depends on rounded numbers.
///
/// `digits` is how many digits a constant can have so that comparing its nearest floating-point number is exact; without it, numbers are
/// exact and of any size.
pub(in crate::specification) fn check(
    store: &Store,
    roots: &[Id],
    types: &BTreeMap<&str, &Type>,
    digits: Option<usize>,
) -> Result<bool, Inexpressible> {
    let mut known: BTreeMap<Id, Value> = BTreeMap::new();
    let mut is_rounded = false;
    for id in store.reachable(roots.iter().copied()) {
        let of = |term: &Term| known.get(&term.id()).copied().unwrap_or(Value::Other);
        let value = match store.node(id) {
            Node::Var(symbol) => match types.get(store.name(*symbol)) {
                Some(Type::Int(range)) => {
                    let range = match digits {
                        Some(_) => Integers::of(range)?,
                        None => Integers { width: 64, low: -1, high: 1 },
                    };
                    Value::Int(range.low.into(), range.high.into())
                }
                Some(Type::Real(_)) => Value::Real { rounded: false },
                Some(Type::Bool | Type::Enum(_)) | None => Value::Other,
            },
            Node::Num(value, _) => match whole(value) {
                Some(value) => Value::Int(value, value),
                None if value.is_int() => return Err(Inexpressible::Large(value.to_string())),
                None => Value::Real { rounded: digits.is_some_and(|digits| has_more(value, digits)) },
            },
            Node::Neg(t) => match of(t) {
                Value::Int(low, high) => Value::Int(-high, -low),
                other => other,
            },
            Node::Arith(op, a, b) => arithmetic(store, *op, of(a), of(b), *b)?,
            Node::Fun(fun, arguments) => {
                let all = arguments.iter().map(of).reduce(joined).unwrap_or(Value::Other);
                match (fun, all) {
                    (Fun::Abs, Value::Int(low, high)) => Value::Int(0, low.abs().max(high.abs())),
                    (Fun::Abs | Fun::Min | Fun::Max, all) => all,
                }
            }
            Node::Ite(_, a, b) | Node::Pre(a, b) => joined(of(a), of(b)),
            Node::Rel(Rel::Lt | Rel::Le | Rel::Gt | Rel::Ge | Rel::Eq | Rel::Ne, a, b) => {
                let exact = |value: Value, other: Value| match (value, other) {
                    (Value::Real { rounded }, _) => !rounded,
                    // Integers become floating-point numbers.
                    (Value::Int(low, high), Value::Real { .. }) => low.abs().max(high.abs()) <= 1 << 53,
                    _ => true,
                };
                let (a, b) = (of(a), of(b));
                is_rounded |= digits.is_some() && !(exact(a, b) && exact(b, a));
                Value::Other
            }
            _ => Value::Other,
        };
        if let Value::Int(low, high) = value
            && digits.is_some()
            && !(i128::from(i64::MIN) <= low && high <= i128::from(i64::MAX))
        {
            return Err(Inexpressible::Overflow);
        }
        known.insert(id, value);
    }
    Ok(is_rounded)
}

fn arithmetic(store: &Store, op: Arith, a: Value, b: Value, divisor: Term) -> Result<Value, Inexpressible> {
    let constant = match store.node(divisor) {
        Node::Num(value, _) => Some(value),
        _ => None,
    };
    if matches!(op, Arith::Div | Arith::Mod) && constant.is_none_or(|value| *value <= RBig::ZERO) {
        return Err(Inexpressible::Undefined);
    }
    let product = |(a, b): (i128, i128), (c, d): (i128, i128)| {
        let ends = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
        Some((ends.into_iter().min()?, ends.into_iter().max()?))
    };
    let (Value::Int(low, high), Value::Int(from, to)) = (a, b) else {
        return Ok(Value::Real { rounded: true });
    };
    let range = match op {
        Arith::Add => low.checked_add(from).zip(high.checked_add(to)),
        Arith::Sub => low.checked_sub(to).zip(high.checked_sub(from)),
        Arith::Mul => product((low, high), (from, to)),
        Arith::Div => return Ok(Value::Real { rounded: true }),
        Arith::Mod => Some((0, to - 1)),
        // The writer of expressions refuses other exponents.
        Arith::Pow => (1..from.clamp(1, 8)).try_fold((low, high), |range, _| product(range, (low, high))),
    };
    let (low, high) = range.ok_or(Inexpressible::Overflow)?;
    Ok(Value::Int(low, high))
}

fn joined(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Int(low, high), Value::Int(from, to)) => Value::Int(low.min(from), high.max(to)),
        (Value::Real { rounded: a }, Value::Real { rounded: b }) => Value::Real { rounded: a || b },
        (real @ Value::Real { .. }, Value::Int(..)) | (Value::Int(..), real @ Value::Real { .. }) => real,
        _ => Value::Other,
    }
}

/// An integer that is not astronomic.
fn whole(value: &RBig) -> Option<i128> {
    if value.is_int() {
        i128::try_from(value.numerator()).ok().filter(|it| it.abs() < 1 << 100)
    } else {
        None
    }
}

/// Whether a number has more significant digits, or is not a decimal.
fn has_more(value: &RBig, digits: usize) -> bool {
    let Some(text) = logic::format_decimal(value) else { return true };
    let significant = text.trim_start_matches('-').trim_start_matches(['0', '.']);
    significant.bytes().filter(u8::is_ascii_digit).count() > digits
}
