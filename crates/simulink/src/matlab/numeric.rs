//! More functions of MATLAB for constants: angles in degrees, parts and arrangements of matrices, statistics, norms, and what follows from
//! singular values.

use super::Error;
use super::call::{join, reduce, with};
use super::matrix::{self, LARGEST, each, map};
use crate::value::{Class, Matrix, Value};

type Answer = Result<Value, Error>;

/// The maximum number of entries of a matrix whose singular values are computed, and of the rounds for them.
const MAX_SINGULAR: usize = 1_600;
const ROUNDS: usize = 60;

/// Calls a function; none if there is no function of that name.
pub(super) fn function(name: &str, arguments: &[Value]) -> Option<Answer> {
    if let Some(function) = of_numbers(name) {
        return Some(with(arguments, 1, |m| {
            let class = if m[0].class == Class::Boolean { Class::Double } else { m[0].class };
            Ok(map(&m[0], class, function))
        }));
    }
    Some(match name {
        "atan2d" => with(arguments, 2, |m| each(&m[0], &m[1], Class::Double, |y, x| y.atan2(x).to_degrees())),
        "nthroot" => with(arguments, 2, |m| {
            let is_real = |x: f64, n: f64| n.fract() == 0.0 && n != 0.0 && (x >= 0.0 || n % 2.0 != 0.0);
            let pairs = each(&m[0], &m[1], Class::Double, |x, n| f64::from(is_real(x, n)))?;
            if pairs.entries.contains(&0.0) {
                return Err("`nthroot` takes integers, and odd ones for negative numbers".into());
            }
            each(&m[0], &m[1], Class::Double, root)
        }),
        "blkdiag" => diagonal_of(arguments),
        "cat" => match arguments {
            [direction, rest @ ..] => match direction.matrix().and_then(Matrix::single) {
                Some(number @ (1.0 | 2.0)) => with(rest, rest.len(), |m| join(m, number as usize - 1)),
                _ => Err("`cat` is supported for dimension 1 or 2".into()),
            },
            [] => Err("`cat` takes a dimension and matrices".into()),
        },
        "triu" => triangle(arguments, |distance, k| distance >= k),
        "tril" => triangle(arguments, |distance, k| distance <= k),
        "rot90" => with(arguments, 1, |m| turned(&m[0])),
        "circshift" => with(arguments, 2, |m| shifted(&m[0], &m[1])),
        "permute" => with(arguments, 2, |m| match (&m[1].entries[..], m[0].dimensions.len()) {
            ([1.0, 2.0], 2) => Ok(m[0].clone()),
            ([2.0, 1.0], 2) => matrix::transpose(&m[0]),
            _ => Err("`permute` is supported for two dimensions".into()),
        }),
        "squeeze" => with(arguments, 1, |m| Ok(squeezed(&m[0]))),
        "toeplitz" => toeplitz(arguments),
        "trapz" => trapezoids(arguments),
        "deconv" => with(arguments, 2, |m| quotient(&m[0], &m[1])),
        "std" => reduce(arguments, |column| variance(column).sqrt()),
        "var" => reduce(arguments, variance),
        "median" => reduce(arguments, median),
        "nnz" => with(arguments, 1, |m| {
            Ok(Matrix::scalar(m[0].entries.iter().filter(|it| **it != 0.0).count() as f64))
        }),
        "unique" => with(arguments, 1, |m| Ok(distinct(&m[0]))),
        "isequal" => {
            let is_same = |pair: &[Value]| match pair {
                [Value::Matrix(a), Value::Matrix(b)] => {
                    a.dimensions == b.dimensions && a.entries == b.entries
                }
                [a, b] => a == b,
                _ => true,
            };
            let truth = f64::from(arguments.windows(2).all(is_same));
            Ok(Value::Matrix(Matrix { class: Class::Boolean, ..Matrix::scalar(truth) }))
        }
        "svd" => with(arguments, 1, |m| {
            let values = decomposed(&m[0])?.1;
            Ok(Matrix { dimensions: vec![values.len(), 1], entries: values, ..Matrix::default() })
        }),
        "rank" => with(arguments, 1, |m| {
            let values = decomposed(&m[0])?.1;
            let least = tolerance(&m[0], &values);
            Ok(Matrix::scalar(values.iter().filter(|it| **it > least).count() as f64))
        }),
        "pinv" => with(arguments, 1, |m| pseudo_inverse(&m[0])),
        _ => return None,
    })
}

/// Functions of one number.
fn of_numbers(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "sec" => |x| 1.0 / x.cos(),
        "csc" => |x| 1.0 / x.sin(),
        "cot" => |x| 1.0 / x.tan(),
        "asec" => |x| (1.0 / x).acos(),
        "acsc" => |x| (1.0 / x).asin(),
        "acot" => |x| (1.0 / x).atan(),
        "sech" => |x| 1.0 / x.cosh(),
        "csch" => |x| 1.0 / x.sinh(),
        "coth" => |x| 1.0 / x.tanh(),
        "sind" => |x| in_degrees(x, 0),
        "cosd" => |x| in_degrees(x, 1),
        "tand" => |x| in_degrees(x, 0) / in_degrees(x, 1),
        "asind" => |x| x.asin().to_degrees(),
        "acosd" => |x| x.acos().to_degrees(),
        "atand" => |x| x.atan().to_degrees(),
        "expm1" => f64::exp_m1,
        "log1p" => f64::ln_1p,
        "factorial" => |x| match x {
            _ if x < 0.0 || x.fract() != 0.0 => f64::NAN,
            _ if x > 170.0 => f64::INFINITY,
            _ => (1..=x as u32).map(f64::from).product(),
        },
        _ => return None,
    })
}

/// The sine of an angle in degrees plus some quarters of a turn. Multiples of 90 degrees are exact.
fn in_degrees(angle: f64, quarters: i64) -> f64 {
    if !angle.is_finite() {
        return f64::NAN;
    }
    let angle = angle % 360.0;
    let nearest = (angle / 90.0).round();
    let rest = (angle - 90.0 * nearest).to_radians();
    let sine = match (nearest as i64 + quarters).rem_euclid(4) {
        0 => rest.sin(),
        1 => rest.cos(),
        2 => -rest.sin(),
        _ => -rest.cos(),
    };
    // Zero has no sign.
    sine + 0.0
}

/// The real root of a number, with one step of Newton's method after the power.
fn root(x: f64, n: f64) -> f64 {
    let found = x.abs().powf(1.0 / n);
    let better = found - (found.powf(n) - x.abs()) / (n * found.powf(n - 1.0));
    let found = if better.is_finite() && x != 0.0 { better } else { found };
    if x < 0.0 { -found } else { found }
}

/// A matrix of some size, by its entries.
fn made(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
    let places = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
    let entries = places.map(|(row, column)| entry(row, column)).collect();
    Matrix { dimensions: vec![rows, columns], entries, ..Matrix::default() }
}

fn at(matrix: &Matrix, row: usize, column: usize) -> f64 {
    matrix.entries[column * matrix.rows() + row]
}

/// A matrix of two dimensions.
fn plane(matrix: &Matrix) -> Result<(usize, usize), Error> {
    if let [rows, columns] = matrix.dimensions[..] {
        return Ok((rows, columns));
    }
    Err("expected a matrix of two dimensions".into())
}

/// Matrices along the diagonal.
fn diagonal_of(arguments: &[Value]) -> Answer {
    with(arguments, arguments.len(), |parts| {
        let sizes = parts.iter().map(plane).collect::<Result<Vec<_>, _>>()?;
        let rows: usize = sizes.iter().map(|it| it.0).sum();
        let columns: usize = sizes.iter().map(|it| it.1).sum();
        if rows.saturating_mul(columns) > LARGEST {
            return Err("the matrix is too large".into());
        }
        let mut whole = made(rows, columns, |_, _| 0.0);
        let (mut top, mut left) = (0, 0);
        for (part, (height, width)) in parts.iter().zip(sizes) {
            for column in 0..width {
                for row in 0..height {
                    whole.entries[(left + column) * rows + top + row] = at(part, row, column);
                }
            }
            (top, left) = (top + height, left + width);
        }
        Ok(whole)
    })
}

/// The entries whose distance to the main diagonal is on one side of a number; zero elsewhere.
fn triangle(arguments: &[Value], keeps: fn(i64, i64) -> bool) -> Answer {
    with(arguments, arguments.len(), |m| {
        let (of, k) = match m {
            [of] => (of, 0.0),
            [of, k] => {
                (of, k.single().filter(|it| it.fract() == 0.0).ok_or("expected the number of a diagonal")?)
            }
            _ => return Err("the function takes a matrix and the number of a diagonal".into()),
        };
        let (rows, columns) = plane(of)?;
        let kept = |row: usize, column: usize| keeps(column as i64 - row as i64, k as i64);
        let found =
            made(rows, columns, |row, column| if kept(row, column) { at(of, row, column) } else { 0.0 });
        Ok(Matrix { class: of.class, ..found })
    })
}

/// A matrix that is turned against the clock.
fn turned(of: &Matrix) -> Result<Matrix, Error> {
    let (rows, columns) = plane(of)?;
    let found = made(columns, rows, |row, column| at(of, column, columns - 1 - row));
    Ok(Matrix { class: of.class, ..found })
}

/// Entries that move on along the first dimension that is longer than 1, those at the end to the beginning.
fn shifted(of: &Matrix, by: &Matrix) -> Result<Matrix, Error> {
    plane(of)?;
    let by = by.single().filter(|it| it.fract() == 0.0 && it.abs() < 1e9).ok_or("expected one integer")?;
    let length = if of.rows() == 1 { of.columns() } else { of.rows() };
    let from = |place: usize| (place as i64 - by as i64).rem_euclid(length.max(1) as i64) as usize;
    let columns = of.entries.chunks(length.max(1));
    let entries = columns.flat_map(|column| (0..column.len()).map(|it| column[from(it)])).collect();
    Ok(Matrix { entries, ..of.clone() })
}

/// A matrix without further dimensions of size 1.
fn squeezed(of: &Matrix) -> Matrix {
    if of.dimensions.len() == 2 {
        return of.clone();
    }
    let mut dimensions: Vec<usize> = of.dimensions.iter().copied().filter(|it| *it != 1).collect();
    while dimensions.len() < 2 {
        dimensions.push(1);
    }
    Matrix { dimensions, ..of.clone() }
}

/// A matrix whose diagonals are constant: by its first column and row, or by its first row alone.
fn toeplitz(arguments: &[Value]) -> Answer {
    with(arguments, arguments.len(), |m| {
        let (column, row) = match m {
            [both] => (&both.entries, &both.entries),
            [column, row] => (&column.entries, &row.entries),
            _ => return Err("`toeplitz` takes one or two vectors".into()),
        };
        if column.len().saturating_mul(row.len()) > LARGEST {
            return Err("the matrix is too large".into());
        }
        Ok(made(column.len(), row.len(), |i, k| if i >= k { column[i - k] } else { row[k - i] }))
    })
}

/// The integral of a vector by trapezoids: `trapz(y)` or `trapz(x, y)`.
fn trapezoids(arguments: &[Value]) -> Answer {
    with(arguments, arguments.len(), |m| {
        let (x, y) = match m {
            [y] => ((0..y.entries.len()).map(|it| it as f64).collect(), &y.entries),
            [x, y] => (x.entries.clone(), &y.entries),
            _ => return Err("`trapz` takes one or two vectors".into()),
        };
        let is_vector = m.iter().all(|it| it.rows() == 1 || it.columns() == 1);
        if !is_vector || x.len() != y.len() {
            return Err("`trapz` is supported for vectors of one length".into());
        }
        let areas = x.windows(2).zip(y.windows(2)).map(|(x, y)| (x[1] - x[0]) * (y[0] + y[1]) / 2.0);
        Ok(Matrix::scalar(areas.sum()))
    })
}

/// The quotient of two polynomials, without the rest.
fn quotient(of: &Matrix, by: &Matrix) -> Result<Matrix, Error> {
    let first = by.entries.first().copied().unwrap_or(0.0);
    if first == 0.0 {
        return Err("the first coefficient of the divisor of `deconv` is zero".into());
    }
    let mut rest = of.entries.clone();
    let Some(count) = (rest.len() + 1).checked_sub(by.entries.len()).filter(|it| *it > 0) else {
        return Ok(Matrix::scalar(0.0));
    };
    let mut found = Vec::new();
    for place in 0..count {
        let factor = rest[place] / first;
        found.push(factor);
        for (k, coefficient) in by.entries.iter().enumerate() {
            rest[place + k] -= factor * coefficient;
        }
    }
    Ok(Matrix::row(found))
}

/// The sum of squares of the distances to the mean over one less than their number.
fn variance(column: &[f64]) -> f64 {
    if column.len() < 2 {
        return 0.0;
    }
    let mean = column.iter().sum::<f64>() / column.len() as f64;
    column.iter().map(|it| (it - mean) * (it - mean)).sum::<f64>() / (column.len() - 1) as f64
}

fn median(column: &[f64]) -> f64 {
    let mut sorted = column.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        _ if column.iter().any(|it| it.is_nan()) => f64::NAN,
        count if count % 2 == 1 => sorted[count / 2],
        count => f64::midpoint(sorted[count / 2 - 1], sorted[count / 2]),
    }
}

/// The different entries in their order: a row for a row, otherwise a column.
fn distinct(of: &Matrix) -> Matrix {
    let mut entries = of.entries.clone();
    entries.sort_by(f64::total_cmp);
    entries.dedup();
    let dimensions = if of.rows() == 1 { vec![1, entries.len()] } else { vec![entries.len(), 1] };
    Matrix { dimensions, class: of.class, entries }
}

/// The norm of a vector or a matrix: `norm(a)`, `norm(a, 1)`, `norm(a, inf)`, `norm(a, 'fro')`.
pub(super) fn norm(arguments: &[Value]) -> Answer {
    let (of, kind) = match arguments {
        [of] => (of, 2.0),
        [of, Value::Text(kind)] if kind == "fro" => {
            return with(std::slice::from_ref(of), 1, |m| Ok(Matrix::scalar(length(&m[0].entries))));
        }
        [of, Value::Text(kind)] if kind.eq_ignore_ascii_case("inf") => (of, f64::INFINITY),
        [of, kind] => (of, kind.matrix().and_then(Matrix::single).unwrap_or(f64::NAN)),
        [] => return Err("`norm` takes a vector or a matrix".into()),
        _ => return Err("`norm` takes one or two arguments".into()),
    };
    with(std::slice::from_ref(of), 1, |m| {
        let (rows, columns) = plane(&m[0])?;
        let sum = |all: &mut dyn Iterator<Item = f64>| all.map(f64::abs).sum::<f64>();
        let is_vector = rows == 1 || columns == 1;
        let entries = &m[0].entries;
        Ok(Matrix::scalar(match kind {
            2.0 if is_vector => length(entries),
            2.0 => decomposed(&m[0])?.1.first().copied().unwrap_or(0.0),
            1.0 if is_vector => sum(&mut entries.iter().copied()),
            f64::INFINITY if is_vector => entries.iter().fold(0.0, |most, it| it.abs().max(most)),
            1.0 => entries.chunks(rows.max(1)).map(|it| sum(&mut it.iter().copied())).fold(0.0, f64::max),
            f64::INFINITY => {
                let row = |row: usize| sum(&mut (0..columns).map(|column| at(&m[0], row, column)));
                (0..rows).map(row).fold(0.0, f64::max)
            }
            _ => return Err("the norms 1, 2, `inf` and `'fro'` are supported".into()),
        }))
    })
}

fn length(entries: &[f64]) -> f64 {
    entries.iter().map(|it| it * it).sum::<f64>().sqrt()
}

/// A matrix A as U S V': the columns of U times S, the singular values from the greatest on, and the columns of V. Pairs of columns are turned until
/// all are perpendicular (Hestenes 1958).
type Decomposed = (Vec<Vec<f64>>, Vec<f64>, Vec<Vec<f64>>);

fn decomposed(of: &Matrix) -> Result<Decomposed, Error> {
    let (rows, columns) = plane(of)?;
    if rows.saturating_mul(columns) > MAX_SINGULAR || of.entries.iter().any(|it| !it.is_finite()) {
        return Err(
            "the singular values of a matrix of this size, or with infinite numbers, are not computed".into(),
        );
    }
    if rows < columns {
        let (left, values, right) = decomposed(&matrix::transpose(of)?)?;
        let scaled = |column: &[f64], factor: f64| column.iter().map(|it| it * factor).collect::<Vec<f64>>();
        let over = |factor: f64| if factor == 0.0 { 0.0 } else { 1.0 / factor };
        let unit: Vec<Vec<f64>> =
            left.iter().zip(&values).map(|(it, value)| scaled(it, over(*value))).collect();
        let times: Vec<Vec<f64>> = right.iter().zip(&values).map(|(it, value)| scaled(it, *value)).collect();
        return Ok((times, values, unit));
    }
    let mut left: Vec<Vec<f64>> = of.entries.chunks(rows.max(1)).map(<[f64]>::to_vec).collect();
    let identity = matrix::identity(columns, columns);
    let mut right: Vec<Vec<f64>> = identity.entries.chunks(columns.max(1)).map(<[f64]>::to_vec).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for _ in 0..ROUNDS {
        let mut is_done = true;
        for i in 0..columns {
            for k in i + 1..columns {
                let (a, b, c) = (dot(&left[i], &left[i]), dot(&left[k], &left[k]), dot(&left[i], &left[k]));
                if c.abs() <= f64::EPSILON * (a * b).sqrt() {
                    continue;
                }
                is_done = false;
                let zeta = (b - a) / (2.0 * c);
                let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cosine = 1.0 / (1.0 + t * t).sqrt();
                for all in [&mut left, &mut right] {
                    for row in 0..all[i].len() {
                        let (x, y) = (all[i][row], all[k][row]);
                        all[i][row] = cosine * (x - t * y);
                        all[k][row] = cosine * (y + t * x);
                    }
                }
            }
        }
        if is_done {
            break;
        }
    }
    let mut order: Vec<usize> = (0..columns).collect();
    let values: Vec<f64> = left.iter().map(|it| length(it)).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let pick = |all: &[Vec<f64>]| order.iter().map(|it| all[*it].clone()).collect::<Vec<Vec<f64>>>();
    Ok((pick(&left), order.iter().map(|it| values[*it]).collect(), pick(&right)))
}

/// The size below which MATLAB takes a singular value as zero.
fn tolerance(of: &Matrix, values: &[f64]) -> f64 {
    let greatest = values.first().copied().unwrap_or(0.0);
    let next = f64::from_bits(greatest.to_bits() + 1) - greatest;
    of.rows().max(of.columns()) as f64 * next
}

/// The matrix V / S U', without the singular values that count as zero.
fn pseudo_inverse(of: &Matrix) -> Result<Matrix, Error> {
    let (rows, columns) = plane(of)?;
    let (left, values, right) = decomposed(of)?;
    let least = tolerance(of, &values);
    let kept: Vec<usize> = (0..values.len()).filter(|it| values[*it] > least).collect();
    Ok(made(columns, rows, |row, column| {
        kept.iter().map(|&it| right[it][row] * left[it][column] / (values[it] * values[it])).sum()
    }))
}
