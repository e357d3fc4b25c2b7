//! Products and inverses of matrices, scalar products, and blocks that arrange elements.
//!
//! Inverses of up to three rows are cofactors over the determinant; larger ones are eliminated with the greatest pivot of each
//! column. The inverse of a singular matrix divides by zero: it has no value in exact arithmetic and is not finite in doubles.

use super::routing::joined;
use super::{Definition, ELEMENTWISE, Instance, Lowering, Origin};
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

/// Without the dimensions of size one, if there are more than two.
pub(super) const SQUEEZE: Definition = Definition {
    shapes: |case| {
        let squeezed = case.first().size().map(|sizes| {
            if sizes.len() <= 2 {
                return sizes;
            }
            let mut left: Vec<usize> = sizes.into_iter().filter(|it| *it != 1).collect();
            left.resize(left.len().max(2), 1);
            left
        });
        case.one(case.first().class(), squeezed)
    },
    needed: ELEMENTWISE.needed,
    ..RESHAPE
};

/// The dimensions in another order.
pub(super) const PERMUTE: Definition = Definition {
    numbers: &["Order"],
    shapes: |case| {
        case.one(case.first().class(), case.first().size().and_then(|it| permuted(case.unit, &it)))
    },
    complaint: |unit, inputs| {
        let size = inputs.first().and_then(Known::size)?;
        let message = "its order does not name each dimension once";
        permuted(unit, &size).is_none().then(|| Fault::new(message))
    },
    route: Some(|layout, id, _, element| {
        let unit = layout.unit(id);
        let Some(Shape::Signal { dimensions, .. }) = layout.shape(unit.source(0)) else {
            return Err(Fault::new("its input is not an array"));
        };
        let order = order(unit, dimensions).ok_or_else(|| Fault::new("its order is not known"))?;
        let size = |place: usize| dimensions.get(place).copied().unwrap_or(1);
        let (mut rest, mut place) = (element, 0);
        for from in order {
            let stride: usize = (0..from).map(size).product();
            place += rest % size(from) * stride;
            rest /= size(from);
        }
        Ok(Some((unit.source(0), place)))
    }),
    lowering: Lowering::Wires,
    ..ELEMENTWISE
};

/// The dimension of the input that each dimension of the output is, from 0.
fn order(unit: &Unit, dimensions: &[usize]) -> Option<Vec<usize>> {
    let order = unit.entries("Order").iter().map(|it| (1..=32).find(|whole| *whole as f64 == *it));
    let order: Vec<usize> = order.map(|it| it.map(|it| it - 1)).collect::<Option<_>>()?;
    let mut all = order.clone();
    all.sort();
    (all.iter().copied().eq(0..order.len()) && order.len() >= dimensions.len()).then_some(order)
}

fn permuted(unit: &Unit, dimensions: &[usize]) -> Option<Vec<usize>> {
    let order = order(unit, dimensions)?;
    Some(order.into_iter().map(|it| dimensions.get(it).copied().unwrap_or(1)).collect())
}

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

pub(super) fn inverse(work: &mut Work, matrix: &Signal) -> Outcome<Signal> {
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
