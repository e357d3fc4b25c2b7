//! Products, powers, inverses and linear equations. Elimination takes the largest pivot; only square systems are solved.

use super::operate::{LARGEST, common, size, transpose};
use crate::value::Matrix;

/// Multiplications that one product or elimination may need.
const WORK: usize = 1 << 24;

/// The matrix product.
pub(super) fn product(left: &Matrix, right: &Matrix) -> Result<Matrix, String> {
    let flat = left.dimensions.len() == 2 && right.dimensions.len() == 2;
    let (rows, inner, columns) = (left.rows(), left.columns(), right.columns());
    if !flat || inner != right.rows() {
        return Err(format!("the sizes {} and {} do not fit for a product", size(left), size(right)));
    }
    let count = rows.saturating_mul(columns);
    if count > LARGEST || count.saturating_mul(inner) > WORK {
        return Err("the product is too large".into());
    }
    let class = common(left.class, right.class)?;
    let entry = |row: usize, column: usize| {
        class.cast((0..inner).map(|k| left.entries[k * rows + row] * right.entries[column * inner + k]).sum())
    };
    let entries = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
    let entries = entries.map(|(row, column)| entry(row, column)).collect();
    Ok(Matrix { dimensions: vec![rows, columns], class, entries })
}

/// The sum of products of two vectors, whatever their directions.
pub(super) fn dot(left: &Matrix, right: &Matrix) -> Result<Matrix, String> {
    let vector = |it: &Matrix| it.dimensions.len() == 2 && (it.rows() == 1 || it.columns() == 1);
    if !vector(left) || !vector(right) || left.entries.len() != right.entries.len() {
        return Err("`dot` takes two vectors of one length".into());
    }
    Ok(Matrix::scalar(left.entries.iter().zip(&right.entries).map(|(a, b)| a * b).sum()))
}

/// A square matrix to a whole power.
pub(super) fn power(base: &Matrix, exponent: &Matrix) -> Result<Matrix, String> {
    let order = square(base)?;
    let Some(exponent) = exponent.single().filter(|number| number.fract() == 0.0 && number.abs() <= 1e6)
    else {
        return Err("a matrix is raised to whole numbers only; `.^` raises every element".into());
    };
    let mut left = exponent.abs() as u32;
    let mut square = if exponent < 0.0 { inverse(base)? } else { base.clone() };
    let mut result = identity(order, order);
    while left > 0 {
        if left % 2 == 1 {
            result = product(&result, &square)?;
        }
        square = product(&square, &square)?;
        left /= 2;
    }
    Ok(result)
}

/// Ones on the diagonal.
pub(super) fn identity(rows: usize, columns: usize) -> Matrix {
    let entries = (0..columns)
        .flat_map(|column| (0..rows).map(move |row| f64::from(row == column)))
        .collect::<Vec<f64>>();
    Matrix { dimensions: vec![rows, columns], entries, ..Matrix::default() }
}

/// The inverse.
pub(super) fn inverse(matrix: &Matrix) -> Result<Matrix, String> {
    let order = square(matrix)?;
    solve(matrix, &identity(order, order))
}

/// The determinant.
pub(super) fn determinant(matrix: &Matrix) -> Result<f64, String> {
    let order = square(matrix)?;
    if order.saturating_pow(3) > WORK {
        return Err("the matrix is too large for a determinant".into());
    }
    let mut rows = by_rows(matrix)?;
    let mut determinant = 1.0;
    for column in 0..order {
        let Some(pivot) = pivot(&rows, column) else { return Ok(0.0) };
        if pivot != column {
            rows.swap(pivot, column);
            determinant = -determinant;
        }
        determinant *= rows[column][column];
        eliminate(&mut rows, column, column + 1);
    }
    Ok(determinant)
}

/// `x` with `a * x = b`.
pub(super) fn solve(a: &Matrix, b: &Matrix) -> Result<Matrix, String> {
    let order = square(a)?;
    if b.dimensions.len() != 2 || b.rows() != order {
        return Err(format!("the sizes {} and {} do not fit for a division", size(a), size(b)));
    }
    let class = common(a.class, b.class)?;
    let mut rows = by_rows(a)?;
    if rows.len().saturating_mul(rows.len()).saturating_mul(rows.len() + b.columns()) > WORK {
        return Err("the system of equations is too large".into());
    }
    for (row, right) in rows.iter_mut().zip(by_rows(b)?) {
        row.extend(right);
    }
    for column in 0..order {
        let Some(pivot) = pivot(&rows, column) else { return Err("the matrix is singular".into()) };
        rows.swap(pivot, column);
        eliminate(&mut rows, column, 0);
    }
    let scaled = |row: usize, column: usize| class.cast(rows[row][order + column] / rows[row][row]);
    let places = (0..b.columns()).flat_map(|column| (0..order).map(move |row| (row, column)));
    let entries = places.map(|(row, column)| scaled(row, column)).collect();
    Ok(Matrix { dimensions: vec![order, b.columns()], class, entries })
}

fn square(matrix: &Matrix) -> Result<usize, String> {
    let is = matrix.dimensions.len() == 2 && matrix.rows() == matrix.columns();
    if is { Ok(matrix.rows()) } else { Err(format!("a matrix of size {} is not square", size(matrix))) }
}

fn by_rows(matrix: &Matrix) -> Result<Vec<Vec<f64>>, String> {
    let width = matrix.columns().max(1);
    Ok(transpose(matrix)?.entries.chunks(width).map(<[f64]>::to_vec).collect())
}

/// The row with the largest entry of a column, at or below the diagonal.
fn pivot(rows: &[Vec<f64>], column: usize) -> Option<usize> {
    let largest =
        (column..rows.len()).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
    (rows[largest][column] != 0.0).then_some(largest)
}

/// Takes multiples of the pivot's row from the others, from a row on, so that the column becomes zero there.
fn eliminate(rows: &mut [Vec<f64>], column: usize, from: usize) {
    let pivot = rows[column].clone();
    for (_, row) in rows.iter_mut().enumerate().skip(from).filter(|(place, _)| *place != column) {
        let factor = row[column] / pivot[column];
        if factor != 0.0 {
            row.iter_mut().zip(&pivot).skip(column).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
}
