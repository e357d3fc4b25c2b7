//! `ForEach`: the inside of its subsystem is computed once for each part of its inputs, with states of its own for each, and the results are
//! joined.
//!
//! Ports of such a subsystem know what they divide and join ([`divide`]). The number of turns follows from the sizes of the inputs.

use super::iteration::{FOR_ITERATOR, MAX_TURNS};
use super::{BlockKind, Definition};
use crate::diagram::SheetId;
use crate::plan::{Fault, Known, Outcome, Source, Unit, UnitId, port_number};
use crate::value::Value;
use std::collections::BTreeMap;
use system::Expr;

/// The parameter of an input with the dimension that is divided, and the length of a part.
const PART: &str = "Part";
/// The parameter of a subsystem with the dimension along which each output is joined.
const JOINED: &str = "Joined";
/// The parameter of a subsystem with the number of the input whose parts are its turns, from 0.
const COUNTED: &str = "Counted";

pub(super) const FOR_EACH: Definition = Definition {
    numbers: &[
        "InputPartition",
        "InputPartitionDimension",
        "InputPartitionWidth",
        "InputPartitionOffset",
        "OutputConcatenationDimension",
        "SubsysMaskParameterPartition",
    ],
    uses: |_, _| true,
    cells: true,
    defaults: &[],
    inputs: Some(0),
    outputs: |unit| Some(usize::from(unit.is_on("ShowIterationIndex"))),
    refusal: |unit| {
        let is_on = |name: &str| texts(unit, name).iter().any(|it| it == "on");
        if is_on("SubsysMaskParameterPartition") {
            let hint = "divide an input";
            return Some(Fault::hint("a part of a mask parameter for each turn is not supported", hint));
        }
        if texts(unit, "InputPartitionOffset").iter().any(|it| it.trim() != "0") {
            return Some(Fault::new("parts with a distance between them are not supported"));
        }
        let none = || Fault::hint("none of its inputs is divided", "divide an input");
        (!is_on("InputPartition")).then(none)
    },
    ..FOR_ITERATOR
};

/// The texts of a parameter that is a cell.
fn texts(unit: &Unit, name: &str) -> Vec<String> {
    let Some(Value::Cell(all)) = unit.values.get(name) else { return Vec::new() };
    let text = |it: &Value| match it {
        Value::Text(text) => text.clone(),
        _ => String::new(),
    };
    all.iter().map(text).collect()
}

/// The part of an input that a turn takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// The dimension that is divided, from 0.
    dimension: usize,
    /// The length of the part there.
    width: usize,
}

/// The part that an input takes; none if it is not divided.
pub(crate) fn part(unit: &Unit) -> Option<Part> {
    (unit.kind == BlockKind::Inport).then(|| stated(unit)).flatten()
}

/// The part that is stated for an input, or for a subsystem.
fn stated(unit: &Unit) -> Option<Part> {
    let (dimension, width) = unit.words.get(PART)?.split_once(' ')?;
    Some(Part { dimension: dimension.parse().ok()?, width: width.parse().ok()? })
}

/// Tells the ports of each subsystem with a `ForEach` what they divide and join.
pub(crate) fn divide(units: &mut [Unit], sheets: &BTreeMap<SheetId, Vec<UnitId>>) {
    let each = |unit: &Unit| unit.kind == BlockKind::ForEach;
    let found: Vec<Unit> = units.iter().filter(|it| each(it)).cloned().collect();
    for unit in found {
        let divided = texts(&unit, "InputPartition");
        let [dimensions, widths] =
            ["InputPartitionDimension", "InputPartitionWidth"].map(|it| texts(&unit, it));
        // What is not stated is 1.
        let number = |all: &[String], place: usize| {
            all.get(place).map_or(Some(1), |it| it.trim().parse::<usize>().ok()).filter(|it| *it > 0)
        };
        let mut first: Option<(usize, String)> = None;
        for id in sheets.get(&unit.block.sheet).into_iter().flatten() {
            let inner = &mut units[id.0 as usize];
            let place = port_number(inner).filter(|_| inner.kind == BlockKind::Inport);
            let Some(place) = place.filter(|it| divided.get(*it).is_some_and(|it| it == "on")) else {
                continue;
            };
            if let (Some(dimension), Some(width)) = (number(&dimensions, place), number(&widths, place)) {
                let part = format!("{} {width}", dimension - 1);
                if first.as_ref().is_none_or(|it| place < it.0) {
                    first = Some((place, part.clone()));
                }
                inner.words.insert(PART.to_owned(), part);
            }
        }
        let joined = texts(&unit, "OutputConcatenationDimension");
        for owner in units.iter_mut().filter(|it| it.inside == Some(unit.block.sheet)) {
            let along = (0..owner.outputs.len()).map(|it| number(&joined, it).unwrap_or(1) - 1);
            let along: Vec<String> = along.map(|it| it.to_string()).collect();
            owner.words.insert(JOINED.to_owned(), along.join(" "));
            if let Some((place, part)) = &first {
                owner.words.insert(COUNTED.to_owned(), place.to_string());
                owner.words.insert(PART.to_owned(), part.clone());
            }
        }
    }
}

/// What feeds the first input of a subsystem that is divided; none if its inputs are not.
pub(crate) fn counted(owner: &Unit) -> Option<Option<Source>> {
    Some(owner.source(owner.words.get(COUNTED)?.parse().ok()?))
}

/// What a turn takes of a signal.
pub(super) fn divided(known: &Known, part: Part) -> Known {
    let size = known.size().filter(|_| matches!(known, Known::Signal { .. }));
    Known::new(known.class(), size.and_then(|it| Some(split(&it, part)?.0)))
}

/// What the results of all turns are together, with the input whose parts are the turns.
pub(super) fn joined(unit: &Unit, results: &[Known], counted: &Known) -> Vec<Known> {
    let count = counted.size().zip(stated(unit)).and_then(|(size, part)| Some(split(&size, part)?.1));
    let along =
        unit.words.get(JOINED).map_or("", String::as_str).split(' ').map(|it| it.parse().unwrap_or(0));
    let join = |(result, dimension): (&Known, usize)| {
        let size = result.size().filter(|_| matches!(result, Known::Signal { .. })).zip(count);
        Known::new(result.class(), size.map(|(size, count)| joined_size(&size, dimension, count)))
    };
    results.iter().zip(along).map(join).collect()
}

/// The dimension along which an output is joined; none if its subsystem is not divided.
pub(crate) fn joined_along(unit: &Unit, output: usize) -> Option<usize> {
    unit.words.get(JOINED)?.split(' ').nth(output)?.parse().ok()
}

/// The size of a part, and the number of parts.
fn split(size: &[usize], part: Part) -> Option<(Vec<usize>, usize)> {
    let mut own = size.to_vec();
    let length = own.get_mut(part.dimension)?;
    if part.width == 0 || *length % part.width != 0 {
        return None;
    }
    let count = *length / part.width;
    *length = part.width;
    Some((own, count))
}

fn joined_size(size: &[usize], dimension: usize, count: usize) -> Vec<usize> {
    let mut all = size.to_vec();
    all.resize(all.len().max(dimension + 1), 1);
    all[dimension] = all[dimension].saturating_mul(count);
    all
}

/// The number of turns for an input of a size.
pub(crate) fn turns_of(size: &[usize], part: Part) -> Outcome<usize> {
    let count = split(size, part).map(|it| it.1);
    let count =
        count.ok_or_else(|| Fault::new("the size of an input is not a multiple of the size of its parts"))?;
    if count > MAX_TURNS {
        return Err(Fault::new(format!("it has more than {MAX_TURNS} turns")));
    }
    Ok(count)
}

/// The elements before, along and after a dimension.
fn extents(size: &[usize], dimension: usize) -> (usize, usize, usize) {
    let along = size.get(dimension).copied().unwrap_or(1);
    let before = size.iter().take(dimension).product();
    (before, along, size.iter().skip(dimension + 1).product())
}

/// The scalars of a part of a signal.
pub(crate) fn taken(scalars: &[Expr], size: &[usize], part: Part, turn: usize) -> Vec<Expr> {
    let (before, along, after) = extents(size, part.dimension);
    let from = turn * part.width;
    let place = |a: usize, k: usize, b: usize| a + before * (k + along * b);
    let places = (0..after)
        .flat_map(|b| (from..from + part.width).flat_map(move |k| (0..before).map(move |a| place(a, k, b))));
    places.filter_map(|it| scalars.get(it).copied()).collect()
}

/// The scalars of the results of all turns, joined along a dimension.
pub(crate) fn together(turns: &[Vec<Expr>], size: &[usize], dimension: usize) -> Vec<Expr> {
    let (before, along, after) = extents(size, dimension);
    let block = before * along;
    let parts = (0..after).flat_map(|b| turns.iter().map(move |it| it.get(b * block..(b + 1) * block)));
    parts.flatten().flatten().copied().collect()
}
