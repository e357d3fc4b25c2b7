//! The symbolic data-flow reactive system (s-DFRS): typed variables with a current and a previous value, timers that remember when
//! they were reset, and for each component a list of entries "under this guard, do this".
//!
//! Guards are conjunctions of disjunctions. An entry belongs to one requirement; a requirement may have several
//! entries. Invariants: variables are sorted by name within their kind; a condition never compares values of different sorts;
//! inputs are never assigned and timers only reset.

use logic::{RBig, Rel, Value};
use std::ops::Range;

/// A symbolic data-flow reactive system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dfrs {
    /// Inputs, then outputs, then timers; each in alphabetical order.
    pub variables: Vec<Variable>,
    /// One for each component, in the order in which the requirements name them.
    pub functions: Vec<Function>,
    /// The requirements, in order.
    pub requirements: Vec<Origin>,
    /// What the environment never does.
    pub restrictions: Vec<Restriction>,
}

/// A variable, named without its article and with `_` between words: `system_mode`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Who writes it.
    pub kind: Kind,
    /// Its values.
    pub sort: Sort,
    /// Its value at the start; timers start at 0.
    pub initial: Value,
    /// Whether a requirement document says what the initial value is.
    pub initial_given: bool,
}

/// Who writes a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The environment.
    Input,
    /// The system.
    Output,
    /// The system resets it, and then time passes.
    Timer,
}

/// The values of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sort {
    /// True or false. The words are those of the requirements: a button that is `pressed` or not.
    Bool {
        /// The word for true, if it is another one.
        word: Option<String>,
    },
    /// Integers.
    Int,
    /// All numbers.
    Real,
    /// Names, in alphabetical order; `Value::Name` holds the words with single spaces between them.
    Names(Vec<String>),
}

/// A requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its id, `REQ001` if none is given.
    pub id: String,
    /// Its text.
    pub text: String,
}

/// What a component does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The component, as the requirements name it.
    pub component: String,
    /// In the order of the requirements.
    pub entries: Vec<Entry>,
}

/// Under its guards, an entry may do its assignments, all at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The number of the requirement it comes from.
    pub requirement: usize,
    /// About values: all of these, of each any. May be empty if the timed guard is not.
    pub guard: Vec<Vec<Condition>>,
    /// About timers: all of these, of each any.
    pub timed: Vec<Vec<Timed>>,
    /// What it assigns; no variable twice.
    pub effect: Vec<Assignment>,
}

/// A comparison of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Of which moment.
    pub moment: Moment,
    /// The number of an input or output.
    pub variable: usize,
    /// How it compares; Booleans and names only by equality.
    pub relation: Rel,
    /// What it is compared with.
    pub operand: Operand,
    /// Where the requirement says so.
    pub source: Source,
}

/// The current or the previous value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// Current.
    Now,
    /// Previous.
    Before,
}

/// A value that is compared or assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// A constant.
    Constant(Value),
    /// The value of an input or output.
    Variable(Moment, usize),
    /// A sum: factors of variables at a moment, and a constant.
    Sum(Vec<(RBig, Moment, usize)>, RBig),
}

/// `gc - timer` compared with a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timed {
    /// The number of a timer.
    pub timer: usize,
    /// How it compares.
    pub relation: Rel,
    /// With what.
    pub bound: RBig,
    /// Where the requirement says so.
    pub source: Source,
}

/// One assignment of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The number of an output or timer.
    pub variable: usize,
    /// What happens to it.
    pub effect: Effect,
    /// Where the requirement says so.
    pub source: Source,
}

/// What an assignment does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// An output gets a value.
    Assign(Operand),
    /// A timer gets the time that it is.
    Reset,
}

/// The environment never makes this step: all conditions at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restriction {
    /// About inputs.
    pub never: Vec<Condition>,
    /// The sentence.
    pub origin: Origin,
}

/// A place in the text of a requirement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    /// Bytes of the text.
    pub span: Range<usize>,
}
