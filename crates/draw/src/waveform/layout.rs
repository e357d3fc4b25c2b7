//! Where everything of a waveform is: lanes one under the other, a column of equal width for each step.
//!
//! Stretches of equal values are one segment. Invariant: all coordinates lie on the page.

use super::{Group, Mark, Role};
use crate::diagram::measure::{Face, Line, code_spans, fit, piece, width, wrap};
use crate::table::shown;
use crate::words::plain;
use logic::{RBig, Trace, Value};

pub(super) const MARGIN: i32 = 24;
pub(super) const SMALL: i32 = 11;
pub(super) const NAME: i32 = 13;
const BODY: i32 = 14;
/// The most room for names.
const NAME_ROOM: i32 = 240;
/// The width of a step is between these, and a label asks for no more than the last.
const NARROW: i32 = 10;
const WIDE: i32 = 30;
const WIDEST: i32 = 84;
/// The plot is not wider than this, unless its steps are as narrow as they can be.
const PLOT: i32 = 1600;
/// Between lanes, and the height of a group's title.
const GAP: i32 = 12;
const GROUP: i32 = 26;

/// A waveform on its page.
pub(super) struct Page {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) title: Vec<Line>,
    pub(super) left: i32,
    pub(super) step: i32,
    pub(super) steps: usize,
    /// The top and bottom of all lanes.
    pub(super) top: i32,
    pub(super) bottom: i32,
    pub(super) groups: Vec<(Role, i32)>,
    pub(super) lanes: Vec<Lane>,
    pub(super) reason: Vec<Line>,
}

pub(super) struct Lane {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) kind: Kind,
    pub(super) top: i32,
    pub(super) bottom: i32,
    pub(super) segments: Vec<Segment>,
}

/// How a lane is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A square wave.
    Truth,
    /// A line in steps.
    Number,
    /// A band with a name inside.
    Name,
}

/// Steps with one value.
pub(super) struct Segment {
    pub(super) from: usize,
    /// Behind the last one.
    pub(super) to: usize,
    pub(super) label: String,
    /// How far up in the lane, in thousandths.
    pub(super) level: i32,
}

impl Page {
    pub(super) fn of(trace: &Trace, groups: &[Group], title: &str, mark: Option<&Mark>) -> Page {
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

    /// As wide as the labels want, as narrow as many steps want.
    fn step_width(&self) -> i32 {
        let labelled = self.lanes.iter().filter(|lane| lane.kind != Kind::Truth);
        let segments = labelled.flat_map(|lane| &lane.segments);
        let wanted = segments.map(|it| {
            let room = width(&piece(&it.label, Face::Code), SMALL) + 14;
            room / i32::try_from(it.to - it.from).unwrap_or(i32::MAX)
        });
        let wanted = wanted.max().unwrap_or(0).clamp(WIDE, WIDEST);
        wanted.min(PLOT / i32::try_from(self.steps).unwrap_or(i32::MAX)).max(NARROW)
    }

    /// Where a step begins.
    pub(super) fn x(&self, step: usize) -> i32 {
        self.left.saturating_add(i32::try_from(step).unwrap_or(i32::MAX / NARROW).saturating_mul(self.step))
    }

    /// A name as far as there is room for it.
    pub(super) fn name(&self, lane: &Lane) -> Line {
        fit(&lane.name, Face::Code, NAME, NAME_ROOM, 1).into_iter().flatten().collect()
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

    /// Where a segment's line is.
    pub(super) fn y(&self, segment: &Segment) -> i32 {
        // The labels of numbers stand above the line.
        let top = if self.kind == Kind::Number { self.top + 12 } else { self.top + 2 };
        let bottom = self.bottom - 2;
        bottom - segment.level * (bottom - top) / 1000
    }

    /// What the lane shows, in words.
    pub(super) fn words(&self) -> String {
        let parts: Vec<String> =
            self.segments.iter().map(|it| format!("{} from step {}", it.label, it.from)).collect();
        format!("{} {}: {}", self.role.word(), self.name, parts.join(", "))
    }
}

fn number(value: &Value) -> Option<&RBig> {
    if let Value::Num(number) = value { Some(number) } else { None }
}
