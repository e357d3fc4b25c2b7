//! Formulas in negation normal form, the input of the translation.
//!
//! Equal formulas have the same number, and the negation of formula `f` is `f ^ 1`. So every rule is written once, for `until` and
//! for conjunction, and also covers its dual. Invariant: the operands of a node have smaller numbers. The constructors apply the
//! rewrite rules of `rules`.

use base::Interned;
use rustc_hash::FxHashMap;
use std::ops::Not;

/// The id of a formula in an [`Arena`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ltl(u32);

impl Ltl {
    pub(crate) const TRUE: Ltl = Ltl(0);
    pub(crate) const FALSE: Ltl = Ltl(1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Ltl {
    type Output = Ltl;
    fn not(self) -> Ltl {
        Ltl(self.0 ^ 1)
    }
}

/// The span of an operator: a number of steps, or unbounded.
pub(crate) type Span = Option<u64>;

/// One node. A `strong` next needs a next position; on infinite words every next is strong.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    True,
    False,
    Literal { atom: u32, positive: bool },
    And(Box<[Ltl]>),
    Or(Box<[Ltl]>),
    Next { strong: bool, steps: u64, f: Ltl },
    Until(Span, Ltl, Ltl),
    Release(Span, Ltl, Ltl),
}

impl Op {
    /// The node with other operands.
    pub(crate) fn with_operands(&self, of: impl Fn(Ltl) -> Ltl) -> Op {
        match self {
            Op::True => Op::True,
            Op::False => Op::False,
            Op::Literal { atom, positive } => Op::Literal { atom: *atom, positive: *positive },
            Op::And(operands) => Op::And(operands.iter().map(|&f| of(f)).collect()),
            Op::Or(operands) => Op::Or(operands.iter().map(|&f| of(f)).collect()),
            Op::Next { strong, steps, f } => Op::Next { strong: *strong, steps: *steps, f: of(*f) },
            Op::Until(span, a, b) => Op::Until(*span, of(*a), of(*b)),
            Op::Release(span, a, b) => Op::Release(*span, of(*a), of(*b)),
        }
    }
}

/// An arena of formulas.
#[derive(Debug, Clone)]
pub(crate) struct Arena {
    nodes: Interned<Op>,
    /// Whether a formula is a pure eventuality: true if it is true later (Etessami and Holzmann 2000).
    eventual: Vec<bool>,
    pub(crate) implied: FxHashMap<(Ltl, Ltl), bool>,
    /// Whether words are finite: then there is a weak next besides the strong one, and only the rules for both hold.
    pub(crate) finite: bool,
}

impl Arena {
    pub(crate) fn new(finite: bool) -> Arena {
        let mut nodes = Interned::default();
        for op in [Op::True, Op::False] {
            nodes.intern(op);
        }
        Arena { nodes, eventual: vec![true, true], implied: FxHashMap::default(), finite }
    }

    pub(crate) fn op(&self, f: Ltl) -> &Op {
        &self.nodes[f.index()]
    }

    /// Whether the formula is true now if it is true later.
    pub(crate) fn is_eventual(&self, f: Ltl) -> bool {
        !self.finite && self.eventual[f.index()]
    }

    /// Whether the formula is true later if it is true now.
    pub(crate) fn is_universal(&self, f: Ltl) -> bool {
        self.is_eventual(!f)
    }

    /// Whether the value of the formula does not depend on the position.
    pub(crate) fn is_timeless(&self, f: Ltl) -> bool {
        self.is_eventual(f) && self.is_universal(f)
    }

    pub(crate) fn literal(&mut self, atom: u32, positive: bool) -> Ltl {
        self.intern(Op::Literal { atom, positive })
    }

    /// The operands of a formula.
    pub(crate) fn operands(&self, f: Ltl) -> Vec<Ltl> {
        match self.op(f) {
            Op::True | Op::False | Op::Literal { .. } => Vec::new(),
            Op::And(operands) | Op::Or(operands) => operands.to_vec(),
            Op::Next { f, .. } => vec![*f],
            Op::Until(_, a, b) | Op::Release(_, a, b) => vec![*a, *b],
        }
    }

    /// The operands of a conjunction; any other formula is its own only operand.
    pub(crate) fn conjuncts(&self, f: Ltl) -> Vec<Ltl> {
        match self.op(f) {
            Op::And(operands) => operands.to_vec(),
            _ => vec![f],
        }
    }

    /// The operands of a disjunction; any other formula is its own only operand.
    pub(crate) fn disjuncts(&self, f: Ltl) -> Vec<Ltl> {
        match self.op(f) {
            Op::Or(operands) => operands.to_vec(),
            _ => vec![f],
        }
    }

    /// The operand of G.
    pub(crate) fn always(&self, f: Ltl) -> Option<Ltl> {
        match self.op(f) {
            Op::Release(None, Ltl::FALSE, g) => Some(*g),
            _ => None,
        }
    }

    /// The operand of F.
    pub(crate) fn sometime(&self, f: Ltl) -> Option<Ltl> {
        self.always(!f).map(|g| !g)
    }

    /// Whether a formula refers only to the present.
    pub(crate) fn is_boolean(&self, f: Ltl) -> bool {
        let mut open = vec![f];
        while let Some(f) = open.pop() {
            match self.op(f) {
                Op::True | Op::False | Op::Literal { .. } => {}
                Op::And(operands) | Op::Or(operands) => open.extend(operands.iter()),
                Op::Next { .. } | Op::Until(..) | Op::Release(..) => return false,
            }
        }
        true
    }

    /// The number of a node; its negation gets the adjacent number.
    pub(crate) fn intern(&mut self, op: Op) -> Ltl {
        if let Some(known) = self.nodes.get(&op) {
            return Ltl(known);
        }
        let dual = self.dual(&op);
        let [f, _] = [op, dual].map(|op| {
            self.eventual.push(self.eventuality(&op));
            Ltl(self.nodes.intern(op))
        });
        f
    }

    fn eventuality(&self, op: &Op) -> bool {
        let is = |f: &Ltl| self.eventual[f.index()];
        match op {
            Op::True | Op::False => true,
            Op::Literal { .. } => false,
            Op::And(operands) | Op::Or(operands) => operands.iter().all(is),
            Op::Next { f, .. } => is(f),
            Op::Until(span, a, b) => is(b) || (span.is_none() && *a == Ltl::TRUE),
            Op::Release(_, a, b) => is(a) && is(b),
        }
    }

    fn dual(&self, op: &Op) -> Op {
        let all = |operands: &[Ltl]| operands.iter().map(|&f| !f).collect();
        match op {
            Op::True => Op::False,
            Op::False => Op::True,
            Op::Literal { atom, positive } => Op::Literal { atom: *atom, positive: !positive },
            Op::And(operands) => Op::Or(all(operands)),
            Op::Or(operands) => Op::And(all(operands)),
            Op::Next { strong, steps, f } => {
                Op::Next { strong: !self.finite || !strong, steps: *steps, f: !*f }
            }
            Op::Until(span, a, b) => Op::Release(*span, !*a, !*b),
            Op::Release(span, a, b) => Op::Until(*span, !*a, !*b),
        }
    }
}
