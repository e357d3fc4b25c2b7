//! What the formula generators demand from a trigger: a timing and a response, after the denial that
//! `only` scopes ask for. Denial is not negation: it is as lenient about the end of an interval as the timing.

use crate::{Requirement, Timing};
use logic::{Formula, Store};

/// A demand from each trigger.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Demand {
    /// The response, as the timing says.
    Meet(Timing, Formula),
    /// The denial of `after n`: a response too early, or none at the point itself.
    Avoid(u64, Formula),
}

/// The demand of a requirement whose response (and stop) have been filled in.
pub(crate) fn demand(
    store: &mut Store,
    requirement: &Requirement,
    timing: Timing,
    response: Formula,
) -> Demand {
    if !requirement.scope.denies() {
        return match timing {
            Timing::Never => Demand::Meet(Timing::Always, store.not(response)),
            other => Demand::Meet(other, response),
        };
    }
    let absent = store.not(response);
    match timing {
        Timing::Immediately => Demand::Meet(Timing::Immediately, absent),
        Timing::Next => Demand::Meet(Timing::Next, absent),
        Timing::Finally => Demand::Meet(Timing::Finally, absent),
        Timing::Always => Demand::Meet(Timing::Eventually, absent),
        Timing::Never => Demand::Meet(Timing::Eventually, response),
        Timing::Eventually => Demand::Meet(Timing::Always, absent),
        Timing::Within(steps) => Demand::Meet(Timing::For(steps), absent),
        Timing::For(steps) => Demand::Meet(Timing::Within(steps), absent),
        Timing::After(steps) => Demand::Avoid(steps, response),
        Timing::Until(stop) => Demand::Meet(Timing::Before(stop), absent),
        Timing::Before(stop) => Demand::Meet(Timing::Until(stop), absent),
    }
}
