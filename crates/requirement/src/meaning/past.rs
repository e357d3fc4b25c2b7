//! The past-time formula: true at the last point of a finite trace exactly when the requirement holds on it.
//!
//! With S "now in scope", T "trigger", *armed* (in scope, triggered before or now) and *owed* (armed, and no response since the
//! trigger), each timing is one short line. Each temporal operator is one small piece of state, so the formula is also the streaming
//! monitor.
//!
//! A predicate is cut at the start of the scope interval. `preBool` can leave the interval at its start, where the other predicates
//! have the value they take over no points; so each predicate has one formula for inside and one for outside.

use crate::meaning::{Demand, demand};
use crate::{Condition, Predicate, Refusal, Requirement, Scope, Timing};
use logic::{Bound, Formula, Id, Store, Term};

/// The past-time formula of a requirement; fails if it refers to the future.
pub fn past(store: &mut Store, requirement: &Requirement) -> Result<Formula, Refusal> {
    let (frame, demand) = demanded(store, requirement)?;
    let formula = match frame.judged(store, demand) {
        Judged::Here { good, .. } => store.historically(Bound::ALL, good),
        Judged::AtEnds { owed, .. } => frame.not_at_end(store, owed),
    };
    Ok(logic::simplify(store, formula))
}

/// Where a demand is judged.
pub(super) enum Judged {
    /// At every point.
    Here {
        good: Formula,
        /// While this holds, a trigger is active; unknown if the distance from the trigger is bounded.
        active: Option<Formula>,
    },
    /// At the last point of each interval, where nothing may be owed.
    AtEnds { owed: Formula, active: Formula },
}

/// Where a requirement applies, and what it demands there.
pub(super) fn demanded(store: &mut Store, requirement: &Requirement) -> Result<(Frame, Demand), Refusal> {
    let predicates = &requirement.predicates;
    let frame = Frame::new(store, requirement)?;
    let response = fill(store, predicates, requirement.response, &frame.cut)?;
    let timing = match requirement.timing {
        Timing::Until(stop) => Timing::Until(fill(store, predicates, stop, &frame.cut)?),
        Timing::Before(stop) => Timing::Before(fill(store, predicates, stop, &frame.cut)?),
        other => other,
    };
    let demand = demand(store, requirement, timing, response);
    Ok((frame, demand))
}

/// Where a requirement applies and what triggers it, as past-time formulas.
pub(super) struct Frame {
    pub(super) cut: Cut,
    /// In scope.
    pub(super) scope: Formula,
    /// Whether an interval can end before the trace does.
    pub(super) closes: bool,
    /// A trigger; implies `scope`.
    pub(super) trigger: Formula,
    /// In scope, and triggered now or before in this interval.
    pub(super) armed: Formula,
}

impl Frame {
    pub(super) fn new(store: &mut Store, requirement: &Requirement) -> Result<Frame, Refusal> {
        let predicates = &requirement.predicates;
        let mode = match requirement.scope.mode() {
            Some(mode) => fill(store, predicates, mode, &Cut::Trace)?,
            None => store.top(),
        };
        let s = &mut *store;
        let absent = s.not(mode);
        // The first point after a run of the mode.
        let left = {
            let before = s.yesterday(mode);
            s.and2(absent, before)
        };
        let (scope, first, closes) = match requirement.scope {
            Scope::Global => (s.top(), s.first_point(), false),
            Scope::In(_) => (mode, rise(s, mode), true),
            Scope::NotIn(_) | Scope::OnlyIn(_) => (absent, rise(s, absent), true),
            Scope::Before(_) => {
                let scope = s.historically(Bound::ALL, absent);
                let first = s.first_point();
                (scope, s.and2(absent, first), true)
            }
            Scope::After(_) => {
                let scope = s.once(Bound::ALL, left);
                (scope, rise(s, scope), false)
            }
            Scope::OnlyBefore(_) => {
                let scope = s.once(Bound::ALL, mode);
                (scope, rise(s, scope), false)
            }
            Scope::OnlyAfter(_) => {
                let stays = s.not(left);
                (s.historically(Bound::ALL, stays), s.first_point(), true)
            }
        };
        let cut = Cut::interval(requirement.scope, scope);
        let (trigger, armed) = match requirement.condition {
            Condition::Null => (first, scope),
            Condition::Holding(condition) => {
                let condition = fill(store, predicates, condition, &cut)?;
                let trigger = store.and2(scope, condition);
                (trigger, store.since(Bound::ALL, scope, trigger))
            }
            Condition::Regular(condition) => {
                let condition = fill(store, predicates, condition, &cut)?;
                let holding = store.and2(scope, condition);
                (rise(store, holding), store.since(Bound::ALL, scope, holding))
            }
        };
        Ok(Frame { cut, scope, closes, trigger, armed })
    }

    /// Where the demand is judged, and what is good there.
    pub(super) fn judged(&self, s: &mut Store, demand: Demand) -> Judged {
        match demand {
            Demand::Meet(timing, response) => self.met(s, timing, response),
            Demand::Avoid(steps, response) => Judged::here(self.avoided(s, steps, response)),
        }
    }

    /// The response comes when the timing requires.
    fn met(&self, s: &mut Store, timing: Timing, response: Formula) -> Judged {
        let Frame { scope, trigger, armed, .. } = *self;
        let absent = s.not(response);
        Judged::here(match timing {
            Timing::Immediately => s.implies(trigger, response),
            Timing::Next => {
                let triggered = s.yesterday(trigger);
                let due = s.and2(scope, triggered);
                s.implies(due, response)
            }
            Timing::Always => {
                return Judged::Here { good: s.implies(armed, response), active: Some(armed) };
            }
            Timing::Never => unreachable!("the demand of `never` is `always` of the absence"),
            Timing::Eventually => {
                let owed = self.owed(s, absent);
                return Judged::AtEnds { owed, active: owed };
            }
            Timing::Finally => return Judged::AtEnds { owed: s.and2(armed, absent), active: armed },
            Timing::Within(steps) => {
                let due = s.once(Bound::exactly(steps), trigger);
                let out = s.not(scope);
                let excused = s.or2(response, out);
                let met = s.once(Bound::upto(steps), excused);
                s.implies(due, met)
            }
            Timing::For(steps) => {
                let due = self.triggered_upto(s, steps);
                s.implies(due, response)
            }
            Timing::After(steps) => {
                let early = self.triggered_upto(s, steps);
                let due = self.triggered_exactly(s, steps + 1);
                let absent = s.implies(early, absent);
                let present = s.implies(due, response);
                s.and2(absent, present)
            }
            Timing::Until(stop) => {
                let goes_on = s.not(stop);
                let running = s.and2(scope, goes_on);
                let start = s.and2(trigger, goes_on);
                let owing = s.since(Bound::ALL, running, start);
                return Judged::Here { good: s.implies(owing, response), active: Some(owing) };
            }
            Timing::Before(stop) => {
                let owed = self.owed(s, absent);
                let owed_before = s.yesterday(owed);
                let pending = s.or2(trigger, owed_before);
                let bad = s.and([scope, stop, pending]);
                let active = s.or2(owed, bad);
                return Judged::Here { good: s.not(bad), active: Some(active) };
            }
        })
    }

    /// The denial of `after n`: a response at the point only if there was one before.
    fn avoided(&self, s: &mut Store, steps: u64, response: Formula) -> Formula {
        let due = self.triggered_exactly(s, steps + 1);
        let early = s.once(Bound::new(1, steps + 1), response);
        let absent = s.not(response);
        let met = s.or2(early, absent);
        s.implies(due, met)
    }

    /// Triggered, and no response since.
    pub(super) fn owed(&self, s: &mut Store, absent: Formula) -> Formula {
        let waiting = s.and2(self.scope, absent);
        let start = s.and2(self.trigger, absent);
        s.since(Bound::ALL, waiting, start)
    }

    /// Triggered at most `steps` steps ago, in this interval.
    fn triggered_upto(&self, s: &mut Store, steps: u64) -> Formula {
        let recent = s.once(Bound::upto(steps), self.trigger);
        s.and2(self.armed, recent)
    }

    /// Triggered exactly `steps` steps ago, in this interval.
    pub(super) fn triggered_exactly(&self, s: &mut Store, steps: u64) -> Formula {
        let then = s.once(Bound::exactly(steps), self.trigger);
        if steps == 0 {
            return then;
        }
        let stayed = s.historically(Bound::upto(steps - 1), self.scope);
        s.and2(then, stayed)
    }

    /// Not at the last point of an interval.
    fn not_at_end(&self, s: &mut Store, bad: Formula) -> Formula {
        let good = s.not(bad);
        if !self.closes {
            return good;
        }
        let out = s.not(self.scope);
        let before = s.weak_yesterday(good);
        let at_ends = always(s, out, before);
        s.and2(at_ends, good)
    }
}

impl Judged {
    fn here(good: Formula) -> Judged {
        Judged::Here { good, active: None }
    }
}

/// The first point of a run.
fn rise(s: &mut Store, formula: Formula) -> Formula {
    let absent = s.not(formula);
    let before = s.weak_yesterday(absent);
    s.and2(formula, before)
}

/// At every point so far, `premise` implies `conclusion`.
fn always(s: &mut Store, premise: Formula, conclusion: Formula) -> Formula {
    let implication = s.implies(premise, conclusion);
    s.historically(Bound::ALL, implication)
}

/// Where the past of a point is cut off.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cut {
    /// At the start of the trace.
    Trace,
    /// At the start of an interval that never ends.
    Begun(Formula),
    /// At the start of one of several intervals.
    Interval(Formula),
}

impl Cut {
    /// The cut of a scope, where `now` means "now in scope".
    fn interval(scope: Scope, now: Formula) -> Cut {
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

/// The interval began at least `steps` steps ago.
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
