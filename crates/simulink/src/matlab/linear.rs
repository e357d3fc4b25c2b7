//! Linear systems with one input and one output as scripts make them (`tf`, `zpk`, `ss`), their arithmetic, and `c2d`. A system is a struct with
//! the name of its class; state spaces may have several inputs and outputs.

use super::Error;
use super::complex;
use super::matrix::{self, LARGEST};
use super::object::CLASS;
use super::parse::Binary;
use crate::value::{Matrix, Value};

type Answer = Result<Value, Error>;

/// The maximum order of a system that is converted or discretized.
const MAX_ORDER: usize = 40;

/// A linear system in one of its forms, with its sample time; zero for continuous time.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Linear {
    pub(crate) form: Form,
    pub(crate) time: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Form {
    /// Numerator and denominator, highest powers first.
    Quotient(Vec<f64>, Vec<f64>),
    /// The matrices A, B, C and D.
    States([Matrix; 4]),
}

/// The names that a field of a system has, besides its own.
const NAMES: [(&str, &str); 9] = [
    ("Numerator", "num"),
    ("Denominator", "den"),
    ("Z", "z"),
    ("P", "p"),
    ("K", "k"),
    ("A", "a"),
    ("B", "b"),
    ("C", "c"),
    ("D", "d"),
];

/// The class of a value that is a linear system.
fn class(value: &Value) -> Option<&str> {
    let Value::Struct(fields) = value else { return None };
    match fields.iter().find(|(name, _)| name == CLASS) {
        Some((_, Value::Text(class))) if matches!(class.as_str(), "tf" | "zpk" | "ss") => Some(class),
        _ => None,
    }
}

/// Whether a value is a linear system.
pub(super) fn is_system(value: &Value) -> bool {
    class(value).is_some()
}

/// The own name of a field of a value: a system has several names for some.
pub(super) fn field<'n>(value: &Value, name: &'n str) -> &'n str {
    let other = NAMES.iter().find(|(other, _)| *other == name).filter(|_| is_system(value));
    other.map_or(name, |(_, own)| own)
}

fn object(class: &str, fields: Vec<(&str, Value)>, time: f64) -> Value {
    let fields = fields.into_iter().chain([("Ts", Value::scalar(time))]);
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    Value::Struct(std::iter::once((CLASS.to_owned(), Value::Text(class.to_owned()))).chain(fields).collect())
}

/// A quotient of polynomials as a struct: both have the same length, as in MATLAB.
fn quotient(numerator: Vec<f64>, denominator: Vec<f64>, time: f64) -> Answer {
    let (mut over, mut under) = (trimmed(numerator), trimmed(denominator));
    if under.iter().all(|it| *it == 0.0) {
        return Err("the denominator of a transfer function is not zero".into());
    }
    let length = over.len().max(under.len());
    for polynomial in [&mut over, &mut under] {
        polynomial.splice(0..0, std::iter::repeat_n(0.0, length - polynomial.len()));
    }
    let cell = |it: Vec<f64>| Value::Cell(vec![Value::Matrix(Matrix::row(it))]);
    Ok(object("tf", vec![("num", cell(over)), ("den", cell(under))], time))
}

/// A polynomial without leading zeros; at least one number.
fn trimmed(mut polynomial: Vec<f64>) -> Vec<f64> {
    let zeros = polynomial.iter().take_while(|it| **it == 0.0).count();
    polynomial.drain(..zeros);
    if polynomial.is_empty() { vec![0.0] } else { polynomial }
}

/// The system that a value is: a system, or a number as a static gain.
pub(crate) fn system(value: &Value) -> Result<Linear, Error> {
    let known = |name: &str| matches!(name, CLASS | "Ts") || NAMES.iter().any(|(_, own)| *own == name);
    let Value::Struct(fields) = value else {
        return match value.matrix().and_then(Matrix::single) {
            Some(gain) => Ok(Linear { form: Form::Quotient(vec![gain], vec![1.0]), time: 0.0 }),
            None => Err("expected a linear system: `tf`, `zpk`, `ss` or a number".into()),
        };
    };
    let Some(class) = class(value) else { return Err("a struct is not a linear system".into()) };
    if let Some((name, _)) = fields.iter().find(|(name, _)| !known(name)) {
        return Err(format!("the property `{name}` of a linear system is not supported").into());
    }
    let part = |name: &str| {
        let found = fields.iter().find(|(field, _)| field == name).map(|(_, value)| value);
        match found {
            Some(Value::Cell(all)) if all.len() == 1 => Ok(&all[0]),
            Some(Value::Cell(_)) => Err(Error::from("several inputs or outputs are not supported")),
            Some(other) => Ok(other),
            None => Err(format!("the linear system has no `{name}`").into()),
        }
    };
    let numbers = |name: &str| match part(name)? {
        Value::Matrix(matrix) => Ok(matrix.clone()),
        _ => Err(Error::from(format!("`{name}` of a linear system is not real numbers"))),
    };
    let time = numbers("Ts")?.single().ok_or("a sample time is one number")?;
    let form = match class {
        "tf" => Form::Quotient(trimmed(numbers("num")?.entries), trimmed(numbers("den")?.entries)),
        "zpk" => {
            let real = |name: &str| {
                let product = complex::coefficients(part(name)?)?;
                match product.imaginary.entries.iter().all(|it| *it == 0.0) {
                    true => Ok(product.real.entries),
                    false => Err(Error::from("complex zeros and poles must come in conjugate pairs")),
                }
            };
            let gain = numbers("k")?.single().ok_or("several inputs or outputs are not supported")?;
            let over = real("z")?.into_iter().map(|it| it * gain).collect();
            Form::Quotient(trimmed(over), real("p")?)
        }
        _ => Form::States([numbers("a")?, numbers("b")?, numbers("c")?, numbers("d")?]),
    };
    Ok(Linear { form, time })
}

/// Functions that make and change linear systems; none for others.
pub(super) fn function(name: &str, arguments: &[Value]) -> Option<Answer> {
    Some(match (name, arguments) {
        ("tf", [Value::Text(variable)]) if matches!(variable.as_str(), "s" | "p") => {
            quotient(vec![1.0, 0.0], vec![1.0], 0.0)
        }
        ("tf", [Value::Text(variable), time]) if matches!(variable.as_str(), "z" | "q") => {
            number(time).and_then(|time| quotient(vec![1.0, 0.0], vec![1.0], time))
        }
        ("tf", [only]) => system(only).and_then(|it| {
            let (over, under) = polynomials(&it)?;
            quotient(over, under, it.time)
        }),
        ("tf", [over, under, rest @ ..]) => vector(over)
            .and_then(|over| Ok((over, vector(under)?, sample_time(rest)?)))
            .and_then(|(over, under, time)| quotient(over, under, time)),
        ("zpk", [zeros, poles, gain, rest @ ..]) => sample_time(rest).map(|time| {
            let cell = |it: &Value| Value::Cell(vec![it.clone()]);
            object("zpk", vec![("z", cell(zeros)), ("p", cell(poles)), ("k", gain.clone())], time)
        }),
        ("ss", [only]) if !is_system(only) => number(only).map(|gain| {
            let [a, b, c] = [[0, 0], [0, 1], [1, 0]]
                .map(|size| Value::Matrix(Matrix { dimensions: size.to_vec(), ..Matrix::default() }));
            object("ss", vec![("a", a), ("b", b), ("c", c), ("d", Value::scalar(gain))], 0.0)
        }),
        ("ss", [a, b, c, d, rest @ ..]) => sample_time(rest).map(|time| {
            let part = |name: &'static str, value: &Value| (name, value.clone());
            object("ss", vec![part("a", a), part("b", b), part("c", c), part("d", d)], time)
        }),
        ("tf" | "zpk" | "ss", _) => {
            Err(format!("`{name}` with {} is not supported", base::counted(arguments.len(), "argument"))
                .into())
        }
        ("c2d", [of, time, rest @ ..]) => discrete(of, time, rest),
        ("feedback", [forward, back, rest @ ..]) if is_system(forward) || is_system(back) => {
            let sign = match rest {
                [] => Ok(1.0),
                [sign] => number(sign).map(|it| -it),
                _ => Err("`feedback` of several signals is not supported".into()),
            };
            sign.and_then(|sign| feedback(forward, back, sign))
        }
        ("series", [a, b]) if is_system(a) || is_system(b) => binary(Binary::Times, b, a),
        ("parallel", [a, b]) if is_system(a) || is_system(b) => binary(Binary::Add, a, b),
        ("pole", [of]) if is_system(of) => system(of).and_then(|it| {
            let (_, under) = polynomials(&it)?;
            complex::function("roots", &[Value::Matrix(Matrix::row(under))])
                .unwrap_or_else(|| Err("the poles are not known".into()))
        }),
        ("dcgain", [of]) if is_system(of) => system(of).and_then(|it| {
            let (over, under) = polynomials(&it)?;
            let at = if it.time == 0.0 { 0.0 } else { 1.0 };
            let value = |all: &[f64]| all.iter().fold(0.0, |sum, it| sum * at + it);
            Ok(Value::scalar(value(&over) / value(&under)))
        }),
        _ => return None,
    })
}

fn number(value: &Value) -> Result<f64, Error> {
    value.matrix().and_then(Matrix::single).ok_or_else(|| "expected one number".into())
}

fn vector(value: &Value) -> Result<Vec<f64>, Error> {
    match value.matrix() {
        Some(matrix) if matrix.rows() <= 1 || matrix.columns() <= 1 => Ok(matrix.entries.clone()),
        _ => {
            Err("expected a vector of real coefficients; several inputs or outputs are not supported".into())
        }
    }
}

/// The sample time after the other arguments.
fn sample_time(rest: &[Value]) -> Result<f64, Error> {
    match rest {
        [] => Ok(0.0),
        [time] => number(time),
        _ => Err("properties of linear systems are not supported".into()),
    }
}

/// Arithmetic of systems, and of systems and numbers.
pub(super) fn binary(operator: Binary, left: &Value, right: &Value) -> Answer {
    if let (Binary::Power, Some(count)) = (operator, right.matrix().and_then(Matrix::single)) {
        return power(left, count);
    }
    let (a, b) = (system(left)?, system(right)?);
    let time = common_time(&a, &b)?;
    let ((p, q), (r, s)) = (polynomials(&a)?, polynomials(&b)?);
    match operator {
        // Systems with one denominator keep it.
        Binary::Add if q == s => quotient(sum(&p, &r, 1.0), q, time),
        Binary::Subtract if q == s => quotient(sum(&p, &r, -1.0), q, time),
        Binary::Add => quotient(sum(&times(&p, &s), &times(&r, &q), 1.0), times(&q, &s), time),
        Binary::Subtract => quotient(sum(&times(&p, &s), &times(&r, &q), -1.0), times(&q, &s), time),
        Binary::Times | Binary::EachTimes => quotient(times(&p, &r), times(&q, &s), time),
        Binary::Over | Binary::EachOver => quotient(times(&p, &s), times(&q, &r), time),
        _ => Err("this operator is not supported for linear systems".into()),
    }
}

/// The system of opposite sign.
pub(super) fn negative(value: &Value) -> Answer {
    binary(Binary::Times, &Value::scalar(-1.0), value)
}

fn power(value: &Value, count: f64) -> Answer {
    if count.fract() != 0.0 || count.abs() > MAX_ORDER as f64 {
        return Err("a linear system is raised to integers only".into());
    }
    let it = system(value)?;
    let (over, under) = polynomials(&it)?;
    let raised = |base: &[f64]| (0..count.abs() as usize).fold(vec![1.0], |product, _| times(&product, base));
    let (over, under) = (raised(&over), raised(&under));
    if over.len().max(under.len()) > MAX_ORDER + 1 {
        return Err("the linear system is too large".into());
    }
    if count < 0.0 { quotient(under, over, it.time) } else { quotient(over, under, it.time) }
}

/// Two systems work together if they have one sample time; a static gain has any.
fn common_time(a: &Linear, b: &Linear) -> Result<f64, Error> {
    let is_static = |it: &Linear| matches!(&it.form, Form::Quotient(p, q) if p.len() == 1 && q.len() == 1);
    match () {
        () if a.time == b.time || is_static(b) => Ok(a.time),
        () if is_static(a) => Ok(b.time),
        () => Err("the linear systems have different sample times".into()),
    }
}

fn feedback(forward: &Value, back: &Value, sign: f64) -> Answer {
    let (a, b) = (system(forward)?, system(back)?);
    let time = common_time(&a, &b)?;
    let ((p, q), (r, s)) = (polynomials(&a)?, polynomials(&b)?);
    quotient(times(&p, &s), sum(&times(&q, &s), &times(&p, &r), sign), time)
}

pub(super) fn times(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; (a.len() + b.len()).saturating_sub(1)];
    for (i, x) in a.iter().enumerate() {
        for (k, y) in b.iter().enumerate() {
            product[i + k] += x * y;
        }
    }
    product
}

/// The first polynomial and a multiple of the second.
fn sum(a: &[f64], b: &[f64], factor: f64) -> Vec<f64> {
    let length = a.len().max(b.len());
    let at = |all: &[f64], place: usize| (place + all.len()).checked_sub(length).map_or(0.0, |it| all[it]);
    (0..length).map(|it| at(a, it) + factor * at(b, it)).collect()
}

/// Numerator and denominator of a system with one input and one output.
fn polynomials(linear: &Linear) -> Result<(Vec<f64>, Vec<f64>), Error> {
    let (over, under) = match &linear.form {
        Form::Quotient(over, under) => (over.clone(), under.clone()),
        Form::States([a, b, c, d]) => {
            let direct = d.single().ok_or("several inputs or outputs are not supported")?;
            let under = characteristic(a)?;
            // det(zI - A + BC) - det(zI - A) is C adj(zI - A) B.
            let fed = matrix::binary(Binary::Subtract, a, &matrix::product(b, c)?)?;
            let shifted = sum(&characteristic(&fed)?, &under, -1.0);
            (sum(&shifted, &under, direct), under)
        }
    };
    if over.len().max(under.len()) > MAX_ORDER + 1 {
        return Err("the linear system is too large".into());
    }
    Ok((over, under))
}

/// The characteristic polynomial of a square matrix (Faddeev and Le Verrier).
pub(super) fn characteristic(a: &Matrix) -> Result<Vec<f64>, Error> {
    let order = a.rows();
    if a.dimensions != [order, order] || order > MAX_ORDER {
        return Err("expected a square matrix within the limits".into());
    }
    let mut found = vec![1.0];
    let mut m = matrix::identity(order, order);
    for k in 1..=order {
        let product = matrix::product(a, &m)?;
        let trace: f64 = (0..order).map(|it| product.entries[it * order + it]).sum();
        let next = -trace / k as f64;
        found.push(next);
        m = product;
        (0..order).for_each(|it| m.entries[it * order + it] += next);
    }
    Ok(found)
}

/// The exponential of a square matrix: a series for a small part of it, squared again and again.
pub(super) fn exponential(a: &Matrix) -> Result<Matrix, Error> {
    let order = a.rows();
    if a.dimensions != [order, order] || order > 2 * MAX_ORDER || a.entries.iter().any(|it| !it.is_finite()) {
        return Err("`expm` takes a square matrix of finite numbers within the limits".into());
    }
    let size =
        a.entries.chunks(order.max(1)).map(|it| it.iter().map(|it| it.abs()).sum()).fold(0.0, f64::max);
    let halvings = if size > 0.5 { (size / 0.5).log2().ceil() as i32 } else { 0 };
    let small = matrix::map(a, a.class, |it| it * 0.5f64.powi(halvings));
    let (mut total, mut term) = (matrix::identity(order, order), matrix::identity(order, order));
    for k in 1..=20 {
        let next = matrix::product(&term, &small)?;
        term = matrix::map(&next, next.class, |it| it / f64::from(k));
        total = matrix::binary(Binary::Add, &total, &term)?;
    }
    for _ in 0..halvings {
        total = matrix::product(&total, &total)?;
    }
    Ok(total)
}

/// `c2d(sys, Ts, method)`.
fn discrete(of: &Value, time: &Value, rest: &[Value]) -> Answer {
    let (linear, time) = (system(of)?, number(time)?);
    if linear.time != 0.0 || time.is_nan() || time <= 0.0 {
        return Err("`c2d` takes a system in continuous time and a positive sample time".into());
    }
    let method = match rest {
        [] => "zoh",
        [Value::Text(method)] => method,
        _ => return Err("options of `c2d` are not supported".into()),
    };
    match (method, &linear.form) {
        ("zoh", Form::States(matrices)) => {
            let [a, b, c, d] = held(matrices, time)?.map(Value::Matrix);
            Ok(object("ss", vec![("a", a), ("b", b), ("c", c), ("d", d)], time))
        }
        ("zoh", Form::Quotient(over, under)) => {
            let matrices = held(&states(over, under)?, time)?;
            let (over, under) = polynomials(&Linear { form: Form::States(matrices), time })?;
            quotient(over, under, time)
        }
        ("tustin", Form::Quotient(over, under)) => {
            let order = over.len().max(under.len()) - 1;
            if order > MAX_ORDER {
                return Err("the linear system is too large".into());
            }
            let [over, under] = [over, under].map(|it| bilinear(it, order, 2.0 / time));
            let first = under[0];
            let scaled = |all: Vec<f64>| all.into_iter().map(|it| it / first).collect::<Vec<f64>>();
            quotient(scaled(over), scaled(under), time)
        }
        ("tustin", Form::States(_)) => {
            Err("`c2d` of a state space with `tustin` is not supported; use its transfer function, `tf(sys)`"
                .into())
        }
        _ => Err(format!("the method `{method}` of `c2d` is not supported; use `zoh` or `tustin`").into()),
    }
}

/// A polynomial of s at s = factor (z - 1) / (z + 1), times (z + 1) to a power.
fn bilinear(polynomial: &[f64], order: usize, factor: f64) -> Vec<f64> {
    let raised = |base: &[f64], count: usize| (0..count).fold(vec![1.0], |product, _| times(&product, base));
    let mut total = vec![0.0; order + 1];
    for (place, coefficient) in polynomial.iter().enumerate() {
        let degree = polynomial.len() - 1 - place;
        let term = times(&raised(&[1.0, -1.0], degree), &raised(&[1.0, 1.0], order - degree));
        total = sum(&total, &term, coefficient * factor.powi(degree as i32));
    }
    total
}

/// A state space for a quotient, in its controllable form.
fn states(over: &[f64], under: &[f64]) -> Result<[Matrix; 4], Error> {
    let order = under.len() - 1;
    if over.len() > under.len() || order > MAX_ORDER {
        return Err("`c2d` takes a system whose numerator has no greater degree than its denominator".into());
    }
    let scaled: Vec<f64> = under.iter().map(|it| it / under[0]).collect();
    let mut top = vec![0.0; under.len() - over.len()];
    top.extend(over.iter().map(|it| it / under[0]));
    let mut a =
        Matrix { dimensions: vec![order, order], entries: vec![0.0; order * order], ..Matrix::default() };
    for column in 0..order {
        a.entries[column * order] = -scaled[column + 1];
        if column + 1 < order {
            a.entries[column * order + column + 1] = 1.0;
        }
    }
    let first = (0..order).map(|it| f64::from(it == 0)).collect();
    let b = Matrix { dimensions: vec![order, 1], entries: first, ..Matrix::default() };
    let c = Matrix::row((1..=order).map(|it| top[it] - top[0] * scaled[it]).collect());
    Ok([a, b, c, Matrix::scalar(top[0])])
}

/// A state space with its input held between samples: the exponential of [A B; 0 0] times the sample time is [Ad Bd; 0 I].
fn held([a, b, c, d]: &[Matrix; 4], time: f64) -> Result<[Matrix; 4], Error> {
    let (order, inputs) = (a.rows(), b.columns());
    let size = order + inputs;
    if a.dimensions != [order, order] || b.dimensions != [order, inputs] || size * size > LARGEST {
        return Err("the sizes of the matrices of the system do not match".into());
    }
    let mut whole =
        Matrix { dimensions: vec![size, size], entries: vec![0.0; size * size], ..Matrix::default() };
    for column in 0..size {
        for row in 0..order {
            let entry = match column.checked_sub(order) {
                None => a.entries[column * order + row],
                Some(input) => b.entries[input * order + row],
            };
            whole.entries[column * size + row] = entry * time;
        }
    }
    let found = exponential(&whole)?;
    let part = |from: usize, width: usize| Matrix {
        dimensions: vec![order, width],
        entries: (from..from + width)
            .flat_map(|column| found.entries[column * size..column * size + order].to_vec())
            .collect(),
        ..Matrix::default()
    };
    Ok([part(0, order), part(order, inputs), c.clone(), d.clone()])
}
