//! A waveform as an SVG file: light and dark, with a description for screen readers.
//!
//! Lanes are below each other, with a column of equal width for each step. Booleans are square waves, numbers are
//! lines in steps with their values, enumerations bands with their names inside. A label that does not fit its segment
//! is left out of the drawing; the description has all values. Invariant: all coordinates are on the page.

use super::{Group, Mark, Role};
use crate::svg::measure::{Face, Line, code_spans, fit, fit_line, letters, piece, width, wrap};
use crate::svg::style::{Colour, GROUND, INK, MUST, MUTED, NEVER, ONCE, SIGNAL, sheet};
use crate::svg::{Anchor, Frame, Point, Rect, Svg};
use crate::table::shown;
use crate::terminal::plain;
use logic::{RBig, Trace, Value};

const ROOT: &str = "shall-waveform";

const COLOURS: [Colour; 11] = [
    ("ink", "fill", &INK),
    ("muted", "fill", &MUTED),
    ("input", "stroke", &SIGNAL),
    ("output", "stroke", &MUST),
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

const MARGIN: i32 = 24;
const SMALL: i32 = 11;
const NAME: i32 = 13;
const BODY: i32 = 14;
/// The largest width of names.
const NAME_ROOM: i32 = 240;
/// The narrowest step, the usual width, and the most that a label may ask for.
const NARROW: i32 = 10;
const WIDE: i32 = 30;
const WIDEST: i32 = 84;
/// The plot is at most this wide, unless its steps are as narrow as they can be.
const PLOT: i32 = 1600;
/// Few steps fill this width, as far as each stays narrower than `ROOMIEST`.
const SHORT_PLOT: i32 = 320;
const ROOMIEST: i32 = 160;
/// Steps of at least this width show truth values as text too: a wave of a few steps has no edges to be seen.
const ROOMY: i32 = 60;
/// The gap between lanes, and the height of the title of a group.
const GAP: i32 = 12;
const GROUP: i32 = 26;

/// The horizontal offset of the slanted sides of a band.
const SLANT: i32 = 4;

/// The waveform of a trace below a title, optionally with a step marked.
pub fn svg(trace: &Trace, groups: &[Group], title: &str, mark: Option<&Mark>) -> String {
    svg_from(0, trace, groups, title, mark)
}

/// The waveform of a part of a trace: its first step has this number.
pub fn svg_from(first: usize, trace: &Trace, groups: &[Group], title: &str, mark: Option<&Mark>) -> String {
    let mark = mark.filter(|mark| mark.step < trace.len());
    let page = Page { first, ..Page::of(trace, groups, title, mark) };
    let marked = mark
        .map(|it| format!("{} fails at step {}. {}", plain(&it.label), first + it.step, plain(&it.reason)));
    let words = page.lanes.iter().map(|lane| format!("{}.", lane.words()));
    let description: Vec<String> = marked.into_iter().chain(words).collect();
    let title = if title.trim().is_empty() { "Signals over time" } else { title };
    drawn(&page, mark, trace).file(&page.frame(title), &description.join(" "), &style_sheet())
}

/// The waveform of a trace for a page that has [`style_sheet`], with a title that only screen readers see.
pub fn bare(trace: &Trace, groups: &[Group], title: &str, mark: Option<&Mark>) -> String {
    bare_from(0, trace, groups, title, mark)
}

/// A [`bare`] waveform of a part of a trace: its first step has this number.
pub fn bare_from(first: usize, trace: &Trace, groups: &[Group], title: &str, mark: Option<&Mark>) -> String {
    let mark = mark.filter(|mark| mark.step < trace.len());
    let page = Page { first, ..Page::of(trace, groups, "", mark) };
    drawn(&page, mark, trace).inline(&page.frame(title))
}

/// The style sheet of bare waveforms.
pub fn style_sheet() -> String {
    sheet(ROOT, &LINES, &[&GROUND[..], &COLOURS].concat())
}

fn drawn(page: &Page, mark: Option<&Mark>, trace: &Trace) -> Svg {
    let mut svg = Svg::default();
    draw(&mut svg, page, mark, trace.loop_start());
    svg
}

/// A waveform on its page.
struct Page {
    width: i32,
    height: i32,
    title: Vec<Line>,
    left: i32,
    step: i32,
    steps: usize,
    /// The number of the first step.
    first: usize,
    /// The top and bottom of all lanes.
    top: i32,
    bottom: i32,
    groups: Vec<(Role, i32)>,
    lanes: Vec<Lane>,
    reason: Vec<Line>,
}

struct Lane {
    name: String,
    role: Role,
    kind: Kind,
    top: i32,
    bottom: i32,
    segments: Vec<Segment>,
}

/// How a lane is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A square wave.
    Truth,
    /// A line in steps.
    Number,
    /// A band with a name inside.
    Name,
}

/// Consecutive steps with one value.
struct Segment {
    from: usize,
    /// The step after the last one.
    to: usize,
    label: String,
    /// The height in the lane, in thousandths.
    level: i32,
}

impl Page {
    fn frame<'a>(&self, title: &'a str) -> Frame<'a> {
        Frame { class: ROOT, width: self.width, height: self.height, title }
    }

    fn of(trace: &Trace, groups: &[Group], title: &str, mark: Option<&Mark>) -> Page {
        let names = groups.iter().flat_map(|group| group.names.iter());
        let names = names.filter(|name| trace.column(name).is_some());
        let room = names.map(|name| width(&piece(&plain(name), Face::Code), NAME)).max().unwrap_or(0);
        let left = MARGIN + room.min(NAME_ROOM) + 16;
        let mut page = Page {
            width: 0,
            height: 0,
            title: Vec::new(),
            left,
            step: 0,
            steps: trace.len(),
            first: 0,
            top: 0,
            bottom: 0,
            groups: Vec::new(),
            lanes: Vec::new(),
            reason: Vec::new(),
        };
        for group in groups {
            for column in group.columns(trace) {
                page.lanes.push(Lane::of(trace, column, group.role));
            }
        }
        page.step = page.step_width();
        let plot = i32::try_from(trace.len()).unwrap_or(i32::MAX / NARROW).saturating_mul(page.step);
        page.width = (left.saturating_add(plot).saturating_add(MARGIN)).max(420);
        page.title = fit(&plain(title), Face::Strong, 18, page.width - 2 * MARGIN, 3);
        let mut y = MARGIN + page.title.len() as i32 * 24 + if mark.is_some() { 26 } else { 8 };
        page.top = y;
        let mut role = None;
        for lane in &mut page.lanes {
            if role != Some(lane.role) {
                role = Some(lane.role);
                page.groups.push((lane.role, y + 16));
                y += GROUP;
            }
            let height = match lane.kind {
                Kind::Truth | Kind::Name => 22,
                Kind::Number => 40,
            };
            (lane.top, lane.bottom) = (y, y + height);
            y += height + GAP;
        }
        page.bottom = y;
        let reason = mark.map_or("", |mark| mark.reason.as_str());
        page.reason = wrap(&code_spans(reason), BODY, page.width - 2 * MARGIN);
        page.height = y + 40 + page.reason.len() as i32 * 20 + MARGIN / 2;
        page
    }

    /// As wide as the labels need, as narrow as many steps require.
    fn step_width(&self) -> i32 {
        let labelled = self.lanes.iter().filter(|lane| lane.kind != Kind::Truth);
        let segments = labelled.flat_map(|lane| &lane.segments);
        let wanted = segments.map(|it| {
            let room = width(&piece(&it.label, Face::Code), SMALL) + 14;
            room / i32::try_from(it.to - it.from).unwrap_or(i32::MAX)
        });
        let wanted = wanted.max().unwrap_or(0).clamp(WIDE, WIDEST);
        let steps = i32::try_from(self.steps.max(1)).unwrap_or(i32::MAX);
        wanted.max((SHORT_PLOT / steps).min(ROOMIEST)).min(PLOT / steps).max(NARROW)
    }

    /// The left edge of a step.
    fn x(&self, step: usize) -> i32 {
        self.left.saturating_add(i32::try_from(step).unwrap_or(i32::MAX / NARROW).saturating_mul(self.step))
    }
}

impl Lane {
    fn of(trace: &Trace, column: usize, role: Role) -> Lane {
        let values = trace.values(column);
        let kind = match values.first() {
            Some(Value::Bool(_)) | None => Kind::Truth,
            Some(Value::Num(_)) => Kind::Number,
            Some(Value::Name(_)) => Kind::Name,
        };
        let numbers = || values.iter().filter_map(number);
        let (least, greatest) = (numbers().min(), numbers().max());
        let level = |value: &Value| match (value, least, greatest) {
            (Value::Bool(truth), ..) => i32::from(*truth) * 1000,
            (Value::Num(number), Some(least), Some(greatest)) if least < greatest => {
                let share = (number - least) * RBig::from(1000) / (greatest - least);
                i32::try_from(share.floor()).unwrap_or(500)
            }
            (Value::Num(_) | Value::Name(_), ..) => 500,
        };
        let mut segments: Vec<Segment> = Vec::new();
        for (step, value) in values.iter().enumerate() {
            match segments.last_mut().filter(|_| step > 0 && values[step - 1] == *value) {
                Some(segment) => segment.to = step + 1,
                None => segments.push(Segment {
                    from: step,
                    to: step + 1,
                    label: plain(&shown(value)),
                    level: level(value),
                }),
            }
        }
        Lane { name: plain(&trace.names()[column]), role, kind, top: 0, bottom: 0, segments }
    }

    /// The height of the line of a segment.
    fn y(&self, segment: &Segment) -> i32 {
        // The labels of numbers are above the line.
        let top = if self.kind == Kind::Number { self.top + 12 } else { self.top + 2 };
        let bottom = self.bottom - 2;
        bottom - segment.level * (bottom - top) / 1000
    }

    /// What the lane shows, in words.
    fn words(&self) -> String {
        let parts: Vec<String> =
            self.segments.iter().map(|it| format!("{} from step {}", it.label, it.from)).collect();
        format!("{} {}: {}", self.role.word(), self.name, parts.join(", "))
    }
}

fn number(value: &Value) -> Option<&RBig> {
    if let Value::Num(number) = value { Some(number) } else { None }
}

fn draw(svg: &mut Svg, page: &Page, mark: Option<&Mark>, loop_start: Option<usize>) {
    let Page { width, height, left, top, bottom, .. } = *page;
    svg.rect("paper", Rect { x: 0, y: 0, width, height }, 0);
    svg.paragraph("title ink", (MARGIN, MARGIN + 14), 24, &page.title);
    let right = page.x(page.steps);
    for lane in &page.lanes {
        let Lane { top, bottom, .. } = *lane;
        svg.rect("band", Rect { x: left, y: top - 3, width: right - left, height: bottom - top + 6 }, 2);
    }
    let every = every(page);
    // Labelled steps are multiples, whatever the first step is.
    let labelled = page.first.next_multiple_of(every) - page.first;
    let grid: Vec<Vec<Point>> = (labelled..=page.steps)
        .step_by(every)
        .map(|step| vec![(page.x(step), top), (page.x(step), bottom)])
        .collect();
    svg.lines("grid", &grid);
    if let Some(mark) = mark {
        draw_mark(svg, page, mark);
    }
    for (role, y) in &page.groups {
        svg.text("small muted", (MARGIN, *y), Anchor::Start, role.plural());
    }
    for lane in &page.lanes {
        svg.group(&[], Some(&lane.words()), |svg| draw_lane(svg, page, lane));
    }
    svg.lines("axis", &[vec![(left, bottom), (right, bottom)]]);
    svg.text("small muted", (MARGIN, bottom + 17), Anchor::Start, "step");
    for step in (labelled..page.steps).step_by(every) {
        let back = if loop_start.is_some_and(|it| it >= step && it < step + every) { "↻" } else { "" };
        let place = ((page.x(step) + page.x((step + 1).min(page.steps))) / 2, bottom + 17);
        svg.text("small muted", place, Anchor::Middle, &format!("{back}{}", page.first + step));
    }
    svg.paragraph("body ink", (MARGIN, bottom + 48), 20, &page.reason);
}

/// The number of steps from one labelled grid line to the next.
fn every(page: &Page) -> usize {
    let label = width(&piece(&format!("↻{}", page.first + page.steps), Face::Text), SMALL) + 6;
    let least = usize::try_from((label + page.step - 1) / page.step).unwrap_or(1).max(1);
    let tens = [1, 2, 5].into_iter().flat_map(|it| (0..18).map(move |zeros| it * 10usize.pow(zeros)));
    tens.filter(|it| *it >= least).min().unwrap_or(least)
}

/// A shade across all lanes, with a label above it.
fn draw_mark(svg: &mut Svg, page: &Page, mark: &Mark) {
    let (x, end) = (page.x(mark.step), page.x(mark.step + 1));
    let Page { top, bottom, .. } = *page;
    svg.rect("mark-fill", Rect { x, y: top - 4, width: end - x, height: bottom - top + 4 }, 0);
    svg.lines("mark-line", &[vec![(x, top - 4), (x, bottom)], vec![(end, top - 4), (end, bottom)]]);
    let words = format!("✗ {} fails at step {}", plain(&mark.label), page.first + mark.step);
    let line = fit_line(&words, Face::Strong, 12, page.width - 2 * MARGIN);
    // The label starts at its step if there is room, otherwise it ends at the margin.
    let x = x.min(page.width - MARGIN - width(&line, 12)).max(MARGIN);
    svg.line("note mark", (x, top - 10), Anchor::Start, &line);
}

fn draw_lane(svg: &mut Svg, page: &Page, lane: &Lane) {
    let middle = (lane.top + lane.bottom) / 2;
    let name = fit_line(&lane.name, Face::Code, NAME, NAME_ROOM);
    svg.text("label code ink", (MARGIN, middle + 5), Anchor::Start, &letters(&name));
    let (stroke, fill) = match lane.role {
        Role::Input => ("input", "input-fill"),
        Role::Output => ("output", "output-fill"),
        Role::Inner | Role::Recorded => ("inner", "inner-fill"),
    };
    match lane.kind {
        Kind::Truth => {
            for segment in lane.segments.iter().filter(|it| it.level > 0) {
                let (x, y, end) = (page.x(segment.from), lane.y(segment), page.x(segment.to));
                svg.rect(fill, Rect { x, y, width: end - x, height: lane.bottom - 2 - y }, 0);
            }
            svg.lines(stroke, &[steps(page, lane)]);
            for segment in lane.segments.iter().filter(|_| page.step >= ROOMY) {
                let place = ((page.x(segment.from) + page.x(segment.to)) / 2, middle + 4);
                label(svg, page, segment, place);
            }
        }
        Kind::Number => {
            svg.lines(stroke, &[steps(page, lane)]);
            for segment in &lane.segments {
                let place = ((page.x(segment.from) + page.x(segment.to)) / 2, lane.y(segment) - 3);
                label(svg, page, segment, place);
            }
        }
        Kind::Name => {
            let mut sides = Vec::new();
            for segment in &lane.segments {
                let corners = band(page, lane, segment);
                svg.shape(fill, &corners);
                sides.push(corners.into_iter().chain(band(page, lane, segment).first().copied()).collect());
                let place = ((page.x(segment.from) + page.x(segment.to)) / 2, middle + 4);
                label(svg, page, segment, place);
            }
            svg.lines(stroke, &sides);
        }
    }
}

/// A line in steps through the values of a lane.
fn steps(page: &Page, lane: &Lane) -> Vec<Point> {
    let ends = |it: &Segment| [(page.x(it.from), lane.y(it)), (page.x(it.to), lane.y(it))];
    lane.segments.iter().flat_map(ends).collect()
}

/// A band with slanted sides.
fn band(page: &Page, lane: &Lane, segment: &Segment) -> Vec<Point> {
    let (x, end) = (page.x(segment.from), page.x(segment.to));
    let (top, bottom, middle) = (lane.top + 1, lane.bottom - 1, (lane.top + lane.bottom) / 2);
    let slant = SLANT.min((end - x) / 2);
    vec![
        (x, middle),
        (x + slant, top),
        (end - slant, top),
        (end, middle),
        (end - slant, bottom),
        (x + slant, bottom),
    ]
}

/// A value, if there is room for it.
fn label(svg: &mut Svg, page: &Page, segment: &Segment, place: Point) {
    let room = page.x(segment.to) - page.x(segment.from) - 4;
    let line = fit_line(&segment.label, Face::Text, SMALL, room);
    let shortened = letters(&line).ends_with('…');
    if !line.is_empty() && width(&line, SMALL) <= room && (!shortened || room > 30) {
        svg.line("small ink", place, Anchor::Middle, &line);
    }
}
