//! The step of a model whose solver chooses its step itself: it is halved until the values hardly change.
//!
//! The steps that are shown, and those of a trace, stay as far apart as before; inputs are held in between.

use super::inputs;
use crate::Error;
use crate::cli::model::{Arithmetic, Simulate};
use crate::commands::model::Opened;
use crate::commands::source::{Hints, Source};
use crate::trace_file::TraceFile;
use simulink::lower::{Options, lower};
use simulink::plan::Plan;
use system::{Run, Value, simulate};

/// The number of steps that are shown by default: the maximum, and that of a model without a stop time.
const MOST: usize = 1_000;
const USUAL: usize = 10;

/// The maximum number of halvings, and of values that a run has.
const HALVINGS: u32 = 12;
const WORK: usize = 4_000_000;

/// How far a value may change, as a share of the range of its signal: the relative tolerance that models have by default.
const TOLERANCE: f64 = 1e-3;

/// The model, and how many of its steps belong to one that is shown.
pub(super) fn chosen(command: &Simulate, trace: Option<&TraceFile>) -> Result<(Source, usize), Error> {
    let open = |step: Option<f64>| {
        let hints = Hints { data: &command.data, abstracted: &command.abstracted, step, ..Hints::default() };
        Source::open(&command.file, &hints)
    };
    let source = open(command.step)?;
    let is_free = command.step.is_none() && command.arithmetic != Some(Arithmetic::Exact);
    let Source::Simulink(Opened { plan, .. }) = &source else { return Ok((source, 1)) };
    if !is_free || !plan.is_variable || plan.approximation.is_none() {
        return Ok((source, 1));
    }
    let (step, steps) = (plan.step, trace.map_or_else(|| shown(command, &source, 1), TraceFile::rows));
    let given = Given { command, trace, steps };
    let Some(mut coarse) = given.run(plan, 1) else { return Ok((source, 1)) };
    let mut best = (source, 1);
    let mut is_settled = false;
    for every in (1..=HALVINGS).map(|it| 1usize << it) {
        let finer = open(Some(step / every as f64))?;
        let Source::Simulink(Opened { plan, .. }) = &finer else { break };
        let Some(fine) = given.run(plan, every) else { break };
        is_settled = change(&coarse, &fine) <= TOLERANCE;
        (coarse, best) = (fine, (finer, every));
        if is_settled {
            break;
        }
    }
    if let (Source::Simulink(Opened { plan, .. }), false) = (&mut best.0, is_settled)
        && let Some(note) = &mut plan.approximation
    {
        note.push_str(", but values may change by more than 0.1 % with a smaller one");
    }
    Ok(best)
}

/// The number of steps that are shown, if several steps belong to one that is shown.
pub(super) fn shown(command: &Simulate, source: &Source, every: usize) -> usize {
    let of_run = |plan: &Plan| {
        let last = plan.stop? / (plan.step * every as f64);
        Some(((last * (1.0 + 1e-9)).floor() as usize + 1).clamp(1, MOST))
    };
    let usual = match source {
        Source::Simulink(opened) => of_run(&opened.plan),
        Source::Lustre { .. } | Source::English { .. } => None,
    };
    command.steps.map_or(usual.unwrap_or(USUAL), |it| it as usize)
}

/// What a run is given: its inputs, and the number of steps that are shown.
struct Given<'c> {
    command: &'c Simulate,
    trace: Option<&'c TraceFile>,
    steps: usize,
}

impl Given<'_> {
    /// A run, at the steps that are shown; none if the model cannot be run on the inputs, or has too many values, or properties.
    fn run(&self, plan: &Plan, every: usize) -> Option<Run<f64>> {
        let system = lower(plan, self.command.node.as_deref(), &Options::default()).ok()?;
        let count = self.steps.checked_sub(1)? * every + 1;
        let width = system.variables.len() + system.outputs.len();
        if !system.properties.is_empty() || count.saturating_mul(width) > WORK {
            return None;
        }
        let (start, rows) = match self.trace {
            Some(trace) => inputs::of(&system, "", trace).ok()?,
            None if system.inputs.is_empty() => (Vec::new(), vec![Vec::new(); self.steps]),
            None => return None,
        };
        let mut run = simulate::<f64>(&system, &start, &held(rows, every));
        run.steps = run.steps.into_iter().step_by(every).collect();
        Some(run)
    }
}

/// Rows of inputs that are held for a number of steps each, up to the last one.
pub(super) fn held<T: Clone>(rows: Vec<T>, every: usize) -> Vec<T> {
    let count = rows.len().saturating_sub(1) * every + rows.len().min(1);
    rows.into_iter().flat_map(|row| std::iter::repeat_n(row, every)).take(count).collect()
}

/// The greatest change of a value from one run to another, as a share of the range of its signal.
fn change(a: &Run<f64>, b: &Run<f64>) -> f64 {
    let number = |run: &Run<f64>, step: usize, place: usize| match run.steps[step].outputs.get(place) {
        Some(Value::Real(number)) => *number,
        Some(Value::Machine(number)) => *number as f64,
        Some(Value::Bool(truth)) => f64::from(u8::from(*truth)),
        _ => 0.0,
    };
    let steps = a.steps.len().min(b.steps.len());
    let places = b.steps.first().map_or(0, |it| it.outputs.len());
    let of_signal = |place: usize| {
        let values: Vec<(f64, f64)> =
            (0..steps).map(|it| (number(a, it, place), number(b, it, place))).collect();
        if values.iter().any(|it| !it.0.is_finite() || !it.1.is_finite()) {
            return f64::INFINITY;
        }
        let range = values.iter().map(|it| it.1.abs()).fold(0.0, f64::max);
        let most = values.iter().map(|it| (it.0 - it.1).abs()).fold(0.0, f64::max);
        if most == 0.0 { 0.0 } else { most / range.max(1e-6) }
    };
    (0..places).map(of_signal).fold(0.0, f64::max)
}
