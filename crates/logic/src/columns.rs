//! The columns of values that evaluation computes, one per node.
//!
//! A column is kept until its last reader takes it away, so the memory follows the width of a formula, not
//! its size.

use crate::node::Id;
use crate::store::Store;
use crate::trace::Value;
use crate::truth::Kleene;
use crate::value::{EvalError, as_truth, shown};
use rustc_hash::FxHashMap;

/// The values of a node at all positions of a trace; `None` where it is undefined.
#[derive(Clone)]
pub(crate) enum Column {
    Truths(Vec<Kleene>),
    Values(Vec<Option<Value>>),
}

impl Column {
    pub(crate) fn into_truths(self, store: &Store, id: Id) -> Result<Vec<Kleene>, EvalError> {
        match self {
            Column::Truths(truths) => Ok(truths),
            Column::Values(values) => {
                let truth = |(position, value): (usize, &Option<Value>)| match value {
                    None => Ok(Kleene::Undefined),
                    Some(value) => as_truth(value).map(Kleene::from).ok_or_else(|| EvalError::At {
                        position,
                        cause: Box::new(EvalError::NotBoolean { name: shown(store, id) }),
                    }),
                };
                values.iter().enumerate().map(truth).collect()
            }
        }
    }

    pub(crate) fn into_values(self) -> Vec<Option<Value>> {
        let value = |truth: Kleene| match truth {
            Kleene::False => Some(Value::Bool(false)),
            Kleene::Undefined => None,
            Kleene::True => Some(Value::Bool(true)),
        };
        match self {
            Column::Truths(truths) => truths.into_iter().map(value).collect(),
            Column::Values(values) => values,
        }
    }
}

/// The columns computed so far. Each is kept until its last reader takes it away.
pub(crate) struct Columns<C> {
    readers: FxHashMap<Id, usize>,
    columns: FxHashMap<Id, C>,
}

impl<C: Clone> Columns<C> {
    pub(crate) fn new(store: &Store, ids: &[Id], root: Id) -> Columns<C> {
        let mut readers: FxHashMap<Id, usize> = FxHashMap::default();
        for child in ids.iter().flat_map(|&id| store.children(id)).chain([root]) {
            *readers.entry(child).or_default() += 1;
        }
        Columns { readers, columns: FxHashMap::default() }
    }

    pub(crate) fn put(&mut self, id: Id, column: C) {
        self.columns.insert(id, column);
    }

    pub(crate) fn take(&mut self, id: Id) -> C {
        let readers = self.readers.entry(id).or_default();
        *readers = readers.saturating_sub(1);
        let column = if *readers == 0 { self.columns.remove(&id) } else { self.columns.get(&id).cloned() };
        column.expect("children are evaluated before their parents")
    }
}
