//! Sources that change over time: steps, ramps, waves, pulses, clocks, recorded signals and random numbers.
//!
//! Time is the number of the step times the step of the model, and exact where it is compared. Waves and recorded signals with a
//! continuous time also have a value at the stages of a solver; pulses are held between two steps.

use super::{BlockKind, Definition, ELEMENTWISE, Instance, Lowering};
use crate::lower::Work;
use crate::plan::{Case, Fault, Outcome, Unit, finite, sizes};
use crate::value::{Class, Matrix, Value};
use dashu_int::IBig;
use dashu_ratio::RBig;
use system::{Expr, Function, Type};

/// The maximum number of steps of a recorded signal.
const MAX_SAMPLES: usize = 10_000;

/// A source of doubles that changes over time. Its parameters have one number for each element.
const WAVE: Definition = Definition {
    inputs: Some(0),
    shapes: |case| case.one(Some(Class::Double), case.expanded(Some(vec![1]))),
    remembers: true,
    ..ELEMENTWISE
};

pub(super) const STEP: Definition = Definition {
    numbers: &["Time", "Before", "After"],
    expands: &["Time", "Before", "After"],
    defaults: &[("Time", "1"), ("Before", "0"), ("After", "1"), ("SampleTime", "0")],
    lowering: Lowering::Each(|work, block, element| {
        let begun = reaches(work, block.entry("Time", element))?;
        let before = work.real(block.entry("Before", element))?;
        let after = work.real(block.entry("After", element))?;
        Ok(work.pool().ite(begun, after, before))
    }),
    ..WAVE
};

pub(super) const SIN: Definition = Definition {
    inputs: None,
    numbers: &["Amplitude", "Bias", "Frequency", "Phase", "Samples", "Offset"],
    expands: &["Amplitude", "Bias", "Frequency", "Phase"],
    defaults: &[
        ("Amplitude", "1"),
        ("Bias", "0"),
        ("Frequency", "1"),
        ("Phase", "0"),
        ("Samples", "10"),
        ("Offset", "0"),
        ("SampleTime", "0"),
    ],
    shapes: |case| {
        let size = if case.inputs.is_empty() { Some(vec![1]) } else { case.first().size() };
        case.one(Some(Class::Double), case.expanded(size))
    },
    lowering: Lowering::Each(sine),
    ..WAVE
};

pub(super) const CLOCK: Definition = Definition {
    defaults: &[("SampleTime", "0")],
    lowering: Lowering::Each(|work, _, _| work.time()),
    ..WAVE
};

pub(super) const DIGITAL_CLOCK: Definition = Definition { defaults: &[("SampleTime", "1")], ..CLOCK };

pub(super) const PULSE_GENERATOR: Definition = Definition {
    numbers: &["Amplitude", "Period", "PulseWidth", "PhaseDelay"],
    expands: &["Amplitude", "Period", "PulseWidth", "PhaseDelay"],
    defaults: &[
        ("Amplitude", "1"),
        ("Period", "10"),
        ("PulseWidth", "5"),
        ("PhaseDelay", "0"),
        ("PulseType", "Time based"),
    ],
    sample_time: |unit| (unit.word("PulseType") == "Sample based").then_some("SampleTime"),
    lowering: Lowering::Each(pulse),
    ..WAVE
};

pub(super) const FROM_WORKSPACE: Definition = Definition {
    numbers: &["VariableName"],
    cells: true,
    shapes: |case| case.one(Some(Class::Double), recorded_width(case)),
    lowering: Lowering::One(recorded),
    ..WAVE
};

/// A recorded signal of a file, which has a matrix with the times in its first row.
pub(super) const FROM_FILE: Definition = Definition {
    numbers: &["FileName"],
    defaults: &[("FileName", "untitled.mat"), ("SampleTime", "0")],
    ..FROM_WORKSPACE
};

pub(super) const UNIFORM_RANDOM: Definition = Definition {
    numbers: &["Minimum", "Maximum", "Seed"],
    expands: &["Minimum", "Maximum", "Seed"],
    defaults: &[("Minimum", "-1"), ("Maximum", "1"), ("Seed", "0"), ("SampleTime", "0")],
    lowering: Lowering::Each(random),
    ..WAVE
};

pub(super) const NORMAL_RANDOM: Definition = Definition {
    numbers: &["Mean", "Variance", "Seed"],
    expands: &["Mean", "Variance", "Seed"],
    defaults: &[("Mean", "0"), ("Variance", "1"), ("Seed", "0"), ("SampleTime", "0")],
    lowering: Lowering::Each(normal),
    ..WAVE
};

pub(super) const SIGNAL_GENERATOR: Definition = Definition {
    inputs: None,
    numbers: &["Amplitude", "Frequency"],
    expands: &["Amplitude", "Frequency"],
    defaults: &[
        ("WaveForm", "sine"),
        ("Amplitude", "1"),
        ("Frequency", "1"),
        ("Units", "Hertz"),
        ("SampleTime", "0"),
    ],
    refusal: |unit| {
        let random = unit.word("WaveForm") == "random";
        random.then(|| Fault::hint("a random wave form has no seed", "use a `Uniform Random Number` block"))
    },
    shapes: SIN.shapes,
    sample_time: |unit| (!unit.word("TimeSource").contains("external")).then_some("SampleTime"),
    lowering: Lowering::Each(generated),
    ..WAVE
};

/// A time in steps; one that is almost a whole number of steps is one.
fn in_steps(work: &Work, time: RBig) -> Outcome<RBig> {
    let steps = time / finite(work.layout.plan.step)?;
    let whole = RBig::from((&steps + RBig::from_parts(1.into(), 2u8.into())).floor());
    let distance = if steps < whole { &whole - &steps } else { &steps - &whole };
    let is_near = distance <= RBig::from_parts(1.into(), 1_000_000_000u32.into());
    Ok(if is_near { whole } else { steps })
}

/// Whether a time in seconds has come.
fn reaches(work: &mut Work, time: f64) -> Outcome<Expr> {
    let steps = in_steps(work, finite(time)? - finite(work.layout.plan.start)?)?;
    let last = u64::try_from(steps.ceil()).unwrap_or(0);
    let now = work.elapsed(Some(last));
    let steps = work.pool().real(steps);
    Ok(work.pool().ge(now, steps))
}

/// A sine of time, of an external time, or of the number of the sample.
fn sine(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let [amplitude, bias] = ["Amplitude", "Bias"].map(|name| work.real(block.entry(name, element)));
    let (amplitude, bias) = (amplitude?, bias?);
    let angle = if block.word("SineType") == "Sample based" {
        let samples = block.entry("Samples", element);
        let offset = work.real(block.entry("Offset", element))?;
        let each = work.real(block.every.max(1) as f64)?;
        let steps = work.elapsed(None);
        let number = work.pool().div(steps, each);
        let place = work.pool().add(number, offset);
        let turn = work.real(std::f64::consts::TAU / samples)?;
        work.pool().mul(turn, place)
    } else {
        let [frequency, phase] = ["Frequency", "Phase"].map(|name| work.real(block.entry(name, element)));
        let external = block.word("TimeSource").contains("external");
        let time = if external { block.real(work, element)? } else { work.time()? };
        let turned = work.pool().mul(frequency?, time);
        work.pool().add(turned, phase?)
    };
    let pool = work.pool();
    let sine = pool.apply(Function::Sin, &[angle]);
    let scaled = pool.mul(amplitude, sine);
    Ok(pool.add(scaled, bias))
}

/// On during the first part of every period, after a delay.
fn pulse(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let number = |name: &str| finite(block.entry(name, element));
    let (mut period, mut width, mut delay) =
        (number("Period")?, number("PulseWidth")?, number("PhaseDelay")?);
    if block.word("PulseType") == "Sample based" {
        let each = RBig::from(block.every.max(1));
        (period, width, delay) = (period * &each, width * &each, delay * each);
    } else {
        width = &period * width / RBig::from(100);
        delay -= finite(work.layout.plan.start)?;
        (period, width, delay) = (in_steps(work, period)?, in_steps(work, width)?, in_steps(work, delay)?);
    }
    let whole = u64::try_from(period.ceil()).ok().filter(|it| period.is_int() && *it > 0);
    let Some(whole) = whole else {
        return Err(Fault::hint("its period is not a multiple of the step", "choose a step that divides it"));
    };
    // From the first step at or after the delay on, the phase of the period decides; it may have begun before the run.
    let first = u64::try_from(delay.ceil()).unwrap_or(0);
    if delay < RBig::ZERO {
        delay = &delay - &period * RBig::from((&delay / &period).floor());
    }
    let begin = delay.ceil();
    let past = RBig::from(begin.clone()) - &delay;
    let shift = RBig::from(begin % IBig::from(whole));
    let begun = work.steps(Some(first));
    let phase = work.phase(whole);
    let (phase, begun) = (work.real_of(phase), work.real_of(begun));
    let (zero, length) = (work.ratio(0, 1), work.pool().real(period));
    let amplitude = work.real(block.entry("Amplitude", element))?;
    let pool = work.pool();
    let (first, shift, width) = (pool.real(RBig::from(first)), pool.real(shift), pool.real(width - past));
    let place = pool.sub(phase, shift);
    let (below, above) = (pool.lt(place, zero), pool.add(place, length));
    let place = pool.ite(below, above, place);
    let (late, on) = (pool.ge(begun, first), pool.lt(place, width));
    let on = pool.and([late, on]);
    Ok(pool.ite(on, amplitude, zero))
}

/// The times and rows of values of a recorded signal; no times, if there is a value for each sample.
fn table(unit: &Unit) -> Outcome<(Vec<f64>, Matrix)> {
    let unknown =
        || Fault::hint("its variable is not a matrix of times and values", "give a data file with it");
    let field =
        |all: &[(String, Value)], name: &str| all.iter().find(|it| it.0 == name).map(|it| it.1.clone());
    if let Some(Value::Matrix(all)) = unit.values.get("FileName")
        && all.rows() > 1
        && all.columns() > 0
    {
        let row = |row: usize| all.entries.iter().copied().skip(row).step_by(all.rows());
        let dimensions = vec![all.columns(), all.rows() - 1];
        let entries = (1..all.rows()).flat_map(row).collect();
        return Ok((row(0).collect(), Matrix { dimensions, class: all.class, entries }));
    }
    match unit.values.get("VariableName") {
        Some(Value::Matrix(all)) if all.columns() > 1 && all.rows() > 0 => {
            let rows = all.rows();
            let values = all.entries[rows..].to_vec();
            let dimensions = vec![rows, all.columns() - 1];
            Ok((all.entries[..rows].to_vec(), Matrix { dimensions, class: all.class, entries: values }))
        }
        Some(Value::Struct(fields)) => {
            let Some(Value::Struct(signals)) = field(fields, "signals") else { return Err(unknown()) };
            let (Some(Value::Matrix(time)), Some(Value::Matrix(values))) =
                (field(fields, "time"), field(&signals, "values"))
            else {
                return Err(unknown());
            };
            let is_sampled = time.entries.is_empty() && values.rows() > 0;
            if !is_sampled && (time.entries.is_empty() || time.entries.len() != values.rows()) {
                return Err(unknown());
            }
            Ok((time.entries, values))
        }
        _ => Err(unknown()),
    }
}

fn recorded_width(case: &Case<'_>) -> Option<Vec<usize>> {
    Some(sizes::of_value(&[1, table(case.unit).ok()?.1.columns()], true))
}

/// A recorded signal, from step to step.
fn recorded(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let (mut times, values) = table(block)?;
    if times.is_empty() {
        times = sampled(work, block, values.rows())?;
    }
    if times.windows(2).any(|it| it[0] > it[1]) {
        return Err(Fault::new("its times are not in ascending order"));
    }
    let last = times[times.len() - 1];
    let (step, start) = (work.layout.plan.step, work.layout.plan.start);
    let steps = ((last - start) / step).ceil().max(0.0) as usize + 2;
    if steps > MAX_SAMPLES {
        return Err(Fault::new(format!("its signal has more than {MAX_SAMPLES} steps")));
    }
    let Reading { interpolates, before, after } = reading(block)?;
    work.reserve(steps, values.columns())?;
    // The line through two neighbours, at a time.
    let line = |column: &[f64], place: usize, time: f64| {
        let (from, to) = (times[place], times[place + 1]);
        column[place] + (time - from) / (to - from) * (column[place + 1] - column[place])
    };
    let has_line = |place: usize| times.get(place + 1).is_some_and(|it| *it > times[place]);
    let end = times.len() - 1;
    let at = |column: usize, steps: f64| {
        let column = &values.entries[column * times.len()..(column + 1) * times.len()];
        let time = start + steps * step;
        let next = times.partition_point(|it| *it <= time + step * 1e-9);
        match next {
            0 => match before {
                Outside::Line if has_line(0) => line(column, 0, time),
                Outside::Line | Outside::Hold => column[0],
                Outside::Zero => 0.0,
            },
            next if next > end => match after {
                Outside::Line if end > 0 && has_line(end - 1) => line(column, end - 1, time),
                Outside::Zero if time > last + step * 1e-9 => 0.0,
                Outside::Line | Outside::Hold | Outside::Zero => column[end],
            },
            next if interpolates && has_line(next - 1) => line(column, next - 1, time),
            next => column[next - 1],
        }
    };
    let number = work.steps(Some(steps as u64 - 1));
    let part = f64::from(work.stage.1).recip() * work.stage.0 as f64;
    let goes_on = after == Outside::Line && end > 0 && has_line(end - 1);
    let mut outputs = Vec::new();
    for column in 0..values.columns() {
        let all: Vec<Expr> =
            (0..steps).map(|it| work.real(at(column, it as f64 + part))).collect::<Outcome<_>>()?;
        let mut value = by_step(work, number, 0, &all);
        if goes_on {
            let [from, to] = [steps - 2, steps - 1].map(|it| at(column, it as f64));
            let (slope, to) = (work.real(to - from)?, work.real(to)?);
            let (elapsed, whole) = (work.elapsed(None), work.pool().real(RBig::from(steps - 1)));
            let pool = work.pool();
            let (over, more) = (pool.gt(elapsed, whole), pool.sub(elapsed, whole));
            let rise = pool.mul(slope, more);
            let beyond = pool.add(to, rise);
            value = pool.ite(over, beyond, value);
        }
        outputs.push(value);
    }
    Ok(outputs)
}

/// The times of a signal with a value for each sample, from the first step on.
fn sampled(work: &Work, block: &Instance, count: usize) -> Outcome<Vec<f64>> {
    if block.continuous || work.layout.plan.start != 0.0 || reading(block)?.interpolates {
        let hint = "give the signal times, or the block a sample time without interpolation, and start at 0";
        return Err(Fault::hint("its variable has no times", hint));
    }
    let time = block.every.max(1) as f64 * work.layout.plan.step;
    Ok((0..count).map(|it| it as f64 * time).collect())
}

/// How a recorded signal is between and outside of its times.
struct Reading {
    interpolates: bool,
    before: Outside,
    after: Outside,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    /// The line through the two nearest points.
    Line,
    /// The nearest value.
    Hold,
    Zero,
}

fn reading(unit: &Unit) -> Outcome<Reading> {
    if unit.kind == BlockKind::FromFile {
        let outside = |name: &str| match unit.word(name) {
            "" | "Linear extrapolation" => Outside::Line,
            "Ground value" => Outside::Zero,
            _ => Outside::Hold,
        };
        return Ok(Reading {
            interpolates: unit.word("InterpolationWithinTimeRange") != "Zero order hold",
            before: outside("ExtrapolationBeforeFirstDataPoint"),
            after: outside("ExtrapolationAfterLastDataPoint"),
        });
    }
    let interpolates = unit.word("Interpolate") != "off";
    let after = match unit.word("OutputAfterFinalValue") {
        "Cyclic repetition" => {
            let message = "`Cyclic repetition` after the last value is not supported";
            return Err(Fault::hint(message, "hold the final value, or set it to zero"));
        }
        "Setting to zero" => Outside::Zero,
        // Without interpolation, extrapolating holds the last value.
        "Extrapolation" if interpolates => Outside::Line,
        _ => Outside::Hold,
    };
    Ok(Reading { interpolates, before: if interpolates { Outside::Hold } else { Outside::Zero }, after })
}

/// The value of the step, by a balanced tree of comparisons.
fn by_step(work: &mut Work, number: Expr, from: usize, all: &[Expr]) -> Expr {
    if all.iter().all(|it| *it == all[0]) {
        return all[0];
    }
    let middle = all.len() / 2;
    let left = by_step(work, number, from, &all[..middle]);
    let right = by_step(work, number, from + middle, &all[middle..]);
    let border = work.pool().int(IBig::from(from + middle));
    let before = work.pool().lt(number, border);
    work.pool().ite(before, left, right)
}

/// The generator of Simulink: multiplication by 16807 modulo 2^31 − 1 (Park and Miller 1988), from a scrambled seed.
fn random(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let start = scrambled(block.entry("Seed", element));
    let (first, factor, modulus) =
        (work.pool().int(next(start)), work.pool().int(16_807), work.pool().int(2_147_483_647i64));
    let kept = work.state(block.id, "seed", first);
    let product = work.pool().mul(kept.seen, factor);
    let after = work.pool().modulo(product, modulus);
    work.update(block.id, kept, after);
    let (least, greatest) = (block.entry("Minimum", element), block.entry("Maximum", element));
    let (least, range) = (work.real(least)?, work.real(greatest - least)?);
    let share = work.real(4.656_612_875_245_797e-10)?;
    let number = work.real_of(kept.seen);
    let pool = work.pool();
    let share = pool.mul(number, share);
    let scaled = pool.mul(range, share);
    Ok(pool.add(scaled, least))
}

/// The longest run of pairs that [`normal`] rejects, over all numbers of the generator.
const MOST_REJECTED: usize = 12;

/// A normal random number by the polar method (Marsaglia and Bray 1964): pairs of uniform numbers until one is in the unit circle.
fn normal(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let start = scrambled(block.entry("Seed", element));
    let start = work.pool().int(start);
    let kept = work.state(block.id, "seed", start);
    let [one, two, minus_two] = [1, 2, -2].map(|it| work.ratio(it, 1));
    let share = work.real(4.656_612_875_245_797e-10)?;
    let (factor, modulus) = (work.pool().int(16_807), work.pool().int(2_147_483_647i64));
    let pool = work.pool();
    let mut tries = Vec::new();
    let mut seed = kept.seen;
    for _ in 0..=MOST_REJECTED {
        let [x, y] = [(), ()].map(|()| {
            let product = pool.mul(seed, factor);
            seed = pool.modulo(product, modulus);
            let uniform = pool.cast(Type::Real, seed);
            let uniform = pool.mul(uniform, share);
            let doubled = pool.mul(two, uniform);
            pool.sub(doubled, one)
        });
        let (x_square, y_square) = (pool.mul(x, x), pool.mul(y, y));
        let radius = pool.add(x_square, y_square);
        tries.push((x, radius, seed));
    }
    let (mut x, mut radius, mut after) = tries[MOST_REJECTED];
    for &(other, size, seed) in tries[..MOST_REJECTED].iter().rev() {
        let inside = pool.le(size, one);
        x = pool.ite(inside, other, x);
        radius = pool.ite(inside, size, radius);
        after = pool.ite(inside, seed, after);
    }
    let logarithm = pool.apply(Function::Log, &[radius]);
    let scaled = pool.mul(minus_two, logarithm);
    let square = pool.div(scaled, radius);
    let length = pool.apply(Function::Sqrt, &[square]);
    let value = pool.mul(length, x);
    work.update(block.id, kept, after);
    let deviation = work.real(block.entry("Variance", element).sqrt())?;
    let mean = work.real(block.entry("Mean", element))?;
    let spread = work.pool().mul(deviation, value);
    Ok(work.pool().add(spread, mean))
}

/// A periodic wave: a sine; a square that is low in the first half of its period; or a saw that falls.
fn generated(work: &mut Work, block: &Instance, element: usize) -> Outcome<Expr> {
    let amplitude = work.real(block.entry("Amplitude", element))?;
    let frequency = block.entry("Frequency", element);
    let in_radians = block.word("Units").starts_with("rad");
    let external = block.word("TimeSource").contains("external");
    let time = if external { block.real(work, element)? } else { work.time()? };
    if block.word("WaveForm") == "sine" {
        let turn = if in_radians { frequency } else { std::f64::consts::TAU * frequency };
        let turn = work.real(turn)?;
        let angle = work.pool().mul(turn, time);
        let sine = work.pool().apply(Function::Sin, &[angle]);
        return Ok(work.pool().mul(amplitude, sine));
    }
    let frequency = work.real(if in_radians { frequency / std::f64::consts::TAU } else { frequency })?;
    let [one, two, half] = [(1, 1), (2, 1), (1, 2)].map(|(a, b)| work.ratio(a, b));
    let pool = work.pool();
    let turns = pool.mul(frequency, time);
    let whole = pool.floor(turns);
    let phase = pool.sub(turns, whole);
    match block.word("WaveForm") {
        "square" => {
            let (late, low) = (pool.ge(phase, half), pool.neg(amplitude));
            Ok(pool.ite(late, amplitude, low))
        }
        "sawtooth" => {
            let doubled = pool.mul(two, phase);
            let falling = pool.sub(one, doubled);
            Ok(pool.mul(amplitude, falling))
        }
        other => Err(Fault::new(format!("the wave form `{other}` is not supported"))),
    }
}

fn next(seed: u64) -> u64 {
    seed * 16_807 % 2_147_483_647
}

fn scrambled(seed: f64) -> u64 {
    let seed = seed.clamp(0.0, f64::from(u32::MAX)) as u32;
    let (high, bit) = (seed >> 16, seed & 32_768);
    let low = seed.wrapping_sub(high << 16).wrapping_add(bit);
    let mixed = (low << 16).wrapping_add(bit).wrapping_add(high);
    match mixed {
        0 => 1_144_108_930,
        other => u64::from(other.min(2_147_483_646)),
    }
}
