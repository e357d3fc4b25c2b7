//! The kinds of node of a formula, and the small types they contain.
//!
//! Formulas and terms are stored in one arena ([`Store`](crate::Store)) and identified by an [`Id`]; [`Formula`] and [`Term`] are two
//! views of a node. The four unary operators have native bounds, which also express single steps: strong next X is `F[1,1]`, weak
//! next N is `G[1,1]`, strong yesterday Y is `O[1,1]`, weak yesterday Z is `H[1,1]`, and "first point" is `H[1,1] false`. Invariant:
//! a node's children have smaller ids than the node, so a loop over ids visits children first.

use dashu_ratio::RBig;

/// The id of a node in a [`Store`](crate::Store).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub(crate) u32);

impl Id {
    /// The node's index in its arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node viewed as a Boolean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Formula(pub(crate) Id);

/// A node viewed as a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub(crate) Id);

macro_rules! seen_as {
    ($($view:ident)*) => {$(
        impl $view {
            /// The id of the node.
            pub fn id(self) -> Id {
                self.0
            }
        }

        impl From<$view> for Id {
            fn from(view: $view) -> Id {
                view.0
            }
        }
    )*};
}

seen_as!(Formula Term);

/// An interned name: of a variable, a function or an enumeration literal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub(crate) u32);

/// The sort of a variable or an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// Booleans.
    Bool,
    /// Integers.
    Int,
    /// Real numbers.
    Real,
    /// Literals of an enumeration.
    Enum,
    /// Unknown.
    Any,
}

/// Comparisons of two values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rel {
    /// Less than.
    Lt,
    /// At most.
    Le,
    /// Greater than.
    Gt,
    /// At least.
    Ge,
    /// Equal.
    Eq,
    /// Different.
    Ne,
}

impl Rel {
    /// The comparison that holds exactly when this one does not.
    pub fn complement(self) -> Rel {
        match self {
            Rel::Lt => Rel::Ge,
            Rel::Le => Rel::Gt,
            Rel::Gt => Rel::Le,
            Rel::Ge => Rel::Lt,
            Rel::Eq => Rel::Ne,
            Rel::Ne => Rel::Eq,
        }
    }

    /// The comparison with its sides exchanged.
    pub fn flipped(self) -> Rel {
        match self {
            Rel::Lt => Rel::Gt,
            Rel::Le => Rel::Ge,
            Rel::Gt => Rel::Lt,
            Rel::Ge => Rel::Le,
            Rel::Eq | Rel::Ne => self,
        }
    }

    /// Whether the comparison holds for two values.
    pub fn holds<T: PartialOrd + ?Sized>(self, x: &T, y: &T) -> bool {
        match self {
            Rel::Lt => x < y,
            Rel::Le => x <= y,
            Rel::Gt => x > y,
            Rel::Ge => x >= y,
            Rel::Eq => x == y,
            Rel::Ne => x != y,
        }
    }

    /// The usual spelling.
    pub fn symbol(self) -> &'static str {
        ["<", "<=", ">", ">=", "=", "!="][self as usize]
    }
}

/// Operators over a window of positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unary {
    /// At some position of the future window (F).
    Finally,
    /// At every position of the future window (G).
    Globally,
    /// At some position of the past window (O).
    Once,
    /// At every position of the past window (H).
    Historically,
}

impl Unary {
    /// The operator `D` with `!D !p` equal to this one of `p`.
    pub fn dual(self) -> Unary {
        match self {
            Unary::Finally => Unary::Globally,
            Unary::Globally => Unary::Finally,
            Unary::Once => Unary::Historically,
            Unary::Historically => Unary::Once,
        }
    }

    /// Whether one position of the window is enough (F, O), or all of them are needed (G, H).
    pub fn is_existential(self) -> bool {
        match self {
            Unary::Finally | Unary::Once => true,
            Unary::Globally | Unary::Historically => false,
        }
    }

    /// Whether the window is in the future.
    pub fn is_future(self) -> bool {
        match self {
            Unary::Finally | Unary::Globally => true,
            Unary::Once | Unary::Historically => false,
        }
    }
}

/// Operators over a window and the positions before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Binary {
    /// `a U b`: b in the future window, and a at every position before it.
    Until,
    /// `a R b`: the dual of until.
    Release,
    /// `a S b`: b in the past window, and a at every position after it.
    Since,
    /// `a T b`: the dual of since.
    Triggered,
}

impl Binary {
    /// The operator `D` with `!(!p D !q)` equal to this one of `p` and `q`.
    pub fn dual(self) -> Binary {
        match self {
            Binary::Until => Binary::Release,
            Binary::Release => Binary::Until,
            Binary::Since => Binary::Triggered,
            Binary::Triggered => Binary::Since,
        }
    }

    /// The unary operator that remains if the first operand is trivial: F, G, O, H.
    pub fn window(self) -> Unary {
        match self {
            Binary::Until => Unary::Finally,
            Binary::Release => Unary::Globally,
            Binary::Since => Unary::Once,
            Binary::Triggered => Unary::Historically,
        }
    }
}

/// Arithmetic on two numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arith {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Exact quotient.
    Div,
    /// Euclidean remainder of integers.
    Mod,
    /// Power with an integer exponent.
    Pow,
}

/// Functions with a fixed meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fun {
    /// Absolute value.
    Abs,
    /// The least of the arguments.
    Min,
    /// The greatest of the arguments.
    Max,
}

/// The spelling of a number: `2` and `2.0` are the same value and different numerals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Numeral {
    /// Without a decimal point.
    Int,
    /// With a decimal point.
    Real,
}

/// A window, counted in positions from here: `lo` to `hi` inclusive, unbounded if `hi` is `None`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bound {
    /// The nearest position.
    pub lo: u64,
    /// The farthest position; `None` if unbounded.
    pub hi: Option<u64>,
}

impl Bound {
    /// From here on: `[0,∞)`.
    pub const ALL: Bound = Bound { lo: 0, hi: None };
    /// One step away: `[1,1]`.
    pub const NEXT: Bound = Bound { lo: 1, hi: Some(1) };

    /// The window `[lo,hi]`; `hi` is a number, or `None` for an unbounded window.
    pub fn new(lo: u64, hi: impl Into<Option<u64>>) -> Bound {
        Bound { lo, hi: hi.into() }
    }

    /// The window `[0,n]`.
    pub fn upto(n: u64) -> Bound {
        Bound { lo: 0, hi: Some(n) }
    }

    /// The window `[n,n]`.
    pub fn exactly(n: u64) -> Bound {
        Bound { lo: n, hi: Some(n) }
    }

    /// Whether the window contains no position.
    pub fn is_empty(self) -> bool {
        self.hi.is_some_and(|hi| hi < self.lo)
    }

    /// Whether the window contains exactly one position.
    pub fn is_point(self) -> bool {
        self.hi == Some(self.lo)
    }

    /// The window of a window: all sums of a position of one and a position of the other. `None` on overflow.
    pub fn plus(self, other: Bound) -> Option<Bound> {
        let hi = match (self.hi, other.hi) {
            (Some(a), Some(b)) => Some(a.checked_add(b)?),
            (None, _) | (_, None) => None,
        };
        Some(Bound { lo: self.lo.checked_add(other.lo)?, hi })
    }
}

/// One node of a formula or term. Made only by the constructors of [`Store`](crate::Store).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// The constant true.
    True,
    /// The constant false.
    False,
    /// A variable: Boolean when viewed as a [`Formula`], a value when viewed as a [`Term`].
    Var(Symbol),
    /// A hole to fill by substitution or evaluation; it is never printed.
    Hole(u32),
    /// An uninterpreted function or predicate.
    Call(Symbol, Box<[Id]>),
    /// Negation.
    Not(Formula),
    /// Conjunction of two or more.
    And(Box<[Formula]>),
    /// Disjunction of two or more.
    Or(Box<[Formula]>),
    /// Exclusive or.
    Xor(Formula, Formula),
    /// Implication.
    Implies(Formula, Formula),
    /// Equivalence.
    Iff(Formula, Formula),
    /// A comparison.
    Rel(Rel, Term, Term),
    /// F, G, O, H over a window.
    Unary(Unary, Bound, Formula),
    /// U, R, S, T over a window.
    Binary(Binary, Bound, Formula, Formula),
    /// A number.
    Num(RBig, Numeral),
    /// A literal of an enumeration.
    Value(Symbol),
    /// Arithmetic negation.
    Neg(Term),
    /// Arithmetic.
    Arith(Arith, Term, Term),
    /// A function with a fixed meaning.
    Fun(Fun, Box<[Term]>),
    /// The first term if the condition holds, otherwise the second.
    Ite(Formula, Term, Term),
    /// `Pre(initial, t)`: `initial` at the first position, afterwards `t` at the previous position.
    Pre(Term, Term),
    /// A Boolean used as a value.
    Bool(Formula),
}

/// The class of a node: what it can be used as, and where its value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// True and false.
    Constant,
    /// Variables, holes and calls: a Boolean or another value, depending on their use.
    Name,
    /// Negation, conjunction, disjunction, exclusive or, implication and equivalence.
    Connective,
    /// Temporal operators.
    Temporal,
    /// Comparisons of terms.
    Comparison,
    /// Nodes that can only be values.
    Term,
}

impl Node {
    /// The class of the node.
    pub fn class(&self) -> Class {
        match self {
            Node::True | Node::False => Class::Constant,
            Node::Var(_) | Node::Hole(_) | Node::Call(..) => Class::Name,
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Xor(..) | Node::Implies(..) | Node::Iff(..) => {
                Class::Connective
            }
            Node::Unary(..) | Node::Binary(..) => Class::Temporal,
            Node::Rel(..) => Class::Comparison,
            Node::Num(..)
            | Node::Value(_)
            | Node::Neg(_)
            | Node::Arith(..)
            | Node::Fun(..)
            | Node::Ite(..)
            | Node::Pre(..)
            | Node::Bool(_) => Class::Term,
        }
    }

    /// Whether it combines Booleans, at one position or over time. Formulas without such a node are atoms.
    pub fn is_operator(&self) -> bool {
        matches!(self.class(), Class::Connective | Class::Temporal)
    }

    /// Whether its value depends on more than the values of its children at the same position.
    pub fn needs_context(&self) -> bool {
        matches!(self.class(), Class::Name | Class::Temporal) || matches!(self, Node::Pre(..))
    }

    /// The `i`-th child, if there is one.
    pub fn child(&self, i: usize) -> Option<Id> {
        match self {
            Node::True | Node::False | Node::Var(_) | Node::Hole(_) | Node::Num(..) | Node::Value(_) => None,
            Node::Call(_, arguments) => arguments.get(i).copied(),
            Node::And(operands) | Node::Or(operands) => operands.get(i).map(|f| f.id()),
            Node::Fun(_, arguments) => arguments.get(i).map(|t| t.id()),
            Node::Not(f) | Node::Unary(_, _, f) | Node::Bool(f) => [f.id()].get(i).copied(),
            Node::Xor(a, b) | Node::Implies(a, b) | Node::Iff(a, b) | Node::Binary(_, _, a, b) => {
                [a.id(), b.id()].get(i).copied()
            }
            Node::Neg(t) => [t.id()].get(i).copied(),
            Node::Rel(_, a, b) | Node::Arith(_, a, b) | Node::Pre(a, b) => [a.id(), b.id()].get(i).copied(),
            Node::Ite(c, a, b) => [c.id(), a.id(), b.id()].get(i).copied(),
        }
    }

    /// The children, from left to right.
    pub fn children(&self) -> impl Iterator<Item = Id> + '_ {
        (0..).map_while(|i| self.child(i))
    }
}
