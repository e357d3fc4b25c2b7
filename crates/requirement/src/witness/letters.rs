//! The letters of a requirement: states that the requirement distinguishes, each with values for the user's variables.
//! [`logic::letters()`] decides exactly which states can occur.

use super::Types;
use crate::specification::Type;
use crate::{Predicate, Requirement};
use dashu_ratio::RBig;
use logic::{EvalError, Formula, Id, Node, Numeral, Rel, Sort, Store, Term, Trace, Value, eval_state};
use rustc_hash::{FxHashMap, FxHashSet};

/// Requirements with more letters are not searched.
const MAX_LETTERS: usize = 1 << 12;
/// Larger requirements are not searched.
const MAX_NODES: usize = 400;

type State = FxHashMap<Id, Value>;

/// The letters, and what is true in each.
pub(super) struct Alphabet {
    /// The variables, and calls as written.
    names: Vec<(Id, String)>,
    /// The values of the names, for each letter.
    states: Vec<State>,
    /// Whether no other combination of Boolean values can occur.
    pub(super) complete: bool,
}

impl Alphabet {
    /// The letters of a requirement; `None` if it is too large.
    pub(super) fn new(store: &mut Store, requirement: &Requirement, types: &Types) -> Option<Alphabet> {
        let predicates = requirement.predicates.iter().flat_map(Predicate::arguments);
        let roots: Vec<Id> = requirement.expressions().map(Formula::id).chain(predicates).collect();
        let ids = store.reachable_until(roots.iter().copied(), |node| matches!(node, Node::Call(..)));
        if ids.len() > MAX_NODES {
            return None;
        }
        let facts = facts(store, &ids, types);
        let store = &*store;
        let truths = used_as_truths(store, &ids);
        let is_atom = |&id: &Id| match store.node(id) {
            Node::Var(_) | Node::Call(..) => truths.contains(&id),
            Node::Rel(..) => !store.has_holes(id),
            _ => false,
        };
        let atoms: Vec<Id> = ids.iter().copied().filter(is_atom).collect();
        let sort_of = |name: &str| types.get(name).map_or(Sort::Any, Type::sort);
        let found = logic::letters(store, &atoms, &facts, &sort_of, MAX_LETTERS).ok()?;
        let named = ids.iter().copied().filter(|&id| matches!(store.node(id), Node::Var(_) | Node::Call(..)));
        let names = named.map(|id| (id, text(store, id))).collect::<Vec<_>>();

        let distinguishing = distinguishing(store, &roots, &atoms);
        let mut seen: FxHashSet<Vec<bool>> = FxHashSet::default();
        let mut alphabet = Alphabet { names, states: Vec::new(), complete: found.exact };
        for letter in found.letters.into_iter().filter(|letter| letter.witnessed) {
            let mut state: State = letter.values.into_iter().collect();
            for (id, _) in &alphabet.names {
                // What no atom mentions is only used by a predicate, so any value works.
                let otherwise = if truths.contains(id) { Value::Bool(false) } else { Value::Num(RBig::ZERO) };
                state.entry(*id).or_insert(otherwise);
            }
            let signature: Option<Vec<bool>> =
                distinguishing.iter().map(|&id| truth(store, id, &state)).collect();
            if signature.is_some_and(|signature| seen.insert(signature)) {
                alphabet.states.push(state);
            }
        }
        (!alphabet.states.is_empty()).then_some(alphabet)
    }

    /// For each atom of a formula, the letters in which it is true; atoms over other names are omitted.
    pub(super) fn truths(&self, store: &Store, formula: Formula) -> FxHashMap<Id, Vec<bool>> {
        let is_atom = |node: &Node| matches!(node, Node::Var(_) | Node::Call(..) | Node::Rel(..));
        let atoms =
            store.reachable_until([formula.id()], is_atom).into_iter().filter(|&id| is_atom(store.node(id)));
        let column =
            |id: Id| self.states.iter().map(|state| truth(store, id, state)).collect::<Option<Vec<bool>>>();
        atoms.filter_map(|id| Some((id, column(id)?))).collect()
    }

    /// The first letter in which formulas have these values.
    pub(super) fn find(&self, store: &Store, wanted: &[(Formula, bool)]) -> Option<usize> {
        let fits = |state: &State| {
            wanted.iter().all(|&(formula, value)| truth(store, formula.id(), state) == Some(value))
        };
        self.states.iter().position(fits)
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
        self.columns(word, |_, _| true)
    }

    /// The trace of a word without the names that are values, such as the states of a machine.
    pub(super) fn shown(&self, word: &[usize]) -> Trace {
        self.columns(word, |id, name| {
            self.states.iter().any(|state| state[&id] != Value::Name(name.to_string()))
        })
    }

    fn columns(&self, word: &[usize], wanted: impl Fn(Id, &str) -> bool) -> Trace {
        let empty = Trace::new(word.len(), None).expect("a word has at least one letter");
        self.names.iter().filter(|(id, name)| wanted(*id, name)).fold(empty, |trace, (id, name)| {
            let column = word.iter().map(|&letter| self.states[letter][id].clone()).collect();
            trace.with(name, column).expect("columns have one name each and one value for each step")
        })
    }
}

/// What the types say about the variables: the ends of ranges, and the values of enumerations.
fn facts(store: &mut Store, ids: &[Id], types: &Types) -> Vec<Id> {
    let variables = ids.iter().filter_map(|&id| match store.node(id) {
        Node::Var(symbol) => Some((*symbol, types.get(store.name(*symbol))?)),
        _ => None,
    });
    let mut facts = Vec::new();
    for (symbol, ty) in variables.collect::<Vec<_>>() {
        let variable = store.term_var(symbol);
        match ty {
            Type::Bool => {}
            Type::Int(range) | Type::Real(range) => {
                let ends = [(Rel::Ge, &range.low), (Rel::Le, &range.high)];
                for (rel, end) in ends.into_iter().filter_map(|(rel, end)| Some((rel, end.clone()?))) {
                    let end: Term = store.num(end, Numeral::Real);
                    facts.push(store.rel(rel, variable, end).id());
                }
            }
            Type::Enum(values) => {
                let is = |value: &String| {
                    let value = store.symbol(value);
                    let value = store.value(value);
                    store.rel(Rel::Eq, variable, value)
                };
                let any: Vec<Formula> = values.iter().map(is).collect();
                facts.push(store.or(any).id());
            }
        }
    }
    facts
}

/// The value of a formula in a state.
fn truth(store: &Store, id: Id, state: &State) -> Option<bool> {
    let value = eval_state(store, id, &mut |id, _| state.get(&id).cloned().ok_or(EvalError::UnfilledHole));
    match value {
        Ok(Value::Bool(truth)) => Some(truth),
        Ok(Value::Num(_) | Value::Name(_)) | Err(_) => None,
    }
}

/// What distinguishes two letters: whole expressions if they have no holes, otherwise the atoms inside.
fn distinguishing(store: &Store, roots: &[Id], atoms: &[Id]) -> Vec<Id> {
    let is_whole = |id: &Id| !store.has_holes(*id) && store.as_formula(*id).is_some();
    let (whole, rest): (Vec<Id>, Vec<Id>) = roots.iter().copied().partition(is_whole);
    let below: FxHashSet<Id> = store.reachable(rest).into_iter().collect();
    whole.into_iter().chain(atoms.iter().copied().filter(|id| below.contains(id))).collect()
}

/// Whether the value of a formula depends only on the values of atoms at each step.
pub(super) fn is_over_letters(store: &Store, formula: Formula) -> bool {
    store
        .reachable([formula.id()])
        .into_iter()
        .all(|id| !matches!(store.node(id), Node::Pre(..) | Node::Hole(_)))
}

/// The nodes that are used as Booleans.
fn used_as_truths(store: &Store, ids: &[Id]) -> FxHashSet<Id> {
    let mut values: FxHashSet<Id> = FxHashSet::default();
    for &parent in ids {
        match store.node(parent) {
            Node::Rel(..) | Node::Neg(_) | Node::Arith(..) | Node::Fun(..) | Node::Pre(..) => {
                values.extend(store.children(parent));
            }
            Node::Ite(_, a, b) => values.extend([a.id(), b.id()]),
            _ => {}
        }
    }
    ids.iter().copied().filter(|&id| store.as_formula(id).is_some() && !values.contains(&id)).collect()
}

/// A variable's name, or a call as written.
fn text(store: &Store, id: Id) -> String {
    match store.node(id) {
        Node::Var(symbol) => store.name(*symbol).to_string(),
        _ => logic::print(store, id, &logic::SHALL).unwrap_or_default(),
    }
}
