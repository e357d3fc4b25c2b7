//! The kinds of the variables of some atoms: Booleans, integers, rational numbers or names.
//!
//! Things that are compared for equality have the same kind (classes of a union-find). A class is Boolean if one of its members is
//! used as a Boolean, otherwise numeric if one is used as a number, otherwise it contains names. A variable of unknown sort that
//! occurs only to the right of `=` and `!=`, in a class of names, is read as a constant: in `state = idle` the name `idle` is a
//! value, so `state = idle` and `state = run` exclude each other.

use crate::store::{Id, Node, Rel, Sort, Store};
use rustc_hash::{FxHashMap, FxHashSet};

/// The kind of a node's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A Boolean.
    Truth,
    /// An integer.
    Whole,
    /// A rational number.
    Rational,
    /// A name, out of arbitrarily many.
    Name,
    /// The name of the variable itself.
    Constant,
}

/// The kinds of the given nodes, which contain the roots and everything below them, children first.
pub(super) fn kinds(
    store: &Store,
    roots: &[Id],
    ids: &[Id],
    sort_of: &dyn Fn(&str) -> Sort,
) -> FxHashMap<Id, Kind> {
    let mut classes = Classes::new(ids);
    roots.iter().for_each(|&root| classes.evidence(root, Use::Truth));
    for &id in ids {
        gather(store, id, sort_of, &mut classes);
    }
    let elsewhere = used_elsewhere(store, roots, ids);
    ids.iter().map(|&id| (id, kind(store, id, sort_of, &mut classes, &elsewhere))).collect()
}

fn kind(
    store: &Store,
    id: Id,
    sort_of: &dyn Fn(&str) -> Sort,
    classes: &mut Classes,
    elsewhere: &FxHashSet<Id>,
) -> Kind {
    let name = if let Node::Var(symbol) = store.node(id) { Some(store.name(*symbol)) } else { None };
    let sort = name.map(sort_of);
    match classes.strongest(id) {
        Some(Use::Truth) => Kind::Truth,
        Some(Use::Number) if sort == Some(Sort::Int) => Kind::Whole,
        Some(Use::Number) => Kind::Rational,
        Some(Use::Name) | None if sort == Some(Sort::Any) && !elsewhere.contains(&id) => Kind::Constant,
        Some(Use::Name) | None => Kind::Name,
    }
}

/// Collects what a node implies about itself and its children.
fn gather(store: &Store, id: Id, sort_of: &dyn Fn(&str) -> Sort, classes: &mut Classes) {
    let node = store.node(id);
    match node {
        Node::Var(symbol) => match sort_of(store.name(*symbol)) {
            Sort::Bool => classes.evidence(id, Use::Truth),
            Sort::Int | Sort::Real => classes.evidence(id, Use::Number),
            Sort::Enum => classes.evidence(id, Use::Name),
            Sort::Any => {}
        },
        Node::Hole(_) | Node::Call(..) => {}
        Node::Value(_) => classes.evidence(id, Use::Name),
        Node::Num(..) => classes.evidence(id, Use::Number),
        Node::Neg(_) | Node::Arith(..) | Node::Fun(..) => {
            classes.evidence(id, Use::Number);
            node.children().for_each(|child| classes.evidence(child, Use::Number));
        }
        Node::Rel(rel, a, b) => {
            classes.evidence(id, Use::Truth);
            match rel {
                Rel::Eq | Rel::Ne => classes.join(a.id(), b.id()),
                Rel::Lt | Rel::Le | Rel::Gt | Rel::Ge => {
                    for t in [a, b] {
                        classes.evidence(t.id(), Use::Number);
                    }
                }
            }
        }
        Node::Ite(condition, a, b) => {
            classes.evidence(condition.id(), Use::Truth);
            for t in [a, b] {
                classes.join(id, t.id());
            }
        }
        Node::Pre(a, b) => {
            for t in [a, b] {
                classes.join(id, t.id());
            }
        }
        // The rest combine Booleans.
        _ => {
            classes.evidence(id, Use::Truth);
            node.children().for_each(|child| classes.evidence(child, Use::Truth));
        }
    }
}

/// The nodes that also occur elsewhere than to the right of `=` and `!=`.
fn used_elsewhere(store: &Store, roots: &[Id], ids: &[Id]) -> FxHashSet<Id> {
    let mut elsewhere: FxHashSet<Id> = roots.iter().copied().collect();
    for &id in ids {
        match store.node(id) {
            Node::Rel(Rel::Eq | Rel::Ne, a, _) => {
                elsewhere.insert(a.id());
            }
            Node::Call(..) => {}
            node => elsewhere.extend(node.children()),
        }
    }
    elsewhere
}

/// How a value is used; the first that applies to a class decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Truth,
    Number,
    Name,
}

/// A union-find over nodes.
struct Classes {
    place: FxHashMap<Id, usize>,
    parent: Vec<usize>,
    strongest: Vec<Option<Use>>,
}

impl Classes {
    fn new(ids: &[Id]) -> Classes {
        Classes {
            place: ids.iter().enumerate().map(|(place, &id)| (id, place)).collect(),
            parent: (0..ids.len()).collect(),
            strongest: vec![None; ids.len()],
        }
    }

    fn find(&mut self, id: Id) -> usize {
        let mut place = self.place[&id];
        while self.parent[place] != place {
            self.parent[place] = self.parent[self.parent[place]];
            place = self.parent[place];
        }
        place
    }

    fn join(&mut self, a: Id, b: Id) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[b] = a;
        self.strongest[a] = [self.strongest[a], self.strongest[b]].into_iter().flatten().min();
    }

    fn evidence(&mut self, id: Id, used: Use) {
        let class = self.find(id);
        self.strongest[class] = self.strongest[class].into_iter().chain([used]).min();
    }

    fn strongest(&mut self, id: Id) -> Option<Use> {
        let class = self.find(id);
        self.strongest[class]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    /// The kinds of the variables of some atoms, in the order of their names.
    fn check(atoms: &[&str], expected: &[(&str, Kind)]) {
        let mut store = Store::default();
        let roots: Vec<Id> = atoms.iter().map(|atom| read(&mut store, atom).id()).collect();
        let ids = store.reachable(roots.iter().copied());
        let sort_of = |name: &str| match name {
            "n" => Sort::Int,
            "r" => Sort::Real,
            "e" => Sort::Enum,
            _ => Sort::Any,
        };
        let kinds = kinds(&store, &roots, &ids, &sort_of);
        let mut found: Vec<(&str, Kind)> = ids
            .iter()
            .filter_map(|id| match store.node(*id) {
                Node::Var(symbol) => Some((store.name(*symbol), kinds[id])),
                _ => None,
            })
            .collect();
        found.sort_by_key(|(name, _)| *name);
        assert_eq!(found, expected, "{atoms:?}");
    }

    #[test]
    fn kinds_of_variables() {
        use Kind::{Constant, Name, Rational, Truth, Whole};
        check(&["a", "(= b a)"], &[("a", Truth), ("b", Truth)]);
        check(&["(> x 1)", "(= x y)"], &[("x", Rational), ("y", Rational)]);
        check(&["(= n m)", "(< (+ r 1) n)"], &[("m", Rational), ("n", Whole), ("r", Rational)]);
        check(&["(= s idle)", "(!= s run)"], &[("idle", Constant), ("run", Constant), ("s", Name)]);
        check(&["(= s idle)", "(= idle t)"], &[("idle", Name), ("s", Name), ("t", Constant)]);
        check(&["(= s e)", "(= s 'on)"], &[("e", Name), ("s", Name)]);
        check(&["(= p (> x 1))"], &[("p", Truth), ("x", Rational)]);
        check(&["(= s (ite c on off))"], &[("c", Truth), ("off", Name), ("on", Name), ("s", Name)]);
    }
}
