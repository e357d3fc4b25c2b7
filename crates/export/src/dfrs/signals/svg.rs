//! Signals over time as an SVG file of its own: light and dark, with titles for those who listen, on one axis of time that is to scale.
//!
//! The labels of marks are put into rows so that none lies on another; times that have no room at the axis are left out there, and all
//! of them are in the description.

use super::{Lane, Refusal, Run, Track, kind_word};
use crate::diagram::canvas::{Anchor, document, escape};
use crate::diagram::measure::{Face, fit, piece, width};
use crate::diagram::style::{LETTERS, ONCE, SIGNAL_COLOURS, Shade, TRIGGER, sheet_of};
use ::dfrs::scenario::Scenario;
use ::dfrs::{Dfrs, english};
use logic::RBig;
use std::fmt::Write;

const ROOT: &str = "shall-signals";
const MARGIN: i32 = 24;
/// The width of the axis of time.
const PLOT: i32 = 820;
/// The height of a level, and of a timer.
const LEVEL: i32 = 18;
const RAMP: i32 = 44;
/// Between lanes.
const GAP: i32 = 22;
/// The height of a row of marks.
const ROW: i32 = 18;
const SMALL: i32 = 11;
const NAME: i32 = 13;
const NAME_ROOM: i32 = 190;
const LABEL_ROOM: i32 = 150;

const COLOURS: [(&str, &str, &Shade); 3] =
    [("timer", "stroke", &ONCE), ("mark", "stroke", &TRIGGER), ("id", "fill", &TRIGGER)];

const LINES: [(&str, &str); 3] = [
    (".grid,.axis", "fill:none;stroke-width:1"),
    (".input,.output,.timer", "fill:none;stroke-width:2;stroke-linejoin:round"),
    (".mark", "fill:none;stroke-width:1.25;stroke-dasharray:2 4"),
];

/// A run as SVG, under a title.
pub fn signals_svg(dfrs: &Dfrs, scenario: &Scenario, title: &str) -> Result<String, Refusal> {
    let run = Run::of(dfrs, scenario)?;
    let page = Page::of(&run, title);
    let mut svg = String::new();
    page.draw(&mut svg);
    let forms: Vec<(&str, &str)> = LETTERS.into_iter().chain(LINES).collect();
    let name = if title.trim().is_empty() { "Signals over time" } else { title };
    let sheet = sheet_of(ROOT, &forms, &[&SIGNAL_COLOURS[..], &COLOURS].concat());
    Ok(document(ROOT, (page.full, page.height), [name, &run.words.join(" ")], &sheet, &svg))
}

/// Where everything is.
struct Page<'r> {
    run: &'r Run,
    title: Vec<String>,
    /// Where the axis starts.
    left: i32,
    full: i32,
    height: i32,
    /// The top and the bottom of each lane.
    lanes: Vec<(i32, i32)>,
    marks: Vec<Mark>,
    end: RBig,
}

/// The ids of one instant.
struct Mark {
    text: String,
    /// Where its instant is, and where its text starts.
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
        let title: Vec<String> =
            title.into_iter().map(|line| line.into_iter().map(|it| it.text).collect()).collect();
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

    /// Puts the marks into rows; gives where they end.
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
        // The first row is the lowest, so that the lines of later ones pass no text.
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

    fn draw(&self, svg: &mut String) {
        let right = self.left + PLOT;
        let Page { full, height, .. } = self;
        let _ = writeln!(svg, r#"<rect class="paper" x="0" y="0" width="{full}" height="{height}"/>"#);
        for (k, line) in self.title.iter().enumerate() {
            text(svg, "title ink", (MARGIN, MARGIN + 14 + 24 * k as i32), Anchor::Start, line);
        }
        for (lane, &(top, bottom)) in self.run.lanes.iter().zip(&self.lanes) {
            let room = bottom - top + 12;
            let (y, left) = (top - 6, self.left);
            let _ =
                writeln!(svg, r#"<rect class="band" x="{left}" y="{y}" width="{PLOT}" height="{room}"/>"#);
            self.draw_grid(svg, lane, (top, bottom));
        }
        let bottom = self.lanes.last().map_or(self.height - 60, |lane| lane.1 + 6);
        for mark in &self.marks {
            line(svg, "mark", &[(mark.at, mark.y - 12), (mark.at, bottom)]);
        }
        for (lane, &place) in self.run.lanes.iter().zip(&self.lanes) {
            self.draw_lane(svg, lane, place);
        }
        for mark in &self.marks {
            // Behind the text the lines of other marks are hidden.
            let (x, y, room) = (mark.x - 2, mark.y - 12, width(&piece(&mark.text, Face::Strong), 12) + 4);
            let _ = writeln!(svg, r#"<rect class="paper" x="{x}" y="{y}" width="{room}" height="16"/>"#);
            text(svg, "note id", (mark.x, mark.y), Anchor::Start, &mark.text);
        }
        self.draw_axis(svg, bottom + 8, right);
    }

    fn draw_grid(&self, svg: &mut String, lane: &Lane, (top, bottom): (i32, i32)) {
        let right = self.left + PLOT;
        for y in self.heights(lane, (top, bottom)) {
            line(svg, "grid", &[(self.left, y), (right, y)]);
        }
    }

    /// Where the labels of a lane are, from bottom to top.
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

    /// Where an age is.
    fn height_of(&self, age: &RBig, before: &[RBig], after: &[RBig], (top, bottom): (i32, i32)) -> i32 {
        let last = self.run.times.last().zip(after.last()).map(|(time, age)| &self.end - time + age);
        let most = greatest(before, after).max(last.unwrap_or(RBig::ONE));
        let up = (age * RBig::from(bottom - top) / &most).floor();
        bottom - i32::try_from(up).unwrap_or(0).clamp(0, bottom - top)
    }

    fn draw_lane(&self, svg: &mut String, lane: &Lane, (top, bottom): (i32, i32)) {
        let kind = kind_word(lane.kind);
        let _ = writeln!(svg, "<g>\n<title>{}</title>", escape(&self.title_of(lane)));
        let name = fit(&lane.name, Face::Text, NAME, NAME_ROOM, 1);
        let name: String = name.into_iter().flatten().map(|it| it.text).collect();
        let middle = (top + bottom) / 2;
        text(svg, "label ink", (MARGIN, middle + 1), Anchor::Start, &name);
        text(svg, "small muted", (MARGIN, middle + 14), Anchor::Start, kind);
        let heights = self.heights(lane, (top, bottom));
        for (label, height) in labels_of(lane).iter().zip(&heights) {
            let label = fit(label, Face::Text, SMALL, LABEL_ROOM, 1);
            let label: String = label.into_iter().flatten().map(|it| it.text).collect();
            text(svg, "small muted", (self.left - 8, height + 4), Anchor::End, &label);
        }
        let mut points: Vec<(i32, i32)> = Vec::new();
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
        line(svg, kind, &points);
        svg.push_str("</g>\n");
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

    fn draw_axis(&self, svg: &mut String, y: i32, right: i32) {
        line(svg, "axis", &[(self.left, y), (right, y)]);
        let mut end = i32::MIN;
        for time in &self.run.times {
            let x = self.x(time);
            line(svg, "axis", &[(x, y), (x, y + 5)]);
            let label = english::number(time);
            let room = width(&piece(&label, Face::Text), SMALL);
            if x - room / 2 > end + 4 && x + room / 2 <= self.full - MARGIN {
                text(svg, "small muted", (x, y + 18), Anchor::Middle, &label);
                end = x + room / 2;
            }
        }
        text(svg, "small muted", (MARGIN, y + 18), Anchor::Start, "time");
    }
}

/// The labels of the levels of a lane, from bottom to top.
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

fn line(svg: &mut String, class: &str, points: &[(i32, i32)]) {
    let steps =
        points.iter().enumerate().map(|(k, (x, y))| format!("{}{x} {y}", if k == 0 { "M" } else { "L" }));
    let _ = writeln!(svg, r#"<path class="{class}" d="{}"/>"#, steps.collect::<Vec<_>>().join(" "));
}

fn text(svg: &mut String, class: &str, (x, y): (i32, i32), anchor: Anchor, words: &str) {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => r#" text-anchor="middle""#,
        Anchor::End => r#" text-anchor="end""#,
    };
    let _ = writeln!(svg, r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{}</text>"#, escape(words));
}
