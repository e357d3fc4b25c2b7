//! Complex numbers: operators, functions, and polynomials with their roots. A result whose numbers are all real is a matrix of real numbers, as
//! in MATLAB.

use super::Error;
use super::call;
use super::matrix::{self, Places, map};
use super::parse::{Binary, Unary};
use crate::value::{Class, Complex, Matrix, Value};

/// The maximum degree of a polynomial whose roots are computed, and the rounds of the iteration.
const MAX_DEGREE: usize = 64;
const ROUNDS: usize = 500;

/// One complex number.
type Number = [f64; 2];

/// The value with these parts.
fn value(real: Matrix, imaginary: Matrix) -> Value {
    if imaginary.entries.iter().all(|it| *it == 0.0) {
        Value::Matrix(real)
    } else {
        Value::Complex(Complex { real, imaginary })
    }
}

/// A column of complex numbers.
fn column(numbers: &[Number]) -> Value {
    let part = |which: usize| Matrix {
        dimensions: vec![numbers.len(), 1],
        entries: numbers.iter().map(|it| it[which]).collect(),
        ..Matrix::default()
    };
    value(part(0), part(1))
}

/// A number times the imaginary unit.
pub(super) fn imaginary(number: f64) -> Value {
    value(Matrix::scalar(0.0), Matrix::scalar(number))
}

/// Numbers with their imaginary parts.
pub(super) fn parts(value: Value) -> Result<Complex, Error> {
    if let Value::Complex(complex) = value {
        return Ok(complex);
    }
    let real = super::eval::numbers(value)?;
    let imaginary = map(&real, Class::Double, |_| 0.0);
    Ok(Complex { real, imaginary })
}

/// Each complex number of a vector or matrix.
fn entries(complex: &Complex) -> Vec<Number> {
    let pairs = complex.real.entries.iter().zip(&complex.imaginary.entries);
    pairs.map(|(a, b)| [*a, *b]).collect()
}

/// A function of the real and the imaginary part, one after the other.
fn both(complex: &Complex, compute: impl Fn(&Matrix) -> Result<Matrix, Error>) -> Result<Value, Error> {
    Ok(value(compute(&complex.real)?, compute(&complex.imaginary)?))
}

/// The numbers at some places.
pub(super) fn get(complex: &Complex, places: &[Places]) -> Result<Value, Error> {
    both(complex, |it| matrix::get(it, places))
}

/// Values side by side (1) or one below the other (0).
pub(super) fn join(values: Vec<Value>, direction: usize) -> Result<Value, Error> {
    let all = values.into_iter().map(parts).collect::<Result<Vec<Complex>, Error>>()?;
    let (real, imaginary): (Vec<Matrix>, Vec<Matrix>) =
        all.into_iter().map(|it| (it.real, it.imaginary)).unzip();
    Ok(value(call::join(&real, direction)?, call::join(&imaginary, direction)?))
}

/// An operator with one operand.
pub(super) fn unary(operator: Unary, operand: &Complex) -> Result<Value, Error> {
    match operator {
        Unary::Minus | Unary::Plus | Unary::Transpose => both(operand, |it| matrix::unary(operator, it)),
        Unary::Adjoint => {
            let turned = matrix::transpose(&operand.imaginary)?;
            Ok(value(matrix::transpose(&operand.real)?, map(&turned, Class::Double, |it| -it)))
        }
        Unary::Not => Err("a complex number is neither true nor false".into()),
    }
}

/// An operator with two operands.
pub(super) fn binary(operator: Binary, left: Value, right: Value) -> Result<Value, Error> {
    let (a, b) = (parts(left)?, parts(right)?);
    let apply = |operator: Binary, a: &Matrix, b: &Matrix| matrix::binary(operator, a, b);
    match operator {
        Binary::Add | Binary::Subtract => {
            Ok(value(apply(operator, &a.real, &b.real)?, apply(operator, &a.imaginary, &b.imaginary)?))
        }
        Binary::Times | Binary::EachTimes => {
            let times = |a: &Matrix, b: &Matrix| apply(operator, a, b);
            let real = (times(&a.real, &b.real)?, times(&a.imaginary, &b.imaginary)?);
            let imaginary = (times(&a.real, &b.imaginary)?, times(&a.imaginary, &b.real)?);
            Ok(value(
                apply(Binary::Subtract, &real.0, &real.1)?,
                apply(Binary::Add, &imaginary.0, &imaginary.1)?,
            ))
        }
        Binary::Equal | Binary::NotEqual => {
            let joined = if operator == Binary::Equal { Binary::And } else { Binary::Or };
            let (real, imaginary) =
                (apply(operator, &a.real, &b.real)?, apply(operator, &a.imaginary, &b.imaginary)?);
            apply(joined, &real, &imaginary).map(Value::Matrix)
        }
        Binary::EachOver => each(&a, &b, over),
        Binary::Over if b.real.entries.len() == 1 => each(&a, &b, over),
        Binary::EachUnder => each(&b, &a, over),
        Binary::EachPower => each(&a, &b, power),
        Binary::Power if a.real.entries.len() == 1 && b.real.entries.len() == 1 => each(&a, &b, power),
        _ => Err("this operator is not supported for complex numbers".into()),
    }
}

/// A function of each pair of numbers, where a single one goes with all others.
fn each(a: &Complex, b: &Complex, compute: fn(Number, Number) -> Number) -> Result<Value, Error> {
    let (left, right) = (entries(a), entries(b));
    let wide = if left.len() == 1 { &b.real } else { &a.real };
    if left.len() != 1 && right.len() != 1 && a.real.dimensions != b.real.dimensions {
        let (a, b) = (matrix::size(&a.real), matrix::size(&b.real));
        return Err(format!("the sizes {a} and {b} do not match").into());
    }
    let at = |all: &[Number], place: usize| if let [only] = all { *only } else { all[place] };
    let found: Vec<Number> =
        (0..wide.entries.len()).map(|it| compute(at(&left, it), at(&right, it))).collect();
    let part = |which: usize| Matrix {
        dimensions: wide.dimensions.clone(),
        entries: found.iter().map(|it| it[which]).collect(),
        ..Matrix::default()
    };
    Ok(value(part(0), part(1)))
}

fn times([a, b]: Number, [c, d]: Number) -> Number {
    [a * c - b * d, a * d + b * c]
}

fn minus([a, b]: Number, [c, d]: Number) -> Number {
    [a - c, b - d]
}

fn over([a, b]: Number, [c, d]: Number) -> Number {
    if d == 0.0 {
        return [a / c, b / c];
    }
    let size = c * c + d * d;
    [(a * c + b * d) / size, (b * c - a * d) / size]
}

fn power(base: Number, exponent: Number) -> Number {
    let [count, rest] = exponent;
    if rest == 0.0 && count.fract() == 0.0 && count.abs() <= 64.0 {
        let product = (0..count.abs() as usize).fold([1.0, 0.0], |product, _| times(product, base));
        return if count < 0.0 { over([1.0, 0.0], product) } else { product };
    }
    // The exponential of the exponent times the logarithm.
    let logarithm = [base[0].hypot(base[1]).ln(), base[1].atan2(base[0])];
    exponential(times(exponent, logarithm))
}

fn exponential([a, b]: Number) -> Number {
    [a.exp() * b.cos(), a.exp() * b.sin()]
}

/// Functions that give or take complex numbers; none for other functions and for real arguments that other functions take.
pub(super) fn function(name: &str, arguments: &[Value]) -> Option<Result<Value, Error>> {
    match (name, arguments) {
        ("i" | "j", []) => return Some(Ok(imaginary(1.0))),
        ("roots", [coefficients]) => return Some(roots_of(coefficients)),
        ("poly", [Value::Matrix(square)]) if square.rows() == square.columns() && square.rows() > 1 => {
            return Some(super::linear::characteristic(square).map(|it| Value::Matrix(Matrix::row(it))));
        }
        ("poly", [roots]) => return Some(polynomial(roots)),
        ("complex", [a, b]) => {
            return Some(
                binary(Binary::EachTimes, imaginary(1.0), b.clone())
                    .and_then(|b| binary(Binary::Add, a.clone(), b)),
            );
        }
        ("isreal", [of]) => {
            let is_real = f64::from(!matches!(of, Value::Complex(_)));
            return Some(Ok(Value::Matrix(Matrix { class: Class::Boolean, ..Matrix::scalar(is_real) })));
        }
        ("real" | "conj", [Value::Matrix(of)]) => return Some(Ok(Value::Matrix(of.clone()))),
        ("imag", [Value::Matrix(of)]) => return Some(Ok(Value::Matrix(map(of, of.class, |_| 0.0)))),
        ("angle" | "phase", [Value::Matrix(of)]) => {
            return Some(Ok(Value::Matrix(map(of, Class::Double, |it| 0f64.atan2(it)))));
        }
        ("sqrt", [Value::Matrix(of)]) if of.entries.iter().any(|it| *it < 0.0) => {
            let real = map(of, of.class, |it| it.max(0.0).sqrt());
            return Some(Ok(value(real, map(of, of.class, |it| (-it).max(0.0).sqrt()))));
        }
        _ => {}
    }
    let [Value::Complex(of), rest @ ..] = arguments else { return None };
    let real = |compute: fn(Number) -> f64| {
        let found = entries(of).into_iter().map(compute).collect();
        Ok(Value::Matrix(Matrix { entries: found, ..of.real.clone() }))
    };
    let simple = |compute: fn(Number, Number) -> Number| each(of, &Complex::clone(of), compute);
    Some(match (name, rest) {
        ("abs", []) => real(|[a, b]| a.hypot(b)),
        ("angle" | "phase", []) => real(|[a, b]| b.atan2(a)),
        ("real", []) => Ok(Value::Matrix(of.real.clone())),
        ("imag", []) => Ok(Value::Matrix(of.imaginary.clone())),
        ("conj", []) => Ok(value(of.real.clone(), map(&of.imaginary, Class::Double, |it| -it))),
        ("exp", []) => simple(|a, _| exponential(a)),
        ("sqrt", []) => simple(|a, _| power(a, [0.5, 0.0])),
        ("sum" | "mean", _) => both(of, |it| {
            let all: Vec<Value> = std::iter::once(Value::Matrix(it.clone())).chain(rest.to_vec()).collect();
            call::function(name, &all).unwrap_or_else(|| Err("unknown".into())).and_then(super::eval::numbers)
        }),
        ("size" | "numel" | "length" | "isempty" | "ndims" | "isscalar", _) => {
            let all: Vec<Value> =
                std::iter::once(Value::Matrix(of.real.clone())).chain(rest.to_vec()).collect();
            return call::function(name, &all);
        }
        ("isnumeric", []) => Ok(Value::Matrix(Matrix { class: Class::Boolean, ..Matrix::scalar(1.0) })),
        _ => return None,
    })
}

/// The coefficients of the product of x − root, highest power first. Roots that come in conjugate pairs give real coefficients.
pub(super) fn coefficients(roots: &Value) -> Result<Complex, Error> {
    let roots = entries(&parts(roots.clone())?);
    let mut product: Vec<Number> = vec![[1.0, 0.0]];
    for root in &roots {
        let mut next = product.clone();
        next.push([0.0, 0.0]);
        for (place, factor) in product.iter().enumerate() {
            next[place + 1] = minus(next[place + 1], times(*factor, *root));
        }
        product = next;
    }
    let paired = roots.iter().all(|[a, b]| {
        let count = |b: f64| roots.iter().filter(|it| **it == [*a, b]).count();
        *b == 0.0 || count(*b) == count(-b)
    });
    let row = |which: usize| Matrix::row(product.iter().map(|it| it[which]).collect());
    let imaginary = if paired { map(&row(1), Class::Double, |_| 0.0) } else { row(1) };
    Ok(Complex { real: row(0), imaginary })
}

fn polynomial(roots: &Value) -> Result<Value, Error> {
    let Complex { real, imaginary } = coefficients(roots)?;
    Ok(value(real, imaginary))
}

/// The roots of a polynomial with real coefficients, highest power first.
fn roots_of(coefficients: &Value) -> Result<Value, Error> {
    let Some(matrix) = coefficients.matrix() else {
        return Err("`roots` takes real coefficients".into());
    };
    let nothing = Matrix { dimensions: vec![0, 1], ..Matrix::default() };
    let Some(first) = matrix.entries.iter().position(|it| *it != 0.0) else {
        return Ok(Value::Matrix(nothing));
    };
    let last = matrix.entries.iter().rposition(|it| *it != 0.0).unwrap_or(first);
    let (kept, zeros) = (&matrix.entries[first..=last], matrix.entries.len() - 1 - last);
    if kept.len() > MAX_DEGREE + 1 || kept.iter().any(|it| !it.is_finite()) {
        return Err(format!("`roots` takes up to {} finite coefficients", MAX_DEGREE + 1).into());
    }
    let scaled: Vec<f64> = kept.iter().map(|it| it / kept[0]).collect();
    let mut found = match scaled[..] {
        [_, b] => vec![[-b, 0.0]],
        [_, b, c] => quadratic(b, c),
        _ => iterated(&scaled),
    };
    found.extend(std::iter::repeat_n([0.0, 0.0], zeros));
    if found.is_empty() { Ok(Value::Matrix(nothing)) } else { Ok(column(&found)) }
}

/// The roots of x² + bx + c.
fn quadratic(b: f64, c: f64) -> Vec<Number> {
    let (half, under) = (-b / 2.0, b * b / 4.0 - c);
    if under < 0.0 {
        return vec![[half, (-under).sqrt()], [half, -(-under).sqrt()]];
    }
    let larger = if half < 0.0 { half - under.sqrt() } else { half + under.sqrt() };
    let smaller = if larger == 0.0 { 0.0 } else { c / larger };
    vec![[larger, 0.0], [smaller, 0.0]]
}

/// The roots of a polynomial with leading coefficient 1, all at once (Aberth's method); conjugate roots are exactly conjugate.
fn iterated(polynomial: &[f64]) -> Vec<Number> {
    let degree = polynomial.len() - 1;
    let radius = 1.0 + polynomial[1..].iter().fold(0.0f64, |most, it| most.max(it.abs()));
    let start = |it: usize| {
        let angle = std::f64::consts::TAU * it as f64 / degree as f64 + 0.4;
        [radius / 2.0 * angle.cos(), radius / 2.0 * angle.sin()]
    };
    let mut roots: Vec<Number> = (0..degree).map(start).collect();
    for _ in 0..ROUNDS {
        let mut moved = 0.0f64;
        for at in 0..degree {
            let x = roots[at];
            let (mut y, mut slope) = ([0.0, 0.0], [0.0, 0.0]);
            for coefficient in polynomial {
                let [a, b] = times(slope, x);
                slope = [a + y[0], b + y[1]];
                let [a, b] = times(y, x);
                y = [a + coefficient, b];
            }
            if y == [0.0, 0.0] {
                continue;
            }
            let quotient = over(y, slope);
            let mut others = [0.0, 0.0];
            for (place, root) in roots.iter().enumerate() {
                let difference = minus(x, *root);
                if place != at && difference != [0.0, 0.0] {
                    let [a, b] = over([1.0, 0.0], difference);
                    others = [others[0] + a, others[1] + b];
                }
            }
            let step = over(quotient, minus([1.0, 0.0], times(quotient, others)));
            if step.iter().all(|it| it.is_finite()) {
                roots[at] = minus(x, step);
                moved = moved.max(step[0].hypot(step[1]) / x[0].hypot(x[1]).max(f64::MIN_POSITIVE));
            }
        }
        if moved < f64::EPSILON {
            break;
        }
    }
    // Roots near the real axis are real; of the others, those above it stay, with their conjugates.
    let is_real = |[a, b]: &Number| b.abs() <= 1e-9 * a.hypot(*b);
    let mut found: Vec<Number> = Vec::new();
    for root in &roots {
        if is_real(root) {
            found.push([root[0], 0.0]);
        } else if root[1] > 0.0 {
            found.extend([*root, [root[0], -root[1]]]);
        }
    }
    if found.len() != degree {
        return roots;
    }
    found.sort_by(|a, b| b[0].hypot(b[1]).total_cmp(&a[0].hypot(a[1])).then(b[1].total_cmp(&a[1])));
    found
}
