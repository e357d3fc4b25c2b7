//! A program whose names are resolved and whose types are known: units with numbered variables, typed expressions in one arena,
//! and the calls of each unit in the order of the text.

use crate::types::{Scalar, Ty};
use dashu_int::IBig;
use dashu_ratio::RBig;
use syntax::Span;
use syntax::lustre::{Binary, Unary};
use system::expr::Function;

/// Names an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Id(pub(super) u32);

/// Names a unit.
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
    /// Something wrong, which is reported already.
    Error,
    Bool(bool),
    Int(IBig),
    Real(RBig),
    /// A literal of an enumeration: which, and its place.
    Literal(u32, u32),
    /// A constant without value, by its place among those of the program.
    Free(u32),
    /// A constant whose value is computed, by its place among those of the program.
    Global(u32),
    /// A variable of the unit.
    Var(u32),
    /// An index of the equation that defines elements of an array, the outermost first.
    Index(u32),
    /// `not`, `-`, `!`.
    Unary(Unary, Id),
    /// The previous value; whether the first step is guarded by `->`.
    Pre(Id, bool),
    /// Operators of one rank, from left to right.
    Chain(Id, Vec<(Binary, Id)>),
    Implies(Id, Id),
    Arrow(Id, Id),
    If(Id, Id, Id),
    Cast(Scalar, Id),
    /// The parts of a list, record, tuple or array.
    Parts(Vec<Id>),
    /// An array of equal elements.
    Repeat(Id),
    /// Some leaves of a value, from this one on.
    Select(Id, u32),
    /// The element of an array.
    Element(Id, Id),
    Math(Function, Vec<Id>),
    /// The outputs of a call, by its place among those of the unit.
    Call(u32),
    /// The branch whose value the first one has; the last branch needs no comparison.
    Merge(Id, Vec<(Id, Id)>),
    /// A mode of this contract, or of one that it imports.
    Mode(Vec<u32>, u32),
}

impl Kind {
    /// The expressions that it is made of; those of a call are with its unit.
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
            | Kind::Mode(..) => Vec::new(),
            Kind::Unary(_, a) | Kind::Pre(a, _) | Kind::Cast(_, a) | Kind::Repeat(a) | Kind::Select(a, _) => {
                vec![*a]
            }
            Kind::Implies(a, b) | Kind::Arrow(a, b) | Kind::Element(a, b) => vec![*a, *b],
            Kind::If(condition, a, b) => vec![*condition, *a, *b],
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
    pub(super) main: bool,
    /// Which file it is in.
    pub(super) file: usize,
    pub(super) span: Span,
    /// First inputs, then outputs, then the others.
    pub(super) vars: Vec<Variable>,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) sites: Vec<Site>,
    pub(super) asserts: Vec<Id>,
    pub(super) properties: Vec<Claim>,
    pub(super) contract: Option<UnitId>,
    pub(super) assumes: Vec<Claim>,
    pub(super) guarantees: Vec<Claim>,
    pub(super) modes: Vec<Mode>,
    pub(super) imports: Vec<Import>,
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
    pub(super) definition: Option<Definition>,
}

/// The value of a variable: some leaves of an expression from one on, or one expression for all elements.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) value: Id,
    pub(super) offset: u32,
    /// How many elements there are for each index.
    pub(super) sizes: Vec<u32>,
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
    /// The sizes of the indices of the equation that it is in: there is one call for each element.
    pub(super) sizes: Vec<u32>,
}

/// Something that holds or must hold.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) name: Option<String>,
    pub(super) value: Id,
    pub(super) guard: Option<Id>,
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
    /// For each output the variable of the importing contract.
    pub(super) outputs: Vec<u32>,
    pub(super) span: Span,
}
