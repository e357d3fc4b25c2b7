//! Delays by whole steps: `UnitDelay`, `Memory`, and `Delay` with its ports for the length, enabling, resets and initial values.
//!
//! A delay by n steps is a chain of n states for each scalar, the oldest first. An initial value of one number holds for all of them. A delay
//! whose length is a signal has a chain of its greatest length, and reads it at the place that the signal says.

use super::discrete::{delayed, given_ports, refuse_frames};
use super::{Definition, Instance, Lowering, PASSING, like_output};
use crate::lower::{Kept, Work};
use crate::plan::{Fault, Outcome, Unit, entry};
use crate::value::Class;
use system::{Expr, Pool};

/// The maximum length of a delay.
const MAX_LENGTH: usize = 10_000;

pub(super) const UNIT_DELAY: Definition = Definition {
    numbers: &["InitialCondition", "X0"],
    shapes: delayed,
    remembers: true,
    direct: |_, _| false,
    lowering: Lowering::Memory(
        |work, block| {
            // Older files have another name for it.
            let new = !block.entries("InitialCondition").is_empty();
            delay(work, block, 1, if new { "InitialCondition" } else { "X0" })
        },
        finish_delay,
    ),
    ..PASSING
};

pub(super) const MEMORY: Definition = UNIT_DELAY;

pub(super) const DELAY: Definition = Definition {
    numbers: &["DelayLength", "DelayLengthUpperLimit", "InitialCondition"],
    uses: |unit, name| match name {
        "DelayLengthUpperLimit" => is_variable(unit),
        name => (PASSING.uses)(unit, name),
    },
    defaults: &[("DelayLength", "2"), ("DelayLengthUpperLimit", "100")],
    needed: like_output,
    direct: |unit, input| match input {
        0 if is_variable(unit) => !unit.is_on("PreventDirectFeedthrough"),
        0 => unit.single("DelayLength") == Some(0.0),
        _ => true,
    },
    lowering: Lowering::Memory(
        |work, block| {
            let limit = if is_variable(block) { "DelayLengthUpperLimit" } else { "DelayLength" };
            delay(work, block, block.count(limit, MAX_LENGTH)?, "InitialCondition")
        },
        finish_delay,
    ),
    ..UNIT_DELAY
};

/// Whether the length is a signal.
pub(super) fn is_variable(unit: &Unit) -> bool {
    unit.word("DelayLengthSource") == "Input port"
}

/// The input some steps ago. While the block is disabled, its states and its output stay; before it is enabled for the first time,
/// its output is zero.
pub(super) fn delay(work: &mut Work, block: &Instance, length: usize, parameter: &str) -> Outcome<Vec<Expr>> {
    let classes = block.output_classes()?;
    let width = classes.len();
    refuse_frames(block, width)?;
    work.reserve(width, length)?;
    if is_variable(block) && block.entries(parameter).len() > width.max(1) {
        return Err(Fault::hint(
            "a delay whose length is a signal has an initial value for each step, which is not supported",
            "give one initial value",
        ));
    }
    let enabled = enabled(work, block)?;
    let restart = restart(work, block, enabled)?;
    let mut chain: Vec<Kept> = Vec::new();
    let mut outputs = Vec::new();
    for (element, class) in classes.into_iter().enumerate() {
        let from = chain.len();
        for step in 0..length {
            chain.push(state(work, block, (parameter, element, step), (width, length), class, &restart)?);
        }
        let value = taken(work, block, element, &chain[from..])?;
        outputs.push(if enabled == Pool::TRUE {
            value
        } else {
            let value = work.conform(block, class, value);
            let nothing = work.constant(0.0, class)?;
            let held = work.state(block.id, "held", nothing);
            let shown = work.pool().ite(enabled, value, held.seen);
            work.update(block.id, held, shown);
            shown
        });
    }
    work.kept.insert(block.id, chain);
    Ok(outputs)
}

/// When states begin again: at a reset, and with an initial value from a port in the first step.
struct Restart {
    reset: Expr,
    first: Expr,
    given: Option<crate::lower::Signal>,
}

fn restart(work: &mut Work, block: &Instance, enabled: Expr) -> Outcome<Restart> {
    let (reset, given) = given_ports(work, block, 1 + extra_ports(block))?;
    let given = given.cloned();
    if enabled == Pool::TRUE {
        let first = if given.is_some() { work.begins(block.id) } else { Pool::FALSE };
        return Ok(Restart { reset, first, given });
    }
    if matches!(
        block.word("ExternalReset").to_lowercase().as_str(),
        "rising" | "falling" | "either" | "level"
    ) {
        let message = "whether its reset changes while it is disabled counts is not known";
        return Err(Fault::hint(message, "reset it at a level"));
    }
    let new = work.state(block.id, "new", Pool::TRUE);
    let pool = work.pool();
    let (reset, first, off) = (pool.and([reset, enabled]), pool.and([new.seen, enabled]), pool.not(enabled));
    let still = pool.and([new.seen, off]);
    work.update(block.id, new, still);
    Ok(Restart { reset, first, given })
}

/// A state of a chain.
fn state(
    work: &mut Work,
    block: &Instance,
    (parameter, element, step): (&str, usize, usize),
    (width, length): (usize, usize),
    class: Class,
    restart: &Restart,
) -> Outcome<Kept> {
    let initial = block.entries(parameter);
    // By columns, one column for each step of the delay, the oldest first.
    let number = if initial.len() == width * length {
        initial[step * width + element]
    } else {
        entry(initial, element)
    };
    let init = work.constant(number, class)?;
    let mut kept = work.state(block.id, "state", init);
    let (mut fresh, mut again) = (init, restart.reset);
    if let Some(given) = &restart.given {
        fresh = work.conform(block, class, given.at(element)?);
        again = work.pool().or([restart.reset, restart.first]);
    }
    kept.seen = work.pool().ite(again, fresh, kept.seen);
    Ok(kept)
}

/// The value at the end of a chain, or at the place that a signal says: limited to the length, its fraction cut off.
fn taken(work: &mut Work, block: &Instance, element: usize, chain: &[Kept]) -> Outcome<Expr> {
    if !is_variable(block) {
        return chain.first().map_or_else(|| block.at(0, element), |it| Ok(it.seen));
    }
    let steps = block.at(1, 0)?;
    let steps = work.real_of(steps);
    let newest = chain.last().map(|it| it.seen);
    let mut value = match newest.filter(|_| block.is_on("PreventDirectFeedthrough")) {
        Some(newest) => newest,
        None => block.at(0, element)?,
    };
    for (kept, ago) in chain.iter().rev().zip(1..) {
        let ago = work.ratio(ago, 1);
        let reached = work.pool().ge(steps, ago);
        value = work.choose(reached, kept.seen, value);
    }
    Ok(value)
}

/// The number of ports for the length and for enabling, which follow the data.
fn extra_ports(unit: &Unit) -> usize {
    usize::from(is_variable(unit)) + usize::from(unit.is_on("ShowEnablePort"))
}

/// Whether the block is enabled in this step.
fn enabled(work: &mut Work, block: &Instance) -> Outcome<Expr> {
    if !block.is_on("ShowEnablePort") {
        return Ok(Pool::TRUE);
    }
    let signal = block.at(extra_ports(block), 0)?;
    Ok(work.truth_of(signal))
}

pub(super) fn finish_delay(work: &mut Work, block: &Instance) -> Outcome<()> {
    let chain = work.kept.get(&block.id).cloned().unwrap_or_default();
    let classes = block.output_classes()?;
    let length = chain.len() / classes.len().max(1);
    let enabled = enabled(work, block)?;
    for (element, class) in classes.into_iter().enumerate() {
        let states = &chain[element * length..(element + 1) * length];
        let newest = match states {
            [] => continue,
            _ => work.conform(block, class, block.at(0, element)?),
        };
        let next = states.iter().skip(1).map(|it| it.seen).chain([newest]);
        for (kept, next) in states.iter().zip(next) {
            let next = work.pool().ite(enabled, next, kept.seen);
            work.update(block.id, *kept, next);
        }
    }
    Ok(())
}
