//! Products and inverses of matrices, scalar products, and selections whose indices come from a port.
//!
//! Inverses of up to three rows are cofactors over the determinant; larger ones are eliminated with the greatest pivot of each
//! column. The inverse of a singular matrix is divided by zero: without a value in exact arithmetic, not finite in doubles.

use super::arithmetic::output;
use super::parameters::{Fault, Outcome, word};
use super::work::{Signal, Work};
use crate::plan::Unit;
use model::Expr;

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
    let [input, index] = inputs else {
        return Err(Fault::new("selections by ports in several dimensions are not supported"));
    };
    let width = output(unit)?.1;
    let starting = word(unit, "IndexOptions").starts_with("Starting");
    let first = i64::from(word(unit, "IndexMode") != "Zero-based");
    let element = |element: usize| {
        let (place, more) = if starting { (0, element) } else { (element, 0) };
        let place = index.at(place)?;
        let place = whole(work, place);
        let shift = work.ratio(more as i64 - first, 1);
        let place = work.pool().add(place, shift);
        pick(work, place, &input.scalars)
    };
    (0..width).map(element).collect()
}

/// A vector with one element, or several from a place on, replaced by the second input.
pub(crate) fn assign(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let fixed = super::parameters::entries(unit, "Indices");
    let first = i64::from(word(unit, "IndexMode") != "Zero-based");
    if word(unit, "NumberOfDimensions") == "2" {
        return Err(Fault::new("assignments in several dimensions are not supported"));
    }
    let mut all = inputs.first().cloned().unwrap_or_default().scalars;
    match inputs {
        [_, new] => {
            for (number, place) in fixed.iter().enumerate() {
                let place = (*place as usize).wrapping_sub(first as usize);
                let slot = all.get_mut(place).ok_or_else(|| Fault::new("its index is not in its input"))?;
                *slot = new.at(number)?;
            }
        }
        [_, new, index] => {
            let place = index.at(0)?;
            let place = whole(work, place);
            let new = new.at(0)?;
            for (number, slot) in all.iter_mut().enumerate() {
                let here = work.ratio(number as i64 + first, 1);
                let chosen = work.pool().eq(place, here);
                *slot = work.choose(chosen, new, *slot);
            }
        }
        _ => return Err(Fault::new("it does not have two or three inputs")),
    }
    Ok(all)
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
