//! Products and inverses of matrices, scalar products, and selections whose indices come from a port.
//!
//! Inverses of up to three rows are cofactors over the determinant; larger ones are eliminated with the greatest pivot of each
//! column. The inverse of a singular matrix is divided by zero: without a value in exact arithmetic, not finite in doubles.

use super::arithmetic::output;
use super::parameters::{Fault, Outcome, entries, matrix, word};
use super::work::{Signal, Work};
use crate::plan::Unit;
use system::Expr;

/// Matrices larger than this are not inverted.
const MAX_ROWS: usize = 12;

/// The product of matrices and of inverses of matrices, from left to right.
pub(crate) fn product(work: &mut Work, signs: &[char], inputs: &[Signal]) -> Outcome<Vec<Expr>> {
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
        // A vector on the left is a row, if it fits only so.
        (rows, inner) = (inner, rows);
    }
    if inner != below || rows * inner != a.scalars.len() || below * columns != b.scalars.len() {
        return Err(Fault::new(format!(
            "a {rows}x{inner} matrix is not multiplied by a {below}x{columns} one"
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
                    // The cofactor of the transposed place; going around makes the sign.
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

pub(crate) fn dot(work: &mut Work, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let [a, b] = inputs else { return Err(Fault::new("it does not have two inputs")) };
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
pub(crate) fn select(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let starting = match only_option(unit)? {
        "Starting index (port)" => true,
        "Index vector (port)" => false,
        other => return Err(Fault::new(format!("the selection `{other}` is not supported"))),
    };
    let [input, index] = inputs else { return Err(Fault::new("it does not have two inputs")) };
    let width = output(unit)?.1;
    work.reserve(width, input.scalars.len())?;
    let element = |element: usize| {
        let (place, more) = if starting { (0, element) } else { (element, 0) };
        let place = place_at(work, unit, index.at(place)?, more);
        pick(work, place, &input.scalars)
    };
    (0..width).map(element).collect()
}

/// A vector some of whose elements, or all from a place on, are replaced by those of the second input.
pub(crate) fn assign(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let option = only_option(unit)?;
    let (old, new, index) = match (option.ends_with("(port)"), inputs) {
        (false, [old, new]) => (old, new, None),
        (true, [old, new, index]) => (old, new, Some(index)),
        _ => return Err(Fault::new("it does not have the inputs that its index options say")),
    };
    let starting = option.starts_with("Starting index (");
    if !starting && !matches!(option, "" | "Index vector (dialog)" | "Index vector (port)" | "Assign all") {
        return Err(Fault::new(format!("the assignment `{option}` is not supported")));
    }
    let mut all = old.scalars.clone();
    let given = match index {
        Some(index) => index.scalars.len(),
        None if option == "Assign all" => all.len(),
        None => matrix(unit, "Indices")?.entries.len(),
    };
    let count = if starting { new.scalars.len() } else { given };
    if given == 0 || starting && given != 1 || ![1, count].contains(&new.scalars.len()) {
        return Err(Fault::new("it does not have as many new elements as places"));
    }
    if index.is_some() {
        work.reserve(count, all.len())?;
    }
    let first = usize::from(word(unit, "IndexMode") != "Zero-based");
    for number in 0..count {
        let value = new.at(number)?;
        let (place, more) = if starting { (0, number) } else { (number, 0) };
        if let Some(index) = index {
            let place = place_at(work, unit, index.at(place)?, more);
            for (number, slot) in all.iter_mut().enumerate() {
                let here = work.ratio(number as i64, 1);
                let chosen = work.pool().eq(place, here);
                *slot = work.choose(chosen, value, *slot);
            }
            continue;
        }
        let place = match entries(unit, "Indices").get(place) {
            _ if option == "Assign all" => Some(number),
            Some(place) if place.fract() == 0.0 && *place >= 0.0 => {
                (*place as usize + more).checked_sub(first)
            }
            _ => None,
        };
        let slot = place.and_then(|it| all.get_mut(it));
        *slot.ok_or_else(|| Fault::new("its index is not in its input"))? = value;
    }
    Ok(all)
}

/// The index option of the only dimension.
fn only_option(unit: &Unit) -> Outcome<&str> {
    let option = word(unit, "IndexOptions");
    if !matches!(word(unit, "NumberOfDimensions"), "" | "1") || option.contains(',') {
        return Err(Fault::new("indices in several dimensions are not supported"));
    }
    Ok(option)
}

/// The place that an index of a port stands for, from 0 on, and so many places more.
fn place_at(work: &mut Work, unit: &Unit, index: Expr, more: usize) -> Expr {
    let first = i64::from(word(unit, "IndexMode") != "Zero-based");
    let place = whole(work, index);
    let shift = work.ratio(more as i64 - first, 1);
    work.pool().add(place, shift)
}

fn whole(work: &mut Work, a: Expr) -> Expr {
    let a = work.real_of(a);
    work.round("Zero", a)
}

/// The element at a place from 0 on; beyond the ends, the one at the end.
pub(crate) fn pick(work: &mut Work, place: Expr, all: &[Expr]) -> Outcome<Expr> {
    let (&last, before) = all.split_last().ok_or_else(|| Fault::new("there is nothing to select from"))?;
    let mut value = last;
    for (number, &scalar) in before.iter().enumerate().rev() {
        let here = work.ratio(number as i64, 1);
        let chosen = work.pool().le(place, here);
        value = work.choose(chosen, scalar, value);
    }
    Ok(value)
}
