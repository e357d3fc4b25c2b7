//! The intervals of a scope.

use super::Interval;
use super::predicates::Signals;
use crate::Scope;
use logic::EvalError;

/// The intervals of a scope on a trace; on a lasso, those that begin in the first rounds.
pub(super) fn intervals(signals: &Signals, scope: Scope) -> Result<Vec<Interval>, EvalError> {
    let whole = Interval { lo: 0, hi: signals.end() };
    let Some(mode) = scope.mode() else { return Ok(vec![whole]) };
    let signal = signals.over(mode, whole)?;
    signal.require(0, whole.hi)?;
    let mode: Vec<bool> = (0..signals.positions()).map(|t| signal.at(t)).collect();
    let first = mode.iter().position(|&holds| holds);
    // The last point of the first run of the mode.
    let first_run_end = first.map(|first| match mode[first..].iter().position(|&holds| !holds) {
        Some(length) => first + length - 1,
        None => signals.end(),
    });
    let from = |lo: usize| Interval { lo, hi: signals.end() };
    let upto = |hi: Option<usize>| hi.map_or(whole, |hi| Interval { lo: 0, hi });
    let one = |interval: Option<Interval>| interval.into_iter().collect();
    Ok(match scope {
        Scope::Global => vec![whole],
        Scope::In(_) => runs(signals, &mode, true),
        Scope::NotIn(_) | Scope::OnlyIn(_) => runs(signals, &mode, false),
        Scope::Before(_) => one((first != Some(0)).then(|| upto(first.map(|first| first - 1)))),
        Scope::After(_) => one(first_run_end.filter(|&end| end < signals.end()).map(|end| from(end + 1))),
        Scope::OnlyBefore(_) => one(first.map(from)),
        Scope::OnlyAfter(_) => vec![upto(first_run_end)],
    })
}

/// The maximal runs of a value. A run that is still going on when the rounds looked at are over goes on for ever if
/// it fills a whole loop, and otherwise only repeats an earlier one.
fn runs(signals: &Signals, mode: &[bool], value: bool) -> Vec<Interval> {
    let mut runs = Vec::new();
    let mut lo = 0;
    while lo < mode.len() {
        if mode[lo] != value {
            lo += 1;
            continue;
        }
        let length = mode[lo..].iter().take_while(|&&holds| holds == value).count();
        let past = lo + length;
        let hi = if past < mode.len() { past - 1 } else { signals.end() };
        let cut_off = past == mode.len() && signals.period().is_some_and(|period| length < period);
        if !cut_off && lo <= signals.last_trigger() {
            runs.push(Interval { lo, hi });
        }
        lo = past;
    }
    runs
}
