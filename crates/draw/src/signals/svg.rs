//! Signals over time as an SVG file: light and dark, with titles for screen readers, on one time axis that is to scale.
//!
//! The labels of marks are in rows, so that none overlaps another. Times without room at the axis are left out there;
//! the description has all of them.

use super::{Lane, Refusal, Run, Track, kind_word};
use crate::svg::Anchor;
use crate::svg::Frame;
use crate::svg::Point;
use crate::svg::Rect;
use crate::svg::Svg;
use crate::svg::measure::Face;
use crate::svg::measure::Line;
use crate::svg::measure::fit;
use crate::svg::measure::fit_line;
use crate::svg::measure::piece;
use crate::svg::measure::width;
use crate::svg::style::Colour;
use crate::svg::style::GROUND;
use crate::svg::style::INK;
use crate::svg::style::MUST;
use crate::svg::style::MUTED;
use crate::svg::style::ONCE;
use crate::svg::style::SIGNAL;
use crate::svg::style::TRIGGER;
use crate::svg::style::sheet;
use ::dfrs::scenario::Scenario;
use ::dfrs::{Dfrs, english};
use logic::RBig;

const ROOT: &str = "shall-signals";
const MARGIN: i32 = 24;
/// The width of the time axis.
const PLOT: i32 = 820;
/// The height of a level, and of a timer.
const LEVEL: i32 = 18;
const RAMP: i32 = 44;
/// The gap between lanes.
const GAP: i32 = 22;
/// The height of a row of marks.
const ROW: i32 = 18;
const SMALL: i32 = 11;
const NAME: i32 = 13;
const NAME_ROOM: i32 = 190;
const LABEL_ROOM: i32 = 150;

const COLOURS: [Colour; 7] = [
    ("ink", "fill", &INK),
    ("muted", "fill", &MUTED),
    ("input", "stroke", &SIGNAL),
    ("output", "stroke", &MUST),
    ("timer", "stroke", &ONCE),
    ("mark", "stroke", &TRIGGER),
    ("id", "fill", &TRIGGER),
];

const LINES: [(&str, &str); 3] = [
    (".grid,.axis", "fill:none;stroke-width:1"),
    (".input,.output,.timer", "fill:none;stroke-width:2;stroke-linejoin:round"),
    (".mark", "fill:none;stroke-width:1.25;stroke-dasharray:2 4"),
];

/// A scenario as SVG, below a title.
pub fn signals_svg(dfrs: &Dfrs, scenario: &Scenario, title: &str) -> Result<String, Refusal> {
    let run = Run::of(dfrs, scenario)?;
    let page = Page::of(&run, title);
    let mut svg = Svg::default();
    page.draw(&mut svg);
    let title = if title.trim().is_empty() { "Signals over time" } else { title };
    let frame = Frame { class: ROOT, width: page.full, height: page.height, title };
    Ok(svg.file(&frame, &run.words.join(" "), &sheet(ROOT, &LINES, &[&GROUND[..], &COLOURS].concat())))
}

/// The position of everything.
struct Page<'r> {
    run: &'r Run,
    title: Vec<Line>,
    /// Where the axis starts.
    left: i32,
    full: i32,
    height: i32,
    /// The top and the bottom of each lane.
    lanes: Vec<(i32, i32)>,
    marks: Vec<Mark>,
    end: RBig,
}

/// The requirements that react at one instant.
struct Mark {
    text: String,
    /// The position of the instant, and the start of its text.
    at: i32,
    x: i32,
    y: i32,
}

impl<'r> Page<'r> {
    fn of(run: &'r Run, title: &str) -> Page<'r> {
        let face = |text: &str, size: i32| width(&piece(text, Face::Text), size);
        let names = run.lanes.iter().map(|lane| face(&lane.name, NAME).min(NAME_ROOM)).max().unwrap_or(0);
        let labels = run.lanes.iter().flat_map(labels_of).map(|label| face(&label, SMALL).min(LABEL_ROOM));
        let left = MARGIN + names + 16 + labels.max().unwrap_or(0) + 10;
        let full = left + PLOT + MARGIN;
        let title = fit(title, Face::Strong, 18, full - 2 * MARGIN, 3);
        let last = run.times.last().cloned().unwrap_or(RBig::ZERO);
        let rest = (&last / RBig::from(16)).max(if last == RBig::ZERO { RBig::ONE } else { RBig::ZERO });
        let mut page = Page {
            run,
            title,
            left,
            full,
            height: 0,
            lanes: Vec::new(),
            marks: Vec::new(),
            end: last + rest,
        };
        let mut y = MARGIN + page.title.len() as i32 * 24;
        y = page.place_marks(y) + 14;
        for lane in &run.lanes {
            let height = match &lane.track {
                Track::Levels { labels, .. } => (labels.len().max(2) as i32 - 1) * LEVEL,
                Track::Ages { .. } => RAMP,
            };
            page.lanes.push((y, y + height));
            y += height + GAP;
        }
        page.height = y + 44;
        page
    }

    /// Puts the marks into rows; returns the bottom of the rows.
    fn place_marks(&mut self, top: i32) -> i32 {
        let mut ends: Vec<i32> = Vec::new();
        for (k, ids) in self.run.reacts.iter().enumerate().filter(|(_, ids)| !ids.is_empty()) {
            let text = ids.join(", ");
            let room = width(&piece(&text, Face::Strong), 12);
            let (text, room) = if room > PLOT {
                (
                    format!("{} and {} more", ids[0], ids.len() - 1),
                    width(&piece(&ids[0], Face::Strong), 12) + 90,
                )
            } else {
                (text, room)
            };
            let at = self.x(&self.run.times[k]);
            let x = (at + 4).min(self.left + PLOT - room).max(self.left);
            let free = ends.iter().position(|&end| end + 8 <= x);
            let row = free.unwrap_or(ends.len());
            if row == ends.len() {
                ends.push(0);
            }
            ends[row] = x + room;
            self.marks.push(Mark { text, at, x, y: row as i32 });
        }
        // The first row is the lowest, so that the lines of later marks do not cross its text.
        let rows = ends.len() as i32;
        for mark in &mut self.marks {
            mark.y = top + (rows - mark.y) * ROW;
        }
        top + rows * ROW
    }

    fn x(&self, time: &RBig) -> i32 {
        let place = (time * RBig::from(PLOT) / &self.end).floor();
        self.left + i32::try_from(place).unwrap_or(PLOT).clamp(0, PLOT)
    }

    fn draw(&self, svg: &mut Svg) {
        let right = self.left + PLOT;
        svg.rect("paper", Rect { x: 0, y: 0, width: self.full, height: self.height }, 0);
        svg.paragraph("title ink", (MARGIN, MARGIN + 14), 24, &self.title);
        for (lane, &(top, bottom)) in self.run.lanes.iter().zip(&self.lanes) {
            let height = bottom - top + 12;
            svg.rect("band", Rect { x: self.left, y: top - 6, width: PLOT, height }, 0);
            for y in self.heights(lane, (top, bottom)) {
                line(svg, "grid", vec![(self.left, y), (right, y)]);
            }
        }
        let bottom = self.lanes.last().map_or(self.height - 60, |lane| lane.1 + 6);
        for mark in &self.marks {
            line(svg, "mark", vec![(mark.at, mark.y - 12), (mark.at, bottom)]);
        }
        for (lane, &place) in self.run.lanes.iter().zip(&self.lanes) {
            svg.group(&[], Some(&self.title_of(lane)), |svg| self.draw_lane(svg, lane, place));
        }
        for mark in &self.marks {
            // The text hides the lines of other marks.
            let width = width(&piece(&mark.text, Face::Strong), 12) + 4;
            svg.rect("paper", Rect { x: mark.x - 2, y: mark.y - 12, width, height: 16 }, 0);
            svg.text("note id", (mark.x, mark.y), Anchor::Start, &mark.text);
        }
        self.draw_axis(svg, bottom + 8, right);
    }

    /// The heights of the labels of a lane, from bottom to top.
    fn heights(&self, lane: &Lane, (top, bottom): (i32, i32)) -> Vec<i32> {
        match &lane.track {
            Track::Levels { labels, .. } => {
                let step = if labels.len() > 1 { (bottom - top) / (labels.len() as i32 - 1) } else { 0 };
                (0..labels.len() as i32).map(|level| bottom - level * step).collect()
            }
            Track::Ages { before, after } => {
                vec![bottom, self.height_of(&greatest(before, after), before, after, (top, bottom))]
            }
        }
    }

    /// The height of an age.
    fn height_of(&self, age: &RBig, before: &[RBig], after: &[RBig], (top, bottom): (i32, i32)) -> i32 {
        let last = self.run.times.last().zip(after.last()).map(|(time, age)| &self.end - time + age);
        let most = greatest(before, after).max(last.unwrap_or(RBig::ONE));
        let up = (age * RBig::from(bottom - top) / &most).floor();
        bottom - i32::try_from(up).unwrap_or(0).clamp(0, bottom - top)
    }

    fn draw_lane(&self, svg: &mut Svg, lane: &Lane, (top, bottom): (i32, i32)) {
        let kind = kind_word(lane.kind);
        let name = fit_line(&lane.name, Face::Text, NAME, NAME_ROOM);
        let middle = (top + bottom) / 2;
        svg.line("label ink", (MARGIN, middle + 1), Anchor::Start, &name);
        svg.text("small muted", (MARGIN, middle + 14), Anchor::Start, kind);
        let heights = self.heights(lane, (top, bottom));
        for (label, height) in labels_of(lane).iter().zip(&heights) {
            let label = fit_line(label, Face::Text, SMALL, LABEL_ROOM);
            svg.line("small muted", (self.left - 8, height + 4), Anchor::End, &label);
        }
        let mut points: Vec<Point> = Vec::new();
        match &lane.track {
            Track::Levels { at, .. } => {
                for (time, level) in self.run.times.iter().zip(at) {
                    let (x, y) = (self.x(time), heights.get(*level).copied().unwrap_or(bottom));
                    points.extend(points.last().map(|&(_, old)| (x, old)));
                    points.push((x, y));
                }
                points.extend(points.last().map(|&(_, old)| (self.left + PLOT, old)));
            }
            Track::Ages { before, after } => {
                let y = |age: &RBig| self.height_of(age, before, after, (top, bottom));
                for ((time, before), after) in self.run.times.iter().zip(before).zip(after) {
                    points.push((self.x(time), y(before)));
                    points.push((self.x(time), y(after)));
                }
                let last = self.run.times.last().zip(after.last());
                points.extend(last.map(|(time, age)| (self.left + PLOT, y(&(&self.end - time + age)))));
            }
        }
        points.dedup();
        line(svg, kind, points);
    }

    /// What a lane shows, in words.
    fn title_of(&self, lane: &Lane) -> String {
        let mut parts = Vec::new();
        for (k, time) in self.run.times.iter().enumerate() {
            let value = match &lane.track {
                Track::Levels { at, .. } if k > 0 && at[k] == at[k - 1] => continue,
                Track::Levels { labels, at } => labels[at[k]].clone(),
                Track::Ages { before, after } if k > 0 && before[k] == after[k] => continue,
                Track::Ages { .. } => "starts".to_owned(),
            };
            parts.push(format!("{value} from {}", english::number(time)));
        }
        format!("{} {}: {}", kind_word(lane.kind), lane.name, parts.join(", "))
    }

    fn draw_axis(&self, svg: &mut Svg, y: i32, right: i32) {
        line(svg, "axis", vec![(self.left, y), (right, y)]);
        let mut end = i32::MIN;
        for time in &self.run.times {
            let x = self.x(time);
            line(svg, "axis", vec![(x, y), (x, y + 5)]);
            let label = english::number(time);
            let room = width(&piece(&label, Face::Text), SMALL);
            if x - room / 2 > end + 4 && x + room / 2 <= self.full - MARGIN {
                svg.text("small muted", (x, y + 18), Anchor::Middle, &label);
                end = x + room / 2;
            }
        }
        svg.text("small muted", (MARGIN, y + 18), Anchor::Start, "time");
    }
}

/// The labels of a lane, from bottom to top.
fn labels_of(lane: &Lane) -> Vec<String> {
    match &lane.track {
        Track::Levels { labels, .. } => labels.clone(),
        Track::Ages { before, after } => {
            vec!["0".to_owned(), english::number(&greatest(before, after))]
        }
    }
}

/// The greatest age of a run; one if all are zero.
fn greatest(before: &[RBig], after: &[RBig]) -> RBig {
    before.iter().chain(after).max().filter(|age| **age != RBig::ZERO).cloned().unwrap_or(RBig::ONE)
}

fn line(svg: &mut Svg, class: &str, points: Vec<Point>) {
    svg.lines(class, &[points]);
}
