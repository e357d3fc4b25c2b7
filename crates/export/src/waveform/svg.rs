//! A waveform as an SVG file of its own: light and dark, with words for those who listen.
//!
//! Truth values are square waves, numbers lines in steps with their values, enumerations bands with their names. A label that does not
//! fit into its stretch is left out of the drawing; the description has all values.

use super::layout::{Kind, Lane, MARGIN, Page, SMALL, Segment};
use super::{Group, Mark, Role};
use crate::diagram::canvas::{Anchor, Canvas, Point, Rect, document};
use crate::diagram::measure::{Face, fit, piece, width};
use crate::diagram::style::{LETTERS, MUST, NEVER, ONCE, SIGNAL, SIGNAL_COLOURS, Shade, sheet_of};
use crate::words::plain;
use logic::Trace;

const ROOT: &str = "shall-waveform";
/// How far the sides of a band lean.
const LEAN: i32 = 4;

const COLOURS: [(&str, &str, &Shade); 7] = [
    ("inner", "stroke", &ONCE),
    ("input-fill", "fill", &SIGNAL),
    ("output-fill", "fill", &MUST),
    ("inner-fill", "fill", &ONCE),
    ("mark", "fill", &NEVER),
    ("mark-fill", "fill", &NEVER),
    ("mark-line", "stroke", &NEVER),
];

const LINES: [(&str, &str); 4] = [
    (".grid,.axis,.mark-line", "fill:none;stroke-width:1"),
    (".input,.output,.inner", "fill:none;stroke-width:1.75;stroke-linejoin:round"),
    (".input-fill,.output-fill,.inner-fill", "fill-opacity:.14"),
    (".mark-fill", "fill-opacity:.13"),
];

/// The waveform of a trace under a title, perhaps with a step marked.
pub fn svg(trace: &Trace, groups: &[Group], title: &str, mark: Option<&Mark>) -> String {
    let mark = mark.filter(|mark| mark.step < trace.len());
    let page = Page::of(trace, groups, title, mark);
    let mut canvas = Canvas::default();
    draw(&mut canvas, &page, mark, trace.loop_start());
    let words: Vec<String> = page.lanes.iter().map(|lane| format!("{}.", lane.words())).collect();
    let marked =
        mark.map(|it| format!("{} fails at step {}. {}", plain(&it.label), it.step, plain(&it.reason)));
    let title = if title.trim().is_empty() { "Signals over time" } else { title };
    let forms: Vec<(&str, &str)> = LETTERS.into_iter().chain(LINES).collect();
    let words = marked.into_iter().chain(words).collect::<Vec<_>>().join(" ");
    let sheet = sheet_of(ROOT, &forms, &[&SIGNAL_COLOURS[..], &COLOURS].concat());
    document(ROOT, (page.width, page.height), [title, &words], &sheet, &canvas.finish())
}

fn draw(canvas: &mut Canvas, page: &Page, mark: Option<&Mark>, loop_start: Option<usize>) {
    let Page { width, height, left, top, bottom, .. } = *page;
    canvas.rect("paper", Rect { x: 0, y: 0, width, height }, 0);
    for (k, line) in page.title.iter().enumerate() {
        canvas.text("title ink", (MARGIN, MARGIN + 14 + 24 * k as i32), Anchor::Start, line);
    }
    let right = page.x(page.steps);
    for lane in &page.lanes {
        let Lane { top, bottom, .. } = *lane;
        canvas.rect("band", Rect { x: left, y: top - 3, width: right - left, height: bottom - top + 6 }, 2);
    }
    let every = every(page);
    let grid: Vec<Vec<Point>> = (0..=page.steps)
        .step_by(every)
        .map(|step| vec![(page.x(step), top), (page.x(step), bottom)])
        .collect();
    canvas.lines("grid", &grid);
    if let Some(mark) = mark {
        draw_mark(canvas, page, mark);
    }
    for (role, y) in &page.groups {
        canvas.text("small muted", (MARGIN, *y), Anchor::Start, &piece(role.plural(), Face::Text));
    }
    for lane in &page.lanes {
        canvas.group(&lane.words(), |canvas| draw_lane(canvas, page, lane));
    }
    canvas.lines("axis", &[vec![(left, bottom), (right, bottom)]]);
    canvas.text("small muted", (MARGIN, bottom + 17), Anchor::Start, &piece("step", Face::Text));
    for step in (0..page.steps).step_by(every) {
        let back = if loop_start.is_some_and(|it| it >= step && it < step + every) { "↻" } else { "" };
        let place = ((page.x(step) + page.x((step + 1).min(page.steps))) / 2, bottom + 17);
        canvas.text("small muted", place, Anchor::Middle, &piece(&format!("{back}{step}"), Face::Text));
    }
    for (k, line) in page.reason.iter().enumerate() {
        canvas.text("body ink", (MARGIN, bottom + 48 + 20 * k as i32), Anchor::Start, line);
    }
}

/// Every how many steps there is a number and a line.
fn every(page: &Page) -> usize {
    let label = width(&piece(&format!("↻{}", page.steps), Face::Text), SMALL) + 6;
    let least = usize::try_from((label + page.step - 1) / page.step).unwrap_or(1).max(1);
    let tens = [1, 2, 5].into_iter().flat_map(|it| (0..18).map(move |zeros| it * 10usize.pow(zeros)));
    tens.filter(|it| *it >= least).min().unwrap_or(least)
}

/// A shade through all lanes, and a flag above it.
fn draw_mark(canvas: &mut Canvas, page: &Page, mark: &Mark) {
    let (x, end) = (page.x(mark.step), page.x(mark.step + 1));
    let Page { top, bottom, .. } = *page;
    canvas.rect("mark-fill", Rect { x, y: top - 4, width: end - x, height: bottom - top + 4 }, 0);
    canvas.lines("mark-line", &[vec![(x, top - 4), (x, bottom)], vec![(end, top - 4), (end, bottom)]]);
    let words = format!("✗ {} fails at step {}", plain(&mark.label), mark.step);
    let line: Vec<_> =
        fit(&words, Face::Strong, 12, page.width - 2 * MARGIN, 1).into_iter().flatten().collect();
    // It starts at its step if there is room, else it ends at the margin.
    let x = x.min(page.width - MARGIN - width(&line, 12)).max(MARGIN);
    canvas.text("note mark", (x, top - 10), Anchor::Start, &line);
}

fn draw_lane(canvas: &mut Canvas, page: &Page, lane: &Lane) {
    let middle = (lane.top + lane.bottom) / 2;
    canvas.text("label code ink", (MARGIN, middle + 5), Anchor::Start, &plain_line(page, lane));
    let (stroke, fill) = match lane.role {
        Role::Input => ("input", "input-fill"),
        Role::Output => ("output", "output-fill"),
        Role::Inner => ("inner", "inner-fill"),
    };
    match lane.kind {
        Kind::Truth => {
            for segment in lane.segments.iter().filter(|it| it.level > 0) {
                let (x, y, end) = (page.x(segment.from), lane.y(segment), page.x(segment.to));
                canvas.rect(fill, Rect { x, y, width: end - x, height: lane.bottom - 2 - y }, 0);
            }
            canvas.lines(stroke, &[steps(page, lane)]);
        }
        Kind::Number => {
            canvas.lines(stroke, &[steps(page, lane)]);
            for segment in &lane.segments {
                let place = ((page.x(segment.from) + page.x(segment.to)) / 2, lane.y(segment) - 3);
                label(canvas, page, segment, place);
            }
        }
        Kind::Name => {
            let mut sides = Vec::new();
            for segment in &lane.segments {
                let corners = band(page, lane, segment);
                canvas.shape(fill, &corners);
                sides.push(corners.into_iter().chain(band(page, lane, segment).first().copied()).collect());
                let place = ((page.x(segment.from) + page.x(segment.to)) / 2, middle + 4);
                label(canvas, page, segment, place);
            }
            canvas.lines(stroke, &sides);
        }
    }
}

/// The name of a lane; the whole text is in its title.
fn plain_line(page: &Page, lane: &Lane) -> Vec<crate::diagram::measure::Piece> {
    let mut line = page.name(lane);
    line.iter_mut().for_each(|piece| piece.face = Face::Text);
    line
}

/// A line in steps through the values of a lane.
fn steps(page: &Page, lane: &Lane) -> Vec<Point> {
    let ends = |it: &Segment| [(page.x(it.from), lane.y(it)), (page.x(it.to), lane.y(it))];
    lane.segments.iter().flat_map(ends).collect()
}

/// A band with leaning sides.
fn band(page: &Page, lane: &Lane, segment: &Segment) -> Vec<Point> {
    let (x, end) = (page.x(segment.from), page.x(segment.to));
    let (top, bottom, middle) = (lane.top + 1, lane.bottom - 1, (lane.top + lane.bottom) / 2);
    let lean = LEAN.min((end - x) / 2);
    vec![
        (x, middle),
        (x + lean, top),
        (end - lean, top),
        (end, middle),
        (end - lean, bottom),
        (x + lean, bottom),
    ]
}

/// A value, if there is room for it.
fn label(canvas: &mut Canvas, page: &Page, segment: &Segment, place: Point) {
    let room = page.x(segment.to) - page.x(segment.from) - 4;
    let line = fit(&segment.label, Face::Text, SMALL, room, 1);
    let shortened = line.iter().flatten().any(|piece| piece.text.ends_with('…'));
    if let Some(line) = line.first().filter(|line| width(line, SMALL) <= room && (!shortened || room > 30)) {
        canvas.text("small ink", place, Anchor::Middle, line);
    }
}
