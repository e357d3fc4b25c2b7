//! Constructors of terms: numbers, names, arithmetic, choice and previous values.
//!
//! Arithmetic keeps what was written: `2 + 3` stays a sum. Only a sign becomes part of its numeral.

use crate::store::{Arith, Class, Formula, Fun, Id, Node, Numeral, Store, Symbol, Term};
use dashu_ratio::RBig;

impl Store {
    /// A number with its spelling.
    pub fn num(&mut self, value: RBig, numeral: Numeral) -> Term {
        Term(self.intern(Node::Num(value, numeral)))
    }

    /// A literal of an enumeration.
    pub fn value(&mut self, symbol: Symbol) -> Term {
        Term(self.intern(Node::Value(symbol)))
    }

    /// A variable used as a value.
    pub fn term_var(&mut self, symbol: Symbol) -> Term {
        Term(self.intern(Node::Var(symbol)))
    }

    /// A hole for a term.
    pub fn term_hole(&mut self, k: u32) -> Term {
        Term(self.intern(Node::Hole(k)))
    }

    /// An uninterpreted function. Its arguments may be terms or formulas, so a formula needs no wrapping.
    pub fn term_call(&mut self, symbol: Symbol, arguments: Vec<Id>) -> Term {
        let bare = |id: Id| if let Node::Bool(f) = self.node(id) { f.id() } else { id };
        let arguments = arguments.into_iter().map(bare).collect();
        Term(self.intern(Node::Call(symbol, arguments)))
    }

    /// Arithmetic negation.
    pub fn neg(&mut self, t: Term) -> Term {
        if let Node::Num(value, numeral) = self.node(t) {
            let (value, numeral) = (-value.clone(), *numeral);
            return self.num(value, numeral);
        }
        Term(self.intern(Node::Neg(t)))
    }

    /// Arithmetic on two terms.
    pub fn arith(&mut self, op: Arith, a: Term, b: Term) -> Term {
        Term(self.intern(Node::Arith(op, a, b)))
    }

    /// A function with a fixed meaning.
    pub fn fun(&mut self, fun: Fun, arguments: Vec<Term>) -> Term {
        Term(self.intern(Node::Fun(fun, arguments.into())))
    }

    /// `a` if the condition holds, otherwise `b`.
    pub fn ite(&mut self, condition: Formula, a: Term, b: Term) -> Term {
        if a == b || condition == self.top() {
            return a;
        }
        if condition == self.bottom() {
            return b;
        }
        Term(self.intern(Node::Ite(condition, a, b)))
    }

    /// `initial` at the first position, afterwards `t` at the previous position.
    pub fn pre(&mut self, initial: Term, t: Term) -> Term {
        Term(self.intern(Node::Pre(initial, t)))
    }

    /// A formula used as a value. Variables, holes and calls are the same node in both views.
    pub fn term_of(&mut self, f: Formula) -> Term {
        self.as_term(f.id())
    }

    /// A node as a term.
    pub fn as_term(&mut self, id: Id) -> Term {
        match self.node(id).class() {
            Class::Name | Class::Term => Term(id),
            Class::Constant | Class::Connective | Class::Temporal | Class::Comparison => {
                Term(self.intern(Node::Bool(Formula(id))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Store;
    use crate::testing::expect_printed;

    #[test]
    fn identities() {
        expect_printed(&[
            ("(= x (neg 3))", "x = -3"),
            ("(= x (neg y))", "x = -y"),
            ("(= x (+ 2 3))", "x = 2 + 3"),
            ("(= x 2.0)", "x = 2.0"),
            ("(= x (ite p y y))", "x = y"),
            ("(= x (ite true y z))", "x = y"),
            ("(= x (ite false y z))", "x = z"),
            ("(= x (pre 0 y))", "x = pre(0, y)"),
            ("(= p (& q r))", "p = (q & r)"),
        ]);
    }

    #[test]
    fn a_variable_is_one_node_on_both_sides() {
        let mut store = Store::default();
        let p = store.symbol("p");
        let formula = store.var(p);
        assert_eq!(store.term_of(formula), store.term_var(p));
        let both = store.not(formula);
        let value = store.term_of(both);
        assert_eq!(store.as_formula(value), Some(both));
    }
}
