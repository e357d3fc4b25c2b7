//! The shapes of marks, for lanes and for the legend alike, and the words beside them.

use super::canvas::{Anchor, Canvas, Point, Rect};
use super::demand;
use super::measure::{Face, piece, width};
use requirement::diagram::MarkKind;

/// The font size of words beside marks.
pub(super) const NOTE: i32 = 12;
const RADIUS: i32 = 3;

/// Draws a mark; its words go inside it, or beside it within `free` (from, to), or are left to the legend.
pub(super) fn draw(canvas: &mut Canvas, kind: MarkKind, rect: Rect, free: (i32, i32)) {
    let Some(words) = demand(kind) else {
        return draw_bare(canvas, kind, rect);
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
        draw_around(canvas, kind, rect, start, length + diamond);
        let centre = start + diamond + length / 2;
        canvas.text(&format!("note {}", inside_class(kind)), (centre, baseline), Anchor::Middle, &line);
        return;
    }
    draw_bare(canvas, kind, rect);
    let end = rect.x + rect.width;
    let class = format!("note {}", outside_class(kind));
    if end + 8 + length <= free.1 {
        canvas.text(&class, (end + 8, baseline), Anchor::Start, &line);
    } else if rect.x - 8 - length >= free.0 {
        canvas.text(&class, (rect.x - 8, baseline), Anchor::End, &line);
    }
}

/// Draws a mark without words.
pub(super) fn draw_bare(canvas: &mut Canvas, kind: MarkKind, rect: Rect) {
    let Rect { x, y, width, height } = rect;
    let (end, middle) = (x + width, y + height / 2);
    match kind {
        MarkKind::Holds => canvas.rect("high", rect, 0),
        MarkKind::Applies => {
            let ends = [x, end].map(|x| vec![(x, middle - 6), (x, middle + 6)]);
            canvas.lines("wave", &[vec![(x, middle), (end, middle)], ends[0].clone(), ends[1].clone()]);
        }
        MarkKind::Trigger => {
            let (centre, half) = (x + width / 2, height * 2 / 5);
            canvas.shape(
                "trigger",
                &[
                    (centre, middle - half),
                    (centre + half + 1, middle + half),
                    (centre - half - 1, middle + half),
                ],
            );
        }
        MarkKind::Must => canvas.rect("must", rect, RADIUS),
        MarkKind::MustNot => {
            canvas.rect("paper never-line", rect, RADIUS);
            canvas.lines("never-line", &hatch(rect));
        }
        MarkKind::Somewhere | MarkKind::SomewhereNot => {
            canvas.rect(frame_class(kind), rect, RADIUS);
            draw_diamond(canvas, kind, (x + width / 2, middle), height);
        }
    }
}

/// Draws a mark with a gap for words; a diamond stands at the start of the gap.
fn draw_around(canvas: &mut Canvas, kind: MarkKind, rect: Rect, start: i32, length: i32) {
    match kind {
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger | MarkKind::Must => {
            draw_bare(canvas, kind, rect);
        }
        MarkKind::MustNot => {
            let before = Rect { width: start - 2 - rect.x, ..rect };
            let after_x = start + length + 2;
            let after = Rect { x: after_x, width: rect.x + rect.width - after_x, ..rect };
            canvas.rect("paper never-line", rect, RADIUS);
            canvas.lines("never-line", &[hatch(before), hatch(after)].concat());
        }
        MarkKind::Somewhere | MarkKind::SomewhereNot => {
            canvas.rect(frame_class(kind), rect, RADIUS);
            draw_diamond(canvas, kind, (start + rect.height / 2, rect.y + rect.height / 2), rect.height);
        }
    }
}

fn draw_diamond(canvas: &mut Canvas, kind: MarkKind, (x, y): Point, height: i32) {
    let half = height * 3 / 10;
    let corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)];
    match kind {
        MarkKind::Somewhere => canvas.shape("once", &corners),
        MarkKind::SomewhereNot => canvas.shape("paper never-line", &corners),
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger | MarkKind::Must | MarkKind::MustNot => {}
    }
}

/// A signal: low, high within the stretches, low again; the space under it is shaded where it is high.
pub(super) fn draw_wave(canvas: &mut Canvas, rect: Rect, high: &[(i32, i32)]) {
    let (top, bottom, end) = (rect.y, rect.y + rect.height, rect.x + rect.width);
    let mut outline = vec![(rect.x, bottom)];
    for &(from, to) in high {
        canvas.rect("high", Rect { x: from, width: to - from, ..rect }, 0);
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
    canvas.lines("wave", &[outline]);
}

/// A dimension line with arrowheads and a label in its middle, or below it where it is too short.
pub(super) fn draw_dimension(
    canvas: &mut Canvas,
    from: Point,
    to_x: i32,
    bar_bottom: i32,
    label: &str,
    free: (i32, i32),
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
    canvas.lines("axis", &[pieces, ticks.to_vec()].concat());
    if to_x - from_x >= 16 {
        canvas.shape("tip", &[(from_x, y), (from_x + 7, y - 3), (from_x + 7, y + 3)]);
        canvas.shape("tip", &[(to_x, y), (to_x - 7, y - 3), (to_x - 7, y + 3)]);
    }
    let (x, baseline) = if inside {
        (centre, y + 4)
    } else {
        let half = length / 2;
        (centre.min(free.1 - half).max(free.0 + half), y + 17)
    };
    canvas.text("note muted", (x, baseline), Anchor::Middle, &line);
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

fn inside_class(kind: MarkKind) -> &'static str {
    if kind == MarkKind::Must { "on-must" } else { outside_class(kind) }
}

fn outside_class(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Must => "must",
        MarkKind::MustNot | MarkKind::SomewhereNot => "never",
        MarkKind::Somewhere => "once",
        MarkKind::Holds | MarkKind::Applies | MarkKind::Trigger => "ink",
    }
}
