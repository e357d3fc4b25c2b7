//! A trace on which something holds, and one on which it does not.

use crate::question::{Question, Subject, Traces, Undecided};
use logic::{Store, Trace};

/// Both traces, the shortest if they are finite, or lassos with few steps.
#[derive(Debug, Clone)]
pub struct Examples {
    /// It holds here; `None` if it can never hold.
    pub inside: Option<Trace>,
    /// It does not hold here; `None` if it always holds.
    pub outside: Option<Trace>,
}

/// Examples for a subject. They are replayed.
pub fn examples(store: &mut Store, subject: &Subject, traces: Traces) -> Result<Examples, Undecided> {
    let question = Question::new(store, &[subject], traces)?;
    let formula = question.formulas[0];
    let negation = store.not(formula);
    Ok(Examples { inside: question.model(store, formula)?, outside: question.model(store, negation)? })
}
