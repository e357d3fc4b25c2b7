//! What a system does not know about sets and maps of many elements: entries that are not watched, and whether two of them are equal.
//!
//! A value that is not known is that of an uninterpreted function at an arbitrary argument: a proof holds for every value, and a run that
//! needs it is not confirmed. Let a property be violated at some step of a run. Watch the elements that it looks up at this step, and
//! for two sets that differ an element in which they do. Then it is also violated if it need only hold where all that it looks up is watched,
//! and sets are equal that agree on what is watched (where equality makes it true rather than false).

use crate::Program;
use crate::hir::{Id, Kind};
use crate::lower::Lowering;
use crate::types::{Shape, Ty};
use rustc_hash::FxHashSet;
use system::expr::{Expr, Function, Node, Pool, Signature, Type};

/// Distinguishes the arbitrary arguments of this module from other arbitrary values of the same expression.
const MARK: u32 = 1 << 31;

/// Why a value is not known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Gap {
    /// An entry that is not watched unless this holds.
    Entry(Expr),
    /// Two sets or maps agree on what is watched.
    Equality,
}

impl Program {
    /// Whether some set or map tells only of watched elements. Then a property is one for verification: what holds of all that is watched,
    /// whatever that is, holds; an implementation that knows what is watched may do too little.
    pub fn has_watched_sets(&self) -> bool {
        self.keys.keys().any(|it| self.watches(*it))
    }

    /// Whether a value of this type has a set or map in it that tells only of watched elements.
    pub(super) fn is_partly_known(&self, ty: Ty) -> bool {
        match *self.types.shape(ty) {
            Shape::Set(key, _) => self.watches(key),
            Shape::Map([key, value], _) => self.watches(key) || self.is_partly_known(value),
            Shape::Array(part, _) | Shape::Refined(part, _) => self.is_partly_known(part),
            _ => self.types.members(ty).is_some_and(|all| all.into_iter().any(|it| self.is_partly_known(it))),
        }
    }

    /// Whether sets of this type tell only of the elements that are watched.
    fn watches(&self, ty: Ty) -> bool {
        let first = self.keys.get(&ty).and_then(|it| it.first());
        first.is_some_and(|it| matches!(self.expr(*it).kind, Kind::Free(_)))
    }
}

impl Lowering<'_> {
    /// A leaf of what is not known unless a condition holds.
    pub(super) fn not_watched(
        &mut self,
        instance: u32,
        bindings: &[u32],
        (id, unless): (Id, Option<Id>),
        leaf: u32,
    ) -> Expr {
        let watched = unless.map(|it| self.value(instance, bindings, it, 0));
        if self.is_missing() {
            return self.any_leaf(id, leaf);
        }
        let ty = self.type_of(id, leaf);
        let argument = self.anything(instance, id, bindings, leaf | MARK, Type::Int);
        let value = self.not_known(argument, ty);
        if let Some(watched) = watched {
            self.gaps.insert(value, Gap::Entry(watched));
        }
        value
    }

    /// A value that is not known, by an arbitrary argument.
    pub(super) fn not_known(&mut self, argument: Expr, ty: Type) -> Expr {
        let signature = Signature { name: format!("?{ty:?}"), parameters: vec![Type::Int], result: ty };
        let function = self.system.pool.declare_function(signature);
        self.hide(argument);
        self.system.pool.apply(Function::Declared(function), &[argument])
    }

    /// Says that a variable is of this module rather than of the source.
    pub(super) fn hide(&mut self, variable: Expr) {
        if let Node::Var(var) = *self.system.pool.node(variable) {
            self.system.auxiliary.push(var);
        }
    }

    /// Whether two sets or maps are equal.
    pub(super) fn same_entries(
        &mut self,
        instance: u32,
        bindings: &[u32],
        [a, b]: [Id; 2],
        ty: Ty,
        leaf: u32,
    ) -> Expr {
        let types = &self.program.types;
        let (key, value, size) = match *types.shape(ty) {
            Shape::Set(key, size) => (key, None, size),
            Shape::Map([key, value], size) => (key, Some(value), size),
            _ => return Pool::TRUE,
        };
        let width = 1 + value.map_or(0, |it| types.leaf_count(it));
        let mut all = Vec::new();
        for place in 0..size {
            let at = leaf + place * width;
            let [x, y] = [a, b].map(|it| self.value(instance, bindings, it, at));
            all.push(self.system.pool.eq(x, y));
            if let Some(value) = value {
                let same = self.same(instance, bindings, [a, b], value, at + 1);
                all.push(self.system.pool.implies(x, same));
            }
        }
        if self.program.watches(key) && !self.is_missing() {
            let argument = self.anything(instance, a, bindings, leaf | MARK, Type::Int);
            let unknown = self.not_known(argument, Type::Bool);
            self.gaps.insert(unknown, Gap::Equality);
            all.push(unknown);
        }
        self.system.pool.and(all)
    }

    /// Restricts each property to the steps at which it depends only on what is watched.
    pub(super) fn watch(&mut self) {
        if self.gaps.is_empty() {
            return;
        }
        for place in 0..self.system.properties.len() {
            let value = self.system.properties[place].value;
            let against = self.against(value);
            let mut watched = Vec::new();
            let mut equal: FxHashSet<Expr> = FxHashSet::default();
            for expr in self.system.pool.reachable([value]) {
                match self.gaps.get(&expr) {
                    Some(Gap::Entry(condition)) => watched.push(*condition),
                    Some(Gap::Equality) if !against.contains(&expr) => drop(equal.insert(expr)),
                    Some(Gap::Equality) | None => {}
                }
            }
            // With more of them than are watched, some step might never be looked at.
            if watched.len() + equal.len() > self.program.watched as usize {
                continue;
            }
            let pool = &mut self.system.pool;
            let roots: Vec<Expr> = watched.iter().copied().chain([value]).collect();
            let mut roots = pool.replace(&roots, &|expr, _| equal.contains(&expr).then_some(Pool::TRUE));
            let value = roots.pop().unwrap_or(value);
            let watched = pool.and(roots);
            self.system.properties[place].value = pool.implies(watched, value);
        }
    }

    /// The parts of a condition that may make it false by being true.
    fn against(&self, root: Expr) -> FxHashSet<Expr> {
        let pool = &self.system.pool;
        let mut seen: FxHashSet<(Expr, bool)> = FxHashSet::default();
        let mut open = vec![(root, true)];
        while let Some((expr, good)) = open.pop() {
            if !seen.insert((expr, good)) {
                continue;
            }
            match pool.node(expr) {
                Node::Not(a) => open.push((*a, !good)),
                Node::And(all) | Node::Or(all) => open.extend(all.iter().map(|it| (*it, good))),
                Node::Ite(condition, a, b) => {
                    open.extend([(*condition, true), (*condition, false), (*a, good), (*b, good)]);
                }
                node => open.extend(node.children().flat_map(|it| [(it, true), (it, false)])),
            }
        }
        seen.into_iter().filter(|it| !it.1).map(|it| it.0).collect()
    }
}
