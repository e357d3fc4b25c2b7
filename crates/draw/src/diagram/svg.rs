//! The scene as an SVG file: readable with a screen reader, on a light or dark screen, and in print.

use super::layout::{BAR, LaneBox, Layout, MARGIN, SAMPLE};
use super::{demand, is_signal, visible};
use crate::svg::measure::{Face, fit, letters, piece, width};
use crate::svg::style::{
    Colour, GROUND, INK, MUST, MUTED, NEVER, ON_MUST, ONCE, SIGNAL, SIGNAL_FILL, TRIGGER,
    sheet as style_sheet,
};
use crate::svg::{Anchor, Frame, Point, Rect, Svg};
use crate::terminal::plain;
use requirement::diagram::{Lane, Mark, MarkKind, Role, Scene};
use requirement::explain::Explanation;

/// The class of the whole drawing.
const ROOT: &str = "shall-scene";
/// The font size of words beside marks.
const NOTE: i32 = 12;
const RADIUS: i32 = 3;

const COLOURS: [Colour; 13] = [
    ("tip", "fill", &MUTED),
    ("ink", "fill", &INK),
    ("muted", "fill", &MUTED),
    ("wave", "stroke", &SIGNAL),
    ("high", "fill", &SIGNAL_FILL),
    ("trigger", "fill", &TRIGGER),
    ("guide", "stroke", &TRIGGER),
    ("must", "fill", &MUST),
    ("on-must", "fill", &ON_MUST),
    ("never", "fill", &NEVER),
    ("never-line", "stroke", &NEVER),
    ("once", "fill", &ONCE),
    ("once-line", "stroke", &ONCE),
];

const LINES: [(&str, &str); 4] = [
    (".grid,.axis", "fill:none;stroke-width:1"),
    (".wave,.once-line", "fill:none;stroke-width:1.5;stroke-linejoin:round"),
    (".never-line", "fill:none;stroke-width:1.25"),
    (".guide", "fill:none;stroke-width:1.25;stroke-dasharray:2 4"),
];

/// The scene as SVG, below its title (the sentence) and above its explanation.
pub fn svg(scene: &Scene, title: &str, explanation: &Explanation) -> String {
    let layout = Layout::of(scene, title, explanation);
    let Explanation { scope, trigger, response } = explanation;
    draw(&layout, scene).file(&frame(&layout, title), &format!("{scope} {trigger} {response}"), &sheet())
}

/// The drawing alone, for a page that has the sentence, its explanation and the [`sheet`] already.
pub fn bare(scene: &Scene, title: &str) -> String {
    let nothing = Explanation { scope: String::new(), trigger: String::new(), response: String::new() };
    let layout = Layout::of(scene, "", &nothing);
    draw(&layout, scene).inline(&frame(&layout, title))
}

/// The style sheet of bare drawings.
pub fn sheet() -> String {
    style_sheet(ROOT, &LINES, &[&GROUND[..], &COLOURS].concat())
}

fn frame<'a>(layout: &Layout, title: &'a str) -> Frame<'a> {
    Frame { class: ROOT, width: layout.width, height: layout.height, title }
}

fn draw(layout: &Layout, scene: &Scene) -> Svg {
    let mut svg = Svg::default();
    svg.rect("paper", Rect { x: 0, y: 0, width: layout.width, height: layout.height }, 0);
    for placed in &layout.title {
        svg.line("title ink", (MARGIN, placed.baseline), Anchor::Start, &placed.line);
    }
    draw_bands(&mut svg, layout, scene);
    draw_grid(&mut svg, layout, scene);
    draw_guides(&mut svg, layout, scene);
    for (lane, place) in scene.lanes.iter().zip(&layout.lanes) {
        draw_label(&mut svg, place);
        draw_lane(&mut svg, layout, scene, lane, place);
    }
    draw_legend(&mut svg, layout);
    draw_explanation(&mut svg, layout);
    svg
}

/// The scope shades everything below it.
fn draw_bands(svg: &mut Svg, layout: &Layout, scene: &Scene) {
    for (lane, place) in scene.lanes.iter().zip(&layout.lanes) {
        for mark in visible(scene, lane).iter().filter(|mark| mark.kind == MarkKind::Applies) {
            let (x, end) = ends(layout, mark);
            let height = layout.lanes_bottom() - place.middle;
            svg.rect("band", Rect { x, y: place.middle, width: end - x, height }, 0);
        }
    }
}

fn draw_grid(svg: &mut Svg, layout: &Layout, scene: &Scene) {
    let Layout { left, right, axis, .. } = *layout;
    let bottom = layout.lanes_bottom();
    let steps: Vec<Vec<Point>> = (0..=scene.length)
        .map(|step| vec![(layout.start(step), axis), (layout.start(step), bottom)])
        .collect();
    let lanes = layout.lanes.iter().map(|lane| vec![(MARGIN, lane.bottom), (right, lane.bottom)]);
    svg.lines("grid", &steps);
    svg.lines("grid", &lanes.collect::<Vec<_>>());
    svg.lines("axis", &[vec![(left, axis), (right + 8, axis)]]);
    svg.shape("tip", &[(right + 14, axis), (right + 6, axis - 4), (right + 6, axis + 4)]);
    svg.text("label muted", (MARGIN, axis - 8), Anchor::Start, "time");
    let scale = if scene.shortened {
        "one column is one step, except in the duration, which is shortened"
    } else {
        "one column is one step"
    };
    svg.text("small muted", (left, axis - 8), Anchor::Start, scale);
}

/// Where the guides are.
fn guides(layout: &Layout, scene: &Scene) -> Vec<i32> {
    let triggers = scene.lanes.iter().flat_map(|lane| visible(scene, lane));
    let triggers = triggers.into_iter().filter(|mark| mark.kind == MarkKind::Trigger);
    triggers.flat_map(|mark| mark.from..=mark.to).map(|step| layout.middle(step)).collect()
}

/// A line from the condition down through every lane, at each trigger.
fn draw_guides(svg: &mut Svg, layout: &Layout, scene: &Scene) {
    let rows = || scene.lanes.iter().zip(&layout.lanes);
    let condition = rows().find(|(lane, _)| lane.role == Role::Condition).map(|(_, place)| place.top);
    let mut guides = Vec::new();
    for (lane, place) in rows() {
        for mark in visible(scene, lane).iter().filter(|mark| mark.kind == MarkKind::Trigger) {
            let top = condition.unwrap_or(place.middle).min(place.middle);
            let line =
                |step: usize| vec![(layout.middle(step), top), (layout.middle(step), layout.lanes_bottom())];
            guides.extend((mark.from..=mark.to).map(line));
        }
    }
    svg.lines("guide", &guides);
}

fn draw_label(svg: &mut Svg, place: &LaneBox) {
    if let Some((baseline, word)) = place.caption {
        svg.text("small muted", (MARGIN, baseline), Anchor::Start, word);
    }
    for placed in &place.name {
        svg.line("label ink", (MARGIN, placed.baseline), Anchor::Start, &placed.line);
    }
}

fn draw_lane(svg: &mut Svg, layout: &Layout, scene: &Scene, lane: &Lane, place: &LaneBox) {
    let marks = visible(scene, lane);
    let y = place.middle - BAR / 2;
    let signal = is_signal(lane.role) && marks.iter().all(|mark| mark.kind == MarkKind::Holds);
    if signal {
        let high: Vec<(i32, i32)> = marks.iter().map(|mark| ends(layout, mark)).collect();
        let whole = Rect { x: layout.left, y, width: layout.right - layout.left, height: BAR };
        draw_wave(svg, whole, &high);
    }
    for (k, mark) in marks.iter().enumerate() {
        let before = if k == 0 { layout.left } else { ends(layout, &marks[k - 1]).1 };
        let after = marks.get(k + 1).map_or(layout.right, |next| layout.start(next.from));
        if !signal {
            draw_mark(svg, layout, mark, y, (before, after));
        }
        if let Some(label) = &mark.label {
            let from = (layout.middle(mark.from), y + BAR + 14);
            let room = layout.right - layout.left;
            let guides = guides(layout, scene);
            for line in fit(&plain(label), Face::Strong, NOTE, room, 1) {
                let free = (layout.left, layout.right);
                draw_dimension(svg, from, layout.middle(mark.to), y + BAR, &letters(&line), free, &guides);
            }
        }
    }
}

fn draw_mark(svg: &mut Svg, layout: &Layout, mark: &Mark, y: i32, free: (i32, i32)) {
    match mark.kind {
        MarkKind::Trigger => {
            for step in mark.from..=mark.to {
                let (x, end) = (layout.start(step), layout.start(step + 1));
                draw_bare(svg, mark.kind, Rect { x, y, width: end - x, height: BAR });
            }
        }
        MarkKind::Holds
        | MarkKind::Applies
        | MarkKind::Must
        | MarkKind::MustNot
        | MarkKind::Somewhere
        | MarkKind::SomewhereNot => {
            let (x, end) = ends(layout, mark);
            draw_worded(svg, mark.kind, Rect { x, y, width: end - x, height: BAR }, free);
        }
    }
}

fn draw_legend(svg: &mut Svg, layout: &Layout) {
    for item in &layout.legend {
        let width = item.width;
        let rect = Rect { x: item.x, y: item.middle - SAMPLE / 2, width, height: SAMPLE };
        match item.kind {
            MarkKind::Holds => draw_wave(svg, rect, &[(item.x + width / 4, item.x + width * 3 / 4)]),
            MarkKind::Applies
            | MarkKind::Trigger
            | MarkKind::Must
            | MarkKind::MustNot
            | MarkKind::Somewhere
            | MarkKind::SomewhereNot => draw_bare(svg, item.kind, rect),
        }
        let place = (item.x + width + 8, item.middle + 4);
        svg.text("legend muted", place, Anchor::Start, item.words);
    }
}

fn draw_explanation(svg: &mut Svg, layout: &Layout) {
    if layout.explanation.is_empty() {
        return;
    }
    svg.lines("grid", &[vec![(MARGIN, layout.rule), (layout.width - MARGIN, layout.rule)]]);
    for paragraph in &layout.explanation {
        for (k, placed) in paragraph.lines.iter().enumerate() {
            if k == 0 {
                svg.text("label muted", (MARGIN, placed.baseline), Anchor::Start, paragraph.heading);
            }
            svg.line("body ink", (layout.left, placed.baseline), Anchor::Start, &placed.line);
        }
    }
}

/// The start and the end of a mark in pixels.
fn ends(layout: &Layout, mark: &Mark) -> (i32, i32) {
    (layout.start(mark.from), layout.start(mark.to + 1))
}

/// Draws a mark with its words inside it, or beside it within `free` (from, to), or without words if neither fits.
fn draw_worded(svg: &mut Svg, kind: MarkKind, rect: Rect, free: (i32, i32)) {
    let Some(words) = demand(kind) else {
        return draw_bare(svg, kind, rect);
    };
    let line = piece(words, Face::Strong);
    let diamond = match kind {
        MarkKind::Somewhere | MarkKind::SomewhereNot => rect.height,
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger | MarkKind::Must | MarkKind::MustNot => 0,
    };
    let length = width(&line, NOTE) + 4;
    let baseline = rect.y + rect.height / 2 + 4;
    if length + diamond + 24 <= rect.width {
        let start = rect.x + (rect.width - length - diamond) / 2;
        draw_around(svg, kind, rect, start, length + diamond);
        let centre = start + diamond + length / 2;
        svg.line(word_class(kind, true), (centre, baseline), Anchor::Middle, &line);
        return;
    }
    draw_bare(svg, kind, rect);
    let end = rect.x + rect.width;
    let class = word_class(kind, false);
    if end + 8 + length <= free.1 {
        svg.line(class, (end + 8, baseline), Anchor::Start, &line);
    } else if rect.x - 8 - length >= free.0 {
        svg.line(class, (rect.x - 8, baseline), Anchor::End, &line);
    }
}

/// Draws a mark without words.
fn draw_bare(svg: &mut Svg, kind: MarkKind, rect: Rect) {
    let Rect { x, y, width, height } = rect;
    let (end, middle) = (x + width, y + height / 2);
    match kind {
        MarkKind::Holds => svg.rect("high", rect, 0),
        MarkKind::Applies => {
            let ends = [x, end].map(|x| vec![(x, middle - 6), (x, middle + 6)]);
            svg.lines("wave", &[vec![(x, middle), (end, middle)], ends[0].clone(), ends[1].clone()]);
        }
        MarkKind::Trigger => {
            let (centre, half) = (x + width / 2, height * 2 / 5);
            svg.shape(
                "trigger",
                &[
                    (centre, middle - half),
                    (centre + half + 1, middle + half),
                    (centre - half - 1, middle + half),
                ],
            );
        }
        MarkKind::Must => svg.rect("must", rect, RADIUS),
        MarkKind::MustNot => {
            svg.rect("paper never-line", rect, RADIUS);
            svg.lines("never-line", &hatch(rect));
        }
        MarkKind::Somewhere | MarkKind::SomewhereNot => {
            svg.rect(frame_class(kind), rect, RADIUS);
            draw_diamond(svg, kind, (x + width / 2, middle), height);
        }
    }
}

/// Draws a mark with a gap for words; a diamond goes to the start of the gap.
fn draw_around(svg: &mut Svg, kind: MarkKind, rect: Rect, start: i32, length: i32) {
    match kind {
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger | MarkKind::Must => {
            draw_bare(svg, kind, rect);
        }
        MarkKind::MustNot => {
            let before = Rect { width: start - 2 - rect.x, ..rect };
            let after_x = start + length + 2;
            let after = Rect { x: after_x, width: rect.x + rect.width - after_x, ..rect };
            svg.rect("paper never-line", rect, RADIUS);
            svg.lines("never-line", &[hatch(before), hatch(after)].concat());
        }
        MarkKind::Somewhere | MarkKind::SomewhereNot => {
            svg.rect(frame_class(kind), rect, RADIUS);
            draw_diamond(svg, kind, (start + rect.height / 2, rect.y + rect.height / 2), rect.height);
        }
    }
}

fn draw_diamond(svg: &mut Svg, kind: MarkKind, (x, y): Point, height: i32) {
    let half = height * 3 / 10;
    let corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)];
    match kind {
        MarkKind::Somewhere => svg.shape("once", &corners),
        MarkKind::SomewhereNot => svg.shape("paper never-line", &corners),
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger | MarkKind::Must | MarkKind::MustNot => {}
    }
}

/// A signal that is high within some intervals and low elsewhere; the area under it is shaded where it is high.
fn draw_wave(svg: &mut Svg, rect: Rect, high: &[(i32, i32)]) {
    let (top, bottom, end) = (rect.y, rect.y + rect.height, rect.x + rect.width);
    let mut outline = vec![(rect.x, bottom)];
    for &(from, to) in high {
        svg.rect("high", Rect { x: from, width: to - from, ..rect }, 0);
        match outline.last_mut() {
            Some(last) if from == rect.x => *last = (from, top),
            Some(_) | None => outline.extend([(from, bottom), (from, top)]),
        }
        outline.push((to, top));
        if to < end {
            outline.push((to, bottom));
        }
    }
    outline.push((end, if high.last().is_some_and(|last| last.1 == end) { top } else { bottom }));
    outline.dedup();
    svg.lines("wave", &[outline]);
}

/// A dimension line with arrowheads and a label in its middle, or below it if the line is too short. Guides end where the label is.
fn draw_dimension(
    svg: &mut Svg,
    from: Point,
    to_x: i32,
    bar_bottom: i32,
    label: &str,
    free: (i32, i32),
    guides: &[i32],
) {
    let (from_x, y) = from;
    let line = piece(label, Face::Strong);
    let length = width(&line, NOTE);
    let centre = (from_x + to_x) / 2;
    let ticks = [from_x, to_x].map(|x| vec![(x, bar_bottom + 3), (x, y + 5)]);
    let gap = length / 2 + 6;
    let inside = 2 * gap + 28 <= to_x - from_x;
    let pieces = if inside {
        vec![vec![(from_x, y), (centre - gap, y)], vec![(centre + gap, y), (to_x, y)]]
    } else {
        vec![vec![(from_x, y), (to_x, y)]]
    };
    svg.lines("axis", &[pieces, ticks.to_vec()].concat());
    if to_x - from_x >= 16 {
        svg.shape("tip", &[(from_x, y), (from_x + 7, y - 3), (from_x + 7, y + 3)]);
        svg.shape("tip", &[(to_x, y), (to_x - 7, y - 3), (to_x - 7, y + 3)]);
    }
    let (x, baseline) = if inside {
        (centre, y + 4)
    } else {
        let half = length / 2;
        (centre.min(free.1 - half).max(free.0 + half), y + 17)
    };
    let around = Rect { x: x - length / 2 - 2, y: baseline - NOTE, width: length + 4, height: NOTE + 3 };
    if guides.iter().any(|guide| (around.x..=around.x + around.width).contains(guide)) {
        svg.rect("band", around, 0);
    }
    svg.line("note muted", (x, baseline), Anchor::Middle, &line);
}

/// Slanted lines that fill a rectangle.
fn hatch(rect: Rect) -> Vec<Vec<Point>> {
    const GAP: usize = 7;
    let Rect { x, y, width, height } = rect;
    let end = x + width;
    (x + 3..end + height)
        .step_by(GAP)
        .map(|c| {
            let (right, left) = (c.min(end), (c - height).max(x));
            vec![(right, y + c - right), (left, y + c - left)]
        })
        .collect()
}

fn frame_class(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::MustNot | MarkKind::SomewhereNot => "paper never-line",
        MarkKind::Somewhere => "paper once-line",
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger | MarkKind::Must => "wave",
    }
}

/// The class of words inside or outside their mark.
fn word_class(kind: MarkKind, inside: bool) -> &'static str {
    match kind {
        MarkKind::Must if inside => "note on-must",
        MarkKind::Must => "note must",
        MarkKind::MustNot | MarkKind::SomewhereNot => "note never",
        MarkKind::Somewhere => "note once",
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger => "note ink",
    }
}
