//! [`lint`] for many requirements: results are shared by all requirements of the same form. Threads may share a linter.

use crate::canonical::canonical;
use crate::lint::{Finding, lint};
use crate::question::Undecided;
use logic::Store;
use requirement::Requirement;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// The lint result of a requirement.
pub type Answer = Result<Vec<Finding>, Undecided>;

/// The results so far, by the form of requirements.
#[derive(Debug, Default)]
pub struct Linter {
    known: Mutex<FxHashMap<Box<[u8]>, Answer>>,
}

impl Linter {
    /// The likely mistakes in a requirement, as found by [`lint`]. With many conditions, it decides more cases.
    pub fn lint(&self, store: &Store, requirement: &Requirement) -> Answer {
        let form = canonical(store, requirement);
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&form.key) {
            return known.clone();
        }
        let mut store = store.clone();
        let answer = match form.reduces() {
            true => {
                let reduced = form.reduced(&mut store, requirement);
                lint(&mut store, &reduced)
            }
            false => lint(&mut store, requirement),
        };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(form.key, answer.clone());
        answer
    }

    /// The number of known forms.
    pub fn forms(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
