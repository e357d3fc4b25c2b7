//! What a variable is compared with or assigned: constants, variables, and sums of products with numbers.

use super::names::{Meaning, Names};
use super::{Diagnostics, Reader};
use crate::frames::{Operand as Written, Term};
use crate::system::{Kind, Moment, Operand, Sort};
use logic::{RBig, Value};
use syntax::Code;
use syntax::sysreq::Arithmetic;

/// What is known of all variables.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    pub(super) names: &'s Names,
    pub(super) sorts: &'s [Sort],
}

/// A linear sum: factors of variables, and a constant.
#[derive(Default)]
struct Sum {
    terms: Vec<(RBig, usize)>,
    constant: RBig,
}

impl Scope<'_> {
    /// A value for a variable of this sort. Nothing if something is wrong with it.
    pub(super) fn operand(
        self,
        reader: &Reader,
        variable: usize,
        term: &Term,
        out: &mut Diagnostics,
    ) -> Option<Operand> {
        if let [(_, single)] = &term.operands[..] {
            return match self.names.meaning(single) {
                Meaning::Not(_) if matches!(self.sorts[variable], Sort::Names(_)) => {
                    let span = reader.sentence.place(&single.role.span);
                    let message = format!("`{}` may be several values", single.role.text);
                    out.report(Code::NotConstant, span, message, "say which one it is");
                    None
                }
                Meaning::Variable(_) => Some(self.linear(reader, term, out)?.into_operand()),
                meaning => Some(Operand::Constant(constant(&self.sorts[variable], &meaning)?)),
            };
        }
        Some(self.linear(reader, term, out)?.into_operand())
    }

    /// The variable plus the factor times a value.
    pub(super) fn step(
        self,
        reader: &Reader,
        variable: usize,
        factor: i32,
        term: &Term,
        out: &mut Diagnostics,
    ) -> Option<Operand> {
        let mut sum = Sum { terms: vec![(RBig::ONE, variable)], constant: RBig::ZERO };
        let Sum { terms, constant } = self.linear(reader, term, out)?;
        let factor = RBig::from(factor);
        for (times, other) in terms {
            sum.add(times * &factor, other);
        }
        sum.constant = constant * factor;
        Some(sum.into_operand())
    }

    fn linear(self, reader: &Reader, term: &Term, out: &mut Diagnostics) -> Option<Sum> {
        let mut sum = Sum::default();
        let mut rest = &term.operands[..];
        while let [(joint, _), tail @ ..] = rest {
            let count = 1 + tail.iter().take_while(|(joint, _)| *joint == Arithmetic::Times).count();
            let sign = if *joint == Arithmetic::Minus { RBig::from(-1) } else { RBig::ONE };
            let (factor, variable) = self.product(reader, sign, &rest[..count], out)?;
            match variable {
                Some(variable) => sum.add(factor, variable),
                None => sum.constant += factor,
            }
            rest = &rest[count..];
        }
        Some(sum)
    }

    fn product(
        self,
        reader: &Reader,
        sign: RBig,
        factors: &[(Arithmetic, Written)],
        out: &mut Diagnostics,
    ) -> Option<(RBig, Option<usize>)> {
        let mut product = sign;
        let mut variable = None;
        for (_, factor) in factors {
            let span = reader.sentence.place(&factor.role.span);
            match self.names.meaning(factor) {
                Meaning::Number(value, _) => product *= value,
                Meaning::Variable(at) if self.names.list[at].kind == Kind::Timer => {
                    let message = format!("the timer `{}` is used where a value is needed", factor.role.text);
                    let hint = "a timer is compared with a number: `the request timer is greater than 30`";
                    out.report(Code::TimerValue, span, message, hint);
                    return None;
                }
                Meaning::Variable(at) if variable.is_none() => variable = Some(at),
                Meaning::Variable(_) => {
                    let message = format!("`{}` is a second variable in one product", factor.role.text);
                    out.report(Code::NotLinear, span, message, "multiply a variable by numbers only");
                    return None;
                }
                // Reported with the sorts.
                Meaning::Truth(_) | Meaning::Name(_) | Meaning::Not(_) => return None,
            }
        }
        Some((product, variable))
    }
}

impl Sum {
    fn add(&mut self, factor: RBig, variable: usize) {
        match self.terms.iter_mut().find(|(_, other)| *other == variable) {
            Some((sum, _)) => *sum += factor,
            None => self.terms.push((factor, variable)),
        }
    }

    fn into_operand(mut self) -> Operand {
        self.terms.retain(|(factor, _)| *factor != RBig::ZERO);
        match &self.terms[..] {
            [] => Operand::Constant(Value::Num(self.constant)),
            [(factor, variable)] if *factor == RBig::ONE && self.constant == RBig::ZERO => {
                Operand::Variable(Moment::Now, *variable)
            }
            _ => {
                let terms = self.terms.into_iter().map(|(factor, at)| (factor, Moment::Now, at)).collect();
                Operand::Sum(terms, self.constant)
            }
        }
    }
}

/// A constant of a sort; nothing if it is of another sort, which is reported with the sorts.
pub(super) fn constant(sort: &Sort, meaning: &Meaning) -> Option<Value> {
    match (sort, meaning) {
        (Sort::Bool { word: None }, Meaning::Truth(truth)) => Some(Value::Bool(*truth)),
        (Sort::Bool { word: Some(_) }, Meaning::Name(_)) => Some(Value::Bool(true)),
        (Sort::Bool { word: Some(_) }, Meaning::Not(_)) => Some(Value::Bool(false)),
        (Sort::Names(_), Meaning::Name(words)) => Some(Value::Name((*words).to_string())),
        (Sort::Int | Sort::Real, Meaning::Number(value, _)) => Some(Value::Num((*value).clone())),
        _ => None,
    }
}
