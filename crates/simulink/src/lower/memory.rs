//! `UnitDelay`, `Memory` and `Delay`: the input of an earlier step.
//!
//! A delay by n steps is a chain of n states for each scalar. An initial value of one number holds for all of them.

use super::arithmetic::output_classes;
use super::control::{at, edge};
use super::parameters::{Fault, Outcome, count, entries, is_on, word};
use super::work::{Kept, Signal, Work};
use crate::plan::{Unit, UnitId};
use system::{Expr, Pool};

/// The longest chain of states.
const MAX_LENGTH: usize = 10_000;

pub(crate) fn delay(work: &mut Work, id: UnitId, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let (length, parameter) = match unit.kind.as_str() {
        "Memory" if !entries(unit, "InitialCondition").is_empty() => (1, "InitialCondition"),
        "Memory" => (1, "X0"),
        "UnitDelay" => (1, "InitialCondition"),
        _ => (count(unit, "DelayLength", MAX_LENGTH)?, "InitialCondition"),
    };
    if word(unit, "DelayLengthSource") == "Input port" {
        return Err(Fault::hint(
            "a delay whose length is a signal is not supported",
            "give its length as a number",
        ));
    }
    let classes = output_classes(unit)?;
    check_ports(unit, classes.len())?;
    work.reserve(classes.len(), length)?;
    let initial = entries(unit, parameter);
    if length == 0 {
        let input = inputs.first().ok_or_else(|| Fault::new("it has no input"))?;
        return (0..classes.len()).map(|it| input.at(it)).collect();
    }
    // Optional ports follow the data in this order: reset, initial value.
    let mut ports = inputs.iter().skip(1);
    let reset = match word(unit, "ExternalReset") {
        "" | "None" => Pool::FALSE,
        kind => {
            let signal = ports.next().ok_or_else(|| Fault::new("its reset is not connected"))?.at(0)?;
            resets(work, id, kind, signal)?
        }
    };
    let given = if word(unit, "InitialConditionSource") == "Input port" { ports.next() } else { None };
    let width = classes.len();
    let mut chain: Vec<Kept> = Vec::new();
    let mut outputs = Vec::new();
    for (element, class) in classes.into_iter().enumerate() {
        for step in 0..length {
            // By columns, one column for each step of the delay, the oldest first.
            let number = if initial.len() == width * length {
                initial[step * width + element]
            } else {
                at(initial, element)
            };
            let init = work.constant(number, class)?;
            let mut kept = work.state(id, "state", init);
            let mut fresh = init;
            let mut again = reset;
            if let Some(given) = given {
                let value = given.at(element)?;
                fresh = work.conform(unit, class, value);
                let first = work.first();
                again = work.pool().or([reset, first]);
            }
            kept.seen = work.pool().ite(again, fresh, kept.seen);
            chain.push(kept);
        }
        let oldest = chain[element * length].seen;
        outputs.push(oldest);
    }
    work.kept.insert(id, chain);
    Ok(outputs)
}

/// Refuses ports and frames that a block with memory may have and that have no meaning here.
pub(crate) fn check_ports(unit: &Unit, width: usize) -> Outcome<()> {
    if is_on(unit, "ShowEnablePort") {
        return Err(Fault::hint("its enable port is not supported", "put it into an enabled subsystem"));
    }
    if width > 1 && word(unit, "InputProcessing").contains("frame") {
        return Err(Fault::hint("frames are not supported", "let its elements be channels"));
    }
    Ok(())
}

pub(crate) fn finish(work: &mut Work, id: UnitId, inputs: &[Signal]) -> Outcome<()> {
    let chain = work.kept.get(&id).cloned().unwrap_or_default();
    let unit = work.layout.unit(id);
    let classes = output_classes(unit)?;
    let length = chain.len() / classes.len().max(1);
    let input = inputs.first().ok_or_else(|| Fault::new("it has no input"))?;
    for (element, class) in classes.into_iter().enumerate() {
        let states = &chain[element * length..(element + 1) * length];
        for pair in states.windows(2) {
            work.update(id, pair[0], pair[1].seen);
        }
        if let Some(newest) = states.last() {
            let value = input.at(element)?;
            let value = work.conform(unit, class, value);
            work.update(id, *newest, value);
        }
    }
    Ok(())
}

/// Whether a reset signal resets in this step.
pub(crate) fn resets(work: &mut Work, id: UnitId, kind: &str, signal: Expr) -> Outcome<Expr> {
    Ok(match kind.to_lowercase().as_str() {
        "rising" | "falling" | "either" => edge(work, id, &kind.to_lowercase(), signal),
        "sampled level" | "level hold" => work.truth_of(signal),
        "level" => {
            // While it is not zero, and in the step in which it becomes zero.
            let now = work.truth_of(signal);
            let was = work.state(id, "was set", Pool::FALSE);
            work.update_always(was, now);
            work.pool().or([now, was.seen])
        }
        _ => return Err(Fault::new(format!("the reset `{kind}` is not known"))),
    })
}
