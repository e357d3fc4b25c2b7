//! `duration`: how long a condition has held while a state was active.

use super::Place;
use crate::blocks::chart::{Clock, Machine};
use crate::blocks::formula;
use crate::chart::EventScope;
use crate::lower::Kept;
use crate::matlab::{Expression, Kind};
use crate::plan::{Fault, Outcome};
use system::{Expr, Pool};

/// How many runs ago a condition on inputs became true, or a state active after that.
#[derive(Clone, Copy)]
pub(in crate::blocks::chart) struct Duration {
    state: usize,
    condition: Expr,
    runs: Kept,
}

impl Machine<'_, '_, '_> {
    /// Sets the durations for the next step.
    pub(in crate::blocks::chart) fn count_durations(&mut self) {
        for Duration { state, condition, runs } in std::mem::take(&mut self.durations) {
            let begins = self.entries.get(&state).copied().unwrap_or(Pool::FALSE);
            let pool = self.work.pool();
            let (zero, one) = (pool.int(0), pool.int(1));
            let before = pool.ite(begins, zero, runs.seen);
            let more = pool.add(before, one);
            let next = pool.ite(condition, more, zero);
            self.work.update(self.block.id, runs, next);
        }
    }
}

impl Place<'_, '_, '_, '_> {
    /// How long a condition on inputs has held while the state was active. It is 0 in the first run in which it holds.
    pub(super) fn duration(&mut self, arguments: &[Expression]) -> Outcome<Expr> {
        let (condition, unit) = match arguments {
            [condition] => (condition, "sec"),
            [condition, Expression { kind: Kind::Name(unit) | Kind::Text(unit), .. }] => {
                (condition, unit.as_str())
            }
            _ => return Err(Fault::new("`duration` has a condition and a unit")),
        };
        let has_events = self.machine.chart.events.iter().any(|it| it.scope != EventScope::Output);
        let regular = self.machine.clock == Clock::Runs && !has_events && !self.machine.chart.enters_early;
        let Some(state) = self.state.filter(|_| regular && matches!(unit, "sec" | "msec" | "usec")) else {
            return Err(Fault::hint(
                "`duration` is only supported in states of charts that run at every step, without events",
                "count in local data",
            ));
        };
        let one = self.machine.unit_of_time(unit)?;
        // The condition counts whether or not this place is reached, so it is not simplified by the guard.
        let mut inner = Place { is_of_inputs: true, ..Place::new(self.machine, Pool::TRUE, self.state) };
        let condition = formula::lower(&mut inner, condition)?;
        let condition = self.machine.work.truth_of(condition);
        let known = self.machine.durations.iter().find(|it| it.state == state && it.condition == condition);
        let runs = match known {
            Some(known) => known.runs,
            None => {
                let zero = self.machine.pool().int(0);
                let runs = self.machine.work.state(self.machine.block.id, "duration", zero);
                self.machine.durations.push(Duration { state, condition, runs });
                runs
            }
        };
        let begins = self.machine.entries.get(&state).copied().unwrap_or(Pool::FALSE);
        let work = &mut *self.machine.work;
        let zero = work.pool().int(0);
        let goes_on = work.pool().not(begins);
        let goes_on = work.pool().and([goes_on, condition]);
        let runs = work.pool().ite(goes_on, runs.seen, zero);
        let (runs, one) = (work.real_of(runs), work.pool().real(one));
        Ok(work.pool().mul(one, runs))
    }
}
