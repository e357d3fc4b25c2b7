//! The example of a step: a trace that passes through it, in a fixed position below the picture, so that it hides nothing.
//!
//! Booleans are drawn high and low, other values are written out. Only the steps around the one in question and a
//! limited number of names are shown.

use super::plan::{Guard, Part, Plan};
use super::scene::{Group, Item, Kind, Look, Segment, Text, TextStyle, words};
use crate::svg::measure::{Face, piece};
use crate::svg::{Anchor, Rect};
use crate::terminal::{plain, shorten};
use logic::{Trace, Value};

/// The largest number of names and of steps shown.
const MAX_ROWS: usize = 12;
const MAX_STEPS: usize = 24;
const ROW: i32 = 20;
const NAMES: i32 = 150;
const STEP: i32 = 26;

/// The tooltip of a step.
pub(super) fn title(guard: &Guard) -> String {
    match &guard.example {
        None => guard.label().to_owned(),
        Some((trace, at)) => {
            let values = (0..trace.names().len().min(MAX_ROWS)).map(|column| {
                let name = plain(&trace.names()[column]);
                match value(trace, column, *at) {
                    Some(Value::Bool(true)) => name,
                    Some(Value::Bool(false)) => format!("¬{name}"),
                    Some(other) => format!("{name} = {}", shown(other)),
                    None => String::new(),
                }
            });
            let values: Vec<String> = values.filter(|text| !text.is_empty()).collect();
            format!("{}. Example: step {at} of a trace, with {}", guard.label(), values.join(", "))
        }
    }
}

/// The trace of a step, with its origin at the upper left corner of the panel.
pub(super) fn panel(guard: &Guard) -> Option<Item> {
    let (trace, at) = guard.example.as_ref()?;
    let first = if trace.len() <= MAX_STEPS { 0 } else { at.saturating_sub(MAX_STEPS / 2) };
    let steps: Vec<usize> = (first..trace.len()).take(MAX_STEPS).collect();
    let rows = trace.names().len().min(MAX_ROWS);
    let mut items = vec![words(TextStyle::Small, (0, 11), Anchor::Start, "example: step")];
    for (k, &step) in steps.iter().enumerate() {
        let mark = if trace.loop_start() == Some(step) { "↻" } else { "" };
        items.push(words(
            TextStyle::Small,
            (start(k) + STEP / 2, 11),
            Anchor::Middle,
            &format!("{mark}{step}"),
        ));
        if step == *at {
            let rect = Rect { x: start(k) + 1, y: -2, width: STEP - 2, height: 20 + row_count(rows) * ROW };
            items.push(Item::Rect { look: Look::Here, rect, radius: 4 });
        }
    }
    for (row, name) in trace.names().iter().enumerate().take(rows) {
        let low = 18 + row_count(row + 1) * ROW - 4;
        items.push(Item::Text(Text {
            style: TextStyle::Guard,
            at: (0, low),
            anchor: Anchor::Start,
            line: piece(&shorten(&plain(name), 18, "…"), Face::Code),
            latex: None,
        }));
        items.extend(values(trace, row, &steps, low));
    }
    Some(Item::Group(Group { at: (0, 0), kind: Kind::Example, items }))
}

/// The size of the largest example of a plan; `None` if there are no examples.
pub(super) fn panel_size(plan: &Plan) -> Option<(i32, i32)> {
    let sizes = plan.alternatives.iter().flatten().filter_map(largest);
    sizes.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))
}

fn largest(part: &Part) -> Option<(i32, i32)> {
    match part {
        Part::Step(guard) => guard.example.as_ref().map(|(trace, _)| {
            let steps = row_count(trace.len().min(MAX_STEPS));
            (NAMES + steps * STEP, 24 + row_count(trace.names().len().min(MAX_ROWS)) * ROW)
        }),
        Part::Sequence(parts) | Part::Either(parts) => {
            parts.iter().filter_map(largest).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))
        }
        Part::Repeat(body, _) | Part::Forever(body) => largest(body),
    }
}

/// A row of values: a wave, or words where they change.
fn values(trace: &Trace, column: usize, steps: &[usize], low: i32) -> Vec<Item> {
    let mut items = Vec::new();
    let mut wave: Vec<Segment> = Vec::new();
    for (k, &step) in steps.iter().enumerate() {
        let (left, right) = (start(k), start(k + 1));
        match trace.value(column, step) {
            Value::Bool(true) => {
                let rect = Rect { x: left, y: low - 10, width: STEP, height: 12 };
                items.push(Item::Rect { look: Look::High, rect, radius: 0 });
                wave.extend([(left, low - 10), (right, low - 10)].map(Segment::Line));
            }
            Value::Bool(false) => wave.extend([(left, low + 2), (right, low + 2)].map(Segment::Line)),
            other => {
                let text = shorten(&plain(&shown(other)), 4, "…");
                let changed = k == 0 || trace.value(column, steps[k - 1]) != other;
                items.extend(changed.then(|| words(TextStyle::Small, (left + 3, low), Anchor::Start, &text)));
            }
        }
    }
    if let Some(Segment::Line(first)) = wave.first().copied() {
        wave[0] = Segment::Move(first);
        items.push(Item::Path { look: Look::Wave, path: wave });
    }
    items
}

fn shown(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Num(number) => logic::format_decimal(number).unwrap_or_else(|| number.to_string()),
        Value::Name(name) => plain(name),
    }
}

fn value(trace: &Trace, column: usize, at: usize) -> Option<&Value> {
    trace.values(column).get(at)
}

fn start(k: usize) -> i32 {
    NAMES + row_count(k) * STEP
}

fn row_count(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX / 64)
}
