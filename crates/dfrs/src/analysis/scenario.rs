//! Scenarios: what an exploration found, as a run with times and values that anyone can follow.
//!
//! The delays along a path are bounded by differences of times, so the earliest times are longest paths. A scenario is
//! run again by [`crate::step`] before it is shown; none that fails is.

use crate::explore::{Exploration, Step};
use crate::reading::Clock;
use crate::step;
use crate::system::{Dfrs, Kind};
use crate::zone::{Limit, Zone};
use logic::{RBig, Value};

/// A run from the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// The start, then what happens at each later time.
    pub instants: Vec<Instant>,
}

/// New inputs, and what the system makes of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instant {
    /// When.
    pub time: RBig,
    /// All inputs, by the number of the variable.
    pub inputs: Vec<(usize, Value)>,
    /// The numbers of the entries that react, in order.
    pub fired: Vec<usize>,
    /// All outputs after that.
    pub outputs: Vec<(usize, Value)>,
}

impl Exploration<'_, '_> {
    /// A shortest scenario that ends in a situation, after these rules have reacted to it.
    pub fn scenario(&self, situation: usize, reactions: &[usize]) -> Option<Scenario> {
        let last = &self.situations[situation];
        let mut steps: Vec<(&Step, usize, Vec<usize>)> = Vec::new();
        let mut at = last.step.as_ref().map(|step| {
            steps.push((step, situation, reactions.to_vec()));
            step.from
        });
        let mut start = if at.is_none() { reactions.to_vec() } else { Vec::new() };
        while let Some(number) = at {
            let node = &self.nodes[number];
            let path = self.situations[node.situation].closure.path(node.outcome);
            at = node.step.as_ref().map(|step| step.from);
            match &node.step {
                Some(step) => steps.push((step, node.situation, path)),
                None => start = path,
            }
        }
        steps.reverse();
        let times = self.times(&steps)?;
        self.replayed(&steps, &start, &times)
    }

    /// The earliest times of the steps, the first being zero.
    fn times(&self, steps: &[(&Step, usize, Vec<usize>)]) -> Option<Vec<RBig>> {
        let dense = self.machine.semantics.clock == Clock::Dense;
        // In dense time an excluded bound is missed by a little: so little that all of them together are less than one unit.
        let mut fine = 1_i64;
        while dense && fine <= steps.len() as i64 * 4 + 4 {
            fine *= 10;
        }
        let mut limits: Vec<(usize, usize, i64)> = Vec::new();
        let mut limit = |later: usize, sooner: usize, limit: Limit| {
            if let Some((number, included)) = limit.get() {
                limits.push((later, sooner, number * fine - i64::from(!included)));
            }
        };
        let mut reset = vec![0; self.machine.timers.len()];
        for (place, (step, _, _)) in steps.iter().enumerate() {
            let strictly = if dense { Limit::new(0, false) } else { Limit::new(-1, true) };
            limit(place, place + 1, strictly);
            bounds(&step.left, place, &reset, &mut limit);
            bounds(&step.arrived, place + 1, &reset, &mut limit);
            let follower = steps.get(place + 1).map(|next| next.0.from);
            if let Some(node) = follower {
                let ages = &self.nodes[node].slots[self.machine.first_timer()..];
                for (reset, _) in reset.iter_mut().zip(ages).filter(|(_, age)| **age == 0) {
                    *reset = place + 1;
                }
            }
        }
        let mut times = vec![0_i64; steps.len() + 1];
        for _ in 0..=times.len() {
            let mut moved = false;
            for &(later, sooner, most) in &limits {
                if times[later] - times[sooner] > most {
                    times[sooner] = times[later] - most;
                    moved = true;
                }
            }
            if !moved {
                let unit = RBig::from(self.machine.units * fine);
                return Some(times.into_iter().map(|time| RBig::from(time) / &unit).collect());
            }
        }
        None
    }

    /// Runs the steps, and notes what happens.
    fn replayed(
        &self,
        steps: &[(&Step, usize, Vec<usize>)],
        start: &[usize],
        times: &[RBig],
    ) -> Option<Scenario> {
        let (dfrs, semantics) = (self.machine.dfrs, self.machine.semantics);
        let mut state = run(dfrs, semantics, step::initial(dfrs), start)?;
        let mut instants = vec![instant(dfrs, &state, start)];
        for ((_, situation, path), time) in steps.iter().zip(&times[1..]) {
            let slots = self.situations[*situation].slots();
            let inputs: Vec<(usize, Value)> = self
                .machine
                .variables
                .iter()
                .enumerate()
                .filter(|(_, it)| it.input)
                .map(|(place, it)| (it.variable, it.classes.value(slots[place])))
                .collect();
            let by = time - &state.clock;
            state = step::delay(dfrs, semantics, &state, &by, &inputs).ok()?;
            state = run(dfrs, semantics, state, path)?;
            instants.push(instant(dfrs, &state, path));
        }
        Some(Scenario { instants })
    }
}

/// The bounds of a zone as bounds on differences of times.
fn bounds(zone: &Zone, now: usize, reset: &[usize], limit: &mut impl FnMut(usize, usize, Limit)) {
    let moment = |timer: usize| if timer == 0 { now } else { reset[timer - 1] };
    for row in 0..=reset.len() {
        for column in (0..=reset.len()).filter(|&column| column != row) {
            // The age of a timer is now minus its reset; zero is now minus now.
            limit(moment(column), moment(row), zone.bound(row, column));
        }
    }
}

/// Lets entries react one after the other; `None` if one of them cannot.
pub(crate) fn run(
    dfrs: &Dfrs,
    semantics: crate::Semantics,
    state: step::State,
    entries: &[usize],
) -> Option<step::State> {
    entries.iter().try_fold(state, |state, &number| {
        let entry = step::entries(dfrs).nth(number)?;
        let reacts = step::holds(entry, &state) && step::changes(entry, semantics, &state);
        reacts.then(|| step::fire(entry, semantics, &state))
    })
}

fn instant(dfrs: &Dfrs, state: &step::State, fired: &[usize]) -> Instant {
    let of = |kind: Kind| {
        let variables = dfrs.variables.iter().enumerate().filter(move |(_, it)| it.kind == kind);
        variables.map(|(place, _)| (place, state.now[place].clone())).collect()
    };
    Instant {
        time: state.clock.clone(),
        inputs: of(Kind::Input),
        fired: fired.to_vec(),
        outputs: of(Kind::Output),
    }
}
