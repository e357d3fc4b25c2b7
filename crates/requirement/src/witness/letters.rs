//! The letters of a requirement: states that differ in what the requirement sees. Each has concrete values for the
//! user's variables, found by trying values at, below and above the constants that they are compared with.

use crate::{Predicate, Requirement};
use dashu_ratio::RBig;
use logic::{Formula, Id, Node, Rel, Store, Trace, Value, eval_state};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many states are tried.
const MAX_STATES: u64 = 1 << 12;
/// Larger requirements are not searched.
const MAX_NODES: usize = 2_000;

/// The letters, and what is true in each.
pub(super) struct Alphabet {
    variables: Variables,
    /// The values of the variables, for each letter.
    states: Vec<Vec<Value>>,
    /// Whether no other combination of truth values can occur.
    pub(super) complete: bool,
}

impl Alphabet {
    /// The letters of a requirement; `None` if it is too large.
    pub(super) fn new(store: &Store, requirement: &Requirement) -> Option<Alphabet> {
        let roots = roots(requirement);
        let ids = store.reachable_until(roots.iter().copied(), |node| matches!(node, Node::Call(..)));
        if ids.len() > MAX_NODES {
            return None;
        }
        let variables = Variables::of(store, &ids);
        let states = variables.candidates.iter().map(|c| c.len() as u64).try_fold(1u64, u64::checked_mul);
        let tried = states.unwrap_or(MAX_STATES).min(MAX_STATES);
        // Of too many states, some are taken from everywhere.
        let stride = states.unwrap_or(u64::MAX).div_ceil(tried);
        let distinguishing = distinguishing(store, &roots, &ids);
        let mut seen: FxHashSet<Vec<bool>> = FxHashSet::default();
        let mut alphabet =
            Alphabet { complete: variables.simple && stride == 1, variables, states: Vec::new() };
        for number in 0..tried {
            let state = alphabet.variables.state(number.wrapping_mul(stride).wrapping_add(number % stride));
            let signature: Option<Vec<bool>> =
                distinguishing.iter().map(|&id| alphabet.variables.truth(store, id, &state)).collect();
            if signature.is_some_and(|signature| seen.insert(signature)) {
                alphabet.states.push(state);
            }
        }
        Some(alphabet)
    }

    /// For each atom of a formula, the letters in which it is true; atoms over other names are left out.
    pub(super) fn truths(&self, store: &Store, formula: Formula) -> FxHashMap<Id, Vec<bool>> {
        let atoms =
            store.reachable_until([formula.id()], is_atom).into_iter().filter(|&id| is_atom(store.node(id)));
        atoms
            .filter_map(|id| {
                Some((
                    id,
                    self.states
                        .iter()
                        .map(|state| self.variables.truth(store, id, state))
                        .collect::<Option<_>>()?,
                ))
            })
            .collect()
    }

    pub(super) fn letters(&self) -> usize {
        self.states.len()
    }

    /// The letter at a position of the word with this number.
    pub(super) fn letter(&self, number: u64, position: usize) -> usize {
        let base = self.letters() as u64;
        (number / base.pow(position as u32) % base) as usize
    }

    pub(super) fn word(&self, number: u64, length: usize) -> Vec<usize> {
        (0..length).map(|position| self.letter(number, position)).collect()
    }

    /// The trace of a word, with a column for every name.
    pub(super) fn trace(&self, word: &[usize]) -> Trace {
        self.columns(word, |_| true)
    }

    /// The trace of a word without the names that are values, such as the states of a machine.
    pub(super) fn shown(&self, word: &[usize]) -> Trace {
        self.columns(word, |index| {
            let name = Value::Name(self.variables.names[index].clone());
            self.variables.candidates[index] != [name]
        })
    }

    fn columns(&self, word: &[usize], wanted: impl Fn(usize) -> bool) -> Trace {
        let empty = Trace::new(word.len(), None).expect("a word has at least one letter");
        let names = self.variables.names.iter().enumerate().filter(|(index, _)| wanted(*index));
        names.fold(empty, |trace, (index, name)| {
            let column = word.iter().map(|&letter| self.states[letter][index].clone()).collect();
            trace.with(name, column).expect("columns have one name each and one value for each step")
        })
    }
}

/// The expressions of a requirement and the arguments of its predicates.
fn roots(requirement: &Requirement) -> Vec<Id> {
    let predicates = requirement.predicates.iter().flat_map(Predicate::arguments);
    requirement.expressions().map(Formula::id).chain(predicates).collect()
}

/// What tells two letters apart: whole expressions where they have no holes, otherwise the atoms inside.
fn distinguishing(store: &Store, roots: &[Id], ids: &[Id]) -> Vec<Id> {
    let is_whole = |id: &Id| !store.has_holes(*id) && store.as_formula(*id).is_some();
    let (whole, rest): (Vec<Id>, Vec<Id>) = roots.iter().copied().partition(is_whole);
    let below: FxHashSet<Id> = store.reachable(rest).into_iter().collect();
    let atoms =
        ids.iter().copied().filter(|id| below.contains(id) && is_atom(store.node(*id)) && is_whole(id));
    whole.into_iter().chain(atoms).collect()
}

fn is_atom(node: &Node) -> bool {
    matches!(node, Node::Var(_) | Node::Call(..) | Node::Rel(..))
}

/// Whether the truth of a formula depends on the truth of atoms at each step alone.
pub(super) fn is_over_letters(store: &Store, formula: Formula) -> bool {
    store
        .reachable([formula.id()])
        .into_iter()
        .all(|id| !matches!(store.node(id), Node::Pre(..) | Node::Hole(_)))
}

/// The variables, and the values that are tried for each.
struct Variables {
    ids: Vec<Id>,
    names: Vec<String>,
    candidates: Vec<Vec<Value>>,
    /// Whether the candidates cover all cases: each comparison is between a variable and constants.
    simple: bool,
}

impl Variables {
    fn of(store: &Store, ids: &[Id]) -> Variables {
        let truths = boolean_positions(store, ids);
        let variables: Vec<Id> = ids
            .iter()
            .copied()
            .filter(|&id| matches!(store.node(id), Node::Var(_) | Node::Call(..)))
            .collect();
        let mut simple = true;
        let mut candidates: FxHashMap<Id, Vec<Value>> = FxHashMap::default();
        // A name that stands only to the right of `=` is a value, such as a state of a machine.
        let mut left: FxHashSet<Id> = FxHashSet::default();
        let mut equals: Vec<(Id, Id)> = Vec::new();
        for &id in ids {
            if let Node::Rel(rel, a, b) = store.node(id) {
                let (a, b) = (a.id(), b.id());
                left.insert(a);
                let is_var = |id: Id| matches!(store.node(id), Node::Var(_));
                let equality = matches!(rel, Rel::Eq | Rel::Ne);
                if equality && is_var(a) && is_var(b) {
                    equals.push((a, b));
                    continue;
                }
                simple &= is_var(a) && matches!(store.node(b), Node::Num(..))
                    || is_var(b) && matches!(store.node(a), Node::Num(..));
                let below = store.reachable([id]);
                let numbers: Vec<RBig> = below
                    .iter()
                    .filter_map(
                        |&id| if let Node::Num(n, _) = store.node(id) { Some(n.clone()) } else { None },
                    )
                    .collect();
                for &variable in below.iter().filter(|id| variables.contains(id)) {
                    let values = candidates.entry(variable).or_default();
                    values.push(Value::Num(RBig::ZERO));
                    for n in &numbers {
                        values.extend(
                            [n.clone(), n.clone() + RBig::ONE, n.clone() - RBig::ONE].map(Value::Num),
                        );
                    }
                }
            }
        }
        let name = |id: Id| Value::Name(text(store, id));
        for &(a, b) in &equals {
            let numeric = candidates.get(&a).or(candidates.get(&b)).cloned();
            match numeric.filter(|values| values.iter().any(|v| matches!(v, Value::Num(_)))) {
                Some(values) => {
                    simple = false;
                    for id in [a, b] {
                        candidates.entry(id).or_default().extend(values.clone());
                    }
                }
                None if left.contains(&b) => {
                    simple = false;
                    let known: Vec<Value> = candidates.get(&b).cloned().unwrap_or_default();
                    candidates.entry(a).or_default().extend(known.into_iter().chain([name(a), name(b)]));
                    candidates.entry(b).or_default().extend([name(a), name(b)]);
                }
                None => {
                    candidates.entry(b).or_default().push(name(b));
                    let values = candidates.entry(a).or_default();
                    values.extend([Value::Name("other".into()), name(b)]);
                }
            }
        }
        let mut result = Variables { ids: Vec::new(), names: Vec::new(), candidates: Vec::new(), simple };
        for id in variables {
            let mut values = candidates.remove(&id).unwrap_or_default();
            if truths.contains(&id) {
                values = vec![Value::Bool(false), Value::Bool(true)];
            } else if values.is_empty() {
                values = vec![Value::Num(RBig::ZERO), Value::Num(RBig::ONE)];
            }
            let mut seen = FxHashSet::default();
            values.retain(|value| seen.insert(value.clone()));
            result.ids.push(id);
            result.names.push(text(store, id));
            result.candidates.push(values);
        }
        result
    }

    /// The state with this number: one candidate for each variable.
    fn state(&self, mut number: u64) -> Vec<Value> {
        self.candidates
            .iter()
            .map(|values| {
                let count = values.len() as u64;
                let value = values[(number % count) as usize].clone();
                number /= count;
                value
            })
            .collect()
    }

    /// The truth of a formula in a state.
    fn truth(&self, store: &Store, id: Id, state: &[Value]) -> Option<bool> {
        let value = eval_state(store, id, &mut |id, _| {
            let index = self.ids.iter().position(|&variable| variable == id);
            index.map(|index| state[index].clone()).ok_or(logic::EvalError::UnfilledHole)
        });
        match value {
            Ok(Value::Bool(truth)) => Some(truth),
            Ok(Value::Num(_) | Value::Name(_)) | Err(_) => None,
        }
    }
}

/// The nodes that are used as truth values.
fn boolean_positions(store: &Store, ids: &[Id]) -> FxHashSet<Id> {
    let mut values: FxHashSet<Id> = FxHashSet::default();
    for &parent in ids {
        match store.node(parent) {
            Node::Rel(..) | Node::Neg(_) | Node::Arith(..) | Node::Fun(..) | Node::Pre(..) => {
                values.extend(store.children(parent))
            }
            Node::Ite(_, a, b) => values.extend([a.id(), b.id()]),
            _ => {}
        }
    }
    ids.iter().copied().filter(|&id| store.as_formula(id).is_some() && !values.contains(&id)).collect()
}

/// A variable's name, or a call as it is written.
fn text(store: &Store, id: Id) -> String {
    match store.node(id) {
        Node::Var(symbol) => store.name(*symbol).to_string(),
        _ => logic::print(store, id, &logic::SHALL).unwrap_or_default(),
    }
}
