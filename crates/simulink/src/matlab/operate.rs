//! Operators on matrices, element by element, with the classes of MATLAB: an integer class wins over doubles, and
//! comparisons give truth values. Sizes that differ are expanded where one of them is 1.

use super::linear;
use super::parse::{Binary, Unary};
use crate::value::{Class, Matrix};

/// Numbers that one expression may compute; larger ones are refused.
pub(super) const LARGEST: usize = 1 << 20;

/// An operator with two operands.
pub(super) fn binary(operator: Binary, left: &Matrix, right: &Matrix) -> Result<Matrix, String> {
    let scalar = left.entries.len() == 1 || right.entries.len() == 1;
    match operator {
        Binary::Times if !scalar => return linear::product(left, right),
        Binary::Over if right.entries.len() != 1 => {
            // a / b is (b' \ a')'.
            return transpose(&linear::solve(&transpose(right)?, &transpose(left)?)?);
        }
        Binary::Under if left.entries.len() != 1 => return linear::solve(left, right),
        Binary::Power if left.entries.len() != 1 || right.entries.len() != 1 => {
            return linear::power(left, right);
        }
        _ => {}
    }
    let class = class(operator, left.class, right.class)?;
    let compute = |a: f64, b: f64| class.cast(number(operator, a, b));
    each(left, right, class, compute)
}

/// An operator with one operand.
pub(super) fn unary(operator: Unary, operand: &Matrix) -> Result<Matrix, String> {
    let class = if operand.class == Class::Boolean { Class::Double } else { operand.class };
    match operator {
        Unary::Minus => Ok(map(operand, class, |number| -number)),
        Unary::Plus => Ok(Matrix { class, ..operand.clone() }),
        Unary::Not => Ok(map(operand, Class::Boolean, |number| f64::from(number == 0.0))),
        Unary::Transpose => transpose(operand),
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
) -> Result<Matrix, String> {
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
        return Err(format!("the sizes {a} and {b} do not fit"));
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
pub(super) fn transpose(matrix: &Matrix) -> Result<Matrix, String> {
    if matrix.dimensions.len() != 2 {
        return Err(format!("a matrix of size {} cannot be transposed", size(matrix)));
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
pub(super) fn common(left: Class, right: Class) -> Result<Class, String> {
    let number = |class| if class == Class::Boolean { Class::Double } else { class };
    match (number(left), number(right)) {
        (Class::Integer(a, s), Class::Integer(b, t)) if (a, s) != (b, t) => {
            Err(format!("{} and {} cannot be computed together", left.name(), right.name()))
        }
        (integer @ Class::Integer(..), _) | (_, integer @ Class::Integer(..)) => Ok(integer),
        (Class::Single, _) | (_, Class::Single) => Ok(Class::Single),
        (Class::Double | Class::Boolean, Class::Double | Class::Boolean) => Ok(Class::Double),
    }
}

fn class(operator: Binary, left: Class, right: Class) -> Result<Class, String> {
    match operator {
        Binary::Or
        | Binary::And
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual
        | Binary::Equal
        | Binary::NotEqual => Ok(Class::Boolean),
        Binary::Add
        | Binary::Subtract
        | Binary::Times
        | Binary::Over
        | Binary::Under
        | Binary::EachTimes
        | Binary::EachOver
        | Binary::EachUnder
        | Binary::Power
        | Binary::EachPower => common(left, right),
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
