//! Deadlines: time may go on without a reaction, except past the last moment at which an entry could still react.
//!
//! A timed guard is a union of boxes, each an interval of ages for every timer. Inside a delay an entry is overdue if its guard holds now and at
//! no later time; then the delay has to end. An entry whose guard holds for ever, from some time on, has no deadline
//! (`crate::step::deadline`).

use super::entry::View;
use super::{Build, Refusal};
use crate::{Entry, Timed, step};
use dashu_int::IBig;
use logic::Rel;
use system::expr::{Expr, Pool};

/// The most boxes of a timed guard.
const MOST_BOXES: usize = 256;

/// An interval of ages; without an end if there is no `high`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Interval {
    low: IBig,
    high: Option<IBig>,
}

/// For each timer that matters, an interval.
type Window = Vec<(usize, Interval)>;

impl Build<'_> {
    /// While a unit is skipped, no entry has its last chance.
    pub(super) fn assume_deadlines(&mut self, waiting: &View, skip: Expr) -> Result<(), Refusal> {
        let dfrs = self.dfrs;
        for entry in step::entries(dfrs) {
            let id = || dfrs.requirements[entry.requirement].id.clone();
            let windows = windows(entry).ok_or_else(|| Refusal::TooManyCases(id()))?;
            let endless = |window: &Window| window.iter().all(|(_, it)| it.high.is_none());
            if windows.iter().any(endless) {
                continue;
            }
            let guard = self.guard(waiting, entry);
            let changes = self.changes(waiting, entry, true);
            let now = self.timed(waiting, entry);
            let later: Vec<Expr> = windows.iter().map(|it| self.ahead(waiting, it)).collect();
            let pool = &mut self.system.pool;
            let later = pool.or(later);
            let never_again = pool.not(later);
            let overdue = pool.and([guard, changes, now, never_again]);
            let in_time = pool.not(overdue);
            let assumed = pool.implies(skip, in_time);
            self.system.assumptions.push(assumed);
        }
        Ok(())
    }

    /// Whether there is a delay, of one unit at least, after which all ages are inside a window.
    fn ahead(&mut self, view: &View, window: &Window) -> Expr {
        let pool = &mut self.system.pool;
        let mut all = Vec::new();
        for (timer, interval) in window {
            let Some(high) = &interval.high else { continue };
            let age = view.now[*timer];
            let end = pool.int(high.clone());
            all.push(pool.lt(age, end));
            for (other, from) in window.iter().filter(|(it, from)| it != timer && from.low > IBig::ZERO) {
                // The other one is inside before this one is beyond: low - other age <= high - age.
                let start = pool.int(from.low.clone());
                let left = pool.add(age, start);
                let right = pool.add(view.now[*other], end);
                all.push(pool.le(left, right));
            }
        }
        if all.is_empty() { Pool::TRUE } else { self.system.pool.and(all) }
    }
}

/// The windows of an entry's timed guard; `None` if there are too many.
fn windows(entry: &Entry) -> Option<Vec<Window>> {
    let mut found: Vec<Window> = vec![Vec::new()];
    for any in &entry.timed {
        let mut next: Vec<Window> = Vec::new();
        for window in &found {
            for timed in any {
                for interval in intervals(timed) {
                    next.extend(narrowed(window, timed.timer, &interval).filter(|it| !next.contains(it)));
                }
            }
        }
        found = next;
        if found.len() > MOST_BOXES {
            return None;
        }
    }
    Some(found)
}

fn narrowed(window: &Window, timer: usize, interval: &Interval) -> Option<Window> {
    let mut window = window.clone();
    match window.iter_mut().find(|(it, _)| *it == timer) {
        None => window.push((timer, interval.clone())),
        Some((_, mine)) => {
            mine.low = mine.low.clone().max(interval.low.clone());
            mine.high = match (mine.high.take(), interval.high.clone()) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
    let is_empty = |it: &Interval| it.high.as_ref().is_some_and(|high| *high < it.low);
    (!window.iter().any(|(_, it)| is_empty(it))).then_some(window)
}

/// The ages that compare so.
fn intervals(timed: &Timed) -> Vec<Interval> {
    let (floor, ceil) = (timed.bound.floor(), timed.bound.ceil());
    let from = |low: IBig| Interval { low: low.max(IBig::ZERO), high: None };
    let upto = |high: IBig| Interval { low: IBig::ZERO, high: Some(high) };
    let all = match timed.relation {
        Rel::Lt => vec![upto(ceil - IBig::ONE)],
        Rel::Le => vec![upto(floor)],
        Rel::Gt => vec![from(floor + IBig::ONE)],
        Rel::Ge => vec![from(ceil)],
        Rel::Eq if timed.bound.is_int() => vec![Interval { low: floor.clone(), high: Some(floor) }],
        Rel::Eq => Vec::new(),
        Rel::Ne if timed.bound.is_int() => vec![upto(&floor - IBig::ONE), from(floor + IBig::ONE)],
        Rel::Ne => vec![from(IBig::ZERO)],
    };
    let there = |it: &Interval| it.high.as_ref().is_none_or(|high| *high >= it.low && *high >= IBig::ZERO);
    all.into_iter().filter(there).collect()
}
