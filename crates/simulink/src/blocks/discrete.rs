//! Blocks with memory and rates: the integrator with its three methods, transfer functions, filters, state space, holds and
//! rate transitions.
//!
//! Transfer functions and filters become a state-space form whose states are those of direct form II, so initial states mean the same.
//! Coefficients are exact.

use super::control::edge;
use super::delays::is_variable;
use super::limits::{between, bound};
use super::{Definition, ELEMENTWISE, Instance, Lowering, PASSING};
use crate::lower::{Kept, Signal, Work};
use crate::plan::{Case, Fault, Known, Outcome, Unit, UnitId, classes, entry, finite, sizes};
use crate::value::Class;
use dashu_ratio::RBig;
use system::{Expr, Pool};

/// The maximum number of states of a filter, and of zeros or poles.
const MAX_ORDER: usize = 10_000;
const MAX_ROOTS: usize = 100;

pub(super) const INTEGRATOR: Definition = Definition {
    numbers: &["gainval", "InitialCondition", "UpperSaturationLimit", "LowerSaturationLimit"],
    uses: |unit, name| match name {
        "UpperSaturationLimit" | "LowerSaturationLimit" => unit.is_on("LimitOutput"),
        name => (ELEMENTWISE.uses)(unit, name),
    },
    expands: &["gainval", "UpperSaturationLimit", "LowerSaturationLimit"],
    refusal: other_ports,
    defaults: &[("IntegratorMethod", "Integration: Forward Euler")],
    shapes: delayed,
    remembers: true,
    direct: |unit, input| input > 0 || !unit.word("IntegratorMethod").contains("Forward"),
    lowering: Lowering::Memory(integrator, finish_integrator),
    ..ELEMENTWISE
};

/// Outputs of an integrator besides its value.
fn other_ports(unit: &Unit) -> Option<Fault> {
    let shown = ["ShowSaturationPort", "ShowStatePort", "WrapState"].into_iter().find(|it| unit.is_on(it));
    shown.map(|name| Fault::hint(format!("`{name}` is not supported"), "compute it from the output"))
}

pub(super) const TRANSFER_FUNCTION: Definition = Definition {
    numbers: &["Numerator", "Denominator", "InitialStates"],
    remembers: true,
    direct: |unit, _| fits(unit, "Numerator", "Denominator") && starts(unit, "Numerator"),
    lowering: Lowering::Memory(
        |work, block| linear(work, block, transfer_function),
        |work, block| finish_linear(work, block, transfer_function),
    ),
    ..ELEMENTWISE
};

pub(super) const FILTER: Definition = Definition {
    direct: |unit, _| starts(unit, "Numerator"),
    lowering: Lowering::Memory(
        |work, block| linear(work, block, filter),
        |work, block| finish_linear(work, block, filter),
    ),
    ..TRANSFER_FUNCTION
};

pub(super) const FIR: Definition = Definition {
    numbers: &["Coefficients", "InitialStates"],
    direct: |unit, _| starts(unit, "Coefficients"),
    lowering: Lowering::Memory(
        |work, block| linear(work, block, fir),
        |work, block| finish_linear(work, block, fir),
    ),
    ..TRANSFER_FUNCTION
};

pub(super) const ZERO_POLE: Definition = Definition {
    numbers: &["Zeros", "Poles", "Gain"],
    direct: |unit, _| fits(unit, "Zeros", "Poles"),
    lowering: Lowering::Memory(
        |work, block| linear(work, block, zero_pole),
        |work, block| finish_linear(work, block, zero_pole),
    ),
    ..TRANSFER_FUNCTION
};

pub(super) const STATE_SPACE: Definition = Definition {
    numbers: &["A", "B", "C", "D", "X0", "InitialCondition"],
    defaults: &[("A", "1"), ("B", "1"), ("C", "1"), ("D", "1")],
    shapes: |case| {
        let rows = ports_of(case.unit).map(|it| vec![it.0]);
        case.one(case.first().class(), rows.or_else(|| case.first().size()))
    },
    needed: |case, place, _| {
        let width = ports_of(case.unit).map(|it| vec![it.1]);
        Known::new(None, width).filter(place == 0)
    },
    complaint: |unit, inputs| {
        let (width, columns) = (inputs.first()?.width()?, ports_of(unit)?.1);
        let message =
            || format!("its input has {width} elements, and its matrices have {columns} columns for it");
        (width != columns).then(|| Fault::new(message()))
    },
    inherits: true,
    direct: |unit, _| unit.matrix("D").is_none_or(|it| it.entries.iter().any(|entry| *entry != 0.0)),
    lowering: Lowering::Memory(
        |work, block| linear(work, block, state_space),
        |work, block| finish_linear(work, block, state_space),
    ),
    ..TRANSFER_FUNCTION
};

pub(super) const ZERO_ORDER_HOLD: Definition = PASSING;

pub(super) const RATE_TRANSITION: Definition = Definition {
    numbers: &["InitialCondition", "X0"],
    refusal: |unit| {
        unit.word("OutPortSampleTimeOpt").starts_with("Multiple").then(|| {
            Fault::hint("its rate is a multiple, which is not supported", "give the sample time in seconds")
        })
    },
    sample_time: |unit| (unit.word("OutPortSampleTimeOpt") != "Inherit").then_some("OutPortSampleTime"),
    remembers: true,
    direct: |unit, _| !speeds_up(unit) || unit.word("Integrity") == "off",
    lowering: Lowering::Memory(transition, finish_transition),
    ..PASSING
};

/// The input, with an initial condition, which may be a vector where the input is a scalar. A longer delay has one for each
/// step, so its size does not determine that of the signal.
pub(super) fn delayed(case: &Case<'_>) -> Vec<Known> {
    let class = match case.first() {
        Known::Bus(elements) => return vec![Known::Bus(elements.clone())],
        Known::Signal { class, .. } => case.class(*class),
    };
    let length = if is_variable(case.unit) { 0.0 } else { case.unit.single("DelayLength").unwrap_or(1.0) };
    let initial = case.unit.matrix("InitialCondition").or_else(|| case.unit.matrix("X0"));
    // In a loop that nothing else determines, the class of an initial value that is not a double counts.
    let own = initial.map(|it| it.class).filter(|it| case.loose && *it != Class::Double);
    let class = class.or(own);
    let initial = initial.filter(|_| length == 1.0).map(|it| sizes::of_value(&it.dimensions, true));
    let initial = initial.unwrap_or_else(|| vec![1]);
    let size = match case.first().size() {
        Some(input) => Some(sizes::combine([input.as_slice(), &initial])),
        None if case.loose && sizes::width(&initial) > 1 => Some(initial),
        None => None,
    };
    case.one(class, case.expanded(size))
}

/// Whether the first coefficient is not zero.
fn starts(unit: &Unit, name: &str) -> bool {
    unit.matrix(name).is_none_or(|it| it.entries.first().is_none_or(|it| *it != 0.0))
}

/// Whether the numerator has at least as many numbers as the denominator.
fn fits(unit: &Unit, over: &str, under: &str) -> bool {
    match (unit.matrix(over), unit.matrix(under)) {
        (Some(over), Some(under)) => over.entries.len() >= under.entries.len(),
        _ => true,
    }
}

/// Whether a rate transition runs at steps at which its input does not.
fn speeds_up(unit: &Unit) -> bool {
    let (period, offset) = unit.before;
    period > 0 && (unit.every == 0 || !unit.every.is_multiple_of(period) || unit.offset % period != offset)
}

/// To a slower rate, a transition is a sample. To a faster one, its data is safe and deterministic if it delays by a sample of the slow
/// rate; if its data need not be safe, it holds its input.
fn transition(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let classes = block.output_classes()?;
    if !speeds_up(block) || block.word("Integrity") == "off" {
        return (0..classes.len()).map(|it| block.at(0, it)).collect();
    }
    if block.word("Deterministic") == "off" {
        let message = "a transition to a faster rate that is not deterministic has no definite value";
        return Err(Fault::hint(message, "make it deterministic"));
    }
    let ticks = work.ticks(block.before);
    let initial = if block.entries("InitialCondition").is_empty() { "X0" } else { "InitialCondition" };
    let (mut states, mut outputs) = (Vec::new(), Vec::new());
    for (element, class) in classes.into_iter().enumerate() {
        let init = work.constant(block.entry(initial, element), class)?;
        let (given, held) = (work.state(block.id, "given", init), work.state(block.id, "held", init));
        let value = work.pool().ite(ticks, given.seen, held.seen);
        work.update_always(held, value);
        states.push(given);
        outputs.push(value);
    }
    work.kept.insert(block.id, states);
    Ok(outputs)
}

fn finish_transition(work: &mut Work, block: &Instance) -> Outcome<()> {
    let states = work.kept.get(&block.id).cloned().unwrap_or_default();
    for ((element, kept), class) in states.into_iter().enumerate().zip(block.output_classes()?) {
        let value = work.conform(block, class, block.at(0, element)?);
        let ticks = work.ticks(block.before);
        let next = work.pool().ite(ticks, value, kept.seen);
        work.update_always(kept, next);
    }
    Ok(())
}

/// Whether the block is reset in this step, and its initial value: optional ports follow the data in this order.
pub(super) fn ports<'a>(work: &mut Work, block: &'a Instance) -> Outcome<(Expr, Option<&'a Signal>)> {
    given_ports(work, block, 1)
}

/// The same for a block with some ports before these.
pub(super) fn given_ports<'a>(
    work: &mut Work,
    block: &'a Instance,
    before: usize,
) -> Outcome<(Expr, Option<&'a Signal>)> {
    let mut ports = block.signals.iter().skip(before);
    let reset = match block.word("ExternalReset") {
        "" | "none" | "None" => Pool::FALSE,
        kind => {
            let signal = ports.next().ok_or_else(|| Fault::new("its reset is not connected"))?.at(0)?;
            resets(work, block.id, kind, signal)?
        }
    };
    let external = matches!(block.word("InitialConditionSource"), "Input port" | "external");
    Ok((reset, if external { ports.next() } else { None }))
}

/// Refuses frames, which blocks with memory treat in another way than samples.
pub(super) fn refuse_frames(unit: &Unit, width: usize) -> Outcome<()> {
    if width > 1 && unit.word("InputProcessing").contains("frame") {
        return Err(Fault::hint("frames are not supported", "treat its elements as channels"));
    }
    Ok(())
}

/// Whether a reset signal resets in this step.
pub(super) fn resets(work: &mut Work, id: UnitId, kind: &str, signal: Expr) -> Outcome<Expr> {
    Ok(match kind.to_lowercase().as_str() {
        kind @ ("rising" | "falling" | "either") => edge(work, id, kind, signal),
        "sampled level" | "level hold" => work.truth_of(signal),
        "level" => {
            // While it is not zero, and in the step in which it becomes zero.
            let now = work.truth_of(signal);
            let was = work.state(id, "was set", Pool::FALSE);
            work.update(id, was, now);
            work.pool().or([now, was.seen])
        }
        _ => return Err(Fault::new(format!("unknown reset `{kind}`"))),
    })
}

/// The entries of a row of a matrix that are not zero, with their columns.
pub(super) type Row = Vec<(usize, RBig)>;

/// x' = A x + B u, y = C x + D u; all by rows.
pub(super) struct Linear {
    pub(super) a: Vec<Row>,
    pub(super) b: Vec<Row>,
    pub(super) c: Vec<Row>,
    pub(super) d: Vec<Row>,
    pub(super) initial: Vec<f64>,
    /// Whether each element of the input has a system of its own.
    pub(super) channels: bool,
}

/// The linear system of a block.
pub(super) type Realization = fn(&Unit) -> Outcome<Linear>;

fn linear(work: &mut Work, block: &Instance, realization: Realization) -> Outcome<Vec<Expr>> {
    let linear = realization(block)?;
    let (class, width) = block.output()?;
    refuse_frames(block, width)?;
    if !matches!(class, Class::Double | Class::Single) {
        let message = format!("a filter of the type `{}` has fixed-point states", class.name());
        return Err(Fault::hint(message, "use double or single"));
    }
    let [input] = block.signals else {
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
            let init = work.real(entry(&linear.initial, place))?;
            let kept = work.state(block.id, "state", init);
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
    work.kept.insert(block.id, states);
    Ok(outputs)
}

fn finish_linear(work: &mut Work, block: &Instance, realization: Realization) -> Outcome<()> {
    let linear = realization(block)?;
    let states: Vec<Kept> = work.kept.get(&block.id).cloned().unwrap_or_default();
    let (input, class) = (block.signal(0)?, block.output()?.0);
    for (channel, states) in states.chunks(linear.a.len().max(1)).enumerate() {
        let given = given(work, &linear, input, channel)?;
        let now: Vec<Expr> = states.iter().map(|it| it.seen).collect();
        for ((a, b), kept) in linear.a.iter().zip(&linear.b).zip(states) {
            let from_state = combined(work, a, &now);
            let from_input = combined(work, b, &given);
            let next = work.pool().add(from_state, from_input);
            let next = work.conform(block, class, next);
            work.update(block.id, *kept, next);
        }
    }
    Ok(())
}

/// The inputs of one system; none if they are not known yet.
pub(super) fn given(work: &mut Work, linear: &Linear, input: &Signal, channel: usize) -> Outcome<Vec<Expr>> {
    if input.scalars.is_empty() {
        return Ok(Vec::new());
    }
    let scalars = if linear.channels { vec![input.at(channel)?] } else { input.scalars.clone() };
    Ok(scalars.into_iter().map(|it| work.real_of(it)).collect())
}

pub(super) fn combined(work: &mut Work, factors: &Row, values: &[Expr]) -> Expr {
    let mut sum = work.ratio(0, 1);
    for (column, factor) in factors {
        let Some(value) = values.get(*column) else { continue };
        let factor = work.pool().real(factor.clone());
        let term = work.pool().mul(factor, *value);
        sum = work.pool().add(sum, term);
    }
    sum
}

/// A polynomial of a block by its coefficients or roots.
pub(super) fn coefficients(unit: &Unit, name: &str, most: usize) -> Outcome<Vec<RBig>> {
    let all = unit.numbers(name)?;
    if all.rows() > 1 && all.columns() > 1 {
        return Err(Fault::new("several numerators are not supported"));
    }
    if all.entries.len() > most {
        return Err(Fault::new(format!("the parameter `{name}` has more than {most} numbers")));
    }
    all.entries.iter().map(|it| finite(*it)).collect()
}

/// Powers of z fall from the left.
pub(super) fn transfer_function(unit: &Unit) -> Outcome<Linear> {
    let over = coefficients(unit, "Numerator", MAX_ORDER)?;
    falling(unit, over, coefficients(unit, "Denominator", MAX_ORDER)?)
}

pub(super) fn zero_pole(unit: &Unit) -> Outcome<Linear> {
    let mut over = polynomial(&coefficients(unit, "Zeros", MAX_ROOTS)?);
    let under = polynomial(&coefficients(unit, "Poles", MAX_ROOTS)?);
    let gain = finite(unit.single("Gain").unwrap_or(1.0))?;
    over.iter_mut().for_each(|it| *it = &*it * &gain);
    falling(unit, over, under)
}

fn falling(unit: &Unit, mut over: Vec<RBig>, under: Vec<RBig>) -> Outcome<Linear> {
    let Some(missing) = under.len().checked_sub(over.len()) else {
        return Err(Fault::new("its numerator has a greater degree than its denominator"));
    };
    over.splice(0..0, std::iter::repeat_n(RBig::ZERO, missing));
    direct_form(unit, over, under)
}

/// Powers of 1/z rise from the left.
fn filter(unit: &Unit) -> Outcome<Linear> {
    let over = coefficients(unit, "Numerator", MAX_ORDER)?;
    rising(unit, over, coefficients(unit, "Denominator", MAX_ORDER)?)
}

fn fir(unit: &Unit) -> Outcome<Linear> {
    rising(unit, coefficients(unit, "Coefficients", MAX_ORDER)?, vec![RBig::ONE])
}

fn rising(unit: &Unit, mut over: Vec<RBig>, mut under: Vec<RBig>) -> Outcome<Linear> {
    let length = over.len().max(under.len());
    over.resize(length, RBig::ZERO);
    under.resize(length, RBig::ZERO);
    direct_form(unit, over, under)
}

/// Direct form II of a quotient of polynomials of one length.
fn direct_form(unit: &Unit, mut over: Vec<RBig>, mut under: Vec<RBig>) -> Outcome<Linear> {
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
    let initial = unit.entries("InitialStates").to_vec();
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

/// The numbers of outputs and inputs of a state space: the rows and columns of `D`.
fn ports_of(unit: &Unit) -> Option<(usize, usize)> {
    unit.matrix("D").map(|it| (it.rows(), it.columns())).filter(|it| it.0 > 0 && it.1 > 0)
}

pub(super) fn state_space(unit: &Unit) -> Outcome<Linear> {
    let size = |name: &str| unit.numbers(name).map(|it| (it.rows(), it.columns()));
    let rows = |name: &str| -> Outcome<Vec<Row>> {
        let all = unit.numbers(name)?;
        let (rows, columns) = (all.rows(), all.columns());
        let entry = |row: usize, column: usize| finite(all.entries[column * rows + row]);
        let line = |line: usize| (0..columns).map(|it| entry(line, it)).collect::<Outcome<Vec<RBig>>>();
        (0..rows).map(|it| line(it).map(row)).collect()
    };
    let initial = ["InitialCondition", "X0"].into_iter().map(|it| unit.entries(it)).find(|it| !it.is_empty());
    let initial = initial.unwrap_or(&[]).to_vec();
    let [a, b, c, d] = ["A", "B", "C", "D"].map(size);
    let ((order, width), b, c, d) = (a?, b?, c?, d?);
    // Without states, `B` and `C` may have any size without entries.
    let is_static = order == 0 && b.0 * b.1 == 0 && c.0 * c.1 == 0;
    if is_static && d.0 * d.1 == 0 {
        return Err(Fault::hint(
            "its matrix `D` is empty",
            "give a matrix with an entry for each output and input",
        ));
    }
    if width != order || !is_static && (b.0 != order || c.1 != order || d != (c.0, b.1)) {
        return Err(Fault::new("the sizes of its matrices do not match"));
    }
    let c = if is_static { vec![Row::default(); d.0] } else { rows("C")? };
    Ok(Linear { a: rows("A")?, b: rows("B")?, c, d: rows("D")?, initial, channels: false })
}

/// The output of an integrator; the states of all methods except forward Euler are updated here as well.
fn integrator(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    if is_timed(work, block) {
        return timed_integrator(work, block);
    }
    let width = block.output()?.1;
    let method = block.word("IntegratorMethod");
    let trapezoidal = method.contains("Trapezoidal");
    let (reset, initial) = ports(work, block)?;
    let begins = work.begins(block.id);
    let again = work.pool().or([reset, begins]);
    let (mut states, mut outputs) = (Vec::new(), Vec::new());
    for element in 0..width {
        let (first, init) = initial_state(work, block, initial, element)?;
        let mut kept = work.state(block.id, "state", first);
        kept.seen = work.pool().ite(again, init, kept.seen);
        if method.contains("Forward") {
            outputs.push(kept.seen);
            states.push(kept);
            continue;
        }
        let step = increment(work, block, element, trapezoidal)?;
        let sum = work.pool().add(kept.seen, step);
        let sum = clipped(work, block, sum, element)?;
        let y = if starts_with_output(block) { work.pool().ite(again, init, sum) } else { sum };
        let next = if trapezoidal { work.pool().add(y, step) } else { y };
        let next = stored(work, block, next)?;
        work.update(block.id, kept, next);
        outputs.push(y);
    }
    if !states.is_empty() {
        work.kept.insert(block.id, states);
    }
    Ok(outputs)
}

/// The state of a forward integrator.
fn finish_integrator(work: &mut Work, block: &Instance) -> Outcome<()> {
    if is_timed(work, block) {
        return finish_timed_integrator(work, block);
    }
    let states: Vec<Kept> = work.kept.get(&block.id).cloned().unwrap_or_default();
    for (element, kept) in states.into_iter().enumerate() {
        let step = increment(work, block, element, false)?;
        let sum = work.pool().add(kept.seen, step);
        let next = clipped(work, block, sum, element)?;
        let next = stored(work, block, next)?;
        work.update(block.id, kept, next);
    }
    Ok(())
}

/// The initial value of a state, and what the state is when the block begins or is reset.
fn initial_state(
    work: &mut Work,
    block: &Instance,
    given: Option<&Signal>,
    element: usize,
) -> Outcome<(Expr, Expr)> {
    let number = if given.is_some() { 0.0 } else { block.entry("InitialCondition", element) };
    let first = work.real(number)?;
    let init = match given {
        Some(signal) => work.real_of(signal.at(element)?),
        None => first,
    };
    Ok((first, clipped(work, block, init, element)?))
}

/// A state in the class of the output, which Simulink computes it in. Integers with a factor that is not whole are scaled there.
fn stored(work: &mut Work, block: &Instance, value: Expr) -> Outcome<Expr> {
    let class = block.output()?.0;
    if let Class::Integer(..) = class {
        let time = if is_accumulator(block) { 1.0 } else { work.sample_time(block) };
        let factors = block.entries("gainval").iter().chain([&1.0]).map(|gain| gain * time);
        if factors.into_iter().any(|it| it.fract() != 0.0) {
            let message = "a sum of integers with a factor that is not whole has a fixed-point type";
            return Err(Fault::hint(message, "use double or single, or a whole factor"));
        }
    }
    let value = work.conform(block, class, value);
    Ok(work.real_of(value))
}

fn is_accumulator(unit: &Unit) -> bool {
    unit.word("IntegratorMethod").starts_with("Accumulation")
}

/// Whether an integrator runs at triggers, so that the time between two of them counts, and not a sample time.
fn is_timed(work: &Work, block: &Instance) -> bool {
    work.layout.is_triggered(block.id) && !is_accumulator(block)
}

/// The output of an integrator that runs at triggers: y(n) = y(n-1) + K (t(n) - t(n-1)) u, where u is u(n-1), u(n) or their mean.
fn timed_integrator(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    if matches!(block.output()?.0, Class::Integer(..)) {
        return Err(Fault::hint(
            "an integrator of integers at triggers is not supported",
            "use double or single",
        ));
    }
    let method = block.word("IntegratorMethod");
    let (forward, trapezoidal) = (method.contains("Forward"), method.contains("Trapezoidal"));
    let (reset, initial) = ports(work, block)?;
    let begins = work.begins(block.id);
    let again = work.pool().or([reset, begins]);
    let none = work.pool().int(0);
    let since = work.state(block.id, "steps since the last run", none);
    let steps = work.real_of(since.seen);
    let (zero, half) = (work.ratio(0, 1), work.ratio(1, 2));
    let (mut states, mut outputs) = (vec![since], Vec::new());
    for element in 0..block.output()?.1 {
        let (first, init) = initial_state(work, block, initial, element)?;
        let last = work.state(block.id, "state", first);
        let before = work.state(block.id, "last input", zero);
        let mut u = before.seen;
        if !forward {
            u = block.real(work, element)?;
        }
        if trapezoidal {
            let both = work.pool().add(u, before.seen);
            u = work.pool().mul(half, both);
        }
        let gain = if block.entries("gainval").is_empty() { 1.0 } else { block.entry("gainval", element) };
        let factor = work.real(gain * work.layout.plan.step)?;
        let pool = work.pool();
        let time = pool.mul(factor, steps);
        let change = pool.mul(time, u);
        let sum = pool.add(last.seen, change);
        let sum = clipped(work, block, sum, element)?;
        let y = work.pool().ite(again, init, sum);
        let y = work.conform(block, block.output()?.0, y);
        work.update(block.id, last, y);
        states.push(before);
        outputs.push(y);
    }
    work.kept.insert(block.id, states);
    Ok(outputs)
}

fn finish_timed_integrator(work: &mut Work, block: &Instance) -> Outcome<()> {
    let states: Vec<Kept> = work.kept.get(&block.id).cloned().unwrap_or_default();
    let Some((since, inputs)) = states.split_first() else { return Ok(()) };
    let runs = work.runs(block.id);
    let one = work.pool().int(1);
    let more = work.pool().add(since.seen, one);
    let next = work.pool().ite(runs, one, more);
    work.update_always(*since, next);
    for (element, before) in inputs.iter().enumerate() {
        let u = block.real(work, element)?;
        work.update(block.id, *before, u);
    }
    Ok(())
}

/// Gain times sample time times input; half of it for the trapezoidal method. Accumulation has no sample time.
fn increment(work: &mut Work, block: &Instance, element: usize, half: bool) -> Outcome<Expr> {
    let u = block.at(0, element)?;
    let gain = if block.entries("gainval").is_empty() { 1.0 } else { block.entry("gainval", element) };
    let mut factor = finite(gain)?;
    if !is_accumulator(block) {
        factor *= finite(work.sample_time(block))?;
    }
    if half {
        factor /= RBig::from(2);
    }
    let u = work.real_of(u);
    let factor = work.pool().real(factor);
    Ok(work.pool().mul(factor, u))
}

pub(super) fn clipped(work: &mut Work, unit: &Unit, value: Expr, element: usize) -> Outcome<Expr> {
    if !unit.is_on("LimitOutput") {
        return Ok(value);
    }
    let class = unit.outputs.first().and_then(|it| classes(it).first().copied()).unwrap_or_default();
    let upper = bound(work, unit, "UpperSaturationLimit", element, class)?;
    let lower = bound(work, unit, "LowerSaturationLimit", element, class)?;
    Ok(between(work, value, upper, lower))
}

/// Whether the initial value is the first output, and not only the first state.
fn starts_with_output(unit: &Unit) -> bool {
    let setting = ["InitialConditionSetting", "InitialConditionMode"].map(|it| unit.word(it));
    setting
        .iter()
        .any(|it| it.starts_with("Output") || it.starts_with("State and output") || *it == "Compatibility")
}
