//! The scene as an SVG file of its own: readable by a screen reader, on a light or dark screen, and in print.
//!
//! It has no ids, no scripts and no references, so that many of them fit into one page.

use super::canvas::{Anchor, Canvas, Point, Rect, escape};
use super::layout::{BAR, LaneBox, Layout, MARGIN, SAMPLE};
use super::measure::{Face, fit, piece};
use super::{canvas, has_durations, is_signal, mark, style, visible};
use crate::words::plain;
use requirement::diagram::{Lane, Mark, MarkKind, Role, Scene};
use requirement::explain::Explanation;

/// The scene as SVG, under its title (the sentence) and over its explanation.
pub fn svg(scene: &Scene, title: &str, explanation: &Explanation) -> String {
    let layout = Layout::of(scene, title, explanation);
    file(&layout, title, explanation, &draw(&layout, scene))
}

/// The drawing alone, for a page that has the sentence, its explanation and the [`sheet`] already.
pub fn bare(scene: &Scene, title: &str) -> String {
    let nothing = Explanation { scope: String::new(), trigger: String::new(), response: String::new() };
    let layout = Layout::of(scene, "", &nothing);
    let Layout { width, height, .. } = layout;
    format!(
        "<svg class=\"{root}\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>{title}</title>\n{drawing}</svg>\n",
        root = style::ROOT,
        title = escape(title),
        drawing = draw(&layout, scene),
    )
}

/// The style sheet of bare drawings.
pub fn sheet() -> String {
    style::sheet()
}

fn draw(layout: &Layout, scene: &Scene) -> String {
    let mut canvas = Canvas::default();
    canvas.rect("paper", Rect { x: 0, y: 0, width: layout.width, height: layout.height }, 0);
    for placed in &layout.title {
        canvas.text("title ink", (MARGIN, placed.baseline), Anchor::Start, &placed.line);
    }
    draw_bands(&mut canvas, layout, scene);
    draw_grid(&mut canvas, layout, scene);
    draw_guides(&mut canvas, layout, scene);
    for (lane, place) in scene.lanes.iter().zip(&layout.lanes) {
        draw_label(&mut canvas, place);
        draw_lane(&mut canvas, layout, scene, lane, place);
    }
    draw_legend(&mut canvas, layout);
    draw_explanation(&mut canvas, layout);
    canvas.finish()
}

fn file(layout: &Layout, title: &str, explanation: &Explanation, drawing: &str) -> String {
    let Explanation { scope, trigger, response } = explanation;
    let words = [scope.as_str(), trigger, response].join(" ");
    let size = (layout.width, layout.height);
    canvas::document(style::ROOT, size, [title, &words], &style::sheet(), drawing)
}

/// The scope runs as a shade through everything below it.
fn draw_bands(canvas: &mut Canvas, layout: &Layout, scene: &Scene) {
    for (lane, place) in scene.lanes.iter().zip(&layout.lanes) {
        for mark in visible(scene, lane).iter().filter(|mark| mark.kind == MarkKind::Applies) {
            let (x, end) = ends(layout, mark);
            let height = layout.lanes_bottom() - place.middle;
            canvas.rect("band", Rect { x, y: place.middle, width: end - x, height }, 0);
        }
    }
}

fn draw_grid(canvas: &mut Canvas, layout: &Layout, scene: &Scene) {
    let Layout { left, right, axis, .. } = *layout;
    let bottom = layout.lanes_bottom();
    let steps: Vec<Vec<Point>> = (0..=scene.length)
        .map(|step| vec![(layout.start(step), axis), (layout.start(step), bottom)])
        .collect();
    let lanes = layout.lanes.iter().map(|lane| vec![(MARGIN, lane.bottom), (right, lane.bottom)]);
    canvas.lines("grid", &steps);
    canvas.lines("grid", &lanes.collect::<Vec<_>>());
    canvas.lines("axis", &[vec![(left, axis), (right + 8, axis)]]);
    canvas.shape("tip", &[(right + 14, axis), (right + 6, axis - 4), (right + 6, axis + 4)]);
    canvas.text("label muted", (MARGIN, axis - 8), Anchor::Start, &piece("time", Face::Text));
    let scale = if has_durations(scene) {
        "one column is one step, durations not to scale"
    } else {
        "one column is one step"
    };
    canvas.text("small muted", (left, axis - 8), Anchor::Start, &piece(scale, Face::Text));
}

/// A line from the condition down through every lane, at each trigger.
fn draw_guides(canvas: &mut Canvas, layout: &Layout, scene: &Scene) {
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
    canvas.lines("guide", &guides);
}

fn draw_label(canvas: &mut Canvas, place: &LaneBox) {
    if let Some((baseline, word)) = place.caption {
        canvas.text("small muted", (MARGIN, baseline), Anchor::Start, &piece(word, Face::Text));
    }
    for placed in &place.name {
        canvas.text("label ink", (MARGIN, placed.baseline), Anchor::Start, &placed.line);
    }
}

fn draw_lane(canvas: &mut Canvas, layout: &Layout, scene: &Scene, lane: &Lane, place: &LaneBox) {
    let marks = visible(scene, lane);
    let y = place.middle - BAR / 2;
    let signal = is_signal(lane.role) && marks.iter().all(|mark| mark.kind == MarkKind::Holds);
    if signal {
        let high: Vec<(i32, i32)> = marks.iter().map(|mark| ends(layout, mark)).collect();
        let whole = Rect { x: layout.left, y, width: layout.right - layout.left, height: BAR };
        mark::draw_wave(canvas, whole, &high);
    }
    for (k, mark) in marks.iter().enumerate() {
        let before = if k == 0 { layout.left } else { ends(layout, &marks[k - 1]).1 };
        let after = marks.get(k + 1).map_or(layout.right, |next| layout.start(next.from));
        if !signal {
            draw_mark(canvas, layout, mark, y, (before, after));
        }
        if let Some(label) = &mark.label {
            let from = (layout.middle(mark.from), y + BAR + 14);
            let room = layout.right - layout.left;
            for line in fit(&plain(label), Face::Strong, mark::NOTE, room, 1) {
                let text: String = line.into_iter().map(|piece| piece.text).collect();
                let free = (layout.left, layout.right);
                mark::draw_dimension(canvas, from, layout.middle(mark.to), y + BAR, &text, free);
            }
        }
    }
}

fn draw_mark(canvas: &mut Canvas, layout: &Layout, mark: &Mark, y: i32, free: (i32, i32)) {
    match mark.kind {
        MarkKind::Trigger => {
            for step in mark.from..=mark.to {
                let (x, end) = (layout.start(step), layout.start(step + 1));
                mark::draw_bare(canvas, mark.kind, Rect { x, y, width: end - x, height: BAR });
            }
        }
        MarkKind::Holds
        | MarkKind::Applies
        | MarkKind::Must
        | MarkKind::MustNot
        | MarkKind::Somewhere
        | MarkKind::SomewhereNot => {
            let (x, end) = ends(layout, mark);
            mark::draw(canvas, mark.kind, Rect { x, y, width: end - x, height: BAR }, free);
        }
    }
}

fn draw_legend(canvas: &mut Canvas, layout: &Layout) {
    for item in &layout.legend {
        let width = item.width;
        let rect = Rect { x: item.x, y: item.middle - SAMPLE / 2, width, height: SAMPLE };
        match item.kind {
            MarkKind::Holds => mark::draw_wave(canvas, rect, &[(item.x + width / 4, item.x + width * 3 / 4)]),
            MarkKind::Applies
            | MarkKind::Trigger
            | MarkKind::Must
            | MarkKind::MustNot
            | MarkKind::Somewhere
            | MarkKind::SomewhereNot => mark::draw_bare(canvas, item.kind, rect),
        }
        let place = (item.x + width + 8, item.middle + 4);
        canvas.text("legend muted", place, Anchor::Start, &piece(item.words, Face::Text));
    }
}

fn draw_explanation(canvas: &mut Canvas, layout: &Layout) {
    if layout.explanation.is_empty() {
        return;
    }
    canvas.lines("grid", &[vec![(MARGIN, layout.rule), (layout.width - MARGIN, layout.rule)]]);
    for paragraph in &layout.explanation {
        for (k, placed) in paragraph.lines.iter().enumerate() {
            if k == 0 {
                let heading = piece(paragraph.heading, Face::Text);
                canvas.text("label muted", (MARGIN, placed.baseline), Anchor::Start, &heading);
            }
            canvas.text("body ink", (layout.left, placed.baseline), Anchor::Start, &placed.line);
        }
    }
}

/// The start and the end of a mark in pixels.
fn ends(layout: &Layout, mark: &Mark) -> (i32, i32) {
    (layout.start(mark.from), layout.start(mark.to + 1))
}
