//! A trace on which something holds, and one on which it does not.

use crate::question::{Question, Subject, Traces, Undecided};
use logic::{Store, Trace};

/// Both traces: shortest if finite, otherwise lassos with few steps.
#[derive(Debug, Clone)]
pub struct Examples {
    /// A trace on which it holds; `None` if it can never hold.
    pub inside: Option<Trace>,
    /// A trace on which it does not hold; `None` if it always holds.
    pub outside: Option<Trace>,
}

/// Replayed examples for a subject.
pub fn examples(store: &mut Store, subject: &Subject, traces: Traces) -> Result<Examples, Undecided> {
    let question = Question::new(store, &[subject], traces)?;
    let formula = question.formulas[0];
    let negation = store.not(formula);
    Ok(Examples { inside: question.model(store, formula)?, outside: question.model(store, negation)? })
}
