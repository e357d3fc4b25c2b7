//! Comparisons, logic, and switches between signals.
//!
//! Operands of different classes are compared as numbers. Over exact numbers nothing is infinite or not a number, and so it is said.

use super::arithmetic::output;
use super::control::at;
use super::matrices::pick;
use super::parameters::{Fault, Outcome, entries, is_on, word};
use super::work::{Signal, Work};
use crate::plan::Unit;
use crate::value::Value;
use system::{Expr, Pool, Type};

pub(crate) fn compare(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let width = output(unit)?.1;
    let operator = word(unit, "Operator");
    let element = |element: usize| {
        let a = inputs.first().ok_or_else(|| Fault::new("it has no input"))?.at(element)?;
        let b = match inputs.get(1) {
            Some(input) => input.at(element)?,
            None => a,
        };
        relation(work, operator, a, b)
    };
    (0..width).map(element).collect()
}

/// A comparison in the words of MATLAB or of C.
pub(crate) fn relation(work: &mut Work, operator: &str, a: Expr, b: Expr) -> Outcome<Expr> {
    let both_bool = [a, b].iter().all(|it| work.system.pool.type_of(*it) == Type::Bool);
    let [a, b] =
        if both_bool && matches!(operator, "==" | "~=" | "!=") { [a, b] } else { work.common([a, b]) };
    let pool = work.pool();
    Ok(match operator {
        "==" => pool.eq(a, b),
        "~=" | "!=" => pool.ne(a, b),
        "<" => pool.lt(a, b),
        "<=" => pool.le(a, b),
        ">" => pool.gt(a, b),
        ">=" => pool.ge(a, b),
        "isFinite" => Pool::TRUE,
        "isInf" | "isNaN" => Pool::FALSE,
        _ => return Err(Fault::new(format!("the comparison `{operator}` is not known"))),
    })
}

/// Whether a value is what a claim wants: not zero, or one of its intervals, each of which is a number or a pair.
pub(crate) fn claimed(work: &mut Work, unit: &Unit, u: Expr) -> Outcome<Expr> {
    let intervals = match unit.values.get("intervals") {
        None if word(unit, "intervals").is_empty() => return Ok(work.truth_of(u)),
        None => &[],
        Some(Value::Cell(all)) => &all[..],
        Some(only) => std::slice::from_ref(only),
    };
    let is_bool = work.pool().type_of(u) == Type::Bool;
    let mut any = Vec::new();
    for interval in intervals {
        any.push(match interval.matrix().map_or(&[][..], |it| &it.entries) {
            [1.0] if is_bool => u,
            [0.0] if is_bool => work.pool().not(u),
            [only] => bounded(work, "==", u, *only)?,
            [least, greatest] => {
                let (above, below) = (bounded(work, ">=", u, *least)?, bounded(work, "<=", u, *greatest)?);
                work.pool().and([above, below])
            }
            _ => return Err(Fault::new("one of its intervals is no number and no pair of numbers")),
        });
    }
    if any.is_empty() { Err(Fault::new("its intervals are not known")) } else { Ok(work.pool().or(any)) }
}

fn bounded(work: &mut Work, operator: &str, u: Expr, bound: f64) -> Outcome<Expr> {
    match (operator, bound) {
        (">=", f64::NEG_INFINITY) | ("<=", f64::INFINITY) => Ok(Pool::TRUE),
        _ => {
            let bound = work.real(bound)?;
            relation(work, operator, u, bound)
        }
    }
}

pub(crate) fn logic(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let operator = word(unit, "Operator");
    let mut truths: Vec<Vec<Expr>> = Vec::new();
    for input in inputs {
        truths.push(input.scalars.iter().map(|it| work.truth_of(*it)).collect());
    }
    if operator == "NOT" {
        let all = truths.into_iter().flatten();
        return Ok(all.map(|it| work.pool().not(it)).collect());
    }
    if let [only] = &truths[..] {
        return Ok(vec![join(work, operator, only)?]);
    }
    let width = output(unit)?.1;
    let element = |element: usize| {
        let operands: Option<Vec<Expr>> =
            truths.iter().map(|it| it.get(if it.len() == 1 { 0 } else { element }).copied()).collect();
        let operands = operands.ok_or_else(|| Fault::new("its inputs do not have the same size"))?;
        join(work, operator, &operands)
    };
    (0..width).map(element).collect()
}

fn join(work: &mut Work, operator: &str, operands: &[Expr]) -> Outcome<Expr> {
    let pool = work.pool();
    let all = operands.iter().copied();
    let odd = |pool: &mut Pool| operands.iter().fold(Pool::FALSE, |odd, it| pool.xor(odd, *it));
    let (joined, negated) = match operator {
        "AND" => (pool.and(all), false),
        "OR" => (pool.or(all), false),
        "NAND" => (pool.and(all), true),
        "NOR" => (pool.or(all), true),
        "XOR" => (odd(pool), false),
        "NXOR" => (odd(pool), true),
        _ => return Err(Fault::new(format!("the operator `{operator}` is not known"))),
    };
    Ok(if negated { pool.not(joined) } else { joined })
}

pub(crate) fn switch(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let [on, control, off] = inputs else { return Err(Fault::new("it does not have three inputs")) };
    let width = output(unit)?.1;
    let criterion = word(unit, "Criteria");
    let element = |element: usize| {
        let (a, u, b) = (on.at(element)?, control.at(element)?, off.at(element)?);
        let condition = if criterion.contains("~=") {
            work.truth_of(u)
        } else {
            let threshold = work.real(at(entries(unit, "Threshold"), element))?;
            let operator = if criterion.contains(">=") || criterion.is_empty() { ">=" } else { ">" };
            relation(work, operator, u, threshold)?
        };
        Ok(work.choose(condition, a, b))
    };
    (0..width).map(element).collect()
}

pub(crate) fn multiport(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Expr>> {
    let (control, data) = inputs.split_first().ok_or_else(|| Fault::new("it has no input"))?;
    let control = control.at(0)?;
    let control = work.real_of(control);
    let control = work.round("Zero", control);
    let order = word(unit, "DataPortOrder");
    let first = i64::from(!(order.starts_with("Zero") || is_on(unit, "zeroidx")));
    let width = output(unit)?.1;
    if let [vector] = data {
        // One data input: the control chooses among its elements.
        let shift = work.ratio(-first, 1);
        let place = work.pool().add(control, shift);
        return Ok(vec![pick(work, place, &vector.scalars)?]);
    }
    let indices = entries(unit, "DataPortIndices");
    let (last, before) = data.split_last().ok_or_else(|| Fault::new("it has no data input"))?;
    let element = |element: usize| {
        let mut value = last.at(element)?;
        for (place, input) in before.iter().enumerate().rev() {
            let index = match (order.starts_with("Specify"), indices.get(place)) {
                (true, Some(index)) => work.real(*index)?,
                (true, None) => return Err(Fault::new("it does not have an index for each data port")),
                (false, _) => work.ratio(place as i64 + first, 1),
            };
            let chosen = work.pool().eq(control, index);
            let given = input.at(element)?;
            value = work.choose(chosen, given, value);
        }
        Ok(value)
    };
    // The last data port is the default, whether or not it is an additional one.
    (0..width).map(element).collect()
}
