//! Functions by name. Functions with several results return their first.

use super::eval::numbers;
use super::matrix::{self, LARGEST, each, map};
use super::object::series;
use super::{Error, complex, design, linear, numeric};
use crate::value::{Class, Matrix, Value};

type Answer = Result<Value, Error>;

/// Calls a function; none if there is no function of that name.
pub(super) fn function(name: &str, arguments: &[Value]) -> Option<Answer> {
    let special = constant(name, arguments)
        .or_else(|| complex::function(name, arguments))
        .or_else(|| linear::function(name, arguments))
        .or_else(|| design::function(name, arguments));
    if special.is_some() {
        return special;
    }
    if let Some(function) = of_numbers(name) {
        return Some(with(arguments, 1, |matrices| {
            let class = if matrices[0].class == Class::Boolean { Class::Double } else { matrices[0].class };
            Ok(map(&matrices[0], class, function))
        }));
    }
    if let Some(class) = Class::named(name) {
        return Some(with(arguments, 1, |matrices| Ok(map(&matrices[0], class, |number| number))));
    }
    Some(match name {
        "atan2" => two(arguments, f64::atan2),
        "hypot" => two(arguments, f64::hypot),
        "mod" => two(arguments, modulo),
        "rem" => two(arguments, |a, b| if b == 0.0 { f64::NAN } else { a - b * (a / b).trunc() }),
        "power" | "pow" => two(arguments, f64::powf),
        "plus" => two(arguments, |a, b| a + b),
        "minus" => two(arguments, |a, b| a - b),
        "times" => two(arguments, |a, b| a * b),
        "rdivide" => two(arguments, |a, b| a / b),
        "xor" => truth(arguments, |a, b| (a != 0.0) != (b != 0.0)),
        "and" => truth(arguments, |a, b| a != 0.0 && b != 0.0),
        "or" => truth(arguments, |a, b| a != 0.0 || b != 0.0),
        "not" => with(arguments, 1, |m| matrix::unary(super::parse::Unary::Not, &m[0])),
        "isnan" => with(arguments, 1, |m| Ok(map(&m[0], Class::Boolean, |a| f64::from(a.is_nan())))),
        "isinf" => with(arguments, 1, |m| Ok(map(&m[0], Class::Boolean, |a| f64::from(a.is_infinite())))),
        "min" => extreme(arguments, |a, b| a < b),
        "max" => extreme(arguments, |a, b| a > b),
        "sum" => reduce(arguments, |column| column.iter().fold(0.0, |sum, it| sum + it)),
        "prod" => reduce(arguments, |column| column.iter().product()),
        "mean" => reduce(arguments, |column| column.iter().sum::<f64>() / column.len() as f64),
        "any" => reduce(arguments, |column| f64::from(column.iter().any(|a| *a != 0.0))).map(logical),
        "all" => reduce(arguments, |column| f64::from(column.iter().all(|a| *a != 0.0))).map(logical),
        "norm" => numeric::norm(arguments),
        "cumsum" => running(arguments, |a, b| a + b),
        "cumprod" => running(arguments, |a, b| a * b),
        "diff" => with(arguments, 1, |m| differences(&m[0])),
        "dot" => with(arguments, 2, |m| matrix::dot(&m[0], &m[1])),
        "cross" => with(arguments, 2, |m| cross(&m[0], &m[1])),
        "size" | "length" | "numel" | "isempty" | "ndims"
            if let [Value::Cell(_) | Value::Struct(_), ..] = arguments =>
        {
            let count = if let [Value::Cell(all), ..] = arguments { all.len() } else { 1 };
            let row = Value::Matrix(Matrix::row(vec![0.0; count]));
            let all: Vec<Value> = std::iter::once(row).chain(arguments[1..].to_vec()).collect();
            return function(name, &all);
        }
        "size" => sizes(arguments),
        "length" => with(arguments, 1, |m| Ok(Matrix::scalar(longest(&m[0]) as f64))),
        "numel" => with(arguments, 1, |m| Ok(Matrix::scalar(m[0].entries.len() as f64))),
        "ndims" => with(arguments, 1, |m| Ok(Matrix::scalar(m[0].dimensions.len() as f64))),
        "isempty" => with(arguments, 1, |m| Ok(logical_matrix(m[0].entries.is_empty()))),
        "isscalar" => with(arguments, 1, |m| Ok(logical_matrix(m[0].entries.len() == 1))),
        "expm" => with(arguments, 1, |m| linear::exponential(&m[0])),
        "inv" => with(arguments, 1, |m| matrix::inverse(&m[0])),
        "det" => with(arguments, 1, |m| matrix::determinant(&m[0]).map(Matrix::scalar)),
        "transpose" | "ctranspose" => with(arguments, 1, |m| matrix::transpose(&m[0])),
        "diag" => match arguments {
            [matrix, Value::Matrix(place)] => with(std::slice::from_ref(matrix), 1, |m| {
                diagonal(&m[0], place.single().ok_or("expected the number of a diagonal")?)
            }),
            _ => with(arguments, 1, |m| diagonal(&m[0], 0.0)),
        },
        "linspace" => linspace(arguments),
        "logspace" => linspace(arguments).map(|it| match it {
            Value::Matrix(exponents) => Value::Matrix(map(&exponents, Class::Double, |it| 10f64.powf(it))),
            other => other,
        }),
        "kron" => with(arguments, 2, |m| kronecker(&m[0], &m[1])),
        "trace" => with(arguments, 1, |m| {
            let order = m[0].rows().min(m[0].columns());
            Ok(Matrix::scalar((0..order).map(|it| m[0].entries[it * m[0].rows() + it]).sum()))
        }),
        "isrow" => with(arguments, 1, |m| Ok(logical_matrix(flat(&m[0])?.rows() == 1))),
        "iscolumn" => with(arguments, 1, |m| Ok(logical_matrix(flat(&m[0])?.columns() == 1))),
        "isvector" => with(arguments, 1, |m| {
            let vector = flat(&m[0])?.rows() == 1 || m[0].columns() == 1;
            Ok(logical_matrix(vector && !m[0].entries.is_empty()))
        }),
        "islogical" => {
            let is = matches!(arguments, [Value::Matrix(Matrix { class: Class::Boolean, .. })]);
            Ok(Value::Matrix(logical_matrix(is)))
        }
        "fieldnames" => match arguments {
            [Value::Struct(fields)] => {
                Ok(Value::Cell(fields.iter().map(|(name, _)| Value::Text(name.clone())).collect()))
            }
            _ => Err("expected a struct".into()),
        },
        "conv" => with(arguments, 2, |m| Ok(product_of_polynomials(&m[0], &m[1]))),
        "reshape" => reshape(arguments),
        "repmat" => repeat(arguments),
        "horzcat" => matrices(arguments).and_then(|m| join(&m, 1)).map(Value::Matrix),
        "vertcat" => matrices(arguments).and_then(|m| join(&m, 0)).map(Value::Matrix),
        "fliplr" => with(arguments, 1, |m| reversed(&m[0], 1)),
        "flipud" => with(arguments, 1, |m| reversed(&m[0], 0)),
        "sort" => with(arguments, 1, |m| sorted(&m[0])),
        "find" => match &matrices(arguments) {
            Ok(all) if all.len() == 2 => {
                let most =
                    all[1].single().filter(|it| *it >= 1.0).ok_or("expected a number of places".into());
                most.map(|most| Value::Matrix(found(&all[0], most as usize)))
            }
            _ => with(arguments, 1, |m| Ok(found(&m[0], usize::MAX))),
        },
        "interp1" => interpolate(arguments),
        "polyval" => with(arguments, 2, |m| {
            Ok(map(&m[1], Class::Double, |x| m[0].entries.iter().fold(0.0, |sum, c| sum * x + c)))
        }),
        "strcmp" | "strcmpi" => match arguments {
            [Value::Text(a), Value::Text(b)] => {
                let same = if name == "strcmp" { a == b } else { a.eq_ignore_ascii_case(b) };
                Ok(Value::Matrix(logical_matrix(same)))
            }
            [_, _] => Ok(Value::Matrix(logical_matrix(false))),
            _ => Err(count(2)),
        },
        "bin2dec" => digits(arguments, 2),
        "hex2dec" => digits(arguments, 16),
        "bitand" => two(arguments, |a, b| bits(a, b, |a, b| a & b)),
        "bitor" => two(arguments, |a, b| bits(a, b, |a, b| a | b)),
        "bitxor" => two(arguments, |a, b| bits(a, b, |a, b| a ^ b)),
        "bitshift" => two(arguments, |a, k| (a * k.exp2()).floor()),
        "ischar" => Ok(Value::Matrix(logical_matrix(matches!(arguments, [Value::Text(_)])))),
        "isnumeric" => Ok(Value::Matrix(logical_matrix(matches!(arguments, [Value::Matrix(_)])))),
        "isstruct" => Ok(Value::Matrix(logical_matrix(matches!(arguments, [Value::Struct(_)])))),
        "iscell" => Ok(Value::Matrix(logical_matrix(matches!(arguments, [Value::Cell(_)])))),
        "str2num" | "str2double" => match arguments {
            [Value::Text(text)] => {
                let number =
                    text.trim().parse().map_err(|_| Error::from(format!("`{text}` is not a number")));
                number.map(Value::scalar)
            }
            _ => Err("expected a text".into()),
        },
        "fullfile" => joined_path(arguments),
        "filesep" => Ok(Value::Text("/".to_owned())),
        "isdeployed" => Ok(Value::Matrix(logical_matrix(false))),
        "struct" => structure(arguments),
        "timeseries" => series(arguments),
        "isfield" => match arguments {
            [Value::Struct(fields), Value::Text(name)] => {
                Ok(Value::Matrix(logical_matrix(fields.iter().any(|(field, _)| field == name))))
            }
            [_, _] => Ok(Value::Matrix(logical_matrix(false))),
            _ => Err(count(2)),
        },
        _ => return numeric::function(name, arguments),
    })
}

/// Matrices side by side (1) or one below the other (0). Empty ones are left out.
pub(super) fn join(parts: &[Matrix], direction: usize) -> Result<Matrix, Error> {
    let parts: Vec<&Matrix> = parts.iter().filter(|part| part.dimensions != [0, 0]).collect();
    let Some(first) = parts.first() else {
        return Ok(Matrix { dimensions: vec![0, 0], ..Matrix::default() });
    };
    if let [only] = parts[..] {
        return Ok(only.clone());
    }
    let flat = parts.iter().all(|part| part.dimensions.len() == 2);
    let other = 1 - direction;
    if !flat || parts.iter().any(|part| part.dimensions[other] != first.dimensions[other]) {
        let all: Vec<String> = parts.iter().map(|part| matrix::size(part)).collect();
        let how = if direction == 1 { "side by side" } else { "one below the other" };
        return Err(format!("matrices of sizes {} cannot be put {how}", all.join(", ")).into());
    }
    if parts.iter().map(|part| part.entries.len()).sum::<usize>() > LARGEST {
        return Err("the matrix is too large".into());
    }
    let same = parts.iter().all(|part| part.class == first.class);
    let class = if same {
        first.class
    } else {
        parts.iter().try_fold(Class::Double, |class, part| matrix::common(class, part.class))?
    };
    let length = parts.iter().map(|part| part.dimensions[direction]).sum();
    let entries: Vec<f64> = if direction == 1 {
        parts.iter().flat_map(|part| &part.entries).map(|&entry| class.cast(entry)).collect()
    } else {
        let column = |part: &&Matrix, k: usize| part.entries[k * part.rows()..(k + 1) * part.rows()].to_vec();
        let columns = (0..first.columns()).flat_map(|k| parts.iter().flat_map(move |part| column(part, k)));
        columns.map(|entry| class.cast(entry)).collect()
    };
    let dimensions = if direction == 1 { vec![first.rows(), length] } else { vec![length, first.columns()] };
    Ok(Matrix { dimensions, class, entries })
}

/// Functions of one number.
fn of_numbers(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,
        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        "tanh" => f64::tanh,
        "asinh" => f64::asinh,
        "acosh" => f64::acosh,
        "atanh" => f64::atanh,
        "exp" => f64::exp,
        "log" | "ln" => f64::ln,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "sqrt" => f64::sqrt,
        "abs" | "fabs" => f64::abs,
        "sign" | "sgn" => |number| if number == 0.0 { 0.0 } else { number.signum() },
        "floor" => f64::floor,
        "ceil" => f64::ceil,
        "round" => f64::round,
        "fix" => f64::trunc,
        "deg2rad" => f64::to_radians,
        "rad2deg" => f64::to_degrees,
        _ => return None,
    })
}

/// Constants, and matrices filled with them.
fn constant(name: &str, arguments: &[Value]) -> Option<Answer> {
    let (number, class) = match name {
        "pi" => (std::f64::consts::PI, Class::Double),
        "inf" | "Inf" => (f64::INFINITY, Class::Double),
        "nan" | "NaN" => (f64::NAN, Class::Double),
        "eps" if arguments.is_empty() => (f64::EPSILON, Class::Double),
        "realmax" => (f64::MAX, Class::Double),
        "realmin" => (f64::MIN_POSITIVE, Class::Double),
        "true" => (1.0, Class::Boolean),
        "false" => (0.0, Class::Boolean),
        "zeros" => (0.0, Class::Double),
        "ones" => (1.0, Class::Double),
        "intmin" | "intmax" => {
            let class = match arguments {
                [] => Some(Class::Integer(32, true)),
                [Value::Text(name)] => Class::named(name),
                _ => None,
            };
            let Some(class @ Class::Integer(bits, signed)) = class else {
                return Some(Err("expected the name of an integer class".into()));
            };
            let (low, high) = Class::range(bits, signed);
            let number = if name == "intmin" { low } else { high };
            return Some(Ok(Value::Matrix(Matrix { class, ..Matrix::scalar(number) })));
        }
        "eye" => {
            return Some(dimensions(arguments).and_then(|(sizes, _)| match sizes[..] {
                [rows, columns] => Ok(Value::Matrix(matrix::identity(rows, columns))),
                _ => Err("`eye` takes two dimensions".into()),
            }));
        }
        _ => return None,
    };
    Some(dimensions(arguments).map(|(dimensions, named)| {
        let entries = vec![number; dimensions.iter().product()];
        Value::Matrix(Matrix { dimensions, class: named.unwrap_or(class), entries })
    }))
}

/// `(n)`, `(r, c)`, `([r c])`, perhaps with the name of a class at the end.
fn dimensions(arguments: &[Value]) -> Result<(Vec<usize>, Option<Class>), Error> {
    let (arguments, class) = match arguments {
        [rest @ .., Value::Text(name)] => {
            (rest, Some(Class::named(name).ok_or_else(|| format!("there is no class `{name}`"))?))
        }
        all => (all, None),
    };
    let mut sizes: Vec<f64> = vec![];
    for matrix in matrices(arguments)? {
        sizes.extend(matrix.entries);
    }
    let mut sizes: Vec<usize> =
        sizes.into_iter().map(|size| size.clamp(0.0, LARGEST as f64 + 1.0) as usize).collect();
    match sizes[..] {
        [] => sizes = vec![1, 1],
        [n] => sizes = vec![n, n],
        _ => {}
    }
    let counted = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size.max(1)));
    if counted.is_none_or(|count| count > LARGEST) {
        Err("the matrix is too large".into())
    } else {
        Ok((sizes, class))
    }
}

fn matrices(arguments: &[Value]) -> Result<Vec<Matrix>, Error> {
    arguments.iter().cloned().map(numbers).collect()
}

fn count(wanted: usize) -> Error {
    format!("the function takes {}", base::counted(wanted, "argument")).into()
}

/// A function of some matrices.
pub(super) fn with(
    arguments: &[Value],
    wanted: usize,
    compute: impl FnOnce(&[Matrix]) -> Result<Matrix, Error>,
) -> Answer {
    let all = matrices(arguments)?;
    if all.len() == wanted { compute(&all).map(Value::Matrix) } else { Err(count(wanted)) }
}

fn two(arguments: &[Value], compute: impl Fn(f64, f64) -> f64) -> Answer {
    with(arguments, 2, |m| {
        let class = matrix::common(m[0].class, m[1].class)?;
        each(&m[0], &m[1], class, |a, b| class.cast(compute(a, b)))
    })
}

fn truth(arguments: &[Value], compute: impl Fn(f64, f64) -> bool) -> Answer {
    with(arguments, 2, |m| each(&m[0], &m[1], Class::Boolean, |a, b| f64::from(compute(a, b))))
}

fn modulo(a: f64, b: f64) -> f64 {
    if b == 0.0 { a } else { a - b * (a / b).floor() }
}

fn logical(value: Value) -> Value {
    match value {
        Value::Matrix(matrix) => Value::Matrix(Matrix { class: Class::Boolean, ..matrix }),
        other => other,
    }
}

fn logical_matrix(truth: bool) -> Matrix {
    Matrix { class: Class::Boolean, ..Matrix::scalar(f64::from(truth)) }
}

fn longest(matrix: &Matrix) -> usize {
    if matrix.entries.is_empty() { 0 } else { matrix.dimensions.iter().copied().max().unwrap_or(0) }
}

/// Columns of a matrix; a row counts as one column.
fn columns(matrix: &Matrix) -> Result<Vec<&[f64]>, Error> {
    let height = if flat(matrix)?.rows() == 1 { matrix.entries.len() } else { matrix.rows() };
    Ok(matrix.entries.chunks(height.max(1)).collect())
}

fn flat(matrix: &Matrix) -> Result<&Matrix, Error> {
    let is = matrix.dimensions.len() == 2;
    if is { Ok(matrix) } else { Err("expected a matrix of two dimensions".into()) }
}

/// One number for each column; for each row with a second argument 2, or if there is one row only.
pub(super) fn reduce(arguments: &[Value], compute: impl Fn(&[f64]) -> f64) -> Answer {
    let (matrix, along) = match arguments {
        [matrix] => (matrix, None),
        [matrix, along] => (matrix, Some(along.matrix().and_then(Matrix::single).unwrap_or(f64::NAN))),
        _ => return Err(count(1)),
    };
    let matrix = numbers(matrix.clone())?;
    let class = if matrix.class == Class::Boolean { Class::Double } else { matrix.class };
    let rows = match along {
        None if matrix.dimensions == [0, 0] => return Ok(Value::scalar(compute(&[]))),
        None => matrix.rows() == 1,
        Some(1.0) => false,
        Some(2.0) => true,
        Some(_) => return Err("the second argument must be dimension 1 or 2".into()),
    };
    let turned = if rows { matrix::transpose(&matrix)? } else { flat(&matrix)?.clone() };
    let (height, count) = (turned.rows(), turned.columns());
    let entries =
        (0..count).map(|k| class.cast(compute(&turned.entries[k * height..(k + 1) * height]))).collect();
    let dimensions = if rows { vec![count, 1] } else { vec![1, count] };
    Ok(Value::Matrix(Matrix { dimensions, class, entries }))
}

fn extreme(arguments: &[Value], better: impl Fn(f64, f64) -> bool) -> Answer {
    let pick = |a: f64, b: f64| if better(b, a) || a.is_nan() { b } else { a };
    match arguments {
        [_] => reduce(arguments, |column| column.iter().copied().reduce(pick).unwrap_or(f64::NAN)),
        _ => two(arguments, pick),
    }
}

fn running(arguments: &[Value], compute: impl Fn(f64, f64) -> f64) -> Answer {
    with(arguments, 1, |m| {
        let mut entries = Vec::with_capacity(m[0].entries.len());
        for column in columns(&m[0])? {
            let mut last = None;
            for &entry in column {
                last = Some(last.map_or(entry, |last| compute(last, entry)));
                entries.extend(last);
            }
        }
        Ok(Matrix { entries, class: Class::Double, ..m[0].clone() })
    })
}

fn differences(matrix: &Matrix) -> Result<Matrix, Error> {
    let all = columns(matrix)?;
    let entries =
        all.iter().flat_map(|column| column.windows(2).map(|pair| pair[1] - pair[0])).collect::<Vec<f64>>();
    let dimensions = if matrix.rows() == 1 {
        vec![1, entries.len()]
    } else {
        vec![matrix.rows().saturating_sub(1), matrix.columns()]
    };
    Ok(Matrix { dimensions, class: matrix.class, entries })
}

fn cross(left: &Matrix, right: &Matrix) -> Result<Matrix, Error> {
    let ([a, b, c], [d, e, f]) = (&left.entries[..], &right.entries[..]) else {
        return Err("a cross product needs two vectors of length 3".into());
    };
    Ok(Matrix { entries: vec![b * f - c * e, c * d - a * f, a * e - b * d], ..left.clone() })
}

fn sizes(arguments: &[Value]) -> Answer {
    match &matrices(arguments)?[..] {
        [matrix] => {
            Ok(Value::Matrix(Matrix::row(matrix.dimensions.iter().map(|&size| size as f64).collect())))
        }
        [matrix, which] => {
            let place =
                which.single().filter(|place| (1.0..=32.0).contains(place)).ok_or("expected a dimension")?;
            let size = matrix.dimensions.get(place as usize - 1).copied().unwrap_or(1);
            Ok(Value::scalar(size as f64))
        }
        _ => Err(count(1)),
    }
}

/// A matrix with the entries of a vector on a diagonal, or the entries on a diagonal of a matrix. Diagonals count from the main one to the right.
fn diagonal(matrix: &Matrix, place: f64) -> Result<Matrix, Error> {
    let (rows, columns) = (flat(matrix)?.rows(), matrix.columns());
    if place.fract() != 0.0 || place.abs() > LARGEST as f64 {
        return Err("expected the number of a diagonal".into());
    }
    let (right, down) = (place.max(0.0) as usize, (-place).max(0.0) as usize);
    if rows == 1 || columns == 1 {
        let order = matrix.entries.len() + right + down;
        if order.saturating_mul(order) > LARGEST {
            return Err("the matrix is too large".into());
        }
        let mut entries = vec![0.0; order * order];
        for (k, entry) in matrix.entries.iter().enumerate() {
            entries[(k + right) * order + k + down] = *entry;
        }
        return Ok(Matrix { dimensions: vec![order, order], class: matrix.class, entries });
    }
    let count = rows.saturating_sub(down).min(columns.saturating_sub(right));
    let entries: Vec<f64> = (0..count).map(|k| matrix.entries[(k + right) * rows + k + down]).collect();
    Ok(Matrix { dimensions: vec![entries.len(), 1], class: matrix.class, entries })
}

fn linspace(arguments: &[Value]) -> Answer {
    let numbers: Option<Vec<f64>> = matrices(arguments)?.iter().map(Matrix::single).collect();
    let (first, last, count) = match numbers.as_deref() {
        Some(&[first, last]) => (first, last, 100.0),
        Some(&[first, last, count]) => (first, last, count),
        _ => return Err("`linspace` takes two or three numbers".into()),
    };
    if !(1.0..=LARGEST as f64).contains(&count) {
        return Err("`linspace` needs a number of points within the limits".into());
    }
    let steps = count as usize - 1;
    let point = |k: usize| if k == steps { last } else { first + (last - first) * k as f64 / steps as f64 };
    Ok(Value::Matrix(Matrix::row((0..=steps).map(point).collect())))
}

fn reshape(arguments: &[Value]) -> Answer {
    let [matrix, rest @ ..] = &matrices(arguments)?[..] else { return Err(count(2)) };
    let given: Vec<f64> = match rest {
        [sizes] => sizes.entries.clone(),
        // One empty size is what is left over.
        all => all.iter().map(|size| size.single().unwrap_or(f64::NAN)).collect(),
    };
    let known = given.iter().filter(|size| !size.is_nan()).product::<f64>().max(1.0);
    let left = matrix.entries.len() as f64 / known;
    let sizes: Vec<usize> = given
        .iter()
        .map(|&size| (if size.is_nan() { left } else { size }).clamp(0.0, LARGEST as f64) as usize)
        .collect();
    let counted = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size.max(1)));
    if sizes.len() < 2 || counted.is_none() || sizes.iter().product::<usize>() != matrix.entries.len() {
        return Err(format!("a matrix of size {} cannot become {sizes:?}", matrix::size(matrix)).into());
    }
    Ok(Value::Matrix(Matrix { dimensions: sizes, ..matrix.clone() }))
}

fn repeat(arguments: &[Value]) -> Answer {
    let [matrix, rest @ ..] = arguments else { return Err(count(2)) };
    let (matrix, (sizes, _)) = (numbers(matrix.clone())?, dimensions(rest)?);
    let [rows, columns] = sizes[..] else { return Err("`repmat` takes two dimensions".into()) };
    let total = matrix.entries.len().saturating_mul(rows).saturating_mul(columns);
    if total > LARGEST {
        return Err("the matrix is too large".into());
    }
    if total == 0 {
        return Ok(Value::Matrix(Matrix { dimensions: vec![0, 0], ..Matrix::default() }));
    }
    let wide = join(&vec![matrix; columns], 1)?;
    join(&vec![wide; rows], 0).map(Value::Matrix)
}

fn reversed(matrix: &Matrix, direction: usize) -> Result<Matrix, Error> {
    let turned = if direction == 0 { matrix::transpose(matrix)? } else { flat(matrix)?.clone() };
    let columns = turned.entries.chunks(turned.rows().max(1)).rev().flatten().copied().collect();
    let turned = Matrix { entries: columns, ..turned };
    if direction == 0 { matrix::transpose(&turned) } else { Ok(turned) }
}

fn sorted(matrix: &Matrix) -> Result<Matrix, Error> {
    let mut entries = vec![];
    for column in columns(matrix)? {
        let mut column = column.to_vec();
        column.sort_by(f64::total_cmp);
        entries.extend(column);
    }
    Ok(Matrix { entries, ..matrix.clone() })
}

/// The first places with a number that is not zero.
fn found(matrix: &Matrix, most: usize) -> Matrix {
    let places = matrix.entries.iter().enumerate().filter(|(_, entry)| **entry != 0.0).take(most);
    let entries: Vec<f64> = places.map(|(place, _)| place as f64 + 1.0).collect();
    let dimensions = if matrix.rows() == 1 { vec![1, entries.len()] } else { vec![entries.len(), 1] };
    Matrix { dimensions, class: Class::Double, entries }
}

/// Interpolation in a table: `interp1(x, y, at, method, 'extrap')`. Outside of the table the result is NaN, or a number that is given, or
/// on the last line.
fn interpolate(arguments: &[Value]) -> Answer {
    let (table, options) = arguments.split_at(arguments.len().min(3));
    let (mut method, mut outside) = ("linear", Some(f64::NAN));
    for option in options {
        match option {
            Value::Text(text) if text == "extrap" => outside = None,
            Value::Text(text) if matches!(text.as_str(), "linear" | "nearest" | "previous" | "next") => {
                method = text
            }
            Value::Text(text) => {
                return Err(format!("the method `{text}` of `interp1` is not supported").into());
            }
            other => outside = Some(numbers(other.clone())?.single().ok_or("expected one number")?),
        }
    }
    with(table, 3, |m| {
        let (xs, ys) = (&m[0].entries, &m[1].entries);
        if xs.len() != ys.len() || xs.len() < 2 || xs.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err("`interp1` needs as many values as points, and points that increase".into());
        }
        let at = |x: f64| {
            let is_outside = x < xs[0] || x > xs[xs.len() - 1];
            if x.is_nan() {
                return f64::NAN;
            }
            if let (true, Some(number)) = (is_outside, outside) {
                return number;
            }
            let upper = xs.partition_point(|point| *point < x).clamp(1, xs.len() - 1);
            let (x0, x1, y0, y1) = (xs[upper - 1], xs[upper], ys[upper - 1], ys[upper]);
            match method {
                "nearest" => {
                    if x - x0 < x1 - x {
                        y0
                    } else {
                        y1
                    }
                }
                "previous" => {
                    if x >= x1 {
                        y1
                    } else {
                        y0
                    }
                }
                "next" => {
                    if x <= x0 {
                        y0
                    } else {
                        y1
                    }
                }
                _ => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
            }
        };
        Ok(map(&m[2], Class::Double, at))
    })
}

/// The product of each entry of the first matrix with the second one.
fn kronecker(a: &Matrix, b: &Matrix) -> Result<Matrix, Error> {
    let (rows, columns) = (flat(a)?.rows() * flat(b)?.rows(), a.columns() * b.columns());
    if rows.saturating_mul(columns) > LARGEST {
        return Err("the matrix is too large".into());
    }
    let (height, width) = (b.rows().max(1), b.columns().max(1));
    let entry = |row: usize, column: usize| {
        let outer = a.entries[column / width * a.rows() + row / height];
        outer * b.entries[column % width * height + row % height]
    };
    let places = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
    let entries = places.map(|(row, column)| entry(row, column)).collect();
    Ok(Matrix { dimensions: vec![rows, columns], class: matrix::common(a.class, b.class)?, entries })
}

fn product_of_polynomials(a: &Matrix, b: &Matrix) -> Matrix {
    let entries = linear::times(&a.entries, &b.entries);
    let is_column = a.columns() == 1 && a.rows() > 1;
    let dimensions = if is_column { vec![entries.len(), 1] } else { vec![1, entries.len()] };
    Matrix { dimensions, class: Class::Double, entries }
}

/// The results of `max`, `min` and `sort` of a vector with the places that they are from; none of a matrix.
pub(super) fn with_places(name: &str, vector: &Matrix) -> Option<Vec<Value>> {
    let is_vector = vector.dimensions.len() == 2 && (vector.rows() == 1 || vector.columns() == 1);
    if !is_vector || vector.entries.is_empty() || vector.entries.iter().any(|it| it.is_nan()) {
        return None;
    }
    let mut places: Vec<usize> = (0..vector.entries.len()).collect();
    places.sort_by(|&a, &b| {
        let order = vector.entries[a].total_cmp(&vector.entries[b]);
        if name == "max" { order.reverse() } else { order }
    });
    let count = if name == "sort" { places.len() } else { 1 };
    let part = |entries: Vec<f64>, class: Class| {
        let dimensions = if vector.rows() == 1 { vec![1, count] } else { vec![count, 1] };
        Value::Matrix(Matrix { dimensions, class, entries })
    };
    let entries = places.iter().take(count).map(|it| vector.entries[*it]).collect();
    let places = places.iter().take(count).map(|it| *it as f64 + 1.0).collect();
    Some(vec![part(entries, vector.class), part(places, Class::Double)])
}

/// Folders and a name, with one separator between them.
fn joined_path(arguments: &[Value]) -> Answer {
    let mut path = String::new();
    for argument in arguments {
        let Value::Text(text) = argument else { return Err("expected names of folders".into()) };
        if !path.is_empty() && !text.is_empty() && !path.ends_with(['/', '\\']) {
            path.push('/');
        }
        path.push_str(if path.is_empty() { text } else { text.trim_start_matches(['/', '\\']) });
    }
    Ok(Value::Text(path))
}

fn structure(arguments: &[Value]) -> Answer {
    let (pairs, rest) = arguments.as_chunks::<2>();
    let wrong = || Error::from("`struct` takes names and values in turn");
    let field = |[name, value]: &[Value; 2]| match name {
        Value::Text(name) => Ok((name.clone(), value.clone())),
        _ => Err(wrong()),
    };
    if !rest.is_empty() {
        return Err(wrong());
    }
    pairs.iter().map(field).collect::<Result<_, _>>().map(Value::Struct)
}

/// The number that a text of digits stands for.
fn digits(arguments: &[Value], base: u32) -> Answer {
    let [Value::Text(text)] = arguments else { return Err("expected a text of digits".into()) };
    let plain: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    let number = u64::from_str_radix(&plain, base);
    let number = number.map_err(|_| Error::from(format!("`{text}` is not a number of base {base}")))?;
    Ok(Value::scalar(number as f64))
}

/// An operation on the bits of two integers; not a number if one is negative or has a fraction.
fn bits(a: f64, b: f64, operation: fn(u64, u64) -> u64) -> f64 {
    let whole = |a: f64| a >= 0.0 && a.fract() == 0.0 && a < 9e15;
    if whole(a) && whole(b) { operation(a as u64, b as u64) as f64 } else { f64::NAN }
}
