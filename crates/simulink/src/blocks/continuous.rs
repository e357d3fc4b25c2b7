//! Blocks with continuous states: the integrator with limits and resets, transfer functions, zeros and poles, state space. And
//! two that only look at time: the derivative, which is a difference quotient, and the transport delay.
//!
//! A solver goes from one step to the next (`plan::solver`, `lower::run::stages`). The linear blocks share their forms with
//! the discrete ones.

use super::delays::{delay, finish_delay};
use super::discrete::{self, Linear, Realization, clipped, combined, delayed, given, ports};
use super::discrete::{state_space, transfer_function, zero_pole};
use super::limits::bound;
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
    outputs: |unit| {
        let shown = ["ShowSaturationPort", "ShowStatePort"].into_iter().filter(|it| unit.is_on(it));
        Some(1 + shown.count())
    },
    refusal: |unit| {
        let wraps = unit.is_on("WrapState");
        wraps.then(|| Fault::hint("`WrapState` is not supported", "wrap its output"))
    },
    shapes: |case| vec![delayed(case).swap_remove(0); case.unit.outputs.len()],
    direct: |_, input| input > 0,
    sample_time: |_| None,
    lowering: Lowering::Flow(&Flow {
        states: created,
        begin: begun,
        outputs: |work, block, states| {
            let limited = |(element, state): (usize, &Expr)| clipped(work, block, *state, element);
            let values = states.iter().enumerate().map(limited).collect::<Outcome<Vec<Expr>>>()?;
            if !block.is_on("ShowSaturationPort") {
                return Ok(vec![values]);
            }
            let sides = values.iter().enumerate().map(|(element, it)| side(work, block, *it, element));
            let sides = sides.collect::<Outcome<Vec<Expr>>>()?;
            Ok(vec![values, sides])
        },
        slopes: |work, block, states| {
            (0..states.len()).map(|it| slope(work, block, it, states[it])).collect()
        },
        limited: |work, block, place, value| clipped(work, block, value, place),
    }),
    ..discrete::INTEGRATOR
};

/// A block whose matrices a function finds.
macro_rules! linear {
    ($matrices:ident) => {
        Lowering::Flow(&Flow {
            states: |work, block| linear_states(work, block, $matrices),
            begin: |_, _, states| Ok(states),
            outputs: |work, block, states| Ok(vec![linear_output(work, block, states, $matrices)?]),
            slopes: |work, block, states| linear_slopes(work, block, states, $matrices),
            limited: unlimited,
        })
    };
}

pub(super) const TRANSFER_FCN: Definition = Definition {
    numbers: &["Numerator", "Denominator", "InitialStates"],
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
    lowering: Lowering::Memory(transported, finish_delay),
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
        return delay(work, block, whole, initial);
    }
    let length = whole + 1;
    let oldest = delay(work, block, length, initial)?;
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

/// The states of an integrator.
fn created(work: &mut Work, block: &Instance) -> Outcome<Vec<Kept>> {
    let initial = (0..block.output()?.1).map(|element| initial(work, block, element));
    let initial = initial.collect::<Outcome<Vec<Expr>>>()?;
    Ok(initial.into_iter().map(|it| work.state(block.id, "state", it)).collect())
}

/// The initial value of a state; zero if a port gives it.
fn initial(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let external = block.word("InitialConditionSource") == "external";
    let first = work.real(if external { 0.0 } else { block.entry("InitialCondition", element) })?;
    clipped(work, block, first, element)
}

/// The states of an integrator in this step: what its ports say in the first step and at a reset.
fn begun(work: &mut Work, block: &Instance, mut states: Vec<Kept>) -> Outcome<Vec<Kept>> {
    let (reset, given) = ports(work, block)?;
    for (element, kept) in states.iter_mut().enumerate() {
        let (mut init, mut again) = (initial(work, block, element)?, reset);
        if let Some(signal) = given {
            let begins = work.begins(block.id);
            again = work.pool().or([reset, begins]);
            let given = work.real_of(signal.at(element)?);
            init = clipped(work, block, given, element)?;
        }
        kept.seen = work.pool().ite(again, init, kept.seen);
    }
    Ok(states)
}

/// 1 at the upper limit, −1 at the lower one, otherwise 0.
fn side(work: &mut Work, block: &Instance, value: Expr, element: usize) -> Outcome<Expr> {
    let (none, above, below) = (work.ratio(0, 1), work.ratio(1, 1), work.ratio(-1, 1));
    if !block.is_on("LimitOutput") {
        return Ok(none);
    }
    let class = block.output()?.0;
    let upper = bound(work, block, "UpperSaturationLimit", element, class)?;
    let lower = bound(work, block, "LowerSaturationLimit", element, class)?;
    let mut side = none;
    for (limit, sign) in [(lower, below), (upper, above)] {
        if let Some(limit) = limit {
            let there = work.pool().eq(value, limit);
            side = work.pool().ite(there, sign, side);
        }
    }
    Ok(side)
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
