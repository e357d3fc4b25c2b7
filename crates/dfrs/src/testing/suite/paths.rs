//! From what an exploration found to times and inputs that anyone can try: delays are chosen one after the other, the earliest
//! first, so that every timer has the age that the path asks for.

use crate::classes::Class;
use crate::explore::Exploration;
use crate::machine::Machine;
use crate::semantics::walk::{self, Still};
use crate::suite::drive;
use logic::{RBig, Value};

/// Times, each with the values of all inputs in the order of their variables; the start is left out.
pub(crate) type Stimulus = Vec<(RBig, Vec<(usize, Value)>)>;

/// What to aim at: the slots of a situation, and of the stable state it is to end in.
pub(crate) type Aim<'e> = (&'e [Class], &'e [Class]);

/// The most delays that are tried.
const TRIES: usize = 20_000;

/// How much later than necessary the first sample is, where that is allowed.
const LATE: i64 = 6;

/// Times and inputs that lead to a situation.
pub(crate) fn stimulus(found: &Exploration<'_, '_>, situation: usize) -> Option<Stimulus> {
    let mut aims: Vec<Aim<'_>> = Vec::new();
    let last = &found.situations[situation];
    let mut at = last.step.as_ref().map(|step| {
        aims.push((last.slots(), last.slots()));
        step.from
    });
    let mut start: &[Class] = last.slots();
    while let Some(number) = at {
        let node = &found.nodes[number];
        at = node.step.as_ref().map(|step| step.from);
        match at {
            Some(_) => aims.push((found.situations[node.situation].slots(), &node.slots)),
            None => start = &node.slots,
        }
    }
    aims.reverse();
    concrete(found.machine, start, &aims)
}

/// Times and inputs that lead from a stable start through all of these.
pub(crate) fn concrete(machine: &Machine<'_>, start: &[Class], aims: &[Aim<'_>]) -> Option<Stimulus> {
    let still = drive::rest(machine, &walk::start(machine), start);
    let mut delays = Vec::new();
    let mut tries = TRIES;
    if !aim(machine, &still, aims, &mut delays, &mut tries) {
        return None;
    }
    let mut time = 0_i64;
    let row = |(by, (slots, _)): (&i64, &Aim<'_>)| {
        time = time.saturating_add(*by);
        (RBig::from(time), values(machine, slots, true))
    };
    Some(delays.iter().zip(aims).map(row).collect())
}

/// The values of the inputs or of the outputs.
pub(crate) fn values(machine: &Machine<'_>, slots: &[Class], inputs: bool) -> Vec<(usize, Value)> {
    let wanted = machine.variables.iter().zip(slots).filter(|(it, _)| it.input == inputs);
    wanted.map(|(it, class)| (it.variable, it.classes.value(*class))).collect()
}

fn aim(
    machine: &Machine<'_>,
    still: &Still,
    aims: &[Aim<'_>],
    delays: &mut Vec<i64>,
    tries: &mut usize,
) -> bool {
    let Some(((situation, stable), rest)) = aims.split_first() else { return true };
    let inputs: Vec<Class> = machine
        .variables
        .iter()
        .zip(*situation)
        .filter(|(it, _)| it.input)
        .map(|(_, class)| *class)
        .collect();
    let (mut low, mut high) = (1, walk::deadline(machine, still).unwrap_or(i64::MAX));
    for (timer, ticker) in machine.timers.iter().enumerate() {
        let class = situation[machine.first_timer() + timer];
        low = low.max(ticker.ages.start(class).0 - still.ages[timer]);
        if let Some((end, _)) = ticker.ages.end(class) {
            high = high.min(end - 1 - still.ages[timer]);
        }
    }
    // The earliest, then the latest, then those between; but first of all not too early, or time 1 is when everything begins.
    let late = (delays.is_empty() && low < high).then(|| low.saturating_add(LATE).min(high));
    let latest = (high > low && high < i64::MAX).then_some(high);
    let between = (low.saturating_add(1)..high).take(TRIES);
    for by in late.into_iter().chain([low]).chain(latest).chain(between) {
        if *tries == 0 || low > high {
            return false;
        }
        *tries -= 1;
        let sampled = drive::sample(machine, still, by, &inputs);
        if sampled.slots[..] != **situation {
            continue;
        }
        delays.push(by);
        if aim(machine, &drive::rest(machine, &sampled, stable), rest, delays, tries) {
            return true;
        }
        delays.pop();
    }
    false
}
