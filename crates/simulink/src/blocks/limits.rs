//! Blocks that keep a signal or its rate within limits.
//!
//! The upper limit is checked first, so it wins if the limits cross. An infinite limit is ignored.

use super::{Definition, ELEMENTWISE, Instance, Lowering, like_output};
use crate::lower::Work;
use crate::plan::{Fault, Outcome, Unit};
use system::{Expr, Pool};

pub(super) const SATURATE: Definition = Definition {
    numbers: &["UpperLimit", "LowerLimit"],
    needed: like_output,
    lowering: Lowering::Each(|work, block, element| {
        let upper = bound(work, block, "UpperLimit", element)?;
        let lower = bound(work, block, "LowerLimit", element)?;
        let u = block.real(work, element)?;
        Ok(between(work, u, upper, lower))
    }),
    ..ELEMENTWISE
};

pub(super) const DEAD_ZONE: Definition =
    Definition { numbers: &["LowerValue", "UpperValue"], lowering: Lowering::Each(dead_zone), ..ELEMENTWISE };

pub(super) const QUANTIZER: Definition = Definition {
    numbers: &["QuantizationInterval"],
    lowering: Lowering::Each(|work, block, element| {
        let u = block.real(work, element)?;
        let step = parameter(work, block, "QuantizationInterval", element)?;
        let steps = work.pool().div(u, step);
        let steps = work.round("round", steps);
        Ok(work.pool().mul(steps, step))
    }),
    ..ELEMENTWISE
};

pub(super) const RATE_LIMITER: Definition = Definition {
    numbers: &["RisingSlewLimit", "FallingSlewLimit", "InitialCondition"],
    needed: like_output,
    remembers: true,
    lowering: Lowering::Each(limit_rate),
    ..ELEMENTWISE
};

pub(super) const RELAY: Definition = Definition {
    numbers: &["OnSwitchValue", "OffSwitchValue", "OnOutputValue", "OffOutputValue"],
    remembers: true,
    lowering: Lowering::Each(relay),
    ..ELEMENTWISE
};

pub(super) const BACKLASH: Definition =
    Definition { numbers: &["BacklashWidth", "InitialOutput"], remembers: true, ..ELEMENTWISE };

fn dead_zone(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let u = block.real(work, element)?;
    let start = parameter(work, block, "LowerValue", element)?;
    let end = parameter(work, block, "UpperValue", element)?;
    let zero = work.ratio(0, 1);
    let pool = work.pool();
    let (above, over) = (pool.gt(u, end), pool.sub(u, end));
    let (below, under) = (pool.lt(u, start), pool.sub(u, start));
    let inner = pool.ite(below, under, zero);
    Ok(pool.ite(above, over, inner))
}

/// The upper limit if the number reaches it, else the lower limit if it reaches that, else the number.
pub(super) fn between(work: &mut Work, u: Expr, upper: Option<Expr>, lower: Option<Expr>) -> Expr {
    let mut value = u;
    if let Some(lower) = lower {
        let below = work.pool().lt(u, lower);
        value = work.pool().ite(below, lower, value);
    }
    if let Some(upper) = upper {
        let above = work.pool().gt(u, upper);
        value = work.pool().ite(above, upper, value);
    }
    value
}

/// An entry of a parameter, unless it is infinite.
pub(super) fn bound(work: &mut Work, unit: &Unit, name: &str, element: usize) -> Outcome<Option<Expr>> {
    if unit.entries(name).is_empty() {
        return Err(Fault::new(format!("the parameter `{name}` has no value")));
    }
    let number = unit.entry(name, element);
    if number.is_infinite() { Ok(None) } else { work.real(number).map(Some) }
}

fn parameter(work: &mut Work, unit: &Unit, name: &str, element: usize) -> Outcome<Expr> {
    bound(work, unit, name, element)?.ok_or_else(|| Fault::new(format!("the parameter `{name}` is infinite")))
}

fn limit_rate(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let time = work.real(work.sample_time(block))?;
    let u = block.real(work, element)?;
    let rise = bound(work, block, "RisingSlewLimit", element)?;
    let fall = bound(work, block, "FallingSlewLimit", element)?;
    let init = work.real(block.entry("InitialCondition", element))?;
    let last = work.state(block.id, "last", init);
    let rise = rise.map(|it| work.pool().mul(it, time));
    let fall = fall.map(|it| work.pool().mul(it, time));
    let change = work.pool().sub(u, last.seen);
    let mut value = limited(work, last.seen, change, u, rise, fall);
    // In continuous time the first output is the first input.
    if block.word("SampleTimeMode") == "continuous" {
        let first = work.first();
        value = work.pool().ite(first, u, value);
    }
    work.update(block.id, last, value);
    Ok(value)
}

/// The last value plus a limited change; the number itself if nothing is limited, which avoids rounding.
fn limited(
    work: &mut Work,
    last: Expr,
    change: Expr,
    u: Expr,
    rise: Option<Expr>,
    fall: Option<Expr>,
) -> Expr {
    let mut value = u;
    if let Some(fall) = fall {
        let pool = work.pool();
        let (fast, most) = (pool.lt(change, fall), pool.add(last, fall));
        value = pool.ite(fast, most, value);
    }
    if let Some(rise) = rise {
        let pool = work.pool();
        let (fast, most) = (pool.gt(change, rise), pool.add(last, rise));
        value = pool.ite(fast, most, value);
    }
    value
}

fn relay(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let u = block.real(work, element)?;
    let [on_at, off_at, on_value, off_value] =
        ["OnSwitchValue", "OffSwitchValue", "OnOutputValue", "OffOutputValue"]
            .map(|name| parameter(work, block, name, element));
    let (on_at, off_at, on_value, off_value) = (on_at?, off_at?, on_value?, off_value?);
    let was = work.state(block.id, "on", Pool::FALSE);
    let pool = work.pool();
    let (above, below) = (pool.ge(u, on_at), pool.le(u, off_at));
    let not_below = pool.not(below);
    let stays = pool.and([was.seen, not_below]);
    let on = pool.or([above, stays]);
    work.update(block.id, was, on);
    Ok(work.pool().ite(on, on_value, off_value))
}
