//! Sample times in steps of the model. The step is found first: the fixed step, or the greatest time that divides all sample times.
//!
//! A block states its time, or takes that of the atomic subsystem around it, or inherits the fastest of its inputs. A rate
//! transition has the rate that it states, or that of its readers.

use super::scope::Scopes;
use super::wires::Feeds;
use super::{Fault, Problem, Solver, Unit};
use crate::blocks::BlockKind;
use crate::diagram::{Diagram, SheetId};
use crate::value::{Matrix, Value};
use std::collections::BTreeMap;

/// The default step, in seconds.
const DEFAULT: f64 = 0.2;

/// A sample time as a block states it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Time {
    Inherited,
    Constant,
    /// At every step: continuous.
    Always,
    /// At every step, unless the subsystem around it has a time: a memory that does not inherit from its input.
    Step,
    /// Period and offset in seconds.
    Discrete(f64, f64),
}

/// Period and offset in steps. The period of a constant is 0.
type Rate = (u64, u64);

/// Finds the step of the model, and for each unit how often it runs.
pub(super) fn times(
    diagram: &Diagram,
    scopes: &Scopes<'_>,
    solver: &Solver,
    units: &mut [Unit],
    feeds: &Feeds,
    problems: &mut Vec<Problem>,
) -> f64 {
    let stated = all_stated(scopes, units, problems);
    problems.extend(late(diagram, scopes, units));
    let periods = stated.iter().flat_map(|time| match time {
        Time::Discrete(period, offset) => vec![*period, *offset],
        Time::Inherited | Time::Constant | Time::Always | Time::Step => vec![],
    });
    let periods: Vec<f64> = periods.filter(|time| *time > 0.0).collect();
    let step = fixed(diagram, scopes, solver, problems)
        .or_else(|| periods.into_iter().reduce(common))
        .unwrap_or_else(|| usual(diagram, scopes, units));
    let mut rates: Vec<Option<Rate>> = vec![None; units.len()];
    for (number, unit) in units.iter().enumerate() {
        match stated[number] {
            Time::Discrete(period, offset) => {
                let steps = |time: f64| {
                    let count = (time / step).round();
                    ((count * step - time).abs() <= 1e-6 * step.max(time)).then_some(count as u64)
                };
                let (period_steps, offset_steps) = (steps(period).filter(|&count| count > 0), steps(offset));
                if period_steps.is_none() || offset_steps.is_none() {
                    let message = format!(
                        "its sample time of {period} s is not a multiple of the step of the model, {step} s"
                    );
                    let hint = "choose a fixed step that divides all sample times";
                    problems.push(unit.problem(Fault::hint(message, hint)));
                }
                let period = period_steps.unwrap_or(1);
                rates[number] = Some((period, offset_steps.unwrap_or(0) % period));
            }
            Time::Always | Time::Step => rates[number] = Some((1, 0)),
            Time::Constant => rates[number] = Some((0, 0)),
            // Continuous states change at every step, whatever they are computed from.
            Time::Inherited if unit.kind.is_integrated() => rates[number] = Some((1, 0)),
            Time::Inherited => {}
        }
    }
    let wanted = wanted(feeds, &rates);
    for (number, unit) in units.iter().enumerate().filter(|(number, _)| stated[*number] == Time::Inherited) {
        if unit.kind == BlockKind::RateTransition {
            rates[number] = wanted[number];
        } else if unit.inputs.is_empty() && feeds[number].is_empty() {
            rates[number] = Some((1, 0));
        }
    }
    inherit(units, feeds, &mut rates);
    let continuous = continuous(units, feeds, &stated);
    let rates: Vec<Rate> = rates.into_iter().map(|rate| rate.unwrap_or((1, 0))).collect();
    for (number, (unit, continuous)) in units.iter_mut().zip(continuous).enumerate() {
        (unit.every, unit.offset) = rates[number];
        unit.before = unit.source(0).map_or((1, 0), |it| rates[it.unit.0 as usize]);
        unit.continuous = continuous && unit.every == 1;
    }
    step
}

/// The sources of time in a model that does not start at 0.
fn late(diagram: &Diagram, scopes: &Scopes<'_>, units: &[Unit]) -> Vec<Problem> {
    let start = diagram.settings.get("StartTime").map(|text| scopes.of_model(text.trim()));
    if start.is_none_or(|it| it.is_ok_and(|it| it.matrix().and_then(Matrix::single) == Some(0.0))) {
        return Vec::new();
    }
    let fault =
        || Fault::hint("a time that does not start at 0 is not supported", "let the simulation start at 0");
    let times = units.iter().filter(|it| it.kind.is_timed());
    times.map(|unit| unit.problem(fault())).collect()
}

/// The times of all units, including those inside atomic subsystems. Sheets come after their owners.
fn all_stated(scopes: &Scopes<'_>, units: &[Unit], problems: &mut Vec<Problem>) -> Vec<Time> {
    let mut around: BTreeMap<SheetId, Time> = BTreeMap::new();
    let time = |unit: &Unit| {
        let time = match stated(scopes, unit, problems) {
            inner @ (Time::Inherited | Time::Step) => around.get(&unit.block.sheet).copied().unwrap_or(inner),
            time => time,
        };
        if let (Some(inside), Time::Discrete(..)) = (unit.inside, time) {
            around.insert(inside, time);
        }
        time
    };
    units.iter().map(time).collect()
}

/// The rates that readers request, also through units without a stated rate.
fn wanted(feeds: &Feeds, stated: &[Option<Rate>]) -> Vec<Option<Rate>> {
    let mut wanted: Vec<Option<Rate>> = vec![None; stated.len()];
    let mut open: Vec<usize> = (0..stated.len()).filter(|&number| stated[number].is_some()).collect();
    while let Some(reader) = open.pop() {
        let Some(rate) = stated[reader].or(wanted[reader]).filter(|rate| rate.0 > 0) else { continue };
        for source in feeds[reader].iter().flatten() {
            let source = source.unit.0 as usize;
            let both = Some(wanted[source].map_or(rate, |other| fastest(rate, other)));
            // Each change divides the period, so there are few.
            if stated[source].is_none() && wanted[source] != both {
                wanted[source] = both;
                open.push(source);
            }
        }
    }
    wanted
}

/// The slowest rate that includes all steps of both.
fn fastest(a: Rate, b: Rate) -> Rate {
    let period = divisor(divisor(a.0, b.0), a.1.abs_diff(b.1));
    (period, a.1 % period.max(1))
}

/// Inherits sample times: the fastest of the inputs. A unit that only depends on constants is constant, unless it has memory.
fn inherit(units: &[Unit], feeds: &Feeds, rates: &mut [Option<Rate>]) {
    // All inputs have to be known at first; then loops are opened: an input that is not constant is enough; and at last those without one.
    for phase in 0..3 {
        // Blocks mostly come in the order of their wires; after many rounds the rest runs at every step.
        for _ in 0..1_000 {
            let mut changed = false;
            for (number, unit) in units.iter().enumerate() {
                if rates[number].is_some() {
                    continue;
                }
                let controls = unit.controls.iter().filter_map(|(_, source)| source.as_ref());
                let sources = feeds[number].iter().flatten().chain(controls);
                let known: Vec<Option<Rate>> = sources.map(|source| rates[source.unit.0 as usize]).collect();
                let is_whole = known.iter().all(Option::is_some);
                let fastest = known.iter().flatten().copied().filter(|rate| rate.0 > 0).reduce(fastest);
                if !(is_whole || phase == 1 && fastest.is_some() || phase == 2) {
                    continue;
                }
                let still = is_whole && !known.is_empty() && !unit.kind.definition().remembers;
                rates[number] = Some(fastest.unwrap_or(if still { (0, 0) } else { (1, 0) }));
                changed = true;
            }
            if !changed {
                break;
            }
        }
    }
}

fn stated(scopes: &Scopes<'_>, unit: &Unit, problems: &mut Vec<Problem>) -> Time {
    let constant = |kind| if unit.kind == kind { Time::Constant } else { Time::Inherited };
    let Some(name) = (unit.kind.definition().sample_time)(unit) else { return Time::Inherited };
    let text = unit.word(name);
    if text.is_empty() {
        return match unit.kind {
            BlockKind::Memory if !unit.is_on("InheritSampleTime") => Time::Step,
            _ => constant(BlockKind::Ground),
        };
    }
    let value = match scopes.value(unit.block, text) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("the sample time `{text}` has no value: {error}");
            problems.push(unit.problem(Fault::of_value(message, error)));
            return Time::Inherited;
        }
    };
    match value.matrix().map(|matrix| matrix.entries.as_slice()) {
        Some([time, ..]) if time.is_infinite() => Time::Constant,
        Some([0.0, ..]) => Time::Always,
        Some(&[time]) if time > 0.0 => Time::Discrete(time, 0.0),
        Some(&[time, offset]) if time > 0.0 => Time::Discrete(time, offset.max(0.0)),
        _ => constant(BlockKind::Constant),
    }
}

/// The setting of a model with a step in seconds that is used instead of its own.
pub const CHOSEN: &str = "ChosenStep";

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

/// The step of a model without any sample time. With continuous blocks, it is the greatest step that Simulink takes by default: a fiftieth
/// of the run.
fn usual(diagram: &Diagram, scopes: &Scopes<'_>, units: &[Unit]) -> f64 {
    if units.iter().all(|unit| !unit.kind.is_integrated()) {
        return DEFAULT;
    }
    let most = setting(diagram, scopes, "MaxStep").filter(|it| *it > 0.0);
    most.unwrap_or_else(|| run(diagram, scopes).filter(|it| *it > 0.0).map_or(DEFAULT, |it| it / 50.0))
}

/// The time from the beginning to the end of a run; none if it does not end.
pub(super) fn run(diagram: &Diagram, scopes: &Scopes<'_>) -> Option<f64> {
    let start = setting(diagram, scopes, "StartTime").unwrap_or(0.0);
    let is_endless = diagram.settings.get("StopTime").is_some_and(|it| it.trim().eq_ignore_ascii_case("inf"));
    (!is_endless).then(|| setting(diagram, scopes, "StopTime").unwrap_or(10.0) - start)
}

/// A setting of the model that is a finite number.
fn setting(diagram: &Diagram, scopes: &Scopes<'_>, name: &str) -> Option<f64> {
    let text = diagram.settings.get(name)?.trim();
    scopes.of_model(text).ok()?.matrix()?.single().filter(|it| it.is_finite())
}

/// The units whose time is continuous: stated, that of continuous states, or inherited from one of these.
fn continuous(units: &[Unit], feeds: &Feeds, stated: &[Time]) -> Vec<bool> {
    let is_source = |at: &usize| stated[*at] == Time::Always || units[*at].kind.is_integrated();
    let mut readers = vec![vec![]; units.len()];
    for (reader, sources) in feeds.iter().enumerate() {
        for source in sources.iter().flatten() {
            readers[source.unit.0 as usize].push(reader);
        }
    }
    let mut open: Vec<usize> = (0..units.len()).filter(is_source).collect();
    let mut found = vec![false; units.len()];
    open.iter().for_each(|&at| found[at] = true);
    while let Some(at) = open.pop() {
        for &reader in &readers[at] {
            if stated[reader] == Time::Inherited && !std::mem::replace(&mut found[reader], true) {
                open.push(reader);
            }
        }
    }
    found
}

/// The greatest time that two times are multiples of, up to rounding.
fn common(a: f64, b: f64) -> f64 {
    let (mut a, mut b) = (a.max(b), a.min(b));
    let least = a * 1e-6;
    while b > least {
        let rest = a % b;
        // A remainder that is almost the whole period is a rounding error.
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
