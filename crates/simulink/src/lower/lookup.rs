//! Lookup tables of one, two and more dimensions: linear, flat and nearest, clipped or extrapolated.
//!
//! One dimension after the other is reduced, the first one first. In each, the interval is found by a balanced tree of comparisons,
//! and linear interpolation is a value plus a slope times a distance; slopes between numbers are exact constants.

use super::arithmetic::output;
use super::parameters::{Fault, Outcome, count, entries, finite, is_on, matrix, word};
use super::work::{Signal, Work};
use crate::plan::Unit;
use dashu_ratio::RBig;
use system::{Expr, Node};

/// The most entries of a table.
const MAX_ENTRIES: usize = 1 << 20;

/// How a value between or beside breakpoints is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Method {
    Linear { clip: bool },
    Below,
    Above,
    Nearest,
}

pub(crate) fn lookup(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let (axes, method) = axes_and_method(unit)?;
    let table = matrix(unit, "Table").or_else(|fault| matrix(unit, "OutputValues").map_err(|_| fault))?;
    let size: usize = axes.iter().map(Vec::len).try_fold(1, usize::checked_mul).unwrap_or(usize::MAX);
    if size != table.entries.len() || size > MAX_ENTRIES {
        return Err(Fault::new("its table does not have the size of its breakpoints"));
    }
    for axis in &axes {
        if axis.is_empty() || axis.windows(2).any(|it| it[0] >= it[1]) {
            return Err(Fault::new("its breakpoints do not ascend"));
        }
    }
    let width = output(unit)?.1;
    work.reserve(width, size)?;
    let mut constants = Vec::new();
    for number in &table.entries {
        constants.push(work.real(*number)?);
    }
    let one_input = is_on(unit, "UseOneInputPortForAllInputData");
    let element = |element: usize| {
        let mut values = constants.clone();
        for (dimension, axis) in axes.iter().enumerate() {
            let x = if one_input {
                let all = inputs.first().ok_or_else(|| Fault::new("it has no input"))?;
                all.scalars.get(element * axes.len() + dimension).copied()
            } else {
                inputs.get(dimension).map(|it| it.at(element)).transpose()?
            };
            let x = x.ok_or_else(|| Fault::new("it does not have an input for each dimension"))?;
            let x = work.real_of(x);
            let mut reduced = Vec::new();
            for line in values.chunks(axis.len()) {
                reduced.push(along(work, axis, line, x, method)?);
            }
            values = reduced;
        }
        values.first().copied().ok_or_else(|| Fault::new("its table is empty"))
    };
    (0..width).map(element).collect()
}

fn axes_and_method(unit: &Unit) -> Outcome<(Vec<Vec<f64>>, Method)> {
    let axis = |names: &[&str]| -> Outcome<Vec<f64>> {
        let found = names.iter().map(|it| entries(unit, it)).find(|it| !it.is_empty());
        found.map(<[f64]>::to_vec).ok_or_else(|| Fault::new("its breakpoints have no value"))
    };
    let old = match word(unit, "LookUpMeth") {
        "Interpolation-Use End Values" => Method::Linear { clip: true },
        "Use Input Nearest" => Method::Nearest,
        "Use Input Below" => Method::Below,
        "Use Input Above" => Method::Above,
        _ => Method::Linear { clip: false },
    };
    match unit.kind.as_str() {
        "Lookup" => Ok((vec![axis(&["InputValues"])?], old)),
        "Lookup2D" => Ok((vec![axis(&["RowIndex", "x"])?, axis(&["ColumnIndex", "y"])?], old)),
        _ => {
            let dimensions = count(unit, "NumberOfTableDimensions", 30)?;
            let mut axes = Vec::new();
            for dimension in 1..=dimensions {
                axes.push(breakpoints(unit, dimension)?);
            }
            let method = match word(unit, "InterpMethod") {
                "Flat" | "None - Flat" => Method::Below,
                "Nearest" => Method::Nearest,
                "Linear" | "Linear point-slope" | "Linear Lagrange" | "" => {
                    Method::Linear { clip: word(unit, "ExtrapMethod") == "Clip" }
                }
                other => {
                    let message = format!("the interpolation `{other}` is not supported");
                    return Err(Fault::hint(message, "use linear interpolation"));
                }
            };
            Ok((axes, method))
        }
    }
}

fn breakpoints(unit: &Unit, dimension: usize) -> Outcome<Vec<f64>> {
    let name = format!("BreakpointsForDimension{dimension}");
    if word(unit, "BreakpointsSpecification") != "Even spacing" {
        return Ok(matrix(unit, &name)?.entries.clone());
    }
    let one = |end: &str| entries(unit, &format!("{name}{end}")).first().copied();
    let (Some(first), Some(spacing)) = (one("FirstPoint"), one("Spacing")) else {
        return Err(Fault::new("its breakpoints have no value"));
    };
    let size = matrix(unit, "Table")?;
    let length = match size.dimensions.get(dimension - 1) {
        Some(_) if size.dimensions.contains(&1) && dimension == 1 => size.entries.len(),
        Some(length) => *length,
        None => 1,
    };
    Ok((0..length).map(|it| first + spacing * it as f64).collect())
}

/// The value at a place along one axis.
fn along(work: &mut Work, axis: &[f64], line: &[Expr], x: Expr, method: Method) -> Outcome<Expr> {
    let points: Vec<RBig> = axis.iter().map(|it| finite(*it)).collect::<Outcome<_>>()?;
    if let [only] = line {
        return Ok(*only);
    }
    let last = points.len() - 1;
    let (borders, pieces, strict): (Vec<RBig>, Vec<Expr>, bool) = match method {
        Method::Linear { clip } => {
            let x = if clip { clipped(work, x, &points[0], &points[last]) } else { x };
            let mut pieces = Vec::new();
            for place in 0..last {
                pieces.push(segment(work, &points[place..=place + 1], &line[place..=place + 1], x));
            }
            (points[1..last].to_vec(), pieces, false)
        }
        Method::Below => (points[1..].to_vec(), line.to_vec(), false),
        Method::Above => (points[..last].to_vec(), line.to_vec(), true),
        Method::Nearest => {
            let middle = points.windows(2).map(|it| (&it[0] + &it[1]) / RBig::from(2)).collect();
            (middle, line.to_vec(), false)
        }
    };
    Ok(choose(work, &borders, &pieces, x, strict))
}

/// The piece that a place is in: piece i ends before border i, or at it if strict.
fn choose(work: &mut Work, borders: &[RBig], pieces: &[Expr], x: Expr, strict: bool) -> Expr {
    if borders.is_empty() {
        return pieces[0];
    }
    let middle = borders.len() / 2;
    let left = choose(work, &borders[..middle], &pieces[..=middle], x, strict);
    let right = choose(work, &borders[middle + 1..], &pieces[middle + 1..], x, strict);
    let border = work.pool().real(borders[middle].clone());
    let before = if strict { work.pool().le(x, border) } else { work.pool().lt(x, border) };
    work.pool().ite(before, left, right)
}

fn clipped(work: &mut Work, x: Expr, least: &RBig, greatest: &RBig) -> Expr {
    let pool = work.pool();
    let (least, greatest) = (pool.real(least.clone()), pool.real(greatest.clone()));
    let low = pool.max(x, least);
    pool.min(low, greatest)
}

/// The line through two points.
fn segment(work: &mut Work, points: &[RBig], values: &[Expr], x: Expr) -> Expr {
    let start = work.pool().real(points[0].clone());
    let width = &points[1] - &points[0];
    let distance = work.pool().sub(x, start);
    let slope = match (work.system.pool.node(values[0]), work.system.pool.node(values[1])) {
        (Node::Real(a), Node::Real(b)) => Some((b - a) / &width),
        _ => None,
    };
    let rise = match slope {
        Some(slope) => {
            let slope = work.pool().real(slope);
            work.pool().mul(slope, distance)
        }
        None => {
            let width = work.pool().real(width);
            let pool = work.pool();
            let share = pool.div(distance, width);
            let difference = pool.sub(values[1], values[0]);
            pool.mul(share, difference)
        }
    };
    work.pool().add(values[0], rise)
}
