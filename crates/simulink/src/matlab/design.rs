//! Functions that design controllers (`lqr`, `dlqr`, `lqe`, `place`, `acker`), the matrices that they are about (`ctrb`, `obsv`), the parts of
//! linear systems (`ssdata`, `tfdata`), and fits of polynomials (`polyfit`).
//!
//! A Riccati equation has one stabilizing solution, so how it is found does not matter. In continuous time, it is the stable subspace of
//! the Hamiltonian matrix, which its matrix sign function separates (Roberts 1980); steps of Newton's method then remove rounding
//! (Kleinman 1968). In discrete time, doubling finds it (Chu, Fan, Lin and Wang 2004). A solution that does not satisfy its equation is an
//! error.

use super::linear::{self, Form, characteristic};
use super::matrix::{binary, determinant, identity, inverse, product, solve, transpose};
use super::parse::Binary;
use super::{Error, call, complex};
use crate::value::{Matrix, Value};

/// The maximum number of states.
const MAX_ORDER: usize = 40;

/// The maximum number of states for which Newton's method solves an equation for each entry.
const MAX_REFINED: usize = 12;

/// The maximum number of rounds of an iteration that converges quadratically.
const MAX_ROUNDS: usize = 100;

/// The relative error of an equation that counts as solved.
const TOLERANCE: f64 = 1e-7;

/// The results of a function, in order; none for other functions. Some functions have more results than are known here.
pub(super) fn results(name: &str, arguments: &[Value]) -> Option<Result<Vec<Value>, Error>> {
    let found = match name {
        "lqr" | "dlqr" => regulator(name == "dlqr", arguments),
        "lqe" => estimator(arguments),
        "place" | "acker" => placed(name, arguments).map(|it| vec![it]),
        "ctrb" => {
            matrices(arguments, 2, &["a", "b"]).and_then(|m| controllability(&m[0], &m[1])).map(|it| vec![it])
        }
        "obsv" => matrices(arguments, 2, &["a", "c"])
            .and_then(|m| controllability(&transpose(&m[0])?, &transpose(&m[1])?))
            .and_then(|it| Ok(vec![transpose(&it)?])),
        "ssdata" => matrices(arguments, 4, &["a", "b", "c", "d"]),
        "tfdata" => return Some(coefficients(arguments)),
        "polyfit" => fitted(arguments).map(|it| vec![it]),
        _ => return None,
    };
    Some(found.map(|all| all.into_iter().map(Value::Matrix).collect()))
}

/// The first result of a function.
pub(super) fn function(name: &str, arguments: &[Value]) -> Option<Result<Value, Error>> {
    let found = results(name, arguments)?;
    Some(found.and_then(|all| all.into_iter().next().ok_or_else(|| format!("`{name}` has no result").into())))
}

/// Matrices; those of a state space may be given as a system before the others.
fn matrices(arguments: &[Value], count: usize, of_system: &[&str]) -> Result<Vec<Matrix>, Error> {
    let (system, rest) = match arguments {
        [first, rest @ ..] if linear::is_system(first) => (Some(first), rest),
        all => (None, all),
    };
    let mut found = Vec::new();
    if let Some(system) = system {
        let Form::States(parts) = linear::system(system)?.form else {
            return Err("expected a state space (`ss`)".into());
        };
        let part =
            |name: &&str| ["a", "b", "c", "d"].iter().position(|it| it == name).map(|it| parts[it].clone());
        found.extend(of_system.iter().filter_map(part));
    }
    for value in rest {
        found.push(value.matrix().cloned().ok_or("expected a matrix of real numbers")?);
    }
    if found.len() != count {
        return Err(format!("the function takes {count} matrices").into());
    }
    if found.iter().any(|it| it.dimensions.len() != 2 || it.rows().max(it.columns()) > MAX_ORDER) {
        return Err("the matrices are too large".into());
    }
    Ok(found)
}

fn plus(a: &Matrix, b: &Matrix) -> Result<Matrix, Error> {
    binary(Binary::Add, a, b)
}

fn minus(a: &Matrix, b: &Matrix) -> Result<Matrix, Error> {
    binary(Binary::Subtract, a, b)
}

fn scaled(a: &Matrix, factor: f64) -> Matrix {
    Matrix { entries: a.entries.iter().map(|it| it * factor).collect(), ..a.clone() }
}

/// The product of several matrices.
fn chain(all: &[&Matrix]) -> Result<Matrix, Error> {
    let (first, rest) = all.split_first().ok_or("expected a matrix")?;
    rest.iter().try_fold((*first).clone(), |so_far, it| product(&so_far, it))
}

/// The largest absolute value; not a number if an entry is not.
fn size(matrix: &Matrix) -> f64 {
    let larger = |most: f64, it: &f64| if it.is_nan() || it.abs() > most { it.abs() } else { most };
    matrix.entries.iter().fold(0.0, larger)
}

/// Four matrices as one.
fn blocks([a, b, c, d]: [&Matrix; 4]) -> Result<Matrix, Error> {
    let row = |left: &Matrix, right: &Matrix| call::join(&[left.clone(), right.clone()], 1);
    call::join(&[row(a, b)?, row(c, d)?], 0)
}

/// A square part of a matrix.
fn part(matrix: &Matrix, row: usize, column: usize, order: usize) -> Matrix {
    let entry = |at: usize| matrix.entries[(column + at / order) * matrix.rows() + row + at % order];
    Matrix {
        dimensions: vec![order, order],
        class: matrix.class,
        entries: (0..order * order).map(entry).collect(),
    }
}

/// The gain, the solution of the Riccati equation, and the poles of the closed loop: `lqr(A, B, Q, R, N)`.
fn regulator(is_discrete: bool, arguments: &[Value]) -> Result<Vec<Matrix>, Error> {
    let is_given = arguments.first().is_some_and(linear::is_system);
    let is_crossed = arguments.len() == if is_given { 4 } else { 5 };
    if is_given && !is_discrete && linear::system(&arguments[0])?.time != 0.0 {
        return regulator(true, arguments);
    }
    let mut all = matrices(arguments, if is_crossed { 5 } else { 4 }, &["a", "b"])?;
    let zero = || Matrix { entries: vec![0.0; all[1].entries.len()], ..all[1].clone() };
    let n = if is_crossed { all.swap_remove(4) } else { zero() };
    let [a, b, q, r] = <[Matrix; 4]>::try_from(all).map_err(|_| "the function takes four matrices")?;
    let order = a.rows();
    let fits = a.columns() == order
        && b.rows() == order
        && [q.rows(), q.columns()] == [order; 2]
        && [r.rows(), r.columns()] == [b.columns(); 2]
        && [n.rows(), n.columns()] == [order, b.columns()];
    if !fits || order == 0 {
        return Err("the sizes of the matrices do not match".into());
    }
    if !is_symmetric(&q)? || !is_symmetric(&r)? || !is_positive(&r) {
        return Err("the weights are not symmetric, or that of the inputs is not positive".into());
    }
    // Without the cross term: u = v - R⁻¹ N' x.
    let crossed = solve(&r, &transpose(&n)?)?;
    let free = minus(&a, &product(&b, &crossed)?)?;
    let cost = minus(&q, &product(&n, &crossed)?)?;
    let weighted = product(&b, &solve(&r, &transpose(&b)?)?)?;
    let x =
        if is_discrete { doubled(&free, &weighted, &cost)? } else { stabilizing(&free, &weighted, &cost)? };
    let (b_t, n_t) = (transpose(&b)?, transpose(&n)?);
    let gain = if is_discrete {
        solve(&plus(&r, &chain(&[&b_t, &x, &b])?)?, &plus(&chain(&[&b_t, &x, &a])?, &n_t)?)?
    } else {
        solve(&r, &plus(&product(&b_t, &x)?, &n_t)?)?
    };
    Ok(vec![gain, x])
}

fn is_symmetric(matrix: &Matrix) -> Result<bool, Error> {
    Ok(size(&minus(matrix, &transpose(matrix)?)?) <= 1e-10 * size(matrix))
}

/// Whether a symmetric matrix is positive definite: all its leading determinants are positive.
fn is_positive(matrix: &Matrix) -> bool {
    let of = |order: usize| determinant(&part(matrix, 0, 0, order));
    (1..=matrix.rows()).all(|order| of(order).is_ok_and(|it| it > 0.0))
}

/// The gain of a Kalman filter, and its covariance: `lqe(A, G, C, Q, R, N)`. It is the regulator of the transposed system.
fn estimator(arguments: &[Value]) -> Result<Vec<Matrix>, Error> {
    let all = matrices(arguments, if arguments.len() == 6 { 6 } else { 5 }, &[])?;
    let [a, g, c, q, r, rest @ ..] = &all[..] else { return Err("`lqe` takes five matrices".into()) };
    let mut dual = vec![transpose(a)?, transpose(c)?, chain(&[g, q, &transpose(g)?])?, r.clone()];
    for crossed in rest {
        dual.push(product(g, crossed)?);
    }
    let dual: Vec<Value> = dual.into_iter().map(Value::Matrix).collect();
    let found = regulator(false, &dual)?;
    let [gain, covariance] = &found[..] else { return Err("`lqe` has no result".into()) };
    Ok(vec![transpose(gain)?, covariance.clone()])
}

/// The matrix sign function, by Newton's method with scaling.
fn sign(matrix: &Matrix) -> Result<Matrix, Error> {
    let mut now = matrix.clone();
    let mut last = f64::INFINITY;
    for _ in 0..MAX_ROUNDS {
        let inverted = inverse(&now)?;
        // Scaling makes both of the same size; at the end it would only add rounding.
        let factor = if last > 0.1 { (size(&inverted) / size(&now)).sqrt() } else { 1.0 };
        let next = scaled(&plus(&scaled(&now, factor), &scaled(&inverted, 1.0 / factor))?, 0.5);
        let change = size(&minus(&next, &now)?) / size(&next);
        now = next;
        if change < 1e-14 || (change < 1e-9 && change >= last) {
            return Ok(now);
        }
        last = change;
    }
    Err("the stable part of the system is not found: it has poles on the boundary".into())
}

fn unstable() -> Error {
    "the Riccati equation has no stabilizing solution".into()
}

/// The stabilizing solution of A' X + X A - X G X + Q = 0.
fn stabilizing(a: &Matrix, g: &Matrix, q: &Matrix) -> Result<Matrix, Error> {
    let order = a.rows();
    let a_t = transpose(a)?;
    let split = sign(&blocks([a, &scaled(g, -1.0), &scaled(q, -1.0), &scaled(&a_t, -1.0)])?)?;
    let one = identity(order, order);
    // The stable subspace is [I; X]: (sign + I) [I; X] = 0, in the sense of least squares.
    let left =
        call::join(&[part(&split, 0, order, order), plus(&part(&split, order, order, order), &one)?], 0)?;
    let right = call::join(&[plus(&part(&split, 0, 0, order), &one)?, part(&split, order, 0, order)], 0)?;
    let mut x = least_squares(&left, &scaled(&right, -1.0)).map_err(|_| unstable())?;
    let error = |x: &Matrix| {
        let found = plus(&plus(&product(&a_t, x)?, &product(x, a)?)?, q)?;
        minus(&found, &chain(&[x, g, x])?)
    };
    for _ in 0..if order <= MAX_REFINED { 2 } else { 0 } {
        let closed = minus(a, &product(g, &x)?)?;
        let change = lyapunov(&closed, &error(&x)?)?;
        x = plus(&x, &change)?;
    }
    x = scaled(&plus(&x, &transpose(&x)?)?, 0.5);
    let closed = sign(&minus(a, &product(g, &x)?)?)?;
    let is_stable = size(&plus(&closed, &one)?) < TOLERANCE.sqrt();
    let scale = size(&product(&x, a)?).max(size(q)).max(size(&chain(&[&x, g, &x])?));
    if is_stable && size(&error(&x)?) <= TOLERANCE * scale { Ok(x) } else { Err(unstable()) }
}

/// X with A' X + X A + Q = 0, one equation for each entry.
fn lyapunov(a: &Matrix, q: &Matrix) -> Result<Matrix, Error> {
    let order = a.rows();
    let mut all =
        Matrix { dimensions: vec![order * order; 2], class: a.class, entries: vec![0.0; order.pow(4)] };
    let mut add = |row: usize, column: usize, value: f64| all.entries[column * order * order + row] += value;
    for column in 0..order {
        for row in 0..order {
            for k in 0..order {
                add(column * order + row, column * order + k, a.entries[row * order + k]);
                add(column * order + row, k * order + row, a.entries[column * order + k]);
            }
        }
    }
    let right = Matrix { dimensions: vec![order * order, 1], ..scaled(q, -1.0) };
    Ok(Matrix { dimensions: vec![order, order], ..solve(&all, &right)? })
}

/// The stabilizing solution of X = A' X (I + G X)⁻¹ A + Q.
fn doubled(a: &Matrix, g: &Matrix, q: &Matrix) -> Result<Matrix, Error> {
    let one = identity(a.rows(), a.rows());
    let (mut step, mut left, mut x) = (a.clone(), g.clone(), q.clone());
    for _ in 0..MAX_ROUNDS {
        let both = inverse(&plus(&one, &product(&left, &x)?)?)?;
        let step_t = transpose(&step)?;
        let change = chain(&[&step_t, &x, &both, &step])?;
        let next = chain(&[&step, &both, &step])?;
        left = plus(&left, &chain(&[&step, &both, &left, &step_t])?)?;
        x = plus(&x, &change)?;
        step = next;
        if size(&change) <= 1e-15 * size(&x) {
            let inner = inverse(&plus(&one, &product(g, &x)?)?)?;
            let again = plus(&chain(&[&transpose(a)?, &x, &inner, a])?, q)?;
            if size(&minus(&again, &x)?) <= TOLERANCE * size(&x).max(size(q)) {
                return Ok(x);
            }
            break;
        }
    }
    Err(unstable())
}

/// [B AB A²B …]
fn controllability(a: &Matrix, b: &Matrix) -> Result<Matrix, Error> {
    let mut all = vec![b.clone()];
    for _ in 1..a.rows() {
        all.push(product(a, &all[all.len() - 1])?);
    }
    call::join(&all, 1)
}

/// The gain that gives the closed loop some poles, by Ackermann's formula. With several inputs there are many such gains.
fn placed(name: &str, arguments: &[Value]) -> Result<Matrix, Error> {
    let [rest @ .., poles] = arguments else { return Err(format!("`{name}` takes three arguments").into()) };
    let all = matrices(rest, 2, &["a", "b"])?;
    let (a, b) = (&all[0], &all[1]);
    let order = a.rows();
    if b.columns() != 1 {
        let message = format!("`{name}` with several inputs is not supported: it has many answers");
        return Err(Error::from(message).hint("set the variable to its value"));
    }
    let wanted = complex::coefficients(poles)?;
    if wanted.imaginary.entries.iter().any(|it| *it != 0.0) || wanted.real.entries.len() != order + 1 {
        return Err("expected a pole for each state, and complex ones in pairs".into());
    }
    let wanted = wanted.real.entries;
    let one = identity(order, order);
    let start = scaled(&one, 0.0);
    let formed =
        wanted.iter().try_fold(start, |so_far, it| plus(&product(&so_far, a)?, &scaled(&one, *it)))?;
    let rows = solve(&controllability(a, b)?, &formed)?;
    let last = (0..order).map(|column| rows.entries[column * order + order - 1]).collect();
    let gain = Matrix::row(last);
    let found = characteristic(&minus(a, &product(b, &gain)?)?)?;
    let scale = wanted.iter().fold(0.0, |most: f64, it| most.max(it.abs()));
    let is_close = found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() <= 1e-6 * scale);
    if is_close { Ok(gain) } else { Err("the poles cannot be placed: the system is not controllable".into()) }
}

/// Numerator and denominator of a system, as vectors: `tfdata(sys, 'v')`.
fn coefficients(arguments: &[Value]) -> Result<Vec<Value>, Error> {
    let [of, Value::Text(form)] = arguments else { return Err("`tfdata` is supported with 'v'".into()) };
    let found = linear::function("tf", std::slice::from_ref(of)).filter(|_| form == "v");
    let Some(Ok(Value::Struct(fields))) = found else {
        return Err("expected a linear system and 'v'".into());
    };
    let field = |name: &str| match fields.iter().find(|it| it.0 == name) {
        Some((_, Value::Cell(all))) if all.len() == 1 => Ok(all[0].clone()),
        _ => Err(Error::from("several inputs or outputs are not supported")),
    };
    Ok(vec![field("num")?, field("den")?])
}

/// The coefficients of a polynomial through points: `polyfit(x, y, n)`.
fn fitted(arguments: &[Value]) -> Result<Matrix, Error> {
    let [x, y, degree] = arguments else { return Err("`polyfit` takes three arguments".into()) };
    let vector = |value: &Value| match value.matrix() {
        Some(it) if it.dimensions.len() == 2 && (it.rows() == 1 || it.columns() == 1) => {
            Ok(it.entries.clone())
        }
        _ => Err(Error::from("expected a vector")),
    };
    let (x, y) = (vector(x)?, vector(y)?);
    let degree =
        degree.matrix().and_then(Matrix::single).filter(|it| it.fract() == 0.0 && (0.0..=20.0).contains(it));
    let degree = degree.ok_or("expected the degree of a polynomial")? as i32;
    if x.len() != y.len() || x.len() <= degree as usize {
        return Err("there are too few points for the polynomial".into());
    }
    let powers = (0..=degree).rev().flat_map(|power| x.iter().map(move |it| it.powi(power))).collect();
    let table =
        Matrix { dimensions: vec![x.len(), degree as usize + 1], entries: powers, ..Matrix::default() };
    let right = Matrix { dimensions: vec![y.len(), 1], entries: y, ..Matrix::default() };
    Ok(Matrix::row(least_squares(&table, &right)?.entries))
}

/// `x` with the least `|a * x - b|`, by reflections (Householder 1958).
fn least_squares(a: &Matrix, b: &Matrix) -> Result<Matrix, Error> {
    let (rows, columns, width) = (a.rows(), a.columns(), b.columns());
    let mut all: Vec<Vec<f64>> =
        a.entries.chunks(rows).chain(b.entries.chunks(rows)).map(<[f64]>::to_vec).collect();
    for place in 0..columns {
        let length = all[place][place..].iter().map(|it| it * it).sum::<f64>().sqrt();
        let mut mirror = all[place][place..].to_vec();
        mirror[0] += length.copysign(mirror[0]);
        let square = mirror.iter().map(|it| it * it).sum::<f64>();
        if square == 0.0 {
            return Err("the equations have no single solution".into());
        }
        for column in all.iter_mut().skip(place) {
            let along = column[place..].iter().zip(&mirror).map(|(a, b)| a * b).sum::<f64>();
            let factor = 2.0 * along / square;
            column[place..].iter_mut().zip(&mirror).for_each(|(entry, it)| *entry -= factor * it);
        }
    }
    let mut entries = Vec::new();
    for right in &all[columns..] {
        let mut x = vec![0.0; columns];
        for row in (0..columns).rev() {
            let rest: f64 = (row + 1..columns).map(|k| all[k][row] * x[k]).sum();
            x[row] = (right[row] - rest) / all[row][row];
        }
        entries.extend(x);
    }
    Ok(Matrix { dimensions: vec![columns, width], class: a.class, entries })
}

#[cfg(test)]
mod tests {
    use super::super::{FUEL, evaluate};
    use std::cell::Cell;

    /// The value of an expression, or what is wrong with it.
    fn value(text: &str) -> Result<Vec<f64>, String> {
        let found = evaluate(text, &|_| None, &Cell::new(FUEL)).map_err(|error| error.message)?;
        Ok(found.matrix().expect("a gain is a matrix").entries.clone())
    }

    /// Gains that are derived by hand.
    #[test]
    fn gains() {
        let root = f64::sqrt;
        let golden = (1.0 + root(5.0)) / 2.0;
        let cases: [(&str, Vec<f64>); 20] = [
            // x' = a x + b u: b² s² / r − 2 a s − q = 0, k = b s / r.
            ("lqr(0, 1, 1, 1)", vec![1.0]),
            ("lqr(1, 1, 3, 1)", vec![3.0]),
            ("lqr(-2, 4, 5, 4)", vec![(root(4.0 + 20.0) - 2.0) / 4.0]),
            // A weight of both moves the system: a − b n / r, q − n² / r.
            ("lqr(1, 1, 4, 1, 1)", vec![1.0 + root(3.0)]),
            // A double integrator: k = (√q, √(2 √q)).
            ("lqr([0 1; 0 0], [0; 1], [1 0; 0 0], 1)", vec![1.0, root(2.0)]),
            ("lqr([0 1; 0 0], [0; 1], [16 0; 0 0], 1)", vec![4.0, root(8.0)]),
            ("lqr([0 1; 0 0], [0; 1], eye(2), 1)", vec![1.0, root(3.0)]),
            ("lqr(ss([0 1; 0 0], [0; 1], [1 0], 0), eye(2), 1)", vec![1.0, root(3.0)]),
            // Two systems that have nothing to do with each other.
            ("lqr([0 0; 0 1], eye(2), [1 0; 0 3], eye(2))", vec![1.0, 0.0, 0.0, 3.0]),
            // x(k+1) = a x + b u: s = a² s r / (r + b² s) + q, k = a b s / (r + b² s).
            ("dlqr(1, 1, 1, 1)", vec![golden / (1.0 + golden)]),
            ("dlqr(2, 1, 1, 1)", vec![golden]),
            ("lqr(ss(1, 1, 1, 0, 0.1), 1, 1)", vec![golden / (1.0 + golden)]),
            ("lqe(0, 1, 1, 4, 1)", vec![2.0]),
            ("lqe([0 1; 0 0], [0; 1], [1 0], 1, 1)", vec![root(2.0), 1.0]),
            // Noise that both have in common: s² + 2 n s = q − n², and n more.
            ("lqe(0, 1, 1, 4, 1, 1)", vec![2.0]),
            ("lqe([0 1; 0 0], [0; 1], [1 0], 1, 1, 0)", vec![root(2.0), 1.0]),
            ("acker([0 1; 0 0], [0; 1], [-1 -2])", vec![2.0, 3.0]),
            ("place([0 1; 0 0], [0; 1], [-1 + 2i, -1 - 2i])", vec![5.0, 2.0]),
            ("place([0 1; 2 3], [0; 2], [-1 -4])", vec![3.0, 4.0]),
            ("place([1 1; 0 2]', [1 0]', [-1 -3])'", vec![7.0, 15.0]),
        ];
        for (text, want) in cases {
            let found = value(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let near = found.iter().zip(&want).all(|(a, b)| (a - b).abs() <= 1e-9 * (1.0 + b.abs()));
            assert!(near && found.len() == want.len(), "{text}: {found:?}, not {want:?}");
        }
    }

    /// A gain of a larger system solves its equation: the poles of an inverted pendulum on a cart.
    #[test]
    fn pendulum() {
        let a = "[0 1 0 0; 0 -0.1818 2.6727 0; 0 0 0 1; 0 -0.4545 31.1818 0]";
        let text = format!("lqr({a}, [0; 1.8182; 0; 4.5455], diag([5000 0 100 0]), 1)");
        let found = value(&text).expect("it is stabilizable");
        let want = [-70.7107, -37.8345, 105.5298, 20.9238];
        let near = found.iter().zip(want).all(|(a, b)| (a - b).abs() <= 2e-2);
        assert!(near, "{found:?}");
    }

    #[test]
    fn refusals() {
        for (text, message) in [
            ("lqr([1 0; 0 1], [1; 0], eye(2), 1)", "stab"),
            ("lqr(1, 1, 1, -1)", "not positive"),
            ("lqr(1, 1, eye(2), 1)", "do not match"),
            ("place(eye(2), eye(2), [-1 -2])", "several inputs"),
            ("place([0 1; 0 0], [0; 1], [-1 + 2i, -1])", "in pairs"),
            ("dlqr([2 0; 0 2], [1; 0], eye(2), 1)", "stabilizing"),
            ("lqr(1)", "takes 4 matrices"),
        ] {
            let error = value(text).expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
