//! What the meanings of a requirement say about a trace in memory. They must agree; if they do not, that is a defect of this program.

use crate::Error;
use crate::cli::Meaning;
use logic::{Formula, Store, Trace, holds_at};
use requirement::oracle::{Verdict, judge};
use requirement::{Ending, Refusal, Requirement, future, past};

/// What the meanings say about a requirement on a trace.
pub(super) struct Judged {
    pub(super) holds: bool,
    pub(super) verdict: Option<Verdict>,
    pub(super) past: Option<bool>,
    pub(super) future: Option<bool>,
}

impl Judged {
    pub(super) fn new(
        store: &mut Store,
        requirement: &Requirement,
        trace: &Trace,
        meaning: Meaning,
    ) -> Result<Judged, Error> {
        let asked = |one: Meaning| meaning == one || meaning == Meaning::All;
        let verdict = asked(Meaning::Oracle).then(|| judge(store, requirement, trace)).transpose();
        let verdict = verdict.map_err(Error::refused)?;
        // A formula that a requirement cannot have is left out, unless it is the requested one.
        let missing = |refusal: Refusal| match meaning {
            Meaning::All => Ok(None),
            Meaning::Oracle | Meaning::Past | Meaning::Future => {
                Err(Error::Refused(format!("there is no such formula: {refusal}")))
            }
        };
        let past = match asked(Meaning::Past).then(|| past(store, requirement)) {
            None => None,
            Some(Err(refusal)) => missing(refusal)?,
            Some(Ok(formula)) => {
                Some(holds_at(store, formula, trace, trace.len() - 1).map_err(Error::refused)?)
            }
        };
        let future = match asked(Meaning::Future).then(|| futures(store, requirement)) {
            None => None,
            Some(Err(refusal)) => missing(refusal)?,
            Some(Ok((weak, last))) => Some(both(store, weak, last, trace)?),
        };
        let answers: Vec<bool> =
            [verdict.as_ref().map(Verdict::holds), past, future].into_iter().flatten().collect();
        let none = || Error::refused("no meaning could be evaluated");
        let holds = answers.first().copied().ok_or_else(none)?;
        if answers.iter().any(|&answer| answer != holds) {
            let oracle = verdict.map(|verdict| verdict.holds());
            return Err(Error::Internal(format!(
                "the meanings disagree on this sentence and trace (oracle {oracle:?}, past {past:?}, future {future:?})"
            )));
        }
        Ok(Judged { holds, verdict, past, future })
    }
}

/// The two future formulas for finite traces: with weak next, and with LAST, which the trace has.
fn futures(store: &mut Store, requirement: &Requirement) -> Result<(Formula, Formula), Refusal> {
    Ok((future(store, requirement, Ending::WeakNext)?, future(store, requirement, Ending::Last)?))
}

/// Whether both formulas hold; they must agree.
fn both(store: &Store, weak: Formula, last: Formula, trace: &Trace) -> Result<bool, Error> {
    let holds = |formula| holds_at(store, formula, trace, 0).map_err(Error::refused);
    match (holds(weak)?, holds(last)?) {
        (weak, last) if weak == last => Ok(weak),
        (weak, last) => {
            Err(Error::Internal(format!("the future formulas disagree (weak next {weak}, LAST {last})")))
        }
    }
}
