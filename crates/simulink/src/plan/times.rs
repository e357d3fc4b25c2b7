//! Sample times in steps of the model. The step is found first: the fixed step, or the greatest time that divides all sample times.
//!
//! A block states its time, or takes that of the atomic subsystem around it, or inherits the fastest of its inputs. A rate
//! transition has the rate that it states, or that of its readers.

use super::scope::Scopes;
use super::wires::Feeds;
use super::{Fault, Problem, Solver, Unit, step};
use crate::blocks::BlockKind;
use crate::diagram::{Diagram, Port, SheetId};
use std::collections::{BTreeMap, BTreeSet};

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
    start: f64,
    units: &mut [Unit],
    feeds: &Feeds,
    problems: &mut Vec<Problem>,
) -> f64 {
    let stated = all_stated(scopes, units, problems);
    let periods = stated.iter().flat_map(|time| match time {
        Time::Discrete(period, offset) => vec![*period, *offset],
        Time::Inherited | Time::Constant | Time::Always | Time::Step => vec![],
    });
    let periods: Vec<f64> = periods.filter(|time| *time > 0.0).collect();
    let step = step::step(diagram, scopes, solver, start, units, &periods, problems);
    let mut rates: Vec<Option<Rate>> = vec![None; units.len()];
    for (number, unit) in units.iter().enumerate() {
        match stated[number] {
            Time::Discrete(period, offset) => {
                let steps = |time: f64| is_multiple(time, step).then(|| (time / step).round() as u64);
                let (period_steps, offset_steps) = (steps(period).filter(|&count| count > 0), steps(offset));
                if period_steps.is_none() || offset_steps.is_none() {
                    let message = format!(
                        "its sample time of {period} s is not a multiple of the step of the model, {step} s"
                    );
                    let hint = "choose a fixed step that divides all sample times";
                    problems.push(unit.problem(Fault::hint(message, hint)));
                }
                if !is_multiple(start.abs(), period) {
                    let message = format!(
                        "its sample time of {period} s does not divide the time at which the simulation starts, {start} s"
                    );
                    problems.push(unit.problem(Fault::hint(message, "let the simulation start at 0")));
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

/// Whether a time is a multiple of another one, up to rounding.
fn is_multiple(time: f64, of: f64) -> bool {
    ((time / of).round() * of - time).abs() <= 1e-6 * of.max(time)
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

/// The units whose time is continuous: stated, that of continuous states, or inherited from one of these. What runs at triggers or calls
/// does not run between two steps.
fn continuous(units: &[Unit], feeds: &Feeds, stated: &[Time]) -> Vec<bool> {
    let triggered = triggered(units);
    let is_source =
        |at: &usize| !triggered[*at] && (stated[*at] == Time::Always || units[*at].kind.is_integrated());
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
            let inherits = stated[reader] == Time::Inherited && !triggered[reader];
            if inherits && !std::mem::replace(&mut found[reader], true) {
                open.push(reader);
            }
        }
    }
    found
}

/// The subsystems that run at triggers or calls, and what is inside. Sheets come after their owners.
fn triggered(units: &[Unit]) -> Vec<bool> {
    let mut sheets: BTreeSet<SheetId> = BTreeSet::new();
    let is_triggered = |unit: &Unit| {
        let own = unit.controls.iter().any(|(port, _)| *port == Port::Trigger);
        let found = own || sheets.contains(&unit.block.sheet);
        sheets.extend(unit.inside.filter(|_| found));
        found
    };
    units.iter().map(is_triggered).collect()
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}
