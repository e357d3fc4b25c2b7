//! The arena of formulas and terms: equal nodes are stored once, so two nodes are equal if their ids are.
//!
//! This file contains the arena itself. The smart constructors, which are the only way to make a node, are in submodules: `boolean`
//! (connectives and atoms), `temporal` (temporal operators), `term` (values); `rewrite` rebuilds whole formulas. Invariant: children
//! come before their parents.

mod boolean;
mod node;
mod rewrite;
mod temporal;
mod term;

use base::Interned;

pub(crate) use boolean::Junction;
pub use node::{
    Arith, Binary, Bound, Class, Formula, Fun, Id, Node, Numeral, Rel, Sort, Symbol, Term, Unary,
};

/// An arena of formulas, terms and names.
///
/// ```
/// use shall_logic::{Bound, Store};
/// let mut store = Store::default();
/// let door = store.symbol("door_open");
/// let door = store.var(door);
/// let shut = store.not(door);
/// let once = store.once(Bound::upto(3), shut);
/// assert_eq!(shall_logic::print(&store, once, &shall_logic::SHALL).unwrap(), "O[<=3] !door_open");
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    nodes: Interned<Node>,
    /// Whether each node is known to be fully simplified.
    simple: Vec<bool>,
    names: Interned<String>,
}

const TRUE: Formula = Formula(Id(0));
const FALSE: Formula = Formula(Id(1));

impl Default for Store {
    fn default() -> Store {
        // Room for the formulas of one sentence.
        let mut store =
            Store { nodes: Interned::with_capacity(128), simple: Vec::new(), names: Interned::default() };
        store.intern(Node::True);
        store.intern(Node::False);
        store
    }
}

impl Store {
    /// The node with this id.
    pub fn node(&self, id: impl Into<Id>) -> &Node {
        &self.nodes[id.into().index()]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: the constants are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The symbol of a name; the same name always has the same symbol.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        Symbol(self.names.get(name).unwrap_or_else(|| self.names.intern(name.to_owned())))
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// The children of a node, from left to right.
    pub fn children(&self, id: impl Into<Id>) -> impl Iterator<Item = Id> + '_ {
        self.node(id).children()
    }

    /// Every node below the roots and the roots themselves, ascending: children before parents.
    pub fn reachable(&self, roots: impl IntoIterator<Item = Id>) -> Vec<Id> {
        self.reachable_until(roots, |_| false)
    }

    /// As [`reachable`](Store::reachable), but without the nodes below those for which `stop` returns true.
    pub fn reachable_until(
        &self,
        roots: impl IntoIterator<Item = Id>,
        stop: impl Fn(&Node) -> bool,
    ) -> Vec<Id> {
        // Children have smaller ids, so one sweep down marks all and one sweep up lists them.
        let roots: Vec<Id> = roots.into_iter().collect();
        let mut marked = vec![false; roots.iter().max().map_or(0, |top| top.index() + 1)];
        for root in roots {
            marked[root.index()] = true;
        }
        let mut ids = Vec::new();
        for index in (0..marked.len()).rev() {
            if marked[index] {
                let id = Id(index as u32);
                ids.push(id);
                if !stop(self.node(id)) {
                    self.children(id).for_each(|child| marked[child.index()] = true);
                }
            }
        }
        ids.reverse();
        ids
    }

    /// The constant true.
    pub fn top(&self) -> Formula {
        TRUE
    }

    /// The constant false.
    pub fn bottom(&self) -> Formula {
        FALSE
    }

    /// A node as a formula; `None` for nodes that can only be values, such as numbers.
    pub fn as_formula(&self, id: impl Into<Id>) -> Option<Formula> {
        let id = id.into();
        match self.node(id) {
            Node::Bool(f) => Some(*f),
            node => (node.class() != Class::Term).then_some(Formula(id)),
        }
    }

    /// The id of a node, which is added if it is new. Called only by the constructors.
    pub(crate) fn intern(&mut self, node: Node) -> Id {
        Id(self.nodes.intern(node))
    }

    /// Whether a node is known to be fully simplified.
    pub(crate) fn is_simple(&self, id: Id) -> bool {
        self.simple.get(id.index()).copied().unwrap_or(false)
    }

    /// Marks a node as fully simplified.
    pub(crate) fn set_simple(&mut self, id: Id) {
        if self.simple.len() <= id.index() {
            self.simple.resize(self.nodes.len(), false);
        }
        self.simple[id.index()] = true;
    }

    /// The id of an existing node.
    pub(crate) fn existing(&self, node: &Node) -> Option<Id> {
        self.nodes.get(node).map(Id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_nodes_are_one_node_and_names_are_one_symbol() {
        let mut store = Store::default();
        let (a, b) = (store.symbol("a"), store.symbol("b"));
        assert_eq!(store.symbol("a"), a);
        assert_eq!(store.name(b), "b");
        let (p, q) = (store.var(a), store.var(b));
        let first = store.and2(p, q);
        let before = store.len();
        assert_eq!(store.and2(p, q), first);
        assert_eq!(store.len(), before);
        assert_eq!(store.children(first).collect::<Vec<_>>(), [p.id(), q.id()]);
    }

    #[test]
    fn children_come_first_and_only_what_is_below_is_reachable() {
        let mut store = Store::default();
        let names = ["a", "b", "c"].map(|name| store.symbol(name));
        let [a, b, c] = names.map(|symbol| store.var(symbol));
        let sum = store.or2(a, c);
        let root = store.implies(sum, a);
        assert_eq!(store.reachable([root.id()]), [a.id(), c.id(), sum.id(), root.id()]);
        assert!(!store.reachable([root.id()]).contains(&b.id()));
        for id in store.reachable([root.id()]) {
            assert!(store.children(id).all(|child| child < id));
        }
    }
}
