//! Traces with the verdicts of FRET's oracle: one column per template, all meanings must say the same.

use crate::failure::{OrFail, Result, ensure, problem};
use crate::files;
use logic::{Store, Trace, Value, holds_at};
use requirement::oracle::judge;
use requirement::template::templates;
use requirement::{Ending, LAST, Requirement, future, past};
use std::collections::BTreeMap;

/// Checks every verdict of the file.
pub(super) fn check(text: &str) -> Result {
    let header = text.lines().next().and_then(|header| header.split('\t').nth(3));
    let header = header.ok_or("the vectors have no header").or_fail()?;
    let keys: Vec<&str> = header.split(' ').collect();
    let mut verdicts = 0;
    for cells in files::rows(text) {
        let [_, setting, expected, ..] = cells[..] else {
            return problem(format!("a row has too few cells: {}", cells.join("\t")));
        };
        let (steps, trace) = trace(setting).ok_or("invalid setting").about(setting)?;
        let mut store = Store::default();
        let by_key: BTreeMap<String, Requirement> = templates(&mut store, steps)
            .into_iter()
            .map(|requirement| (requirement.key().to_string().replace(',', "."), requirement))
            .collect();
        for (key, expected) in keys.iter().zip(expected.chars()) {
            let requirement = by_key.get(*key).ok_or("unknown template").about(key)?;
            for (meaning, holds) in meanings(&mut store, requirement, &trace)? {
                let agrees = holds == (expected == '1');
                ensure(agrees, format_args!("{key} on {setting}: {meaning} says {holds}"))?;
            }
            verdicts += 1;
        }
    }
    println!("{verdicts} verdicts agree with oracle, past and both finite future formulas");
    Ok(())
}

fn meanings(
    store: &mut Store,
    requirement: &Requirement,
    trace: &Trace,
) -> Result<[(&'static str, bool); 4]> {
    let past = past(store, requirement).or_fail()?;
    let weak = future(store, requirement, Ending::WeakNext).or_fail()?;
    let last = future(store, requirement, Ending::Last).or_fail()?;
    let at = |formula, position| holds_at(store, formula, trace, position).or_fail();
    let oracle = judge(store, requirement, trace).or_fail()?.holds();
    Ok([
        ("oracle", oracle),
        ("past", at(past, trace.len() - 1)?),
        ("future (weak next)", at(weak, 0)?),
        ("future (LAST)", at(last, 0)?),
    ])
}

/// `[length, n, modes, conds, resps, stops]`, where the last four are lists of intervals with both ends included.
fn trace(setting: &str) -> Option<(u64, Trace)> {
    let mut numbers = Vec::new();
    let mut lists: Vec<Vec<u64>> = Vec::new();
    let mut depth = 0;
    for part in setting.split_inclusive(['[', ']', ',']) {
        if let Ok(number) = part.trim_end_matches(['[', ']', ',']).parse::<u64>() {
            if depth == 1 { numbers.push(number) } else { lists.last_mut()?.push(number) }
        }
        match part.chars().last()? {
            '[' => {
                depth += 1;
                if depth == 2 {
                    lists.push(Vec::new());
                }
            }
            ']' => depth -= 1,
            _ => {}
        }
    }
    let (&[length, steps], [modes, conds, resps, stops]) = (&numbers[..], &lists[..]) else { return None };
    let columns = [("mode", modes), ("cond", conds), ("res", resps), ("stop", stops)];
    let mut trace = Trace::new(length as usize, None).ok()?;
    for (name, ends) in columns {
        let inside = |t: u64| ends.chunks(2).any(|ends| ends[0] <= t && t <= ends[1]);
        trace = trace.with(name, (0..length).map(|t| Value::Bool(inside(t))).collect()).ok()?;
    }
    let marks = (0..length).map(|t| Value::Bool(t + 1 == length)).collect();
    Some((steps, trace.with(LAST, marks).ok()?))
}
