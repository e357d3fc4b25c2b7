//! Sample times in steps of the model, which is found first: its fixed step, or what all sample times are multiples of.

use super::kinds;
use super::scope::Scopes;
use super::wires::Feeds;
use super::{Trouble, Unit};
use crate::diagram::Diagram;
use crate::value::{Matrix, Value};

/// The step where nothing determines it.
const DEFAULT: f64 = 0.2;

/// A sample time as a block states it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Time {
    Inherited,
    Constant,
    /// At every step: continuous.
    Always,
    /// Period and offset in seconds.
    Discrete(f64, f64),
}

/// Finds the step of the model, and for each unit how often it runs.
pub(super) fn times(
    diagram: &Diagram,
    scopes: &Scopes<'_>,
    units: &mut [Unit],
    feeds: &Feeds,
    troubles: &mut Vec<Trouble>,
) -> f64 {
    let stated: Vec<Time> = units.iter().map(|unit| stated(scopes, unit, troubles)).collect();
    let periods = stated.iter().flat_map(|time| match time {
        Time::Discrete(period, offset) => vec![*period, *offset],
        Time::Inherited | Time::Constant | Time::Always => vec![],
    });
    let step = step(diagram, scopes, &periods.filter(|time| *time > 0.0).collect::<Vec<f64>>(), troubles);
    let mut every: Vec<Option<u64>> = vec![None; units.len()];
    for (number, unit) in units.iter_mut().enumerate() {
        match stated[number] {
            Time::Discrete(period, offset) => {
                let steps = |time: f64| {
                    let count = (time / step).round();
                    ((count * step - time).abs() <= 1e-6 * step.max(time)).then_some(count as u64)
                };
                let (period_steps, offset_steps) = (steps(period).filter(|&count| count > 0), steps(offset));
                if period_steps.is_none() || offset_steps.is_none() {
                    troubles.push(Trouble {
                        path: unit.path.clone(),
                        kind: unit.kind.clone(),
                        message: format!(
                            "its sample time {period} s is no multiple of the step of the model, {step} s"
                        ),
                        hint: Some("choose a fixed step that divides all sample times".into()),
                    });
                }
                let period = period_steps.unwrap_or(1);
                every[number] = Some(period);
                unit.offset = offset_steps.unwrap_or(0) % period;
            }
            Time::Always => every[number] = Some(1),
            Time::Constant => every[number] = Some(0),
            Time::Inherited if unit.inputs.is_empty() && feeds[number].is_empty() => every[number] = Some(1),
            Time::Inherited => {}
        }
    }
    inherit(units, feeds, &mut every);
    for (unit, every) in units.iter_mut().zip(every) {
        unit.every = every.unwrap_or(1);
    }
    step
}

/// The sample times that are inherited: the fastest of the inputs. What only depends on constants is constant, unless it
/// remembers.
fn inherit(units: &[Unit], feeds: &Feeds, every: &mut [Option<u64>]) {
    // All inputs have to be known at first; then loops are opened: a part of them is enough.
    for strict in [true, false] {
        // Blocks mostly come in the order of their wires; after many rounds the rest runs at every step.
        for _ in 0..1_000 {
            let mut changed = false;
            for (number, unit) in units.iter().enumerate() {
                if every[number].is_some() {
                    continue;
                }
                let controls = unit.controls.iter().map(|(_, source)| source);
                let sources = feeds[number].iter().flatten().chain(controls);
                let known: Vec<Option<u64>> = sources.map(|source| every[source.unit.0 as usize]).collect();
                let open = known.iter().filter(|every| every.is_none()).count();
                if open > 0 && (strict || open == known.len()) {
                    continue;
                }
                let fastest = known.iter().flatten().copied().filter(|&count| count > 0).reduce(divisor);
                let still = !known.is_empty() && !kinds::remembers(&unit.kind);
                every[number] = Some(fastest.unwrap_or(if still { 0 } else { 1 }));
                changed = true;
            }
            if !changed {
                break;
            }
        }
    }
}

fn stated(scopes: &Scopes<'_>, unit: &Unit, troubles: &mut Vec<Trouble>) -> Time {
    let name = if unit.kind == "SubSystem" { "SystemSampleTime" } else { "SampleTime" };
    let Some(text) = unit.words.get(name).map(|text| text.trim()).filter(|text| !text.is_empty()) else {
        return if unit.kind == "Ground" { Time::Constant } else { Time::Inherited };
    };
    let value = match scopes.value(unit.block, text) {
        Ok(value) => value,
        Err(error) => {
            troubles.push(Trouble {
                path: unit.path.clone(),
                kind: unit.kind.clone(),
                message: format!("the sample time `{text}` has no value: {error}"),
                hint: error.hint,
            });
            return Time::Inherited;
        }
    };
    match value.matrix().map(|matrix| matrix.entries.as_slice()) {
        Some([time, ..]) if time.is_infinite() => Time::Constant,
        Some([0.0, ..]) => Time::Always,
        Some(&[time]) if time > 0.0 => Time::Discrete(time, 0.0),
        Some(&[time, offset]) if time > 0.0 => Time::Discrete(time, offset.max(0.0)),
        // A constant without a time of its own.
        _ if unit.kind == "Constant" => Time::Constant,
        _ => Time::Inherited,
    }
}

/// The step of the model.
fn step(diagram: &Diagram, scopes: &Scopes<'_>, periods: &[f64], troubles: &mut Vec<Trouble>) -> f64 {
    let text = diagram.settings.get("FixedStep").map_or("auto", str::trim);
    if text != "auto" && !text.is_empty() {
        let value = scopes.of_model(text);
        let number = value.as_ref().ok().and_then(Value::matrix).and_then(Matrix::single);
        match number.filter(|number| *number > 0.0 && number.is_finite()) {
            Some(number) => return number,
            None => troubles.push(Trouble {
                path: diagram.name.clone(),
                kind: "model".into(),
                message: format!("the fixed step `{text}` is no positive number"),
                hint: value.err().and_then(|error| error.hint),
            }),
        }
    }
    periods.iter().copied().reduce(common).unwrap_or(DEFAULT)
}

/// The greatest time that two times are multiples of, as far as doubles tell.
fn common(a: f64, b: f64) -> f64 {
    let (mut a, mut b) = (a.max(b), a.min(b));
    let least = a * 1e-6;
    while b > least {
        let rest = a % b;
        // A rest that is almost the whole period is a rounding.
        (a, b) = (b, if b - rest < least { 0.0 } else { rest });
    }
    a
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn common_times() {
        for (a, b, want) in [(0.1, 0.025, 0.025), (1.0, 1.0, 1.0), (0.3, 0.2, 0.1), (0.1, 0.3, 0.1)] {
            assert!((common(a, b) - want).abs() < 1e-9, "{a} {b}");
        }
    }
}
