//! The predefined functions and predicates.

use logic::{Fun, Sort};

/// The meaning of a function name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// A temporal predicate over a range of points: bounds, then a Boolean.
    Stretch(Stretch),
    /// `prevOcc(p, q)`
    PreviousOccurrence,
    /// `nextOcc(p, q)`
    NextOccurrence,
    /// `preBool(i, p)`
    PreviousTruth,
    /// `preInt(i, x)`, `preReal(i, x)`, or `pre(i, x)` as formulas print it
    PreviousValue,
    /// `ite(p, q, r)`
    IfThenElse,
    /// A function of numbers.
    Arithmetic(Fun),
    /// An uninterpreted function.
    Free,
}

/// The predicates over a range of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stretch {
    Persisted,
    Occurred,
    Persists,
    Occurs,
}

const TEMPORAL: &[(&str, Function)] = &[
    ("persisted", Function::Stretch(Stretch::Persisted)),
    ("occurred", Function::Stretch(Stretch::Occurred)),
    ("persists", Function::Stretch(Stretch::Persists)),
    ("occurs", Function::Stretch(Stretch::Occurs)),
    ("prevOcc", Function::PreviousOccurrence),
    ("nextOcc", Function::NextOccurrence),
    ("preBool", Function::PreviousTruth),
    ("pre", Function::PreviousValue),
    ("preInt", Function::PreviousValue),
    ("preReal", Function::PreviousValue),
    ("ite", Function::IfThenElse),
];

/// Whether this name is predefined for this number of arguments.
pub fn is_predefined(name: &str, arguments: usize) -> bool {
    Function::of(name, arguments) != Function::Free
}

/// Which steps a call depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// The previous step.
    Previous,
    /// A range of steps, which ends with the scope.
    Stretch,
    /// Only the current step.
    Now,
}

/// Which steps a call of this name, with this number of arguments, depends on.
pub(crate) fn kind_of_call(name: &str, arguments: usize) -> CallKind {
    match Function::of(name, arguments) {
        Function::PreviousTruth | Function::PreviousValue => CallKind::Previous,
        Function::Stretch(_) | Function::PreviousOccurrence | Function::NextOccurrence => CallKind::Stretch,
        Function::IfThenElse | Function::Arithmetic(_) | Function::Free => CallKind::Now,
    }
}

impl Function {
    /// The meaning of a name called with this number of arguments. Predefined names are case-insensitive, so that a typo in the case
    /// does not turn a predicate into an unknown function; `min` and `max` of one argument are free.
    pub(super) fn of(name: &str, arguments: usize) -> Function {
        if let Some(&(_, function)) = TEMPORAL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            return function;
        }
        match name {
            "absReal" | "absInt" => Function::Arithmetic(Fun::Abs),
            "abs" if arguments == 1 => Function::Arithmetic(Fun::Abs),
            "minReal" | "minInt" => Function::Arithmetic(Fun::Min),
            "min" if arguments > 1 => Function::Arithmetic(Fun::Min),
            "maxReal" | "maxInt" => Function::Arithmetic(Fun::Max),
            "max" if arguments > 1 => Function::Arithmetic(Fun::Max),
            _ => Function::Free,
        }
    }

    /// The least sort of the numbers of a function with this name: `absReal` is about real numbers.
    pub(super) fn number(name: &str) -> Sort {
        let tail = name.len().checked_sub("Real".len()).and_then(|at| name.get(at..));
        if tail.is_some_and(|tail| tail.eq_ignore_ascii_case("Real")) { Sort::Real } else { Sort::Int }
    }

    /// The minimum and maximum number of arguments.
    pub(super) fn arity(self) -> (usize, usize) {
        match self {
            Function::Stretch(_) => (2, 3),
            Function::PreviousOccurrence
            | Function::NextOccurrence
            | Function::PreviousTruth
            | Function::PreviousValue => (2, 2),
            Function::IfThenElse => (3, 3),
            Function::Arithmetic(Fun::Abs) => (1, 1),
            Function::Arithmetic(Fun::Min | Fun::Max) => (2, usize::MAX),
            Function::Free => (0, usize::MAX),
        }
    }
}
