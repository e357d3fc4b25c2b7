//! Blocks that keep a signal or its rate within limits.
//!
//! The upper limit is looked at first, so it wins where limits cross. An infinite limit is none.

use super::arithmetic::output;
use super::control::at;
use super::parameters::{Fault, Outcome, entries, scalar, word};
use super::work::{Signal, Work};
use crate::plan::{Unit, UnitId};
use system::Expr;

pub(crate) fn limit(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let width = output(unit)?.1;
    let element = |element: usize| match (unit.kind.as_str(), inputs) {
        ("Saturate", [input, ..]) => {
            let upper = bound(work, unit, "UpperLimit", element)?;
            let lower = bound(work, unit, "LowerLimit", element)?;
            let u = input.at(element)?;
            let u = work.real_of(u);
            Ok(between(work, u, upper, lower))
        }
        ("DeadZone", [input, ..]) => {
            let u = input.at(element)?;
            let u = work.real_of(u);
            let (start, end) = (
                parameter(work, unit, "LowerValue", element)?,
                parameter(work, unit, "UpperValue", element)?,
            );
            let zero = work.ratio(0, 1);
            let pool = work.pool();
            let (above, over) = (pool.gt(u, end), pool.sub(u, end));
            let (below, under) = (pool.lt(u, start), pool.sub(u, start));
            let inner = pool.ite(below, under, zero);
            Ok(pool.ite(above, over, inner))
        }
        ("Quantizer", [input, ..]) => {
            let u = input.at(element)?;
            let u = work.real_of(u);
            let step = parameter(work, unit, "QuantizationInterval", element)?;
            let steps = work.pool().div(u, step);
            let steps = work.round("round", steps);
            Ok(work.pool().mul(steps, step))
        }
        _ => Err(Fault::new("it does not have the inputs of its type")),
    };
    (0..width).map(element).collect()
}

/// The upper limit if the number reaches it, else the lower limit if it reaches that, else the number.
pub(crate) fn between(work: &mut Work, u: Expr, upper: Option<Expr>, lower: Option<Expr>) -> Expr {
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
pub(crate) fn bound(work: &mut Work, unit: &Unit, name: &str, element: usize) -> Outcome<Option<Expr>> {
    let all = entries(unit, name);
    if all.is_empty() {
        return Err(Fault::new(format!("the parameter `{name}` has no value")));
    }
    let number = at(all, element);
    if number.is_infinite() { Ok(None) } else { work.real(number).map(Some) }
}

fn parameter(work: &mut Work, unit: &Unit, name: &str, element: usize) -> Outcome<Expr> {
    bound(work, unit, name, element)?.ok_or_else(|| Fault::new(format!("the parameter `{name}` is infinite")))
}

/// Blocks that compare their input with their last output.
pub(crate) fn limit_rate(work: &mut Work, id: UnitId, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let width = output(unit)?.1;
    let time = work.real(sample_time(work, unit))?;
    let mut values = Vec::new();
    for element in 0..width {
        values.push(match unit.kind.as_str() {
            "Relay" => relay(work, id, unit, inputs, element)?,
            _ => {
                let u = inputs.first().ok_or_else(|| Fault::new("it has no input"))?.at(element)?;
                let u = work.real_of(u);
                let rise = bound(work, unit, "RisingSlewLimit", element)?;
                let fall = bound(work, unit, "FallingSlewLimit", element)?;
                let init = work.real(at(entries(unit, "InitialCondition"), element))?;
                let last = work.state(id, "last", init);
                let rise = rise.map(|it| work.pool().mul(it, time));
                let fall = fall.map(|it| work.pool().mul(it, time));
                let change = work.pool().sub(u, last.seen);
                let value = limited(work, last.seen, change, u, rise, fall);
                // In continuous time the first output is the first input.
                let value = if word(unit, "SampleTimeMode") == "continuous" {
                    let first = work.first();
                    work.pool().ite(first, u, value)
                } else {
                    value
                };
                work.update(id, last, value);
                value
            }
        });
    }
    Ok(values)
}

/// The last value plus a limited change; the number itself where nothing is limited, which rounds nothing.
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

fn relay(work: &mut Work, id: UnitId, unit: &Unit, inputs: &[Signal], element: usize) -> Outcome<Expr> {
    let u = inputs.first().ok_or_else(|| Fault::new("it has no input"))?.at(element)?;
    let u = work.real_of(u);
    let on_at = parameter(work, unit, "OnSwitchValue", element)?;
    let off_at = parameter(work, unit, "OffSwitchValue", element)?;
    let on_value = parameter(work, unit, "OnOutputValue", element)?;
    let off_value = parameter(work, unit, "OffOutputValue", element)?;
    let was = work.state(id, "on", system::Pool::FALSE);
    let pool = work.pool();
    let (above, below) = (pool.ge(u, on_at), pool.le(u, off_at));
    let not_below = pool.not(below);
    let stays = pool.and([was.seen, not_below]);
    let on = pool.or([above, stays]);
    work.update(id, was, on);
    Ok(work.pool().ite(on, on_value, off_value))
}

/// The sample time of a unit, in seconds.
pub(crate) fn sample_time(work: &Work, unit: &Unit) -> f64 {
    work.layout.plan.step * unit.every.max(1) as f64
}

/// A number parameter that may be missing.
pub(crate) fn or_default(unit: &Unit, name: &str, default: f64) -> f64 {
    scalar(unit, name).unwrap_or(default)
}
