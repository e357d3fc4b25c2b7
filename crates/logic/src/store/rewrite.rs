//! Rebuilding formulas: substitution and general bottom-up rewriting, and the size of a formula.
//!
//! Every rebuilt node goes through the constructors, each distinct node is visited once, and an explicit stack replaces recursion. A
//! node whose children did not change is kept.

use crate::store::{Formula, Id, Node, Store, Term};
use rustc_hash::FxHashMap;

impl Store {
    /// Rebuilds what is below `root`. `f` is called once for each node, parents first, and may return a replacement, which is not
    /// visited; if it returns none, the node is rebuilt from its rebuilt children.
    pub fn map(&mut self, root: Id, f: impl FnMut(&mut Store, Id) -> Option<Id>) -> Id {
        self.transform(root, f, |_, id| id)
    }

    /// Replaces `Hole(k)` with the `k`-th of `fillings`. Holes beyond the list stay.
    pub fn fill(&mut self, root: Formula, fillings: &[Id]) -> Formula {
        let filled = self.fill_id(root.id(), fillings);
        self.as_formula(filled).expect("a formula whose holes are filled is a formula")
    }

    /// As [`fill`](Store::fill), for a term.
    pub fn fill_term(&mut self, root: Term, fillings: &[Id]) -> Term {
        let filled = self.fill_id(root.id(), fillings);
        self.as_term(filled)
    }

    /// Whether there is a hole below `root`.
    pub fn has_holes(&self, root: impl Into<Id>) -> bool {
        self.reachable([root.into()]).into_iter().any(|id| matches!(self.node(id), Node::Hole(_)))
    }

    fn fill_id(&mut self, root: Id, fillings: &[Id]) -> Id {
        self.map(root, |store, id| {
            let Node::Hole(k) = store.node(id) else { return None };
            fillings.get(*k as usize).copied()
        })
    }

    /// The size of the formula as a tree: one for each atom and one for each operator between operands. A comparison is an atom,
    /// whatever it compares; bounds count zero. It saturates, because a formula with much sharing can be larger than any number.
    pub fn tree_size(&self, root: impl Into<Id>) -> u64 {
        let root = root.into();
        let ids = self.reachable_until([root], |node| !node.is_operator());
        let mut sizes: FxHashMap<Id, u64> = FxHashMap::default();
        for id in ids {
            let node = self.node(id);
            let size = if node.is_operator() {
                let operators = (node.children().count() as u64).saturating_sub(1).max(1);
                node.children().fold(operators, |sum, child| sum.saturating_add(sizes[&child]))
            } else {
                1
            };
            sizes.insert(id, size);
        }
        sizes[&root]
    }

    /// As [`map`](Store::map), but `after` may replace each rebuilt node.
    pub(crate) fn transform(
        &mut self,
        root: Id,
        mut before: impl FnMut(&mut Store, Id) -> Option<Id>,
        mut after: impl FnMut(&mut Store, Id) -> Id,
    ) -> Id {
        // One pass down calls `before` on each node, one pass up rebuilds those for which it returned nothing.
        let mut done: Vec<Option<Id>> = vec![None; root.index() + 1];
        let mut below = vec![false; root.index() + 1];
        let mut open = Vec::new();
        below[root.index()] = true;
        for index in (0..=root.index()).rev().map(|index| index as u32) {
            if !below[index as usize] {
                continue;
            }
            let id = Id(index);
            match before(self, id) {
                Some(replacement) => done[id.index()] = Some(replacement),
                None => {
                    open.push(id);
                    self.children(id).for_each(|child| below[child.index()] = true);
                }
            }
        }
        for id in open.into_iter().rev() {
            let rebuilt = self.rebuild(id, &|child: Id| done[child.index()].unwrap_or(child));
            done[id.index()] = Some(after(self, rebuilt));
        }
        done[root.index()].unwrap_or(root)
    }

    fn rebuild(&mut self, id: Id, done: &dyn Fn(Id) -> Id) -> Id {
        if self.children(id).all(|child| done(child) == child) {
            return id;
        }
        let f = |store: &Store, f: Formula| {
            let id = done(f.id());
            store.as_formula(id).unwrap_or(Formula(id))
        };
        let t = |store: &mut Store, t: Term| store.as_term(done(t.id()));
        match self.node(id).clone() {
            Node::True | Node::False | Node::Var(_) | Node::Hole(_) | Node::Num(..) | Node::Value(_) => id,
            Node::Call(symbol, arguments) => {
                let arguments = arguments.iter().map(|&a| done(a)).collect();
                self.call(symbol, arguments).id()
            }
            Node::Not(a) => self.not(f(self, a)).id(),
            Node::And(operands) => self.and(operands.iter().map(|&a| f(self, a)).collect::<Vec<_>>()).id(),
            Node::Or(operands) => self.or(operands.iter().map(|&a| f(self, a)).collect::<Vec<_>>()).id(),
            Node::Xor(a, b) => self.xor(f(self, a), f(self, b)).id(),
            Node::Implies(a, b) => self.implies(f(self, a), f(self, b)).id(),
            Node::Iff(a, b) => self.iff(f(self, a), f(self, b)).id(),
            Node::Rel(rel, a, b) => {
                let (a, b) = (t(self, a), t(self, b));
                self.rel(rel, a, b).id()
            }
            Node::Unary(op, bound, a) => self.unary(op, bound, f(self, a)).id(),
            Node::Binary(op, bound, a, b) => self.binary(op, bound, f(self, a), f(self, b)).id(),
            Node::Neg(a) => {
                let a = t(self, a);
                self.neg(a).id()
            }
            Node::Arith(op, a, b) => {
                let (a, b) = (t(self, a), t(self, b));
                self.arith(op, a, b).id()
            }
            Node::Fun(fun, arguments) => {
                let arguments = arguments.iter().map(|&a| t(self, a)).collect();
                self.fun(fun, arguments).id()
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (f(self, c), t(self, a), t(self, b));
                self.ite(c, a, b).id()
            }
            Node::Pre(a, b) => {
                let (a, b) = (t(self, a), t(self, b));
                self.pre(a, b).id()
            }
            Node::Bool(a) => self.term_of(f(self, a)).id(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{read, shall};
    use crate::{Node, Store};

    fn check(input: &str, fillings: &[&str], expected: &str) {
        let mut store = Store::default();
        let root = read(&mut store, input);
        let fillings: Vec<_> = fillings.iter().map(|text| read(&mut store, text).id()).collect();
        let filled = store.fill(root, &fillings);
        assert_eq!(shall(&store, filled), expected, "{input}");
    }

    #[test]
    fn filling_goes_through_the_constructors() {
        check("(-> ?0 (F ?1))", &["(& a b)", "c"], "a & b -> F c");
        check("(& ?0 (& a ?1))", &["(& b c)", "a"], "b & c & a");
        check("(G (-> ?0 p))", &["false"], "true");
        check("(= x ?0)", &["(| a b)"], "x = (a | b)");
        check("(& ?0 ?0)", &["a"], "a");
    }

    #[test]
    fn map_asks_before_it_looks_below() {
        let mut store = Store::default();
        let root = read(&mut store, "(& (F a) b)").id();
        let a = read(&mut store, "a").id();
        let mut asked = Vec::new();
        let result = store.map(root, |store, id| {
            asked.push(id);
            matches!(store.node(id), Node::Unary(..)).then_some(a)
        });
        let result = store.as_formula(result).expect("a formula");
        assert_eq!(shall(&store, result), "a & b");
        assert!(!asked.contains(&a));
    }

    #[test]
    fn tree_sizes() {
        let mut store = Store::default();
        for (input, size) in [
            ("true", 1),
            ("a", 1),
            ("(! a)", 2),
            ("(& a b c)", 5),
            ("(> (+ x 1) 3)", 1),
            ("(X (-> a (F[0,3] b)))", 5),
            ("(U a (| b c))", 5),
        ] {
            let f = read(&mut store, input);
            assert_eq!(store.tree_size(f), size, "{input}");
        }
    }

    #[test]
    fn deep_and_shared_formulas_are_no_problem() {
        let mut store = Store::default();
        let mut f = read(&mut store, "a");
        let b = read(&mut store, "b");
        for _ in 0..100_000 {
            let next = store.next(f);
            let either = store.or2(next, b);
            f = store.xor(next, either);
        }
        assert_eq!(store.tree_size(f), u64::MAX);
        let everything = store.top().id();
        store.map(f.id(), |_, id| (id == b.id()).then_some(everything));
    }
}
