//! Gains of state feedback and of observers: `lqr`, `dlqr`, `lqe`, and the poles of a system with one input (`acker`, `place`).
//!
//! The gain of `lqr` is that of the stabilizing solution of a Riccati equation, which is unique: in continuous time from the sign of the
//! Hamiltonian matrix (Roberts 1980) and steps of Newton's method (Kleinman 1968), in discrete time by doubling (Chu, Fan, Lin and Wang 2004).

use super::linear::{self, Form, Linear};
use super::matrix::{self, binary, identity, product, solve, transpose};
use super::parse::Binary;
use super::{Error, complex};
use crate::value::{Matrix, Value};

type Answer<T = Matrix> = Result<T, Error>;

/// The maximum order of a system, and of one whose solution is improved by Newton's method.
const MAX_ORDER: usize = 30;
const MAX_IMPROVED: usize = 12;
/// The maximum number of turns of an iteration.
const TURNS: usize = 100;

/// A gain, and the solution of its Riccati equation if there is one; none if there is no function of that name.
pub(super) fn results(name: &str, arguments: &[Value]) -> Option<Answer<(Matrix, Option<Matrix>)>> {
    let known = matches!(name, "lqr" | "dlqr" | "lqe" | "acker" | "place");
    known.then(|| {
        let values = |from: usize| arguments[from..].iter().map(numbers).collect::<Answer<Vec<Matrix>>>();
        match (name, arguments) {
            ("lqr", [system, _, _] | [system, _, _, _]) if linear::is_system(system) => {
                let Linear { form: Form::States([a, b, ..]), time } = linear::system(system)? else {
                    return Err("`lqr` takes a state space or its matrices".into());
                };
                optimal(&[vec![a, b], values(1)?].concat(), time != 0.0)
            }
            ("lqr" | "dlqr", [_, _, _, _] | [_, _, _, _, _]) => optimal(&values(0)?, name == "dlqr"),
            ("lqe", [_, _, _, _, _] | [_, _, _, _, _, _]) => observer(&values(0)?),
            ("acker" | "place", [_, _, poles]) => {
                let [a, b] = [numbers(&arguments[0])?, numbers(&arguments[1])?];
                placed(name, &a, &b, poles).map(|it| (it, None))
            }
            _ => {
                Err(format!("`{name}` with {} is not supported", base::counted(arguments.len(), "argument"))
                    .into())
            }
        }
    })
}

/// The gain of a function; none if there is no function of that name.
pub(super) fn function(name: &str, arguments: &[Value]) -> Option<Answer<Value>> {
    results(name, arguments).map(|it| it.map(|(gain, _)| Value::Matrix(gain)))
}

fn numbers(value: &Value) -> Answer {
    let found = value.matrix().filter(|it| it.entries.iter().all(|it| it.is_finite()));
    found.cloned().ok_or_else(|| "expected a matrix of finite numbers".into())
}

/// The problem of `lqr`: the system, and the weights of its states, its inputs and both.
struct Problem {
    a: Matrix,
    b: Matrix,
    q: Matrix,
    r: Matrix,
    n: Matrix,
}

impl Problem {
    fn of(matrices: &[Matrix]) -> Answer<Problem> {
        let [a, b, q, r, rest @ ..] = matrices else { return Err("matrices are missing".into()) };
        let (order, inputs) = (a.rows(), b.columns());
        let none = || Matrix {
            dimensions: vec![order, inputs],
            entries: vec![0.0; order * inputs],
            ..Matrix::default()
        };
        let n = rest.first().cloned().unwrap_or_else(none);
        let sizes = [(a, [order, order]), (b, [order, inputs]), (q, [order, order]), (r, [inputs, inputs])];
        let fit = sizes.iter().chain(&[(&n, [order, inputs])]).all(|(it, size)| it.dimensions == *size);
        if !fit || order == 0 || inputs == 0 || order > MAX_ORDER {
            return Err("the sizes of the matrices do not match, or are not supported".into());
        }
        if !is_symmetric(q)? || !is_symmetric(r)? || !is_positive(r) {
            return Err("the weights are not symmetric, or that of the inputs is not positive".into());
        }
        Ok(Problem { a: a.clone(), b: b.clone(), q: q.clone(), r: r.clone(), n })
    }

    /// The system and its weight of states without a weight of both, and B R⁻¹ Bᵀ.
    fn plain(&self) -> Answer<[Matrix; 3]> {
        let a = minus(&self.a, &product(&self.b, &solve(&self.r, &transpose(&self.n)?)?)?)?;
        let q = minus(&self.q, &product(&self.n, &solve(&self.r, &transpose(&self.n)?)?)?)?;
        Ok([a, q, product(&self.b, &solve(&self.r, &transpose(&self.b)?)?)?])
    }

    /// The stabilizing solution of Aᵀ S + S A − (S B + N) R⁻¹ (Bᵀ S + Nᵀ) + Q = 0, and its gain.
    fn continuous(&self) -> Answer<(Matrix, Matrix)> {
        let order = self.a.rows();
        let [a, q, g] = self.plain()?;
        let hamiltonian = blocks([[&a, &negative(&g)], [&negative(&q), &negative(&transpose(&a)?)]]);
        let sign = sign(&hamiltonian)?;
        let part = |row: usize, column: usize| part(&sign, row * order, column * order, order);
        // (W12; W22 + I) S = −(W11 + I; W21), by least squares.
        let one = identity(order, order);
        let left = [part(0, 1), plus(&part(1, 1), &one)?];
        let right = [negative(&plus(&part(0, 0), &one)?), negative(&part(1, 0))];
        let squares = |other: &[Matrix; 2]| {
            let [first, second] =
                [0, 1].map(|it| transpose(&left[it]).and_then(|it_left| product(&it_left, &other[it])));
            plus(&first?, &second?)
        };
        let mut s = symmetric(&solve(&squares(&left)?, &squares(&right)?).map_err(|_| none())?)?;
        for _ in 0..if order <= MAX_IMPROVED { 3 } else { 0 } {
            s = self.improved(&s)?;
        }
        let gain = self.gain(&s)?;
        let closed = minus(&self.a, &product(&self.b, &gain)?)?;
        // A stable matrix has the sign −1.
        let stable = self::sign(&closed)?;
        if norm(&plus(&stable, &one)?) > 1e-6 {
            return Err("there is no gain that makes the system stable".into());
        }
        Ok((gain, s))
    }

    fn gain(&self, s: &Matrix) -> Answer {
        solve(&self.r, &plus(&product(&transpose(&self.b)?, s)?, &transpose(&self.n)?)?)
    }

    /// A step of Newton's method: the solution of a Lyapunov equation for the gain of the last one.
    fn improved(&self, s: &Matrix) -> Answer {
        let order = s.rows();
        let k = self.gain(s)?;
        let closed = minus(&self.a, &product(&self.b, &k)?)?;
        let mixed = product(&self.n, &k)?;
        let weight = plus(&self.q, &product(&transpose(&k)?, &product(&self.r, &k)?)?)?;
        let weight = minus(&weight, &plus(&mixed, &transpose(&mixed)?)?)?;
        let size = order * order;
        let mut equations =
            Matrix { dimensions: vec![size, size], entries: vec![0.0; size * size], ..Matrix::default() };
        // (Aᵀ S + S A)(i, j) = Σ A(k, i) S(k, j) + Σ S(i, k) A(k, j).
        for i in 0..order {
            for j in 0..order {
                for k in 0..order {
                    let row = j * order + i;
                    equations.entries[(j * order + k) * size + row] += closed.entries[i * order + k];
                    equations.entries[(k * order + i) * size + row] += closed.entries[j * order + k];
                }
            }
        }
        let right = Matrix { dimensions: vec![size, 1], ..negative(&weight) };
        let found = solve(&equations, &right)?;
        symmetric(&Matrix { dimensions: vec![order, order], ..found })
    }

    /// The stabilizing solution of S = Aᵀ S A − (Aᵀ S B + N) (Bᵀ S B + R)⁻¹ (Bᵀ S A + Nᵀ) + Q, and its gain.
    fn discrete(&self) -> Answer<(Matrix, Matrix)> {
        let one = identity(self.a.rows(), self.a.rows());
        let [mut a, mut h, mut g] = self.plain()?;
        let mut settled = false;
        for _ in 0..TURNS {
            let between = plus(&one, &product(&g, &h)?)?;
            let [moved, spread] = [solve(&between, &a)?, solve(&between, &g)?];
            let next = plus(&h, &product(&transpose(&a)?, &product(&h, &moved)?)?)?;
            g = symmetric(&plus(&g, &product(&a, &product(&spread, &transpose(&a)?)?)?)?)?;
            a = product(&a, &moved)?;
            let change = norm(&minus(&next, &h)?);
            h = symmetric(&next)?;
            settled = change <= 1e-15 * norm(&h);
            if settled {
                break;
            }
        }
        let under = plus(&product(&transpose(&self.b)?, &product(&h, &self.b)?)?, &self.r)?;
        let over = plus(&product(&transpose(&self.b)?, &product(&h, &self.a)?)?, &transpose(&self.n)?)?;
        let gain = solve(&under, &over)?;
        let mut closed = minus(&self.a, &product(&self.b, &gain)?)?;
        for _ in 0..40 {
            closed = product(&closed, &closed)?;
        }
        if !settled || norm(&closed).is_nan() || norm(&closed) > 1e-3 {
            return Err("there is no gain that makes the system stable".into());
        }
        Ok((gain, h))
    }
}

fn optimal(matrices: &[Matrix], is_discrete: bool) -> Answer<(Matrix, Option<Matrix>)> {
    let problem = Problem::of(matrices)?;
    let (gain, s) = if is_discrete { problem.discrete()? } else { problem.continuous()? };
    Ok((gain, Some(s)))
}

/// `lqe(A, G, C, Q, R, N)`: the gain of a Kalman filter is that of the transposed system.
fn observer(matrices: &[Matrix]) -> Answer<(Matrix, Option<Matrix>)> {
    let [a, g, c, q, r, rest @ ..] = matrices else { return Err("matrices are missing".into()) };
    let noise = product(g, &product(q, &transpose(g)?)?)?;
    let mut dual = vec![transpose(a)?, transpose(c)?, noise, r.clone()];
    if let [n] = rest {
        dual.push(product(g, n)?);
    }
    let (gain, s) = optimal(&dual, false)?;
    Ok((transpose(&gain)?, s))
}

/// The gain that gives a system with one input these poles (Ackermann): the last row of the inverse of (b, Ab, …), times the polynomial of A.
fn placed(name: &str, a: &Matrix, b: &Matrix, poles: &Value) -> Answer {
    let order = a.rows();
    if a.dimensions != [order, order] || b.dimensions != [order, 1] || order == 0 || order > MAX_ORDER {
        return Err(format!("`{name}` is supported for systems with one input").into());
    }
    let polynomial = complex::coefficients(poles)?;
    if polynomial.real.entries.len() != order + 1 || polynomial.imaginary.entries.iter().any(|it| *it != 0.0)
    {
        return Err(
            format!("`{name}` takes a pole for each state; complex ones come in conjugate pairs").into()
        );
    }
    let (mut reached, mut column) = (Vec::new(), b.clone());
    for _ in 0..order {
        reached.extend(column.entries.iter().copied());
        column = product(a, &column)?;
    }
    let reached = Matrix { dimensions: vec![order, order], entries: reached, ..Matrix::default() };
    let mut value = identity(order, order);
    for coefficient in &polynomial.real.entries[1..] {
        value = product(&value, a)?;
        (0..order).for_each(|it| value.entries[it * order + it] += coefficient);
    }
    let last = Matrix::row((0..order).map(|it| f64::from(it + 1 == order)).collect());
    let row = transpose(&solve(&transpose(&reached)?, &transpose(&last)?)?)?;
    product(&row, &value)
}

fn none() -> Error {
    "the equation of this gain has no stabilizing solution".into()
}

/// The sign of a matrix, by Newton's method with scaling.
fn sign(matrix: &Matrix) -> Answer {
    let order = matrix.rows() as f64;
    let mut z = matrix.clone();
    let mut is_near = false;
    for _ in 0..TURNS {
        let inverse = matrix::inverse(&z).map_err(|_| none())?;
        let scale = if is_near { 1.0 } else { matrix::determinant(&z)?.abs().powf(-1.0 / order) };
        let next = plus(&scaled(&z, 0.5 * scale), &scaled(&inverse, 0.5 / scale))?;
        let change = norm(&minus(&next, &z)?) / norm(&next);
        z = next;
        match change {
            change if change.is_nan() => return Err(none()),
            change if change <= 1e-14 => return Ok(z),
            // Rounding errors stop the iteration from settling any further.
            _ if is_near && change <= 1e-11 => return Ok(z),
            change => is_near = change <= 1e-2,
        }
    }
    Err(none())
}

fn plus(a: &Matrix, b: &Matrix) -> Answer {
    binary(Binary::Add, a, b)
}

fn minus(a: &Matrix, b: &Matrix) -> Answer {
    binary(Binary::Subtract, a, b)
}

fn negative(a: &Matrix) -> Matrix {
    scaled(a, -1.0)
}

fn scaled(a: &Matrix, factor: f64) -> Matrix {
    matrix::map(a, a.class, |it| it * factor)
}

fn norm(a: &Matrix) -> f64 {
    a.entries.iter().map(|it| it * it).sum::<f64>().sqrt()
}

fn symmetric(a: &Matrix) -> Answer {
    Ok(scaled(&plus(a, &transpose(a)?)?, 0.5))
}

fn is_symmetric(a: &Matrix) -> Answer<bool> {
    Ok(norm(&minus(a, &transpose(a)?)?) <= 1e-10 * norm(a))
}

/// Whether a symmetric matrix is positive definite: all its leading determinants are positive.
fn is_positive(a: &Matrix) -> bool {
    let of = |size: usize| matrix::determinant(&part(a, 0, 0, size));
    (1..=a.rows()).all(|size| of(size).is_ok_and(|it| it > 0.0))
}

/// A square part of a matrix.
fn part(a: &Matrix, row: usize, column: usize, size: usize) -> Matrix {
    let entries = (column..column + size).flat_map(|it| a.entries[it * a.rows() + row..][..size].to_vec());
    Matrix { dimensions: vec![size, size], entries: entries.collect(), ..Matrix::default() }
}

/// A matrix of four square ones.
fn blocks(parts: [[&Matrix; 2]; 2]) -> Matrix {
    let size = parts[0][0].rows();
    let entry = |row: usize, column: usize| {
        parts[row / size][column / size].entries[column % size * size + row % size]
    };
    let places = (0..2 * size).flat_map(|column| (0..2 * size).map(move |row| (row, column)));
    let entries = places.map(|(row, column)| entry(row, column)).collect();
    Matrix { dimensions: vec![2 * size, 2 * size], entries, ..Matrix::default() }
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
        let cases: [(&str, Vec<f64>); 18] = [
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
            ("place(eye(2), eye(2), [-1 -2])", "one input"),
            ("place([0 1; 0 0], [0; 1], [-1 + 2i, -1])", "conjugate"),
            ("dlqr([2 0; 0 2], [1; 0], eye(2), 1)", "stable"),
            ("lqr(1)", "with 1 argument is not supported"),
        ] {
            let error = value(text).expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
