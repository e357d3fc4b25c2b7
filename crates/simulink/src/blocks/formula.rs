//! Expressions inside blocks: those of `Fcn`, the conditions of `If` and the actions of charts, parsed as MATLAB expressions and lowered.
//!
//! They have numbers, names and calls that a block knows ([`Names`]), functions of one or two numbers, and operators. Booleans count
//! as 1 and 0 where numbers are wanted. The parser limits the nesting, so lowering may recurse.

use super::functions::{of_one, of_two, power};
use super::logic::relation;
use super::{BlockKind, Definition, ELEMENTWISE, Instance, Lowering};
use crate::lower::{Signal, Work};
use crate::matlab::{self, Binary, Expression, Index, Kind, Unary};
use crate::plan::{Fault, Outcome, Unit, clauses};
use std::collections::BTreeMap;
use system::{Expr, Node, Pool, Type};

pub(super) const FCN: Definition = Definition {
    shapes: |case| case.one(case.floating(), Some(vec![1])),
    lowering: Lowering::One(|work, block| {
        let value = Formula { work, block, numbered: false }.value(block.word("Expr"))?;
        Ok(vec![work.real_of(value)])
    }),
    ..ELEMENTWISE
};

/// A condition over `u1`, `u2` and so on.
pub(super) fn condition(work: &mut Work, block: &Instance, text: &str) -> Outcome<Expr> {
    let value = Formula { work, block, numbered: true }.value(text)?;
    Ok(work.truth_of(value))
}

/// The functions of `Fcn`, whose names no variable has.
#[rustfmt::skip]
const FUNCTIONS: [&str; 27] = [
    "abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "exp", "fabs", "floor", "hypot", "ln", "log",
    "log10", "max", "min", "mod", "pow", "power", "rem", "sgn", "sin", "sinh", "sqrt",
    "tan", "tanh",
];

/// The variables in the expressions of a block, as texts to be evaluated (`k`, `p.gain`), and whether each must have a value: what is
/// called may be a function.
pub(crate) fn variables(unit: &Unit) -> BTreeMap<String, bool> {
    let (texts, is_numbered) = match unit.kind {
        BlockKind::Fcn => (vec![unit.word("Expr")], false),
        BlockKind::If => {
            let all =
                std::iter::once(unit.word("IfExpression")).chain(clauses(unit.word("ElseIfExpressions")));
            (all.collect(), true)
        }
        _ => return BTreeMap::new(),
    };
    let is_number = |it: &str| it.parse::<usize>().is_ok();
    let is_input = |it: &str| it == "u" || is_numbered && it.strip_prefix('u').is_some_and(is_number);
    let is_known = |it: &str| is_input(it) || ["true", "false", "pi"].contains(&it);
    let mut open: Vec<Expression> = texts.into_iter().filter_map(|it| parsed(it).ok()).collect();
    let mut found = BTreeMap::new();
    while let Some(Expression { kind, .. }) = open.pop() {
        match kind {
            Kind::Name(name) if !is_known(&name) => drop(found.insert(name, true)),
            Kind::Unary(_, operand) => open.push(*operand),
            Kind::Binary(_, left, right) => open.extend([*left, *right]),
            Kind::At(inner, index) => match (inner.name(), index) {
                (Some(name), Index::Call(arguments)) => {
                    if !is_known(name) && !FUNCTIONS.contains(&name) {
                        found.entry(name.to_owned()).or_insert(false);
                    }
                    open.extend(arguments);
                }
                (Some(name), Index::Field(field)) => drop(found.insert(format!("{name}.{field}"), true)),
                _ => {}
            },
            _ => {}
        }
    }
    found
}

/// An expression of a block.
fn parsed(text: &str) -> Outcome<Expression> {
    // An index may be in brackets, as in C.
    let plain = |letter: char| match letter {
        '[' => '(',
        ']' => ')',
        '\n' => ' ',
        other => other,
    };
    let wrong = |error| Fault::new(format!("its expression `{text}` is not understood: {error}"));
    matlab::expression(&text.chars().map(plain).collect::<String>()).map_err(wrong)
}

/// What names mean in an expression.
pub(super) trait Names<'p> {
    /// What is being made.
    fn work(&mut self) -> &mut Work<'p>;
    /// The value of a name.
    fn name(&mut self, name: &str) -> Outcome<Expr>;
    /// The value of a call or an index; none if it is a function that every expression has.
    fn call(&mut self, name: &str, arguments: &[Expression]) -> Option<Outcome<Expr>>;
    /// Whether an operator that combines Booleans is one on bits for other operands.
    fn has_bits(&self, _: char) -> bool {
        false
    }
    /// The result of an operation on numbers, in the type that the operands give it.
    fn typed(&mut self, _: &[Expr], result: Expr) -> Expr {
        result
    }
    /// How quotients of integers are rounded; none if they are not.
    fn quotient(&self) -> Option<&'static str> {
        None
    }
}

/// The value of an expression.
pub(super) fn lower(names: &mut dyn Names<'_>, expression: &Expression) -> Outcome<Expr> {
    let unsupported = |what: &str| Err(Fault::new(format!("its expression has {what}")));
    match &expression.kind {
        Kind::Number(number) => names.work().real(*number),
        Kind::Name(name) => names.name(name),
        Kind::Unary(operator, operand) => {
            let a = lower(names, operand)?;
            let is_bits = names.has_bits('~');
            let work = names.work();
            match operator {
                Unary::Plus => Ok(a),
                Unary::Minus => {
                    let whole = work.whole_of(a);
                    let negative = work.pool().neg(whole);
                    Ok(names.typed(&[a], negative))
                }
                Unary::Not if is_bits && work.pool().type_of(a) != Type::Bool => {
                    Err(Fault::hint("the operator `~` on bits is not supported", "use `!`"))
                }
                Unary::Not => {
                    let a = work.truth_of(a);
                    Ok(work.pool().not(a))
                }
                Unary::Transpose | Unary::Adjoint => unsupported("a transposition"),
            }
        }
        Kind::Binary(operator, left, right) => {
            let (a, b) = (lower(names, left)?, lower(names, right)?);
            let sign = match operator {
                Binary::And => Some('&'),
                Binary::Or => Some('|'),
                Binary::Power => Some('^'),
                _ => None,
            };
            let is_bool = [a, b].iter().all(|it| names.work().pool().type_of(*it) == Type::Bool);
            if let Some(sign) = sign.filter(|it| !is_bool && names.has_bits(*it)) {
                let hint = "use comparisons with `&&` and `||`, or blocks";
                return Err(Fault::hint(format!("the operator `{sign}` on bits is not supported"), hint));
            }
            let rounding = names.quotient().filter(|_| matches!(operator, Binary::Over | Binary::EachOver));
            let value = binary(names.work(), *operator, a, b)?;
            let value = match rounding {
                Some(rounding) if are_whole(names.work(), a, b) => names.work().round(rounding, value),
                _ => value,
            };
            Ok(if operator.is_of_truth() { value } else { names.typed(&[a, b], value) })
        }
        Kind::At(inner, Index::Call(arguments)) => match &inner.kind {
            Kind::Name(name) => call(names, name, arguments),
            _ => unsupported("an index of something that is not an input"),
        },
        Kind::At(inner, Index::Field(field)) if inner.name().is_some() => {
            let name = format!("{}.{field}", inner.name().unwrap_or_default());
            names
                .name(&name)
                .map_err(|_| Fault::new(format!("its expression has a field or a literal `{name}`")))
        }
        Kind::At(..) => unsupported("a field or a cell"),
        Kind::Function(..) => unsupported("a function handle"),
        Kind::Imaginary(_) => unsupported("a complex number"),
        Kind::Text(_) => unsupported("a text"),
        Kind::Matrix(_) | Kind::Cell(_) | Kind::Range(..) | Kind::Colon | Kind::End => {
            unsupported("a list where one number is wanted")
        }
    }
}

fn call(names: &mut dyn Names<'_>, name: &str, arguments: &[Expression]) -> Outcome<Expr> {
    if let Some(value) = names.call(name, arguments) {
        return value;
    }
    let values = arguments.iter().map(|it| lower(names, it)).collect::<Outcome<Vec<Expr>>>()?;
    match values[..] {
        [a] => of_one(names.work(), name, a),
        [a, b] => of_two(names.work(), name, a, b),
        _ => Err(Fault::new(format!("the function `{name}` does not take {} arguments", values.len()))),
    }
}

/// Whether two numbers are integers, of which one may be a constant of any type.
fn are_whole(work: &mut Work, a: Expr, b: Expr) -> bool {
    let pool = work.pool();
    let is_integer = |it: Expr| matches!(pool.type_of(it), Type::Machine(_) | Type::Int);
    let is_whole =
        |it: Expr| is_integer(it) || matches!(pool.node(it), Node::Real(number) if number.is_int());
    (is_integer(a) || is_integer(b)) && is_whole(a) && is_whole(b)
}

/// An expression over the inputs of a block.
struct Formula<'f, 'a, 'p> {
    work: &'f mut Work<'p>,
    block: &'f Instance<'a>,
    /// Whether `u2` is the second input, as in `If`; otherwise there is one vector `u`.
    numbered: bool,
}

impl Formula<'_, '_, '_> {
    fn value(&mut self, text: &str) -> Outcome<Expr> {
        lower(self, &parsed(text)?)
    }

    fn input(&self, name: &str) -> Option<&Signal> {
        let number: Option<usize> = name.strip_prefix('u').and_then(|it| it.parse().ok());
        match (name, number) {
            ("u", _) => self.block.signals.first(),
            (_, Some(number)) if self.numbered => self.block.signals.get(number.wrapping_sub(1)),
            _ => None,
        }
    }
}

impl<'p> Names<'p> for Formula<'_, '_, 'p> {
    fn work(&mut self) -> &mut Work<'p> {
        self.work
    }

    fn name(&mut self, name: &str) -> Outcome<Expr> {
        if let Some(input) = self.input(name) {
            return element(input, name, 1);
        }
        match (name, self.block.entries(name)) {
            (_, [number]) => self.work.real(*number),
            ("pi", _) => self.work.real(std::f64::consts::PI),
            ("true", _) => Ok(Pool::TRUE),
            ("false", _) => Ok(Pool::FALSE),
            (_, [_, ..]) => {
                let message = format!("`{name}` in its expression has more than one number");
                Err(Fault::hint(message, "use one of its elements, such as `A(1,2)`"))
            }
            _ => Err(Fault::new(format!("unknown name `{name}` in its expression"))),
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expression]) -> Option<Outcome<Expr>> {
        let place = |it: &Expression| match it.kind {
            Kind::Number(number) if number >= 1.0 => Some(number as usize),
            _ => None,
        };
        let places: Option<Vec<usize>> = arguments.iter().map(place).collect();
        let wrong = || Fault::new("an index in its expression is not a number");
        if let Some(input) = self.input(name) {
            return Some(match places.as_deref() {
                Some(&[place]) => element(input, name, place),
                _ => Err(wrong()),
            });
        }
        let matrix = self.block.matrix(name)?;
        let place = match places.as_deref() {
            Some(&[place]) => place - 1,
            Some(&[row, column]) if row <= matrix.rows() => row - 1 + (column - 1) * matrix.rows(),
            Some(&[_, _]) => usize::MAX,
            _ => return Some(Err(wrong())),
        };
        let missing = || Fault::new(format!("`{name}` in its expression has no such element"));
        let number = matrix.entries.get(place).copied().ok_or_else(missing);
        Some(number.and_then(|it| self.work.real(it)))
    }
}

/// An element of an input, from 1.
fn element(input: &Signal, name: &str, place: usize) -> Outcome<Expr> {
    let found = input.scalars.get(place.wrapping_sub(1)).copied();
    found.ok_or_else(|| Fault::new(format!("its input `{name}` has no element {place}")))
}

pub(super) fn binary(work: &mut Work, operator: Binary, a: Expr, b: Expr) -> Outcome<Expr> {
    Ok(match operator {
        Binary::Or => {
            let both = [work.truth_of(a), work.truth_of(b)];
            work.pool().or(both)
        }
        Binary::And => {
            let both = [work.truth_of(a), work.truth_of(b)];
            work.pool().and(both)
        }
        Binary::Less => relation(work, "<", a, b)?,
        Binary::LessEqual => relation(work, "<=", a, b)?,
        Binary::Greater => relation(work, ">", a, b)?,
        Binary::GreaterEqual => relation(work, ">=", a, b)?,
        Binary::Equal => relation(work, "==", a, b)?,
        Binary::NotEqual => relation(work, "~=", a, b)?,
        Binary::Add | Binary::Subtract | Binary::Times | Binary::EachTimes => {
            let [a, b] = work.common([a, b]);
            match operator {
                Binary::Add => work.pool().add(a, b),
                Binary::Subtract => work.pool().sub(a, b),
                _ => work.pool().mul(a, b),
            }
        }
        Binary::Over | Binary::EachOver => {
            let (a, b) = (work.real_of(a), work.real_of(b));
            work.pool().div(a, b)
        }
        Binary::Power | Binary::EachPower => {
            let (a, b) = (work.real_of(a), work.real_of(b));
            power(work, a, b)
        }
        Binary::Under | Binary::EachUnder => return Err(Fault::new("its expression divides from the left")),
    })
}
