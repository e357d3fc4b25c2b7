//! Constructors of Boolean formulas: constants, atoms and connectives.
//!
//! They keep what was written and apply only trivial identities: double negation, constants, repeated and complementary operands.
//! `and` and `or` are flat, in the order of first occurrence.

use crate::store::{Formula, Id, Node, Rel, Store, Symbol, Term};
use rustc_hash::FxHashSet;

impl Store {
    /// The constant true or false.
    pub fn bool(&self, value: bool) -> Formula {
        if value { self.top() } else { self.bottom() }
    }

    /// A Boolean variable.
    pub fn var(&mut self, symbol: Symbol) -> Formula {
        Formula(self.intern(Node::Var(symbol)))
    }

    /// A hole for a formula.
    pub fn hole(&mut self, k: u32) -> Formula {
        Formula(self.intern(Node::Hole(k)))
    }

    /// An uninterpreted predicate.
    pub fn call(&mut self, symbol: Symbol, arguments: Vec<Id>) -> Formula {
        Formula(self.term_call(symbol, arguments).id())
    }

    /// Negation; it is not pushed inwards.
    pub fn not(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::True => self.bottom(),
            Node::False => self.top(),
            Node::Not(g) => *g,
            _ => Formula(self.intern(Node::Not(f))),
        }
    }

    /// Conjunction of two.
    pub fn and2(&mut self, a: Formula, b: Formula) -> Formula {
        self.and([a, b])
    }

    /// Conjunction; true if there are no operands.
    pub fn and(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.junction(Junction::And, operands)
    }

    /// Disjunction of two.
    pub fn or2(&mut self, a: Formula, b: Formula) -> Formula {
        self.or([a, b])
    }

    /// Disjunction; false if there are no operands.
    pub fn or(&mut self, operands: impl IntoIterator<Item = Formula>) -> Formula {
        self.junction(Junction::Or, operands)
    }

    /// Implication.
    pub fn implies(&mut self, a: Formula, b: Formula) -> Formula {
        let (top, bottom) = (self.top(), self.bottom());
        if a == top || a == b {
            return if a == b { top } else { b };
        }
        if a == bottom || b == top {
            return top;
        }
        if b == bottom {
            return self.not(a);
        }
        // One is the negation of the other: only the conclusion remains.
        if self.negation(a) == Some(b) {
            return b;
        }
        Formula(self.intern(Node::Implies(a, b)))
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Formula, b: Formula) -> Formula {
        self.same(a, b, true)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Formula, b: Formula) -> Formula {
        self.same(a, b, false)
    }

    /// A comparison; folded if both operands are numerals.
    pub fn rel(&mut self, rel: Rel, a: Term, b: Term) -> Formula {
        if let (Node::Num(x, _), Node::Num(y, _)) = (self.node(a), self.node(b)) {
            return self.bool(rel.holds(x, y));
        }
        Formula(self.intern(Node::Rel(rel, a, b)))
    }

    /// Conjunction or disjunction.
    pub(crate) fn junction(
        &mut self,
        kind: Junction,
        operands: impl IntoIterator<Item = Formula>,
    ) -> Formula {
        let neutral = self.bool(kind == Junction::And);
        let dominant = self.bool(kind == Junction::Or);
        let mut kept = Operands::default();
        for operand in operands {
            if let Some(inner) = kind.operands(self.node(operand)) {
                inner.iter().for_each(|&f| kept.push(f));
            } else if operand != neutral {
                kept.push(operand);
            }
        }
        let clash = kept.list.iter().any(|&f| self.negation(f).is_some_and(|g| kept.contains(g)));
        if clash || kept.contains(dominant) {
            return dominant;
        }
        match kept.list.as_slice() {
            [] => neutral,
            [one] => *one,
            _ => Formula(self.intern(kind.node(kept.list))),
        }
    }

    /// The negation of a formula if it already exists: a new one cannot be among given operands.
    pub(crate) fn negation(&self, f: Formula) -> Option<Formula> {
        if let Node::Not(g) = self.node(f) {
            return Some(*g);
        }
        self.existing(&Node::Not(f)).map(Formula)
    }

    fn same(&mut self, a: Formula, b: Formula, equal: bool) -> Formula {
        if a == b {
            return self.bool(equal);
        }
        if self.negation(a) == Some(b) {
            return self.bool(!equal);
        }
        for (constant, other) in [(a, b), (b, a)] {
            if constant == self.bool(equal) {
                return other;
            }
            if constant == self.bool(!equal) {
                return self.not(other);
            }
        }
        Formula(self.intern(if equal { Node::Iff(a, b) } else { Node::Xor(a, b) }))
    }
}

/// Conjunction and disjunction share their identities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Junction {
    And,
    Or,
}

impl Junction {
    pub(crate) fn node(self, operands: Vec<Formula>) -> Node {
        match self {
            Junction::And => Node::And(operands.into()),
            Junction::Or => Node::Or(operands.into()),
        }
    }

    /// The operands of a node of this kind.
    pub(crate) fn operands(self, node: &Node) -> Option<&[Formula]> {
        match (self, node) {
            (Junction::And, Node::And(operands)) | (Junction::Or, Node::Or(operands)) => Some(operands),
            (Junction::And | Junction::Or, _) => None,
        }
    }

    pub(crate) fn dual(self) -> Junction {
        match self {
            Junction::And => Junction::Or,
            Junction::Or => Junction::And,
        }
    }
}

/// Distinct operands in order. A short list is searched as it is; a long one gets an index.
#[derive(Default)]
struct Operands {
    list: Vec<Formula>,
    index: FxHashSet<Formula>,
}

impl Operands {
    const SHORT: usize = 8;

    fn push(&mut self, f: Formula) {
        if self.contains(f) {
            return;
        }
        self.list.push(f);
        if self.list.len() > Self::SHORT {
            self.index.extend(&self.list[self.index.len()..]);
        }
    }

    fn contains(&self, f: Formula) -> bool {
        if self.list.len() > Self::SHORT { self.index.contains(&f) } else { self.list.contains(&f) }
    }
}

#[cfg(test)]
mod tests {
    use crate::Store;
    use crate::testing::expect_printed;

    #[test]
    fn identities() {
        expect_printed(&[
            ("(! (! a))", "a"),
            ("(! true)", "false"),
            ("(& a true b)", "a & b"),
            ("(& a false)", "false"),
            ("(& a (& b a) c)", "a & b & c"),
            ("(& a (! a))", "false"),
            ("(| (! a) b a)", "true"),
            ("(| a (| b c) b)", "a | b | c"),
            ("(| a false)", "a"),
            ("(&)", "true"),
            ("(|)", "false"),
            ("(& a b c d e f g h i j a b)", "a & b & c & d & e & f & g & h & i & j"),
            ("(& a b c d e f g h i j (! c))", "false"),
            ("(-> true a)", "a"),
            ("(-> a true)", "true"),
            ("(-> a false)", "!a"),
            ("(-> false a)", "true"),
            ("(-> a a)", "true"),
            ("(-> a (! a))", "!a"),
            ("(-> (! a) a)", "a"),
            ("(<-> a a)", "true"),
            ("(<-> a (! a))", "false"),
            ("(<-> true a)", "a"),
            ("(<-> a false)", "!a"),
            ("(xor a a)", "false"),
            ("(xor (! a) a)", "true"),
            ("(xor a true)", "!a"),
            ("(xor false a)", "a"),
            ("(< 1 2.5)", "true"),
            ("(!= 2 2.0)", "false"),
            ("(< x 2.5)", "x < 2.5"),
        ]);
    }

    #[test]
    fn long_conjunctions_are_built_in_near_linear_time() {
        let mut store = Store::default();
        let operands: Vec<_> = (0..200_000)
            .map(|i| {
                let symbol = store.symbol(&format!("p{}", i % 100_000));
                store.var(symbol)
            })
            .collect();
        let all = store.and(operands);
        assert_eq!(store.children(all).count(), 100_000);
    }
}
