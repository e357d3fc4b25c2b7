//! Lookup in two parts: `PreLookup` finds the interval and the fraction of its input, `Interpolation_n-D` the value between entries of a table.
//! And tables that are read directly by index, or that come as signals.
//!
//! Indices count from 0. An index outside its table is moved to the nearest end.

use super::lookup::{axis, piece};
use super::selection::pick;
use super::{Definition, ELEMENTWISE, Instance, Lowering};
use crate::lower::Work;
use crate::plan::{Fault, Known, Outcome, Unit, finite};
use crate::value::Class;
use dashu_ratio::RBig;
use system::Expr;

pub(super) const PRELOOKUP: Definition = Definition {
    numbers: &["BreakpointsData", "BreakpointsFirstPoint", "BreakpointsSpacing", "BreakpointsNumPoints"],
    uses: |unit, name| (name == "BreakpointsData") != has_even_spacing(unit),
    outputs: |unit| Some(if only_index(unit) { 1 } else { 2 }),
    refusal: |unit| {
        let port = unit.word("BreakpointsDataSource") == "Input port";
        let bus = unit.word("OutputSelection").contains("bus");
        let what = if port { "breakpoints from a port" } else { "an output as a bus" };
        (port || bus).then(|| Fault::hint(format!("{what} are not supported"), "use numbers and two outputs"))
    },
    shapes: |case| {
        let class = ["IndexDataTypeStr", "OutDataTypeStr"]
            .into_iter()
            .find_map(|name| Class::named(case.unit.word(name)))
            .unwrap_or(Class::Integer(32, false));
        let size = case.first().size();
        let fraction = Known::new(case.floating(), size.clone());
        let index = Known::new(Some(class), size);
        if case.unit.outputs.len() == 1 { vec![index] } else { vec![index, fraction] }
    },
    lowering: Lowering::All(prelookup),
    ..ELEMENTWISE
};

pub(super) const INTERPOLATION: Definition = Definition {
    numbers: &["NumberOfTableDimensions", "Table", "NumSelectionDims"],
    defaults: &[
        ("NumberOfTableDimensions", "2"),
        ("NumSelectionDims", "0"),
        ("ValidIndexMayReachLast", "off"),
    ],
    refusal: |unit| {
        let port = unit.word("TableSource") == "Input port";
        let bus = unit.is_on("RequireIndexFractionAsBus");
        let what = if port { "a table from a port" } else { "a bus of index and fraction" };
        (port || bus).then(|| Fault::hint(format!("{what} is not supported"), "use numbers"))
    },
    shapes: |case| {
        // The fraction is of the class of the result; an index alone is not.
        let table = case.unit.matrix("Table").map(|it| it.class);
        let fraction = case.inputs.get(1).and_then(Known::class);
        let class = fraction.filter(|it| matches!(it, Class::Double | Class::Single)).or(table);
        case.one(case.class(class), case.size(case.inputs))
    },
    lowering: Lowering::Each(interpolated),
    ..ELEMENTWISE
};

pub(super) const DIRECT: Definition = Definition {
    numbers: &["NumberOfTableDims", "NumberOfTableDimensions", "Table", "mxTable"],
    uses: |unit, name| name != "mxTable" || !unit.words.contains_key("Table"),
    refusal: |unit| {
        let kept = unit.word("InputsSelectThisObjectFromTable");
        let port = unit.is_on("TableIsInput");
        let matrix = kept.contains("Matrix");
        let what = if port { "a table from a port" } else { "a selection of matrices" };
        (port || matrix)
            .then(|| Fault::hint(format!("{what} is not supported"), "select elements or vectors"))
    },
    shapes: |case| {
        let table = table(case.unit);
        let class = case.class(table.map(|it| it.class));
        let columns = takes_columns(case.unit);
        let size = if columns { table.map(|it| vec![it.rows()]) } else { case.size(case.inputs) };
        case.one(class, size)
    },
    lowering: Lowering::Each(direct),
    ..ELEMENTWISE
};

pub(super) const DYNAMIC: Definition = Definition {
    inputs: Some(3),
    shapes: |case| {
        let class = case.inputs.get(2).and_then(Known::class);
        case.one(case.class(class), case.first().size())
    },
    sample_time: |_| None,
    lowering: Lowering::Each(dynamic),
    ..ELEMENTWISE
};

fn has_even_spacing(unit: &Unit) -> bool {
    unit.word("BreakpointsSpecification") == "Even spacing"
}

fn only_index(unit: &Unit) -> bool {
    unit.word("OutputSelection") == "Index only" || unit.is_on("OutputOnlyTheIndex")
}

fn points(unit: &Unit) -> Outcome<Vec<RBig>> {
    let points = if has_even_spacing(unit) {
        let count = unit.count("BreakpointsNumPoints", 1 << 20)?;
        let [first, spacing] = ["BreakpointsFirstPoint", "BreakpointsSpacing"].map(|it| unit.entry(it, 0));
        (0..count).map(|it| first + spacing * it as f64).collect()
    } else {
        axis(unit, &["BreakpointsData"])?
    };
    if points.len() < 2 || points.windows(2).any(|it| it[0] >= it[1]) {
        return Err(Fault::new("its breakpoints are not in ascending order"));
    }
    points.into_iter().map(finite).collect()
}

/// The index of the interval and the fraction within it. Beyond the breakpoints, the fraction of the first or last interval goes on, or
/// ends at 0 and 1.
fn prelookup(work: &mut Work, block: &Instance) -> Outcome<Vec<Vec<Expr>>> {
    let points = points(block)?;
    let last = points.len() - 1;
    let old = block.word("ProcessOutOfRangeInput");
    let clips = block.word("ExtrapMethod") == "Clip" || old.starts_with("Clip");
    let reaches_last = clips && block.is_on("UseLastBreakpoint");
    let width = block.outputs.first().map_or(1, crate::plan::Shape::width);
    work.reserve(width, 4 * points.len())?;
    let (mut indices, mut fractions) = (Vec::new(), Vec::new());
    for element in 0..width {
        let x = block.real(work, element)?;
        let (mut places, mut shares) = (Vec::new(), Vec::new());
        for place in 0..last {
            let start = work.pool().real(points[place].clone());
            let length = work.pool().real(&points[place + 1] - &points[place]);
            let distance = work.pool().sub(x, start);
            let share = work.pool().div(distance, length);
            shares.push(if clips { between_0_and_1(work, share) } else { share });
            places.push(work.ratio(place as i64, 1));
        }
        let mut borders = points[1..last].to_vec();
        if reaches_last {
            borders.push(points[last].clone());
            places.push(work.ratio(last as i64, 1));
            shares.push(work.ratio(0, 1));
        }
        indices.push(piece(work, &borders, &places, x, false));
        fractions.push(piece(work, &borders, &shares, x, false));
    }
    Ok(if only_index(block) { vec![indices] } else { vec![indices, fractions] })
}

fn between_0_and_1(work: &mut Work, share: Expr) -> Expr {
    let (zero, one) = (work.ratio(0, 1), work.ratio(1, 1));
    let low = work.pool().max(share, zero);
    work.pool().min(low, one)
}

/// The sizes of a table in each of some dimensions.
fn extents(dimensions: &[usize], entries: usize, count: usize) -> Outcome<Vec<usize>> {
    let sizes = match count {
        1 => vec![entries],
        _ => {
            let mut sizes = dimensions.to_vec();
            sizes.resize(count.max(sizes.len()), 1);
            sizes
        }
    };
    let fits = sizes.len() == count && sizes.iter().all(|it| *it > 0);
    if fits { Ok(sizes) } else { Err(Fault::new("its table does not have its number of dimensions")) }
}

/// An entry between those of a table: for each dimension there is an index and, unless the table is flat, a fraction. Dimensions at the end
/// may only be selected by an index.
fn interpolated(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let table = block.numbers("Table")?;
    let count = block.count("NumberOfTableDimensions", 30)?.max(1);
    let selected = block.count("NumSelectionDims", count)?;
    let sizes = extents(&table.dimensions, table.entries.len(), count)?;
    let pairs = count - selected;
    let flat = match block.word("InterpMethod") {
        "Linear" | "Linear point-slope" | "Linear Lagrange" | "" => false,
        "Flat" | "None - Flat" => true,
        other => {
            let message = format!("the interpolation `{other}` is not supported");
            return Err(Fault::hint(message, "use linear interpolation"));
        }
    };
    let each = match block.signals.len() {
        inputs if inputs == 2 * pairs + selected => 2,
        inputs if flat && inputs == count => 1,
        _ => return Err(Fault::new("it does not have an input for each index and fraction")),
    };
    work.reserve(table.entries.len(), 4)?;
    let class = block.output()?.0;
    let mut values =
        table.entries.iter().map(|it| work.parameter(*it, class)).collect::<Outcome<Vec<Expr>>>()?;
    for (dimension, size) in sizes.into_iter().enumerate() {
        let place = if dimension < pairs { dimension * each } else { pairs * each + dimension - pairs };
        let index = block.at(place, element)?;
        let index = work.real_of(index);
        let fraction = if dimension < pairs && !flat {
            let share = block.at(place + 1, element)?;
            let share = work.real_of(share);
            let clips = block.word("ExtrapMethod").contains("Clip");
            Some(if clips { between_0_and_1(work, share) } else { share })
        } else {
            None
        };
        let lines = values.chunks(size);
        values = lines
            .map(|line| along(work, line, index, fraction, block.is_on("ValidIndexMayReachLast")))
            .collect::<Outcome<_>>()?;
    }
    values.first().copied().ok_or_else(|| Fault::new("its table is empty"))
}

fn along(
    work: &mut Work,
    line: &[Expr],
    index: Expr,
    fraction: Option<Expr>,
    reaches_last: bool,
) -> Outcome<Expr> {
    let Some(fraction) = fraction.filter(|_| line.len() > 1) else { return pick(work, index, line) };
    let below = pick(work, index, if reaches_last { line } else { &line[..line.len() - 1] })?;
    let above = pick(work, index, &line[1..])?;
    let pool = work.pool();
    let difference = pool.sub(above, below);
    let rise = pool.mul(fraction, difference);
    Ok(pool.add(below, rise))
}

fn table(unit: &Unit) -> Option<&crate::value::Matrix> {
    unit.matrix("Table").or_else(|| unit.matrix("mxTable"))
}

fn takes_columns(unit: &Unit) -> bool {
    ["Column", "Vector"].iter().any(|it| unit.word("InputsSelectThisObjectFromTable").starts_with(it))
}

/// The entry at the indices of the inputs, or the column there.
fn direct(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let table = table(block).ok_or_else(|| Fault::new("its table has no value"))?;
    let dimensions = ["NumberOfTableDims", "NumberOfTableDimensions"].into_iter();
    let count = dimensions.filter(|it| block.values.contains_key(*it)).map(|it| block.count(it, 30)).next();
    let count = count.unwrap_or(Ok(2))?.max(1);
    let sizes = extents(&table.dimensions, table.entries.len(), count)?;
    work.reserve(table.entries.len(), 2)?;
    let class = block.output()?.0;
    let mut values =
        table.entries.iter().map(|it| work.parameter(*it, class)).collect::<Outcome<Vec<Expr>>>()?;
    let columns = takes_columns(block);
    for (dimension, size) in sizes.into_iter().enumerate() {
        if dimension == 0 && columns {
            values = values.chunks(size).filter_map(|it| it.get(element).copied()).collect();
            continue;
        }
        let place = dimension - usize::from(columns);
        let index = block.at(place, if columns { 0 } else { element })?;
        let index = work.real_of(index);
        let index = work.round("Zero", index);
        values = values.chunks(size).map(|line| pick(work, index, line)).collect::<Outcome<_>>()?;
    }
    values.first().copied().ok_or_else(|| Fault::new("its table is empty"))
}

/// A table whose breakpoints and values are signals.
fn dynamic(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let [_, xs, ys] = block.signals else { return Err(Fault::new("it does not have three inputs")) };
    let count = xs.scalars.len();
    if count != ys.scalars.len() || count < 2 {
        return Err(Fault::new("its breakpoints and values do not have the same number of elements"));
    }
    work.reserve(count, 8)?;
    let reals = |work: &mut Work, all: &[Expr]| all.iter().map(|it| work.real_of(*it)).collect::<Vec<Expr>>();
    let (xs, ys) = (reals(work, &xs.scalars), reals(work, &ys.scalars));
    let u = block.real(work, element)?;
    let method = block.word("LookUpMeth");
    let pool = work.pool();
    let interpolates = method.is_empty() || method.starts_with("Interpolation");
    let x = if method == "Interpolation-Use End Values" || method.is_empty() {
        let low = pool.max(u, xs[0]);
        pool.min(low, xs[count - 1])
    } else {
        u
    };
    if interpolates {
        let mut line = |place: usize| {
            let (width, distance) = (pool.sub(xs[place + 1], xs[place]), pool.sub(x, xs[place]));
            let share = pool.div(distance, width);
            let difference = pool.sub(ys[place + 1], ys[place]);
            let rise = pool.mul(share, difference);
            pool.add(ys[place], rise)
        };
        let lines: Vec<Expr> = (0..count - 1).map(&mut line).collect();
        let mut value = lines[count - 2];
        for place in (0..count - 2).rev() {
            let before = pool.lt(x, xs[place + 1]);
            value = pool.ite(before, lines[place], value);
        }
        return Ok(value);
    }
    let mut value = ys[count - 1];
    for place in (0..count - 1).rev() {
        let before = match method {
            "Use Input Below" => pool.lt(x, xs[place + 1]),
            "Use Input Above" => pool.le(x, xs[place]),
            _ => {
                let (after, before) = (pool.sub(xs[place + 1], x), pool.sub(x, xs[place]));
                pool.lt(before, after)
            }
        };
        value = pool.ite(before, ys[place], value);
    }
    Ok(value)
}
