//! What is wrong, where, and what to do about it: the one type every layer reports in.
//!
//! A code is stable: it keeps its meaning for ever and is never used again for another one.

use crate::Span;

/// How grave a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The sentence has no meaning until this is mended.
    Error,
    /// The sentence has a meaning, perhaps not the intended one.
    Warning,
}

impl Severity {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A finding about a span of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which finding it is.
    pub code: Code,
    /// Where.
    pub span: Span,
    /// What, in one sentence that names the user's own words.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Diagnostic {
    /// How grave it is; the code decides.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

macro_rules! codes {
    ($($variant:ident $id:literal $summary:literal,)*) => {
        /// The stable code of a diagnostic: `E…` for errors, `W…` for warnings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $(#[doc = $summary] $variant,)* }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The code as it is printed.
            pub fn id(self) -> &'static str {
                match self { $(Code::$variant => $id,)* }
            }

            /// What the code stands for.
            pub fn summary(self) -> &'static str {
                match self { $(Code::$variant => $summary,)* }
            }
        }
    };
}

codes! {
    Empty "E0100" "There is no sentence or formula.",
    MissingShall "E0101" "A requirement needs the word `shall`.",
    MissingSatisfy "E0102" "The response is introduced by `satisfy`.",
    MissingComponent "E0103" "A requirement names the component that it constrains.",
    ExpectedExpression "E0104" "An expression is missing.",
    ComponentWords "E0105" "A component is one name.",
    ShallNot "E0106" "`shall not` is refused, because it does not say when.",
    Misplaced "E0107" "A field stands in the wrong place.",
    Repeated "E0108" "A field is given twice.",
    Unexpected "E0109" "A word or sign that does not fit here.",
    UnknownCharacter "E0110" "A character that belongs to no name, number or operator.",
    UnclosedParen "E0111" "A parenthesis is never closed.",
    UnmatchedParen "E0112" "A closing parenthesis without an opening one.",
    ChainedComparison "E0113" "Comparisons cannot be chained.",
    MissingUnit "E0114" "A duration needs a unit.",
    UnknownUnit "E0115" "Not a unit of time.",
    BadDuration "E0116" "A duration is a number or a named constant.",
    OnlyNeedsScope "E0117" "`only` qualifies a scope, not a condition.",
    MissingThen "E0118" "`if p then q` needs its `then`.",
    UnclosedQuote "E0119" "A quotation mark is never closed.",
    TooLong "E0120" "The text is longer than the limit.",
    TooDeep "E0121" "The expression is nested deeper than the limit.",
    BadBound "E0122" "Not the bound of a temporal operator.",
    TooManyErrors "E0123" "Further errors are not listed.",
    NotUtf8 "E0124" "The text is not UTF-8.",
    TypeMismatch "E0201" "A value of one type stands where another is needed.",
    WrongArguments "E0202" "A predicate has the wrong number of arguments.",
    BadPredicateBound "E0203" "The bound of a temporal predicate is not a whole number of steps.",
    UnknownConstant "E0204" "A named constant has no value.",
    FractionalSteps "E0205" "A duration is no whole number of steps.",
    MixedUnits "E0206" "Different units need a step.",
    TooLarge "E0207" "A number is beyond the limit.",
    UnitsAsSteps "W0101" "One unit of time is read as one step.",
    ProbabilityLeftOut "W0102" "The formulas do not express the probability.",
    IsAppliesToAll "W0103" "`is true` or `is false` applies to the whole expression.",
    NoPastFormula "W0104" "The requirement has no past-time formula.",
    NoFutureFormula "W0105" "The requirement has no future-time formula.",
    Freeform "W0106" "A text in quotes is kept, but has no formal meaning.",
    NoTiming "W0201" "Without a timing, `satisfy` means eventually.",
    NeverViolated "W0202" "No trace violates the requirement.",
    NeverHolds "W0203" "Every trace violates the requirement.",
    IdleCondition "W0204" "The condition makes no difference.",
    StopIsResponse "W0205" "The stop of `until` or `before` is the response or its negation.",
    IdleDuration "W0206" "A longer duration would say the same.",
}

impl Code {
    /// How grave findings with this code are.
    pub fn severity(self) -> Severity {
        if self.id().starts_with('E') { Severity::Error } else { Severity::Warning }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_ordered() {
        let ids: Vec<_> = Code::ALL.iter().map(|code| code.id()).collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
        assert!(Code::ALL.iter().all(|code| code.summary().ends_with('.')));
    }
}
