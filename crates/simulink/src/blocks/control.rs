//! Subsystems and what controls them: `If`, `SwitchCase`, enabled and triggered subsystems, function calls, and `Merge`.
//!
//! A function call is a Boolean signal: whether the subsystem is called in this step. A call is at most once in a step.
//! An output of a conditional subsystem that does not run keeps its last value or returns to its initial one, depending on the port. Its
//! states are kept or restart when it runs again, depending on its control port.

use super::discrete;
use super::division::{counted, joined};
use super::formula;
use super::routing;
use super::{BlockKind, Definition, ELEMENTWISE, Instance, Label, Lowering, PASSING};
use crate::diagram::{Port, SheetId};
use crate::lower::{Activity, Layout, Signal, Work};
use crate::plan::{Fault, Known, Outcome, Unit, UnitId, classes, clauses};
use crate::value::{Class, Value};
use system::{Expr, Pool};

pub(super) const SUBSYSTEM: Definition = Definition {
    outputs: |_| None,
    refusal: |unit| {
        let inner = unit.word("SFBlockType");
        if unit.is_on("Variant") {
            Some(routing::without_choice(unit))
        } else if !matches!(inner, "" | "NONE") {
            let hint = "replace it with blocks, or with free inputs (`--abstract PATH`)";
            Some(Fault::hint(format!("`{inner}` is not supported"), hint))
        } else if unit.inside.is_none() {
            let message = "the inside of this subsystem is not in the file";
            Some(Fault::hint(message, "save the model with it"))
        } else {
            None
        }
    },
    // Outputs take what is fed to them, port by port.
    shapes: |case| match case.inputs {
        [] => (ELEMENTWISE.shapes)(case),
        [results @ .., last] if counted(case.unit).is_some() => joined(case.unit, results, last),
        all => all.to_vec(),
    },
    needed: |case, place, outputs| {
        let plain = counted(case.unit).is_none();
        outputs.get(place).cloned().unwrap_or(Known::NOTHING).filter(plain)
    },
    inherits: true,
    label: Label::Inner,
    sample_time: |unit| {
        let atomic = !unit.controls.is_empty() || unit.is_on("TreatAsAtomicUnit");
        atomic.then_some("SystemSampleTime")
    },
    route: Some(|layout, id, output, element| {
        let unit = layout.unit(id);
        if !unit.controls.is_empty() || unit.inside.is_some_and(|it| layout.iterator(it).is_some()) {
            return Ok(None);
        }
        let outport = layout.outport(id, output);
        outport.map_or(Ok(()), |it| layout.sound(it))?;
        Ok(Some((outport.and_then(|it| layout.unit(it).source(0)), element)))
    }),
    lowering: Lowering::Subsystem,
    ..ELEMENTWISE
};

/// A block that controls when its subsystem runs.
const CONTROL: Definition = Definition {
    inputs: Some(0),
    outputs: |_| Some(0),
    sample_time: |_| None,
    lowering: Lowering::Nothing,
    ..ELEMENTWISE
};

pub(super) const ACTION_PORT: Definition = Definition { control: Some(Port::Action), ..CONTROL };

pub(super) const RESET_PORT: Definition = Definition { control: Some(Port::Reset), ..CONTROL };

pub(super) const ENABLE_PORT: Definition = Definition {
    control: Some(Port::Enable),
    outputs: |unit| Some(usize::from(unit.is_on("ShowOutputPort"))),
    shapes: SUBSYSTEM.shapes,
    // Its output is the signal at the control input.
    route: Some(|layout, id, _, element| {
        let owner = layout.owner(layout.home(id)).map(|it| layout.unit(it));
        let control = owner.and_then(|it| it.controls.iter().find(|(port, _)| *port == Port::Enable));
        Ok(control.map(|(_, source)| (*source, element)))
    }),
    lowering: Lowering::Wires,
    ..CONTROL
};

/// Its output tells what triggers: 1 if the signal rises, −1 if it falls, 2 for a call.
pub(super) const TRIGGER_PORT: Definition = Definition {
    control: Some(Port::Trigger),
    refusal: |unit| {
        let both = unit.is_on("ShowOutputPort") && unit.word("TriggerType") == "either";
        both.then(|| {
            Fault::hint("an output that tells rising from falling is not supported", "hide its output")
        })
    },
    // Every trigger port has a sample time in the file, which counts for periodic calls alone.
    sample_time: |unit| (unit.word("SampleTimeType") == "periodic").then_some("SampleTime"),
    shapes: |case| {
        let class = Class::named(case.unit.word("OutputDataType")).unwrap_or(Class::Double);
        case.one(Some(class), case.first().size())
    },
    route: None,
    lowering: Lowering::Each(|work, block, _| {
        if block.output()?.1 > 1 {
            return Err(Fault::new("its output for several triggers is not supported"));
        }
        Ok(match block.word("TriggerType") {
            "falling" => work.ratio(-1, 1),
            "function-call" => work.ratio(2, 1),
            _ => work.ratio(1, 1),
        })
    }),
    ..ENABLE_PORT
};

pub(super) const IF: Definition = Definition {
    outputs: |unit| {
        let cases = clauses(unit.word("ElseIfExpressions")).len();
        Some(1 + cases + usize::from(unit.word("ShowElse") != "off"))
    },
    shapes: |case| vec![Known::new(Some(Class::Boolean), Some(vec![1])); case.unit.outputs.len()],
    lowering: Lowering::All(if_block),
    ..ELEMENTWISE
};

pub(super) const SWITCH_CASE: Definition = Definition {
    numbers: &["CaseConditions"],
    cells: true,
    outputs: |unit| match unit.values.get("CaseConditions") {
        Some(Value::Cell(cases)) => Some(cases.len() + usize::from(unit.is_on("ShowDefaultCase"))),
        _ => None,
    },
    lowering: Lowering::All(switch_case),
    ..IF
};

/// Calls a subsystem whenever its sample time has come.
pub(super) const CALL_GENERATOR: Definition = Definition {
    numbers: &["numberOfIterations"],
    inputs: Some(0),
    refusal: |unit| {
        let many = unit.single("numberOfIterations").is_some_and(|it| it != 1.0);
        many.then(|| Fault::hint("several calls in one step are not supported", "call once in each step"))
    },
    shapes: |case| case.one(Some(Class::Boolean), Some(vec![1])),
    sample_time: |_| Some("sample_time"),
    remembers: true,
    momentary: |_, _| true,
    lowering: Lowering::Each(|work, block, _| Ok(work.tick(block.id))),
    ..ELEMENTWISE
};

/// Passes a call on to several subsystems.
pub(super) const CALL_SPLIT: Definition = Definition {
    inputs: Some(1),
    outputs: |_| None,
    shapes: |case| vec![case.first().clone(); case.unit.outputs.len()],
    sample_time: |_| None,
    route: Some(|layout, id, _, element| Ok(Some((layout.unit(id).source(0), element)))),
    lowering: Lowering::Wires,
    ..ELEMENTWISE
};

pub(super) const MERGE: Definition =
    Definition { numbers: &["InitialOutput"], remembers: true, lowering: Lowering::One(merge), ..PASSING };

/// For each output of an `If` whether its condition is the first that holds.
fn if_block(work: &mut Work, block: &Instance) -> Outcome<Vec<Vec<Expr>>> {
    let conditions =
        std::iter::once(block.word("IfExpression")).chain(clauses(block.word("ElseIfExpressions")));
    let conditions = conditions.map(|text| move |work: &mut Work<'_>| formula::condition(work, block, text));
    first_that_holds(work, conditions, block.word("ShowElse") != "off")
}

/// For each output of a `SwitchCase` whether its case is the first that contains the input, truncated to an integer.
fn switch_case(work: &mut Work, block: &Instance) -> Outcome<Vec<Vec<Expr>>> {
    let input = block.real(work, 0)?;
    let input = work.round("Zero", input);
    let cases: Vec<Vec<f64>> = match block.values.get("CaseConditions") {
        Some(Value::Cell(cases)) => {
            cases.iter().map(|it| it.matrix().map_or(Vec::new(), |it| it.entries.clone())).collect()
        }
        Some(Value::Matrix(matrix)) => matrix.entries.iter().map(|it| vec![*it]).collect(),
        _ => {
            return Err(Fault::new("its cases are not known"));
        }
    };
    let conditions = cases.into_iter().map(|case| {
        move |work: &mut Work<'_>| {
            let mut any = Vec::new();
            for number in case {
                let number = work.real(number)?;
                any.push(work.pool().eq(input, number));
            }
            Ok(work.pool().or(any))
        }
    });
    first_that_holds(work, conditions, block.is_on("ShowDefaultCase"))
}

/// For each condition whether it is the first that holds; and, with `otherwise`, whether none does.
fn first_that_holds<C: FnOnce(&mut Work<'_>) -> Outcome<Expr>>(
    work: &mut Work,
    conditions: impl Iterator<Item = C>,
    otherwise: bool,
) -> Outcome<Vec<Vec<Expr>>> {
    let mut before = Pool::FALSE;
    let mut outputs = Vec::new();
    for condition in conditions {
        let holds = condition(work)?;
        let none = work.pool().not(before);
        outputs.push(vec![work.pool().and([none, holds])]);
        before = work.pool().or([before, holds]);
    }
    if otherwise {
        outputs.push(vec![work.pool().not(before)]);
    }
    Ok(outputs)
}

/// The value of the input that is computed in this step; otherwise the last one.
fn merge(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let running = block.inputs.iter().map(|source| {
        let wire = source.map(|it| work.layout.trace(it, 0)).transpose()?.flatten();
        let Some(wire) = wire else { return Ok(Pool::FALSE) };
        match work.layout.unit(wire.unit).inside {
            Some(inside) if work.layout.iterator(inside).is_some() => {
                Err(Fault::hint("an input comes from a loop", "use a `Switch`"))
            }
            Some(inside) => Ok(work.activity.get(&inside).map_or(Pool::FALSE, |it| it.active)),
            None => Err(Fault::hint("an input does not come from a conditional subsystem", "use a `Switch`")),
        }
    });
    let running = running.collect::<Outcome<Vec<Expr>>>()?;
    for (place, one) in running.iter().enumerate() {
        for (other, two) in running.iter().enumerate().skip(place + 1) {
            if work.pool().and([*one, *two]) != Pool::FALSE
                && !alternatives(work.layout, block, [place, other])
            {
                let message =
                    "two of its inputs may be computed in the same step, in an order that is not known";
                return Err(Fault::hint(message, "let one `If` or `Switch Case` block choose between them"));
            }
        }
    }
    let mut merged = Vec::new();
    for (element, class) in block.output_classes()?.into_iter().enumerate() {
        let init = work.constant(block.entry("InitialOutput", element), class)?;
        let kept = work.state(block.id, "held", init);
        let mut value = kept.seen;
        for (input, &runs) in block.signals.iter().zip(&running).rev() {
            let given = work.conform(block, class, input.at(element)?);
            value = work.pool().ite(runs, given, value);
        }
        work.update(block.id, kept, value);
        merged.push(value);
    }
    Ok(merged)
}

/// Whether two inputs come from subsystems that are alternatives of one `If` or `SwitchCase`.
fn alternatives(layout: &Layout, block: &Unit, places: [usize; 2]) -> bool {
    let action = |place: usize| {
        let wire = layout.trace(block.source(place)?, 0).ok().flatten()?;
        let controls = &layout.unit(wire.unit).controls;
        let source = controls.iter().find(|(port, _)| *port == Port::Action)?.1?;
        layout.trace(source, 0).ok().flatten()
    };
    let [one, two] = places.map(action);
    one.zip(two).is_some_and(|(one, two)| one.unit == two.unit && one.output != two.output)
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
        let init = initial_output(work, outport, element, class)?;
        let given = work.conform(unit, class, inner.at(element)?);
        if active == Pool::TRUE && !work.is_in_loop() {
            values.push(given);
        } else if unit.word("OutputWhenDisabled") == "reset" && !only_triggered(owner) {
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

/// What an output of a subsystem is before it runs. If its port does not say, and does not reset it, that comes from the block that feeds the
/// port: a constant, an initial condition, a merge, or another conditional subsystem. Otherwise it is zero.
pub(crate) fn initial_output(
    work: &mut Work,
    outport: UnitId,
    element: usize,
    class: Class,
) -> Outcome<Expr> {
    let layout = work.layout;
    let (mut port, mut element) = (layout.unit(outport), element);
    // No chain of subsystems is longer than there are units.
    for _ in 0..layout.plan.units.len() {
        if !port.entries("InitialOutput").is_empty() || port.word("OutputWhenDisabled") == "reset" {
            break;
        }
        let wire = port.source(0).map(|it| layout.trace(it, element)).transpose()?.flatten();
        let Some(wire) = wire else { break };
        let driver = layout.unit(wire.unit);
        let name = match driver.kind {
            BlockKind::Constant | BlockKind::InitialCondition => "Value",
            BlockKind::Merge => "InitialOutput",
            BlockKind::SubSystem => match layout.outport(wire.unit, wire.output) {
                Some(inner) => {
                    (port, element) = (layout.unit(inner), wire.element);
                    continue;
                }
                None => break,
            },
            _ => break,
        };
        return work.constant(driver.entry(name, wire.element), class);
    }
    work.constant(port.entry("InitialOutput", element), class)
}

/// Whether a subsystem runs at triggers alone: it cannot be disabled, so its outputs are held.
fn only_triggered(owner: &Unit) -> bool {
    owner.controls.iter().all(|(port, _)| *port == Port::Trigger)
}

/// Whether states of a sheet restart at some steps, so that they depend on when it runs.
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
    let controlled = layout.owner(sheet).is_some_and(|it| !layout.unit(it).controls.is_empty());
    let port = |unit: &Unit| unit.kind.definition().control == Some(Port::Reset);
    let iterator = layout.iterator(sheet).map(|it| layout.unit(it));
    controlled && (restarts_when_enabled(layout, sheet) || layout.inside(sheet).any(port))
        || iterator.is_some_and(|it| it.word("ResetStates") == "reset")
}

/// Whether the states of a sheet restart when it runs again after it did not.
fn restarts_when_enabled(layout: &Layout, sheet: SheetId) -> bool {
    layout.inside(sheet).any(|unit| match unit.kind.definition().control {
        Some(Port::Action) => unit.word("InitializeStates") == "reset",
        Some(Port::Enable) => unit.word("StatesWhenEnabling") == "reset",
        // A trigger or a call does not enable: who calls does, once and for all.
        Some(Port::Trigger | Port::Data(_) | Port::Reset) | None => false,
    })
}

fn reset_kind<'p>(layout: &Layout<'p>, sheet: SheetId) -> &'p str {
    let port = layout.inside(sheet).find(|it| it.kind.definition().control == Some(Port::Reset));
    port.map(|it| it.word("ResetTriggerType")).filter(|it| !it.is_empty()).unwrap_or("level")
}

/// When the sheet of a subsystem runs, given when the outer sheet runs and the values of its control inputs.
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
    let mut restart = outer.restart;
    for (port, values) in controls {
        let holds = match port {
            // A reset does not keep the subsystem from running.
            Port::Reset => {
                let kind = reset_kind(work.layout, sheet);
                for value in values {
                    let resets = discrete::resets(work, owner, kind, *value)?;
                    restart = work.pool().or([restart, resets]);
                }
                continue;
            }
            Port::Action => values.iter().map(|it| work.truth_of(*it)).collect::<Vec<_>>(),
            Port::Enable => values.iter().map(|it| positive(work, *it)).collect(),
            Port::Trigger => {
                let trigger = work.layout.inside(sheet).find(|it| it.kind == BlockKind::TriggerPort);
                match trigger {
                    Some(trigger) if is_called(trigger) => {
                        values.iter().map(|it| work.truth_of(*it)).collect()
                    }
                    trigger => {
                        let kind = trigger.map_or("rising", |it| it.word("TriggerType"));
                        let before = Before::of(trigger)?;
                        values.iter().map(|it| edge_after(work, owner, kind, before, *it)).collect()
                    }
                }
            }
            Port::Data(_) => {
                return Err(Fault::new("its control input is of a kind that is not supported"));
            }
        };
        conditions.push(work.pool().or(holds));
    }
    let active = work.pool().and(conditions);
    if restarts_when_enabled(work.layout, sheet) {
        let was = work.state(owner, "was running", Pool::FALSE);
        work.update_always(was, active);
        let not_before = work.pool().not(was.seen);
        let again = work.pool().and([active, not_before]);
        restart = work.pool().or([restart, again]);
    }
    Ok(Activity { active, restart })
}

/// Whether a trigger port is for function calls.
fn is_called(port: &Unit) -> bool {
    port.word("TriggerType") == "function-call"
}

/// What a control signal was before the first time that it is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Before {
    /// Unknown, so that nothing is triggered at first.
    Unknown,
    Zero,
    Positive,
    Negative,
}

impl Before {
    fn of(trigger: Option<&Unit>) -> Outcome<Before> {
        match trigger.map_or("", |it| it.word("InitialTriggerSignalState")) {
            "" => Ok(Before::Unknown),
            text if text.starts_with("compatibility") => Ok(Before::Unknown),
            "zero" => Ok(Before::Zero),
            "positive" => Ok(Before::Positive),
            "negative" => Ok(Before::Negative),
            other => Err(Fault::new(format!("the first state `{other}` of its trigger is not supported"))),
        }
    }
}

/// Whether a signal rises or falls since the unit last ran, not in its first run.
pub(super) fn edge(work: &mut Work, id: UnitId, kind: &str, value: Expr) -> Expr {
    edge_after(work, id, kind, Before::Unknown, value)
}

/// The same with a state before the first run. A signal that crosses zero triggers once, when it reaches zero.
fn edge_after(work: &mut Work, id: UnitId, kind: &str, before: Before, value: Expr) -> Expr {
    let (above, below) = (positive(work, value), negative(work, value));
    let was = |work: &mut Work<'_>, sign| work.pool().bool(before == sign);
    let (first_above, first_below) = (was(work, Before::Positive), was(work, Before::Negative));
    let was_above = work.state(id, "was positive", first_above);
    let was_below = work.state(id, "was negative", first_below);
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
    let next_rose = pool.and([was_below.seen, zero_now]);
    let next_fell = pool.and([was_above.seen, zero_now]);
    for (kept, next) in [(was_above, above), (was_below, below), (rose, next_rose), (fell, next_fell)] {
        work.update(id, kept, next);
    }
    let tick = work.tick(id);
    let first = if before == Before::Unknown { work.begins(id) } else { Pool::FALSE };
    let later = work.pool().not(first);
    work.pool().and([later, tick, any])
}

fn positive(work: &mut Work, value: Expr) -> Expr {
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
