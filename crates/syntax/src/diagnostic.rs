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
    MissingWhen "E0301" "A requirement begins with `when`, `if` or `while`.",
    Unconditional "E0302" "A requirement needs a condition.",
    MissingComma "E0303" "A comma is missing.",
    MissingAnd "E0304" "Conditions are joined by `, and` or by `or`.",
    CommaOr "E0305" "There is no comma before `or`.",
    MissingVerb "E0306" "A condition needs a verb.",
    MissingVariable "E0307" "A variable is missing.",
    MissingValue "E0308" "A value is missing.",
    BadComparative "E0309" "Not the words of a comparison.",
    UnknownVerb "E0310" "Not a verb of an action.",
    IncompleteAction "E0311" "An action lacks a part.",
    Ambiguous "E0312" "The sentence has two readings.",
    SortClash "E0401" "The values of one variable are of different sorts.",
    Unordered "E0402" "Names and truth values are compared by equality only.",
    TimerAssigned "E0403" "A timer can only be reset.",
    NotATimer "E0404" "Only a timer can be reset.",
    TimerPast "E0405" "A timer has no previous value.",
    TimerValue "E0406" "A timer is compared with a number.",
    AssignedTwice "E0407" "A requirement assigns one variable twice.",
    DuplicateId "E0408" "An id is given twice.",
    NotAnInput "E0409" "The environment decides only about inputs.",
    NotConstant "E0410" "An initial or assigned value is one constant.",
    InitialTwice "E0411" "An initial value is given twice.",
    TooManyCases "E0412" "The conditions have more cases than the limit.",
    BadDictionary "E0413" "Not a line of a dictionary.",
    NotLinear "E0414" "A product needs a number.",
    NoId "E0501" "A requirement needs an id.",
    SeveralSentences "E0502" "A requirement has one sentence.",
    BadKind "E0503" "Not a kind of variable.",
    BadType "E0504" "Not a type.",
    BadConfig "E0505" "The project file cannot be read.",
    UnknownKey "E0506" "Not a key of the project file.",
    BadSetting "E0507" "Not a value of this setting.",
    UnknownParent "E0510" "A parent is no requirement of the project.",
    ParentCycle "E0511" "A requirement is its own ancestor.",
    DeclaredTwice "E0512" "A variable is declared twice in one component.",
    UnknownValue "E0513" "A name is no value of the enumeration.",
    DisjointValues "E0514" "Two enumerations have no value in common.",
    UnitMismatch "E0515" "Quantities with different units are compared or added.",
    ModeNotBoolean "E0516" "A mode is Boolean.",
    CyclicDefinition "E0517" "A definition depends on itself.",
    SortsDiffer "E0518" "Two sentences give a variable different types.",
    UnknownSignal "E0519" "The model has no signal for a variable.",
    SignalType "E0520" "A variable and its signal are of different types.",
    UnknownMapped "E0521" "The project file says something about a component or variable that does not exist.",
    BadLustre "E0601" "Not the syntax of Lustre.",
    UnclosedComment "E0602" "A comment or a contract is never closed.",
    NotSupported "E0603" "A construct of Lustre that is not supported.",
    MissingFile "E0604" "An included file is not found.",
    UnknownName "E0605" "No such variable, constant or mode.",
    UnknownNode "E0606" "No such node, function or contract.",
    UnknownType "E0607" "No such type.",
    DefinedTwice "E0608" "A name is declared or defined twice.",
    WrongType "E0609" "A value has the wrong type.",
    WrongArity "E0610" "There are too many or too few values.",
    ConstantNeeded "E0611" "A constant is needed here.",
    AlgebraicLoop "E0612" "A value depends on itself at the same step.",
    RecursiveNode "E0613" "A node calls itself.",
    NotAssignable "E0614" "Only outputs and local variables are defined by equations.",
    FunctionMemory "E0615" "A function has no memory.",
    BadClock "E0616" "A value is not there when it is needed.",
    BadElement "E0617" "No such field, element or branch.",
    CircularDefinition "E0618" "A type or a constant is defined by itself.",
    TooManyParts "E0619" "The program is larger than the limit.",
    OutputAssumed "E0620" "An assumption is about an output at the same step.",
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
    DefaultInitial "W0301" "Initial values are not given.",
    WholeAsReal "W0302" "Whole numbers and others together are all read as reals.",
    NeverReset "W0303" "A timer is never reset.",
    FractionalBound "W0304" "A timer is compared with a number that is not whole.",
    UnknownPhrase "W0305" "A phrase is not in the dictionary.",
    NeverUsed "W0306" "No requirement uses a variable.",
    NeverAssigned "W0307" "No requirement assigns an output of the dictionary.",
    ArticleValue "W0308" "A phrase with an article is read as a value.",
    OneName "W0309" "An output has one name as its only value.",
    Undeclared "W0501" "A variable is not declared.",
    UnusedVariable "W0502" "No sentence uses a declared variable.",
    DecidedByRange "W0503" "The ranges of variables decide a comparison.",
    NoDefinition "W0504" "A constant has no definition.",
    UnreadableDefinition "W0505" "A definition cannot be read.",
    Unconstrained "W0506" "No response constrains an output.",
    NothingDecided "W0507" "The component decides nothing in the response.",
    ComponentSpelling "W0508" "A component is spelt almost like a declared one.",
    SignalDirection "W0509" "A variable and its signal go in different directions.",
    UnguardedPre "W0601" "`pre` has any value at the first step.",
    NoEquation "W0602" "A variable without definition has any value at each step.",
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
