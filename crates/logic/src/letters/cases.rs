//! Cases: a Boolean as a disjunction of conjunctions of bounds, and a number as linear forms under conditions.
//!
//! Absolute values, minimum and maximum, choice and comparisons inside values are split into cases here. The number of cases is
//! limited to [`MAX_CASES`]; `None` below means that there are more.

use crate::linear::{Linear, Literal};

/// The maximum number of cases.
const MAX_CASES: usize = 64;

/// Bounds that hold together.
pub(super) type Case = Vec<Literal>;

/// When something is true, and when it is false: at least one of the cases holds.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    pub(super) yes: Vec<Case>,
    pub(super) no: Vec<Case>,
}

/// A number: the form of some case that holds. In every state there is one.
pub(super) type Number = Vec<(Case, Linear)>;

impl Truth {
    pub(super) fn constant(value: bool) -> Truth {
        let (always, never) = (vec![Vec::new()], Vec::new());
        if value { Truth { yes: always, no: never } } else { Truth { yes: never, no: always } }
    }

    /// The cases for one Boolean value.
    pub(super) fn when(&self, truth: bool) -> &[Case] {
        if truth { &self.yes } else { &self.no }
    }

    pub(super) fn not(self) -> Truth {
        Truth { yes: self.no, no: self.yes }
    }

    pub(super) fn and(&self, other: &Truth) -> Option<Truth> {
        Some(Truth { yes: both(&self.yes, &other.yes)?, no: either(&self.no, &other.no)? })
    }

    pub(super) fn or(&self, other: &Truth) -> Option<Truth> {
        Some(Truth { yes: either(&self.yes, &other.yes)?, no: both(&self.no, &other.no)? })
    }

    pub(super) fn iff(&self, other: &Truth) -> Option<Truth> {
        let yes = either(&both(&self.yes, &other.yes)?, &both(&self.no, &other.no)?)?;
        let no = either(&both(&self.yes, &other.no)?, &both(&self.no, &other.yes)?)?;
        Some(Truth { yes, no })
    }

    /// `a` if this holds, otherwise `b`.
    pub(super) fn choose(&self, a: &Truth, b: &Truth) -> Option<Truth> {
        let yes = either(&both(&self.yes, &a.yes)?, &both(&self.no, &b.yes)?)?;
        let no = either(&both(&self.yes, &a.no)?, &both(&self.no, &b.no)?)?;
        Some(Truth { yes, no })
    }

    /// The number `a` if this holds, otherwise `b`.
    pub(super) fn choose_number(&self, a: &Number, b: &Number) -> Option<Number> {
        let under = |conditions: &[Case], number: &Number| -> Number {
            let each = |condition: &Case| {
                number.iter().map(|(case, form)| (joined(condition, case), form.clone())).collect()
            };
            conditions.iter().flat_map(|condition| -> Number { each(condition) }).collect()
        };
        let cases = self.yes.len() * a.len() + self.no.len() * b.len();
        (cases <= MAX_CASES).then(|| under(&self.yes, a).into_iter().chain(under(&self.no, b)).collect())
    }
}

/// Applies an operation to each pair of cases of two numbers. The operation returns the possible forms of the result, each with its
/// own conditions.
pub(super) fn combine(
    a: &Number,
    b: &Number,
    mut operation: impl FnMut(&Linear, &Linear) -> Option<Number>,
) -> Option<Number> {
    let mut result = Number::new();
    for (first, x) in a {
        for (second, y) in b {
            let condition = joined(first, second);
            result.extend(operation(x, y)?.into_iter().map(|(case, form)| (joined(&condition, &case), form)));
            if result.len() > MAX_CASES {
                return None;
            }
        }
    }
    Some(result)
}

/// The truth of a statement about each pair of cases of two numbers.
pub(super) fn relate(
    a: &Number,
    b: &Number,
    mut statement: impl FnMut(&Linear, &Linear) -> Truth,
) -> Option<Truth> {
    let mut result = Truth { yes: Vec::new(), no: Vec::new() };
    for (first, x) in a {
        for (second, y) in b {
            let condition = [joined(first, second)];
            let truth = statement(x, y);
            result.yes = either(&result.yes, &both(&condition, &truth.yes)?)?;
            result.no = either(&result.no, &both(&condition, &truth.no)?)?;
        }
    }
    Some(result)
}

fn either(a: &[Case], b: &[Case]) -> Option<Vec<Case>> {
    (a.len() + b.len() <= MAX_CASES).then(|| [a, b].concat())
}

fn both(a: &[Case], b: &[Case]) -> Option<Vec<Case>> {
    let pairs = || a.iter().flat_map(|x| b.iter().map(move |y| joined(x, y))).collect();
    (a.len() * b.len() <= MAX_CASES).then(pairs)
}

fn joined(a: &Case, b: &Case) -> Case {
    [a.as_slice(), b.as_slice()].concat()
}
