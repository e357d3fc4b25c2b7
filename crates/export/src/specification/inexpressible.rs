//! Why something cannot be written for a target, as data. The words are chosen here and used where a file or a list
//! mentions what is left out.

use logic::{Fun, SHALL, Unsupported};
use requirement::Refusal;
use requirement::specification::NotLustre;
use std::fmt;

/// Why a requirement or a definition cannot be written for a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inexpressible {
    /// The requirement has no formula of the wanted kind.
    Formula(Refusal),
    /// The requirement has no formula at all.
    NoFormula,
    /// The notation lacks an operator.
    Operator(Unsupported),
    /// The text would be too long.
    TooLong,
    /// The formula remembers more single steps than are written.
    Delay {
        /// The number of steps.
        steps: u64,
        /// The largest number of steps.
        limit: u64,
    },
    /// The formula has a hole.
    Hole,

    /// The variable has no definition.
    NoDefinition,
    /// The definition is Lustre, and the target is not.
    LustreDefinition,
    /// The definition is not an expression.
    UnreadableDefinition,
    /// The definition depends on itself.
    CyclicDefinition,
    /// The definition is not Lustre.
    NotLustre(NotLustre),
    /// A word of the definition is not a variable.
    UnknownWord(String),

    /// The component has no such variable.
    UnknownVariable(String),
    /// The component has no such function.
    UnknownFunction(String),
    /// A function has no arguments.
    NoArguments,
    /// The function `abs` has several arguments.
    SeveralArguments,
    /// A function is used with arguments of different types.
    ArgumentTypes(String),
    /// It is unknown which enumeration has the value.
    UnknownEnumeration(String),
    /// The value does not belong to the enumeration.
    NotInEnumeration(String),
    /// Values of different types are used together.
    MixedTypes,
    /// An expression has a different type than it should.
    OtherType(String),
    /// An expression should be a Boolean.
    NotBoolean(String),
    /// An expression should be a number.
    NotNumber(String),
    /// Values without an order are compared.
    Unordered,
    /// The remainder of real numbers.
    RealRemainder,
    /// An exponent that is not an integer from 1 to 8.
    Exponent,

    /// The target has no integers as large as this one.
    Large(String),
    /// Arithmetic on integers can leave 64 bits.
    Overflow,
    /// A divisor is not a positive constant.
    Undefined,
    /// The target has no future operators.
    Future,
    /// The target has no operators over time in definitions.
    OtherSteps,
    /// The target has another `U` with a lower bound.
    LateUntil,
    /// The target has no `S` and `T` with bounds.
    BoundedSince,
    /// The target cannot convert integers to real numbers.
    Conversion,
    /// The target has no division.
    Division,
    /// The target divides by constants only.
    Divisor,
    /// The target rounds quotients of integers.
    Rounding,
    /// The target has no `mod`.
    Remainder,
    /// The target has a different `mod` for negative numbers.
    NegativeRemainder,
    /// The target has no choice between two values.
    Choice,
    /// The target has no previous value of a term.
    Previous,
    /// The target has no such predefined function.
    Predefined(Fun),
    /// The target has no functions, and this is one.
    Function(String),
    /// The target has no functions of enumerations, and this is one.
    EnumerationFunction(String),
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Inexpressible::*;
        f.write_str(match self {
            Formula(refusal) => return refusal.fmt(f),
            NoFormula => "it has neither a past nor a future formula",
            Operator(unsupported) => return unsupported.fmt(f),
            TooLong => "its text would be too long",
            Delay { steps, limit } => {
                return write!(f, "it remembers {steps} single steps; the limit is {limit}");
            }
            Hole => "a part of the formula is not filled in",
            NoDefinition => "it has no definition",
            LustreDefinition => "its definition is Lustre",
            UnreadableDefinition => "its definition cannot be read",
            CyclicDefinition => "its definition depends on itself",
            NotLustre(why) => return why.fmt(f),
            UnknownWord(word) => return write!(f, "`{word}` in its definition is not a variable"),
            UnknownVariable(name) => return write!(f, "`{name}` is not a variable of the component"),
            UnknownFunction(name) => return write!(f, "`{name}` is not a function of the component"),
            NoArguments => "a function has no arguments",
            SeveralArguments => "`abs` takes one argument",
            ArgumentTypes(name) => return write!(f, "`{name}` is used with arguments of different types"),
            UnknownEnumeration(value) => return write!(f, "the enumeration of `{value}` is unknown"),
            NotInEnumeration(value) => {
                return write!(f, "`{value}` is not among the values it is compared with");
            }
            MixedTypes => "values of different types are used together",
            OtherType(text) => return write!(f, "`{text}` has a different type"),
            NotBoolean(text) => return write!(f, "`{text}` is not a Boolean"),
            NotNumber(text) => return write!(f, "`{text}` is not a number"),
            Unordered => "values without an order are compared",
            RealRemainder => "`mod` is defined for integers only",
            Exponent => "only powers with an exponent from 1 to 8 can be written",
            Large(number) => return write!(f, "the target has no integers as large as {number}"),
            Overflow => "its arithmetic can leave 64 bits",
            Undefined => "it divides by something that is not a positive constant",
            Future => "the target has no future operators",
            OtherSteps => "its definition refers to other steps",
            LateUntil => "the target has a different `U` with a lower bound",
            BoundedSince => "the target has no `S` or `T` with bounds",
            Conversion => "the target cannot use integers and real numbers together",
            Division => "the target has no division",
            Divisor => "the target divides by constants only",
            Rounding => "the target rounds quotients of integers",
            Remainder => "the target has a different `mod`",
            NegativeRemainder => "the target has a different `mod` for negative numbers",
            Choice => "the target has no choice between two values",
            Previous => "the target has no previous value of a term",
            Predefined(fun) => {
                return write!(f, "the target has no function `{}`", SHALL.functions[*fun as usize]);
            }
            Function(name) => return write!(f, "the target has no functions, and `{name}` is one"),
            EnumerationFunction(name) => {
                return write!(f, "the target has no functions of enumerations, and `{name}` is one");
            }
        })
    }
}

impl std::error::Error for Inexpressible {}

impl From<Refusal> for Inexpressible {
    fn from(refusal: Refusal) -> Inexpressible {
        Inexpressible::Formula(refusal)
    }
}

impl From<Unsupported> for Inexpressible {
    fn from(unsupported: Unsupported) -> Inexpressible {
        Inexpressible::Operator(unsupported)
    }
}
