//! Constructors of Boolean expressions and of expressions of any type: constants, variables, connectives, equality, choice.
//!
//! Each one normalises: constants are folded, double negations and repeated operands are removed, an operand together with its negation
//! decides, and a choice between Booleans becomes a connective where possible. Every rule holds for all values of the operands.

use crate::expr::{EnumId, Expr, Function, Node, Pool, Type, Var, Width};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// The maximum number of operands of a nested junction that is flattened; longer ones stay nested, so that building one incrementally
/// is not quadratic.
const FLATTENED: usize = 8;

impl Pool {
    /// A Boolean.
    pub fn bool(&mut self, value: bool) -> Expr {
        if value { Pool::TRUE } else { Pool::FALSE }
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<IBig>) -> Expr {
        self.intern(Node::Int(value.into()), Type::Int)
    }

    /// A machine integer; the value wraps around.
    pub fn machine(&mut self, width: Width, value: i128) -> Expr {
        self.intern(Node::Machine(width, width.wrap(value)), Type::Machine(width))
    }

    /// Some constant of a type.
    pub fn some_constant(&mut self, ty: Type) -> Expr {
        match ty {
            Type::Bool => Pool::FALSE,
            Type::Int => self.int(0),
            Type::Machine(width) => self.machine(width, 0),
            Type::Real => self.real(0),
            Type::Enum(id) => self.literal(id, 0),
        }
    }

    /// A real number.
    pub fn real(&mut self, value: impl Into<RBig>) -> Expr {
        self.intern(Node::Real(value.into()), Type::Real)
    }

    /// A literal of an enumeration, by index.
    pub fn literal(&mut self, id: EnumId, place: u32) -> Expr {
        self.intern(Node::Literal(id, place), Type::Enum(id))
    }

    /// A literal of an enumeration, by name.
    pub fn literal_named(&mut self, id: EnumId, name: &str) -> Option<Expr> {
        let place = self.enumeration(id).literals.iter().position(|it| it == name)?;
        Some(self.literal(id, place as u32))
    }

    /// A variable. Its type must be the one in the table of variables: use [`System::expr`](crate::System::expr).
    pub(crate) fn var(&mut self, var: Var, ty: Type) -> Expr {
        self.intern(Node::Var(var), ty)
    }

    /// Negation.
    pub fn not(&mut self, a: Expr) -> Expr {
        match *self.node(a) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            Node::Lt(x, y) => self.le(y, x),
            Node::Le(x, y) => self.lt(y, x),
            _ => self.intern(Node::Not(a), Type::Bool),
        }
    }

    /// Conjunction of any number of operands.
    pub fn and(&mut self, operands: impl IntoIterator<Item = Expr>) -> Expr {
        match self.junction(operands, Pool::TRUE, Pool::FALSE) {
            Ok(expr) => expr,
            Err(operands) => self.intern(Node::And(operands), Type::Bool),
        }
    }

    /// Disjunction of any number of operands.
    pub fn or(&mut self, operands: impl IntoIterator<Item = Expr>) -> Expr {
        match self.junction(operands, Pool::FALSE, Pool::TRUE) {
            Ok(expr) => expr,
            Err(operands) => self.intern(Node::Or(operands), Type::Bool),
        }
    }

    /// Implication.
    pub fn implies(&mut self, a: Expr, b: Expr) -> Expr {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Expr, b: Expr) -> Expr {
        self.eq(a, b)
    }

    /// Exactly one of two.
    pub fn xor(&mut self, a: Expr, b: Expr) -> Expr {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// Equality of two values of the same type.
    pub fn eq(&mut self, a: Expr, b: Expr) -> Expr {
        if a == b {
            return Pool::TRUE;
        }
        if self.node(a).is_constant() && self.node(b).is_constant() && self.type_of(a) == self.type_of(b) {
            // Equal constants share one node.
            return Pool::FALSE;
        }
        for (known, other) in [(a, b), (b, a)] {
            if known == Pool::TRUE {
                return other;
            }
            if known == Pool::FALSE {
                return self.not(other);
            }
        }
        match (self.node(a), self.node(b)) {
            (Node::Not(x), Node::Not(y)) => {
                let (x, y) = (*x, *y);
                self.eq(x, y)
            }
            (Node::Not(x), _) if *x == b => Pool::FALSE,
            (_, Node::Not(y)) if *y == a => Pool::FALSE,
            (Node::Not(x), _) => {
                let x = *x;
                let same = self.eq(x, b);
                self.not(same)
            }
            (_, Node::Not(y)) => {
                let y = *y;
                let same = self.eq(a, y);
                self.not(same)
            }
            _ => self.intern(Node::Eq(a.min(b), a.max(b)), Type::Bool),
        }
    }

    /// Inequality of two values of the same type.
    pub fn ne(&mut self, a: Expr, b: Expr) -> Expr {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `a` where the condition holds, otherwise `b`.
    pub fn ite(&mut self, condition: Expr, a: Expr, b: Expr) -> Expr {
        if a == b || condition == Pool::TRUE {
            return a;
        }
        if condition == Pool::FALSE {
            return b;
        }
        if let Node::Not(inner) = *self.node(condition) {
            return self.ite(inner, b, a);
        }
        // A nested choice under the same condition is decided.
        let a = if let Node::Ite(c, x, _) = *self.node(a)
            && c == condition
        {
            x
        } else {
            a
        };
        let b = if let Node::Ite(c, _, y) = *self.node(b)
            && c == condition
        {
            y
        } else {
            b
        };
        if a == b {
            return a;
        }
        if self.type_of(a) != Type::Bool {
            let ty = self.type_of(a);
            return self.intern(Node::Ite(condition, a, b), ty);
        }
        if a == Pool::TRUE || a == condition {
            return self.or([condition, b]);
        }
        if b == Pool::FALSE || b == condition {
            return self.and([condition, a]);
        }
        let not = self.not(condition);
        if a == Pool::FALSE || a == not {
            return self.and([not, b]);
        }
        if b == Pool::TRUE || b == not {
            return self.or([not, a]);
        }
        if self.not(a) == b {
            return self.eq(condition, a);
        }
        self.intern(Node::Ite(condition, a, b), Type::Bool)
    }

    /// A function applied to arguments. Nothing is folded: the values of most functions are not rational.
    pub fn apply(&mut self, function: Function, arguments: &[Expr]) -> Expr {
        let ty = match function {
            Function::Declared(id) => self.signature(id).result,
            _ => Type::Real,
        };
        self.intern(Node::Apply(function, arguments.into()), ty)
    }

    /// Replaces the variables of expressions for which `replace` returns an expression.
    pub fn substitute(&mut self, roots: &[Expr], replace: &dyn Fn(Var) -> Option<Expr>) -> Vec<Expr> {
        self.replace(roots, &|_, node| match node {
            Node::Var(var) => replace(*var),
            _ => None,
        })
    }

    /// Replaces the parts of expressions for which `replace` returns an expression.
    pub fn replace(&mut self, roots: &[Expr], replace: &dyn Fn(Expr, &Node) -> Option<Expr>) -> Vec<Expr> {
        let mut now: rustc_hash::FxHashMap<Expr, Expr> = rustc_hash::FxHashMap::default();
        for expr in self.reachable(roots.iter().copied()) {
            let node = self.node(expr).clone();
            let new = match replace(expr, &node) {
                Some(new) => new,
                None => self.rebuilt(&node, &|child| now[&child]).unwrap_or(expr),
            };
            now.insert(expr, new);
        }
        roots.iter().map(|root| now[root]).collect()
    }

    /// A node with other children, made by the constructors; `None` for a variable.
    pub fn rebuilt(&mut self, node: &Node, at: &dyn Fn(Expr) -> Expr) -> Option<Expr> {
        Some(match node {
            Node::Bool(value) => self.bool(*value),
            Node::Int(value) => self.int(value.clone()),
            Node::Machine(width, value) => self.machine(*width, *value),
            Node::Real(value) => self.real(value.clone()),
            Node::Literal(id, place) => self.literal(*id, *place),
            Node::Var(_) => return None,
            Node::Not(a) => self.not(at(*a)),
            Node::And(operands) => self.and(operands.iter().map(|it| at(*it))),
            Node::Or(operands) => self.or(operands.iter().map(|it| at(*it))),
            Node::Eq(a, b) => self.eq(at(*a), at(*b)),
            Node::Lt(a, b) => self.lt(at(*a), at(*b)),
            Node::Le(a, b) => self.le(at(*a), at(*b)),
            Node::Ite(c, a, b) => self.ite(at(*c), at(*a), at(*b)),
            Node::Neg(a) => self.neg(at(*a)),
            Node::Add(a, b) => self.add(at(*a), at(*b)),
            Node::Mul(a, b) => self.mul(at(*a), at(*b)),
            Node::Div(a, b) => self.div(at(*a), at(*b)),
            Node::IntDiv(a, b) => self.int_div(at(*a), at(*b)),
            Node::Mod(a, b) => self.modulo(at(*a), at(*b)),
            Node::Cast(ty, a) => self.cast(*ty, at(*a)),
            Node::BitNot(a) => self.bit_not(at(*a)),
            Node::Bits(op, a, b) => self.bits(*op, at(*a), at(*b)),
            Node::Apply(function, arguments) => {
                let arguments: Vec<Expr> = arguments.iter().map(|it| at(*it)).collect();
                self.apply(*function, &arguments)
            }
        })
    }

    /// The junction if it needs no node of its own, otherwise its operands.
    fn junction(
        &self,
        operands: impl IntoIterator<Item = Expr>,
        neutral: Expr,
        decisive: Expr,
    ) -> Result<Expr, Box<[Expr]>> {
        let mut all: Vec<Expr> = Vec::new();
        for operand in operands {
            match self.node(operand) {
                Node::And(inner) if neutral == Pool::TRUE && inner.len() <= FLATTENED => all.extend(inner),
                Node::Or(inner) if neutral == Pool::FALSE && inner.len() <= FLATTENED => all.extend(inner),
                _ => all.push(operand),
            }
        }
        all.retain(|operand| *operand != neutral);
        all.sort();
        all.dedup();
        let opposed = |operand: &Expr| match self.node(*operand) {
            Node::Not(inner) => all.binary_search(inner).is_ok(),
            _ => *operand == decisive,
        };
        if all.iter().any(opposed) {
            return Ok(decisive);
        }
        match all[..] {
            [] => Ok(neutral),
            [only] => Ok(only),
            _ => Err(all.into()),
        }
    }
}
