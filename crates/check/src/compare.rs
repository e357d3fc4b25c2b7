//! How two requirements or formulas relate, with traces that distinguish them.

use crate::question::{Question, Subject, Traces, Undecided, holds};
use logic::{Store, Trace};

/// How the first relates to the second, over all traces of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Both hold on the same traces.
    Equal,
    /// The first implies the second.
    Stronger,
    /// The second implies the first.
    Weaker,
    /// Each holds on some trace without the other, and on some trace both hold.
    Incomparable,
    /// They never hold together.
    Contradictory,
}

impl Relation {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Equal => "equal",
            Relation::Stronger => "stronger",
            Relation::Weaker => "weaker",
            Relation::Incomparable => "incomparable",
            Relation::Contradictory => "contradictory",
        }
    }
}

/// The relation and its traces: shortest if finite, otherwise lassos with few steps.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// How they relate.
    pub relation: Relation,
    /// A trace on which the first holds and the second does not.
    pub a_not_b: Option<Trace>,
    /// A trace on which the second holds and the first does not.
    pub b_not_a: Option<Trace>,
}

/// Compares two subjects.
pub fn compare(store: &mut Store, a: &Subject, b: &Subject, traces: Traces) -> Result<Comparison, Undecided> {
    let question = Question::new(store, &[a, b], traces)?;
    let &[first, second] = &question.formulas[..] else { unreachable!("two subjects are two formulas") };
    let (not_first, not_second) = (store.not(first), store.not(second));
    let only_a = store.and2(first, not_second);
    let only_b = store.and2(second, not_first);
    let a_not_b = question.model(store, only_a)?;
    let b_not_a = question.model(store, only_b)?;
    let relation = match (&a_not_b, &b_not_a) {
        (None, None) => Relation::Equal,
        (None, Some(_)) => Relation::Stronger,
        (Some(_), None) => Relation::Weaker,
        (Some(_), Some(_)) => {
            let both = store.and2(first, second);
            match question.model(store, both)? {
                Some(_) => Relation::Incomparable,
                None => Relation::Contradictory,
            }
        }
    };
    let replayed = |trace: &Option<Trace>, expected: (bool, bool)| {
        trace.as_ref().is_none_or(|trace| {
            let at = question.position(trace);
            (holds(store, a, trace, at), holds(store, b, trace, at)) == (Some(expected.0), Some(expected.1))
        })
    };
    if !replayed(&a_not_b, (true, false)) || !replayed(&b_not_a, (false, true)) {
        return Err(Undecided::Replay);
    }
    Ok(Comparison { relation, a_not_b, b_not_a })
}
