//! The future-time formula: true at the first point of a trace exactly when the requirement holds on it.
//!
//! One scheme for three kinds of traces, which differ only in how the end is expressed ([`Ending`]). With E "this is the interval's
//! last point", a body B is what a trigger demands, and the scope determines where B is demanded.

use crate::meaning::{Demand, demand};
use crate::{Condition, Predicate, Refusal, Requirement, Scope, Timing};
use logic::{Bound, Formula, Id, Store};

/// How the end of the trace is expressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A finite trace inside an infinite one: the proposition `LAST` is true at its last point; what
    /// comes later does not matter. This is what NuSMV and nuXmv need.
    Last,
    /// A finite trace, with strong and weak next.
    WeakNext,
    /// An infinite trace.
    Infinite,
}

/// The name of the proposition that marks the last point.
pub const LAST: &str = "LAST";

/// The future-time formula of a requirement; fails if it refers to the past.
pub fn future(store: &mut Store, requirement: &Requirement, ending: Ending) -> Result<Formula, Refusal> {
    if ending == Ending::Last && uses_last(store, requirement) {
        return Err(Refusal::LastIsTaken);
    }
    let trace_end = ending.end(store);
    let mode = match requirement.scope.mode() {
        Some(mode) => fill(store, requirement, mode, trace_end)?,
        None => store.top(),
    };
    let interval = Interval::new(store, requirement.scope, mode, ending);
    let inside = |store: &mut Store, expression| fill(store, requirement, expression, interval.end);
    let response = inside(store, requirement.response)?;
    let timing = match requirement.timing {
        Timing::Until(stop) => Timing::Until(inside(store, stop)?),
        Timing::Before(stop) => Timing::Before(inside(store, stop)?),
        other => other,
    };
    let condition = match requirement.condition {
        Condition::Null => Condition::Null,
        Condition::Regular(condition) => Condition::Regular(inside(store, condition)?),
        Condition::Holding(condition) => Condition::Holding(inside(store, condition)?),
    };
    let demand = demand(store, requirement, timing, response);
    let formula = scoped(store, requirement.scope, mode, condition, demand, interval, ending);
    Ok(logic::simplify(store, formula))
}

/// Whether a variable of the requirement is called `LAST`.
fn uses_last(store: &mut Store, requirement: &Requirement) -> bool {
    let symbol = store.symbol(LAST);
    let predicates = requirement.predicates.iter().flat_map(Predicate::arguments);
    let roots: Vec<Id> = requirement.expressions().map(Formula::id).chain(predicates).collect();
    store.reachable(roots).into_iter().any(|id| *store.node(id) == logic::Node::Var(symbol))
}

impl Ending {
    /// The last point of the trace.
    fn end(self, s: &mut Store) -> Formula {
        match self {
            Ending::Last => {
                let last = s.symbol(LAST);
                s.var(last)
            }
            Ending::WeakNext => {
                let bottom = s.bottom();
                s.weak_next(bottom)
            }
            Ending::Infinite => s.bottom(),
        }
    }

    /// At the next point, if there is one.
    fn weak_next(self, s: &mut Store, formula: Formula) -> Formula {
        match self {
            Ending::Last => {
                let (end, next) = (self.end(s), s.next(formula));
                s.or2(end, next)
            }
            Ending::WeakNext => s.weak_next(formula),
            Ending::Infinite => s.next(formula),
        }
    }

    /// At every point up to and including the first at which `over` holds, or the end of the trace.
    fn release(self, s: &mut Store, over: Formula, formula: Formula) -> Formula {
        let over = match self {
            Ending::Last => {
                let end = self.end(s);
                s.or2(over, end)
            }
            Ending::WeakNext | Ending::Infinite => over,
        };
        s.release(Bound::ALL, over, formula)
    }

    /// At every point up to the end of the trace.
    fn globally(self, s: &mut Store, formula: Formula) -> Formula {
        let never = s.bottom();
        self.release(s, never, formula)
    }
}

/// An interval as seen from inside.
#[derive(Debug, Clone, Copy)]
struct Interval {
    /// E: this is its last point.
    end: Formula,
    /// This is not its last point.
    goes_on: Formula,
}

impl Interval {
    fn new(s: &mut Store, scope: Scope, mode: Formula, ending: Ending) -> Interval {
        let absent = s.not(mode);
        match scope {
            Scope::Global | Scope::After(_) | Scope::OnlyBefore(_) => {
                let end = ending.end(s);
                Interval { end, goes_on: s.not(end) }
            }
            Scope::In(_) => Interval::up_to(s, mode, absent, ending),
            Scope::NotIn(_) | Scope::OnlyIn(_) | Scope::Before(_) => Interval::up_to(s, absent, mode, ending),
            Scope::OnlyAfter(_) => {
                let (end, leaves) = (ending.end(s), s.next(absent));
                let leaves = s.and2(mode, leaves);
                let end = s.or2(end, leaves);
                Interval { end, goes_on: s.not(end) }
            }
        }
    }

    /// The interval in which `inside` holds; `outside` is its negation.
    fn up_to(s: &mut Store, inside: Formula, outside: Formula, ending: Ending) -> Interval {
        let end = ending.weak_next(s, outside);
        let goes_on = match ending {
            Ending::Last => {
                let (last, next) = (ending.end(s), s.next(inside));
                let more = s.not(last);
                s.and2(more, next)
            }
            Ending::WeakNext | Ending::Infinite => s.next(inside),
        };
        Interval { end, goes_on }
    }
}

/// B: what a trigger demands, from the trigger up to the end of its interval.
fn body(s: &mut Store, demand: Demand, interval: Interval) -> Formula {
    match demand {
        Demand::Meet(timing, response) => met(s, timing, response, interval),
        Demand::Avoid(steps, response) => avoided(s, steps, response, interval.end),
    }
}

fn met(s: &mut Store, timing: Timing, response: Formula, Interval { end, goes_on }: Interval) -> Formula {
    match timing {
        Timing::Immediately => response,
        Timing::Next => {
            let next = s.next(response);
            s.or2(end, next)
        }
        Timing::Finally => {
            let at_end = s.implies(end, response);
            s.release(Bound::ALL, end, at_end)
        }
        Timing::Always => s.release(Bound::ALL, end, response),
        Timing::Never => unreachable!("the demand of `never` is `always` of the absence"),
        Timing::Eventually => s.until(Bound::ALL, goes_on, response),
        Timing::Within(steps) => {
            let met = s.finally(Bound::upto(steps), response);
            let over = ends_before(s, steps, end);
            s.or2(met, over)
        }
        Timing::For(steps) => throughout(s, steps, response, end),
        Timing::After(steps) => {
            let absent = s.not(response);
            let early = throughout(s, steps, absent, end);
            let over = ends_before(s, steps + 1, end);
            let at = s.finally(Bound::exactly(steps + 1), response);
            let due = s.or2(over, at);
            s.and2(early, due)
        }
        Timing::Until(stop) => {
            let over = s.or2(stop, end);
            let held = s.or2(response, stop);
            s.release(Bound::ALL, over, held)
        }
        Timing::Before(stop) => {
            let over = s.or2(response, end);
            let goes_on = s.not(stop);
            s.release(Bound::ALL, over, goes_on)
        }
    }
}

/// The denial of `after n`: a response too early, or none at the point itself.
fn avoided(s: &mut Store, steps: u64, response: Formula, end: Formula) -> Formula {
    let over = ends_before(s, steps + 1, end);
    let early = s.finally(Bound::upto(steps), response);
    let absent = s.not(response);
    let at = s.finally(Bound::exactly(steps + 1), absent);
    s.or([over, early, at])
}

/// The interval ends before the point `steps` ahead.
fn ends_before(s: &mut Store, steps: u64, end: Formula) -> Formula {
    match steps.checked_sub(1) {
        Some(last) => s.finally(Bound::upto(last), end),
        None => s.bottom(),
    }
}

/// At this and the next `steps` points, as far as they are in the interval.
fn throughout(s: &mut Store, steps: u64, formula: Formula, end: Formula) -> Formula {
    if steps == 0 {
        return formula;
    }
    let to_end = s.release(Bound::ALL, end, formula);
    let for_steps = s.globally(Bound::upto(steps), formula);
    s.or2(to_end, for_steps)
}

/// The demand of every trigger of every interval.
fn scoped(
    s: &mut Store,
    scope: Scope,
    mode: Formula,
    condition: Condition,
    demand: Demand,
    interval: Interval,
    ending: Ending,
) -> Formula {
    // `always` and `finally` demand no more of a later trigger than of the first, so it is enough that the condition holds.
    let condition = match (condition, demand) {
        (Condition::Regular(condition), Demand::Meet(Timing::Always | Timing::Finally, _)) => {
            Condition::Holding(condition)
        }
        _ => condition,
    };
    let absent = s.not(mode);
    match scope {
        Scope::Global | Scope::OnlyAfter(_) => one(s, condition, demand, interval),
        Scope::In(_) => each(s, mode, condition, demand, interval, ending),
        Scope::NotIn(_) | Scope::OnlyIn(_) => each(s, absent, condition, demand, interval, ending),
        Scope::Before(_) => {
            let one = one(s, condition, demand, interval);
            s.or2(mode, one)
        }
        Scope::After(_) => {
            let one = one(s, condition, demand, interval);
            let at_leaving = s.or2(mode, one);
            let after_run = ending.release(s, absent, at_leaving);
            let demanded = s.implies(mode, after_run);
            ending.release(s, mode, demanded)
        }
        Scope::OnlyBefore(_) => {
            let one = one(s, condition, demand, interval);
            let demanded = s.implies(mode, one);
            ending.release(s, mode, demanded)
        }
    }
}

/// One interval that begins here.
fn one(s: &mut Store, condition: Condition, demand: Demand, interval: Interval) -> Formula {
    let body = body(s, demand, interval);
    let end = interval.end;
    match condition {
        Condition::Null => body,
        Condition::Holding(condition) => {
            let demanded = s.implies(condition, body);
            s.release(Bound::ALL, end, demanded)
        }
        Condition::Regular(condition) => {
            let demanded = s.implies(condition, body);
            let at_next = s.next(demanded);
            let rises = s.or([end, condition, at_next]);
            let later = s.release(Bound::ALL, end, rises);
            s.and2(demanded, later)
        }
    }
}

/// Every interval in which `scope` holds.
fn each(
    s: &mut Store,
    scope: Formula,
    condition: Condition,
    demand: Demand,
    interval: Interval,
    ending: Ending,
) -> Formula {
    let trigger = match (condition, demand) {
        // If triggered at its first point, an interval has the same demand at every point, or at its last one.
        (Condition::Null, Demand::Meet(Timing::Always, response)) => {
            let demanded = s.implies(scope, response);
            return ending.globally(s, demanded);
        }
        (Condition::Null, Demand::Meet(Timing::Finally, response)) => {
            let at_end = s.and2(scope, interval.end);
            let demanded = s.implies(at_end, response);
            return ending.globally(s, demanded);
        }
        (Condition::Null, _) => scope,
        (Condition::Regular(condition) | Condition::Holding(condition), _) => s.and2(scope, condition),
    };
    let body = body(s, demand, interval);
    let demanded = s.implies(trigger, body);
    match condition {
        Condition::Holding(_) => ending.globally(s, demanded),
        Condition::Null | Condition::Regular(_) => {
            let at_next = ending.weak_next(s, demanded);
            let rises = s.or2(trigger, at_next);
            let later = ending.globally(s, rises);
            s.and2(demanded, later)
        }
    }
}

/// An expression with every predicate replaced by its formula, cut at the end of the interval.
fn fill(
    store: &mut Store,
    requirement: &Requirement,
    expression: Formula,
    end: Formula,
) -> Result<Formula, Refusal> {
    if requirement.predicates.is_empty() || !store.has_holes(expression) {
        return Ok(expression);
    }
    let mut formulas: Vec<Id> = Vec::new();
    for predicate in &requirement.predicates {
        if !predicate.looks_ahead() {
            return Err(Refusal::LooksBack(predicate.name()));
        }
        let formula = predicate_ahead(store, predicate, end, &formulas).id();
        formulas.push(formula);
    }
    Ok(store.fill(expression, &formulas))
}

fn predicate_ahead(s: &mut Store, predicate: &Predicate, end: Formula, filled: &[Id]) -> Formula {
    match *predicate {
        Predicate::Persists { near, far, what } => {
            let what = s.fill(what, filled);
            let held = s.globally(Bound::new(near, far), what);
            let over = ends_before(s, far, end);
            let lasts = s.not(over);
            s.and2(lasts, held)
        }
        Predicate::Occurs { near, far, what } => {
            let what = s.fill(what, filled);
            let goes_on = s.not(end);
            s.until(Bound::new(near, far), goes_on, what)
        }
        Predicate::NextOccurrence { event, then } => {
            let (event, then) = (s.fill(event, filled), s.fill(then, filled));
            let over = s.or2(event, end);
            let met = s.implies(event, then);
            let first = s.release(Bound::ALL, over, met);
            let next = s.next(first);
            s.or2(end, next)
        }
        Predicate::Persisted { .. }
        | Predicate::Occurred { .. }
        | Predicate::PreviousOccurrence { .. }
        | Predicate::Previously { .. }
        | Predicate::PreviousValue { .. }
        | Predicate::FirstPoint => unreachable!("predicates that look back were refused"),
    }
}
