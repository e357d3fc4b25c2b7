//! Past-time predicates as formulas, cut at the start of the scope interval.
//!
//! `preBool` can step out of the interval at its start, where the other predicates take the value they have for want
//! of any point to look at; so each predicate has one formula for inside and one for outside.

use crate::{Predicate, Refusal, Scope};
use logic::{Bound, Formula, Id, Store, Term};

/// Where the past of a point is cut off.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cut {
    /// At the start of the trace.
    Trace,
    /// At the start of an interval; once begun, intervals never end.
    Begun(Formula),
    /// At the start of an interval, one of several.
    Interval(Formula),
}

impl Cut {
    /// The cut of a scope, whose formula says "now in scope".
    pub(crate) fn interval(scope: Scope, now: Formula) -> Cut {
        match scope {
            Scope::Global | Scope::Before(_) | Scope::OnlyAfter(_) => Cut::Trace,
            Scope::After(_) | Scope::OnlyBefore(_) => Cut::Begun(now),
            Scope::In(_) | Scope::NotIn(_) | Scope::OnlyIn(_) => Cut::Interval(now),
        }
    }
}

/// An expression with every predicate replaced by its formula.
pub(crate) fn fill(
    store: &mut Store,
    predicates: &[Predicate],
    expression: Formula,
    cut: &Cut,
) -> Result<Formula, Refusal> {
    if predicates.is_empty() || !store.has_holes(expression) {
        return Ok(expression);
    }
    let inside = inside(store, predicates, cut)?;
    Ok(store.fill(expression, &inside))
}

/// A term with every predicate replaced by its formula.
pub(crate) fn fill_term(
    store: &mut Store,
    predicates: &[Predicate],
    term: Term,
    cut: &Cut,
) -> Result<Term, Refusal> {
    let inside = inside(store, predicates, cut)?;
    Ok(store.fill_term(term, &inside))
}

/// The formulas of the predicates inside the interval.
fn inside(store: &mut Store, predicates: &[Predicate], cut: &Cut) -> Result<Vec<Id>, Refusal> {
    let mut inside: Vec<Id> = Vec::new();
    let mut outside: Vec<Id> = Vec::new();
    for predicate in predicates {
        if predicate.looks_ahead() {
            return Err(Refusal::LooksAhead(predicate.name()));
        }
        let (within, beyond) = formulas(store, predicate, cut, &inside, &outside)?;
        inside.push(within);
        outside.push(beyond);
    }
    Ok(inside)
}

/// The formula of a predicate inside the interval, and before its start.
fn formulas(
    s: &mut Store,
    predicate: &Predicate,
    cut: &Cut,
    inside: &[Id],
    outside: &[Id],
) -> Result<(Id, Id), Refusal> {
    let filled = |s: &mut Store, formula: Formula| s.fill(formula, inside);
    Ok(match *predicate {
        Predicate::Persisted { near, far, what } => {
            let what = filled(s, what);
            let held = s.historically(Bound::new(near, far), what);
            let begun = begun(s, cut, far);
            (s.and2(begun, held).id(), s.bottom().id())
        }
        Predicate::Occurred { near, far, what } => {
            let what = filled(s, what);
            let bound = Bound::new(near, far);
            let occurred = match *cut {
                Cut::Trace => s.once(bound, what),
                Cut::Begun(scope) => {
                    let what = s.and2(scope, what);
                    s.once(bound, what)
                }
                Cut::Interval(scope) => {
                    let what = s.and2(scope, what);
                    s.since(bound, scope, what)
                }
            };
            (occurred.id(), s.bottom().id())
        }
        Predicate::PreviousOccurrence { event, then } => {
            let (event, then) = (filled(s, event), filled(s, then));
            let scope = match *cut {
                Cut::Trace => s.top(),
                Cut::Begun(scope) | Cut::Interval(scope) => scope,
            };
            let (none, failed) = (s.not(event), s.not(then));
            let quiet = s.and2(scope, none);
            let bad = s.and([scope, event, failed]);
            let owed = s.since(Bound::ALL, quiet, bad);
            let owed = s.yesterday(owed);
            (s.not(owed).id(), s.top().id())
        }
        Predicate::Previously { initially, what } => {
            let within = filled(s, what);
            let beyond = s.fill(what, outside);
            let first = s.first_point();
            let initially = filled(s, initially);
            let start = s.and2(first, initially);
            let step = |s: &mut Store, what: Formula| {
                let before = s.yesterday(what);
                s.or2(start, before)
            };
            let without = step(s, beyond);
            let with = match *cut {
                Cut::Begun(scope) | Cut::Interval(scope) if within != beyond => {
                    let (in_scope, out) = (s.and2(scope, within), s.not(scope));
                    let out = s.and2(out, beyond);
                    let either = s.or2(in_scope, out);
                    step(s, either)
                }
                Cut::Trace | Cut::Begun(_) | Cut::Interval(_) => step(s, within),
            };
            (with.id(), without.id())
        }
        Predicate::PreviousValue { initially, what } => {
            let (within, beyond) = (s.fill_term(what, inside), s.fill_term(what, outside));
            if within != beyond {
                return Err(Refusal::ValueOfPredicate);
            }
            let initially = s.fill_term(initially, inside);
            let value = s.pre(initially, within).id();
            (value, value)
        }
        Predicate::FirstPoint => {
            let first = s.first_point().id();
            (first, first)
        }
        Predicate::Persists { .. } | Predicate::Occurs { .. } | Predicate::NextOccurrence { .. } => {
            unreachable!("predicates that look ahead were refused")
        }
    })
}

/// The interval began at least `steps` ago.
fn begun(s: &mut Store, cut: &Cut, steps: u64) -> Formula {
    let top = s.top();
    match *cut {
        Cut::Trace => s.once(Bound::exactly(steps), top),
        Cut::Begun(scope) => s.once(Bound::exactly(steps), scope),
        Cut::Interval(scope) => {
            let exists = s.once(Bound::exactly(steps), top);
            let stayed = s.historically(Bound::upto(steps), scope);
            s.and2(exists, stayed)
        }
    }
}
