//! Regular and ω-regular expressions, hash-consed: equal expressions have equal ids.
//!
//! Sequences and unions are n-ary and flat. The constructors are the only way to make a node; they apply the trivial identities.
//! There are two sorts: sets of finite words, and sets of infinite words, which only [`Expressions::omega`] makes; nothing follows an
//! infinite word, and a union has one sort. The empty set belongs to both. Invariant: operands come before the nodes that use them.

pub mod guard;
pub mod measure;
pub mod text;

use crate::expression::measure::Measure;
use base::Interned;
use omega::{Guard, Guards};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The id of an expression in an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr(u32);

impl Expr {
    /// No word.
    pub const EMPTY: Expr = Expr(0);
    /// The empty word only.
    pub const EPSILON: Expr = Expr(1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of an expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// No word.
    Empty,
    /// The empty word.
    Epsilon,
    /// One letter that the guard allows.
    Step(Guard),
    /// Two or more, one after the other; only the last may be infinite.
    Sequence(Rc<[Expr]>),
    /// One of two or more, sorted, at most one of them a step.
    Union(Rc<[Expr]>),
    /// Any number of times.
    Star(Expr),
    /// Infinitely many nonempty words of the operand, one after the other.
    Omega(Expr),
}

/// An arena of expressions, and of the guards of their steps.
#[derive(Debug, Clone)]
pub struct Expressions {
    /// The diagrams of the guards.
    pub guards: Guards,
    nodes: Interned<Node>,
    measures: Vec<Measure>,
}

impl Expressions {
    /// An arena for expressions over the given guards.
    pub fn new(guards: Guards) -> Expressions {
        let mut arena = Expressions { guards, nodes: Interned::default(), measures: Vec::new() };
        arena.intern(Node::Empty);
        arena.intern(Node::Epsilon);
        arena
    }

    /// The node of an expression.
    pub fn node(&self, expr: Expr) -> &Node {
        &self.nodes[expr.index()]
    }

    /// The sizes of an expression.
    pub fn measure(&self, expr: Expr) -> &Measure {
        &self.measures[expr.index()]
    }

    /// The number of expressions, as a measure of the work done.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: the empty set is always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether it contains the empty word.
    pub fn nullable(&self, expr: Expr) -> bool {
        self.measure(expr).nullable
    }

    /// Whether its words are infinite.
    pub fn infinite(&self, expr: Expr) -> bool {
        self.measure(expr).infinite
    }

    /// One letter that the guard allows.
    pub fn step(&mut self, guard: Guard) -> Expr {
        if guard == Guard::FALSE { Expr::EMPTY } else { self.intern(Node::Step(guard)) }
    }

    /// Concatenation. What would come after an infinite word is dropped.
    pub fn sequence(&mut self, operands: impl IntoIterator<Item = Expr>) -> Expr {
        let mut flat: Vec<Expr> = Vec::new();
        for operand in operands {
            match self.node(operand) {
                Node::Empty => return Expr::EMPTY,
                Node::Epsilon => {}
                Node::Sequence(inner) => flat.extend(inner.iter()),
                Node::Step(_) | Node::Union(_) | Node::Star(_) | Node::Omega(_) => flat.push(operand),
            }
            if self.infinite(operand) {
                break;
            }
        }
        // r* r* = r*; in r* r^ω the first part is redundant.
        let mut kept: Vec<Expr> = Vec::with_capacity(flat.len());
        for operand in flat {
            let repeated = |last: &Expr| match (self.node(*last), self.node(operand)) {
                (Node::Star(_), Node::Star(_)) => *last == operand,
                (Node::Star(a), Node::Omega(b)) => a == b,
                _ => false,
            };
            if kept.last().is_some_and(repeated) {
                kept.pop();
            }
            kept.push(operand);
        }
        match kept.as_slice() {
            [] => Expr::EPSILON,
            [one] => *one,
            _ => self.intern(Node::Sequence(kept.into())),
        }
    }

    /// Union. All operands have the same sort.
    pub fn union(&mut self, operands: impl IntoIterator<Item = Expr>) -> Expr {
        let mut flat: Vec<Expr> = Vec::new();
        let mut letters = Guard::FALSE;
        for operand in operands {
            let parts: &[Expr] = match &self.nodes[operand.index()] {
                Node::Empty => &[],
                Node::Union(inner) => inner,
                Node::Epsilon | Node::Step(_) | Node::Sequence(_) | Node::Star(_) | Node::Omega(_) => {
                    &[operand]
                }
            };
            for &part in parts {
                match self.nodes[part.index()] {
                    Node::Step(guard) => letters = self.guards.or(letters, guard),
                    _ => flat.push(part),
                }
            }
        }
        if letters != Guard::FALSE {
            flat.push(self.step(letters));
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.first() == Some(&Expr::EPSILON) && flat[1..].iter().any(|&part| self.nullable(part)) {
            flat.remove(0);
        }
        let infinite = flat.first().is_some_and(|&part| self.infinite(part));
        assert!(flat.iter().all(|&part| self.infinite(part) == infinite), "a union is of one sort");
        match flat.as_slice() {
            [] => Expr::EMPTY,
            [one] => *one,
            _ => self.intern(Node::Union(flat.into())),
        }
    }

    /// Any number of times; the operand is finite.
    pub fn star(&mut self, operand: Expr) -> Expr {
        assert!(!self.infinite(operand), "a star is of finite words");
        if let Some(rest) = self.without_epsilon(operand) {
            return self.star(rest);
        }
        match self.node(operand) {
            Node::Empty | Node::Epsilon => Expr::EPSILON,
            Node::Star(_) => operand,
            Node::Step(_) | Node::Sequence(_) | Node::Union(_) | Node::Omega(_) => {
                self.intern(Node::Star(operand))
            }
        }
    }

    /// Infinite repetition; the operand is finite.
    pub fn omega(&mut self, operand: Expr) -> Expr {
        assert!(!self.infinite(operand), "for ever is of finite words");
        if let Some(rest) = self.without_epsilon(operand) {
            return self.omega(rest);
        }
        match self.node(operand) {
            Node::Empty | Node::Epsilon => Expr::EMPTY,
            &Node::Star(inner) => self.omega(inner),
            Node::Step(_) | Node::Sequence(_) | Node::Union(_) | Node::Omega(_) => {
                self.intern(Node::Omega(operand))
            }
        }
    }

    /// The other alternatives, if the empty word is one.
    fn without_epsilon(&mut self, operand: Expr) -> Option<Expr> {
        let Node::Union(parts) = self.node(operand) else { return None };
        let parts = parts.clone();
        (parts[0] == Expr::EPSILON).then(|| self.union(parts[1..].iter().copied()))
    }

    /// The operands of an expression.
    pub fn operands(&self, expr: Expr) -> &[Expr] {
        match self.node(expr) {
            Node::Empty | Node::Epsilon | Node::Step(_) => &[],
            Node::Sequence(operands) | Node::Union(operands) => operands,
            Node::Star(operand) | Node::Omega(operand) => std::slice::from_ref(operand),
        }
    }

    /// The parts of a sequence; an expression that is not a sequence is its only part.
    pub fn parts<'a>(&'a self, expr: &'a Expr) -> &'a [Expr] {
        match self.node(*expr) {
            Node::Sequence(parts) => parts,
            Node::Epsilon => &[],
            Node::Empty | Node::Step(_) | Node::Union(_) | Node::Star(_) | Node::Omega(_) => {
                std::slice::from_ref(expr)
            }
        }
    }

    /// The alternatives of a union; an expression that is not a union is its only alternative.
    pub fn alternatives<'a>(&'a self, expr: &'a Expr) -> &'a [Expr] {
        match self.node(*expr) {
            Node::Union(parts) => parts,
            Node::Empty => &[],
            Node::Epsilon | Node::Step(_) | Node::Sequence(_) | Node::Star(_) | Node::Omega(_) => {
                std::slice::from_ref(expr)
            }
        }
    }

    /// The same kind of expression with other operands; a leaf stays unchanged.
    pub fn with_operands(&mut self, expr: Expr, operands: Vec<Expr>) -> Expr {
        match self.node(expr) {
            Node::Empty | Node::Epsilon | Node::Step(_) => expr,
            Node::Sequence(_) => self.sequence(operands),
            Node::Union(_) => self.union(operands),
            Node::Star(_) => self.star(operands[0]),
            Node::Omega(_) => self.omega(operands[0]),
        }
    }

    /// Every expression below and the expression itself, operands first.
    pub fn reachable(&self, root: Expr) -> Vec<Expr> {
        self.reachable_until(root, |_| false)
    }

    /// As [`reachable`](Expressions::reachable), without those for which `stop` returns true and what is only below them.
    pub fn reachable_until(&self, root: Expr, stop: impl Fn(Expr) -> bool) -> Vec<Expr> {
        let mut seen: FxHashSet<Expr> = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(expr) = stack.pop() {
            if !stop(expr) && seen.insert(expr) {
                stack.extend(self.operands(expr));
            }
        }
        let mut list: Vec<Expr> = seen.into_iter().collect();
        list.sort_unstable();
        list
    }

    fn intern(&mut self, node: Node) -> Expr {
        let expr = Expr(self.nodes.intern(node));
        if self.nodes.len() > self.measures.len() {
            self.measures.push(Measure::of(self, self.node(expr)));
        }
        expr
    }
}
