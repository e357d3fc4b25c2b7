//! Lookup tables of one, two and more dimensions: linear, flat and nearest, clipped or extrapolated.
//!
//! Dimensions are reduced one by one, the first one first. In each, the interval is found by a balanced tree of comparisons,
//! and linear interpolation is a value plus a slope times a distance; slopes between numbers are exact constants.

use super::{Definition, ELEMENTWISE, Instance, Lowering};
use crate::lower::Work;
use crate::plan::{Fault, Outcome, Unit, finite};
use dashu_ratio::RBig;
use system::{Expr, Node};

/// The maximum number of entries of a table.
const MAX_ENTRIES: usize = 1 << 20;

/// The numeric parameters of a table with breakpoints for each of some dimensions.
macro_rules! numbers {
    ($($dimension:literal)*) => {
        &[
            "NumberOfTableDimensions",
            "Table",
            $(concat!("BreakpointsForDimension", $dimension),
            concat!("BreakpointsForDimension", $dimension, "FirstPoint"),
            concat!("BreakpointsForDimension", $dimension, "Spacing"),)*
        ]
    };
}
pub(super) const LOOKUP: Definition = Definition {
    numbers: &["InputValues", "Table", "OutputValues"],
    uses: |unit, name| name != "OutputValues" || !unit.words.contains_key("Table"),
    lowering: Lowering::One(|work, block| {
        lookup(work, block, &[axis(block, &["InputValues"])?], old_method(block))
    }),
    ..ELEMENTWISE
};

pub(super) const LOOKUP_2D: Definition = Definition {
    numbers: &["RowIndex", "ColumnIndex", "Table", "OutputValues"],
    lowering: Lowering::One(|work, block| {
        let axes = [axis(block, &["RowIndex", "x"])?, axis(block, &["ColumnIndex", "y"])?];
        lookup(work, block, &axes, old_method(block))
    }),
    ..LOOKUP
};

pub(super) const LOOKUP_ND: Definition = Definition {
    numbers: numbers![1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30],
    uses: |unit, name| {
        let Some(rest) = name.strip_prefix("BreakpointsForDimension") else {
            return name != "Table" || unit.word("DataSpecification") != "Lookup table object";
        };
        let digits = rest.trim_end_matches(|c: char| !c.is_ascii_digit());
        let dimensions = unit.single("NumberOfTableDimensions").unwrap_or(30.0);
        digits.parse().is_ok_and(|number: f64| number <= dimensions)
            && has_even_spacing(unit) != (digits.len() == rest.len())
    },
    lowering: Lowering::One(|work, block| {
        let dimensions = block.count("NumberOfTableDimensions", 30)?;
        let axes = (1..=dimensions).map(|it| breakpoints(block, it)).collect::<Outcome<Vec<_>>>()?;
        lookup(work, block, &axes, method(block)?)
    }),
    ..ELEMENTWISE
};

/// How a value between or beside breakpoints is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Method {
    Linear { clip: bool },
    Below,
    Above,
    Nearest,
}

fn lookup(work: &mut Work, block: &Instance, axes: &[Vec<f64>], method: Method) -> Outcome<Vec<Expr>> {
    let table = block.numbers("Table").or_else(|fault| block.numbers("OutputValues").map_err(|_| fault))?;
    let size: usize = axes.iter().map(Vec::len).try_fold(1, usize::checked_mul).unwrap_or(usize::MAX);
    if size != table.entries.len() || size > MAX_ENTRIES {
        return Err(Fault::new("the size of its table does not match its breakpoints"));
    }
    if axes.iter().any(|axis| axis.is_empty() || axis.windows(2).any(|it| it[0] >= it[1])) {
        return Err(Fault::new("its breakpoints are not in ascending order"));
    }
    let width = block.output()?.1;
    work.reserve(width, size)?;
    let class = block.output()?.0;
    let constants =
        table.entries.iter().map(|it| work.parameter(*it, class)).collect::<Outcome<Vec<Expr>>>()?;
    let one_input = block.is_on("UseOneInputPortForAllInputData");
    let element = |element: usize| {
        let mut values = constants.clone();
        for (dimension, axis) in axes.iter().enumerate() {
            let x = if one_input {
                block.signal(0)?.scalars.get(element * axes.len() + dimension).copied()
            } else {
                block.signals.get(dimension).map(|it| it.at(element)).transpose()?
            };
            let x = x.ok_or_else(|| Fault::new("it does not have an input for each dimension"))?;
            let x = work.real_of(x);
            let lines = values.chunks(axis.len());
            values = lines.map(|line| along(work, axis, line, x, method)).collect::<Outcome<_>>()?;
        }
        values.first().copied().ok_or_else(|| Fault::new("its table is empty"))
    };
    (0..width).map(element).collect()
}

pub(super) fn axis(unit: &Unit, names: &[&str]) -> Outcome<Vec<f64>> {
    let found = names.iter().map(|it| unit.entries(it)).find(|it| !it.is_empty());
    found.map(<[f64]>::to_vec).ok_or_else(|| Fault::new("its breakpoints have no value"))
}

fn old_method(unit: &Unit) -> Method {
    match unit.word("LookUpMeth") {
        "Interpolation-Use End Values" => Method::Linear { clip: true },
        "Use Input Nearest" => Method::Nearest,
        "Use Input Below" => Method::Below,
        "Use Input Above" => Method::Above,
        _ => Method::Linear { clip: false },
    }
}

fn method(unit: &Unit) -> Outcome<Method> {
    match unit.word("InterpMethod") {
        "Flat" | "None - Flat" => Ok(Method::Below),
        "Nearest" => Ok(Method::Nearest),
        "Linear" | "Linear point-slope" | "Linear Lagrange" | "" => match unit.word("ExtrapMethod") {
            "Clip" | "None - Clip" => Ok(Method::Linear { clip: true }),
            "Linear" | "" => Ok(Method::Linear { clip: false }),
            other => {
                let message = format!("the extrapolation `{other}` is not supported");
                Err(Fault::hint(message, "use linear extrapolation, or clip"))
            }
        },
        other => {
            let message = format!("the interpolation `{other}` is not supported");
            Err(Fault::hint(message, "use linear interpolation"))
        }
    }
}

fn has_even_spacing(unit: &Unit) -> bool {
    unit.word("BreakpointsSpecification") == "Even spacing"
}

fn breakpoints(unit: &Unit, dimension: usize) -> Outcome<Vec<f64>> {
    let name = format!("BreakpointsForDimension{dimension}");
    if !has_even_spacing(unit) {
        return Ok(unit.numbers(&name)?.entries.clone());
    }
    let one = |end: &str| unit.entries(&format!("{name}{end}")).first().copied();
    let (Some(first), Some(spacing)) = (one("FirstPoint"), one("Spacing")) else {
        return Err(Fault::new("its breakpoints have no value"));
    };
    let size = unit.numbers("Table")?;
    let length = match size.dimensions.get(dimension - 1) {
        Some(_) if size.dimensions.contains(&1) && dimension == 1 => size.entries.len(),
        Some(length) => *length,
        None => 1,
    };
    Ok((0..length).map(|it| first + spacing * it as f64).collect())
}

/// The value at `x` along one axis.
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
    Ok(piece(work, &borders, &pieces, x, strict))
}

/// The piece that contains `x`: piece i ends before border i, or at it if strict.
pub(super) fn piece(work: &mut Work, borders: &[RBig], pieces: &[Expr], x: Expr, strict: bool) -> Expr {
    if borders.is_empty() {
        return pieces[0];
    }
    let middle = borders.len() / 2;
    let left = piece(work, &borders[..middle], &pieces[..=middle], x, strict);
    let right = piece(work, &borders[middle + 1..], &pieces[middle + 1..], x, strict);
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
