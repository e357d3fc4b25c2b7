//! A trace of any size: one pass decides all requirements, and a second one collects the steps around their violations.

use super::plan::{Columns, Need, Plan, Unchecked};
use super::timing::{Steps, billionths};
use super::traces::Source;
use crate::Error;
use crate::cli::Time;
use logic::{Trace, Value};
use record::clock::times;
use record::{Block, Check, Clock, Findings, Flaw, Input, Kind, Malformed, Mark, TimeUnit, Timed};
use requirement::{LAST, Watch};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// What one pass over a file has found.
pub(super) struct Pass {
    /// The number of steps.
    pub(super) steps: u64,
    /// What was found about each requirement that the engine can watch.
    pub(super) found: BTreeMap<usize, Result<Found, Unchecked>>,
    /// The names that occur in columns of names.
    pub(super) names: BTreeMap<String, Vec<String>>,
    /// The column of time, if there is one.
    pub(super) clock: Option<Clock>,
    /// Its unit.
    pub(super) unit: Option<TimeUnit>,
    /// Why the order of the steps is in doubt, if they are ordered by their times.
    pub(super) disorder: Option<String>,
    /// Where the file cannot be read further.
    pub(super) broken: Option<Malformed>,
    /// Places in the file, ascending, so that steps are found again without reading all of it.
    pub(super) marks: Vec<Mark>,
}

/// What was found about a requirement.
pub(super) struct Found {
    pub(super) findings: Findings,
    /// What was not checked, and why, if it is violated in spite of that.
    pub(super) open: Option<String>,
}

/// Requirements that read the same columns in the same way.
#[derive(Default)]
struct Group<'p> {
    kinds: BTreeMap<String, Kind>,
    members: Vec<(usize, &'p Need, Watch)>,
}

/// Requirements in groups; there is one, unless two requirements compare the same column with values of different kinds.
fn groups(plan: &Plan) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    let needs = plan.needs.iter().enumerate().filter_map(|(at, need)| Some((at, need.as_ref().ok()?)));
    for (at, need) in needs {
        let Some(watch) = need.watch else { continue };
        let fits = |group: &Group| {
            need.inputs
                .iter()
                .all(|input| group.kinds.get(&input.name).is_none_or(|kind| *kind == input.kind))
        };
        let group = match groups.iter().position(fits) {
            Some(known) => &mut groups[known],
            None => {
                groups.push(Group::default());
                groups.last_mut().unwrap_or_else(|| unreachable!("one was added"))
            }
        };
        group.kinds.extend(need.inputs.iter().map(|input| (input.name.clone(), input.kind)));
        group.members.push((at, need, watch));
    }
    groups
}

/// Decides all requirements that the engine can watch.
pub(super) fn decide(source: &Source, steps: &Steps, plan: &Plan, told: &dyn Fn(u64)) -> Result<Pass, Error> {
    let mut pass = Pass {
        steps: 0,
        found: BTreeMap::new(),
        names: BTreeMap::new(),
        clock: None,
        unit: None,
        disorder: None,
        broken: None,
        marks: Vec::new(),
    };
    let mut groups = groups(plan);
    if groups.is_empty() {
        // The steps are counted in any case.
        groups.push(Group::default());
    }
    for Group { kinds, members } in &groups {
        let mut reader = steps.open_whole(source)?;
        // Where a row is a step whatever its time is, nothing is read of the time.
        let time = reader.time().filter(|_| steps.time != Time::Rows);
        pass.unit = time.map(|time| time.unit);
        let timed = |need: &Need| {
            let duration = need.timed.as_ref()?;
            let length = billionths(&duration.seconds, pass.unit?);
            Some(Timed { demand: duration.demand, length, unmet: duration.unmet })
        };
        let watches: Vec<(Watch, Option<Timed>)> =
            members.iter().map(|(_, need, watch)| (*watch, timed(need))).collect();
        let kind = |name: &str| kinds.get(name).copied().unwrap_or(Kind::Number);
        let refused = |error: record::NotPast| Error::Internal(error.to_string());
        let mut check = Check::timed(&plan.store, &watches, kind).map_err(refused)?;
        let (inputs, numbers) = with_time(check.inputs().to_vec(), &plan.columns, time);
        reader.select(&numbers);
        let mut block = check.block_of(&inputs);
        let mut clock = Clock::default();
        let is_timed = watches.iter().any(|(_, timed)| timed.is_some());
        pass.marks = reader.mark(&block).into_iter().collect();
        loop {
            match reader.fill(&mut block) {
                Ok(0) => break,
                Ok(_) => {
                    if time.is_some() {
                        clock.block(&block, inputs.len() - 1);
                    }
                    let times = if is_timed { times(&block, inputs.len() - 1) } else { Vec::new() };
                    check.block_at(&plan.store, &block, &times);
                    pass.marks.extend(reader.mark(&block));
                    told(block.start + block.rows as u64);
                }
                Err(error) => {
                    pass.broken = Some(error);
                    break;
                }
            }
        }
        pass.steps = check.steps();
        pass.clock = time.map(|_| reader.samples().cloned().unwrap_or(clock));
        if matches!(steps.time, Time::Stamps | Time::Real) {
            let stuck = pass.clock.as_ref().and_then(|it| it.stuck);
            let late = |step| format!("the time at step {step} is not after the one before");
            let flaw = time.and_then(|_| block.columns.last()?.flaw.as_ref());
            let reason = stuck.map(late).or_else(|| flaw.map(|it| format!("{}: {}", it.place, it.reason)));
            pass.disorder = reason.map(|reason| format!("{reason}; `--time rows` ignores it"));
        }
        let flaws: Vec<Vec<Flaw>> = (0..members.len())
            .map(|member| {
                // Durations in real time need the time as well.
                let time = watches[member].1.map(|_| inputs.len() - 1);
                let columns = check.columns(member).chain(time);
                columns.filter_map(|column| block.columns[column].flaw.clone()).collect()
            })
            .collect();
        for (column, input) in block.columns.iter().zip(&inputs).filter(|(_, input)| input.kind == Kind::Name)
        {
            pass.names.insert(input.name.clone(), column.names().to_vec());
        }
        let findings = if pass.broken.is_some() { check.stop() } else { check.finish() };
        for (((at, ..), found), flaws) in members.iter().zip(findings).zip(flaws) {
            let broken = pass.broken.as_ref().map(|broken| (pass.steps, broken));
            pass.found.insert(*at, judged(found, &flaws, broken));
        }
    }
    Ok(pass)
}

/// The inputs with that of the time, which comes last; and the columns that they are read from.
fn with_time(
    mut inputs: Vec<Input>,
    columns: &Columns,
    time: Option<record::Time>,
) -> (Vec<Input>, Vec<Option<usize>>) {
    let mut numbers: Vec<Option<usize>> = inputs.iter().map(|input| columns.number(&input.name)).collect();
    inputs.extend(time.map(|_| Input { name: String::new(), kind: Kind::Number }));
    numbers.extend(time.map(|time| Some(time.column)));
    (inputs, numbers)
}

/// A violation before the first flaw is one whatever comes after it; anything else is open.
fn judged(findings: Findings, flaws: &[Flaw], broken: Option<(u64, &Malformed)>) -> Result<Found, Unchecked> {
    let from = |step: u64, reason: String| (format!("not checked from step {step} on"), reason);
    let mut open = broken.map(|(step, broken)| from(step, broken.to_string()));
    if let Some(flaw) = flaws.iter().min_by_key(|flaw| flaw.step) {
        open = Some(from(flaw.step, format!("{}: {}", flaw.place, flaw.reason)));
    } else if let Some((step, error)) = &findings.undefined {
        open = open.or_else(|| Some(("open".into(), format!("at step {step}: {}", unlocated(error)))));
        if findings.count == 0 {
            return Err(Unchecked::Failed(open.unwrap_or_default().1));
        }
    }
    match open {
        Some((_, reason)) if findings.count == 0 => Err(Unchecked::Flawed(reason)),
        open => Ok(Found { findings, open: open.map(|(what, reason)| format!("{what}: {reason}")) }),
    }
}

fn unlocated(error: &logic::EvalError) -> &logic::EvalError {
    if let logic::EvalError::At { cause, .. } = error { cause } else { error }
}

/// Some steps of a trace, with the columns of one requirement.
pub(super) struct Wanted<'p> {
    pub(super) need: &'p Need,
    pub(super) steps: RangeInclusive<u64>,
}

/// Steps of a trace in memory.
pub(super) struct Slice {
    /// The first step.
    pub(super) start: u64,
    /// The columns, if each has a value at each step.
    pub(super) trace: Option<Trace>,
    /// The time at each step.
    pub(super) times: Vec<Value>,
}

/// Collects steps of a file on which requirements were decided, in one more pass.
pub(super) fn slices(
    source: &Source,
    steps: &Steps,
    columns: &Columns,
    pass: &Pass,
    wanted: &[Wanted],
) -> Result<Vec<Slice>, Error> {
    let mut inputs: Vec<Input> = wanted.iter().flat_map(|it| it.need.inputs.iter().cloned()).collect();
    inputs.sort();
    inputs.dedup();
    let own_count = inputs.len();
    let mut reader = steps.open(source)?;
    let time = reader.time();
    let own = inputs.clone();
    let (inputs, numbers) = with_time(inputs, columns, time);
    reader.select(&numbers);
    let mut block = Block::new(&inputs);
    // For each slice its columns in the block, and their values so far; the time comes last.
    let mut collected: Vec<Vec<(usize, Vec<Value>)>> = wanted
        .iter()
        .map(|it| {
            let own = it.need.inputs.iter().filter_map(|input| own.binary_search(input).ok());
            own.chain(time.map(|_| own_count)).map(|at| (at, Vec::new())).collect()
        })
        .collect();
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&at| *wanted[at].steps.start());
    let mut flaws: Vec<Option<Flaw>> = vec![None; inputs.len()];
    let mut left = order.as_slice();
    loop {
        let here = block.start + block.rows as u64;
        while let Some((first, rest)) = left.split_first()
            && *wanted[*first].steps.end() < here
        {
            left = rest;
        }
        let Some(&first) = left.first() else { break };
        let next = (*wanted[first].steps.start()).max(here);
        // Blocks that nobody wants are skipped where that is possible.
        let mark = pass.marks.iter().rev().find(|mark| mark.step <= next);
        if let Some(mark) = mark.filter(|mark| mark.step > here) {
            reader.go_to(*mark, &mut block).map_err(|error| Error::input(source.name(), error))?;
        }
        if !matches!(reader.fill(&mut block), Ok(1..)) {
            break;
        }
        for (flaw, column) in flaws.iter_mut().zip(&mut block.columns) {
            *flaw = flaw.take().or(column.flaw.take());
        }
        let end = block.start + block.rows as u64;
        for &at in left.iter().take_while(|&&at| *wanted[at].steps.start() < end) {
            let range = &wanted[at].steps;
            let from = range.start().saturating_sub(block.start).min(block.rows as u64) as usize;
            let to = (range.end() + 1).saturating_sub(block.start).min(block.rows as u64) as usize;
            for (column, values) in &mut collected[at] {
                values.extend((from..to).map(|row| block.columns[*column].value(row)));
            }
        }
    }
    let flawed = |column: usize, to: u64| flaws[column].as_ref().is_some_and(|flaw| flaw.step <= to);
    let slice = |(it, mut columns): (&Wanted, Vec<(usize, Vec<Value>)>)| {
        let times = if time.is_some() {
            columns.pop().map(|(_, times)| times).unwrap_or_default()
        } else {
            Vec::new()
        };
        let length = (it.steps.end() + 1 - it.steps.start()) as usize;
        let is_whole = columns.iter().all(|(column, _)| !flawed(*column, *it.steps.end()));
        let ends_at = |step: usize| it.steps.start() + step as u64 + 1 == pass.steps;
        let trace = Trace::new(length, None).ok().filter(|_| is_whole).and_then(|trace| {
            let ends = (0..length).map(|step| Value::Bool(ends_at(step))).collect();
            let mut named = it.need.inputs.iter().zip(columns);
            let own = named.try_fold(trace, |trace, (input, (_, values))| trace.with(&input.name, values));
            let has_last = it.need.inputs.iter().any(|input| input.name == LAST);
            own.and_then(|own| if has_last { Ok(own) } else { own.with(LAST, ends) }).ok()
        });
        Slice { start: *it.steps.start(), trace, times }
    };
    Ok(wanted.iter().zip(collected).map(slice).collect())
}
