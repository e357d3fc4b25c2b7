//! Typed expressions of systems: the kinds of node, the types, and the arena that stores equal nodes once.
//!
//! Expressions are stored in a [`Pool`] and identified by an [`Expr`]; the constructors in `build` and `arithmetic` are the only way
//! to make one. Invariants: children have smaller ids than their parents, so a loop over ids visits children first and nothing
//! recurses; `!`, `-` and casts are never applied to a constant. A constructor still returns a node for operands of wrong types, and
//! [`System::check`](crate::System::check) reports it.

use base::Interned;
use dashu_int::IBig;
use dashu_ratio::RBig;

/// The id of a node in a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Expr(pub(crate) u32);

impl Expr {
    /// The node's index in its pool.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of a variable: its index in [`System::variables`](crate::System::variables).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub(crate) u32);

impl Var {
    /// The index in the table of variables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of an enumeration in a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnumId(pub(crate) u32);

/// The id of an uninterpreted function in a [`Pool`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(pub(crate) u32);

/// A machine integer: two's complement if signed; 1 to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Width {
    /// Whether there are negative values.
    pub signed: bool,
    /// The number of bits, 1 to 64.
    pub bits: u8,
}

impl Width {
    /// The value of this type that is congruent to a number modulo 2^bits.
    pub fn wrap(self, value: i128) -> i128 {
        let size = 1i128 << self.size();
        let low = value & (size - 1);
        if self.signed && low > self.greatest() { low - size } else { low }
    }

    /// The least value.
    pub fn least(self) -> i128 {
        if self.signed { -(1i128 << (self.size() - 1)) } else { 0 }
    }

    /// The greatest value.
    pub fn greatest(self) -> i128 {
        (1i128 << (self.size() - u8::from(self.signed))) - 1
    }

    /// The number of bits, clamped: `check` reports an invalid width.
    fn size(self) -> u8 {
        self.bits.clamp(1, 64)
    }
}

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// Booleans.
    Bool,
    /// Unbounded integers.
    Int,
    /// Machine integers, which wrap around.
    Machine(Width),
    /// Exact real numbers (rationals in simulation).
    Real,
    /// The literals of an enumeration.
    Enum(EnumId),
}

impl Type {
    /// The sort of this type in formulas.
    pub fn sort(self) -> logic::Sort {
        match self {
            Type::Bool => logic::Sort::Bool,
            Type::Int | Type::Machine(_) => logic::Sort::Int,
            Type::Real => logic::Sort::Real,
            Type::Enum(_) => logic::Sort::Enum,
        }
    }

    /// Whether it is a numeric type.
    pub fn is_number(self) -> bool {
        match self {
            Type::Int | Type::Machine(_) | Type::Real => true,
            Type::Bool | Type::Enum(_) => false,
        }
    }
}

/// A mathematical function of real numbers, or one that is only declared. Provers treat all of them as uninterpreted; simulation
/// computes the former, exactly where the value is rational and rounded in doubles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names are the usual ones")]
pub enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Log10,
    Sqrt,
    Pow,
    /// The identity on real numbers; in doubles, rounding to single precision.
    Single,
    /// Uninterpreted: equal arguments have equal values.
    Declared(FunctionId),
}

impl Function {
    /// The mathematical functions.
    pub const NAMED: [Function; 15] = [
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::Asin,
        Function::Acos,
        Function::Atan,
        Function::Atan2,
        Function::Sinh,
        Function::Cosh,
        Function::Tanh,
        Function::Exp,
        Function::Log,
        Function::Log10,
        Function::Sqrt,
        Function::Pow,
    ];

    /// Its usual name; that of a declared function is in its pool.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Function::Sin => Some("sin"),
            Function::Cos => Some("cos"),
            Function::Tan => Some("tan"),
            Function::Asin => Some("asin"),
            Function::Acos => Some("acos"),
            Function::Atan => Some("atan"),
            Function::Atan2 => Some("atan2"),
            Function::Sinh => Some("sinh"),
            Function::Cosh => Some("cosh"),
            Function::Tanh => Some("tanh"),
            Function::Exp => Some("exp"),
            Function::Log => Some("log"),
            Function::Log10 => Some("log10"),
            Function::Sqrt => Some("sqrt"),
            Function::Pow => Some("pow"),
            Function::Single => Some("single"),
            Function::Declared(_) => None,
        }
    }

    /// The number of arguments of a mathematical function.
    pub fn arity(self) -> Option<usize> {
        match self {
            Function::Atan2 | Function::Pow => Some(2),
            Function::Declared(_) => None,
            _ => Some(1),
        }
    }
}

/// The signature of a declared function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// The types of its arguments.
    pub parameters: Vec<Type>,
    /// The type of its value.
    pub result: Type,
}

/// An enumeration: its name and its literals, at least one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// The names of its literals; their indices are their values.
    pub literals: Vec<String>,
}

/// Operations on the bits of two machine integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bits {
    /// Bitwise conjunction.
    And,
    /// Bitwise disjunction.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift towards the most significant bit; the second operand is unsigned and of the same width.
    ShiftLeft,
    /// Shift towards the least significant bit, filled with the sign bit if the first operand is signed.
    ShiftRight,
}

/// One node. Made only by the constructors of [`Pool`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Int(IBig),
    /// A machine integer, within its width.
    Machine(Width, i128),
    /// A real number.
    Real(RBig),
    /// A literal of an enumeration, by index.
    Literal(EnumId, u32),
    /// An input or a state.
    Var(Var),
    /// Negation; never of a constant, a negation or an order comparison.
    Not(Expr),
    /// Conjunction of two or more operands, ascending, none repeated or together with its negation.
    And(Box<[Expr]>),
    /// Disjunction of two or more operands, ascending, none repeated or together with its negation.
    Or(Box<[Expr]>),
    /// Equality of two values of the same type; for Booleans, equivalence. The lower id is first.
    Eq(Expr, Expr),
    /// Less than, of two numbers of the same type.
    Lt(Expr, Expr),
    /// At most, of two numbers of the same type.
    Le(Expr, Expr),
    /// The second if the first holds, otherwise the third.
    Ite(Expr, Expr, Expr),
    /// Arithmetic negation.
    Neg(Expr),
    /// Sum; a difference is a sum with a negation.
    Add(Expr, Expr),
    /// Product.
    Mul(Expr, Expr),
    /// Quotient of reals.
    Div(Expr, Expr),
    /// Integer quotient: Euclidean for `Int` (the remainder is never negative, as in SMT-LIB), truncated for machine integers.
    IntDiv(Expr, Expr),
    /// The remainder of [`Node::IntDiv`].
    Mod(Expr, Expr),
    /// Conversion to a type: `Int` to real; real to `Int`, rounding down; machine integers exactly to `Int`, and from `Int` or
    /// machine integers with wrap-around.
    Cast(Type, Expr),
    /// Bitwise complement.
    BitNot(Expr),
    /// An operation on bits.
    Bits(Bits, Expr, Expr),
    /// A function applied to arguments.
    Apply(Function, Box<[Expr]>),
}

impl Node {
    /// The `i`-th child, if there is one.
    pub fn child(&self, i: usize) -> Option<Expr> {
        match self {
            Node::Bool(_)
            | Node::Int(_)
            | Node::Machine(..)
            | Node::Real(_)
            | Node::Literal(..)
            | Node::Var(_) => None,
            Node::And(operands) | Node::Or(operands) | Node::Apply(_, operands) => operands.get(i).copied(),
            Node::Not(a) | Node::Neg(a) | Node::Cast(_, a) | Node::BitNot(a) => [*a].get(i).copied(),
            Node::Eq(a, b)
            | Node::Lt(a, b)
            | Node::Le(a, b)
            | Node::Add(a, b)
            | Node::Mul(a, b)
            | Node::Div(a, b)
            | Node::IntDiv(a, b)
            | Node::Mod(a, b)
            | Node::Bits(_, a, b) => [*a, *b].get(i).copied(),
            Node::Ite(c, a, b) => [*c, *a, *b].get(i).copied(),
        }
    }

    /// The children, from left to right.
    pub fn children(&self) -> impl Iterator<Item = Expr> + '_ {
        (0..).map_while(|i| self.child(i))
    }

    /// The same node with other children.
    pub(crate) fn with_children(&self, at: impl Fn(Expr) -> Expr) -> Node {
        let all = |operands: &[Expr]| operands.iter().map(|it| at(*it)).collect();
        match self {
            Node::Bool(_)
            | Node::Int(_)
            | Node::Machine(..)
            | Node::Real(_)
            | Node::Literal(..)
            | Node::Var(_) => self.clone(),
            Node::Not(a) => Node::Not(at(*a)),
            Node::And(operands) => Node::And(all(operands)),
            Node::Or(operands) => Node::Or(all(operands)),
            Node::Eq(a, b) => Node::Eq(at(*a), at(*b)),
            Node::Lt(a, b) => Node::Lt(at(*a), at(*b)),
            Node::Le(a, b) => Node::Le(at(*a), at(*b)),
            Node::Ite(c, a, b) => Node::Ite(at(*c), at(*a), at(*b)),
            Node::Neg(a) => Node::Neg(at(*a)),
            Node::Add(a, b) => Node::Add(at(*a), at(*b)),
            Node::Mul(a, b) => Node::Mul(at(*a), at(*b)),
            Node::Div(a, b) => Node::Div(at(*a), at(*b)),
            Node::IntDiv(a, b) => Node::IntDiv(at(*a), at(*b)),
            Node::Mod(a, b) => Node::Mod(at(*a), at(*b)),
            Node::Cast(ty, a) => Node::Cast(*ty, at(*a)),
            Node::BitNot(a) => Node::BitNot(at(*a)),
            Node::Bits(op, a, b) => Node::Bits(*op, at(*a), at(*b)),
            Node::Apply(function, arguments) => Node::Apply(*function, all(arguments)),
        }
    }

    /// Whether it is a constant.
    pub fn is_constant(&self) -> bool {
        matches!(self, Node::Bool(_) | Node::Int(_) | Node::Machine(..) | Node::Real(_) | Node::Literal(..))
    }
}

/// An arena of expressions, with the enumerations and functions that they use.
#[derive(Clone, Debug)]
pub struct Pool {
    nodes: Interned<Node>,
    types: Vec<Type>,
    enums: Interned<Enumeration>,
    functions: Interned<Signature>,
}

impl Default for Pool {
    fn default() -> Pool {
        let mut pool = Pool {
            nodes: Interned::default(),
            types: Vec::new(),
            enums: Interned::default(),
            functions: Interned::default(),
        };
        pool.intern(Node::Bool(true), Type::Bool);
        pool.intern(Node::Bool(false), Type::Bool);
        pool
    }
}

impl Pool {
    /// The constant true.
    pub const TRUE: Expr = Expr(0);
    /// The constant false.
    pub const FALSE: Expr = Expr(1);

    /// The node with this id.
    pub fn node(&self, expr: Expr) -> &Node {
        &self.nodes[expr.index()]
    }

    /// The type of an expression.
    pub fn type_of(&self, expr: Expr) -> Type {
        self.types[expr.index()]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether all expressions of another pool are in this one too, under the same ids.
    pub fn extends(&self, other: &Pool) -> bool {
        let begins = |all: &[Type], with: &[Type]| all.get(..with.len()) == Some(with);
        begins(&self.types, &other.types)
            && other.nodes.iter().eq(self.nodes.iter().take(other.nodes.len()))
            && other.enums.iter().eq(self.enums.iter().take(other.enums.len()))
            && other.functions.iter().eq(self.functions.iter().take(other.functions.len()))
    }

    /// Never true: the Boolean constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Declares an enumeration. The same name and literals always have the same id.
    pub fn declare_enum(&mut self, name: &str, literals: &[impl AsRef<str>]) -> EnumId {
        let literals: Vec<String> = literals.iter().map(|it| it.as_ref().to_owned()).collect();
        EnumId(self.enums.intern(Enumeration { name: name.to_owned(), literals }))
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id.0 as usize]
    }

    /// All enumerations, in the order of their ids.
    pub fn enumerations(&self) -> impl Iterator<Item = (EnumId, &Enumeration)> {
        (0..).map(EnumId).zip(self.enums.iter())
    }

    /// Declares an uninterpreted function. The same signature always has the same id.
    pub fn declare_function(&mut self, signature: Signature) -> FunctionId {
        FunctionId(self.functions.intern(signature))
    }

    /// The signature of a declared function.
    pub fn signature(&self, id: FunctionId) -> &Signature {
        &self.functions[id.0 as usize]
    }

    /// All declared functions, in the order of their ids.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &Signature)> {
        (0..).map(FunctionId).zip(self.functions.iter())
    }

    /// Every node below the roots and the roots themselves, ascending: children before parents.
    pub fn reachable(&self, roots: impl IntoIterator<Item = Expr>) -> Vec<Expr> {
        let roots: Vec<Expr> = roots.into_iter().collect();
        let mut marked = vec![false; roots.iter().max().map_or(0, |top| top.index() + 1)];
        roots.iter().for_each(|root| marked[root.index()] = true);
        let mut found = Vec::new();
        for index in (0..marked.len()).rev() {
            if marked[index] {
                found.push(Expr(index as u32));
                self.nodes[index].children().for_each(|child| marked[child.index()] = true);
            }
        }
        found.reverse();
        found
    }

    /// The variables below the roots, ascending.
    pub fn variables(&self, roots: impl IntoIterator<Item = Expr>) -> Vec<Var> {
        let mut variables: Vec<Var> = self
            .reachable(roots)
            .into_iter()
            .filter_map(|expr| match self.node(expr) {
                Node::Var(var) => Some(*var),
                _ => None,
            })
            .collect();
        variables.sort();
        variables
    }

    /// The id of a node, which is added if it is new. Called only by the constructors.
    pub(crate) fn intern(&mut self, node: Node, ty: Type) -> Expr {
        let expr = Expr(self.nodes.intern(node));
        if self.nodes.len() > self.types.len() {
            self.types.push(ty);
        }
        expr
    }
}

pub(crate) fn small(len: usize) -> u32 {
    u32::try_from(len).expect("an arena holds at most 2^32 entries, which no memory budget of ours allows")
}
