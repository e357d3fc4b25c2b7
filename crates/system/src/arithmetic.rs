//! Constructors of numeric expressions: order, arithmetic, conversions, bits.
//!
//! Constants are folded with exact arithmetic, and neutral elements are removed. What has no value (a division by zero) is never
//! folded. Machine integers wrap around; their division truncates, as SMT-LIB's `bvsdiv` and `bvsrem` do.

use crate::expr::{Bits, Expr, Node, Pool, Type, Width};
use dashu_int::IBig;
use dashu_int::ops::{BitTest, DivRemEuclid};
use dashu_ratio::RBig;
use logic::Rel;
use std::cmp::Ordering;

/// The maximum number of bits in exact arithmetic; longer results are not folded, and are undefined in simulation.
pub(crate) const MAX_BITS: usize = 1 << 20;

impl Pool {
    /// Less than.
    pub fn lt(&mut self, a: Expr, b: Expr) -> Expr {
        match self.compared(a, b) {
            Some(order) => self.bool(order == Ordering::Less),
            None => self.intern(Node::Lt(a, b), Type::Bool),
        }
    }

    /// At most.
    pub fn le(&mut self, a: Expr, b: Expr) -> Expr {
        match self.compared(a, b) {
            Some(order) => self.bool(order != Ordering::Greater),
            None => self.intern(Node::Le(a, b), Type::Bool),
        }
    }

    /// Greater than.
    pub fn gt(&mut self, a: Expr, b: Expr) -> Expr {
        self.lt(b, a)
    }

    /// At least.
    pub fn ge(&mut self, a: Expr, b: Expr) -> Expr {
        self.le(b, a)
    }

    /// A comparison of two values of one type.
    pub fn compare(&mut self, rel: Rel, a: Expr, b: Expr) -> Expr {
        match rel {
            Rel::Lt => self.lt(a, b),
            Rel::Le => self.le(a, b),
            Rel::Gt => self.gt(a, b),
            Rel::Ge => self.ge(a, b),
            Rel::Eq => self.eq(a, b),
            Rel::Ne => self.ne(a, b),
        }
    }

    /// Arithmetic negation.
    pub fn neg(&mut self, a: Expr) -> Expr {
        match self.node(a) {
            Node::Int(value) => {
                let value = -value.clone();
                self.int(value)
            }
            Node::Machine(width, value) => {
                let (width, value) = (*width, *value);
                self.machine(width, value.wrapping_neg())
            }
            Node::Real(value) => {
                let value = -value.clone();
                self.real(value)
            }
            Node::Neg(inner) => *inner,
            _ => self.unary(Node::Neg(a), a),
        }
    }

    /// Sum. Negations of both operands move outwards, which is exact in doubles too.
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        if self.is_number(a, 0) {
            return b;
        }
        if self.is_number(b, 0) {
            return a;
        }
        match (self.node(a), self.node(b)) {
            (Node::Int(x), Node::Int(y)) => {
                let sum = x + y;
                self.int(sum)
            }
            (Node::Machine(width, x), Node::Machine(_, y)) => {
                let (width, sum) = (*width, x.wrapping_add(*y));
                self.machine(width, sum)
            }
            (Node::Real(x), Node::Real(y)) if fits(x, y) => {
                let sum = x + y;
                self.real(sum)
            }
            (Node::Neg(x), Node::Neg(y)) => {
                let (x, y) = (*x, *y);
                let sum = self.add(x, y);
                self.neg(sum)
            }
            _ => self.unary(Node::Add(a, b), a),
        }
    }

    /// Difference.
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        let negated = self.neg(b);
        self.add(a, negated)
    }

    /// Product. Negations move outwards, which is exact in doubles too.
    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        for (known, other) in [(a, b), (b, a)] {
            if self.is_number(known, 1) {
                return other;
            }
            if self.is_number(known, 0) {
                return known;
            }
            if self.is_number(known, -1) {
                return self.neg(other);
            }
        }
        match (self.node(a), self.node(b)) {
            (Node::Int(x), Node::Int(y)) if x.bit_len() + y.bit_len() <= MAX_BITS => {
                let product = x * y;
                self.int(product)
            }
            (Node::Machine(width, x), Node::Machine(_, y)) => {
                let (width, product) = (*width, x.wrapping_mul(*y));
                self.machine(width, product)
            }
            (Node::Real(x), Node::Real(y)) if fits(x, y) => {
                let product = x * y;
                self.real(product)
            }
            (&Node::Neg(x), &Node::Neg(y)) => self.mul(x, y),
            (&Node::Neg(x), _) => self.negated(|pool| pool.mul(x, b)),
            (_, &Node::Neg(y)) => self.negated(|pool| pool.mul(a, y)),
            _ => self.unary(Node::Mul(a, b), a),
        }
    }

    fn negated(&mut self, make: impl FnOnce(&mut Pool) -> Expr) -> Expr {
        let made = make(self);
        self.neg(made)
    }

    /// Quotient of reals.
    pub fn div(&mut self, a: Expr, b: Expr) -> Expr {
        if self.is_number(b, 1) {
            return a;
        }
        match (self.node(a), self.node(b)) {
            (Node::Real(x), Node::Real(y)) if !y.is_zero() && fits(x, y) => {
                let quotient = x / y;
                self.real(quotient)
            }
            _ => self.unary(Node::Div(a, b), a),
        }
    }

    /// Integer quotient, of `Int` or of machine integers.
    pub fn int_div(&mut self, a: Expr, b: Expr) -> Expr {
        if self.is_number(b, 1) {
            return a;
        }
        match (self.node(a), self.node(b)) {
            (Node::Int(x), Node::Int(y)) if !y.is_zero() => {
                let quotient = x.div_rem_euclid(y).0;
                self.int(quotient)
            }
            (Node::Machine(width, x), Node::Machine(_, y)) if *y != 0 => {
                let (width, quotient) = (*width, x.wrapping_div(*y));
                self.machine(width, quotient)
            }
            _ => self.unary(Node::IntDiv(a, b), a),
        }
    }

    /// Remainder, of `Int` or of machine integers.
    pub fn modulo(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.node(a), self.node(b)) {
            (Node::Int(x), Node::Int(y)) if !y.is_zero() => {
                let remainder = IBig::from(x.div_rem_euclid(y).1);
                self.int(remainder)
            }
            (Node::Machine(width, x), Node::Machine(_, y)) if *y != 0 => {
                let (width, remainder) = (*width, x.wrapping_rem(*y));
                self.machine(width, remainder)
            }
            _ => self.unary(Node::Mod(a, b), a),
        }
    }

    /// Absolute value.
    pub fn abs(&mut self, a: Expr) -> Expr {
        let Some(zero) = self.number(self.type_of(a), &IBig::ZERO) else { return a };
        let (negative, negated) = (self.lt(a, zero), self.neg(a));
        self.ite(negative, negated, a)
    }

    /// The smaller of two numbers.
    pub fn min(&mut self, a: Expr, b: Expr) -> Expr {
        let first = self.le(a, b);
        self.ite(first, a, b)
    }

    /// The larger of two numbers.
    pub fn max(&mut self, a: Expr, b: Expr) -> Expr {
        let first = self.le(a, b);
        self.ite(first, b, a)
    }

    /// The greatest integer not greater than a real number, as a real number.
    pub fn floor(&mut self, a: Expr) -> Expr {
        let whole = self.cast(Type::Int, a);
        self.cast(Type::Real, whole)
    }

    /// The least integer not less than a real number, as a real number.
    pub fn ceil(&mut self, a: Expr) -> Expr {
        let negated = self.neg(a);
        let floor = self.floor(negated);
        self.neg(floor)
    }

    /// Conversion to a numeric type. A real number is rounded down to an integer.
    pub fn cast(&mut self, ty: Type, a: Expr) -> Expr {
        let from = self.type_of(a);
        if from == ty {
            return a;
        }
        match (self.node(a), ty) {
            (Node::Int(value), Type::Real) => {
                let value = RBig::from(value.clone());
                self.real(value)
            }
            (Node::Int(value), Type::Machine(width)) => {
                let value = low_bits(value);
                self.machine(width, value)
            }
            (Node::Machine(_, value), Type::Int) => {
                let value = *value;
                self.int(value)
            }
            (Node::Machine(_, value), Type::Machine(width)) => {
                let value = *value;
                self.machine(width, value)
            }
            (Node::Real(value), Type::Int) => {
                let value = value.floor();
                self.int(value)
            }
            // Conversion from integer to real and back changes nothing.
            (Node::Cast(Type::Real, inner), Type::Int) if self.type_of(*inner) == Type::Int => *inner,
            _ => match (from, ty) {
                (Type::Machine(_), Type::Real) | (Type::Real, Type::Machine(_)) => {
                    let whole = self.cast(Type::Int, a);
                    self.cast(ty, whole)
                }
                _ => self.intern(Node::Cast(ty, a), ty),
            },
        }
    }

    /// Bitwise complement.
    pub fn bit_not(&mut self, a: Expr) -> Expr {
        match *self.node(a) {
            Node::Machine(width, value) => self.machine(width, !value),
            Node::BitNot(inner) => inner,
            _ => self.unary(Node::BitNot(a), a),
        }
    }

    /// An operation on bits.
    pub fn bits(&mut self, op: Bits, a: Expr, b: Expr) -> Expr {
        match (self.node(a), self.node(b)) {
            (Node::Machine(width, x), Node::Machine(_, y)) => {
                let (width, value) = (*width, bit_operation(op, *width, *x, *y));
                self.machine(width, value)
            }
            _ => self.unary(Node::Bits(op, a, b), a),
        }
    }

    /// An integer as a constant of a numeric type.
    pub fn number(&mut self, ty: Type, value: &IBig) -> Option<Expr> {
        match ty {
            Type::Int => Some(self.int(value.clone())),
            Type::Machine(width) => Some(self.machine(width, low_bits(value))),
            Type::Real => Some(self.real(RBig::from(value.clone()))),
            Type::Bool | Type::Enum(_) => None,
        }
    }

    fn unary(&mut self, node: Node, a: Expr) -> Expr {
        let ty = self.type_of(a);
        self.intern(node, ty)
    }

    fn is_number(&self, a: Expr, number: i8) -> bool {
        match self.node(a) {
            Node::Int(value) => *value == IBig::from(number),
            Node::Machine(_, value) => *value == i128::from(number),
            Node::Real(value) => *value == RBig::from(number),
            _ => false,
        }
    }

    /// The order of two constants, or of an expression and itself.
    fn compared(&self, a: Expr, b: Expr) -> Option<Ordering> {
        if a == b {
            return Some(Ordering::Equal);
        }
        match (self.node(a), self.node(b)) {
            (Node::Int(x), Node::Int(y)) => Some(x.cmp(y)),
            (Node::Machine(_, x), Node::Machine(_, y)) => Some(x.cmp(y)),
            (Node::Real(x), Node::Real(y)) => Some(x.cmp(y)),
            _ => None,
        }
    }
}

/// The number modulo 2^64, which covers every width.
pub(crate) fn low_bits(value: &IBig) -> i128 {
    let (_, low) = value.div_rem_euclid(IBig::from(1u128 << 64));
    i128::try_from(low).unwrap_or_default()
}

pub(crate) fn bit_operation(op: Bits, width: Width, x: i128, y: i128) -> i128 {
    let steps = u32::try_from(y).unwrap_or(u32::MAX).min(64);
    width.wrap(match op {
        Bits::And => x & y,
        Bits::Or => x | y,
        Bits::Xor => x ^ y,
        Bits::ShiftLeft => x.wrapping_shl(steps),
        Bits::ShiftRight => x >> steps,
    })
}

/// Whether sums, products and quotients of two numbers stay below the limit.
pub(crate) fn fits(x: &RBig, y: &RBig) -> bool {
    let bits = |it: &RBig| it.numerator().bit_len() + it.denominator().bit_len();
    bits(x) + bits(y) <= MAX_BITS
}
