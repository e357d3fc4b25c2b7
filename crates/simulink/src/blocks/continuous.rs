//! Blocks with continuous states: the integrator with limits and resets, transfer functions, zeros and poles, state space. And
//! two that only look at time: the derivative, which is a difference quotient, and the transport delay.
//!
//! A solver goes from one step to the next (`plan::solver`, `lower::run::stages`). The linear blocks share their forms with
//! the discrete ones.

use super::discrete::{self, Linear, Realization, clipped, combined, delayed, given, ports};
use super::discrete::{state_space, transfer_function, zero_pole};
use super::{Definition, ELEMENTWISE, Flow, Instance, Lowering};
use crate::lower::{Kept, Work};
use crate::plan::{Fault, Outcome, entry, finite};
use dashu_ratio::RBig;
use system::Expr;

/// The maximum number of steps of a transport delay.
const MAX_DELAY: usize = 10_000;

pub(super) const INTEGRATOR: Definition = Definition {
    numbers: &["InitialCondition", "UpperSaturationLimit", "LowerSaturationLimit"],
    expands: &["UpperSaturationLimit", "LowerSaturationLimit"],
    defaults: &[("InitialCondition", "0")],
    outputs: |unit| Some(1 + usize::from(unit.is_on(SATURATION))),
    shapes: |case| {
        let value = delayed(case);
        let more = if case.unit.is_on(SATURATION) { value.clone() } else { Vec::new() };
        [value, more].concat()
    },
    direct: |_, input| input > 0,
    sample_time: |_| None,
    lowering: Lowering::Flow(&Flow {
        states: integrated,
        output: |work, block, states| {
            let limited = |(element, state): (usize, &Expr)| clipped(work, block, *state, element);
            let mut outputs: Vec<Expr> = states.iter().enumerate().map(limited).collect::<Outcome<_>>()?;
            if block.is_on(SATURATION) {
                for element in 0..states.len() {
                    outputs.push(saturation(work, block, outputs[element], element)?);
                }
            }
            Ok(outputs)
        },
        slopes: |work, block, states| {
            (0..states.len()).map(|it| slope(work, block, it, states[it])).collect()
        },
        limited: |work, block, place, value| clipped(work, block, value, place),
    }),
    ..discrete::INTEGRATOR
};

/// The parameter that shows whether an integrator is at a limit, as a second output.
const SATURATION: &str = "ShowSaturationPort";

/// 1 at the upper limit, -1 at the lower one, and 0 in between.
fn saturation(work: &mut Work, block: &Instance, value: Expr, element: usize) -> Outcome<Expr> {
    let (above, zero, below) = (work.ratio(1, 1), work.ratio(0, 1), work.ratio(-1, 1));
    let mut found = zero;
    if block.is_on("LimitOutput") {
        for (name, sign) in [("LowerSaturationLimit", below), ("UpperSaturationLimit", above)] {
            let limit = block.entry(name, element);
            if limit.is_finite() {
                let limit = work.real(limit)?;
                let pool = work.pool();
                let is_there = if sign == above { pool.ge(value, limit) } else { pool.ge(limit, value) };
                found = pool.ite(is_there, sign, found);
            }
        }
    }
    Ok(found)
}

/// A block whose matrices a function finds.
macro_rules! linear {
    ($matrices:ident) => {
        Lowering::Flow(&Flow {
            states: |work, block| linear_states(work, block, $matrices),
            output: |work, block, states| linear_output(work, block, states, $matrices),
            slopes: |work, block, states| linear_slopes(work, block, states, $matrices),
            limited: unlimited,
        })
    };
}

pub(super) const TRANSFER_FCN: Definition = Definition {
    numbers: &["Numerator", "Denominator"],
    defaults: &[("Numerator", "[1]"), ("Denominator", "[1 1]")],
    sample_time: |_| None,
    lowering: linear!(transfer_function),
    ..discrete::TRANSFER_FUNCTION
};

pub(super) const ZERO_POLE: Definition = Definition {
    defaults: &[("Zeros", "[1]"), ("Poles", "[0 -1]"), ("Gain", "[1]")],
    sample_time: |_| None,
    lowering: linear!(zero_pole),
    ..discrete::ZERO_POLE
};

pub(super) const STATE_SPACE: Definition =
    Definition { sample_time: |_| None, lowering: linear!(state_space), ..discrete::STATE_SPACE };

/// The difference to the last step over the step; zero at first.
pub(super) const DERIVATIVE: Definition = Definition {
    sample_time: |_| None,
    lowering: Lowering::Each(|work, block, element| {
        always(work, block)?;
        let u = block.real(work, element)?;
        let (zero, time) = (work.ratio(0, 1), work.real(work.sample_time(block))?);
        let last = work.state(block.id, "last", zero);
        work.update(block.id, last, u);
        let first = work.first();
        let pool = work.pool();
        let change = pool.sub(u, last.seen);
        let rate = pool.div(change, time);
        Ok(pool.ite(first, zero, rate))
    }),
    remembers: true,
    ..ELEMENTWISE
};

/// The input some time ago, between two steps on the line through both; the initial value before that.
pub(super) const TRANSPORT_DELAY: Definition = Definition {
    numbers: &["DelayTime", "InitialOutput", "InitialInput"],
    defaults: &[("DelayTime", "1"), ("InitialOutput", "0")],
    sample_time: |_| None,
    remembers: true,
    direct: |_, _| false,
    lowering: Lowering::Memory(transported, discrete::finish_delay),
    ..ELEMENTWISE
};

/// Refuses a block that remembers at which time its input had which value, where time passes without it.
fn always(work: &Work, block: &Instance) -> Outcome<()> {
    if work.layout.around(block.id).any(|it| !it.controls.is_empty()) {
        let message = "what it does while its subsystem does not run is not supported";
        return Err(Fault::hint(message, "move it out of the conditional subsystem"));
    }
    Ok(())
}

fn transported(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    always(work, block)?;
    let [time] = block.entries("DelayTime") else {
        return Err(Fault::hint("its delay is not one number", "use a block for each signal"));
    };
    let steps = finite(*time)? / finite(work.layout.plan.step)?;
    let whole = usize::try_from(steps.floor()).ok().filter(|it| (1..MAX_DELAY).contains(it));
    let Some(whole) = whole else {
        let message = format!("its delay is not from one step to {MAX_DELAY} steps");
        return Err(Fault::hint(message, "choose another step"));
    };
    let initial = if block.entries("InitialInput").is_empty() { "InitialOutput" } else { "InitialInput" };
    let rest = steps - RBig::from(whole);
    if rest.is_zero() {
        return discrete::delay(work, block, whole, initial);
    }
    let length = whole + 1;
    let oldest = discrete::delay(work, block, length, initial)?;
    let chain = work.kept.get(&block.id).cloned().unwrap_or_default();
    let steps = work.steps(Some(length as u64));
    let last = work.pool().int(length as u64);
    let begun = work.pool().ge(steps, last);
    let share = work.pool().real(RBig::ONE - rest);
    let mut outputs = Vec::new();
    for (element, older) in oldest.into_iter().enumerate() {
        let (first, newer) = (work.real_of(older), work.real_of(chain[element * length + 1].seen));
        let pool = work.pool();
        let difference = pool.sub(newer, first);
        let rise = pool.mul(share, difference);
        let between = pool.add(first, rise);
        outputs.push(pool.ite(begun, between, first));
    }
    Ok(outputs)
}

/// The states of an integrator: what its ports say in the first step and at a reset.
fn integrated(work: &mut Work, block: &Instance) -> Outcome<Vec<Kept>> {
    let external = block.word("InitialConditionSource") == "external";
    let (reset, initial) = ports(work, block)?;
    let mut states = Vec::new();
    for element in 0..block.output()?.1 {
        let number = if external { 0.0 } else { block.entry("InitialCondition", element) };
        let first = work.real(number)?;
        let mut init = clipped(work, block, first, element)?;
        let mut kept = work.state(block.id, "state", init);
        let mut again = reset;
        if let Some(signal) = initial {
            let begins = work.begins(block.id);
            again = work.pool().or([reset, begins]);
            let given = work.real_of(signal.at(element)?);
            init = clipped(work, block, given, element)?;
        }
        kept.seen = work.pool().ite(again, init, kept.seen);
        states.push(kept);
    }
    Ok(states)
}

/// The input; zero if the state is at a limit and the input would move it beyond.
fn slope(work: &mut Work, block: &Instance, element: usize, state: Expr) -> Outcome<Expr> {
    let u = block.real(work, element)?;
    if !block.is_on("LimitOutput") {
        return Ok(u);
    }
    let (limited, zero) = (clipped(work, block, state, element)?, work.ratio(0, 1));
    let pool = work.pool();
    let moved = pool.add(limited, u);
    let kept = clipped(work, block, moved, element)?;
    let pool = work.pool();
    let stays = pool.eq(kept, limited);
    Ok(pool.ite(stays, zero, u))
}

fn unlimited(_: &mut Work, _: &Instance, _: usize, value: Expr) -> Outcome<Expr> {
    Ok(value)
}

fn linear_states(work: &mut Work, block: &Instance, realization: Realization) -> Outcome<Vec<Kept>> {
    let linear = realization(block)?;
    let channels = channels(&linear, block)?;
    let size = [&linear.a, &linear.b, &linear.c, &linear.d].into_iter().flatten().map(Vec::len).sum();
    work.reserve(channels, size)?;
    let mut states = Vec::new();
    for place in (0..channels).flat_map(|_| 0..linear.a.len()) {
        let init = work.real(entry(&linear.initial, place))?;
        states.push(work.state(block.id, "state", init));
    }
    Ok(states)
}

/// The number of systems: one for each element, or one for all.
fn channels(linear: &Linear, block: &Instance) -> Outcome<usize> {
    Ok(if linear.channels { block.output()?.1 } else { 1 })
}

fn linear_output(
    work: &mut Work,
    block: &Instance,
    states: &[Expr],
    realization: Realization,
) -> Outcome<Vec<Expr>> {
    let linear = realization(block)?;
    let mut outputs = Vec::new();
    for channel in 0..channels(&linear, block)? {
        let order = linear.a.len();
        let now = &states[channel * order..(channel + 1) * order];
        let given = given(work, &linear, block.signal(0)?, channel)?;
        for (c, d) in linear.c.iter().zip(&linear.d) {
            let (from_state, from_input) = (combined(work, c, now), combined(work, d, &given));
            outputs.push(work.pool().add(from_state, from_input));
        }
    }
    Ok(outputs)
}

fn linear_slopes(
    work: &mut Work,
    block: &Instance,
    states: &[Expr],
    realization: Realization,
) -> Outcome<Vec<Expr>> {
    let linear = realization(block)?;
    let mut slopes = Vec::new();
    for (channel, now) in states.chunks(linear.a.len().max(1)).enumerate() {
        let given = given(work, &linear, block.signal(0)?, channel)?;
        for (a, b) in linear.a.iter().zip(&linear.b) {
            let (from_state, from_input) = (combined(work, a, now), combined(work, b, &given));
            slopes.push(work.pool().add(from_state, from_input));
        }
    }
    Ok(slopes)
}
