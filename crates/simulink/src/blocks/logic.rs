//! Comparisons, logic, switches between signals, and what a model claims or assumes.
//!
//! Operands of different classes are compared as numbers. In exact arithmetic, no number is infinite or NaN.

use super::control::edge;
use super::selection::pick;
use super::{Definition, ELEMENTWISE, Instance, Lowering, like_others, like_others_or_output, misfit};
use crate::lower::Work;
use crate::plan::{Case, Fault, Known, Outcome, Unit};
use crate::value::{Class, Value};
use system::{Expr, Pool, Type};

pub(super) const RELATIONAL_OPERATOR: Definition = Definition {
    shapes: |case| case.one(case.truth(), case.size(case.inputs)),
    needed: |case, place, _| {
        let mut others = case.inputs.iter().enumerate().filter(|(k, _)| *k != place);
        Known::new(others.find_map(|(_, known)| known.class()), None)
    },
    complaint: |_, inputs| misfit(inputs),
    lowering: Lowering::Each(|work, block, element| {
        let a = block.at(0, element)?;
        let b = block.signals.get(1).map_or(Ok(a), |input| input.at(element))?;
        relation(work, block.word("Operator"), a, b)
    }),
    ..ELEMENTWISE
};

pub(super) const LOGIC: Definition = Definition {
    defaults: &[("Operator", "AND")],
    shapes: |case| {
        let reduces = case.inputs.len() == 1 && case.unit.word("Operator") != "NOT";
        case.one(case.truth(), if reduces { Some(vec![1]) } else { case.size(case.inputs) })
    },
    needed: |_, _, _| Known::new(Some(Class::Boolean), None),
    complaint: |_, inputs| misfit(inputs),
    lowering: Lowering::One(logic),
    ..ELEMENTWISE
};

pub(super) const SWITCH: Definition = Definition {
    numbers: &["Threshold"],
    uses: |unit, _| unit.word("Criteria") != "u2 ~= 0",
    expands: &["Threshold"],
    defaults: &[("Threshold", "0")],
    shapes: |case| {
        let data = case.only(|k| k != 1);
        let size = match case.inputs.get(1) {
            // A scalar condition chooses whole signals.
            Some(condition) if condition.width() == Some(1) => case.size(&data),
            _ => case.size(case.inputs),
        };
        case.one(case.class(case.common(&data)), case.expanded(size))
    },
    needed: |case, place, outputs| match place {
        1 => Known::NOTHING,
        // The condition says nothing about the data.
        place => {
            let data = Case { inputs: &case.only(|k| k != 1), ..*case };
            like_others_or_output(&data, place.min(1), outputs)
        }
    },
    complaint: |_, inputs| misfit(inputs),
    lowering: Lowering::Each(switch),
    ..ELEMENTWISE
};

pub(super) const MULTI_PORT_SWITCH: Definition = Definition {
    numbers: &["DataPortIndices"],
    uses: |unit, _| unit.word("DataPortOrder") == "Specify indices",
    shapes: |case| {
        let data = case.only(|k| k > 0);
        let size = if data.len() == 1 { Some(vec![1]) } else { case.size(&data) };
        case.one(case.class(case.common(&data)), size)
    },
    needed: |case, place, outputs| like_others(case, place, outputs).unwrap_or(Known::NOTHING),
    lowering: Lowering::One(multiport),
    ..ELEMENTWISE
};

/// A row of a table: the elements of the input are the digits of its number, the most significant one first.
pub(super) const COMBINATORIAL: Definition = Definition {
    numbers: &["TruthTable"],
    shapes: |case| {
        let table = case.unit.matrix("TruthTable");
        let truths = table.is_some_and(|it| it.entries.iter().all(|it| [0.0, 1.0].contains(it)));
        let truths = truths && case.first().class() == Some(Class::Boolean);
        let class = if truths { Class::Boolean } else { Class::Double };
        case.one(Some(class), table.map(|it| vec![it.columns()]))
    },
    lowering: Lowering::Each(|work, block, element| {
        let table = block.numbers("TruthTable")?;
        let class = block.output()?.0;
        let digits = &block.signal(0)?.scalars;
        let rows = table.rows();
        if digits.len() > 20 || rows != 1 << digits.len() {
            return Err(Fault::new("its table does not have a row for each combination of its inputs"));
        }
        let column = table.entries.chunks(rows).nth(element).unwrap_or_default();
        let mut values = column.iter().map(|it| work.constant(*it, class)).collect::<Outcome<Vec<Expr>>>()?;
        for digit in digits.iter().rev() {
            let holds = work.truth_of(*digit);
            values = values.chunks(2).map(|it| work.pool().ite(holds, it[1], it[0])).collect();
        }
        values.first().copied().ok_or_else(|| Fault::new("its table is empty"))
    }),
    ..ELEMENTWISE
};

/// Tells when its input reaches or crosses an offset, and as long as it then stays there.
pub(super) const HIT_CROSS: Definition = Definition {
    numbers: &["HitCrossingOffset"],
    expands: &["HitCrossingOffset"],
    defaults: &[("HitCrossingOffset", "0"), ("HitCrossingDirection", "either"), ("ShowOutputPort", "on")],
    outputs: |unit| Some(usize::from(unit.is_on("ShowOutputPort"))),
    refusal: |unit| {
        let other = !matches!(unit.word("OutputType"), "" | "Signal");
        other.then(|| Fault::hint("messages and calls are not supported", "let its output be a signal"))
    },
    shapes: |case| case.one(case.truth(), case.expanded(case.first().size())),
    remembers: true,
    lowering: Lowering::Each(hit),
    ..ELEMENTWISE
};

pub(super) const ASSERTION: Definition = Definition {
    outputs: |_| Some(0),
    lowering: Lowering::Claim { enabled: "Enabled", assumed: false },
    ..ELEMENTWISE
};

pub(super) const PROOF_OBJECTIVE: Definition = Definition {
    numbers: &["intervals"],
    lowering: Lowering::Claim { enabled: "enabled", assumed: false },
    ..ASSERTION
};

pub(super) const PROOF_ASSUMPTION: Definition =
    Definition { lowering: Lowering::Claim { enabled: "enabled", assumed: true }, ..PROOF_OBJECTIVE };

/// A comparison, by its MATLAB or C operator.
pub(super) fn relation(work: &mut Work, operator: &str, a: Expr, b: Expr) -> Outcome<Expr> {
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
        "" => return Err(unstated("Operator")),
        _ => return Err(Fault::new(format!("unknown comparison `{operator}`"))),
    })
}

/// Whether a value satisfies a claim: it is not zero, or it is in one of the intervals, each a number or a pair.
pub(crate) fn claimed(work: &mut Work, unit: &Unit, u: Expr) -> Outcome<Expr> {
    let intervals = match unit.values.get("intervals") {
        None if unit.word("intervals").is_empty() => return Ok(work.truth_of(u)),
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
            _ => return Err(Fault::new("one of its intervals is neither a number nor a pair of numbers")),
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

fn logic(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let operator = block.word("Operator");
    let mut truths: Vec<Vec<Expr>> = Vec::new();
    for input in block.signals {
        truths.push(input.scalars.iter().map(|it| work.truth_of(*it)).collect());
    }
    if operator == "NOT" {
        let all = truths.into_iter().flatten();
        return Ok(all.map(|it| work.pool().not(it)).collect());
    }
    if let [only] = &truths[..] {
        return Ok(vec![join(work, operator, only)?]);
    }
    let element = |element: usize| {
        let operands: Option<Vec<Expr>> =
            truths.iter().map(|it| it.get(if it.len() == 1 { 0 } else { element }).copied()).collect();
        let operands = operands.ok_or_else(|| Fault::new("the sizes of its inputs do not match"))?;
        join(work, operator, &operands)
    };
    (0..block.output()?.1).map(element).collect()
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
        _ => return Err(Fault::new(format!("unknown operator `{operator}`"))),
    };
    Ok(if negated { pool.not(joined) } else { joined })
}

/// A crossing changes the output for this step, and in the next one nothing but leaving the offset counts. Otherwise the output stays as
/// long as the input is at the offset; without a direction, being there is enough.
fn hit(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let u = block.real(work, element)?;
    let offset = work.real(block.entry("HitCrossingOffset", element))?;
    let distance = work.pool().sub(u, offset);
    let direction = block.word("HitCrossingDirection");
    let crosses = edge(work, block.id, direction, distance);
    let was = work.state(block.id, "hit", Pool::FALSE);
    let after = work.state(block.id, "just hit", Pool::FALSE);
    let pool = work.pool();
    let (there, first) = (pool.eq(u, offset), pool.not(after.seen));
    let hits = pool.and([first, crosses]);
    let stays = pool.and([was.seen, there]);
    let enough = if direction == "either" { pool.and([first, there]) } else { Pool::FALSE };
    let (changed, otherwise) = (pool.not(was.seen), pool.or([stays, enough]));
    let now = pool.ite(hits, changed, otherwise);
    work.update(block.id, was, now);
    work.update(block.id, after, hits);
    Ok(now)
}

/// A parameter that the file leaves out, and whose usual value depends on the version of Simulink.
fn unstated(name: &str) -> Fault {
    let message =
        format!("the parameter `{name}` is not in the file, and versions of Simulink assume different ones");
    Fault::hint(
        message,
        "export the model to an earlier version of Simulink, whose files have all parameters",
    )
}

fn switch(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let [on, control, off] = block.signals else {
        return Err(Fault::new("it does not have three inputs"));
    };
    let (a, u, b) = (on.at(element)?, control.at(element)?, off.at(element)?);
    let criterion = block.word("Criteria");
    let condition = if criterion.contains("~=") {
        work.truth_of(u)
    } else {
        // A Boolean is compared as the number 0 or 1.
        let class = Some(block.input_class(work, 1)).filter(|it| *it != Class::Boolean).unwrap_or_default();
        let threshold = block.parameter(work, "Threshold", element, class)?;
        if criterion.is_empty() {
            return Err(unstated("Criteria"));
        }
        let operator = if criterion.contains(">=") { ">=" } else { ">" };
        relation(work, operator, u, threshold)?
    };
    Ok(work.choose(condition, a, b))
}

fn multiport(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let control = block.real(work, 0)?;
    let control = work.round("Zero", control);
    let order = block.word("DataPortOrder");
    let first = i64::from(!(order.starts_with("Zero") || block.is_on("zeroidx")));
    let data = &block.signals[1..];
    let width = block.output()?.1;
    if let [vector] = data {
        // One data input: the control chooses among its elements.
        let shift = work.ratio(-first, 1);
        let place = work.pool().add(control, shift);
        return Ok(vec![pick(work, place, &vector.scalars)?]);
    }
    let indices = block.entries("DataPortIndices");
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
            value = work.choose(chosen, input.at(element)?, value);
        }
        Ok(value)
    };
    // The last data port is the default, whether or not it is an additional one.
    (0..width).map(element).collect()
}
