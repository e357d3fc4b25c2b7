//! Lines between the parts of a picture: straight, round corners, loops back and ways around.

use super::scene::{Item, Look, Segment, TextStyle, words};
use crate::diagram::canvas::{Anchor, Point};
use crate::diagram::measure::{piece, width};

/// How far a fork reaches from its stem to its branches.
pub(super) const FORK: i32 = 22;
/// How far a loop reaches to each side of what it repeats.
pub(super) const TURN: i32 = 18;
/// The length of an arrow's tip.
pub(super) const TIP: i32 = 7;
const RADIUS: i32 = 9;

/// A straight line.
pub(super) fn line(look: Look, from: Point, to: Point) -> Item {
    Item::Path { look, path: vec![Segment::Move(from), Segment::Line(to)] }
}

/// A line through points, along and across, with round corners.
pub(super) fn rounded(look: Look, points: &[Point]) -> Item {
    let mut path: Vec<Segment> = points.first().map(|&start| Segment::Move(start)).into_iter().collect();
    for corner in points.windows(3) {
        let [before, at, after] = [corner[0], corner[1], corner[2]];
        let radius = RADIUS.min(distance(before, at) / 2).min(distance(at, after) / 2);
        let start = towards(at, before, radius);
        let end = towards(at, after, radius);
        let control = |point: Point| (point.0 + (at.0 - point.0) * 5 / 9, point.1 + (at.1 - point.1) * 5 / 9);
        path.extend([Segment::Line(start), Segment::Curve(control(start), control(end), end)]);
    }
    path.extend(points.last().map(|&end| Segment::Line(end)));
    Item::Path { look, path }
}

/// A line that leaves its direction for another height in the middle of its way.
pub(super) fn bend(from: Point, to: Point) -> Item {
    if from.1 == to.1 {
        return line(Look::Line, from, to);
    }
    let middle = i32::midpoint(from.0, to.0);
    rounded(Look::Line, &[from, (middle, from.1), (middle, to.1), to])
}

/// The tip of an arrow to the right.
pub(super) fn tip(look: Look, (x, y): Point) -> Item {
    triangle(look, (x, y), -TIP)
}

/// The tip of an arrow to the left.
pub(super) fn tip_back(look: Look, (x, y): Point) -> Item {
    triangle(look, (x, y), TIP)
}

/// The way back from `right` to `left`, `height` above the line, with its count on it.
pub(super) fn back(left: i32, right: i32, height: i32, count: &str) -> Vec<Item> {
    let (middle, y) = (i32::midpoint(left, right), -height);
    let gap = label_width(TextStyle::Count, count) / 2 + 4;
    let [outer_left, outer_right] = [left + TURN - RADIUS - 2, right - TURN + RADIUS + 2];
    vec![
        rounded(Look::Loop, &[(right - TURN, 0), (outer_right, 0), (outer_right, y), (middle + gap, y)]),
        rounded(Look::Loop, &[(middle - gap - TIP, y), (outer_left, y), (outer_left, 0), (left + TURN, 0)]),
        tip_back(Look::LoopTip, (middle - gap - TIP, y)),
        words(TextStyle::Count, (middle, y + 4), Anchor::Middle, count),
    ]
}

/// The way around from `left` to `right` at another height, with the word that says so.
pub(super) fn around(left: i32, right: i32, y: i32) -> Vec<Item> {
    let middle = i32::midpoint(left, right);
    let gap = label_width(TextStyle::Small, SKIP) / 2 + 4;
    let [inner_left, inner_right] = [left + FORK / 2, right - FORK / 2];
    vec![
        rounded(Look::Line, &[(left, 0), (inner_left, 0), (inner_left, y), (middle - gap, y)]),
        rounded(Look::Line, &[(middle + gap, y), (inner_right, y), (inner_right, 0), (right, 0)]),
        words(TextStyle::Small, (middle, y + 4), Anchor::Middle, SKIP),
    ]
}

/// The least width of a loop with its count.
pub(super) fn back_width(count: &str) -> i32 {
    label_width(TextStyle::Count, count) + 2 * (TURN + RADIUS) + 2 * TIP
}

/// The least width of a way around.
pub(super) fn around_width() -> i32 {
    label_width(TextStyle::Small, SKIP) + 2 * FORK + 16
}

/// The width of a text on one line.
pub(super) fn label_width(style: TextStyle, text: &str) -> i32 {
    width(&piece(text, style.face()), style.size())
}

const SKIP: &str = "skip";

fn triangle(look: Look, (x, y): Point, back: i32) -> Item {
    let corners = [(x, y), (x + back, y - 4), (x + back, y + 4)];
    let mut path: Vec<Segment> = corners.map(Segment::Line).to_vec();
    path[0] = Segment::Move(corners[0]);
    Item::Path { look, path }
}

fn distance(a: Point, b: Point) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// The point at a distance on a horizontal or vertical way.
fn towards(from: Point, to: Point, by: i32) -> Point {
    (from.0 + (to.0 - from.0).signum() * by, from.1 + (to.1 - from.1).signum() * by)
}
