//! Canonical forms of requirements that lint cannot distinguish: equal up to the names of variables, the size of constants and the
//! contents of conditions that are independent of everything else.
//!
//! A condition is free if, at each step, it can be true or false whatever the other conditions are: a variable or comparison that
//! shares no variable with another atom, and a connective of free conditions that occur nowhere else. A free condition is equivalent
//! to a Boolean variable. A number that is only compared with constants is equivalent to its rank among them.

use crate::abstraction::replaced;
use logic::{Arith, Id, Node, RBig, Rel, Store, Symbol};
use requirement::{Predicate, Requirement};
use rustc_hash::{FxHashMap, FxHashSet};

/// The canonical form of a requirement, which determines its lint results.
pub(crate) struct Canonical {
    /// Equal for requirements that lint cannot distinguish.
    pub(crate) key: Box<[u8]>,
    free: FxHashSet<Id>,
}

/// The canonical form of a requirement.
pub(crate) fn canonical(store: &Store, requirement: &Requirement) -> Canonical {
    let roots: Vec<Id> = requirement.roots().collect();
    // The previous value of a number makes atoms that refer to two steps.
    let temporal =
        requirement.predicates.iter().any(|predicate| matches!(predicate, Predicate::PreviousValue { .. }));
    let (free, ranked) = match temporal {
        true => (FxHashSet::default(), FxHashMap::default()),
        false => abstractions(store, &roots),
    };
    let mut writer =
        Writer { store, places: FxHashMap::default(), symbols: FxHashMap::default(), key: Vec::new() };
    writer.nodes(&roots, &free, &ranked);
    writer.requirement(requirement);
    Canonical { key: writer.key.into(), free }
}

impl Canonical {
    /// The requirement with Boolean variables in place of its free conditions.
    pub(crate) fn reduced(&self, store: &mut Store, requirement: &Requirement) -> Requirement {
        replaced(store, requirement, &self.free)
    }

    /// Whether the reduced requirement differs from the requirement.
    pub(crate) fn reduces(&self) -> bool {
        !self.free.is_empty()
    }
}

fn is_atom(node: &Node) -> bool {
    matches!(node, Node::Var(_) | Node::Call(..) | Node::Rel(..))
}

/// The free conditions, and the comparisons of a number with constants, with the rank of each constant.
fn abstractions(store: &Store, roots: &[Id]) -> (FxHashSet<Id>, FxHashMap<Id, usize>) {
    let formulas = store.reachable_until(roots.iter().copied(), is_atom);
    // The number of atoms that mention a variable, and the number of uses of each condition.
    let mut speakers: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut uses: FxHashMap<Id, usize> = FxHashMap::default();
    let mut constants: FxHashMap<Symbol, Option<Vec<&RBig>>> = FxHashMap::default();
    roots.iter().for_each(|&root| *uses.entry(root).or_default() += 1);
    for &id in &formulas {
        if !is_atom(store.node(id)) {
            store.children(id).for_each(|child| *uses.entry(child).or_default() += 1);
            continue;
        }
        let compared = with_constant(store, id);
        for below in store.reachable([id]) {
            if let Node::Var(symbol) = store.node(below) {
                *speakers.entry(*symbol).or_default() += 1;
                let known = constants.entry(*symbol).or_insert_with(|| Some(Vec::new()));
                match (compared, known.as_mut()) {
                    (Some((_, constant)), Some(known)) => known.push(constant),
                    (None, _) => *known = None,
                    (Some(_), None) => {}
                }
            }
        }
    }
    for known in constants.values_mut().flatten() {
        known.sort();
        known.dedup();
    }
    let mut free = FxHashSet::default();
    let mut ranked = FxHashMap::default();
    for &id in &formulas {
        let alone = |symbol: &Symbol| speakers.get(symbol) == Some(&1);
        let is_free = match store.node(id) {
            Node::Var(symbol) => alone(symbol),
            Node::Rel(rel, left, right) => {
                let variables = variables(store, *rel, left.id(), right.id());
                variables.is_some_and(|variables| {
                    variables.iter().all(|(symbol, _)| alone(symbol))
                        && variables.iter().any(|&(_, count)| count == 1)
                })
            }
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Xor(..) | Node::Implies(..) | Node::Iff(..) => {
                store.children(id).all(|child| free.contains(&child) && uses[&child] == 1)
            }
            _ => false,
        };
        if is_free {
            free.insert(id);
        } else if let Some((symbol, constant)) = with_constant(store, id)
            && let Some(Some(known)) = constants.get(&symbol)
            && let Ok(rank) = known.binary_search(&constant)
        {
            ranked.insert(id, rank);
        }
    }
    (free, ranked)
}

/// A variable that is compared with a number.
fn with_constant(store: &Store, id: Id) -> Option<(Symbol, &RBig)> {
    let Node::Rel(_, left, right) = store.node(id) else { return None };
    match (store.node(*left), store.node(*right)) {
        (Node::Var(symbol), Node::Num(number, _)) | (Node::Num(number, _), Node::Var(symbol)) => {
            Some((*symbol, number))
        }
        _ => None,
    }
}

/// The variables of a comparison of sums, and how often each occurs. One that occurs once can make a comparison true and false.
fn variables(store: &Store, rel: Rel, left: Id, right: Id) -> Option<Vec<(Symbol, usize)>> {
    let mut found: Vec<(Symbol, usize)> = Vec::new();
    let mut open = vec![left, right];
    while let Some(id) = open.pop() {
        match store.node(id) {
            Node::Var(symbol) => match found.iter_mut().find(|(known, _)| known == symbol) {
                Some((_, count)) => *count += 1,
                None => found.push((*symbol, 1)),
            },
            Node::Num(..) => {}
            Node::Neg(operand) => open.push(operand.id()),
            Node::Arith(Arith::Add | Arith::Sub, one, other) => open.extend([one.id(), other.id()]),
            Node::Value(_) if matches!(rel, Rel::Eq | Rel::Ne) && [left, right].contains(&id) => {}
            _ => return None,
        }
    }
    Some(found)
}

/// Serializes a requirement with numbers in place of names.
struct Writer<'s> {
    store: &'s Store,
    places: FxHashMap<Id, u32>,
    symbols: FxHashMap<Symbol, u32>,
    key: Vec<u8>,
}

impl Writer<'_> {
    fn nodes(&mut self, roots: &[Id], free: &FxHashSet<Id>, ranked: &FxHashMap<Id, usize>) {
        for id in self.needed(roots, free, ranked) {
            self.places.insert(id, self.places.len() as u32);
            if free.contains(&id) {
                self.key.push(b'?');
                continue;
            }
            let store = self.store;
            let node = store.node(id);
            if let (Some(&rank), Some((symbol, _))) = (ranked.get(&id), with_constant(store, id)) {
                let Node::Rel(rel, left, _) = node else { continue };
                let turned = matches!(store.node(*left), Node::Num(..));
                self.key.extend([b'#', *rel as u8, u8::from(turned)]);
                self.symbol(symbol);
                self.number(rank as u64);
                continue;
            }
            match node {
                Node::True => self.key.push(b't'),
                Node::False => self.key.push(b'f'),
                Node::Var(symbol) => {
                    self.key.push(b'v');
                    self.symbol(*symbol);
                }
                Node::Value(symbol) => {
                    self.key.push(b'w');
                    self.symbol(*symbol);
                }
                Node::Call(symbol, _) => {
                    self.key.push(b'c');
                    self.symbol(*symbol);
                }
                Node::Hole(hole) => {
                    self.key.push(b'h');
                    self.number(u64::from(*hole));
                }
                Node::Num(number, _) => {
                    let text = number.to_string();
                    self.key.push(b'n');
                    self.number(text.len() as u64);
                    self.key.extend(text.as_bytes());
                }
                Node::Not(_) => self.key.push(b'!'),
                Node::And(_) => self.key.push(b'&'),
                Node::Or(_) => self.key.push(b'|'),
                Node::Xor(..) => self.key.push(b'x'),
                Node::Implies(..) => self.key.push(b'>'),
                Node::Iff(..) => self.key.push(b'='),
                Node::Rel(rel, ..) => self.key.extend([b'r', *rel as u8]),
                Node::Neg(_) => self.key.push(b'-'),
                Node::Arith(operator, ..) => self.key.extend([b'a', *operator as u8]),
                Node::Fun(function, _) => self.key.extend([b'm', *function as u8]),
                Node::Ite(..) => self.key.push(b'i'),
                Node::Pre(..) => self.key.push(b'p'),
                Node::Bool(_) => self.key.push(b'b'),
                Node::Unary(operator, bound, _) => {
                    self.key.extend([b'u', *operator as u8]);
                    self.bound(*bound);
                }
                Node::Binary(operator, bound, ..) => {
                    self.key.extend([b'y', *operator as u8]);
                    self.bound(*bound);
                }
            }
            let children: Vec<Id> = node.children().collect();
            self.number(children.len() as u64);
            children.into_iter().for_each(|child| self.place(child));
        }
        self.key.push(b';');
    }

    /// The nodes below the roots that occur in the key, children first.
    fn needed(&self, roots: &[Id], free: &FxHashSet<Id>, ranked: &FxHashMap<Id, usize>) -> Vec<Id> {
        let mut seen: FxHashSet<Id> = roots.iter().copied().collect();
        let mut open: Vec<Id> = seen.iter().copied().collect();
        while let Some(id) = open.pop() {
            if !free.contains(&id) && !ranked.contains_key(&id) {
                open.extend(self.store.children(id).filter(|&child| seen.insert(child)));
            }
        }
        let mut ids: Vec<Id> = seen.into_iter().collect();
        ids.sort();
        ids
    }

    fn requirement(&mut self, requirement: &Requirement) {
        let key = requirement.key();
        for word in [key.scope, key.condition, key.timing] {
            self.key.extend(word.as_bytes());
            self.key.push(b',');
        }
        self.number(requirement.timing.steps().unwrap_or(0));
        for root in requirement.roots() {
            self.place(root);
        }
        for predicate in &requirement.predicates {
            self.key.extend(predicate.name().as_bytes());
            match *predicate {
                Predicate::Persisted { near, far, .. }
                | Predicate::Occurred { near, far, .. }
                | Predicate::Persists { near, far, .. }
                | Predicate::Occurs { near, far, .. } => {
                    self.number(near);
                    self.number(far);
                }
                Predicate::PreviousOccurrence { .. }
                | Predicate::NextOccurrence { .. }
                | Predicate::Previously { .. }
                | Predicate::PreviousValue { .. }
                | Predicate::FirstPoint => {}
            }
        }
    }

    fn bound(&mut self, bound: logic::Bound) {
        self.number(bound.lo);
        self.number(bound.hi.map_or(0, |hi| hi.saturating_add(1)));
    }

    fn place(&mut self, id: Id) {
        let place = self.places.get(&id).copied().unwrap_or(u32::MAX);
        self.number(u64::from(place));
    }

    fn symbol(&mut self, symbol: Symbol) {
        let next = self.symbols.len() as u32;
        let number = *self.symbols.entry(symbol).or_insert(next);
        self.number(u64::from(number));
    }

    /// Seven bits per byte, so that most numbers take one byte.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.key.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.key.push(number as u8);
    }
}
