//! Subsystems that do not run at every step: `If`, `SwitchCase`, enabled and triggered ones; what they hold, and `Merge`.
//!
//! An output of a conditional subsystem that does not run keeps its last value, or is its initial one again, as the port says. Its
//! states are kept or start again when it runs again, as its control port says.

use super::formula;
use super::parameters::{Fault, Outcome, entries, is_on, word};
use super::wires::Layout;
use super::work::{Activity, Signal, Work, classes};
use crate::diagram::{Port, SheetId};
use crate::plan::{Unit, UnitId, clauses};
use crate::value::Value;
use system::{Expr, Pool, Type};

/// For each output of an `If` whether its condition is the first that holds.
pub(crate) fn if_block(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Vec<Expr>>> {
    let mut conditions = vec![word(unit, "IfExpression")];
    conditions.extend(clauses(word(unit, "ElseIfExpressions")));
    let mut before = Pool::FALSE;
    let mut outputs = Vec::new();
    for text in conditions {
        let holds = formula::condition(work, unit, text, inputs)?;
        let none = work.pool().not(before);
        outputs.push(vec![work.pool().and([none, holds])]);
        before = work.pool().or([before, holds]);
    }
    if word(unit, "ShowElse") != "off" {
        outputs.push(vec![work.pool().not(before)]);
    }
    Ok(outputs)
}

/// For each output of a `SwitchCase` whether its case is the first that the input, cut to a whole number, is in.
pub(crate) fn switch_case(work: &mut Work, unit: &Unit, inputs: &[Signal]) -> Outcome<Vec<Vec<Expr>>> {
    let input = inputs.first().ok_or_else(|| Fault::new("it has no input"))?.at(0)?;
    let input = work.real_of(input);
    let input = work.round("Zero", input);
    let cases: Vec<Vec<f64>> = match unit.values.get("CaseConditions") {
        Some(Value::Cell(cases)) => {
            cases.iter().map(|it| it.matrix().map_or(Vec::new(), |it| it.entries.clone())).collect()
        }
        Some(Value::Matrix(matrix)) => matrix.entries.iter().map(|it| vec![*it]).collect(),
        Some(Value::Text(_) | Value::Struct(_)) | None => {
            return Err(Fault::new("its cases are not known"));
        }
    };
    let mut before = Pool::FALSE;
    let mut outputs = Vec::new();
    for case in cases {
        let mut any = Vec::new();
        for number in case {
            let number = work.real(number)?;
            any.push(work.pool().eq(input, number));
        }
        let holds = work.pool().or(any);
        let none = work.pool().not(before);
        outputs.push(vec![work.pool().and([none, holds])]);
        before = work.pool().or([before, holds]);
    }
    if is_on(unit, "ShowDefaultCase") {
        outputs.push(vec![work.pool().not(before)]);
    }
    Ok(outputs)
}

/// The value of the input that is computed in this step; otherwise the last one.
pub(crate) fn merge(
    work: &mut Work,
    id: UnitId,
    unit: &Unit,
    inputs: &[Signal],
    running: &[Expr],
) -> Outcome<Vec<Expr>> {
    let shape = unit.outputs.first().ok_or_else(|| Fault::new("its type is not known"))?;
    let mut merged = Vec::new();
    for (element, class) in classes(shape).into_iter().enumerate() {
        let initial = at(entries(unit, "InitialOutput"), element);
        let init = work.constant(initial, class)?;
        let kept = work.state(id, "held", init);
        let mut value = kept.seen;
        for (input, &runs) in inputs.iter().zip(running).rev() {
            let given = input.at(element)?;
            let given = work.conform(unit, class, given);
            value = work.pool().ite(runs, given, value);
        }
        work.update(id, kept, value);
        merged.push(value);
    }
    Ok(merged)
}

/// The outputs of a conditional subsystem.
pub(crate) fn held_output(
    work: &mut Work,
    id: UnitId,
    outport: UnitId,
    output: usize,
    inner: &Signal,
) -> Outcome<Vec<Expr>> {
    let unit = work.layout.unit(outport);
    let owner = work.layout.unit(id);
    let shape = owner.outputs.get(output).ok_or_else(|| Fault::new("its type is not known"))?;
    let inside = owner.inside.unwrap_or(work.layout.top);
    let active = work.activity.get(&inside).map_or(Pool::TRUE, |it| it.active);
    let mut values = Vec::new();
    for (element, class) in classes(shape).into_iter().enumerate() {
        let initial = at(entries(unit, "InitialOutput"), element);
        let init = work.constant(initial, class)?;
        let given = inner.at(element)?;
        let given = work.conform(unit, class, given);
        if active == Pool::TRUE {
            values.push(given);
        } else if word(unit, "OutputWhenDisabled") == "reset" {
            values.push(work.pool().ite(active, given, init));
        } else {
            let kept = work.state(id, "held", init);
            let value = work.pool().ite(active, given, kept.seen);
            work.update(id, kept, value);
            values.push(value);
        }
    }
    Ok(values)
}

/// Whether states of a sheet start again at some steps, so that they depend on when it runs.
pub(crate) fn restarts(layout: &Layout, sheet: SheetId) -> bool {
    let mut now = Some(sheet);
    for _ in 0..=layout.plan.units.len() {
        let Some(sheet) = now else { return false };
        if resets(layout, sheet) {
            return true;
        }
        now = layout.owner(sheet).map(|owner| layout.home(owner));
    }
    false
}

fn resets(layout: &Layout, sheet: SheetId) -> bool {
    if layout.owner(sheet).is_none_or(|it| layout.unit(it).controls.is_empty()) {
        return false;
    }
    layout.inside(sheet).any(|unit| match unit.kind.as_str() {
        "ActionPort" => word(unit, "InitializeStates") == "reset",
        "EnablePort" | "TriggerPort" => word(unit, "StatesWhenEnabling") == "reset",
        _ => false,
    })
}

/// When the sheet of a subsystem runs, given when the sheet around it does and the values of its control inputs.
pub(crate) fn activity(
    work: &mut Work,
    owner: UnitId,
    sheet: SheetId,
    outer: Activity,
    controls: &[(Port, Vec<Expr>)],
) -> Outcome<Activity> {
    if controls.is_empty() {
        return Ok(outer);
    }
    let mut conditions = vec![outer.active];
    for (port, values) in controls {
        let holds = match port {
            Port::Action => values.iter().map(|it| work.truth_of(*it)).collect::<Vec<_>>(),
            Port::Enable => values.iter().map(|it| positive(work, *it)).collect(),
            Port::Trigger => {
                let kind = trigger_kind(work.layout, sheet)?;
                values.iter().map(|it| edge(work, owner, &kind, *it)).collect()
            }
            Port::Data(_) | Port::Reset => {
                return Err(Fault::new("its control input is of a kind that is not supported"));
            }
        };
        conditions.push(work.pool().or(holds));
    }
    let active = work.pool().and(conditions);
    let mut restart = outer.restart;
    if resets(work.layout, sheet) {
        let was = work.state(owner, "was running", Pool::FALSE);
        work.update_always(was, active);
        let not_before = work.pool().not(was.seen);
        let again = work.pool().and([active, not_before]);
        restart = work.pool().or([restart, again]);
    }
    Ok(Activity { active, restart })
}

fn trigger_kind(layout: &Layout, sheet: SheetId) -> Outcome<String> {
    let port = layout.inside(sheet).find(|it| it.kind == "TriggerPort");
    match port.map_or("rising", |it| word(it, "TriggerType")) {
        "function-call" => {
            Err(Fault::hint("function-call subsystems are not supported", "use an enabled one"))
        }
        kind => Ok(kind.to_owned()),
    }
}

/// Whether a control signal rises or falls in this step. A signal that goes through zero triggers once, when it gets there.
pub(crate) fn edge(work: &mut Work, id: UnitId, kind: &str, value: Expr) -> Expr {
    let (above, below) = (positive(work, value), negative(work, value));
    // Before the first step the signal counts as neither, so that nothing is triggered there.
    let first = work.first();
    let was_above = work.state(id, "was positive", Pool::FALSE);
    let was_below = work.state(id, "was negative", Pool::FALSE);
    let rose = work.state(id, "rose to zero", Pool::FALSE);
    let fell = work.state(id, "fell to zero", Pool::FALSE);
    let pool = work.pool();
    let (not_above, not_below) = (pool.not(above), pool.not(below));
    let zero_now = pool.and([not_above, not_below]);
    let was_signed = pool.or([was_above.seen, was_below.seen]);
    let (not_risen, not_fallen) = (pool.not(rose.seen), pool.not(fell.seen));
    let was_zero = pool.not(was_signed);
    let mut edges = Vec::new();
    if kind != "falling" {
        edges.push(pool.and([was_zero, not_risen, above]));
        edges.push(pool.and([was_below.seen, not_below]));
    }
    if kind != "rising" {
        edges.push(pool.and([was_zero, not_fallen, below]));
        edges.push(pool.and([was_above.seen, not_above]));
    }
    let any = pool.or(edges);
    let later = pool.not(first);
    let edge = pool.and([later, any]);
    let next_rose = pool.and([was_below.seen, zero_now]);
    let next_fell = pool.and([was_above.seen, zero_now]);
    for (kept, next) in [(was_above, above), (was_below, below), (rose, next_rose), (fell, next_fell)] {
        work.update_always(kept, next);
    }
    edge
}

pub(crate) fn positive(work: &mut Work, value: Expr) -> Expr {
    match work.zero_of(value) {
        Some(zero) => work.pool().gt(value, zero),
        None => work.truth_of(value),
    }
}

fn negative(work: &mut Work, value: Expr) -> Expr {
    match work.zero_of(value) {
        Some(zero) => work.pool().lt(value, zero),
        None => Pool::FALSE,
    }
}

/// Zero, or false, like a value.
pub(crate) fn zero(work: &mut Work, like: Expr) -> Expr {
    match work.pool().type_of(like) {
        Type::Int | Type::Machine(_) | Type::Real => work.zero_of(like).unwrap_or(Pool::FALSE),
        Type::Bool | Type::Enum(_) => Pool::FALSE,
    }
}

/// An entry of a parameter that is one number for all, one for each, or empty for zero; not a number if there are too few.
pub(crate) fn at(entries: &[f64], element: usize) -> f64 {
    match entries {
        [] => 0.0,
        [only] => *only,
        _ => entries.get(element).copied().unwrap_or(f64::NAN),
    }
}
