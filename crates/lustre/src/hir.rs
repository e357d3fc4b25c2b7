//! A program with resolved names and types: units with numbered variables, typed expressions in one arena, and the calls of each unit
//! in source order.

use crate::types::{Scalar, Ty};
use dashu_int::IBig;
use dashu_ratio::RBig;
use syntax::Span;
use syntax::lustre::{Binary, Unary, Visibility};
use system::expr::Function;

/// The id of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Id(pub(super) u32);

/// The id of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct UnitId(pub(super) u32);

/// An expression with its type.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: Kind,
    pub(super) ty: Ty,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// An error that is already reported.
    Error,
    Bool(bool),
    Int(IBig),
    Real(RBig),
    /// A literal of an enumeration: the enumeration and the index.
    Literal(u32, u32),
    /// A constant without a value, by index.
    Free(u32),
    /// A constant whose value is computed, by index.
    Global(u32),
    /// A variable of the unit.
    Var(u32),
    /// An index of the equation that defines elements of an array, outermost first.
    Index(u32),
    /// `not`, `-`, `!`.
    Unary(Unary, Id),
    /// The previous value, and whether `->` guards the first step.
    Pre(Id, bool),
    /// Operators of equal precedence, from left to right.
    Chain(Id, Vec<(Binary, Id)>),
    Implies(Id, Id),
    Arrow(Id, Id),
    If(Id, Id, Id),
    Cast(Scalar, Id),
    /// The parts of a list, record, tuple or array.
    Parts(Vec<Id>),
    /// An array of equal elements.
    Repeat(Id),
    /// Some leaves of a value, starting at this one.
    Select(Id, u32),
    /// The element of an array.
    Element(Id, Id),
    /// A value whose leaves from this one on are replaced with those of another.
    Update(Id, u32, Id),
    /// An array with one element replaced: array, index, value.
    Store(Id, Id, Id),
    /// Some constant of its type, where the value does not matter.
    Default,
    /// A value about which nothing is known, not even in a run that is found; of what is looked up in a set or map, unless this condition
    /// holds.
    Unknown(Option<Id>),
    Math(Function, Vec<Id>),
    /// The outputs of a call, by its index in the unit.
    Call(u32),
    /// The branch that the first operand selects; the last branch needs no comparison.
    Merge(Id, Vec<(Id, Id)>),
    /// A mode of this contract, or of an imported one.
    Mode(Vec<u32>, u32),
}

impl Kind {
    /// Its operands; those of a call are stored in its unit.
    pub(super) fn operands(&self) -> Vec<Id> {
        match self {
            Kind::Error
            | Kind::Bool(_)
            | Kind::Int(_)
            | Kind::Real(_)
            | Kind::Literal(..)
            | Kind::Free(_)
            | Kind::Global(_)
            | Kind::Var(_)
            | Kind::Index(_)
            | Kind::Call(_)
            | Kind::Default
            | Kind::Mode(..) => Vec::new(),
            Kind::Unary(_, a) | Kind::Pre(a, _) | Kind::Cast(_, a) | Kind::Repeat(a) | Kind::Select(a, _) => {
                vec![*a]
            }
            Kind::Implies(a, b) | Kind::Arrow(a, b) | Kind::Element(a, b) | Kind::Update(a, _, b) => {
                vec![*a, *b]
            }
            Kind::Unknown(unless) => unless.iter().copied().collect(),
            Kind::If(a, b, c) | Kind::Store(a, b, c) => vec![*a, *b, *c],
            Kind::Parts(parts) | Kind::Math(_, parts) => parts.clone(),
            Kind::Chain(first, rest) => std::iter::once(*first).chain(rest.iter().map(|it| it.1)).collect(),
            Kind::Merge(clock, branches) => {
                std::iter::once(*clock).chain(branches.iter().map(|it| it.1)).collect()
            }
        }
    }
}

/// A node, a function or a contract; the contract of a node is a unit of its own.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) name: String,
    pub(super) kind: UnitKind,
    pub(super) imported: bool,
    pub(super) visibility: Visibility,
    /// Whether it may call itself.
    pub(super) recursive: bool,
    pub(super) main: bool,
    /// The inputs that the environment chooses, if others are an implementation's to choose.
    pub(super) realizable: Option<Vec<String>>,
    /// The index of its file.
    pub(super) file: usize,
    pub(super) span: Span,
    /// Inputs first, then outputs, then the others.
    pub(super) vars: Vec<Variable>,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) sites: Vec<Site>,
    pub(super) asserts: Vec<Id>,
    /// What its own expressions require: of ascriptions and of fields of a `datatype`.
    pub(super) obligations: Vec<Claim>,
    pub(super) properties: Vec<Claim>,
    pub(super) contract: Option<UnitId>,
    pub(super) assumes: Vec<Claim>,
    pub(super) guarantees: Vec<Claim>,
    /// The measure of a recursive function, in its contract: the first that differs decides.
    pub(super) decreases: Vec<Id>,
    pub(super) modes: Vec<Mode>,
    pub(super) imports: Vec<Import>,
}

impl Unit {
    /// A unit with inputs and outputs, and nothing else yet.
    pub(super) fn new(
        name: String,
        kind: UnitKind,
        (file, span): (usize, Span),
        vars: Vec<Variable>,
        inputs: usize,
    ) -> Unit {
        let outputs = vars.len() - inputs;
        Unit {
            name,
            kind,
            imported: false,
            visibility: Visibility::Usual,
            recursive: false,
            main: false,
            realizable: None,
            file,
            span,
            vars,
            inputs,
            outputs,
            sites: Vec::new(),
            asserts: Vec::new(),
            obligations: Vec::new(),
            properties: Vec::new(),
            contract: None,
            assumes: Vec::new(),
            guarantees: Vec::new(),
            decreases: Vec::new(),
            modes: Vec::new(),
            imports: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnitKind {
    Node,
    Function,
    /// A contract with a name.
    Contract,
    /// The contract of a node or function, over its inputs and outputs.
    Inline,
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) span: Span,
    pub(super) constant: bool,
    /// What its type requires of its values, besides subranges.
    pub(super) conditions: Vec<Id>,
    /// Whether the text does not declare it.
    pub(super) hidden: bool,
    pub(super) definition: Option<Definition>,
}

/// The value of a variable: some leaves of an expression, starting at one, or one expression for all elements.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) value: Id,
    pub(super) offset: u32,
    /// The number of elements for each index.
    pub(super) sizes: Vec<u32>,
}

/// What the type of a constant requires of it, besides subranges.
#[derive(Clone, Debug)]
pub(super) struct Restriction {
    pub(super) value: Id,
    pub(super) name: String,
    /// Whether the constant has no value, so that the condition is assumed.
    pub(super) free: bool,
    pub(super) file: usize,
    pub(super) span: Span,
}

/// A constant whose value is computed.
#[derive(Clone, Debug)]
pub(super) struct Global {
    pub(super) value: Id,
    pub(super) name: String,
    /// The declared type.
    pub(super) ty: Option<Ty>,
    pub(super) file: usize,
    pub(super) span: Span,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) unit: UnitId,
    /// All arguments, as one list.
    pub(super) arguments: Id,
    pub(super) every: Option<Id>,
    pub(super) restart: Option<Id>,
    pub(super) defaults: Option<Id>,
    /// The condition under which its value is used.
    pub(super) guard: Option<Id>,
    /// The sizes of the indices of its equation: there is one call per element.
    pub(super) sizes: Vec<u32>,
}

/// A condition that holds or must hold.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) name: Option<String>,
    pub(super) value: Id,
    pub(super) guard: Option<Id>,
    /// The first and the last step of a condition that is to be reached; `None` if the condition must hold.
    pub(super) reach: Option<[Option<IBig>; 2]>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Mode {
    pub(super) name: String,
    pub(super) requires: Vec<Claim>,
    pub(super) ensures: Vec<Claim>,
}

/// The import of a contract by a contract.
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) unit: UnitId,
    /// All inputs, as one list.
    pub(super) inputs: Id,
    /// The variable of the importing contract for each output.
    pub(super) outputs: Vec<u32>,
    pub(super) span: Span,
}
