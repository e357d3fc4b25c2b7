//! Recorded signals: points in time from the workspace or from a file.
//!
//! A signal is cut into pieces, which are constants or lines, and a balanced tree of comparisons finds the piece of the moment. A line is a
//! function of time: it also has a value at the stages of a solver. Where there are more points than moments at which the signal is
//! read, the pieces are its values at these moments. What is not interpolated is held between two steps.

use super::sources::{WAVE, in_steps};
use super::{BlockKind, Definition, Instance, Lowering};
use crate::lower::Work;
use crate::matlab::field;
use crate::plan::{Case, Fault, Outcome, Unit, finite, sizes};
use crate::value::{Class, Matrix, Value};
use dashu_ratio::RBig;
use std::collections::BTreeSet;
use system::Expr;

/// The maximum number of pieces of a signal.
const MAX_PIECES: usize = 10_000;

pub(super) const FROM_WORKSPACE: Definition = Definition {
    numbers: &["VariableName"],
    defaults: &[("Interpolate", "on"), ("OutputAfterFinalValue", "Extrapolation")],
    cells: true,
    shapes: |case| case.one(Some(Class::Double), width(case)),
    lowering: Lowering::One(recorded),
    ..WAVE
};

/// A recorded signal of a file, which has a matrix with the times in its first row.
pub(super) const FROM_FILE: Definition = Definition {
    numbers: &["FileName"],
    defaults: &[("FileName", "untitled.mat"), ("SampleTime", "0")],
    ..FROM_WORKSPACE
};

/// The times and rows of values of a recorded signal; no times, if there is a value for each sample.
fn table(unit: &Unit) -> Outcome<(Vec<f64>, Matrix)> {
    let unknown =
        || Fault::hint("its variable is not a matrix of times and values", "give a data file with it");
    let member =
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
        Some(series) if field(series, "timeseries", "Time").is_some() => series_table(series),
        Some(Value::Struct(fields)) => {
            let Some(Value::Struct(signals)) = member(fields, "signals") else { return Err(unknown()) };
            let (Some(Value::Matrix(time)), Some(Value::Matrix(values))) =
                (member(fields, "time"), member(&signals, "values"))
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

/// A time series: its first dimension is time if it has the length of the times, otherwise its last one.
fn series_table(series: &Value) -> Outcome<(Vec<f64>, Matrix)> {
    if let Value::Struct(fields) = series
        && let Some((name, _)) =
            fields.iter().find(|it| !matches!(it.0.as_str(), "$class" | "Time" | "Data" | "Name"))
    {
        let message = format!("its time series has the property `{name}`, which is not supported");
        return Err(Fault::hint(message, "use a matrix of times and values"));
    }
    let part = |name: &str| field(series, "timeseries", name).and_then(Value::matrix);
    let (Some(time), Some(data)) = (part("Time"), part("Data")) else {
        return Err(Fault::new("its time series has no numbers"));
    };
    let count = time.entries.len();
    let is_flat = data.dimensions.len() <= 2;
    if count > 0 && is_flat && data.rows() == count {
        return Ok((time.entries.clone(), data.clone()));
    }
    if count == 0 || data.dimensions.last() != Some(&count) {
        return Err(Fault::new("its time series has another number of times than of values"));
    }
    let width = data.entries.len() / count;
    if data.dimensions.iter().filter(|it| **it > 1).count() > 2 {
        return Err(Fault::hint("its time series has matrices", "use a vector for each time"));
    }
    let entries = (0..width).flat_map(|place| data.entries.iter().copied().skip(place).step_by(width));
    let dimensions = vec![count, width];
    Ok((time.entries.clone(), Matrix { dimensions, class: data.class, entries: entries.collect() }))
}

fn width(case: &Case<'_>) -> Option<Vec<usize>> {
    Some(sizes::of_value(&[1, table(case.unit).ok()?.1.columns()], true))
}

fn recorded(work: &mut Work, block: &Instance) -> Outcome<Vec<Expr>> {
    let (mut times, values) = table(block)?;
    if times.is_empty() {
        times = sampled(work, block, values.rows())?;
    }
    if times.windows(2).any(|it| it[0] > it[1]) {
        return Err(Fault::new("its times are not in ascending order"));
    }
    if values.class != Class::Double {
        let message = format!("its values are of the type `{}`", values.class.name());
        return Err(Fault::hint(message, "convert them to doubles"));
    }
    let reading = reading(block)?;
    let start = finite(work.layout.plan.start)?;
    let times: Vec<RBig> =
        times.iter().map(|it| in_steps(work, finite(*it)? - &start)).collect::<Outcome<_>>()?;
    let end = times[times.len() - 1].ceil();
    let last = u64::try_from(end).unwrap_or(0).saturating_add(1);
    let moments = moments(work, block, &reading);
    let grid = usize::try_from(last).ok().and_then(|it| it.checked_add(1)?.checked_mul(moments.len()));
    let grid = grid.unwrap_or(usize::MAX);
    let (resampled, count) = (grid < times.len(), grid.min(times.len()));
    if count > MAX_PIECES {
        return Err(Fault::new(format!("its signal has more than {MAX_PIECES} points and steps")));
    }
    work.reserve(count, values.columns())?;
    let goes_on = reading.after == Outside::Line;
    let limit = (!goes_on).then_some(last);
    let now = if reading.interpolates { work.elapsed(limit) } else { of_step(work, limit) };
    let mut outputs = Vec::new();
    for column in 0..values.columns() {
        let entries = &values.entries[column * times.len()..(column + 1) * times.len()];
        let entries: Vec<RBig> = entries.iter().map(|it| finite(*it)).collect::<Outcome<_>>()?;
        let pieces = pieces(&times, &entries, &reading);
        let pieces = if resampled { at_moments(&pieces, &moments, last) } else { pieces };
        outputs.push(chosen(work, now, &pieces));
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

fn of_step(work: &mut Work, last: Option<u64>) -> Expr {
    let step = work.steps(last);
    work.real_of(step)
}

/// The moments of a step at which a signal is read: its begin, and the stages of a solver.
fn moments(work: &Work, block: &Instance, reading: &Reading) -> Vec<RBig> {
    let stages = work.layout.plan.method.times.iter().filter(|_| reading.interpolates && block.continuous);
    let stages = stages.map(|(over, under)| RBig::from_parts((*over).into(), (*under).into()));
    let all: BTreeSet<RBig> = stages.chain([RBig::ZERO]).filter(|it| *it < RBig::ONE).collect();
    all.into_iter().collect()
}

/// A part of a signal.
#[derive(Clone)]
struct Piece {
    /// When it begins, in steps. The first piece has no begin.
    begin: RBig,
    /// Whether the moment at which it begins still belongs to the piece before it.
    is_after: bool,
    /// Its value at the begin.
    value: RBig,
    /// What it rises in a step.
    slope: RBig,
}

impl Piece {
    fn at(&self, moment: &RBig) -> RBig {
        &self.value + &self.slope * (moment - &self.begin)
    }

    fn has_begun(&self, moment: &RBig) -> bool {
        if self.is_after { *moment > self.begin } else { *moment >= self.begin }
    }
}

/// The pieces of a signal, in order. Of points with the same time, the last one counts from that time on.
fn pieces(times: &[RBig], values: &[RBig], reading: &Reading) -> Vec<Piece> {
    let end = times.len() - 1;
    let slope = |place: usize| {
        let length = &times[place + 1] - &times[place];
        if length == RBig::ZERO { RBig::ZERO } else { (&values[place + 1] - &values[place]) / length }
    };
    let piece = |place: usize, slope: RBig| Piece {
        begin: times[place].clone(),
        is_after: false,
        value: values[place].clone(),
        slope,
    };
    let zero = || Piece { value: RBig::ZERO, ..piece(0, RBig::ZERO) };
    let mut pieces = vec![match reading.before {
        Outside::Line if end > 0 => piece(0, slope(0)),
        Outside::Line | Outside::Hold => piece(0, RBig::ZERO),
        Outside::Zero => zero(),
    }];
    for place in (0..end).filter(|it| times[*it] < times[*it + 1]) {
        pieces.push(piece(place, if reading.interpolates { slope(place) } else { RBig::ZERO }));
    }
    let goes_on = reading.after == Outside::Line && end > 0;
    pieces.push(piece(end, if goes_on { slope(end - 1) } else { RBig::ZERO }));
    if reading.after == Outside::Zero {
        pieces.push(Piece { begin: times[end].clone(), is_after: true, ..zero() });
    }
    pieces
}

/// The values of a signal at the moments of all steps up to the last one, from where on it is as before.
fn at_moments(pieces: &[Piece], moments: &[RBig], last: u64) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut place = 0;
    for step in 0..=last {
        for moment in moments {
            let begin = RBig::from(step) + moment;
            while pieces.get(place + 1).is_some_and(|it| it.has_begun(&begin)) {
                place += 1;
            }
            let value = pieces[place].at(&begin);
            let slope = if step == last { pieces[place].slope.clone() } else { RBig::ZERO };
            found.push(Piece { begin, is_after: false, value, slope });
        }
    }
    found
}

/// The value of the piece that has begun last, by a balanced tree of comparisons.
fn chosen(work: &mut Work, now: Expr, pieces: &[Piece]) -> Expr {
    if let [piece] = pieces {
        let value = work.pool().real(piece.value.clone());
        if piece.slope == RBig::ZERO {
            return value;
        }
        let pool = work.pool();
        let (begin, slope) = (pool.real(piece.begin.clone()), pool.real(piece.slope.clone()));
        let passed = pool.sub(now, begin);
        let rise = pool.mul(slope, passed);
        return pool.add(value, rise);
    }
    let (first, rest) = pieces.split_at(pieces.len() / 2);
    let (left, right) = (chosen(work, now, first), chosen(work, now, rest));
    let pool = work.pool();
    let begin = pool.real(rest[0].begin.clone());
    let is_before = if rest[0].is_after { pool.le(now, begin) } else { pool.lt(now, begin) };
    pool.ite(is_before, left, right)
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
