//! Variables with kinds and types, and the requirements of a component: the starting point of contracts, monitors and exports of a
//! whole project.

mod definition;

pub use definition::{Definition, Expression, NotAnExpression, NotLustre, Token, lustre};

use crate::Requirement;
use logic::{RBig, Sort, format_decimal, parse_decimal};
use std::fmt;

/// A component with its variables and requirements. All formulas are in one [`logic::Store`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// Its variables, each name once.
    pub variables: Vec<Variable>,
    /// Its requirements, in the order of the documents.
    pub items: Vec<Item>,
}

/// A requirement with its id and text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// Who must keep it.
    pub role: ContractRole,
    /// The sentence.
    pub text: String,
    /// The lowered sentence.
    pub requirement: Requirement,
}

/// What a requirement is in the contract of its component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum ContractRole {
    /// The component must keep it, as long as all assumptions have held.
    #[default]
    Guarantee,
    /// The environment keeps it.
    Assumption,
}

impl ContractRole {
    /// All roles.
    pub const ALL: [ContractRole; 2] = [ContractRole::Guarantee, ContractRole::Assumption];

    /// The name of the role.
    pub fn name(self) -> &'static str {
        match self {
            ContractRole::Guarantee => "guarantee",
            ContractRole::Assumption => "assumption",
        }
    }

    /// The role with this name, ignoring case.
    pub fn parse(text: &str) -> Option<ContractRole> {
        ContractRole::ALL.into_iter().find(|role| role.name().eq_ignore_ascii_case(text.trim()))
    }

    /// The role of a requirement that does not state one: FRET takes a requirement with `assumption` in its id as an assumption.
    pub fn of_id(id: &str) -> ContractRole {
        match id.to_ascii_lowercase().contains(ContractRole::Assumption.name()) {
            true => ContractRole::Assumption,
            false => ContractRole::Guarantee,
        }
    }
}

/// A variable of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name in sentences.
    pub name: String,
    /// What determines its value.
    pub kind: Kind,
    /// Its type.
    pub ty: Type,
    /// The unit of its values.
    pub unit: Option<String>,
    /// The expression that defines an internal variable, a constant or a mode, as written.
    pub definition: Option<String>,
    /// The words that sentences may write in its place, as written.
    pub phrase: Option<String>,
    /// Its description.
    pub description: String,
}

/// What determines the value of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The environment.
    Input,
    /// The component.
    Output,
    /// Its definition, or the component internally.
    Internal,
    /// Nothing: it is a named number or value.
    Constant,
    /// A Boolean that is true while a mode is active.
    Mode,
    /// A function of its arguments.
    Function,
}

/// The values of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// `bool`
    Bool,
    /// `int`, or `int 0..10`; either end may be omitted.
    Int(Range),
    /// `real`, or `real -1.5..1.5`; either end may be omitted.
    Real(Range),
    /// `enum(idle, ready)`
    Enum(Vec<String>),
}

/// The minimum and maximum, where known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Range {
    pub low: Option<RBig>,
    pub high: Option<RBig>,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Kind::Input, Kind::Output, Kind::Internal, Kind::Constant, Kind::Mode, Kind::Function];

    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Input => "input",
            Kind::Output => "output",
            Kind::Internal => "internal",
            Kind::Constant => "constant",
            Kind::Mode => "mode",
            Kind::Function => "function",
        }
    }

    /// The kind with this name, ignoring case.
    pub fn parse(text: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(text.trim()))
    }
}

impl Type {
    /// The sort in formulas.
    pub fn sort(&self) -> Sort {
        match self {
            Type::Bool => Sort::Bool,
            Type::Int(_) => Sort::Int,
            Type::Real(_) => Sort::Real,
            Type::Enum(_) => Sort::Enum,
        }
    }

    /// Parses the output of [`Display`](fmt::Display), and `boolean`, `integer`, `float`, `double`, `single`, and the machine
    /// integers `int8` to `uint64` as ranges.
    ///
    /// # Errors
    /// What is wrong, and what is expected.
    pub fn parse(text: &str) -> Result<Type, TypeError> {
        let text = text.trim();
        let word_end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (word, rest) = (text[..word_end].to_ascii_lowercase(), text[word_end..].trim());
        let plain = |ty: Type| match rest {
            "" => Ok(ty),
            _ => Err(TypeError::Rest { word: word.clone(), rest: rest.to_owned() }),
        };
        match word.as_str() {
            "bool" | "boolean" => plain(Type::Bool),
            "int" | "integer" => {
                let range = Range::parse(rest)?;
                let whole = |end: &Option<RBig>| end.as_ref().is_none_or(RBig::is_int);
                if !whole(&range.low) || !whole(&range.high) {
                    return Err(TypeError::NotWhole(rest.to_owned()));
                }
                Ok(Type::Int(range))
            }
            "real" | "float" | "double" | "single" => Ok(Type::Real(Range::parse(rest)?)),
            "enum" => Ok(Type::Enum(names(rest)?)),
            _ => match machine_integer(&word) {
                Some(range) => plain(Type::Int(range)),
                None => Err(TypeError::Unknown(text.to_owned())),
            },
        }
    }
}

/// Why a text is not a type; each variant contains the offending text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TypeError {
    Unknown(String),
    Rest { word: String, rest: String },
    NotARange(String),
    NotANumber(String),
    NotWhole(String),
    EmptyRange(String),
    NotAList,
    NotAName(String),
    Twice(String),
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TypeError::Unknown(text) => write!(
                f,
                "`{text}` is not a type: write `bool`, `int`, `int 0..10`, `real`, `real 0..1.5` or `enum(a, b)`"
            ),
            TypeError::Rest { word, rest } => write!(f, "unexpected `{rest}` after `{word}`"),
            TypeError::NotARange(text) => write!(f, "`{text}` is not a range: write `0..10`"),
            TypeError::NotANumber(text) => write!(f, "`{text}` in the range is not a number"),
            TypeError::NotWhole(text) => write!(f, "`{text}` is not a range of integers"),
            TypeError::EmptyRange(text) => write!(f, "the range `{text}` is empty"),
            TypeError::NotAList => write!(f, "the values of an enumeration are a list: `enum(a, b)`"),
            TypeError::NotAName(name) => write!(f, "`{name}` is not a name of a value"),
            TypeError::Twice(name) => write!(f, "the value `{name}` is listed twice"),
        }
    }
}

impl std::error::Error for TypeError {}

/// The range of `int8`, `uint16` and so on.
fn machine_integer(word: &str) -> Option<Range> {
    let (signed, bits) = match word.strip_prefix('u') {
        Some(rest) => (false, rest.strip_prefix("int")?),
        None => (true, word.strip_prefix("int")?),
    };
    let bits: u32 = bits.parse().ok().filter(|bits| [8, 16, 32, 64].contains(bits))?;
    let (low, high) = match signed {
        true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        false => (0, (1_i128 << bits) - 1),
    };
    Some(Range { low: Some(RBig::from(low)), high: Some(RBig::from(high)) })
}

/// The values of `(a, b, c)`.
fn names(text: &str) -> Result<Vec<String>, TypeError> {
    let inner = text
        .strip_prefix(['(', '{'])
        .and_then(|text| text.strip_suffix([')', '}']))
        .ok_or(TypeError::NotAList)?;
    let names: Vec<String> = inner.split(',').map(|name| name.trim().to_string()).collect();
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || "_.".contains(c)) {
            return Err(TypeError::NotAName(name.clone()));
        }
        if names[..at].contains(name) {
            return Err(TypeError::Twice(name.clone()));
        }
    }
    Ok(names)
}

impl Range {
    /// Parses `0..10`, `0..`, `..10` or an empty text.
    fn parse(text: &str) -> Result<Range, TypeError> {
        if text.is_empty() {
            return Ok(Range::default());
        }
        let inner =
            text.strip_prefix(['[', '(']).and_then(|text| text.strip_suffix([']', ')'])).unwrap_or(text);
        let (low, high) = inner
            .split_once("..")
            .or_else(|| inner.split_once(','))
            .ok_or_else(|| TypeError::NotARange(text.to_owned()))?;
        let end = |text: &str| match text.trim() {
            "" => Ok(None),
            number => parse_decimal(number).map(Some).ok_or_else(|| TypeError::NotANumber(number.to_owned())),
        };
        let range = Range { low: end(low)?, high: end(high)? };
        match (&range.low, &range.high) {
            (Some(low), Some(high)) if low > high => Err(TypeError::EmptyRange(text.to_owned())),
            _ => Ok(range),
        }
    }

    /// Whether both ends are open.
    pub fn is_open(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// Whether it contains a number.
    pub fn contains(&self, number: &RBig) -> bool {
        self.low.as_ref().is_none_or(|low| low <= number)
            && self.high.as_ref().is_none_or(|high| number <= high)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let end = |end: &Option<RBig>| end.as_ref().and_then(format_decimal).unwrap_or_default();
        if self.is_open() { Ok(()) } else { write!(f, " {}..{}", end(&self.low), end(&self.high)) }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int(range) => write!(f, "int{range}"),
            Type::Real(range) => write!(f, "real{range}"),
            Type::Enum(names) => write!(f, "enum({})", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        for (text, expected) in [
            ("bool", "bool"),
            (" Boolean ", "bool"),
            ("int", "int"),
            ("integer 0..10", "int 0..10"),
            ("int 0..", "int 0.."),
            ("int ..-3", "int ..-3"),
            ("int [0, 5]", "int 0..5"),
            ("real", "real"),
            ("double -1.5..0.25", "real -1.5..0.25"),
            ("uint8", "int 0..255"),
            ("int32", "int -2147483648..2147483647"),
            ("enum(idle, ready)", "enum(idle, ready)"),
            ("enum {a}", "enum(a)"),
            ("int 0.5..1", "! `0.5..1` is not a range of integers"),
            ("int 3..1", "! the range `3..1` is empty"),
            ("real 1", "! `1` is not a range: write `0..10`"),
            ("bool 1", "! unexpected `1` after `bool`"),
            ("enum", "! the values of an enumeration are a list: `enum(a, b)`"),
            ("enum(a, a)", "! the value `a` is listed twice"),
            ("enum(a b)", "! `a b` is not a name of a value"),
            ("int7", "! `int7` is not a type"),
            ("", "! `` is not a type"),
        ] {
            let shown = match Type::parse(text) {
                Ok(ty) => ty.to_string(),
                Err(error) => format!("! {error}"),
            };
            assert!(shown.starts_with(expected), "{text}: {shown}");
            if let Ok(ty) = Type::parse(text) {
                assert_eq!(Type::parse(&ty.to_string()), Ok(ty));
            }
        }
    }
}
