//! Blocks that keep a signal or its rate within limits.
//!
//! The upper limit is checked first, so it wins if the limits cross. An infinite limit is ignored.

use super::{Definition, ELEMENTWISE, Instance, Lowering, like_output};
use crate::lower::Work;
use crate::plan::{Fault, Outcome, Unit};
use crate::value::Class;
use system::{Expr, Pool};

pub(super) const SATURATE: Definition = Definition {
    numbers: &["UpperLimit", "LowerLimit"],
    expands: &["UpperLimit", "LowerLimit"],
    defaults: &[("UpperLimit", "0.5"), ("LowerLimit", "-0.5")],
    needed: like_output,
    lowering: Lowering::Each(|work, block, element| {
        let class = block.input_class(work, 0);
        let upper = bound(work, block, "UpperLimit", element, class)?;
        let lower = bound(work, block, "LowerLimit", element, class)?;
        let u = block.real(work, element)?;
        Ok(between(work, u, upper, lower))
    }),
    ..ELEMENTWISE
};

pub(super) const DEAD_ZONE: Definition = Definition {
    numbers: &["LowerValue", "UpperValue"],
    expands: &["LowerValue", "UpperValue"],
    defaults: &[("LowerValue", "-0.5"), ("UpperValue", "0.5")],
    lowering: Lowering::Each(dead_zone),
    ..ELEMENTWISE
};

pub(super) const QUANTIZER: Definition = Definition {
    numbers: &["QuantizationInterval"],
    expands: &["QuantizationInterval"],
    defaults: &[("QuantizationInterval", "0.5")],
    lowering: Lowering::Each(|work, block, element| {
        let u = block.real(work, element)?;
        let step = parameter(work, block, "QuantizationInterval", element, block.input_class(work, 0))?;
        let steps = work.pool().div(u, step);
        let steps = work.round("round", steps);
        Ok(work.pool().mul(steps, step))
    }),
    ..ELEMENTWISE
};

pub(super) const RATE_LIMITER: Definition = Definition {
    numbers: &["RisingSlewLimit", "FallingSlewLimit", "InitialCondition"],
    expands: &["RisingSlewLimit", "FallingSlewLimit", "InitialCondition"],
    defaults: &[("RisingSlewLimit", "1"), ("FallingSlewLimit", "-1")],
    needed: like_output,
    remembers: true,
    lowering: Lowering::Each(limit_rate),
    ..ELEMENTWISE
};

pub(super) const RELAY: Definition = Definition {
    numbers: &["OnSwitchValue", "OffSwitchValue", "OnOutputValue", "OffOutputValue"],
    expands: &["OnSwitchValue", "OffSwitchValue", "OnOutputValue", "OffOutputValue"],
    defaults: &[
        ("OnSwitchValue", "eps"),
        ("OffSwitchValue", "eps"),
        ("OnOutputValue", "1"),
        ("OffOutputValue", "0"),
    ],
    remembers: true,
    lowering: Lowering::Each(relay),
    ..ELEMENTWISE
};

pub(super) const BACKLASH: Definition = Definition {
    numbers: &["BacklashWidth", "InitialOutput"],
    expands: &["BacklashWidth", "InitialOutput"],
    defaults: &[("BacklashWidth", "1"), ("InitialOutput", "0")],
    remembers: true,
    lowering: Lowering::Each(backlash),
    ..ELEMENTWISE
};

fn dead_zone(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let u = block.real(work, element)?;
    let class = block.input_class(work, 0);
    let start = parameter(work, block, "LowerValue", element, class)?;
    let end = parameter(work, block, "UpperValue", element, class)?;
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

/// An entry of a parameter in a class, unless it is infinite.
pub(super) fn bound(
    work: &mut Work,
    unit: &Unit,
    name: &str,
    element: usize,
    class: Class,
) -> Outcome<Option<Expr>> {
    if unit.entries(name).is_empty() {
        return Err(Fault::new(format!("the parameter `{name}` has no value")));
    }
    let number = unit.entry(name, element);
    if number.is_infinite() { Ok(None) } else { work.parameter(number, class).map(Some) }
}

fn parameter(work: &mut Work, unit: &Unit, name: &str, element: usize, class: Class) -> Outcome<Expr> {
    bound(work, unit, name, element, class)?
        .ok_or_else(|| Fault::new(format!("the parameter `{name}` is infinite")))
}

fn limit_rate(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    work.regular(block.id)?;
    let time = work.real(work.sample_time(block))?;
    let u = block.real(work, element)?;
    // Rates are changes per second, so they are not numbers of the class of an integer input.
    let rise = bound(work, block, "RisingSlewLimit", element, Class::Double)?;
    let fall = bound(work, block, "FallingSlewLimit", element, Class::Double)?;
    let init = block.parameter(work, "InitialCondition", element, block.input_class(work, 0))?;
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
    let (input, output) = (block.input_class(work, 0), block.output()?.0);
    let [on_at, off_at, on_value, off_value] = [
        ("OnSwitchValue", input),
        ("OffSwitchValue", input),
        ("OnOutputValue", output),
        ("OffOutputValue", output),
    ]
    .map(|(name, class)| parameter(work, block, name, element, class));
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

/// A play of some width around the last output: the input moves the output only when it reaches an end of the play.
fn backlash(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let u = block.real(work, element)?;
    let class = block.input_class(work, 0);
    let width = parameter(work, block, "BacklashWidth", element, class)?;
    let init = block.parameter(work, "InitialOutput", element, class)?;
    let last = work.state(block.id, "last", init);
    let half = work.ratio(1, 2);
    let pool = work.pool();
    let half = pool.mul(width, half);
    let (high, low) = (pool.add(last.seen, half), pool.sub(last.seen, half));
    let (above, below) = (pool.gt(u, high), pool.lt(u, low));
    let (pushed, pulled) = (pool.sub(u, half), pool.add(u, half));
    let value = pool.ite(below, pulled, last.seen);
    let value = pool.ite(above, pushed, value);
    work.update(block.id, last, value);
    Ok(value)
}
