//! Which values are simpler than others: false, the first literal, small integers, short decimals.

use dashu_int::ops::Abs;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use system::{System, Type, Value, Var};

/// Whether one value is simpler than another of its type.
pub(crate) fn simpler(one: &Value, other: &Value) -> bool {
    rank(one) < rank(other)
}

/// Simpler values of a variable's type, simplest first, approaching the old value.
pub(crate) fn simpler_values(system: &System, var: Var, old: &Value) -> Vec<Value> {
    let ty = system.variables[var.index()].ty;
    let mut values: Vec<Value> = match (ty, old) {
        (Type::Bool, Value::Bool(true)) => vec![Value::Bool(false)],
        (Type::Enum(_), Value::Enum(place)) => (0..*place).map(Value::Enum).take(MOST).collect(),
        (Type::Int, Value::Int(number)) => whole(number).into_iter().map(Value::Int).collect(),
        (Type::Machine(width), Value::Machine(number)) => {
            let numbers = whole(&IBig::from(*number)).into_iter().filter_map(|it| i128::try_from(it).ok());
            numbers.filter(|it| width.wrap(*it) == *it).map(Value::Machine).collect()
        }
        (Type::Real, Value::Real(number)) => real(number).into_iter().map(Value::Real).collect(),
        _ => Vec::new(),
    };
    values.retain(|value| simpler(value, old));
    values
}

/// The maximum number of enumeration literals to try.
const MOST: usize = 16;

/// Zero, one, and numbers towards the given one, each halving the distance.
fn whole(number: &IBig) -> Vec<IBig> {
    let mut values = vec![IBig::ZERO, IBig::ONE, IBig::NEG_ONE];
    let mut far = number / IBig::from(2);
    while far != IBig::ZERO && values.len() < 70 {
        values.push(number - &far);
        far /= IBig::from(2);
    }
    values
}

/// Integers as above, then decimals with more and more places.
fn real(number: &RBig) -> Vec<RBig> {
    let (below, above) = (number.floor(), number.ceil());
    let mut values: Vec<RBig> = whole(&below).into_iter().map(RBig::from).collect();
    values.extend([below, above].map(RBig::from));
    for places in 1..=6 {
        let scale = RBig::from(UBig::from(10u8).pow(places));
        let scaled = number * &scale;
        values.extend([scaled.floor(), scaled.ceil()].map(|it| RBig::from(it) / &scale));
    }
    values
}

/// Smaller is simpler: decimal places (infinite expansions last), then magnitude, then sign.
fn rank(value: &Value) -> (usize, UBig, bool) {
    match value {
        Value::Bool(truth) => (0, UBig::from(u8::from(*truth)), false),
        Value::Enum(place) => (0, UBig::from(*place), false),
        Value::Int(number) => of_whole(number),
        Value::Machine(number) => of_whole(&IBig::from(*number)),
        Value::Real(number) => {
            let (_, magnitude, negative) = of_whole(number.numerator());
            (decimals(number), magnitude, negative)
        }
        Value::Undefined => (usize::MAX, UBig::ZERO, false),
    }
}

fn of_whole(number: &IBig) -> (usize, UBig, bool) {
    let negative = *number < IBig::ZERO;
    (0, UBig::try_from(number.clone().abs()).unwrap_or(UBig::ZERO), negative)
}

/// The number of decimal places of a number.
fn decimals(number: &RBig) -> usize {
    let mut rest = number.denominator().clone();
    let twos = rest.trailing_zeros().unwrap_or(0);
    rest >>= twos;
    let fives = rest.remove(&UBig::from(5u8)).unwrap_or(0);
    if rest.is_one() { twos.max(fives) } else { usize::MAX / 2 }
}
