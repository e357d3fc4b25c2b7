//! Sources that change over time: steps, ramps, waves, pulses, clocks and random numbers.
//!
//! Time is the number of the step times the step of the model, and exact where it is compared. Waves with a continuous time also have a
//! value at the stages of a solver; pulses are held between two steps.

use super::{Definition, ELEMENTWISE, Instance, Lowering};
use crate::lower::Work;
use crate::plan::{Fault, Outcome, finite};
use crate::value::Class;
use dashu_int::IBig;
use dashu_ratio::RBig;
use system::{Expr, Function, Type};

/// A source of doubles that changes over time. Its parameters have one number for each element.
pub(super) const WAVE: Definition = Definition {
    inputs: Some(0),
    shapes: |case| case.one(Some(Class::Double), case.expanded(Some(vec![1]))),
    remembers: true,
    ..ELEMENTWISE
};

pub(super) const STEP: Definition = Definition {
    numbers: &["Time", "Before", "After"],
    expands: &["Time", "Before", "After"],
    defaults: &[("Time", "1"), ("Before", "0"), ("After", "1"), ("SampleTime", "0")],
    renamed: &[("InitialValue", "Before"), ("FinalValue", "After")],
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

/// A type of block that counts samples unless it says otherwise, as those of old files do.
pub(super) const DISCRETE_PULSE_GENERATOR: Definition = Definition {
    defaults: &[
        ("Amplitude", "1"),
        ("Period", "2"),
        ("PulseWidth", "1"),
        ("PhaseDelay", "0"),
        ("PulseType", "Sample based"),
        ("SampleTime", "1"),
    ],
    ..PULSE_GENERATOR
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
pub(super) fn in_steps(work: &Work, time: RBig) -> Outcome<RBig> {
    let steps = time / finite(work.layout.plan.step)?;
    let whole = RBig::from((&steps + RBig::from_parts(1.into(), 2u8.into())).floor());
    let distance = if steps < whole { &whole - &steps } else { &steps - &whole };
    let is_near = distance <= RBig::from_parts(1.into(), 1_000_000_000u32.into());
    Ok(if is_near { whole } else { steps })
}

/// Whether a time in seconds has come. A solver with a variable step ends a step there, and that step does not see it yet.
fn reaches(work: &mut Work, time: f64) -> Outcome<Expr> {
    let steps = in_steps(work, finite(time)? - finite(work.layout.plan.start)?)?;
    let last = u64::try_from(steps.ceil()).unwrap_or(0);
    let now = if work.layout.plan.is_variable && steps.is_int() {
        let number = work.steps(Some(last));
        work.real_of(number)
    } else {
        work.elapsed(Some(last))
    };
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
