//! Signals over time for a terminal: a column for each instant, not to scale; a value is written where it begins.
//!
//! What does not fit into the width continues in another block below, which begins with the current values.

use super::{Lane, Refusal, Run, Track, kind_word};
use crate::terminal::{columns, pad_right, shorten};
use ::dfrs::scenario::Scenario;
use ::dfrs::{Dfrs, english};

/// The signs of lines.
struct Signs {
    start: char,
    line: char,
    ellipsis: &'static str,
}

const UNICODE: Signs = Signs { start: '├', line: '─', ellipsis: "…" };
const ASCII: Signs = Signs { start: '|', line: '-', ellipsis: "." };

/// The width of the widest value.
const WIDEST: usize = 24;

/// A scenario as text of about `width` columns, with box-drawing characters or in plain ASCII.
pub fn signals_text(
    dfrs: &Dfrs,
    scenario: &Scenario,
    width: usize,
    unicode: bool,
) -> Result<String, Refusal> {
    let run = Run::of(dfrs, scenario)?;
    let signs = if unicode { &UNICODE } else { &ASCII };
    let label = |lane: &Lane| format!("{} {}", kind_word(lane.kind), crate::terminal::plain(&lane.name));
    let gutter = run.lanes.iter().map(|lane| columns(&label(lane))).max().unwrap_or(0).clamp(6, 40) + 1;
    let count = run.times.len();
    let cells: Vec<Vec<Option<String>>> = run.lanes.iter().map(|lane| cells(lane, count, signs)).collect();
    let mut text = String::new();
    let mut first = 0;
    while first < count {
        let (last, widths) = block(&run, &cells, first, width.saturating_sub(gutter));
        if first > 0 {
            text.push('\n');
        }
        let times = (first..last).map(|k| english::number(&run.times[k]));
        text += &row("time", gutter, times.zip(&widths).map(|(time, width)| pad_right(&time, *width)), signs);
        for (lane, cells) in run.lanes.iter().zip(&cells) {
            let shown = (first..last).zip(&widths).map(|(k, &width)| {
                let begun = if k == first {
                    (0..=k).rev().find_map(|k| cells[k].as_ref())
                } else {
                    cells[k].as_ref()
                };
                match begun {
                    Some(value) => {
                        let mark = if cells[k].is_some() { signs.start } else { signs.line };
                        let start = format!("{mark}{value} ");
                        let room = width.saturating_sub(columns(&start));
                        format!("{start}{}", signs.line.to_string().repeat(room))
                    }
                    None => signs.line.to_string().repeat(width),
                }
            });
            text += &row(&label(lane), gutter, shown, signs);
        }
        for line in 0..(first..last).map(|k| run.reacts[k].len()).max().unwrap_or(0) {
            let ids = (first..last).map(|k| run.reacts[k].get(line).map_or("", String::as_str));
            let ids =
                ids.zip(&widths).map(|(id, &width)| pad_right(&shorten(id, WIDEST, signs.ellipsis), width));
            text += &row(if line == 0 { "reacts" } else { "" }, gutter, ids, signs);
        }
        first = last;
    }
    Ok(text)
}

/// For each instant, the value that begins there.
fn cells(lane: &Lane, count: usize, signs: &Signs) -> Vec<Option<String>> {
    let cell = |k: usize| match &lane.track {
        Track::Levels { labels, at } => {
            let new = k == 0 || at[k] != at[k - 1];
            new.then(|| shorten(&labels[at[k]], WIDEST, signs.ellipsis))
        }
        Track::Ages { before, after } => Some(if before[k] == after[k] {
            english::number(&after[k])
        } else {
            format!("{}>{}", english::number(&before[k]), english::number(&after[k]))
        }),
    };
    (0..count).map(cell).collect()
}

/// The end of the instants that fit from the first one on, and their widths.
fn block(run: &Run, cells: &[Vec<Option<String>>], first: usize, room: usize) -> (usize, Vec<usize>) {
    let mut widths = Vec::new();
    let mut used = 0;
    for k in first..run.times.len() {
        let values = cells.iter().map(|lane| {
            let begun =
                if k == first { (0..=k).rev().find_map(|k| lane[k].as_ref()) } else { lane[k].as_ref() };
            begun.map_or(0, |value| columns(value) + 2)
        });
        let ids = run.reacts[k].iter().map(|id| columns(id).min(WIDEST));
        let time = columns(&english::number(&run.times[k]));
        let width = values.chain(ids).chain([time]).max().unwrap_or(0) + 1;
        if k > first && used + width > room {
            return (k, widths);
        }
        used += width;
        widths.push(width);
    }
    (run.times.len(), widths)
}

fn row(label: &str, gutter: usize, cells: impl Iterator<Item = String>, signs: &Signs) -> String {
    let label = pad_right(&shorten(label, gutter - 1, signs.ellipsis), gutter);
    format!("{}\n", format!("{label}{}", cells.collect::<String>()).trim_end())
}
