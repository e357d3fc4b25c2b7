//! `Math`, `Sqrt`, `Trigonometry` and `Rounding`, element by element, and transposition, which is one of the operators of `Math`.
//!
//! Mathematical functions are those of `model`; others are written in terms of them.

use super::arithmetic::sign;
use super::{BlockKind, Definition, ELEMENTWISE, Instance, Lowering};
use crate::lower::Work;
use crate::plan::{Fault, Known, Outcome, Unit, rules, sizes};
use system::{Expr, Function, Node, Type};

/// Whole exponents up to this are written as products.
const MAX_POWER: i64 = 8;

pub(super) const MATH: Definition = Definition {
    defaults: &[("Operator", "exp")],
    shapes: |case| {
        let size = case.size(case.inputs);
        let size = if transposes(case.unit) { size.map(|it| sizes::transpose(&it)) } else { size };
        case.ruled(rules::common, size)
    },
    ..SQRT
};

pub(super) const SQRT: Definition =
    Definition { defaults: &[("Operator", "sqrt")], lowering: Lowering::All(function), ..ELEMENTWISE };

pub(super) const ROUNDING: Definition = Definition { defaults: &[("Operator", "floor")], ..SQRT };

pub(super) const TRIGONOMETRY: Definition = Definition {
    defaults: &[("Operator", "sin")],
    outputs: |unit| Some(1 + usize::from(unit.word("Operator") == "sincos")),
    shapes: |case| vec![Known::new(case.floating(), case.size(case.inputs)); case.unit.outputs.len()],
    ..SQRT
};

fn transposes(unit: &Unit) -> bool {
    matches!(unit.word("Operator"), "transpose" | "hermitian")
}

fn function(work: &mut Work, block: &Instance) -> Outcome<Vec<Vec<Expr>>> {
    let input = block.signal(0)?;
    let name = match (&block.kind, block.word("Function"), block.word("Operator")) {
        // Unlike `Sqrt`, this block gives the root the sign of its input.
        (BlockKind::Math, "", "sqrt") => "signedSqrt",
        (_, "", name) | (_, name, _) => name,
    };
    if transposes(block) {
        let (rows, columns) = input.size();
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| column * rows + row));
        return Ok(vec![places.map(|it| input.at(it)).collect::<Outcome<_>>()?]);
    }
    let width = block.signals.iter().map(|it| it.scalars.len()).max().unwrap_or(0);
    let (mut values, mut second) = (Vec::new(), Vec::new());
    for element in 0..width {
        let a = input.at(element)?;
        let b = block.signals.get(1).map(|it| it.at(element)).transpose()?;
        match (name, b) {
            ("sincos", _) => {
                let a = work.real_of(a);
                values.push(work.pool().apply(Function::Sin, &[a]));
                second.push(work.pool().apply(Function::Cos, &[a]));
            }
            (_, None) => values.push(of_one(work, name, a)?),
            (_, Some(b)) => values.push(of_two(work, name, a, b)?),
        }
    }
    Ok(if name == "sincos" { vec![values, second] } else { vec![values] })
}

/// A function of one number by its name in blocks and in expressions.
pub(super) fn of_one(work: &mut Work, name: &str, a: Expr) -> Outcome<Expr> {
    match name {
        "abs" | "fabs" => {
            let a = work.whole_of(a);
            return Ok(work.pool().abs(a));
        }
        "sgn" | "sign" => return Ok(sign(work, a)),
        "square" | "magnitude^2" => {
            let a = work.whole_of(a);
            return Ok(work.pool().mul(a, a));
        }
        "conj" => return Ok(a),
        _ => {}
    }
    if matches!(name, "floor" | "ceil" | "round" | "fix") && work.pool().type_of(a) != Type::Real {
        return Ok(a);
    }
    let a = work.real_of(a);
    let one = work.ratio(1, 1);
    if let Some(function) = Function::NAMED.iter().find(|it| it.name() == Some(name) && it.arity() == Some(1))
    {
        return Ok(work.pool().apply(*function, &[a]));
    }
    Ok(match name {
        "ln" => work.pool().apply(Function::Log, &[a]),
        "floor" | "ceil" | "round" | "fix" => work.round(name, a),
        "10^u" => {
            let ten = work.ratio(10, 1);
            work.pool().apply(Function::Pow, &[ten, a])
        }
        "reciprocal" => work.pool().div(one, a),
        "signedSqrt" => {
            let size = work.pool().abs(a);
            let root = work.pool().apply(Function::Sqrt, &[size]);
            let sign = sign(work, a);
            work.pool().mul(sign, root)
        }
        "rSqrt" | "1/sqrt" => {
            let root = work.pool().apply(Function::Sqrt, &[a]);
            work.pool().div(one, root)
        }
        "asinh" => {
            // Of the absolute value, so that nothing cancels.
            let size = work.pool().abs(a);
            let square = work.pool().mul(size, size);
            let log = log_with_root(work, size, square, one);
            let sign = sign(work, a);
            work.pool().mul(sign, log)
        }
        "acosh" => {
            let (square, minus) = (work.pool().mul(a, a), work.ratio(-1, 1));
            log_with_root(work, a, square, minus)
        }
        "atanh" => {
            let half = work.ratio(1, 2);
            let pool = work.pool();
            let (over, under) = (pool.add(one, a), pool.sub(one, a));
            let ratio = pool.div(over, under);
            let log = pool.apply(Function::Log, &[ratio]);
            pool.mul(half, log)
        }
        _ => return Err(Fault::new(format!("unknown function `{name}`"))),
    })
}

/// log(a + sqrt(b + c)).
fn log_with_root(work: &mut Work, a: Expr, b: Expr, c: Expr) -> Expr {
    let pool = work.pool();
    let inner = pool.add(b, c);
    let root = pool.apply(Function::Sqrt, &[inner]);
    let sum = pool.add(a, root);
    pool.apply(Function::Log, &[sum])
}

/// A function of two numbers by its name in blocks and in expressions.
pub(super) fn of_two(work: &mut Work, name: &str, a: Expr, b: Expr) -> Outcome<Expr> {
    let (a, b) = (work.real_of(a), work.real_of(b));
    Ok(match name {
        "pow" | "power" => power(work, a, b),
        "atan2" => work.pool().apply(Function::Atan2, &[a, b]),
        "hypot" => {
            let pool = work.pool();
            let (x, y) = (pool.mul(a, a), pool.mul(b, b));
            let sum = pool.add(x, y);
            pool.apply(Function::Sqrt, &[sum])
        }
        "mod" => {
            let rest = remainder(work, a, b, "floor");
            // mod(x, 0) is x.
            let zero = work.ratio(0, 1);
            let nothing = work.pool().eq(b, zero);
            work.pool().ite(nothing, a, rest)
        }
        "rem" => remainder(work, a, b, "fix"),
        "min" => work.pool().min(a, b),
        "max" => work.pool().max(a, b),
        _ => return Err(Fault::new(format!("unknown function `{name}` of two numbers"))),
    })
}

fn remainder(work: &mut Work, a: Expr, b: Expr, rounding: &str) -> Expr {
    let quotient = work.pool().div(a, b);
    let whole = work.round(rounding, quotient);
    let part = work.pool().mul(b, whole);
    work.pool().sub(a, part)
}

/// A power; with a small whole exponent it is a product, which provers understand.
pub(super) fn power(work: &mut Work, base: Expr, exponent: Expr) -> Expr {
    let constant = match work.pool().node(exponent) {
        Node::Real(number) if number.is_int() => i64::try_from(number.numerator()).ok(),
        _ => None,
    };
    let Some(count) = constant.filter(|it| it.abs() <= MAX_POWER) else {
        return work.pool().apply(Function::Pow, &[base, exponent]);
    };
    let one = work.ratio(1, 1);
    let product = (0..count.unsigned_abs()).fold(one, |product, _| work.pool().mul(product, base));
    if count < 0 { work.pool().div(one, product) } else { product }
}
