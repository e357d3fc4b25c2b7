//! The meaning of the templates as first-order sentences over positions: the definitions of intervals, triggers and timings, each
//! written once, in the terms of the definitions. Nothing here is shared with the oracle or the formula generators; proofs compare
//! all of them. On an infinite word an interval may have no last position: then HI is the unreachable end.

use crate::{Condition, Predicate, Requirement, Scope, Timing};
use logic::automaton::Track;
use logic::first_order::{Fo, Position};

/// The tracks of the four atoms of a template.
pub const MODE: Track = Track(0);
/// See [`MODE`].
pub const COND: Track = Track(1);
/// See [`MODE`].
pub const STOP: Track = Track(2);
/// See [`MODE`].
pub const RES: Track = Track(3);

const LO: Position = Position(0);
const HI: Position = Position(1);
const T: Position = Position(2);
const X: Position = Position(3);
const Y: Position = Position(4);
const Z: Position = Position(5);
// Inside predicates.
const U: Position = Position(6);
const V: Position = Position(7);

/// The sentence of a template: from every trigger of every interval, the timing is met.
pub fn sentence(template: &Requirement) -> Fo {
    sentence_of(template, &|x| Fo::Holds(RES, x))
}

/// The sentence of a template whose response is this predicate, over the atoms `res` (its event, or what persists or occurs) and
/// `stop` (what then holds, or held initially).
pub fn sentence_about(template: &Requirement, predicate: &Predicate) -> Fo {
    sentence_of(template, &|x| predicate_at(predicate, x))
}

fn sentence_of(template: &Requirement, response: Signal) -> Fo {
    let violated =
        Fo::exists(T, Fo::And(vec![trigger(template.condition), met(template, response).negated()]));
    let interval = Fo::And(vec![interval(template.scope), violated]);
    Fo::exists(LO, Fo::exists_end(HI, interval)).negated()
}

fn mode(x: Position) -> Fo {
    Fo::Holds(MODE, x)
}

fn not_mode(x: Position) -> Fo {
    mode(x).negated()
}

/// At all positions from one to the other, inclusive.
fn throughout(from: Position, to: Position, x: Position, holds: Fo) -> Fo {
    Fo::for_all(x, Fo::And(vec![Fo::at_most(from, x), Fo::at_most(x, to)]).implies(holds))
}

/// At all positions before this one.
fn all_before(end: Position, x: Position, holds: Fo) -> Fo {
    Fo::for_all(x, Fo::before(x, end).implies(holds))
}

/// The position is the first one, or `holds` is true at the previous one.
fn first_or_previous(at: Position, x: Position, holds: Fo) -> Fo {
    Fo::Or(vec![Fo::First(at), Fo::exists(x, Fo::And(vec![Fo::steps(x, at, 1), holds]))])
}

/// The position is the last one, or `holds` is true at the next one.
fn last_or_next(at: Position, x: Position, holds: Fo) -> Fo {
    Fo::Or(vec![Fo::Last(at), Fo::exists(x, Fo::And(vec![Fo::steps(at, x, 1), holds]))])
}

/// LO and HI are the ends of an interval of the scope.
fn interval(scope: Scope) -> Fo {
    let ordered = Fo::at_most(LO, HI);
    // A maximal run.
    let run = |holds: fn(Position) -> Fo, fails: fn(Position) -> Fo| {
        Fo::And(vec![
            Fo::at_most(LO, HI),
            throughout(LO, HI, X, holds(X)),
            first_or_previous(LO, X, fails(X)),
            last_or_next(HI, X, fails(X)),
        ])
    };
    // From the first point of the mode, which is Y, to Z it holds, and after Z it does not.
    let first_run = |start: Position, end: Position| {
        Fo::And(vec![
            Fo::at_most(start, end),
            throughout(start, end, X, mode(X)),
            all_before(start, X, not_mode(X)),
            last_or_next(end, X, not_mode(X)),
        ])
    };
    match scope {
        Scope::Global => Fo::And(vec![Fo::First(LO), Fo::Last(HI)]),
        Scope::In(_) => run(mode, not_mode),
        Scope::NotIn(_) | Scope::OnlyIn(_) => run(not_mode, mode),
        Scope::Before(_) => Fo::And(vec![
            Fo::First(LO),
            ordered,
            throughout(LO, HI, X, not_mode(X)),
            last_or_next(HI, X, mode(X)),
        ]),
        Scope::After(_) => {
            let behind = Fo::exists(Y, Fo::exists(Z, Fo::And(vec![first_run(Y, Z), Fo::steps(Z, LO, 1)])));
            Fo::And(vec![behind, Fo::Last(HI)])
        }
        Scope::OnlyBefore(_) => Fo::And(vec![mode(LO), all_before(LO, X, not_mode(X)), Fo::Last(HI)]),
        Scope::OnlyAfter(_) => {
            let never = Fo::And(vec![Fo::Last(HI), Fo::for_all(X, not_mode(X))]);
            Fo::And(vec![Fo::First(LO), Fo::Or(vec![Fo::exists(Y, first_run(Y, HI)), never])])
        }
    }
}

/// T is a trigger in the interval.
fn trigger(condition: Condition) -> Fo {
    let inside = [Fo::at_most(LO, T), Fo::at_most(T, HI)];
    let cond = |x| Fo::Holds(COND, x);
    let points = match condition {
        Condition::Null => Fo::same(LO, T),
        Condition::Holding(_) => cond(T),
        Condition::Regular(_) => {
            let fell_before = Fo::exists(X, Fo::And(vec![Fo::steps(X, T, 1), cond(X).negated()]));
            Fo::And(vec![cond(T), Fo::Or(vec![Fo::same(LO, T), fell_before])])
        }
    };
    Fo::And(inside.into_iter().chain([points]).collect())
}

/// The timing is met from T, inside the interval that ends at HI; in scopes that deny, its denial is.
fn met(template: &Requirement, response: &dyn Fn(Position) -> Fo) -> Fo {
    let absent = |x| response(x).negated();
    match template.scope.denies() {
        false => timing(template.timing, response, &absent),
        true => denied(template.timing, response, &absent),
    }
}

type Signal<'a> = &'a dyn Fn(Position) -> Fo;

/// X is in [T, HI].
fn ahead(x: Position) -> Fo {
    Fo::And(vec![Fo::at_most(T, x), Fo::at_most(x, HI)])
}

fn somewhere(what: Fo) -> Fo {
    Fo::exists(X, Fo::And(vec![ahead(X), what]))
}

fn everywhere(what: Fo) -> Fo {
    Fo::for_all(X, ahead(X).implies(what))
}

/// X is at most n steps after T.
fn upto(steps: u64) -> Fo {
    Fo::Distance(T, X, 0, Some(steps))
}

/// `t + steps > hi`
fn ends_before(steps: u64) -> Fo {
    match steps.checked_sub(1) {
        Some(most) => Fo::Distance(T, HI, 0, Some(most)),
        None => Fo::Or(vec![]),
    }
}

/// X is the first stop point from T on.
fn first_stop(x: Position) -> Fo {
    let stop = |x| Fo::Holds(STOP, x);
    let none_before =
        Fo::for_all(Y, Fo::And(vec![Fo::at_most(T, Y), Fo::before(Y, x)]).implies(stop(Y).negated()));
    Fo::And(vec![ahead(x), stop(x), none_before])
}

fn timing(timing: Timing, response: Signal, absent: Signal) -> Fo {
    match timing {
        Timing::Immediately => response(T),
        Timing::Next => everywhere(Fo::steps(T, X, 1).implies(response(X))),
        Timing::Finally => Fo::Or(vec![Fo::Endless(HI), response(HI)]),
        Timing::Always => everywhere(response(X)),
        Timing::Never => everywhere(absent(X)),
        Timing::Eventually => somewhere(response(X)),
        Timing::Within(n) => Fo::Or(vec![ends_before(n), somewhere(Fo::And(vec![upto(n), response(X)]))]),
        Timing::For(n) => everywhere(upto(n).implies(response(X))),
        Timing::After(n) => {
            let early = upto(n).implies(absent(X));
            let at = Fo::steps(T, X, n + 1).implies(response(X));
            everywhere(Fo::And(vec![early, at]))
        }
        Timing::Until(_) => until(response),
        Timing::Before(_) => before(response),
    }
}

/// On all points before the first stop; on all of [T, HI] if there is none.
fn until(holds: Signal) -> Fo {
    let stopped = Fo::exists(Z, Fo::And(vec![first_stop(Z), Fo::at_most(Z, X)]));
    everywhere(Fo::Or(vec![stopped, holds(X)]))
}

/// Somewhere before the first stop, if there is a stop.
fn before(holds: Signal) -> Fo {
    let earlier = Fo::exists(X, Fo::And(vec![Fo::at_most(T, X), Fo::before(X, Z), holds(X)]));
    Fo::for_all(Z, first_stop(Z).implies(earlier))
}

fn denied(denied: Timing, response: Signal, absent: Signal) -> Fo {
    let dual = |of| timing(of, absent, response);
    match denied {
        Timing::Immediately | Timing::Next | Timing::Finally => dual(denied),
        Timing::Always => dual(Timing::Eventually),
        Timing::Never => somewhere(response(X)),
        Timing::Eventually => dual(Timing::Always),
        Timing::Within(n) => dual(Timing::For(n)),
        Timing::For(n) => dual(Timing::Within(n)),
        Timing::After(n) => {
            let early = Fo::And(vec![upto(n), response(X)]);
            let at = Fo::And(vec![Fo::steps(T, X, n + 1), absent(X)]);
            Fo::Or(vec![ends_before(n + 1), somewhere(Fo::Or(vec![early, at]))])
        }
        Timing::Until(_) => before(absent),
        Timing::Before(_) => until(absent),
    }
}

/// A predicate holds at a position of the interval from LO to HI.
fn predicate_at(predicate: &Predicate, x: Position) -> Fo {
    let p = |at| Fo::Holds(RES, at);
    let q = |at| Fo::Holds(STOP, at);
    // At the nearest p on one side of x, if there is one, q holds.
    let nearest = |inside: [Fo; 2], between: Fo| {
        let none_nearer = Fo::for_all(V, between.implies(p(V).negated()));
        let [one, two] = inside;
        Fo::for_all(U, Fo::And(vec![one, two, p(U), none_nearer]).implies(q(U)))
    };
    match *predicate {
        Predicate::Persisted { near, far, .. } => {
            let held = Fo::for_all(
                V,
                Fo::And(vec![Fo::at_most(U, V), Fo::Distance(V, x, near, None)]).implies(p(V)),
            );
            Fo::exists(U, Fo::And(vec![Fo::steps(U, x, far), Fo::at_most(LO, U), held]))
        }
        Predicate::Occurred { near, far, .. } => {
            Fo::exists(U, Fo::And(vec![Fo::at_most(LO, U), Fo::Distance(U, x, near, Some(far)), p(U)]))
        }
        Predicate::PreviousOccurrence { .. } => {
            let between = Fo::And(vec![Fo::before(U, V), Fo::before(V, x)]);
            nearest([Fo::at_most(LO, U), Fo::before(U, x)], between)
        }
        Predicate::Previously { .. } => {
            let before = Fo::exists(U, Fo::And(vec![Fo::steps(U, x, 1), p(U)]));
            Fo::Or(vec![Fo::And(vec![Fo::First(x), q(x)]), before])
        }
        // A value is not a Boolean: comparisons with it are tested, not proved.
        Predicate::PreviousValue { .. } => Fo::Or(vec![]),
        Predicate::FirstPoint => Fo::First(x),
        Predicate::Persists { near, far, .. } => {
            let holds = Fo::for_all(
                V,
                Fo::And(vec![Fo::Distance(x, V, near, None), Fo::at_most(V, U)]).implies(p(V)),
            );
            Fo::exists(U, Fo::And(vec![Fo::steps(x, U, far), Fo::at_most(U, HI), holds]))
        }
        Predicate::Occurs { near, far, .. } => {
            Fo::exists(U, Fo::And(vec![Fo::at_most(U, HI), Fo::Distance(x, U, near, Some(far)), p(U)]))
        }
        Predicate::NextOccurrence { .. } => {
            let between = Fo::And(vec![Fo::before(x, V), Fo::before(V, U)]);
            nearest([Fo::before(x, U), Fo::at_most(U, HI)], between)
        }
    }
}
