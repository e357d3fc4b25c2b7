//! Ports, and blocks that only arrange signals: vectors, buses and their elements. Blocks that only carry a wire, display something
//! or document are passive: they have no unit.

use super::division::{divided, part};
use super::{Definition, ELEMENTWISE, Label, Lowering, Origin, PASSING};
use crate::lower::Layout;
use crate::plan::variants::{ACTIVE, REASON};
use crate::plan::{Case, Fault, Known, Outcome, Shape, Unit, UnitId, port_number};
use crate::value::Class;
use std::rc::Rc;

/// The maximum number of signals of a bus.
const LARGEST_BUS: usize = 10_000;

pub(super) const PASSIVE: Definition = Definition { passive: true, ..ELEMENTWISE };

/// A block with the first input as its output.
const THROUGH: Definition = Definition {
    label: Label::First,
    route: Some(|layout, id, _, element| Ok(Some((layout.unit(id).source(0), element)))),
    lowering: Lowering::Wires,
    ..PASSING
};

pub(super) const SIGNAL_CONVERSION: Definition = THROUGH;

pub(super) const SIGNAL_SPECIFICATION: Definition =
    Definition { numbers: &["Dimensions"], shapes: specified, ..THROUGH };

/// The input that the switch is set to.
pub(super) const MANUAL_SWITCH: Definition = Definition {
    inputs: Some(2),
    numbers: &["CurrentSetting", "sw"],
    route: Some(|layout, id, _, element| {
        let unit = layout.unit(id);
        let set = ["CurrentSetting", "sw"].into_iter().find_map(|name| unit.single(name));
        let place = usize::from(set == Some(0.0));
        let element = if layout.width(unit.source(place)) == 1 { 0 } else { element };
        Ok(Some((unit.source(place), element)))
    }),
    label: Label::None,
    ..THROUGH
};

/// The active input.
pub(super) const VARIANT_SOURCE: Definition = Definition {
    numbers: &[ACTIVE],
    refusal: |unit| unit.word(ACTIVE).is_empty().then(|| without_choice(unit)),
    inputs: None,
    shapes: |case| vec![case.inputs.get(active(case.unit)).cloned().unwrap_or(Known::NOTHING)],
    needed: |case, place, outputs| {
        outputs.first().cloned().unwrap_or(Known::NOTHING).filter(place == active(case.unit))
    },
    route: Some(|layout, id, _, element| {
        Ok(Some((layout.unit(id).source(active(layout.unit(id))), element)))
    }),
    label: Label::None,
    ..THROUGH
};

/// The input goes to the active output. Blocks after the others do not run, so they have no value.
pub(super) const VARIANT_SINK: Definition = Definition {
    inputs: Some(1),
    outputs: |_| None,
    shapes: |case| vec![case.first().clone(); case.unit.outputs.len()],
    needed: |case, _, outputs| outputs.get(active(case.unit)).cloned().unwrap_or(Known::NOTHING),
    route: Some(|layout, id, output, element| {
        let unit = layout.unit(id);
        if output != active(unit) {
            return Err(Fault::new("an output of a variant sink that is not active has no value"));
        }
        Ok(Some((unit.source(0), element)))
    }),
    ..VARIANT_SOURCE
};

/// The place of the active port.
fn active(unit: &Unit) -> usize {
    unit.single(ACTIVE).map_or(0, |it| it.clamp(1.0, 1e6) as usize - 1)
}

/// Why a variant has no active choice.
pub(super) fn without_choice(unit: &Unit) -> Fault {
    let reason = unit.word(REASON);
    let hint = "give the script or the data file with the variables of its conditions, or replace it with the active choice";
    Fault::hint(format!("the active variant is not known: {reason}"), hint)
}

pub(super) const INPORT: Definition = Definition {
    numbers: &["PortDimensions"],
    inputs: Some(0),
    refusal: |unit| {
        let delayed = unit.is_on("LatchByDelayingOutsideSignal");
        let fault =
            || Fault::hint("an input that is latched by a delay is not supported", "add a Memory block");
        whole_buses(unit).or_else(|| delayed.then(fault))
    },
    shapes: |case| match part(case.unit) {
        Some(part) => vec![divided(case.first(), part)],
        None => specified(case),
    },
    remembers: true,
    route: Some(|layout, id, _, element| {
        // Each turn takes another part of what is outside.
        if part(layout.unit(id)).is_some() {
            return Ok(None);
        }
        Ok(layout.owner(layout.home(id)).map(|owner| {
            let outside = port_number(layout.unit(id)).and_then(|place| layout.unit(owner).source(place));
            (outside, element)
        }))
    }),
    lowering: Lowering::Port,
    ..THROUGH
};

pub(super) const OUTPORT: Definition = Definition {
    numbers: &["InitialOutput", "PortDimensions"],
    inputs: Some(1),
    outputs: |_| Some(0),
    refusal: whole_buses,
    governs: true,
    needed: |case, _, _| case.given(),
    lowering: Lowering::Wires,
    ..ELEMENTWISE
};

pub(super) const MUX: Definition = Definition {
    shapes: muxed,
    complaint: |unit, inputs| {
        if inputs.iter().any(|it| matches!(it, Known::Bus(_))) { too_large(unit) } else { None }
    },
    route: Some(joined),
    lowering: Lowering::Wires,
    ..ELEMENTWISE
};

pub(super) const BUS_CREATOR: Definition =
    Definition { shapes: |case| vec![bus(case)], complaint: |unit, _| too_large(unit), ..MUX };

pub(super) const DEMUX: Definition = Definition {
    numbers: &["Outputs"],
    outputs: |unit| {
        let matrix = unit.matrix("Outputs")?;
        Some(matrix.single().map_or(matrix.entries.len(), |count| count.clamp(0.0, 1e5) as usize))
    },
    shapes: demuxed,
    needed: |case, _, _| {
        let sizes = case.unit.matrix("Outputs").map(|it| &it.entries);
        let sizes = sizes.filter(|all| all.iter().all(|size| (1.0..=1e6).contains(size)));
        Known::new(None, sizes.map(|all| vec![all.iter().sum::<f64>() as usize]))
    },
    route: Some(|layout, id, output, element| {
        let unit = layout.unit(id);
        let before: usize = unit.outputs.iter().take(output).map(Shape::width).sum();
        Ok(Some((unit.source(0), before + element)))
    }),
    lowering: Lowering::Wires,
    ..ELEMENTWISE
};

pub(super) const BUS_SELECTOR: Definition = Definition {
    outputs: |unit| Some(if unit.is_on("OutputAsBus") { 1 } else { unit.list("OutputSignals").count() }),
    shapes: selected,
    complaint: |unit, inputs| {
        let bus = inputs.first()?;
        let missing = unit.list("OutputSignals").find(|path| element(bus, path).is_none())?;
        let message = format!("its bus has no element `{missing}`");
        Some(Fault::hint(message, "select the elements again in Simulink"))
    },
    label: Label::Selected,
    route: Some(|layout, id, output, element| {
        Ok(Some((layout.unit(id).source(0), selected_element(layout, id, output, element)?)))
    }),
    lowering: Lowering::Wires,
    ..ELEMENTWISE
};

pub(super) const BUS_ASSIGNMENT: Definition = Definition {
    shapes: |case| vec![case.first().clone()],
    route: Some(assigned),
    lowering: Lowering::Wires,
    ..ELEMENTWISE
};

pub(super) const BUS_TO_VECTOR: Definition = Definition {
    shapes: |case| case.one(case.first().class(), case.first().width().map(|width| vec![width])),
    needed: ELEMENTWISE.needed,
    inherits: false,
    label: Label::None,
    ..THROUGH
};

fn whole_buses(unit: &Unit) -> Option<Fault> {
    unit.is_on("IsBusElementPort").then(|| {
        Fault::hint(
            "a port of one element of a bus is not supported",
            "take the whole bus, and select its element",
        )
    })
}

/// What the block specifies, completed by its input.
fn specified(case: &Case<'_>) -> Vec<Known> {
    if case.inputs.is_empty() && case.unit.is_on("OutputFunctionCall") {
        return case.one(Some(Class::Boolean), Some(vec![1]));
    }
    let own = case.given();
    vec![match case.inputs.first() {
        None => own,
        Some(Known::Signal { .. }) if matches!(own, Known::Bus(_)) => own,
        Some(Known::Bus(elements)) => Known::Bus(elements.clone()),
        Some(Known::Signal { class, size }) => {
            Known::new(own.class().or(*class), own.size().or_else(|| size.clone()))
        }
    }]
}

/// A bus of the inputs. One that contains itself would never end: beyond some depth and size nothing is known.
fn bus(case: &Case<'_>) -> Known {
    let count = case.inputs.iter().map(|known| known.signals(8)).sum::<Option<usize>>();
    if count.is_none_or(|count| count > LARGEST_BUS) {
        return Known::NOTHING;
    }
    // The type of a bus names its elements.
    let stated = match case.bus() {
        Some(Known::Bus(elements)) if elements.len() == case.inputs.len() => Some(elements),
        _ => None,
    };
    let name = |k: usize| match &stated {
        Some(elements) => Some(elements[k].0.clone()),
        None => case.names.get(k).filter(|name| !name.is_empty()).cloned(),
    };
    let named =
        |(k, known): (usize, &Known)| (name(k).unwrap_or_else(|| format!("signal{}", k + 1)), known.clone());
    Known::Bus(Rc::new(case.inputs.iter().enumerate().map(named).collect()))
}

/// What is wrong with a bus that has no shape.
fn too_large(unit: &Unit) -> Option<Fault> {
    let message = format!("its bus contains itself, or more than {LARGEST_BUS} signals");
    let open = matches!(unit.outputs.first(), Some(Shape::Signal { .. }));
    open.then(|| Fault::hint(message, "split the bus"))
}

fn muxed(case: &Case<'_>) -> Vec<Known> {
    if case.inputs.iter().any(|known| matches!(known, Known::Bus(_))) {
        return vec![bus(case)];
    }
    let width = case.inputs.iter().try_fold(0usize, |sum, known| Some(sum.saturating_add(known.width()?)));
    case.one(case.common(case.inputs), width.map(|width| vec![width]))
}

fn demuxed(case: &Case<'_>) -> Vec<Known> {
    let count = case.unit.outputs.len();
    if let Known::Bus(elements) = case.first()
        && elements.len() == count
    {
        return elements.iter().map(|(_, element)| element.clone()).collect();
    }
    let given: Vec<f64> = match case.unit.matrix("Outputs") {
        Some(matrix) if matrix.entries.len() > 1 => matrix.entries.clone(),
        _ => vec![-1.0; count],
    };
    let fixed: Vec<usize> =
        given.iter().filter(|size| **size > 0.0).map(|&size| size.min(1e6) as usize).collect();
    let free = given.len() - fixed.len();
    let fixed: usize = fixed.iter().sum();
    let left = case.first().width().map(|width| width.saturating_sub(fixed));
    let mut taken = 0;
    let mut size = |given: f64| {
        if given > 0.0 {
            return Some(vec![given.min(1e6) as usize]);
        }
        // The rest is divided evenly; the first outputs get one more.
        let left = left?;
        taken += 1;
        Some(vec![left / free + usize::from(taken <= left % free)])
    };
    given.into_iter().map(|given| Known::new(case.first().class(), size(given))).collect()
}

fn selected(case: &Case<'_>) -> Vec<Known> {
    let found = |path: &str| element(case.first(), path).cloned().unwrap_or(Known::NOTHING);
    let paths = case.unit.list("OutputSignals");
    if !case.unit.is_on("OutputAsBus") {
        return paths.map(found).collect();
    }
    let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    vec![Known::Bus(Rc::new(paths.map(|path| (last(path), found(path))).collect()))]
}

/// The element of a bus with a path (`a.b`). An element without a name is found by its number (`signal2`).
fn element<'a>(bus: &'a Known, path: &str) -> Option<&'a Known> {
    let mut at = bus;
    for name in path.split('.') {
        let Known::Bus(elements) = at else { return None };
        let named = elements.iter().find(|(other, _)| other == name);
        let numbered = || {
            let number: usize = name.strip_prefix("signal")?.parse().ok()?;
            elements.get(number.checked_sub(1)?)
        };
        at = &named.or_else(numbered)?.1;
    }
    Some(at)
}

/// The inputs one after the other.
pub(super) fn joined(layout: &Layout, id: UnitId, _: usize, element: usize) -> Outcome<Option<Origin>> {
    let mut left = element;
    for &source in &layout.unit(id).inputs {
        let width = layout.width(source);
        if left < width {
            return Ok(Some((source, left)));
        }
        left -= width;
    }
    Ok(Some((None, 0)))
}

/// The element of the bus that an element of an output is taken from.
fn selected_element(layout: &Layout, id: UnitId, output: usize, element: usize) -> Outcome<usize> {
    let unit = layout.unit(id);
    let mut names = unit.list("OutputSignals");
    let bus = layout.shape(unit.source(0)).ok_or_else(|| Fault::new("its input is not a bus"))?;
    if !unit.is_on("OutputAsBus") {
        let name = names.nth(output).ok_or_else(|| Fault::new("it has more outputs than signals"))?;
        return Ok(offset(bus, name)?.0 + element);
    }
    let mut left = element;
    for name in names {
        let (start, width) = offset(bus, name)?;
        if left < width {
            return Ok(start + left);
        }
        left -= width;
    }
    Err(Fault::new("it selects fewer elements than its output has"))
}

fn assigned(layout: &Layout, id: UnitId, _: usize, element: usize) -> Outcome<Option<Origin>> {
    let unit = layout.unit(id);
    let bus = layout.shape(unit.source(0)).ok_or_else(|| Fault::new("its first input is not a bus"))?;
    for (place, name) in unit.list("AssignedSignals").enumerate() {
        let (start, width) = offset(bus, name)?;
        if (start..start + width).contains(&element) {
            return Ok(Some((unit.source(place + 1), element - start)));
        }
    }
    Ok(Some((unit.source(0), element)))
}

/// Where an element of a bus starts, and how wide it is. Levels are separated by dots.
fn offset(bus: &Shape, name: &str) -> Outcome<(usize, usize)> {
    let missing = || Fault::new(format!("its bus has no element `{name}`"));
    let (mut now, mut start) = (bus, 0);
    for part in name.split('.') {
        let Shape::Bus(elements) = now else { return Err(missing()) };
        let place = elements.iter().position(|(it, _)| it == part).ok_or_else(missing)?;
        start += elements[..place].iter().map(|(_, shape)| shape.width()).sum::<usize>();
        now = &elements[place].1;
    }
    Ok((start, now.width()))
}
