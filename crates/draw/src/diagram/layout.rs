//! The position of everything, in whole pixels from the upper left corner: title, time axis, lanes, legend,
//! explanation. Labels are in a column on the left, everything else is to their right.

use super::{lane_name, role_word};
use crate::svg::measure::{Face, Line, code_spans, fit, piece, width, wrap};
use requirement::diagram::{Lane, MarkKind, Role, Scene};
use requirement::explain::Explanation;

/// The margin around the drawing.
pub(super) const MARGIN: i32 = 28;
/// The height of bars and of the high part of signals.
pub(super) const BAR: i32 = 20;
/// The height of a sample in the legend.
pub(super) const SAMPLE: i32 = 14;
const TITLE_SIZE: i32 = 18;
const LABEL_SIZE: i32 = 13;
const BODY_SIZE: i32 = 14;
const LEGEND_SIZE: i32 = 12;
const LABEL_LINE: i32 = 17;

/// A line of text with its baseline.
pub(super) struct Placed {
    pub(super) baseline: i32,
    pub(super) line: Line,
}

/// A lane of the drawing.
pub(super) struct LaneBox {
    pub(super) top: i32,
    pub(super) bottom: i32,
    /// The middle of its bars.
    pub(super) middle: i32,
    /// Its role, in small letters above its name.
    pub(super) caption: Option<(i32, &'static str)>,
    /// Its name.
    pub(super) name: Vec<Placed>,
}

/// A sample with its meaning.
pub(super) struct LegendItem {
    pub(super) x: i32,
    /// The middle of the sample.
    pub(super) middle: i32,
    pub(super) kind: MarkKind,
    /// The width of the sample.
    pub(super) width: i32,
    pub(super) words: &'static str,
}

/// A sentence of the explanation.
pub(super) struct Paragraph {
    pub(super) heading: &'static str,
    pub(super) lines: Vec<Placed>,
}

/// The whole drawing.
pub(super) struct Layout {
    pub(super) width: i32,
    pub(super) height: i32,
    /// Where steps begin.
    pub(super) left: i32,
    /// Where the last step ends.
    pub(super) right: i32,
    step: i32,
    pub(super) title: Vec<Placed>,
    pub(super) axis: i32,
    pub(super) lanes: Vec<LaneBox>,
    pub(super) legend: Vec<LegendItem>,
    /// The line above the explanation.
    pub(super) rule: i32,
    pub(super) explanation: Vec<Paragraph>,
}

impl Layout {
    /// Lays out a scene.
    pub(super) fn of(scene: &Scene, title: &str, explanation: &Explanation) -> Layout {
        let names: Vec<String> = scene.lanes.iter().map(lane_name).collect();
        let widest = names.iter().map(|name| width(&piece(name, Face::Code), LABEL_SIZE)).max().unwrap_or(0);
        let label = widest.clamp(96, 224);
        let left = MARGIN + label + 20;
        let steps = i32::try_from(scene.length.clamp(1, 10_000)).expect("a small number");
        let step = (576 / steps).clamp(6, 36) / 2 * 2;
        let right = left + steps * step;
        let content_right = right.max(left + 576);
        let mut layout = Layout {
            width: content_right + MARGIN,
            height: 0,
            left,
            right,
            step,
            title: Vec::new(),
            axis: 0,
            lanes: Vec::new(),
            legend: Vec::new(),
            rule: 0,
            explanation: Vec::new(),
        };
        let mut y = MARGIN - 6;
        let title_lines = wrap(&piece(title, Face::Strong), TITLE_SIZE, content_right - MARGIN);
        layout.title = place(title_lines, &mut y, 26, 20);
        layout.axis = y + 38;
        y = layout.axis + 4;
        for (lane, name) in scene.lanes.iter().zip(&names) {
            let lane = lane_box(lane, name, y, label);
            y = lane.bottom;
            layout.lanes.push(lane);
        }
        layout.legend = legend(scene, left, content_right, &mut y);
        layout.rule = y + 18;
        y = layout.rule + 10;
        let parts = [
            ("Scope", &explanation.scope),
            ("Trigger", &explanation.trigger),
            ("Response", &explanation.response),
        ];
        for (heading, sentence) in parts {
            let lines = wrap(&code_spans(sentence), BODY_SIZE, content_right - left);
            if !lines.is_empty() {
                layout.explanation.push(Paragraph { heading, lines: place(lines, &mut y, 21, 15) });
                y += 6;
            }
        }
        layout.height = y + MARGIN - 10;
        layout
    }

    /// Where a step starts.
    pub(super) fn start(&self, step: usize) -> i32 {
        let steps = i32::try_from(step).unwrap_or(i32::MAX);
        steps.saturating_mul(self.step).saturating_add(self.left).min(self.right)
    }

    /// The middle of a step.
    pub(super) fn middle(&self, step: usize) -> i32 {
        self.start(step) + self.step / 2
    }

    /// The end of the last lane.
    pub(super) fn lanes_bottom(&self) -> i32 {
        self.lanes.last().map_or(self.axis, |lane| lane.bottom)
    }
}

/// The face of the name of a lane: words for the tool's own names, code for the user's expressions.
pub(super) fn name_face(role: Role) -> Face {
    match role {
        Role::Scope | Role::Trigger => Face::Text,
        Role::Mode | Role::Condition | Role::Stop | Role::Response => Face::Code,
    }
}

fn lane_box(lane: &Lane, name: &str, top: i32, room: i32) -> LaneBox {
    let lines = fit(name, name_face(lane.role), LABEL_SIZE, room, 3);
    let caption = Some(role_word(lane.role)).filter(|word| *word != name);
    let caption_height = if caption.is_some() { 14 } else { 0 };
    let text_height = caption_height + LABEL_LINE * i32::try_from(lines.len()).unwrap_or(2);
    let height = (text_height + 14).max(46);
    let has_dimension = lane.marks.iter().any(|mark| mark.label.is_some());
    let text_top = top + (height - text_height) / 2;
    let mut y = text_top + caption_height;
    LaneBox {
        top,
        bottom: top + height + if has_dimension { 26 } else { 0 },
        middle: top + height / 2,
        caption: caption.map(|word| (text_top + 10, word)),
        name: place(lines, &mut y, LABEL_LINE, 13),
    }
}

/// Lines below each other; `ascent` is the distance from the top of a line to its baseline.
fn place(lines: Vec<Line>, y: &mut i32, height: i32, ascent: i32) -> Vec<Placed> {
    let placed = lines.into_iter().map(|line| {
        *y += height;
        Placed { baseline: *y - height + ascent, line }
    });
    placed.collect()
}

/// The kinds of marks in use, in rows.
fn legend(scene: &Scene, left: i32, right: i32, y: &mut i32) -> Vec<LegendItem> {
    const ROW: i32 = 24;
    let used = |kind: MarkKind| scene.lanes.iter().flat_map(|lane| &lane.marks).any(|mark| mark.kind == kind);
    let mut items = Vec::new();
    let mut x = left;
    let mut middle = *y + 30;
    for (kind, words) in MEANINGS.into_iter().filter(|(kind, _)| used(*kind)) {
        let sample = if kind == MarkKind::Trigger { SAMPLE } else { 30 };
        let length = sample + 8 + width(&piece(words, Face::Text), LEGEND_SIZE);
        if x > left && x + length > right {
            x = left;
            middle += ROW;
        }
        items.push(LegendItem { x, middle, kind, width: sample, words });
        x += length + 22;
    }
    if !items.is_empty() {
        *y = middle + SAMPLE / 2;
    }
    items
}

const MEANINGS: [(MarkKind, &str); 7] = [
    (MarkKind::Holds, "is true"),
    (MarkKind::Applies, "scope"),
    (MarkKind::Trigger, "trigger"),
    (MarkKind::Must, "must hold at each step"),
    (MarkKind::MustNot, "must not hold at any step"),
    (MarkKind::Somewhere, "must hold at one step or more"),
    (MarkKind::SomewhereNot, "must be false at one step or more"),
];
