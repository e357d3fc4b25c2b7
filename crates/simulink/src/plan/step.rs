//! The step of a model, and the times at which its runs start and stop.
//!
//! The step is the fixed step; otherwise the greatest time that divides all sample times, including those of blocks that only show
//! signals. Sources that change at given times make it smaller, so that they change at a step.

use super::scope::Scopes;
use super::{Fault, Problem, Solver, Unit};
use crate::blocks::BlockKind;
use crate::diagram::{BlockId, Diagram};
use crate::value::{Matrix, Value};

/// The setting of a model with a step in seconds that is used instead of its own.
pub const CHOSEN: &str = "ChosenStep";

/// The kind of a problem with a setting of the model without which it can be run.
pub(crate) const SETTING: &str = "setting";

/// The default step, in seconds.
const DEFAULT: f64 = 0.2;

/// A step that is smaller than this part of the times that it divides is not chosen.
const LEAST: f64 = 0.01;

/// The step of a model, whose units state these periods and offsets.
pub(super) fn step(
    diagram: &Diagram,
    scopes: &Scopes<'_>,
    solver: &Solver,
    start: f64,
    units: &[Unit],
    periods: &[f64],
    problems: &mut Vec<Problem>,
) -> f64 {
    if let Some(step) = fixed(diagram, scopes, solver, problems) {
        return step;
    }
    let longest = longest(diagram, scopes, solver, units);
    let shown = shown(diagram, scopes, problems);
    let sampled = periods.iter().chain(&shown).copied().reduce(common);
    let sampled = match sampled {
        // What is only shown does not make the steps of a solver longer.
        Some(all) if periods.is_empty() && is_integrated(units) => Some(up_to(all, longest)),
        other => other,
    };
    let step = match (sampled, changes(solver, start, units)) {
        (None, None) => longest,
        (None, Some(changes)) => up_to(changes, longest),
        (Some(sampled), None) => sampled,
        (Some(sampled), Some(changes)) => joined(sampled, changes),
    };
    delay(solver, units).map_or(step, |delay| up_to(step, delay))
}

/// The shortest delay, if the solver chooses its step itself: it is at least one step.
fn delay(solver: &Solver, units: &[Unit]) -> Option<f64> {
    let delays = units.iter().filter(|unit| unit.kind == BlockKind::TransportDelay && solver.is_variable());
    let times = delays.flat_map(|unit| unit.entries("DelayTime")).copied();
    times.filter(|it| *it > 0.0 && it.is_finite()).reduce(f64::min)
}

/// The fixed step of the model; none if it is to be found, or if the solver chooses its step itself.
fn fixed(
    diagram: &Diagram,
    scopes: &Scopes<'_>,
    solver: &Solver,
    problems: &mut Vec<Problem>,
) -> Option<f64> {
    let chosen = diagram.settings.get(CHOSEN);
    let text = chosen.or_else(|| diagram.settings.get("FixedStep")).map_or("auto", str::trim);
    if text == "auto" || text.is_empty() || chosen.is_none() && solver.is_variable() {
        return None;
    }
    let value = scopes.of_model(text);
    let number = value.as_ref().ok().and_then(Value::matrix).and_then(Matrix::single);
    let number = number.filter(|number| *number > 0.0 && number.is_finite());
    if number.is_none() {
        let message = format!("the fixed step `{text}` is not a positive number");
        let fault = match value {
            Ok(_) => Fault::new(message),
            Err(error) => Fault::of_value(message, error),
        };
        problems.push(Problem::of_model(&diagram.name, fault));
    }
    number
}

fn is_integrated(units: &[Unit]) -> bool {
    units.iter().any(|unit| unit.kind.is_integrated())
}

/// The longest step: the maximum step of a solver, if the model states one. With continuous blocks, it is that which Simulink takes by
/// default: a fiftieth of the run.
fn longest(diagram: &Diagram, scopes: &Scopes<'_>, solver: &Solver, units: &[Unit]) -> f64 {
    let integrates = is_integrated(units);
    if !integrates && !solver.is_variable() {
        return DEFAULT;
    }
    let most = setting(diagram, scopes, "MaxStep").filter(|it| *it > 0.0);
    let whole = || stop(diagram, scopes).map(|it| it - setting(diagram, scopes, "StartTime").unwrap_or(0.0));
    let part = || whole().filter(|it| integrates && *it > 0.0).map(|it| it / 50.0);
    most.or_else(part).unwrap_or(DEFAULT)
}

/// The sample times of blocks that only show signals, which are not units.
fn shown(diagram: &Diagram, scopes: &Scopes<'_>, problems: &mut Vec<Problem>) -> Vec<f64> {
    let mut times = Vec::new();
    for &sheet in scopes.order() {
        let blocks = diagram.sheets.get(sheet.0 as usize).map_or(&[][..], |it| &it.blocks);
        for (number, block) in (0..).zip(blocks) {
            let is_sink = matches!(
                block.kind,
                BlockKind::Display
                    | BlockKind::Record
                    | BlockKind::Scope
                    | BlockKind::Terminator
                    | BlockKind::ToFile
                    | BlockKind::ToWorkspace
            );
            // An old scope has a decimation instead of a sample time unless it says so.
            let is_decimated = || diagram.parameter(block, "SampleInput") == Some("off");
            if !is_sink || block.is_commented() || is_decimated() {
                continue;
            }
            let Some(text) = diagram.parameter(block, "SampleTime").map(str::trim) else { continue };
            let place = BlockId { sheet, number };
            match scopes.value(place, text) {
                Ok(value) => match value.matrix().map(|it| it.entries.as_slice()) {
                    Some(&[time, ref offset @ ..]) if time > 0.0 => {
                        times.extend(std::iter::once(time).chain(offset.iter().copied()));
                    }
                    _ => {}
                },
                Err(error) => {
                    let message = format!("the sample time `{text}` has no value: {error}");
                    let fault = Fault::of_value(message, error);
                    problems.push(Problem::new(&diagram.path(place), block.kind.name(), fault));
                }
            }
        }
    }
    times.retain(|it| *it > 0.0 && it.is_finite());
    times
}

/// The greatest time that divides the times at which sources change; none if there are no such times. Those that would make it too small
/// are left out, periods last. Those of jumps and delays count where a solver would find them.
fn changes(solver: &Solver, start: f64, units: &[Unit]) -> Option<f64> {
    let (mut periods, mut others, mut jumps) = (Vec::new(), Vec::new(), Vec::new());
    for unit in units {
        match unit.kind {
            BlockKind::PulseGenerator | BlockKind::DiscretePulseGenerator
                if unit.word("PulseType") != "Sample based" =>
            {
                let width = |it: usize| unit.entry("Period", it) * unit.entry("PulseWidth", it) / 100.0;
                let count = unit.entries("Period").len().max(unit.entries("PulseWidth").len());
                periods.extend(unit.entries("Period"));
                others.extend((0..count).map(width));
                others.extend(unit.entries("PhaseDelay").iter().map(|it| (it - start).abs()));
            }
            BlockKind::Step if solver.is_variable() => {
                jumps.extend(unit.entries("Time").iter().map(|it| it - start));
            }
            BlockKind::TransportDelay if solver.is_variable() => jumps.extend(unit.entries("DelayTime")),
            _ => {}
        }
    }
    let times = periods.into_iter().chain(others).chain(jumps).filter(|it| *it > 0.0 && it.is_finite());
    times.reduce(joined)
}

/// The greatest time that divides two times; the first one if that would be too small.
fn joined(all: f64, time: f64) -> f64 {
    let both = common(all, time);
    if both >= LEAST * all { both } else { all }
}

/// A time that divides another one and is not longer than a limit.
fn up_to(time: f64, longest: f64) -> f64 {
    if time <= longest {
        return time;
    }
    let both = common(time, longest);
    if both >= LEAST * longest {
        return both;
    }
    // The number of parts is a product of twos and fives, so that the decimals of a part end.
    let least = (time / longest * (1.0 - 1e-9)).ceil();
    let powers = |base: f64| std::iter::successors(Some(1.0), move |it| Some(it * base)).take(64);
    let enough = |fives: f64| powers(2.0).map(|it| it * fives).find(|it| *it >= least);
    let parts = powers(5.0).take(28).filter_map(enough).reduce(f64::min);
    time / parts.unwrap_or(least)
}

/// The greatest time that two times are multiples of, up to rounding.
fn common(a: f64, b: f64) -> f64 {
    let (mut a, mut b) = (a.max(b), a.min(b));
    let least = a * 1e-6;
    if let Some(exact) = decimal(a, b).filter(|it| *it > least) {
        return exact;
    }
    while b > least {
        let rest = a % b;
        // A remainder that is almost the whole period is a rounding error.
        (a, b) = (b, if b - rest < least { 0.0 } else { rest });
    }
    // The nearest number with few digits.
    let short: f64 = format!("{a:.11e}").parse().unwrap_or(a);
    if (short - a).abs() <= 1e-14 * a { short } else { a }
}

/// The greatest number that two short decimals are multiples of.
fn decimal(a: f64, b: f64) -> Option<f64> {
    let whole = |number: f64, scale: f64| {
        let digits = (number * scale).round();
        (digits < 9e15 && digits / scale == number).then_some(digits as u64)
    };
    let scales = (0..=12).map(|it| 10f64.powi(it));
    let (mut x, mut y, scale) = scales.into_iter().find_map(|it| Some((whole(a, it)?, whole(b, it)?, it)))?;
    while y > 0 {
        (x, y) = (y, x % y);
    }
    Some(x as f64 / scale)
}

/// The time at which a run starts.
pub(super) fn start(diagram: &Diagram, scopes: &Scopes<'_>, problems: &mut Vec<Problem>) -> f64 {
    let Some(text) = diagram.settings.get("StartTime").map(str::trim).filter(|it| !it.is_empty()) else {
        return 0.0;
    };
    setting(diagram, scopes, "StartTime").unwrap_or_else(|| {
        let message = format!("the start time `{text}` is not a number");
        let fault = match scopes.of_model(text) {
            Ok(_) => Fault::new(message),
            Err(error) => Fault::of_value(message, error),
        };
        problems.push(Problem::of_model(&diagram.name, fault));
        0.0
    })
}

/// The time at which a run stops; none if it does not stop.
pub(super) fn stop(diagram: &Diagram, scopes: &Scopes<'_>) -> Option<f64> {
    let is_endless = diagram.settings.get("StopTime").is_some_and(|it| it.trim().eq_ignore_ascii_case("inf"));
    (!is_endless).then(|| setting(diagram, scopes, "StopTime").unwrap_or(10.0))
}

/// The settings of a run that are not known. They do not matter where the steps are given.
pub(super) fn unknown(diagram: &Diagram, scopes: &Scopes<'_>, solver: &Solver) -> Vec<Problem> {
    let is_used = |name: &str| name == "StopTime" || solver.is_variable();
    let mut problems = Vec::new();
    for name in ["StopTime", "MaxStep"].into_iter().filter(|it| is_used(it)) {
        let Some(text) = diagram.settings.get(name).map(str::trim) else { continue };
        if text.is_empty() || ["auto", "inf"].iter().any(|it| text.eq_ignore_ascii_case(it)) {
            continue;
        }
        if let Err(error) = scopes.of_model(text) {
            let message = format!("the setting `{name}` = `{text}` has no value: {error}");
            problems.push(Problem::new(&diagram.name, SETTING, Fault::of_value(message, error)));
        }
    }
    problems
}

/// A setting of the model that is a finite number.
fn setting(diagram: &Diagram, scopes: &Scopes<'_>, name: &str) -> Option<f64> {
    let text = diagram.settings.get(name)?.trim();
    scopes.of_model(text).ok()?.matrix()?.single().filter(|it| it.is_finite())
}

#[cfg(test)]
mod tests {
    use super::{common, up_to};

    #[test]
    fn common_times() {
        for (a, b, want) in [(0.1, 0.025, 0.025), (1.0, 1.0, 1.0), (0.3, 0.2, 0.1), (0.1, 0.3, 0.1)] {
            assert_eq!(common(a, b), want, "{a} {b}");
        }
    }

    #[test]
    fn times_up_to_a_limit() {
        for (time, longest, want) in
            [(0.05, 0.2, 0.05), (1.0, 0.2, 0.2), (0.5, 0.2, 0.1), (1.0, 0.123457, 0.1)]
        {
            assert_eq!(up_to(time, longest), want, "{time} {longest}");
        }
    }
}
