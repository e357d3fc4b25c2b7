//! Lustre in the dialect of Kind 2: nodes, functions, contracts, types and constants.
//!
//! [`parse`] returns an [`Ast`]: declarations in source order, with expressions and types in two arenas. It never fails: what cannot
//! be parsed is reported and skipped up to the next `;`, `tel` or declaration. Invariants: children have smaller ids than their
//! parents, and no expression or type is nested deeper than [`MAX_DEPTH`]; operators of equal precedence form one
//! [`ExprKind::Chain`], so that a long sum is not deep.

mod binder;
mod block;
mod clock;
mod declaration;
mod expression;
mod lexer;
mod parser;
mod ty;

use crate::{Diagnostic, Span};

/// The maximum size of a program in bytes.
pub const MAX_BYTES: usize = 1 << 25;

/// The maximum nesting depth of expressions and types.
pub const MAX_DEPTH: u32 = 250;

/// Parses one file.
pub fn parse(text: &str) -> Ast {
    parser::parse(text)
}

/// The contents of one file.
#[derive(Debug, Clone, Default)]
pub struct Ast {
    /// The declarations, in source order.
    pub declarations: Vec<Declaration>,
    /// All expressions.
    pub exprs: Vec<Expr>,
    /// All types.
    pub types: Vec<Type>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

impl Ast {
    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// A type.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}

/// The id of an expression in an [`Ast`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub(crate) u32);

/// The id of a type in an [`Ast`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub(crate) u32);

impl TypeId {
    /// Not the id of a type: a place holder.
    pub const NONE: TypeId = TypeId(u32::MAX);
}

/// A name with its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its span.
    pub span: Span,
}

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its span.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// Something that could not be parsed; already reported.
    Missing,
    /// `true`, `false`.
    Bool(bool),
    /// An integer, as written.
    Int(String),
    /// A decimal number, as written.
    Decimal(String),
    /// A variable, a constant or a literal of an enumeration.
    Name(String),
    /// `::m`, `::scope::m`.
    Mode(Vec<Name>),
    /// A prefix operator.
    Unary(Unary, ExprId),
    /// `a + b - c`: operators of equal precedence, from left to right.
    Chain(ExprId, Vec<(Binary, ExprId)>),
    /// A right-associative operator: `=>`, `->`, `fby`.
    Right(Right, ExprId, ExprId),
    /// `if c then a else b`.
    If(ExprId, ExprId, ExprId),
    /// `when c then a else b`: as `if`, but what a branch requires is required only where the branch is taken.
    LazyIf(ExprId, ExprId, ExprId),
    /// A conversion to a numeric type.
    Cast(Number, ExprId),
    /// `(a, b)`: several values.
    Group(Vec<ExprId>),
    /// `'(a, b)`: one value of a tuple type.
    Tuple(Vec<ExprId>),
    /// `{a, b}`, `{}@<t>`: a set; in programs without sets, a tuple.
    Braces(Vec<ExprId>, Vec<TypeId>),
    /// `map[a := b; c := d]`, `map[]@<t, u>`.
    Map(Vec<(ExprId, ExprId)>, Vec<TypeId>),
    /// `[a, b]`: one value of an array type.
    Array(Vec<ExprId>),
    /// `a^n`.
    Repeat(ExprId, ExprId),
    /// `a[i]`.
    Index(ExprId, ExprId),
    /// `a.f`.
    Field(ExprId, Name),
    /// `a.%2`.
    Project(ExprId, u32, Span),
    /// `R { f = a; g = b }`.
    Record(Name, Vec<(Name, ExprId)>),
    /// A call of a node or function.
    Call(Call),
    /// `a[i := v]`, `(a with .f[2] = v)`, `a{f := v}`: a value with one part replaced.
    Update(ExprId, Vec<Step>, ExprId),
    /// `(a : t)`.
    Typed(ExprId, TypeId),
    /// `forall (x: t) a`, `exists (x: t) a`.
    Quantified(Quantifier, Vec<Bound>, ExprId),
    /// `any { x: t | a }`, `choose { x: t | a }`.
    Chosen(Choice, Bound),
    /// `match a with | C(x) : b | _ : c end`.
    Match(ExprId, Vec<(Pattern, ExprId)>),
    /// `C?(a)`: whether a value was made by a constructor.
    Test(Name, ExprId),
    /// `last x`, in frames.
    Last(Name),
    /// `a when c`.
    When(ExprId, Clock),
    /// `merge(c; a; b)` and `merge c (A -> a) (B -> b)`.
    Merge(Name, Vec<(Name, ExprId)>),
}

/// A step into the parts of a value.
#[derive(Debug, Clone)]
pub enum Step {
    /// `.f`
    Field(Name),
    /// `[i]`; the name of a field, if the value is a record.
    Index(ExprId),
    /// `.%2`
    Part(u32, Span),
}

/// The quantifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the keywords")]
pub enum Quantifier {
    Forall,
    Exists,
}

/// The kinds of choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// A new choice at each step and for each occurrence.
    Any,
    /// Equal choices for equal values of the variables in the condition.
    Choose,
}

/// A bound variable: `x: t`, `x: t | a`. A choice without a condition needs no name.
#[derive(Debug, Clone)]
pub struct Bound {
    /// Its name.
    pub name: Option<Name>,
    /// Its type.
    pub ty: TypeId,
    /// What its values satisfy.
    pub condition: Option<ExprId>,
}

/// The left side of a branch of `match`.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// `_`
    Any(Span),
    /// `x`: a constructor without fields, or a new variable.
    Named(Name),
    /// `C(p, q)`
    Made(Name, Vec<Pattern>),
}

/// Prefix operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the operators")]
pub enum Unary {
    Not,
    Minus,
    Pre,
    BitNot,
}

/// Left-associative operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the operators")]
pub enum Binary {
    Or,
    OrElse,
    Xor,
    And,
    AndThen,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
    In,
    Plus,
    Minus,
    Times,
    Divide,
    IntDivide,
    Modulo,
    BitOr,
    BitAnd,
    ShiftLeft,
    ShiftRight,
}

/// Right-associative operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// `=>`.
    Implies,
    /// `==>`: as `=>`, but what the right side requires is required only where the left side holds.
    LazyImplies,
    /// `->`.
    Arrow,
    /// `fby`.
    Fby,
}

/// The numeric types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// `int`.
    Int,
    /// `real`.
    Real,
    /// `int8` and so on.
    Machine {
        /// Whether there are negative values.
        signed: bool,
        /// The number of bits.
        bits: u8,
    },
}

/// A call, plain or with a clock.
#[derive(Debug, Clone)]
pub struct Call {
    /// The callee.
    pub node: Name,
    /// The types for its type parameters: `f@<int>(…)`, `f<<int>>(…)`.
    pub types: Vec<TypeId>,
    /// Its arguments.
    pub arguments: Vec<ExprId>,
    /// `activate … every c`, or the first argument of `condact`.
    pub every: Option<ExprId>,
    /// `restart … every r`.
    pub restart: Option<ExprId>,
    /// `initial default …`, or the last arguments of `condact`.
    pub defaults: Option<Vec<ExprId>>,
}

/// A clock: `c`, `not c`, `A(c)`.
#[derive(Debug, Clone)]
pub struct Clock {
    /// The variable.
    pub variable: Name,
    /// Its value: `true`, `false` or a literal of an enumeration.
    pub value: String,
}

/// A type.
#[derive(Debug, Clone)]
pub struct Type {
    /// Its kind.
    pub kind: TypeKind,
    /// Its span.
    pub span: Span,
}

/// The kinds of type.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// Something that could not be parsed; already reported.
    Missing,
    /// `bool`.
    Bool,
    /// A numeric type.
    Number(Number),
    /// `subrange [a, b] of int`; `*` means no bound.
    Range(Option<ExprId>, Option<ExprId>),
    /// A type without a definition: its values can only be compared.
    Abstract,
    /// `subtype { x: t | a }`
    Refined(Name, TypeId, ExprId),
    /// The name of a declared type, with the types for its type parameters.
    Named(String, Vec<TypeId>),
    /// `[a, b]`.
    Tuple(Vec<TypeId>),
    /// `a^n`.
    Array(TypeId, ExprId),
    /// `set<a>`.
    Set(TypeId),
    /// `map<a, b>`.
    Map(TypeId, TypeId),
    /// `struct { f: a; g: b }`.
    Record(Vec<(Name, TypeId)>),
    /// `enum { a, b }`.
    Enum(Vec<Name>),
}

/// A top-level declaration.
#[derive(Debug, Clone)]
pub enum Declaration {
    /// `include "file"`.
    Include(Name),
    /// `type t = …;`, with its type parameters.
    Type(Name, Vec<Name>, TypeId),
    /// `datatype t = A | B(f: u);`, with its type parameters.
    Data(Name, Vec<Name>, Vec<Constructor>),
    /// A constant.
    Const(Const),
    /// A node, a function or a contract.
    Unit(Box<Unit>),
}

/// A constructor of a `datatype`.
#[derive(Debug, Clone)]
pub struct Constructor {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<(Name, TypeId)>,
}

/// `const c: t = e;`, where the type or the value may be omitted.
#[derive(Debug, Clone)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Option<TypeId>,
    /// Its value; any value if `None`.
    pub value: Option<ExprId>,
}

/// The kinds of unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the keywords")]
pub enum UnitKind {
    Node,
    Function,
    Contract,
}

/// A node, a function or a contract.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Its kind.
    pub kind: UnitKind,
    /// Whether it is declared without a body.
    pub imported: bool,
    /// Whether callers see its body or its contract.
    pub visibility: Visibility,
    /// Whether it may call itself: `rec`, and every `lemma`.
    pub recursive: bool,
    /// Its name.
    pub name: Name,
    /// Its type parameters.
    pub parameters: Vec<Name>,
    /// Its inputs.
    pub inputs: Vec<Variable>,
    /// Its outputs.
    pub outputs: Vec<Variable>,
    /// The contract of a node or function.
    pub contract: Option<Vec<ContractItem>>,
    /// The local variables of a node.
    pub locals: Vec<Variable>,
    /// The local constants of a node.
    pub constants: Vec<Const>,
    /// The body of a node.
    pub items: Vec<Item>,
    /// The body of a contract.
    pub body: Vec<ContractItem>,
}

/// What callers see of a node where contracts take the place of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Visibility {
    /// The contract, if there is one.
    #[default]
    Usual,
    /// `transparent`: the body.
    Transparent,
    /// `opaque`: the contract, also where others see bodies.
    Opaque,
}

/// A declared variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// Whether it never changes.
    pub constant: bool,
    /// `x: t | a`: what its values satisfy.
    pub condition: Option<ExprId>,
}

/// An item in the body of a node.
#[derive(Debug, Clone)]
pub enum Item {
    /// `a, b = e;`
    Equation(Vec<Left>, ExprId, Span),
    /// `assert e;`
    Assert(ExprId, Span),
    /// `check "name" e;` and `--%PROPERTY "name" e;`, with what follows `provided`.
    Property(Claim, Option<ExprId>),
    /// `check reachable "name" e from a within b;`
    Reachable(Claim, Within),
    /// `if c then … elsif d then … else … fi`, `when c then … end`, `cond | c : … end`
    Block(Block),
    /// `match a with | C(x) : … | _ : … end`
    Match(ExprId, Vec<(Pattern, Vec<Item>)>, Span),
    /// `frame (x, y) x = a; let … tel`
    Frame(Frame),
    /// `--%MAIN;`
    Main,
    /// `auto;`, which does nothing, in a lemma.
    Auto,
    /// `--%REALIZABLE a, b;`: these inputs are chosen by the environment, the others by an implementation.
    Realizable(Vec<Name>),
}

/// Equations under conditions.
#[derive(Debug, Clone)]
pub struct Block {
    /// The branches; the first one whose condition holds is taken.
    pub branches: Vec<(ExprId, Vec<Item>)>,
    /// The branch for all other cases.
    pub otherwise: Vec<Item>,
    /// Whether a variable may be defined in some branches only, outside a frame.
    pub partial: bool,
    /// The span of the keyword.
    pub span: Span,
}

/// Equations for variables that otherwise keep their values.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The variables.
    pub names: Vec<Name>,
    /// Equations for their first values.
    pub initial: Vec<Item>,
    /// Equations and blocks.
    pub items: Vec<Item>,
}

/// The left-hand side of an equation: a variable, or the elements of an array.
#[derive(Debug, Clone)]
pub struct Left {
    /// The variable.
    pub name: Name,
    /// The indices of its elements.
    pub indices: Vec<Name>,
}

/// A condition that holds or must hold, with an optional name.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Its name.
    pub name: Option<String>,
    /// The condition.
    pub value: ExprId,
    /// The span of its keyword.
    pub span: Span,
}

/// The steps at which a condition is to be reached, from 0; without bounds, at any step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Within {
    /// The first one.
    pub from: Option<ExprId>,
    /// The last one.
    pub to: Option<ExprId>,
}

/// An item of a contract.
#[derive(Debug, Clone)]
pub enum ContractItem {
    /// `const c = e;`
    Const(Const),
    /// `var x: t = e;`
    Var(Vec<Variable>, ExprId, Span),
    /// `assume e;` and `weakly assume e;`
    Assume(Claim),
    /// `guarantee e;`
    Guarantee(Claim),
    /// `decreases e, f;`
    Decreases(Vec<ExprId>),
    /// `mode m (require a; ensure b;);`
    Mode(Mode),
    /// `import c(a) returns (b);`
    Import {
        /// The imported contract.
        contract: Name,
        /// The types for its type parameters.
        types: Vec<TypeId>,
        /// Its inputs.
        inputs: Vec<ExprId>,
        /// Its outputs, as variables.
        outputs: Vec<Name>,
        /// The span of the keyword.
        span: Span,
    },
}

/// A mode of a contract.
#[derive(Debug, Clone)]
pub struct Mode {
    /// Its name.
    pub name: Name,
    /// When it is active.
    pub requires: Vec<Claim>,
    /// What then holds.
    pub ensures: Vec<Claim>,
}
