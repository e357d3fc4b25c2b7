//! Expressions inside blocks: those of `Fcn` and the conditions of `If`, parsed as MATLAB expressions and lowered.
//!
//! They have numbers, inputs (`u`, `u(2)`, `u[2]`, `u2`), parameters, functions of one or two numbers, and operators. Booleans count
//! as 1 and 0 where numbers are wanted. The parser limits the nesting, so lowering may recurse.

use super::functions::{of_one, of_two, power};
use super::logic::relation;
use super::{Definition, ELEMENTWISE, Instance, Lowering};
use crate::lower::{Signal, Work};
use crate::matlab::{self, Binary, Expression, Index, Kind, Unary};
use crate::plan::{Fault, Outcome};
use system::{Expr, Pool};

pub(super) const FCN: Definition = Definition {
    shapes: |case| case.one(case.floating(), Some(vec![1])),
    lowering: Lowering::One(|work, block| {
        let value = Formula { block, numbered: false }.value(work, block.word("Expr"))?;
        Ok(vec![work.real_of(value)])
    }),
    ..ELEMENTWISE
};

/// A condition over `u1`, `u2` and so on.
pub(super) fn condition(work: &mut Work, block: &Instance, text: &str) -> Outcome<Expr> {
    let value = Formula { block, numbered: true }.value(work, text)?;
    Ok(work.truth_of(value))
}

/// What names mean in an expression.
struct Formula<'a> {
    block: &'a Instance<'a>,
    /// Whether `u2` is the second input, as in `If`; otherwise there is one vector `u`.
    numbered: bool,
}

impl Formula<'_> {
    fn value(&self, work: &mut Work, text: &str) -> Outcome<Expr> {
        // An index may be in brackets, as in C.
        let plain = |letter: char| match letter {
            '[' => '(',
            ']' => ')',
            '\n' => ' ',
            other => other,
        };
        let parsed = matlab::expression(&text.chars().map(plain).collect::<String>());
        let wrong = |error| Fault::new(format!("its expression `{text}` is not understood: {error}"));
        self.lower(work, &parsed.map_err(wrong)?)
    }

    fn lower(&self, work: &mut Work, expression: &Expression) -> Outcome<Expr> {
        let unsupported = |what: &str| Err(Fault::new(format!("its expression has {what}")));
        match &expression.kind {
            Kind::Number(number) => work.real(*number),
            Kind::Name(name) => self.name(work, name),
            Kind::Unary(operator, operand) => {
                let a = self.lower(work, operand)?;
                match operator {
                    Unary::Plus => Ok(a),
                    Unary::Minus => {
                        let a = work.whole_of(a);
                        Ok(work.pool().neg(a))
                    }
                    Unary::Not => {
                        let a = work.truth_of(a);
                        Ok(work.pool().not(a))
                    }
                    Unary::Transpose => unsupported("a transposition"),
                }
            }
            Kind::Binary(operator, left, right) => {
                let (a, b) = (self.lower(work, left)?, self.lower(work, right)?);
                binary(work, *operator, a, b)
            }
            Kind::At(inner, Index::Call(arguments)) => match &inner.kind {
                Kind::Name(name) => self.call(work, name, arguments),
                _ => unsupported("an index of something that is not an input"),
            },
            Kind::At(..) => unsupported("a field or a cell"),
            Kind::Text(_) => unsupported("a text"),
            Kind::Matrix(_) | Kind::Cell(_) | Kind::Range(..) | Kind::Colon | Kind::End => {
                unsupported("a list where one number is wanted")
            }
        }
    }

    fn input(&self, name: &str) -> Option<&Signal> {
        let number: Option<usize> = name.strip_prefix('u').and_then(|it| it.parse().ok());
        match (name, number) {
            ("u", _) => self.block.signals.first(),
            (_, Some(number)) if self.numbered => self.block.signals.get(number.wrapping_sub(1)),
            _ => None,
        }
    }

    fn name(&self, work: &mut Work, name: &str) -> Outcome<Expr> {
        if let Some(input) = self.input(name) {
            return element(input, name, 1);
        }
        match (name, self.block.entries(name)) {
            (_, [number]) => work.real(*number),
            ("pi", _) => work.real(std::f64::consts::PI),
            ("true", _) => Ok(Pool::TRUE),
            ("false", _) => Ok(Pool::FALSE),
            _ => Err(Fault::new(format!("unknown name `{name}` in its expression"))),
        }
    }

    fn call(&self, work: &mut Work, name: &str, arguments: &[Expression]) -> Outcome<Expr> {
        if let Some(input) = self.input(name) {
            return match arguments {
                [Expression { kind: Kind::Number(place), .. }] => element(input, name, *place as usize),
                _ => Err(Fault::new("an index in its expression is not a number")),
            };
        }
        let arguments = arguments.iter().map(|it| self.lower(work, it)).collect::<Outcome<Vec<Expr>>>()?;
        match arguments[..] {
            [a] => of_one(work, name, a),
            [a, b] => of_two(work, name, a, b),
            _ => {
                Err(Fault::new(format!("the function `{name}` does not take {} arguments", arguments.len())))
            }
        }
    }
}

/// An element of an input, from 1.
fn element(input: &Signal, name: &str, place: usize) -> Outcome<Expr> {
    let found = input.scalars.get(place.wrapping_sub(1)).copied();
    found.ok_or_else(|| Fault::new(format!("its input `{name}` has no element {place}")))
}

fn binary(work: &mut Work, operator: Binary, a: Expr, b: Expr) -> Outcome<Expr> {
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
