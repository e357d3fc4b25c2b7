//! Discrete linear systems: the integrator in its three methods, transfer functions, filters, and state space.
//!
//! Transfer functions and filters become a state-space form whose states are those of direct form II, so initial states mean the
//! same. Coefficients are exact.

use super::arithmetic::output;
use super::control::at;
use super::limits::{between, bound, or_default, sample_time};
use super::memory::{check_ports, resets};
use super::parameters::{Fault, Outcome, entries, finite, is_on, matrix, word};
use super::work::{Kept, Signal, Work};
use crate::plan::{Unit, UnitId};
use dashu_ratio::RBig;
use system::{Expr, Pool};

/// The most states of a filter, and the most zeros or poles, whose product is computed.
const MAX_ORDER: usize = 10_000;
const MAX_ROOTS: usize = 100;

/// The entries of a row of a matrix that are not zero, with their columns.
type Row = Vec<(usize, RBig)>;

/// x' = A x + B u, y = C x + D u; all by rows.
struct Linear {
    a: Vec<Row>,
    b: Vec<Row>,
    c: Vec<Row>,
    d: Vec<Row>,
    initial: Vec<f64>,
    /// Whether each element of the input has a system of its own.
    channels: bool,
}

pub(crate) fn linear(work: &mut Work, id: UnitId, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let linear = realization(unit)?;
    let width = output(unit)?.1;
    check_ports(unit, width)?;
    let [input] = inputs else {
        return Err(Fault::hint(
            "resets, coefficients and initial states from ports are not supported",
            "give them as numbers",
        ));
    };
    let channels = if linear.channels { width } else { 1 };
    let size = [&linear.a, &linear.b, &linear.c, &linear.d].into_iter().flatten().map(Vec::len).sum();
    work.reserve(channels, size)?;
    let (mut states, mut outputs) = (Vec::new(), Vec::new());
    for channel in 0..channels {
        let mut now = Vec::new();
        for place in 0..linear.a.len() {
            let init = work.real(at(&linear.initial, place))?;
            let kept = work.state(id, "state", init);
            now.push(kept.seen);
            states.push(kept);
        }
        let given = given(work, &linear, input, channel)?;
        for (c, d) in linear.c.iter().zip(&linear.d) {
            let from_state = combined(work, c, &now);
            let from_input = combined(work, d, &given);
            outputs.push(work.pool().add(from_state, from_input));
        }
    }
    work.kept.insert(id, states);
    Ok(outputs)
}

pub(crate) fn finish_linear(work: &mut Work, id: UnitId, unit: &Unit, inputs: &[Signal]) -> Outcome<()> {
    let linear = realization(unit)?;
    let states: Vec<Kept> = work.kept.get(&id).cloned().unwrap_or_default();
    let input = inputs.first().ok_or_else(|| Fault::new("it has no input"))?;
    for (channel, states) in states.chunks(linear.a.len().max(1)).enumerate() {
        let given = given(work, &linear, input, channel)?;
        let now: Vec<Expr> = states.iter().map(|it| it.seen).collect();
        for ((a, b), kept) in linear.a.iter().zip(&linear.b).zip(states) {
            let from_state = combined(work, a, &now);
            let from_input = combined(work, b, &given);
            let next = work.pool().add(from_state, from_input);
            work.update(id, *kept, next);
        }
    }
    Ok(())
}

/// The inputs of one system; none if they are not known yet.
fn given(work: &mut Work, linear: &Linear, input: &Signal, channel: usize) -> Outcome<Vec<Expr>> {
    if input.scalars.is_empty() {
        return Ok(Vec::new());
    }
    let scalars = if linear.channels { vec![input.at(channel)?] } else { input.scalars.clone() };
    Ok(scalars.into_iter().map(|it| work.real_of(it)).collect())
}

fn combined(work: &mut Work, factors: &Row, values: &[Expr]) -> Expr {
    let mut sum = work.ratio(0, 1);
    for (column, factor) in factors {
        let Some(value) = values.get(*column) else { continue };
        let factor = work.pool().real(factor.clone());
        let term = work.pool().mul(factor, *value);
        sum = work.pool().add(sum, term);
    }
    sum
}

fn realization(unit: &Unit) -> Outcome<Linear> {
    if unit.kind == "DiscreteStateSpace" {
        return state_space(unit);
    }
    let numbers = |name: &str| -> Outcome<Vec<RBig>> {
        let all = matrix(unit, name)?;
        if all.rows() > 1 && all.columns() > 1 {
            return Err(Fault::new("several numerators are not supported"));
        }
        let most = if unit.kind == "DiscreteZeroPole" { MAX_ROOTS } else { MAX_ORDER };
        if all.entries.len() > most {
            return Err(Fault::new(format!("the parameter `{name}` has more than {most} numbers")));
        }
        all.entries.iter().map(|it| finite(*it)).collect()
    };
    let (mut over, mut under) = match unit.kind.as_str() {
        "DiscreteZeroPole" => {
            let (mut over, under) = (polynomial(&numbers("Zeros")?), polynomial(&numbers("Poles")?));
            let gain = finite(or_default(unit, "Gain", 1.0))?;
            over.iter_mut().for_each(|it| *it = &*it * &gain);
            (over, under)
        }
        "DiscreteFir" => (numbers("Coefficients")?, vec![RBig::ONE]),
        _ => (numbers("Numerator")?, numbers("Denominator")?),
    };
    // Powers of z fall from the left in one, those of 1/z rise from the left in the other.
    let falling = matches!(unit.kind.as_str(), "DiscreteTransferFcn" | "DiscreteZeroPole");
    if falling {
        if over.len() > under.len() {
            return Err(Fault::new("its numerator has a greater degree than its denominator"));
        }
        let missing = under.len() - over.len();
        over.splice(0..0, std::iter::repeat_n(RBig::ZERO, missing));
    } else {
        let length = over.len().max(under.len());
        over.resize(length, RBig::ZERO);
        under.resize(length, RBig::ZERO);
    }
    let Some(first) = under.first().filter(|it| !it.is_zero()).cloned() else {
        return Err(Fault::new("its denominator starts with zero"));
    };
    over.iter_mut().chain(under.iter_mut()).for_each(|it| *it = &*it / &first);
    let order = under.len() - 1;
    let first = |it: usize| if it == 0 { vec![(0, RBig::ONE)] } else { Vec::new() };
    let shift = (1..order).map(|it| vec![(it - 1, RBig::ONE)]);
    let feedback = row(under[1..].iter().map(|it| -it.clone()));
    let a = [feedback].into_iter().take(order).chain(shift).collect();
    let b = (0..order).map(first).collect();
    let c = row((1..=order).map(|it| &over[it] - &over[0] * &under[it]));
    let d = row([over[0].clone()]);
    let initial = entries(unit, "InitialStates").to_vec();
    Ok(Linear { a, b, c: vec![c], d: vec![d], initial, channels: true })
}

/// The entries of a row that are not zero.
fn row(entries: impl IntoIterator<Item = RBig>) -> Row {
    entries.into_iter().enumerate().filter(|(_, it)| !it.is_zero()).collect()
}

/// The coefficients of the product of z − root, highest power first.
fn polynomial(roots: &[RBig]) -> Vec<RBig> {
    let mut product = vec![RBig::ONE];
    for root in roots {
        let mut next = product.clone();
        next.push(RBig::ZERO);
        for (place, factor) in product.iter().enumerate() {
            next[place + 1] -= factor * root;
        }
        product = next;
    }
    product
}

fn state_space(unit: &Unit) -> Outcome<Linear> {
    let size = |name: &str| matrix(unit, name).map(|it| (it.rows(), it.columns()));
    let rows = |name: &str| -> Outcome<Vec<Row>> {
        let all = matrix(unit, name)?;
        let (rows, columns) = (all.rows(), all.columns());
        let entry = |row: usize, column: usize| finite(all.entries[column * rows + row]);
        let line = |line: usize| (0..columns).map(|it| entry(line, it)).collect::<Outcome<Vec<RBig>>>();
        (0..rows).map(|it| line(it).map(row)).collect()
    };
    let initial =
        ["InitialCondition", "X0"].into_iter().map(|it| entries(unit, it)).find(|it| !it.is_empty());
    let initial = initial.unwrap_or(&[]).to_vec();
    let [a, b, c, d] = ["A", "B", "C", "D"].map(size);
    let ((order, width), b, c, d) = (a?, b?, c?, d?);
    if width != order || b.0 != order || c.1 != order || d != (c.0, b.1) {
        return Err(Fault::new("its matrices do not have sizes that fit"));
    }
    Ok(Linear { a: rows("A")?, b: rows("B")?, c: rows("C")?, d: rows("D")?, initial, channels: false })
}

/// The output of an integrator; the state of all methods but forward Euler is settled here as well.
pub(crate) fn integrator(work: &mut Work, id: UnitId, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let width = output(unit)?.1;
    let method = word(unit, "IntegratorMethod");
    let mut ports = inputs.iter().skip(1);
    let reset = match word(unit, "ExternalReset") {
        "" | "none" | "None" => Pool::FALSE,
        kind => {
            let signal = ports.next().ok_or_else(|| Fault::new("its reset is not connected"))?.at(0)?;
            resets(work, id, kind, signal)?
        }
    };
    let external = word(unit, "InitialConditionSource") == "external";
    let initial = if external { ports.next() } else { None };
    let (mut states, mut outputs) = (Vec::new(), Vec::new());
    for element in 0..width {
        let number = at(entries(unit, "InitialCondition"), element);
        let mut init = work.real(if external { 0.0 } else { number })?;
        let mut kept = work.state(id, "state", init);
        let new = work.state(id, "new", Pool::TRUE);
        work.update(id, new, Pool::FALSE);
        let again = work.pool().or([reset, new.seen]);
        if let Some(signal) = initial {
            let value = signal.at(element)?;
            init = work.real_of(value);
        }
        let init = clipped(work, unit, init, element)?;
        kept.seen = work.pool().ite(again, init, kept.seen);
        if method.contains("Forward") {
            outputs.push(kept.seen);
            states.push(kept);
            continue;
        }
        let u = inputs.first().ok_or_else(|| Fault::new("it has no input"))?.at(element)?;
        let step = increment(work, unit, u, method.contains("Trapezoidal"))?;
        let sum = work.pool().add(kept.seen, step);
        let sum = clipped(work, unit, sum, element)?;
        let y = if starts_with_output(unit) { work.pool().ite(again, init, sum) } else { sum };
        let next = if method.contains("Trapezoidal") { work.pool().add(y, step) } else { y };
        work.update(id, kept, next);
        outputs.push(y);
    }
    if !states.is_empty() {
        work.kept.insert(id, states);
    }
    Ok(outputs)
}

/// The state of a forward integrator.
pub(crate) fn finish_integrator(work: &mut Work, id: UnitId, unit: &Unit, inputs: &[Signal]) -> Outcome<()> {
    let states: Vec<Kept> = work.kept.get(&id).cloned().unwrap_or_default();
    let input = inputs.first().ok_or_else(|| Fault::new("it has no input"))?;
    for (element, kept) in states.into_iter().enumerate() {
        let u = input.at(element)?;
        let step = increment(work, unit, u, false)?;
        let sum = work.pool().add(kept.seen, step);
        let next = clipped(work, unit, sum, element)?;
        work.update(id, kept, next);
    }
    Ok(())
}

/// Gain times sample time times input; half of it for the trapezoidal method. Accumulation has no sample time.
fn increment(work: &mut Work, unit: &Unit, u: Expr, half: bool) -> Outcome<Expr> {
    let mut factor = finite(or_default(unit, "gainval", 1.0))?;
    if !word(unit, "IntegratorMethod").starts_with("Accumulation") {
        factor *= finite(sample_time(work, unit))?;
    }
    if half {
        factor /= RBig::from(2);
    }
    let u = work.real_of(u);
    let factor = work.pool().real(factor);
    Ok(work.pool().mul(factor, u))
}

fn clipped(work: &mut Work, unit: &Unit, value: Expr, element: usize) -> Outcome<Expr> {
    if !is_on(unit, "LimitOutput") {
        return Ok(value);
    }
    let upper = bound(work, unit, "UpperSaturationLimit", element)?;
    let lower = bound(work, unit, "LowerSaturationLimit", element)?;
    Ok(between(work, value, upper, lower))
}

/// Whether the initial value is the first output, and not only the first state.
fn starts_with_output(unit: &Unit) -> bool {
    let setting = ["InitialConditionSetting", "InitialConditionMode"].map(|it| word(unit, it));
    setting
        .iter()
        .any(|it| it.starts_with("Output") || it.starts_with("State and output") || *it == "Compatibility")
}
