//! Products and inverses of matrices, scalar products, and blocks that select, replace and arrange elements.
//!
//! Inverses of up to three rows are cofactors over the determinant; larger ones are eliminated with the greatest pivot of each
//! column. The inverse of a singular matrix divides by zero: it has no value in exact arithmetic and is not finite in doubles.

use super::routing::joined;
use super::{Definition, ELEMENTWISE, Instance, Lowering, Origin, PASSING};
use crate::lower::{Layout, Signal, Work};
use crate::plan::{Case, Fault, Known, Outcome, Shape, Unit, UnitId, rules, sizes};
use system::Expr;

/// The width that a reshaped input is given at most, if nothing else determines it.
const MAX_NEEDED: usize = 10_000;

/// Matrices larger than this are not inverted.
const MAX_ROWS: usize = 12;

pub(super) const DOT_PRODUCT: Definition = Definition {
    shapes: |case| case.ruled(rules::product, Some(vec![1])),
    lowering: Lowering::One(dot),
    ..ELEMENTWISE
};

pub(super) const SELECTOR: Definition = Definition {
    numbers: &["NumberOfDimensions", "InputPortWidth", "Indices", "OutputSizes"],
    uses: uses_indices,
    cells: true,
    shapes: |case| case.one(case.first().class(), selection(case)),
    needed: |case, place, _| {
        let width = width_of_selector(case.unit).filter(|_| place == 0);
        Known::new(None, width.map(|width| vec![width]))
    },
    route: Some(|layout, id, _, element| match layout.selection(id)? {
        None => Ok(None),
        Some(places) => {
            let place = places.get(element).copied();
            let place = place.ok_or_else(|| Fault::new("it selects more elements than its output has"))?;
            Ok(Some((layout.unit(id).source(0), place)))
        }
    }),
    lowering: Lowering::One(select),
    ..ELEMENTWISE
};

pub(super) const ASSIGNMENT: Definition = Definition {
    numbers: &["NumberOfDimensions", "Indices"],
    uses: uses_indices,
    cells: true,
    shapes: PASSING.shapes,
    lowering: Lowering::One(assign),
    ..ELEMENTWISE
};

pub(super) const RESHAPE: Definition = Definition {
    numbers: &["OutputDimensions"],
    uses: |unit, _| unit.word("OutputDimensionality") == "Customize",
    shapes: |case| case.one(case.first().class(), reshaped(case)),
    needed: |case, place, outputs| {
        let class = outputs.first().and_then(Known::class);
        let customized = case.unit.word("OutputDimensionality") == "Customize";
        let size = reshaped(case).filter(|it| customized && sizes::width(it) <= MAX_NEEDED);
        Known::new(class, size.map(|it| vec![sizes::width(&it)])).filter(place == 0)
    },
    route: Some(|layout, id, _, element| Ok(Some((layout.unit(id).source(0), element)))),
    lowering: Lowering::Wires,
    ..ELEMENTWISE
};

pub(super) const CONCATENATE: Definition = Definition {
    numbers: &["NumInputs", "ConcatenateDimension"],
    shapes: |case| case.one(case.common(case.inputs), concatenated(case)),
    complaint: |unit, _| {
        let missing = unit.word("Mode").starts_with("Multi") && dimension(unit).is_none();
        missing.then(|| Fault::hint("its dimension does not exist", "join along a dimension from 1 to 32"))
    },
    route: Some(concatenated_origin),
    lowering: Lowering::Wires,
    ..ELEMENTWISE
};

fn uses_indices(unit: &Unit, name: &str) -> bool {
    let options = unit.word("IndexOptions");
    name != "Indices" || options.contains("dialog") || options.is_empty()
}

/// The input width of a selector of vectors.
fn width_of_selector(unit: &Unit) -> Option<usize> {
    let width = unit.single("InputPortWidth").filter(|width| (1.0..=1e6).contains(width))?;
    (unit.single("NumberOfDimensions").unwrap_or(1.0) == 1.0).then_some(width as usize)
}

/// The size of what a selector takes.
fn selection(case: &Case<'_>) -> Option<Vec<usize>> {
    let count = case.unit.single("NumberOfDimensions").unwrap_or(1.0);
    let options: Vec<&str> = case.unit.list("IndexOptions").collect();
    let mut port = 1;
    let mut along = |k: usize| {
        let option = options.get(k).copied().unwrap_or("Index vector (dialog)");
        let inputs = case.first().size()?;
        let whole = if count == 1.0 { sizes::width(&inputs) } else { inputs.get(k).copied().unwrap_or(1) };
        let by_port = option.contains("(port)").then(|| case.inputs.get(port));
        port += usize::from(by_port.is_some());
        match option {
            "Select all" => Some(whole),
            "Index vector (port)" => by_port.flatten()?.width(),
            option if option.starts_with("Starting") => {
                let of = |k: usize| case.unit.along("OutputSizes", k);
                let size = of(k).or_else(|| of(0))?;
                let number = size.entries.get(if size.entries.len() > 1 { k } else { 0 })?;
                Some(number.clamp(1.0, 1e6) as usize)
            }
            _ => Some(case.unit.along("Indices", k)?.entries.len()),
        }
    };
    if count == 1.0 {
        Some(vec![along(0)?])
    } else {
        (0..count.clamp(1.0, 32.0) as usize).map(along).collect()
    }
}

fn reshaped(case: &Case<'_>) -> Option<Vec<usize>> {
    let width = case.first().width();
    match case.unit.word("OutputDimensionality") {
        "Column vector (2-D)" => Some(vec![width?, 1]),
        "Row vector (2-D)" => Some(vec![1, width?]),
        "Customize" => {
            let sizes = &case.unit.matrix("OutputDimensions")?.entries;
            Some(sizes.iter().map(|size| size.clamp(1.0, 1e6) as usize).collect())
        }
        "Derive from reference input port" => case.inputs.get(1)?.size(),
        _ => Some(vec![width?]),
    }
}

fn concatenated(case: &Case<'_>) -> Option<Vec<usize>> {
    let all: Vec<Vec<usize>> = case.inputs.iter().map(Known::size).collect::<Option<_>>()?;
    if !case.unit.word("Mode").starts_with("Multi") {
        let width = all.iter().fold(0usize, |sum, size| sum.saturating_add(sizes::width(size)));
        // Rows stay a row and columns a column.
        return Some(match all.iter().find(|size| size.len() == 2).map(Vec::as_slice) {
            Some([1, _]) => vec![1, width],
            Some(_) => vec![width, 1],
            None => vec![width],
        });
    }
    let flat = |size: &Vec<usize>| if let [n] = size[..] { vec![n, 1] } else { size.clone() };
    let along = dimension(case.unit)? - 1;
    let mut whole = flat(all.first()?);
    whole.resize(whole.len().max(along + 1), 1);
    whole[along] =
        all.iter().fold(0usize, |sum, size| sum.saturating_add(flat(size).get(along).copied().unwrap_or(1)));
    Some(whole)
}

/// The dimension that a `Concatenate` joins along, from 1.
fn dimension(unit: &Unit) -> Option<usize> {
    let given = if unit.values.contains_key("ConcatenateDimension") {
        unit.single("ConcatenateDimension")?
    } else {
        1.0
    };
    (1..=32).find(|&whole| whole as f64 == given)
}

/// Arrays joined along a dimension; vectors one after the other.
fn concatenated_origin(
    layout: &Layout,
    id: UnitId,
    output: usize,
    element: usize,
) -> Outcome<Option<Origin>> {
    let unit = layout.unit(id);
    let Some(along) = dimension(unit).filter(|_| unit.word("Mode").starts_with("Multi")) else {
        return joined(layout, id, output, element);
    };
    // Each input contributes one slab after the other; entries of a slab go by the dimensions up to the one of the joint.
    let slab = |source| match layout.shape(source) {
        Some(Shape::Signal { dimensions, .. }) => dimensions.iter().take(along).product(),
        Some(shape @ Shape::Bus(_)) => shape.width(),
        None => 1,
    };
    let slabs: Vec<usize> = unit.inputs.iter().map(|source| slab(*source)).collect();
    let total = slabs.iter().sum::<usize>().max(1);
    let (mut place, number) = (element % total, element / total);
    for (&source, slab) in unit.inputs.iter().zip(slabs) {
        if place < slab {
            return Ok(Some((source, number * slab + place)));
        }
        place -= slab;
    }
    Ok(Some((None, 0)))
}

/// The elements that a selector takes; none if a port provides the indices.
pub(crate) fn fixed_indices(unit: &Unit, input: Option<&Shape>) -> Outcome<Option<Vec<usize>>> {
    let dimensions = match input {
        Some(Shape::Signal { dimensions, .. }) => dimensions.clone(),
        Some(Shape::Bus(_)) | None => vec![input.map_or(1, Shape::width)],
    };
    let options: Vec<&str> = unit.list("IndexOptions").collect();
    if options.iter().any(|it| it.contains("(port)")) {
        return Ok(None);
    }
    let first = if unit.word("IndexMode") == "Zero-based" { 0.0 } else { 1.0 };
    let one = unit.word("NumberOfDimensions") != "2" && options.len() < 2;
    let sizes = if one {
        vec![dimensions.iter().product()]
    } else {
        let mut sizes = dimensions;
        sizes.resize(options.len().max(2), 1);
        sizes
    };
    let along = |name: &str, place: usize| unit.along(name, place).map_or(&[][..], |it| &it.entries);
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (place, size) in sizes.iter().enumerate() {
        let option = options.get(place).copied().unwrap_or("Select all");
        let numbers = along("Indices", place);
        let chosen: Vec<f64> = match option {
            "Select all" => (0..*size).map(|it| it as f64).collect(),
            "Starting index (dialog)" => {
                let many = along("OutputSizes", place).first().copied().unwrap_or(1.0);
                let start = numbers.first().copied().unwrap_or(first) - first;
                (0..(many as usize).min(size + 1)).map(|it| start + it as f64).collect()
            }
            _ => numbers.iter().map(|it| it - first).collect(),
        };
        if chosen.iter().any(|it| it.fract() != 0.0 || *it < 0.0 || *it >= *size as f64) {
            return Err(Fault::new(format!("it selects an element outside its input of size {size}")));
        }
        all.push(chosen.into_iter().map(|it| it as usize).collect());
    }
    let count = all.iter().map(Vec::len).fold(1, usize::saturating_mul);
    if unit.outputs.first().is_none_or(|it| it.width() < count) {
        return Err(Fault::new("it selects more elements than its output has"));
    }
    let mut places = vec![0];
    let mut stride = 1;
    for (chosen, size) in all.iter().zip(&sizes) {
        places = chosen.iter().flat_map(|it| places.iter().map(move |p| p + it * stride)).collect();
        stride *= size;
    }
    Ok(Some(places))
}

/// The product of matrices and of inverses of matrices, from left to right.
pub(super) fn product(work: &mut Work, signs: &[char], inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let mut product: Option<Signal> = None;
    for (sign, input) in signs.iter().zip(inputs) {
        let mut factor = input.clone();
        for scalar in &mut factor.scalars {
            *scalar = work.real_of(*scalar);
        }
        if *sign == '/' {
            factor = inverse(work, &factor)?;
        }
        product = Some(match product {
            None => factor,
            Some(left) => multiply(work, &left, &factor)?,
        });
    }
    product.map(|it| it.scalars).ok_or_else(|| Fault::new("it has no input"))
}

fn multiply(work: &mut Work, a: &Signal, b: &Signal) -> Outcome<Signal> {
    if a.scalars.len() == 1 || b.scalars.len() == 1 {
        let like = if a.scalars.len() == 1 { b } else { a };
        let scalars: Outcome<Vec<Expr>> = (0..like.scalars.len())
            .map(|it| {
                let (x, y) = (a.at(it)?, b.at(it)?);
                Ok(work.pool().mul(x, y))
            })
            .collect();
        return Ok(Signal { dimensions: like.dimensions.clone(), scalars: scalars? });
    }
    let ((mut rows, mut inner), (below, columns)) = (a.size(), b.size());
    if inner != below && a.dimensions.len() < 2 {
        // A vector on the left is a row, if it only fits as one.
        (rows, inner) = (inner, rows);
    }
    if inner != below || rows * inner != a.scalars.len() || below * columns != b.scalars.len() {
        return Err(Fault::new(format!(
            "a {rows}x{inner} matrix cannot be multiplied by a {below}x{columns} matrix"
        )));
    }
    work.reserve(rows * inner, columns)?;
    let mut scalars = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            let terms = (0..inner).map(|k| (a.scalars[k * rows + row], b.scalars[column * inner + k]));
            scalars.push(sum_of_products(work, terms));
        }
    }
    let dimensions = if b.dimensions.len() < 2 && columns == 1 { vec![rows] } else { vec![rows, columns] };
    Ok(Signal { dimensions, scalars })
}

fn sum_of_products(work: &mut Work, terms: impl Iterator<Item = (Expr, Expr)>) -> Expr {
    let mut sum = work.ratio(0, 1);
    for (x, y) in terms {
        let term = work.pool().mul(x, y);
        sum = work.pool().add(sum, term);
    }
    sum
}

fn inverse(work: &mut Work, matrix: &Signal) -> Outcome<Signal> {
    let (rows, columns) = matrix.size();
    if rows != columns || rows * columns != matrix.scalars.len() {
        return Err(Fault::new(format!("a {rows}x{columns} matrix has no inverse")));
    }
    let entries = &matrix.scalars;
    let scalars = match rows {
        1..=3 => cofactors(work, entries, rows),
        _ if rows <= MAX_ROWS => eliminated(work, entries, rows),
        _ => return Err(Fault::new(format!("matrices of more than {MAX_ROWS} rows are not inverted"))),
    };
    Ok(Signal { dimensions: matrix.dimensions.clone(), scalars })
}

fn cofactors(work: &mut Work, a: &[Expr], rows: usize) -> Vec<Expr> {
    let at = |row: usize, column: usize| a[(column % rows) * rows + row % rows];
    let adjugate: Vec<Expr> = match rows {
        1 => vec![work.ratio(1, 1)],
        2 => {
            let (b, c) = (work.pool().neg(a[1]), work.pool().neg(a[2]));
            vec![a[3], b, c, a[0]]
        }
        _ => {
            let mut all = Vec::new();
            for column in 0..3 {
                for row in 0..3 {
                    // The cofactor of the transposed position; the cyclic indices produce the sign.
                    let pool = work.pool();
                    let x = pool.mul(at(column + 1, row + 1), at(column + 2, row + 2));
                    let y = pool.mul(at(column + 1, row + 2), at(column + 2, row + 1));
                    all.push(pool.sub(x, y));
                }
            }
            all
        }
    };
    let determinant = sum_of_products(work, (0..rows).map(|k| (at(0, k), adjugate[k])));
    adjugate.into_iter().map(|it| work.pool().div(it, determinant)).collect()
}

/// Gauss-Jordan elimination beside the identity. Rows are lists here.
fn eliminated(work: &mut Work, a: &[Expr], rows: usize) -> Vec<Expr> {
    let mut table: Vec<Vec<Expr>> = Vec::new();
    for row in 0..rows {
        let mut line: Vec<Expr> = (0..rows).map(|column| a[column * rows + row]).collect();
        line.extend((0..rows).map(|column| work.ratio(i64::from(row == column), 1)));
        table.push(line);
    }
    for pivot in 0..rows {
        for other in pivot + 1..rows {
            let (x, y) = (table[pivot][pivot], table[other][pivot]);
            let (x, y) = (work.pool().abs(x), work.pool().abs(y));
            let greater = work.pool().gt(y, x);
            let (above, below) = table.split_at_mut(other);
            for (x, y) in above[pivot].iter_mut().zip(&mut below[0]) {
                (*x, *y) = (work.pool().ite(greater, *y, *x), work.pool().ite(greater, *x, *y));
            }
        }
        let head = table[pivot][pivot];
        let line: Vec<Expr> = table[pivot].iter().map(|it| work.pool().div(*it, head)).collect();
        table[pivot].clone_from(&line);
        for other in (0..rows).filter(|it| *it != pivot) {
            let factor = table[other][pivot];
            for (entry, part) in table[other].iter_mut().zip(&line) {
                let part = work.pool().mul(factor, *part);
                *entry = work.pool().sub(*entry, part);
            }
        }
    }
    (0..rows)
        .flat_map(|column| (0..rows).map(move |row| (row, rows + column)))
        .map(|(r, c)| table[r][c])
        .collect()
}

fn dot(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let [a, b] = block.signals else { return Err(Fault::new("it does not have two inputs")) };
    let mut sum: Option<Expr> = None;
    for element in 0..a.scalars.len().max(b.scalars.len()) {
        let (x, y) = (a.at(element)?, b.at(element)?);
        let [x, y] = work.common([x, y]);
        let term = work.pool().mul(x, y);
        sum = Some(match sum {
            None => term,
            Some(sum) => {
                let [sum, term] = work.common([sum, term]);
                work.pool().add(sum, term)
            }
        });
    }
    Ok(sum.into_iter().collect())
}

/// A selector of one dimension whose index or starting index comes from a port.
fn select(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let starting = match only_option(block)? {
        "Starting index (port)" => true,
        "Index vector (port)" => false,
        other => return Err(Fault::new(format!("the selection `{other}` is not supported"))),
    };
    let [input, index] = block.signals else { return Err(Fault::new("it does not have two inputs")) };
    let width = block.output()?.1;
    work.reserve(width, input.scalars.len())?;
    let element = |element: usize| {
        let (place, more) = if starting { (0, element) } else { (element, 0) };
        let place = place_at(work, block, index.at(place)?, more);
        pick(work, place, &input.scalars)
    };
    (0..width).map(element).collect()
}

/// A vector in which some elements, or all from an index on, are replaced with those of the second input.
fn assign(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let option = only_option(block)?;
    let (old, new, index) = match (option.ends_with("(port)"), block.signals) {
        (false, [old, new]) => (old, new, None),
        (true, [old, new, index]) => (old, new, Some(index)),
        _ => return Err(Fault::new("its inputs do not match its index options")),
    };
    let starting = option.starts_with("Starting index (");
    if !starting && !matches!(option, "" | "Index vector (dialog)" | "Index vector (port)" | "Assign all") {
        return Err(Fault::new(format!("the assignment `{option}` is not supported")));
    }
    let mut all = old.scalars.clone();
    let given = match index {
        Some(index) => index.scalars.len(),
        None if option == "Assign all" => all.len(),
        None => block.numbers("Indices")?.entries.len(),
    };
    let count = if starting { new.scalars.len() } else { given };
    if given == 0 || starting && given != 1 || ![1, count].contains(&new.scalars.len()) {
        return Err(Fault::new("the number of new elements does not match the number of indices"));
    }
    if index.is_some() {
        work.reserve(count, all.len())?;
    }
    let first = usize::from(block.word("IndexMode") != "Zero-based");
    for number in 0..count {
        let value = new.at(number)?;
        let (place, more) = if starting { (0, number) } else { (number, 0) };
        if let Some(index) = index {
            let place = place_at(work, block, index.at(place)?, more);
            for (number, slot) in all.iter_mut().enumerate() {
                let here = work.ratio(number as i64, 1);
                let chosen = work.pool().eq(place, here);
                *slot = work.choose(chosen, value, *slot);
            }
            continue;
        }
        let place = match block.entries("Indices").get(place) {
            _ if option == "Assign all" => Some(number),
            Some(place) if place.fract() == 0.0 && *place >= 0.0 => {
                (*place as usize + more).checked_sub(first)
            }
            _ => None,
        };
        let slot = place.and_then(|it| all.get_mut(it));
        *slot.ok_or_else(|| Fault::new("its index is outside its input"))? = value;
    }
    Ok(all)
}

/// The index option of the only dimension.
fn only_option(unit: &Unit) -> Outcome<&str> {
    let option = unit.word("IndexOptions");
    if !matches!(unit.word("NumberOfDimensions"), "" | "1") || option.contains(',') {
        return Err(Fault::new("indices in several dimensions are not supported"));
    }
    Ok(option)
}

/// The position of an index from a port, counted from 0, plus an offset.
fn place_at(work: &mut Work, unit: &Unit, index: Expr, more: usize) -> Expr {
    let first = i64::from(unit.word("IndexMode") != "Zero-based");
    let index = work.real_of(index);
    let place = work.round("Zero", index);
    let shift = work.ratio(more as i64 - first, 1);
    work.pool().add(place, shift)
}

/// The element at a position, from 0; a position outside is moved to the nearest end.
pub(super) fn pick(work: &mut Work, place: Expr, all: &[Expr]) -> Outcome<Expr> {
    let (&last, before) = all.split_last().ok_or_else(|| Fault::new("there is nothing to select from"))?;
    let mut value = last;
    for (number, &scalar) in before.iter().enumerate().rev() {
        let here = work.ratio(number as i64, 1);
        let chosen = work.pool().le(place, here);
        value = work.choose(chosen, scalar, value);
    }
    Ok(value)
}
