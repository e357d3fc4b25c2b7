//! Matrices: operators element by element, products and linear equations, and indices.
//!
//! Classes are those of MATLAB: an integer class wins over doubles, and comparisons give Booleans. Sizes that differ are expanded
//! where one of them is 1. Elimination takes the largest pivot; only square systems are solved.

use super::Error;
use super::parse::{Binary, Unary};
use crate::value::{Class, Matrix};

/// The maximum number of entries of a value.
pub(super) const LARGEST: usize = 1 << 20;

/// An operator with two operands.
pub(super) fn binary(operator: Binary, left: &Matrix, right: &Matrix) -> Result<Matrix, Error> {
    let scalar = left.entries.len() == 1 || right.entries.len() == 1;
    match operator {
        Binary::Times if !scalar => return product(left, right),
        Binary::Over if right.entries.len() != 1 => {
            // a / b is (b' \ a')'.
            return transpose(&solve(&transpose(right)?, &transpose(left)?)?);
        }
        Binary::Under if left.entries.len() != 1 => return solve(left, right),
        Binary::Power if left.entries.len() != 1 || right.entries.len() != 1 => {
            return power(left, right);
        }
        _ => {}
    }
    let class = if operator.is_of_truth() { Class::Boolean } else { common(left.class, right.class)? };
    let compute = |a: f64, b: f64| class.cast(number(operator, a, b));
    each(left, right, class, compute)
}

/// An operator with one operand.
pub(super) fn unary(operator: Unary, operand: &Matrix) -> Result<Matrix, Error> {
    let class = if operand.class == Class::Boolean { Class::Double } else { operand.class };
    match operator {
        Unary::Minus => Ok(map(operand, class, |number| -number)),
        Unary::Plus => Ok(Matrix { class, ..operand.clone() }),
        Unary::Not => Ok(map(operand, Class::Boolean, |number| f64::from(number == 0.0))),
        Unary::Transpose | Unary::Adjoint => transpose(operand),
    }
}

/// A function of every entry.
pub(super) fn map(operand: &Matrix, class: Class, compute: impl Fn(f64) -> f64) -> Matrix {
    let entries = operand.entries.iter().map(|&number| class.cast(compute(number))).collect();
    Matrix { dimensions: operand.dimensions.clone(), class, entries }
}

/// A function of every pair of entries.
pub(super) fn each(
    left: &Matrix,
    right: &Matrix,
    class: Class,
    compute: impl Fn(f64, f64) -> f64,
) -> Result<Matrix, Error> {
    if left.dimensions == right.dimensions {
        let entries = left.entries.iter().zip(&right.entries).map(|(&a, &b)| compute(a, b)).collect();
        return Ok(Matrix { dimensions: left.dimensions.clone(), class, entries });
    }
    if let Some(number) = right.single() {
        let entries = left.entries.iter().map(|&a| compute(a, number)).collect();
        return Ok(Matrix { dimensions: left.dimensions.clone(), class, entries });
    }
    if let Some(number) = left.single() {
        let entries = right.entries.iter().map(|&b| compute(number, b)).collect();
        return Ok(Matrix { dimensions: right.dimensions.clone(), class, entries });
    }
    let (r1, c1, r2, c2) = (left.rows(), left.columns(), right.rows(), right.columns());
    let flat = left.dimensions.len() == 2 && right.dimensions.len() == 2;
    let fits = |a: usize, b: usize| a == b || a == 1 || b == 1;
    if !flat || !fits(r1, r2) || !fits(c1, c2) {
        let (a, b) = (size(left), size(right));
        return Err(format!("the sizes {a} and {b} do not match").into());
    }
    let wider = |a: usize, b: usize| if a == 1 { b } else { a };
    let (rows, columns) = (wider(r1, r2), wider(c1, c2));
    if rows.saturating_mul(columns) > LARGEST {
        return Err("the result is too large".into());
    }
    let entry = |matrix: &Matrix, row: usize, column: usize| {
        let place = |at: usize, of: usize| if of == 1 { 0 } else { at };
        matrix.entries[place(column, matrix.columns()) * matrix.rows() + place(row, matrix.rows())]
    };
    let places = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
    let entries =
        places.map(|(row, column)| compute(entry(left, row, column), entry(right, row, column))).collect();
    Ok(Matrix { dimensions: vec![rows, columns], class, entries })
}

/// Rows as columns.
pub(super) fn transpose(matrix: &Matrix) -> Result<Matrix, Error> {
    if matrix.dimensions.len() != 2 {
        return Err(format!("a matrix of size {} cannot be transposed", size(matrix)).into());
    }
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let entries = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| column * rows + row))
        .map(|at| matrix.entries[at]);
    Ok(Matrix { dimensions: vec![columns, rows], class: matrix.class, entries: entries.collect() })
}

/// The size in words: `2x3`.
pub(super) fn size(matrix: &Matrix) -> String {
    matrix.dimensions.iter().map(ToString::to_string).collect::<Vec<String>>().join("x")
}

/// The class of two numbers computed together.
pub(super) fn common(left: Class, right: Class) -> Result<Class, Error> {
    let number = |class| if class == Class::Boolean { Class::Double } else { class };
    match (number(left), number(right)) {
        (Class::Integer(a, s), Class::Integer(b, t)) if (a, s) != (b, t) => {
            Err(format!("{} and {} cannot be computed together", left.name(), right.name()).into())
        }
        (integer @ Class::Integer(..), _) | (_, integer @ Class::Integer(..)) => Ok(integer),
        (Class::Single, _) | (_, Class::Single) => Ok(Class::Single),
        (Class::Double | Class::Boolean, Class::Double | Class::Boolean) => Ok(Class::Double),
    }
}

fn number(operator: Binary, a: f64, b: f64) -> f64 {
    match operator {
        Binary::Or => f64::from(a != 0.0 || b != 0.0),
        Binary::And => f64::from(a != 0.0 && b != 0.0),
        Binary::Less => f64::from(a < b),
        Binary::LessEqual => f64::from(a <= b),
        Binary::Greater => f64::from(a > b),
        Binary::GreaterEqual => f64::from(a >= b),
        Binary::Equal => f64::from(a == b),
        Binary::NotEqual => f64::from(a != b),
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Times | Binary::EachTimes => a * b,
        Binary::Over | Binary::EachOver => a / b,
        Binary::Under | Binary::EachUnder => b / a,
        Binary::Power | Binary::EachPower => a.powf(b),
    }
}

/// The maximum number of multiplications of one product or elimination.
const WORK: usize = 1 << 24;

/// The matrix product.
pub(super) fn product(left: &Matrix, right: &Matrix) -> Result<Matrix, Error> {
    let flat = left.dimensions.len() == 2 && right.dimensions.len() == 2;
    let (rows, inner, columns) = (left.rows(), left.columns(), right.columns());
    if !flat || inner != right.rows() {
        return Err(format!("the sizes {} and {} do not match for a product", size(left), size(right)).into());
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
pub(super) fn dot(left: &Matrix, right: &Matrix) -> Result<Matrix, Error> {
    let vector = |it: &Matrix| it.dimensions.len() == 2 && (it.rows() == 1 || it.columns() == 1);
    if !vector(left) || !vector(right) || left.entries.len() != right.entries.len() {
        return Err("`dot` takes two vectors of the same length".into());
    }
    Ok(Matrix::scalar(left.entries.iter().zip(&right.entries).map(|(a, b)| a * b).sum()))
}

/// A square matrix to a whole power.
pub(super) fn power(base: &Matrix, exponent: &Matrix) -> Result<Matrix, Error> {
    let order = square(base)?;
    let Some(exponent) = exponent.single().filter(|number| number.fract() == 0.0 && number.abs() <= 1e6)
    else {
        return Err("a matrix is raised to integers only; `.^` raises every element".into());
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
pub(super) fn inverse(matrix: &Matrix) -> Result<Matrix, Error> {
    let order = square(matrix)?;
    solve(matrix, &identity(order, order))
}

/// The determinant.
pub(super) fn determinant(matrix: &Matrix) -> Result<f64, Error> {
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
pub(super) fn solve(a: &Matrix, b: &Matrix) -> Result<Matrix, Error> {
    let order = square(a)?;
    if b.dimensions.len() != 2 || b.rows() != order {
        return Err(format!("the sizes {} and {} do not match for a division", size(a), size(b)).into());
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

fn square(matrix: &Matrix) -> Result<usize, Error> {
    let is = matrix.dimensions.len() == 2 && matrix.rows() == matrix.columns();
    if is {
        Ok(matrix.rows())
    } else {
        Err(format!("a matrix of size {} is not square", size(matrix)).into())
    }
}

fn by_rows(matrix: &Matrix) -> Result<Vec<Vec<f64>>, Error> {
    let width = matrix.columns().max(1);
    Ok(transpose(matrix)?.entries.chunks(width).map(<[f64]>::to_vec).collect())
}

/// The row with the largest entry of a column, at or below the diagonal.
fn pivot(rows: &[Vec<f64>], column: usize) -> Option<usize> {
    let largest =
        (column..rows.len()).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
    (rows[largest][column] != 0.0).then_some(largest)
}

/// Subtracts multiples of the pivot's row from the rows from `from` on, so that the column becomes zero there.
fn eliminate(rows: &mut [Vec<f64>], column: usize, from: usize) {
    let pivot = rows[column].clone();
    for (_, row) in rows.iter_mut().enumerate().skip(from).filter(|(place, _)| *place != column) {
        let factor = row[column] / pivot[column];
        if factor != 0.0 {
            row.iter_mut().zip(&pivot).skip(column).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
}

/// One index: everything, or positions from 0.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Places {
    All,
    /// The positions, and the size of the index.
    Some(Vec<usize>, Vec<usize>),
}

/// The positions of an index.
pub(super) fn places(index: &Matrix) -> Result<Places, Error> {
    if index.class == Class::Boolean {
        let chosen: Vec<usize> = index
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| **entry != 0.0)
            .map(|(place, _)| place)
            .collect();
        let count = chosen.len();
        return Ok(Places::Some(chosen, if index.rows() == 1 { vec![1, count] } else { vec![count, 1] }));
    }
    let place = |&number: &f64| {
        let whole = number >= 1.0 && number.fract() == 0.0 && number <= LARGEST as f64;
        let wrong = || Error::from(format!("`{number}` is not an index; indices start at 1"));
        if whole { Ok(number as usize - 1) } else { Err(wrong()) }
    };
    Ok(Places::Some(index.entries.iter().map(place).collect::<Result<_, _>>()?, index.dimensions.clone()))
}

/// The size of a matrix as `count` indices see it: the last one takes the dimensions that are left.
pub(super) fn extents(matrix: &Matrix, count: usize) -> Vec<usize> {
    let known = |k: usize| matrix.dimensions.get(k).copied().unwrap_or(1);
    (0..count)
        .map(|k| if k + 1 == count { matrix.dimensions.iter().skip(k).product() } else { known(k) })
        .collect()
}

/// The entries at some places.
pub(super) fn get(matrix: &Matrix, indices: &[Places]) -> Result<Matrix, Error> {
    if indices.is_empty() {
        return Ok(matrix.clone());
    }
    let extents = extents(matrix, indices.len());
    let chosen: Vec<Vec<usize>> =
        indices.iter().zip(&extents).map(|(index, &extent)| expand(index, extent)).collect();
    for (k, (places, &extent)) in chosen.iter().zip(&extents).enumerate() {
        if let Some(beyond) = places.iter().find(|place| **place >= extent) {
            let (size, dimension) = (size(matrix), k + 1);
            return Err(format!(
                "index {} is outside dimension {dimension} of a matrix of size {size}",
                beyond + 1
            )
            .into());
        }
    }
    let dimensions = match indices {
        [Places::All] => vec![matrix.entries.len(), 1],
        // A vector keeps its direction; otherwise the result has the size of the index.
        [Places::Some(places, size)] => {
            let vector = size.len() == 2 && (size[0] == 1 || size[1] == 1);
            match (vector, matrix.dimensions.as_slice()) {
                (true, [1, n]) if *n != 1 => vec![1, places.len()],
                (true, [n, 1]) if *n != 1 => vec![places.len(), 1],
                _ => size.clone(),
            }
        }
        _ => chosen.iter().map(Vec::len).collect(),
    };
    let entries = offsets(&chosen, &extents)?.into_iter().map(|at| matrix.entries[at]).collect();
    Ok(Matrix { dimensions, class: matrix.class, entries })
}

/// Puts values at some places; the matrix grows where it is too small.
pub(super) fn set(matrix: &mut Matrix, indices: &[Places], value: &Matrix) -> Result<(), Error> {
    let count = indices.len();
    if count == 0 {
        return Err("an index is missing".into());
    }
    let before = extents(matrix, count);
    let needed: Vec<usize> = indices
        .iter()
        .zip(&before)
        .enumerate()
        .map(|(k, (index, &extent))| match index {
            Places::All if extent == 0 => value.dimensions.get(k).copied().unwrap_or(1),
            Places::All => extent,
            Places::Some(places, _) => places.iter().map(|place| place + 1).max().unwrap_or(0).max(extent),
        })
        .collect();
    if needed != before {
        grow(matrix, &needed)?;
    }
    let extents = extents(matrix, count);
    let chosen: Vec<Vec<usize>> =
        indices.iter().zip(&extents).map(|(index, &extent)| expand(index, extent)).collect();
    let offsets = offsets(&chosen, &extents)?;
    let single = value.single();
    if single.is_none() && offsets.len() != value.entries.len() {
        return Err(format!("{} entries cannot take a value of size {}", offsets.len(), size(value)).into());
    }
    for (k, at) in offsets.into_iter().enumerate() {
        matrix.entries[at] = matrix.class.cast(single.unwrap_or_else(|| value.entries[k]));
    }
    Ok(())
}

fn grow(matrix: &mut Matrix, needed: &[usize]) -> Result<(), Error> {
    let old = matrix.clone();
    let dimensions = match *needed {
        [n] if old.dimensions.len() == 2 && old.columns() == 1 && old.rows() > 1 => vec![n, 1],
        [n] if old.dimensions.len() == 2 && old.rows() <= 1 => vec![1, n],
        [rows, columns] if old.dimensions.len() == 2 => vec![rows, columns],
        _ => return Err(format!("a matrix of size {} cannot grow here", size(&old)).into()),
    };
    let count = dimensions[0].checked_mul(dimensions[1]).filter(|&count| count <= LARGEST);
    let count = count.ok_or("the matrix becomes too large")?;
    *matrix = Matrix { class: old.class, entries: vec![0.0; count], dimensions };
    for column in 0..old.columns() {
        for row in 0..old.rows() {
            matrix.entries[column * matrix.dimensions[0] + row] = old.entries[column * old.rows() + row];
        }
    }
    Ok(())
}

fn expand(index: &Places, extent: usize) -> Vec<usize> {
    match index {
        Places::All => (0..extent).collect(),
        Places::Some(places, _) => places.clone(),
    }
}

/// The places of all combinations, the first index running fastest.
fn offsets(chosen: &[Vec<usize>], extents: &[usize]) -> Result<Vec<usize>, Error> {
    let mut found = vec![0];
    let mut stride: usize = extents.iter().product();
    for (places, &extent) in chosen.iter().zip(extents).rev() {
        stride = stride.checked_div(extent).unwrap_or(0);
        if found.len().saturating_mul(places.len()) > LARGEST {
            return Err("the index chooses too many entries".into());
        }
        found = found.iter().flat_map(|base| places.iter().map(move |place| base + place * stride)).collect();
    }
    Ok(found)
}
